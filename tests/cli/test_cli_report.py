"""What `underdog train` reports, and in which order."""

import json
import re

import pytest

from tests.cli.examples import csv
from underdog.cli.report import SHOWN_LINES


def rules_shown(shown):
    """The lines of rules, below the head of their table, and the line after them."""
    lines = shown.splitlines()
    (head,) = [place for place, line in enumerate(lines) if line.split()[:1] == ["rule"]]
    return [line for line in lines[head + 1 :] if line[:3] != "..."], lines[-1]


def test_measures_come_first_and_rules_last(trained):
    shown = trained.train("data.csv").stdout
    places = [
        shown.index(part)
        for part in ("cross-validation", "precision  ", "Confusion matrix", "The model predicts",
                     "AdaBoostClassifier with 4 rules", "\n1.  ")
    ]  # fmt: skip
    assert places == sorted(places)


def test_rules_are_limited_by_lines(program):
    names = [f"a category with a long name, number {i}" for i in range(12)]
    rows = [f'"{names[i % 12]}",{i % 7},{(i % 12 < 6) ^ (i % 7 < 3):d}' for i in range(240)]
    program.write("data.csv", "\n".join(["long,b,y", *rows]) + "\n")
    lines, last = rules_shown(program.train("data.csv", "--n-estimators", "30").stdout)
    assert len(lines) <= SHOWN_LINES
    shown = [line for line in lines if re.match(r" *\d+\.", line)]
    assert 1 <= len(shown) < SHOWN_LINES < 30
    found = re.fullmatch(r"\.\.\. (\d+) more rules: underdog explain model.udg", last)
    total = int(re.search(r"with (\d+) rules", program.run("explain", "model.udg").stdout)[1])
    assert int(found[1]) == total - len(shown)


def test_a_rule_that_is_too_long_is_cut(program):
    program.write("data.csv", csv("pqrstuvw", count=160))
    shown = program.train("data.csv", "--model", "gradientboosting").stdout
    lines, last = rules_shown(shown)
    assert len(lines) == SHOWN_LINES
    assert last == "... the rest of this rule and 3 more rules: underdog explain model.udg"


def test_a_few_rules_are_shown_completely(program):
    lines, last = rules_shown(program.train("data.csv", "--n-estimators", "2").stdout)
    assert len(lines) == 2
    assert last == lines[-1]


@pytest.mark.parametrize(
    ("classes", "cost", "measure", "title"),
    [
        ("uv", [], "average_precision", "average precision"),
        ("uvw", [], "f1", "F1"),
        ("uv", ["--cost", "u:v=3"], "cost", "mean cost"),
    ],
)
def test_train_and_compare_rank_by_the_same_measure(program, classes, cost, measure, title):
    program.write("data.csv", csv(classes))
    train = ["train", "data.csv", "-t", "y", "--cv", "3", "--n-estimators", "3", "--force", *cost]
    compare = ["compare", "data.csv", "-t", "y", "--cv", "3", "-m", "adaboost", *cost]
    sentence = f"\nModels are ranked by {title}, "
    assert sentence in program.run(*train).stdout
    assert sentence in program.run(*compare).stdout
    assert json.loads(program.run(*train, "--json").stdout)["ranked_by"] == measure
    assert json.loads(program.run(*compare, "--json").stdout)["main_measure"] == measure
