"""Weights that a user gives are summed exactly: no bit depends on the order of the rows."""

import numpy as np
import pytest

from tests.estimators.fits import members
from underdog import AdaBoostAClassifier, AdaBoostClassifier, AdaBoostMHClassifier, Costs

ROWS = 157


def rows_and_weights(seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(ROWS, 3)).round(1)
    y = (X[:, 0] + rng.normal(size=ROWS) > 0.8).astype(int)
    return X, y, rng.random(ROWS) + 0.01, rng.random(ROWS) * 7 + 0.1


def costs_of_rows(fn, fp):
    return Costs(fn=fn, fp=fp)


CASES = {
    "cost": lambda X, y, w, p, n: AdaBoostAClassifier(n_estimators=8).fit(
        X, y, cost=p, sample_weight=n
    ),
    "cost and start": lambda X, y, w, p, n: AdaBoostAClassifier(n_estimators=8).fit(
        X, y, cost=p, initial_weight=w, sample_weight=n
    ),
    "balanced": lambda X, y, w, p, n: AdaBoostClassifier(
        n_estimators=8, class_weight="balanced"
    ).fit(X, y, sample_weight=w if n is None else w * n),
    "balanced classes": lambda X, y, w, p, n: AdaBoostMHClassifier(
        n_estimators=8, class_weight="balanced"
    ).fit(X, y + (X[:, 1] > 1), sample_weight=w if n is None else w * n),
    "costs": lambda X, y, w, p, n: AdaBoostClassifier(n_estimators=8).fit(
        X, y, costs=costs_of_rows(fn=p, fp=w), sample_weight=n
    ),
}


def same_bits(one, other, X):
    assert members(one) == members(other)
    np.testing.assert_array_equal(one.predict_proba(X), other.predict_proba(X))
    assert one.certificate_ == other.certificate_
    for name, values in one.history_.items():
        if name != "seconds":
            np.testing.assert_array_equal(values, other.history_[name])


@pytest.mark.parametrize("case", CASES)
def test_rows_in_another_order(case):
    X, y, w, p = rows_and_weights()
    fit = CASES[case]
    model = fit(X, y, w, p, None)
    for seed in range(6):
        order = np.random.default_rng(seed).permutation(ROWS)
        same_bits(model, fit(X[order], y[order], w[order], p[order], None), X)


@pytest.mark.parametrize("case", ["cost", "cost and start", "costs"])
def test_repeated_rows_are_whole_weights(case):
    X, y, w, p = rows_and_weights()
    times = np.random.default_rng(5).integers(1, 4, ROWS)
    which = np.random.default_rng(6).permutation(np.repeat(np.arange(ROWS), times))
    fit = CASES[case]
    weighted = fit(X, y, w, p, times)
    repeated = fit(X[which], y[which], w[which], p[which], None)
    same_bits(weighted, repeated, X)
