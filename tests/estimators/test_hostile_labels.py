"""Targets and class weights that make no sense."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
import scipy.sparse as sp
from sklearn.exceptions import DataConversionWarning
from sklearn.tree import DecisionTreeClassifier

from tests.estimators.hostile import (
    ROWS,
    assert_finite,
    check_refused,
    fitted,
    noisy,
    numbers,
    several,
)
from tests.estimators.small import (
    CORRECTIVE,
    each_booster,
    lopsided,
    two_kinds,
    unfinished,
)
from underdog import (
    AdaBoostAClassifier,
    AdaBoostMHClassifier,
    AdaUBoostClassifier,
    Table,
)

pytestmark = unfinished


@pytest.mark.parametrize(
    "gone",
    [
        np.where(np.arange(ROWS) == 3, None, np.array(["a", "b"] * 30, dtype=object)),
        np.where(np.arange(ROWS) == 3, np.nan, np.arange(ROWS) % 2.0),
        pd.Series(["a", "b"] * 30).mask(np.arange(ROWS) == 3),
        pd.Series(["a", "b"] * 30).mask(np.arange(ROWS) == 3).astype("category"),
        pd.Series([0, 1] * 30, dtype="Int64").mask(np.arange(ROWS) == 3),
        pl.Series([0, 1, 0, None] + [0, 1] * 28),
        pl.Series(["a", "b", "a", None] + ["a", "b"] * 28),
    ],
    ids=["object", "float", "pandas", "category", "Int64", "polars numbers", "polars"],
)
def test_labels_that_are_missing(gone):
    check_refused("y is missing in row 3: drop the row or give it a label", numbers(), gone)


@each_booster
def test_targets_that_do_not_fit(booster):
    X, y = noisy()
    wrong_length = "Found input variables with inconsistent numbers of samples: [60, 59]"
    for form in (np.asarray, sp.csr_array, pd.DataFrame, Table.from_data):
        check_refused(wrong_length, form(X), y[:-1], booster)
    check_refused("Unknown label type: continuous", X, X[:, 0], booster)
    check_refused("bin y into a few classes", X, X[:, 0], booster)
    check_refused("requires y to be passed, but the target y is None", X, None, booster)
    check_refused("Unknown label type", X, np.array([0, "a"] * 30, dtype=object), booster)


def test_labels_of_every_kind():
    X, y = noisy()
    expected = fitted(X, y).decision_function(X)
    for labels in (
        np.where(y == 1, "yes", "no"),
        y == 1,
        y.astype(float),
        y.astype(np.int8) * 100,
        pd.Series(y, index=np.arange(ROWS)[::-1] * 7),
        pd.Series(np.where(y == 1, "yes", "no")),
        pd.Series(np.where(y == 1, "yes", "no"), dtype="category"),
        pd.Series(y == 1, dtype="boolean"),
        pl.Series(np.where(y == 1, "yes", "no")),
        pl.Series(np.where(y == 1, "yes", "no"), dtype=pl.Categorical),
        y.tolist(),
    ):
        model = fitted(X, labels)
        np.testing.assert_array_equal(model.decision_function(X), expected)
        assert set(model.predict(X).tolist()) == set(np.unique(np.asarray(labels)).tolist())


def test_the_index_of_a_frame_is_not_used():
    X, y = noisy()
    index = np.random.default_rng(6).permutation(ROWS)
    frame, labels = pd.DataFrame(X, index=index), pd.Series(y, index=index[::-1])
    weight = pd.Series(1.0 + np.arange(ROWS), index=np.arange(ROWS) + 5)
    expected = fitted(X, y, weight=weight.to_numpy()).decision_function(X)
    found = fitted(frame, labels, weight=weight).decision_function(frame)
    np.testing.assert_array_equal(found, expected)


def test_a_column_of_labels():
    X, y = noisy()
    with pytest.warns(DataConversionWarning, match="column-vector y"):
        model = fitted(X, y[:, np.newaxis])
    np.testing.assert_array_equal(model.predict(X), fitted(X, y).predict(X))


@pytest.mark.parametrize("booster", [AdaBoostAClassifier, AdaUBoostClassifier, *CORRECTIVE])
def test_more_than_two_classes_for_a_booster_of_two(booster):
    X, _ = noisy()
    for y, kind in (
        (np.arange(ROWS) % 3, "multiclass"),
        (np.eye(3, dtype=int)[np.arange(ROWS) % 3], "multilabel-indicator"),
    ):
        message = (
            f"Only binary classification is supported. The type of the target is {kind}. "
            f"{booster.__name__} is for two classes; for more use AdaBoostMHClassifier"
        )
        check_refused(message, X, y, booster)


@each_booster
def test_unknown_positive_label(booster):
    X, y = noisy()
    for wrong in ("1", 2, "yes"):
        message = f"pos_label={wrong!r} is not a class of y, whose classes are [0, 1]"
        check_refused(message, X, y, booster, pos_label=wrong)


@each_booster
@pytest.mark.parametrize("weights", [{0: 0, 1: 1}, {0: -1, 1: 1}, {0: np.nan}, {1: np.inf}])
def test_class_weights_that_are_none(booster, weights):
    message = (
        f"class_weight={weights!r} has a weight that is not positive and finite: to ignore a "
        "class, remove its rows"
    )
    check_refused(message, *noisy(), booster, class_weight=weights)


@each_booster
@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ("bal", "Got 'bal' instead"),
        ([1, 2], "Got [1, 2] instead"),
        (3, "Got 3 instead"),
        ({"a": 1}, "The classes, [0, 1], are not in class_weight"),
    ],
)
def test_class_weight_of_another_kind(booster, wrong, message):
    check_refused(message, *noisy(), booster, class_weight=wrong)


@each_booster
@pytest.mark.parametrize("weights", [{}, {0: 2}, {0: 1, 1: 3, 7: 9}, {0: 1e-300, 1: 1e300}])
@lopsided
@pytest.mark.filterwarnings("ignore:.*resolution of the weights:underdog.UnderdogWarning")
def test_odd_class_weights_that_mean_something(booster, weights):
    X, y = noisy()
    assert_finite(fitted(X, y, booster, class_weight=weights), X)


def test_class_weight_with_several_labels():
    check_refused(
        "class_weight='balanced' is not supported in multilabel problems: use sample_weight or",
        numbers(),
        np.eye(3, dtype=int)[np.arange(ROWS) % 3],
        AdaBoostMHClassifier,
        class_weight="balanced",
    )


@pytest.mark.parametrize("learner", ["real", "discrete", DecisionTreeClassifier(max_depth=1)])
def test_labels_that_never_or_always_hold(learner):
    X, Y = several()
    model = fitted(X, Y, AdaBoostMHClassifier, learner=learner, random_state=0)
    assert np.isfinite(model.decision_function(X)).all()
    assert np.isfinite(model.predict_proba(X)).all()
    assert (model.predict(X)[:, 1:] == [0, 1]).all()
    assert (model.predict(X)[:, 0] == Y[:, 0]).mean() > 0.8


@pytest.mark.parametrize("value", [0, 1])
@two_kinds
def test_every_label_always_the_same(value, learner):
    X, _ = noisy()
    model = fitted(X, np.full((ROWS, 2), value), AdaBoostMHClassifier, learner=learner)
    assert_finite(model, X)
    assert (model.predict(X) == value).all()


@pytest.mark.parametrize(
    "form",
    [
        sp.csr_matrix,
        sp.csr_array,
        sp.csc_array,
        pd.DataFrame,
        pl.DataFrame,
        np.ndarray.tolist,
        bool,
    ],
)
def test_forms_of_an_indicator_matrix(form):
    X, Y = several()
    expected = fitted(X, Y, AdaBoostMHClassifier).decision_function(X)
    given = Y.astype(bool) if form is bool else form(Y)
    model = fitted(X, given, AdaBoostMHClassifier)
    np.testing.assert_array_equal(model.decision_function(X), expected)
    assert model.predict(X).shape == Y.shape


@pytest.mark.parametrize(
    "wrong", [lambda Y: Y + 1, lambda Y: 2 * Y - 1, lambda Y: 3 * Y + Y[:, :1]]
)
def test_matrices_that_are_no_indicators(wrong):
    """Also with two values: in -1 and +1, or 1 and 2, every entry would count as set."""
    X, Y = several()
    message = (
        "y has several columns but is not an indicator matrix of 0 and 1: give one label per row, "
        "or one column of 0 and 1 per label"
    )
    check_refused(message, X, wrong(Y), AdaBoostMHClassifier)
