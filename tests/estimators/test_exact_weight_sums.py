"""Weights that a user gives are summed exactly: no bit depends on the order of the rows."""

from typing import Any, NamedTuple

import numpy as np
import pytest

from tests.estimators.fits import members
from underdog import AdaBoostAClassifier, AdaBoostClassifier, AdaBoostMHClassifier, Costs

ROWS = 157


class Rows(NamedTuple):
    X: Any
    y: Any
    start: Any
    cost: Any

    def take(self, which):
        return Rows(*(each[which] for each in self))


def some_rows():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(ROWS, 3)).round(1)
    y = (X[:, 0] + rng.normal(size=ROWS) > 0.8).astype(int)
    return Rows(X, y, rng.random(ROWS) + 0.01, rng.random(ROWS) * 7 + 0.1)


def fit_cost(rows, repeats):
    model = AdaBoostAClassifier(n_estimators=8)
    return model.fit(rows.X, rows.y, cost=rows.cost, sample_weight=repeats)


def fit_cost_and_start(rows, repeats):
    model = AdaBoostAClassifier(n_estimators=8)
    return model.fit(
        rows.X, rows.y, cost=rows.cost, initial_weight=rows.start, sample_weight=repeats
    )


def fit_costs(rows, repeats):
    costs = Costs(fn=rows.cost, fp=rows.start)
    return AdaBoostClassifier(n_estimators=8).fit(
        rows.X, rows.y, costs=costs, sample_weight=repeats
    )


def fit_balanced(rows, _times):
    model = AdaBoostClassifier(n_estimators=8, class_weight="balanced")
    return model.fit(rows.X, rows.y, sample_weight=rows.start)


def fit_balanced_classes(rows, _times):
    model = AdaBoostMHClassifier(n_estimators=8, class_weight="balanced")
    return model.fit(rows.X, rows.y + (rows.X[:, 1] > 1), sample_weight=rows.start)


def same_bits(one, other, X):
    assert members(one) == members(other)
    np.testing.assert_array_equal(one.predict_proba(X), other.predict_proba(X))
    assert one.certificate_ == other.certificate_
    for name, values in one.history_.items():
        if name != "seconds":
            np.testing.assert_array_equal(values, other.history_[name])


@pytest.mark.parametrize(
    "fit", [fit_cost, fit_cost_and_start, fit_costs, fit_balanced, fit_balanced_classes]
)
def test_rows_in_another_order(fit):
    rows = some_rows()
    model = fit(rows, None)
    for seed in range(6):
        order = np.random.default_rng(seed).permutation(ROWS)
        same_bits(model, fit(rows.take(order), None), rows.X)


@pytest.mark.parametrize("fit", [fit_cost, fit_cost_and_start, fit_costs])
def test_repeated_rows_are_whole_weights(fit):
    rows = some_rows()
    repeats = np.random.default_rng(5).integers(1, 4, ROWS)
    which = np.random.default_rng(6).permutation(np.repeat(np.arange(ROWS), repeats))
    same_bits(fit(rows, repeats), fit(rows.take(which), None), rows.X)
