"""A row of weight 0 is none, to every decider and to all that is given with the rows."""

import re

import numpy as np
import pandas as pd
import polars as pl
import pytest
import scipy.sparse as sp
from sklearn.base import clone
from sklearn.model_selection import KFold, PredefinedSplit, StratifiedKFold

from tests.decisions import known
from underdog import (
    AdaBoostAClassifier,
    AdaBoostClassifier,
    Costs,
    CostSensitiveClassifier,
    Table,
    ThresholdClassifier,
    UnderdogWarning,
)

BOOST = AdaBoostClassifier(n_estimators=4)
DECIDERS = [
    CostSensitiveClassifier(BOOST, calibration=None),
    CostSensitiveClassifier(BOOST, cv=3),
    CostSensitiveClassifier(BOOST, cv=3, calibration="isotonic"),
    ThresholdClassifier(BOOST, cv=3),
]
each_decider = pytest.mark.parametrize("decider", DECIDERS, ids=repr)


def weighted(rows=120):
    """Two classes, a third one that has no weight, and the rows that have one."""
    X, y, _ = known.two_classes(rows, 0)
    weights = np.random.default_rng(0).integers(0, 3, rows).astype(float)
    weights[:5], y[:5] = 0.0, 2
    return X, y, weights, weights > 0


@each_decider
@pytest.mark.parametrize(
    "form", [np.asarray, pd.DataFrame, sp.csr_array, Table.from_data, pl.DataFrame]
)
def test_rows_without_weight_are_dropped(decider, form):
    X, y, weights, kept = weighted()
    found = decider.fit(form(X), y, sample_weight=weights)
    assert found.classes_.tolist() == [0, 1]
    answers = found.predict(form(X)), found.decision_function(form(X))
    twin = decider.fit(form(X[kept]), y[kept], sample_weight=weights[kept])
    np.testing.assert_array_equal(answers[0], twin.predict(form(X)))
    np.testing.assert_array_equal(answers[1], twin.decision_function(form(X)))


@pytest.mark.parametrize("decider", [CostSensitiveClassifier, ThresholdClassifier])
def test_what_else_is_given_with_the_rows(decider):
    X, y, weights, kept = weighted()
    initial = np.random.default_rng(1).uniform(1, 3, len(y))
    decider = decider(AdaBoostAClassifier(n_estimators=4), cv=3)
    for name, values in (("initial_weight", initial), ("costs", Costs(fn=initial, fp=1))):
        found = decider.fit(X, y, sample_weight=weights, **{name: values}).decision_function(X)
        cut = {name: values[kept]}
        twin = decider.fit(X[kept], y[kept], sample_weight=weights[kept], **cut)
        np.testing.assert_array_equal(found, twin.decision_function(X))


def test_costs_of_the_rows_that_choose_a_threshold():
    X, y, weights, kept = weighted()
    costs = Costs(fn=np.random.default_rng(1).uniform(1, 30, len(y)), fp=1)
    found = ThresholdClassifier(BOOST, costs, cv=3).fit(X, y, sample_weight=weights)
    twin = ThresholdClassifier(BOOST, costs[kept], cv=3)
    twin.fit(X[kept], y[kept], sample_weight=weights[kept])
    assert found.threshold_ == twin.threshold_
    with pytest.raises(ValueError, match="choose has costs for 119 examples, but X has 120 rows"):
        ThresholdClassifier(BOOST, costs[1:]).fit(X, y, sample_weight=weights)


@pytest.mark.parametrize("decider", DECIDERS[1:], ids=repr)
def test_splits_are_of_the_rows_that_were_given(decider):
    X, y, weights, kept = weighted()
    fold = np.arange(len(y)) % 3
    fold[:5] = 3  # a fold without weight is none
    splits = list(PredefinedSplit(fold).split())
    twin = clone(decider).set_params(cv=PredefinedSplit(fold[kept]))
    expected = twin.fit(X[kept], y[kept], sample_weight=weights[kept]).decision_function(X)
    for cv in (splits, iter(splits), PredefinedSplit(fold)):
        twin.set_params(cv=cv).fit(X, y, sample_weight=weights)
        np.testing.assert_array_equal(twin.decision_function(X), expected)
    for cv in (KFold(3), StratifiedKFold(3, shuffle=True, random_state=0)):
        twin.set_params(cv=cv).fit(X, y, sample_weight=weights)


@pytest.mark.filterwarnings("ignore:the out-of-fold scores do not separate")  # of two examples
@pytest.mark.parametrize("decider", [CostSensitiveClassifier, ThresholdClassifier])
def test_the_number_of_folds_is_by_the_rows_with_weight(decider):
    X, y, _ = known.two_classes(120, 0)
    weights = np.ones(len(y))
    weights[np.flatnonzero(y == 1)[2:]] = 0.0
    with pytest.warns(UnderdogWarning, match="class 1 has 2 examples: cv=5 is reduced to 2 folds"):
        decider(BOOST).fit(X, y, sample_weight=weights)


@pytest.mark.parametrize("decider", [CostSensitiveClassifier(), ThresholdClassifier()])
def test_deciders_are_settled_on_rows_with_weight(decider):
    X, y, weights, kept = weighted()
    fitted = BOOST.fit(X, y, sample_weight=weights)
    scores = fitted.decision_function(X)
    found = decider.fit_from_scores(fitted, scores, y, sample_weight=weights).decision_function(X)
    twin = decider.fit_from_scores(fitted, scores[kept], y[kept], sample_weight=weights[kept])
    np.testing.assert_array_equal(found, twin.decision_function(X))


@each_decider
@pytest.mark.parametrize(
    ("weights", "message"),
    [
        (np.ones(4), "sample_weight.shape == (4,), expected (60,)!"),
        (np.zeros(60), "sample_weight is 0 for every row"),
        (np.full(60, -1.0), "Negative values in sample_weight: -1 in row 0"),
        (np.full(60, np.nan), "sample_weight contains NaN"),
    ],
    ids=["too few", "none", "negative", "missing"],
)
def test_weights_that_make_no_sense(decider, weights, message):
    X, y, _ = known.two_classes(60, 0)
    with pytest.raises(ValueError, match=re.escape(message)):
        decider.fit(X, y, sample_weight=weights)
