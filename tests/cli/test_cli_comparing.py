"""What `underdog compare` says about differences."""

import re

import pytest

from tests.cli.examples import csv
from underdog.cli.comparing import comparison_parts, differences
from underdog.comparison.result import Comparison


def comparison(**values):
    """Models with these average precisions in four folds, and an F1 of 0 where it is 0."""
    rows = [
        {
            "model": name, "fold": fold, "average_precision": value, "f1": min(value, 0.5),
            **dict.fromkeys(("cost", "roc_auc", "brier", "log_loss", "size", "fit_seconds",
                             "predict_seconds"), float("nan")),
            "error": "", "warnings": [],
        }
        for name, each in values.items()
        for fold, value in enumerate(each)
    ]  # fmt: skip
    return Comparison(rows, "average_precision", 1 / 3, "40 examples")


ALIKE = {"one": [0.5, 0.6, 0.5, 0.6], "two": [0.6, 0.5, 0.6, 0.5], "three": [0.5, 0.5, 0.6, 0.6]}
BETTER = [0.9, 0.91, 0.9, 0.91]


def test_nothing_differs():
    assert differences(comparison(**ALIKE)) == [
        "No difference in average precision is larger than noise."
    ]


def test_some_differ():
    *better, last = differences(comparison(**ALIKE, best=BETTER))
    assert len(better) == 3
    assert all(each.startswith("best is better than ") for each in better)
    assert last == "No other difference in average precision is larger than noise."


def test_what_cannot_be_compared():
    assert differences(comparison(one=[0.5])) == ["There is only one model."]
    found = differences(comparison(one=[0.5], two=[0.6]))
    assert found == ["Too few folds to compare: one, two."]


@pytest.mark.parametrize(("value", "explained"), [(0.0, True), (0.1, False)])
def test_an_f1_of_zero_is_explained(value, explained):
    parts = comparison_parts(comparison(one=[value] * 4, two=BETTER), 80)
    texts = " ".join(part.text for part in parts if hasattr(part, "text"))
    assert ("F1 of 0: one predicted no row of the positive class correctly" in texts) == explained


def test_all_measures_are_shown(program):
    program.write("data.csv", csv())
    command = ["compare", "data.csv", "-t", "y", "-m", "adaboost", "-m", "adauboost", "--cv", "2"]
    shown = program.run(*command).stdout
    for title in ("average precision", "F1", "ROC AUC", "Brier score", "log loss", "fit (s)"):
        assert f" {title}" in shown
    assert "60 examples, 30 of class 1" in shown


def test_an_unknown_model_is_a_wrong_option(program):
    message = program.refused("compare", "data.csv", "-t", "y", "-m", "adabost", code=2)
    assert message == "there is no model 'adabost': did you mean 'adaboost'?"


def test_a_column_has_the_same_number_of_decimals(program):
    program.write("data.csv", csv())
    command = ["compare", "data.csv", "-t", "y", "-m", "adaboost", "-m", "lpuboost", "--cv", "2"]
    told = program.run(*command).stdout
    lines = [line for line in told.splitlines() if line.startswith(("AdaBoost", "LPUBoost"))]
    assert lines
    for one, other in zip(lines[::2], lines[1::2], strict=True):
        pairs = [re.findall(r"\S+ ± \S+|-(?= |$)", line) for line in (one, other)]
        for values in zip(*pairs, strict=True):
            numbers = [number for pair in values for number in re.findall(r"[\d.,]+", pair)]
            assert len({len(number.partition(".")[2]) for number in numbers}) == 1
