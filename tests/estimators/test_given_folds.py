"""Early stopping on folds that are given: rows that belong together are left out together."""

import numpy as np
import pytest

from tests.estimators.small import noisy, three_classes
from underdog import (
    AdaBoostAClassifier,
    AdaBoostClassifier,
    GradientBoostingClassifier,
    GradientBoostingRegressor,
    LogitBoostClassifier,
    Table,
)
from underdog.data.draws import Draw

BOOSTERS = (
    AdaBoostClassifier,
    AdaBoostAClassifier,
    LogitBoostClassifier,
    GradientBoostingClassifier,
)


def drawn(X, y, count):
    """The folds that a booster would draw."""
    kinds = np.unique(y, return_inverse=True)[1]
    return Draw(Table.from_data(X), kinds, np.ones(len(y), dtype=int), 0).folds(count)


@pytest.mark.parametrize("booster", BOOSTERS)
def test_folds_like_those_that_are_drawn_give_the_same_model(booster):
    X, y = noisy()
    given = {"n_estimators": 30, "early_stopping": True, "cv": 4, "random_state": 0}
    expected = booster(**given).fit(X, y)
    folds = drawn(X, y, 4)
    for own in (folds, 10 * folds):
        model = booster(**given).fit(X, y, folds=own)
        np.testing.assert_array_equal(model.decision_function(X), expected.decision_function(X))
        scores = expected.history_["validation_score"]
        np.testing.assert_array_equal(model.history_["validation_score"], scores)


def test_numbers_are_left_out_as_they_are_given():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(120, 2))
    y = X[:, 0] + rng.normal(size=120)
    folds = np.arange(120) % 3
    given = {"n_estimators": 40, "early_stopping": True}
    model = GradientBoostingRegressor(**given).fit(X, y, folds=folds)
    parts = [GradientBoostingRegressor(n_estimators=40) for _ in range(3)]
    errors = np.zeros(40)
    for fold, part in enumerate(parts):
        part.fit(X[folds != fold], y[folds != fold])
        for number, found in enumerate(part.staged_predict(X[folds == fold])):
            errors[number] += ((found - y[folds == fold]) ** 2).sum()
    assert model.n_iter_ == errors.argmin() + 1


def test_rows_that_are_never_left_out():
    """The last rows are predicted by what was learned from the others, as of later times."""
    X, y = noisy()
    late = np.arange(len(y)) >= 0.8 * len(y)
    given = {"n_estimators": 40, "early_stopping": True}
    model = AdaBoostClassifier(**given).fit(X, y, folds=np.where(late, 0, -1))
    before = AdaBoostClassifier(n_estimators=40)
    before.fit(X[~late], y[~late], X_val=X[late], y_val=y[late])
    scores = before.history_["validation_score"]
    np.testing.assert_allclose(
        model.history_["validation_score"], scores[: len(model.history_["edge"])]
    )


def test_a_class_in_one_fold_is_never_left_out():
    X, y = three_classes()
    folds = np.where(y == y[0], 0, np.arange(len(y)) % 4)
    model = GradientBoostingClassifier(n_estimators=5, early_stopping=True).fit(X, y, folds=folds)
    assert set(model.classes_) == set(y)
    assert "chosen on the given folds" in model.stop_reason_


@pytest.mark.parametrize(
    ("folds", "given", "message"),
    [
        ([0, 1], {}, r"folds has shape \(2,\) and type int64: give a whole number for each of"),
        (np.zeros(6), {}, "type float64"),
        ([-1] * 6, {}, "folds leave out no rows, or rows of one class only"),
        ([0] * 6, {}, "folds leave out no rows, or rows of one class only"),
        ([0, 1] * 3, {"early_stopping": False}, "set early_stopping=True, or leave them out"),
    ],
)
def test_wrong_folds_are_refused(folds, given, message):
    X, y = np.arange(6.0).reshape(-1, 1), [0, 0, 0, 1, 1, 1]
    model = AdaBoostClassifier(**{"early_stopping": True, **given})
    with pytest.raises(ValueError, match=message):
        model.fit(X, y, folds=folds)


def test_folds_and_validation_data_are_refused():
    X, y = noisy()
    with pytest.raises(ValueError, match="folds and X_val are both for early stopping"):
        AdaBoostClassifier(early_stopping=True).fit(X, y, X_val=X, y_val=y, folds=y * 0)
