"""Models on folds, and whether the threshold is moved."""

import json
import re

import numpy as np
import polars as pl
import pytest
from sklearn.metrics import f1_score

from tests.cli.examples import csv
from underdog import AdaBoostClassifier, UnderdogClassifier, load
from underdog.cli.class_plan import ClassPlan, ClassValidation
from underdog.cli.plan import CrossValidation, Trial
from underdog.cli.task import Task
from underdog.cli.thresholds import Threshold
from underdog.cli.training import beside_baselines
from underdog.comparison.class_evaluator import Evaluator
from underdog.comparison.paired import corrected_t
from underdog.costs import Costs
from underdog.data import Table
from underdog.data.folds import FoldRows, make_folds
from underdog.decisions.thresholds import ThresholdClassifier


def by_fold(*values):
    none = np.zeros(0, dtype=int)
    ratio = 1 / (len(values) - 1)
    return ClassValidation([{"f1": value} for value in values], ratio, none, np.zeros(0), none)


def test_a_gain_of_more_than_two_corrected_standard_errors_moves():
    own, chosen = [0.5, 0.6, 0.7, 0.5, 0.6], np.array([0.7, 0.7, 0.8, 0.6, 0.8])
    found = Threshold.from_scores("f1", by_fold(*own), by_fold(*chosen))
    differences = chosen - own
    error = np.sqrt(differences.var(ddof=1) * (1 / 5 + 1 / 4))  # 4 of 5 parts are learned from
    assert found.standard_error == pytest.approx(error)
    assert found.gain == pytest.approx(differences.mean())
    assert found.moved
    # The same error is behind the intervals of `compare`.
    mean, low, _, _ = corrected_t(differences, 1 / 4)
    assert (mean - low) / error == pytest.approx(2.776, abs=1e-3)  # Student's t with 4 degrees


@pytest.mark.parametrize(
    ("gains", "moved"),
    [([0.1, 0.1, 0.1], True), ([0.0, 0.0, 0.0], False), ([-0.1, -0.1, -0.1], False),
     ([0.1, -0.1, 0.1], False), ([0.10, 0.12, 0.11], True)],
)  # fmt: skip
def test_nothing_is_moved_for_noise(gains, moved):
    chosen = [0.5 + gain for gain in gains]
    assert Threshold.from_scores("f1", by_fold(0.5, 0.5, 0.5), by_fold(*chosen)).moved == moved


def trained(scores, y, positive=1, choose=None):
    """A candidate with these scores out of fold, in four folds, and the model that follows."""
    y, scores = np.array(y), np.array(scores, dtype=float)
    frame = pl.DataFrame({"a": scores})
    task = Task(frame, y, "x", "y", np.arange(len(y)))
    judge = Evaluator(np.unique(y), positive, None)
    plan = ClassPlan("adaboost", AdaBoostClassifier(), None, 4, 0, judge, choose, False)
    places = np.arange(len(y))
    folds = [(places[places % 4 != fold], places[places % 4 == fold]) for fold in range(4)]
    found = [Trial("adaboost", fold, scores[test], None, 1, 0.0)
             for fold, (_, test) in enumerate(folds)]  # fmt: skip
    booster = AdaBoostClassifier(n_estimators=1).fit(frame, y)
    result = plan.validate(task, folds, found)
    return result, plan.assemble(task, None, booster, result)


ROWS = np.arange(80)
TRUE = ROWS // 4 % 2


def test_a_threshold_that_is_right_stays():
    result, model = trained(TRUE - 0.5, TRUE)
    assert not result.moved
    assert (result.threshold.own, result.threshold.chosen) == (1.0, 1.0)
    assert isinstance(model, AdaBoostClassifier)
    assert result.decided.tolist() == TRUE.tolist()


def test_a_threshold_that_is_wrong_is_moved():
    result, model = trained(TRUE + 0.5, TRUE)
    assert result.moved
    assert (result.threshold.own, result.threshold.chosen) == (0.5, 1.0)
    assert isinstance(model, ThresholdClassifier)
    assert model.threshold_ == 1.0
    assert result.decided.tolist() == TRUE.tolist()


def test_what_is_asked_for_is_done():
    result, model = trained(TRUE - 0.5, TRUE, choose=("recall", 0.9))
    assert result.threshold is None
    assert isinstance(model, ThresholdClassifier)


@pytest.mark.parametrize("positive", [0, 1])
def test_a_score_of_zero_is_not_enough_for_the_positive_class(positive):
    result, _ = trained(np.zeros(80), TRUE, positive)
    assert not result.moved
    assert set(result.decided.tolist()) == {1 - positive}


def table(rare, shift):
    """Two numbers that tell something about a class with so many of a hundred rows."""
    chance = np.random.default_rng(0)
    y = (np.arange(300) % 100 < rare).astype(int)
    a, b = chance.normal(size=(2, 300)) + shift * y
    return "a,b,y\n" + "".join(f"{p:.2f},{q:.2f},{c}\n" for p, q, c in zip(a, b, y, strict=True))


@pytest.mark.parametrize(
    ("rare", "measure", "title"), [(10, "f1", "F1"), (45, "accuracy", "Accuracy")]
)
def test_both_figures_are_told(program, rare, measure, title):
    program.write("data.csv", table(rare, 1.0))
    command = ["train", "data.csv", "-t", "y", "-m", "adaboost", "--n-estimators", "20", "--force"]
    shown = program.run(*command).stdout
    found = json.loads(program.run(*command, "--json").stdout)
    threshold = found["threshold"]
    assert threshold["measure"] == measure
    (told,) = [line for line in shown.splitlines() if line.startswith(f"{title} in cross-valid")]
    assert f"{threshold['own']:.3f} with the default threshold" in told
    assert (
        f"{threshold['chosen']:.3f} with {'the' if threshold['moved'] else 'a'} chosen one" in told
    )
    taken = threshold["chosen" if threshold["moved"] else "own"]
    assert found["measures"][measure]["mean"] == pytest.approx(taken)
    assert found["decision"]["by"] == (
        "threshold" if threshold["moved"] else "the model's own scores"
    )
    asked = json.loads(program.run(*command, "--threshold", "f1", "--json").stdout)
    assert asked["decision"]["chosen by"] == "f1"
    assert "threshold" not in asked


@pytest.mark.parametrize(
    ("own", "logistic", "told"),
    [
        ([0.5, 0.6, 0.7], [0.5, 0.6, 0.6], "In F1, no baseline is better than x by more than"),
        ([0.5, 0.6, 0.7], [0.9, 0.6, 0.6], "In F1, no baseline is better than x by more than "
         r"noise. logistic has a higher mean F1 \(0.700 against 0.600\), but the difference may"),
        ([0.5, 0.6, 0.7], [0.5, 0.6, 0.7003], ".* by more than noise.$"),  # 0.600 each
        ([0.9, 0.9, 0.9], [0.1, 0.1, 0.1], "In F1, no baseline is better than x by more than"),
        ([0.50, 0.61, 0.70], [0.7, 0.8, 0.9],
         r"logistic \(F1 0.800, 0.2 better, p = .*\) is better than x .*: see underdog compare"),
    ],
)  # fmt: skip
def test_a_baseline_that_is_better_is_named(own, logistic, told):
    judge = Evaluator(np.array([0, 1, 2]), 1, None)
    plan = ClassPlan("x", None, None, 3, 0, judge, None, False)
    found = beside_baselines(plan, by_fold(*own), {"logistic": by_fold(*logistic)})
    assert re.match(told, found)


def test_a_lower_error_is_named():
    judge = Evaluator(np.array([0, 1]), 1, Costs(fn=2, fp=1))
    plan = ClassPlan("x", None, None, 3, 0, judge, None, False)
    own, other = (
        CrossValidation([{"cost": each} for each in costs], 0.5)
        for costs in ([0.5, 0.6, 0.7], [0.1, 0.6, 0.6])
    )
    assert beside_baselines(plan, own, {"logistic": other}).endswith(
        "logistic has a lower mean cost (0.433 against 0.600), but the difference may be chance."
    )


def test_a_class_that_is_not_in_every_fold(program):
    program.write("classes.csv", csv("uvw") + "1.5,u,z\n1.6,v,z\n")
    found = program.run("train", "classes.csv", "-t", "y", "-m", "adaboost", "--n-estimators", "3")
    notes = [line for line in found.stderr.splitlines() if "folds" in line]
    assert notes == [
        "note: The smallest class has 2 rows, fewer than the 5 folds: it is not in every fold."
    ]


def predictions(program, data):
    rows = json.loads(program.run("predict", "model.udg", data, "--json").stdout)["rows"]
    return [row["prediction"] for row in rows], [row["probability of 1"] for row in rows]


@pytest.mark.parametrize(
    ("rare", "options", "given"),
    [
        (6, [], {}),
        (6, ["--cv", "0"], {}),
        (45, [], {}),
        (45, ["--threshold", "recall=0.9"], {"threshold": ("recall", 0.9), "pos_label": 1}),
        (6, ["--cost", "fn=9,fp=1"], {"costs": Costs(fn=9, fp=1), "pos_label": 1}),
        (6, ["--cost", "fn=9,fp=1", "--cv", "0"], {"costs": Costs(fn=9, fp=1), "pos_label": 1}),
    ],
)  # fmt: skip
def test_the_default_predicts_as_the_classifier_without_parameters(program, rare, options, given):
    program.write("data.csv", table(rare, 1.0))
    program.run("train", "data.csv", "-t", "y", "--no-baselines", "--cv", "2", *options)
    decided, probabilities = predictions(program, "data.csv")
    frame = pl.read_csv("data.csv")
    model = UnderdogClassifier(**given).fit(frame.drop("y"), frame["y"])
    assert probabilities == pytest.approx(model.predict_proba(frame.drop("y"))[:, 1], abs=1e-12)
    assert decided == model.predict(frame.drop("y")).tolist()


def test_the_threshold_of_a_rare_class_is_measured_on_rows_that_did_not_choose_it(program):
    program.write("data.csv", table(8, 1.0))
    command = ["train", "data.csv", "-t", "y", "--cv", "3", "--force"]
    found = json.loads(program.run(*command, "--json").stdout)
    threshold = found["threshold"]
    assert threshold["always"]
    assert threshold["moved"]
    assert found["measures"]["f1"]["mean"] == threshold["chosen"] > threshold["own"]
    assert found["decision"]["chosen by"] == "f1"
    shown = program.run(*command).stdout
    assert "(threshold chosen by F1 on left-out rows)" in shown
    assert "One class has fewer than 20% of the rows, so the threshold is the one with" in shown
    # The folds of the command and what a classifier chooses in each of them.
    frame = pl.read_csv("data.csv")
    X, y = frame.drop("y"), frame["y"].to_numpy()
    rows = FoldRows(Table.from_data(X), y, True)
    by_hand = []
    for train, test in make_folds(3, rows, 0):
        model = UnderdogClassifier(pos_label=1).fit(X[train], y[train])
        by_hand.append(f1_score(y[test], model.predict(X[test])))
    assert np.mean(by_hand) == pytest.approx(threshold["chosen"])


def test_folds_of_groups_choose_the_threshold(program):
    head, *lines = table(8, 1.0).splitlines()
    text = "".join(f"{line},{row // 3}\n" for row, line in enumerate(lines))
    program.write("data.csv", f"{head},who\n{text}")
    found = program.run("train", "data.csv", "-t", "y", "--group", "who", "--cv", "3", "--json")
    threshold = json.loads(found.stdout)["threshold"]
    assert threshold["always"]
    model = load("model.udg")[-1]
    assert len(model.curve_["threshold"]) > 200  # of the scores of all folds
    assert isinstance(model, ThresholdClassifier)


def test_a_rare_class_is_one_by_weight(program):
    head, *lines = table(30, 1.0).splitlines()
    text = "".join(f"{line},{1 if line.endswith('1') else 5}\n" for line in lines)
    program.write("data.csv", f"{head},count\n{text}")
    command = ["train", "data.csv", "-t", "y", "--cv", "2", "--json", "--force"]
    weighted = json.loads(program.run(*command, "--weight", "count").stdout)
    assert weighted["decision"]["chosen by"] == "f1"
    plain = json.loads(program.run(*command, "--ignore", "count").stdout)
    assert plain["decision"]["by"] == "the model's own scores"
