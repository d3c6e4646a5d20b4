"""Boosters of Newton's steps, logistic boosters and trees: the same bits in any order and form."""

import numpy as np
import pytest
import scipy.sparse as sp

import underdog.workers
from tests.estimators import fits
from underdog import (
    AdaBoostClassifier,
    AdaBoostMHClassifier,
    ADTreeClassifier,
    GentleAdaBoostClassifier,
    GradientBoostingClassifier,
    LADTreeClassifier,
    LogisticAdaBoostClassifier,
    LogitBoostClassifier,
)

ROWS, ROUNDS = 240, 20
MODELS = {
    "Gentle": (GentleAdaBoostClassifier, {}, "binary"),
    "Gentle, classes": (GentleAdaBoostClassifier, {}, "classes"),
    "Logistic": (LogisticAdaBoostClassifier, {}, "binary"),
    "Logistic, discrete": (LogisticAdaBoostClassifier, {"learner": "discrete"}, "binary"),
    "Parallel": (LogisticAdaBoostClassifier, {"update": "parallel"}, "binary"),
    "GradientBoosting": (GradientBoostingClassifier, {}, "binary"),
    "GradientBoosting, stumps": (GradientBoostingClassifier, {"learner": "real"}, "binary"),
    "GradientBoosting, classes": (GradientBoostingClassifier, {}, "classes"),
    "GradientBoosting, labels": (GradientBoostingClassifier, {"l2_regularization": 1.0}, "labels"),
    "LogitBoost": (LogitBoostClassifier, {}, "binary"),
    "LogitBoost, trees": (LogitBoostClassifier, {"learner": "tree"}, "binary"),
    "LogitBoost, classes": (LogitBoostClassifier, {}, "classes"),
    "ADTree": (ADTreeClassifier, {}, "binary"),
    "ADTree, logistic": (
        ADTreeClassifier,
        {"loss": "logistic", "grow": "singles", "missing": "neither"},
        "binary",
    ),
    "LADTree, classes": (LADTreeClassifier, {}, "classes"),
    "AdaBoost, trees": (AdaBoostClassifier, {"learner": "tree"}, "binary"),
    "AdaBoost.MH, trees": (AdaBoostMHClassifier, {"learner": "tree"}, "labels"),
}
X = fits.numbers(ROWS)
TARGETS = fits.targets(X)
TIMES = np.random.default_rng(2).integers(0, 4, ROWS)
"""How many examples each row stands for."""


def bits(name, X, chosen=slice(None), **given):
    """Members and scores of a model that is fitted to these rows."""
    kind, own, target = MODELS[name]
    model = kind(n_estimators=ROUNDS, **own).set_params(**given.pop("settings", {}))
    model.fit(X, TARGETS[target][0][chosen], **given)
    assert model.n_iter_ >= 15
    return model, model.decision_function(fits.numbers(50, seed=1))


def assert_same(one, other):
    (model, scores), (other_model, other_scores) = one, other
    assert model.n_iter_ == other_model.n_iter_
    for own, theirs in zip(model.model_.members, other_model.model_.members, strict=True):
        np.testing.assert_array_equal(own.steps, theirs.steps)
    np.testing.assert_array_equal(scores, other_scores)


@pytest.fixture(params=MODELS)
def name(request):
    return request.param


def test_rows_in_another_order(name):
    order = np.random.default_rng(1).permutation(ROWS)
    assert_same(bits(name, X), bits(name, X[order], order))


@pytest.mark.parametrize("form", [sp.csr_array, sp.csc_array])
def test_sparse_and_dense_form(name, form):
    assert_same(bits(name, X), bits(name, form(X)))


def test_one_or_two_threads(name, monkeypatch):
    one = bits(name, X, settings={"n_jobs": 1})
    monkeypatch.setattr(underdog.workers, "MIN_WORK", 1)
    assert_same(one, bits(name, X, settings={"n_jobs": 2}))


def test_integer_weights_or_repeated_rows(name):
    every = np.repeat(np.arange(ROWS), TIMES)
    assert_same(bits(name, X, sample_weight=TIMES), bits(name, X[every], every))


def test_warm_start_in_two_halves(name):
    kind, own, target = MODELS[name]
    y = TARGETS[target][0]
    model = kind(n_estimators=ROUNDS // 2, warm_start=True, **own).fit(X, y)
    model.set_params(n_estimators=ROUNDS).fit(X, y)
    assert_same(bits(name, X), (model, model.decision_function(fits.numbers(50, seed=1))))
