"""What decisions are worth."""

import numpy as np
import pytest

from underdog.comparison.class_evaluator import Evaluator, HeldOutPredictions, over_folds
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
