"""What decisions are worth."""

import numpy as np
import pytest

from underdog.comparison.class_evaluator import (
    Evaluator,
    HeldOutPredictions,
    MeasuredClasses,
    over_folds,
)
from underdog.comparison.intervals import ClassShares, class_weights
from underdog.costs import Costs

TRUE = np.array([0, 0, 0, 1, 1])
DECIDED = np.array([0, 0, 1, 1, 0])
SCORES = np.array([-3.0, -2.0, 0.5, 1.0, -2.5])


@pytest.mark.parametrize(("positive", "share"), [(1, 1 / 2), (0, 2 / 3)])
def test_two_classes(positive, share):
    judge = Evaluator(np.array(["a", "b"]), positive, Costs(fn=5, fp=1))
    found = judge.measure(TRUE, HeldOutPredictions(DECIDED, SCORES, None))
    assert found["precision"] == pytest.approx(share)
    assert found["recall"] == pytest.approx(share)
    assert found["cost"] == pytest.approx(6 / 5)
    assert found["roc_auc"] == pytest.approx(4 / 6)  # of 6 pairs the scores order 4 rightly
    assert "brier" not in found
    assert judge.confusion(TRUE, DECIDED).tolist() == [[2, 1], [1, 1]]


def test_a_ranking_of_one_class_is_none():
    judge = Evaluator(np.array(["a", "b"]), 1, None)
    found = judge.measure(
        np.zeros(2, dtype=int), HeldOutPredictions(np.zeros(2, dtype=int), SCORES[:2], None)
    )
    assert "roc_auc" not in found
    assert found["accuracy"] == 1.0
    both = over_folds([found, {"accuracy": 0.5, "roc_auc": 0.25}])
    assert both["accuracy"][0] == 0.75
    assert both["roc_auc"][0] == 0.25
    assert np.isnan(both["roc_auc"][1])


@pytest.mark.parametrize(
    ("decided", "expected"),
    [([0, 0, 0, 0, 0], True), ([1, 1, 1, 1, 1], True), ([0, 0, 1, 0, 0], True),
     ([0, 0, 1, 1, 0], False), ([1, 1, 1, 0, 0], True)],
)  # fmt: skip
def test_the_same_answer_for_every_row(decided, expected):
    judge = Evaluator(np.array(["a", "b"]), 1, None)
    assert judge.is_a_constant_as_good(TRUE, np.array(decided)) is expected


def test_the_same_answer_by_costs():
    decided = np.array([0, 0, 1, 1, 1])  # one false alarm
    for fp, expected in ((1.0, False), (50.0, True)):
        judge = Evaluator(np.array(["a", "b"]), 1, Costs(fn=20, fp=fp))
        assert judge.is_a_constant_as_good(TRUE, decided) is expected


def test_the_same_answer_of_three():
    true = np.array([0, 0, 1, 1, 2, 2])
    judge = Evaluator(np.array(["a", "b", "c"]), 1, None)
    assert judge.is_a_constant_as_good(true, np.ones(6, dtype=int))
    assert not judge.is_a_constant_as_good(true, np.array([0, 0, 1, 1, 1, 1]))


def predictions(count, n, chance):
    """True classes and predictions of n rows that tell something about them."""
    true = np.sort(np.arange(n) % count)
    scores = chance.normal(size=(n, count)) + 1.5 * np.eye(count)[true]
    shares = np.exp(scores) / np.exp(scores).sum(axis=1, keepdims=True)
    own = scores[:, 1] - scores[:, 0] if count == 2 else scores
    return true, HeldOutPredictions(shares.argmax(axis=1), own, shares)


@pytest.mark.parametrize("count", [2, 3])
def test_other_shares_are_as_if_rows_were_repeated(count):
    classes = np.arange(count)
    costs = Costs(fn=5, fp=1) if count == 2 else Costs.matrix(1.0 - np.eye(3), classes)
    judge = Evaluator(classes, 1, costs)
    true, answers = predictions(count, 240, np.random.default_rng(0))
    times = np.array([9, 1, 4])[:count]
    rows = np.repeat(np.arange(240), times[true])
    repeated = judge.measure(true[rows], answers.take(rows))
    shares = times / times.sum()  # each class has as many rows
    found = judge.estimate(true, answers, ClassShares(true, shares))
    assert {name: each.value for name, each in found.items()} == pytest.approx(repeated)
    for each in found.values():
        assert each.low <= each.value <= each.high
    same = judge.estimate(true, answers, ClassShares(true, np.ones(count) / count))
    for name, each in judge.estimate(true, answers).items():  # these are the shares of the rows
        assert same[name].value == pytest.approx(each.value)
        assert same[name].error == pytest.approx(each.error, rel=0.4)


def test_a_rare_class_without_false_alarms_has_no_certain_precision():
    true = np.repeat([0, 1], 50)
    judge = Evaluator(np.array(["a", "b"]), 1, None)
    answers = HeldOutPredictions(true, true + 0.0, None)
    found = judge.estimate(true, answers, ClassShares(true, np.array([0.99, 0.01])))
    assert found["precision"].value == found["precision"].high == 1.0
    assert found["precision"].low < 0.5
    assert found["recall"].low == judge.estimate(true, answers)["recall"].low


def test_subgroups_keep_the_weights_of_classes():
    true, answers = predictions(2, 80, np.random.default_rng(1))
    weights = class_weights(true, np.array([0.9, 0.1]))
    measured = MeasuredClasses(Evaluator(np.arange(2), 1, None), true, answers, weights)
    assert measured.base()["base_rate"] == pytest.approx(0.1)
    half = measured.take(np.arange(20, 80))  # 20 and 40 rows
    assert half.base()["base_rate"] == pytest.approx(0.2 / 1.1)
    alone = measured.take(np.flatnonzero(true == 0))
    assert alone.base()["base_rate"] == 0.0
    assert alone.estimate()["recall"].value == 0.0


def test_intervals_for_other_shares_cover():
    """In about 95 of 100 samples; the truth is known from a large one."""
    judge, shares = Evaluator(np.arange(2), 1, None), np.array([0.7, 0.3])
    big = predictions(2, 200_000, np.random.default_rng(5))
    truth = judge.measure(*big, ClassShares(big[0], shares))
    inside = dict.fromkeys(truth, 0)
    chance = np.random.default_rng(0)
    for _ in range(60):
        true, answers = predictions(2, 200, chance)
        for name, each in judge.estimate(true, answers, ClassShares(true, shares)).items():
            inside[name] += each.low <= truth[name] <= each.high
    assert min(inside.values()) >= 51
