"""Confidence intervals of measures."""

import math

import numpy as np
import pytest
from sklearn.metrics import average_precision_score, f1_score, roc_auc_score

from underdog.comparison.class_evaluator import Evaluator, HeldOutPredictions
from underdog.comparison.intervals import (
    LEAST_REPLICATES,
    REPLICATES,
    Estimate,
    RowRanking,
    f1_interval,
    macro_intervals,
    mean_interval,
    n_replicates,
    percentiles,
    ranking_intervals,
    weights,
    wilson,
)
from underdog.comparison.number_evaluator import NumberEvaluator

RANDOM = np.random.RandomState(0)
POSITIVE = RANDOM.rand(400) < 0.3
SCORES = np.round(RANDOM.randn(400) + POSITIVE, 1)  # with ties


def test_drawn_rankings_are_those_of_weighted_rows():
    ranking = RowRanking(SCORES, POSITIVE)
    (drawn,) = weights(400, 3)
    found = ranking.measure(drawn)
    truth, scores = POSITIVE[ranking.order], SCORES[ranking.order]
    for row, average, area in zip(drawn, *found, strict=True):
        expected = average_precision_score(truth, scores, sample_weight=row.astype(float))
        assert average == pytest.approx(expected, abs=1e-12)
        expected = roc_auc_score(truth, scores, sample_weight=row.astype(float))
        assert area == pytest.approx(expected, abs=1e-12)


def test_weights_are_poisson_and_always_the_same():
    first = np.concatenate(list(weights(1000, 1500)))  # several blocks
    assert first.shape == (1500, 1000)
    assert first.mean() == pytest.approx(1.0, abs=0.005)
    assert first.var() == pytest.approx(1.0, abs=0.01)
    assert np.array_equal(first, np.concatenate(list(weights(1000, 1500))))


def test_the_order_of_rows_does_not_matter():
    mixed = RANDOM.permutation(400)
    assert ranking_intervals(SCORES[mixed], POSITIVE[mixed]) == ranking_intervals(SCORES, POSITIVE)
    assert mean_interval(SCORES[mixed]) == mean_interval(SCORES)


def test_widths_agree_with_theory():
    low, high = ranking_intervals(SCORES, POSITIVE)["roc_auc"]
    # DeLong: the variances of the shares of the other class that each row is on the right side of.
    own, other = SCORES[POSITIVE], SCORES[~POSITIVE]
    right = (own[:, None] > other) + 0.5 * (own[:, None] == other)
    error = math.sqrt(
        right.mean(axis=1).var(ddof=1) / len(own) + right.mean(axis=0).var(ddof=1) / len(other)
    )
    assert high - low == pytest.approx(2 * 1.96 * error, rel=0.1)
    low, high = mean_interval(SCORES)
    assert high - low == pytest.approx(2 * 1.96 * SCORES.std() / 20, rel=0.1)


def test_shares():
    assert wilson(0, 10) == pytest.approx((0.0, 0.2775), abs=1e-4)
    assert wilson(5, 10) == pytest.approx((0.2366, 0.7634), abs=1e-4)
    assert all(map(math.isnan, wilson(0, 0)))
    low, high = f1_interval(30, 10)
    assert low < 2 * 30 / (2 * 30 + 10) < high
    assert f1_interval(12, 0)[1] == 1.0


def test_replicates_that_say_nothing():
    assert all(map(math.isnan, percentiles(np.ones(100))))
    assert all(map(math.isnan, percentiles(np.array([np.nan] * 10 + [1.0, 2.0]))))
    assert n_replicates(50_000) == REPLICATES
    assert n_replicates(10**9) == LEAST_REPLICATES
    assert Estimate(0.5).to_dict() == {"value": 0.5, "low": None, "high": None}


def test_means_over_classes():
    true = RANDOM.randint(0, 3, 300)
    decided = np.where(RANDOM.rand(300) < 0.7, true, RANDOM.randint(0, 3, 300))
    confusion = np.zeros((3, 3), dtype=np.int64)
    np.add.at(confusion, (true, decided), 1)
    low, high = macro_intervals(confusion)["f1"]
    assert low < f1_score(true, decided, average="macro") < high
    assert 0.05 < high - low < 0.15


def test_few_positives_have_no_interval_of_a_ranking():
    judge = Evaluator(np.array(["a", "b"]), 1, None)
    true = np.array([0] * 30 + [1] * 9)
    found = judge.estimate(true, HeldOutPredictions(true, true + 0.0, None))
    assert not found["roc_auc"].has_interval
    assert found["recall"].high == 1.0
    assert found["recall"].low == pytest.approx(wilson(9, 9)[0])


def test_every_measure_of_numbers_is_inside_its_interval():
    y = RANDOM.poisson(3.0, 500).astype(float)
    quantiles = np.column_stack([y - 1.0, y + RANDOM.randn(500), y + 1.0])
    found = NumberEvaluator("pinball", (0.1, 0.5, 0.9)).estimate(y, quantiles)
    found |= NumberEvaluator("deviance", None, True).estimate(y, np.full(500, 3.0))
    assert set(found) == {"rmse", "mae", "r2", "pinball", "coverage", "deviance"}
    for each in found.values():
        assert each.low <= each.value <= each.high
    assert not NumberEvaluator().estimate(y[:9], y[:9] + 1.0)["mae"].has_interval
