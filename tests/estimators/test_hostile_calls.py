"""Targets and parameters that make no sense, and calls in the wrong order."""

import itertools

import numpy as np
import pandas as pd
import polars as pl
import pytest
import scipy.sparse as sp
from sklearn.exceptions import DataConversionWarning, NotFittedError
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from tests.estimators.hostile import (
    FRAME,
    ROWS,
    assert_finite,
    check_refused,
    fitted,
    noisy,
    numbers,
)
from tests.estimators.small import (
    BOOSTERS,
    CORRECTIVE,
    EXPONENTIAL,
    each_booster,
    each_corrective,
    each_exponential,
    lopsided,
    make,
    two_kinds,
    unfinished,
)
from underdog import (
    AdaBoostAClassifier,
    AdaBoostClassifier,
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


def several():
    """Three labels: one to learn, one that never holds, one that always does."""
    X, y = noisy()
    return X, np.column_stack([y, np.zeros_like(y), np.ones_like(y)])


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


WHOLE = [0, -1, "10", True, 1.5, None, np.nan]
ABOVE = [0, -1, np.nan, np.inf, "1", True, None]
AT_LEAST = [-1, np.nan, np.inf, "1", True]


@each_booster
@pytest.mark.parametrize(
    ("name", "wrong", "must"),
    [
        ("n_estimators", WHOLE, "must be a whole number, at least 1"),
        ("n_iter_no_change", WHOLE, "must be a whole number, at least 1"),
        (
            "max_bins",
            [1, 65_536, "x", True],
            "must be a whole number, at least 2 and at most 65535",
        ),
        ("learning_rate", ABOVE, "must be a finite number above 0"),
        ("smoothing", AT_LEAST, "must be a finite number of at least 0"),
        ("tol", [*AT_LEAST, None], "must be a finite number of at least 0"),
        ("min_weight_fraction_leaf", AT_LEAST, "must be a finite number of at least 0"),
        ("min_weight_fraction_leaf", [0.6], "must be at most 0.5, because both sides of a test"),
        ("validation_fraction", [0, 1, -1, 2, np.nan, "x", None, True], "must be between 0 and 1"),
    ],
)
def test_numbers_out_of_range(booster, name, wrong, must):
    for value in wrong:
        check_refused(f"{name}={value!r} {must}", *noisy(), booster, **{name: value})


@each_booster
@pytest.mark.parametrize(
    "wrong",
    ["x", "Real", None, 3, ["real"], DecisionTreeClassifier, DecisionTreeRegressor()],
    ids=repr,
)
def test_learner_that_is_none(booster, wrong):
    message = (
        f"learner={wrong!r} is not a learner: give one of real, discrete, real.mh, disc.mh, "
        "real.lp, disc.lp, real.u, disc.u, tree, a Learner object, or a scikit-learn classifier"
    )
    check_refused(message, *noisy(), booster, learner=wrong)


@pytest.mark.parametrize("wrong", [0, -1, np.nan, np.inf, "2", None, True])
def test_beta_out_of_range(wrong):
    message = f"beta={wrong!r} must be a finite number above 0"
    check_refused(message, *noisy(), AdaUBoostClassifier, beta=wrong)


@pytest.mark.filterwarnings("ignore:beta=100000 is :underdog.UnderdogWarning")
@pytest.mark.parametrize("beta", [1e-5, 1e5])
@pytest.mark.parametrize("learner", ["real", "discrete", "real.u", "disc.u"])
def test_extreme_beta(beta, learner):
    X, y = noisy()
    assert_finite(fitted(X, y, AdaUBoostClassifier, beta=beta, learner=learner), X)


@pytest.mark.parametrize(
    "wrong",
    ["x", 3, ("geometric", 0), ("geometric", 1.5), ("geometric", np.nan), ("geometric", "a"),
     ("zipf", 1), ("geometric",)],
)  # fmt: skip
def test_initial_weighting_that_is_none(wrong):
    message = (
        f"initial={wrong!r} must be None, 'uniform', 'zipf' or ('geometric', q) with 0 < q <= 1"
    )
    check_refused(message, *noisy(), AdaBoostAClassifier, initial=wrong)


@pytest.mark.filterwarnings("ignore:.*resolution of the weights:underdog.UnderdogWarning")
def test_initial_weighting_of_any_float():
    X, y = noisy()
    for q in (np.float32(0.5), np.float64(0.5), 0.5):
        assert_finite(fitted(X, y, AdaBoostAClassifier, initial=("geometric", q)), X)
    assert_finite(fitted(X, y, AdaBoostAClassifier, initial=("geometric", 1e-300)), X)


def test_initial_weighting_given_twice():
    check_refused(
        "initial='zipf' and initial_weight in fit were both given: give one",
        *noisy(),
        AdaBoostAClassifier,
        fit={"initial_weight": np.ones(ROWS)},
        initial="zipf",
    )


@pytest.mark.parametrize("wrong", ["x", None, True, 3])
def test_stall_that_is_none(wrong):
    check_refused(
        f"stall={wrong!r} must be 'skip' or 'stop'", *noisy(), AdaBoostAClassifier, stall=wrong
    )


@pytest.mark.parametrize(
    ("wrong", "message"),
    [("x", "'x' is not a valid scoring value"), (3, "'scoring' parameter"), (["f1"], "'scoring'")],
)
def test_unknown_scoring(wrong, message):
    check_refused(message, *noisy(), early_stopping=True, scoring=wrong)


@pytest.mark.parametrize("wrong", ["auto", "no"])
def test_early_stopping_is_yes_or_no(wrong):
    """HistGradientBoosting's "auto" is no by default; here any text would mean yes."""
    check_refused(f"early_stopping={wrong!r}", *noisy(), early_stopping=wrong)


@pytest.mark.parametrize("wrong", [0, "x"])
def test_number_of_threads_that_is_none(wrong):
    check_refused("n_jobs", *noisy(), n_jobs=wrong)


@each_exponential
@two_kinds
def test_a_learning_rate_beyond_the_scores(booster, learner):
    """Even the first step is too long: there is still a model, a constant, and the reason."""
    X, y = noisy()
    model = fitted(X, y, booster, learner=learner, learning_rate=1e300)
    assert_finite(model, X)
    assert "use a smaller learning_rate" in model.stop_reason_
    assert len(list(model.staged_predict(X))) == model.n_iter_


ANSWERS = ["predict", "decision_function", "staged_predict", "staged_decision_function"]
PROBABILITIES = ["predict_proba", "predict_log_proba", "staged_predict_proba"]


@pytest.mark.parametrize(
    ("booster", "answer"),
    [*itertools.product(BOOSTERS, ANSWERS), *itertools.product(EXPONENTIAL, PROBABILITIES)],
)
def test_asked_before_fit(booster, answer):
    message = f"This {booster.__name__} instance is not fitted yet. Call 'fit'"
    with pytest.raises(NotFittedError, match=message):
        getattr(booster(), answer)(numbers())
    with pytest.raises(NotFittedError, match=message):
        booster().describe()
    assert not hasattr(booster(), "feature_importances_")


@each_corrective
@pytest.mark.parametrize("answer", PROBABILITIES)
@pytest.mark.parametrize("known", [False, True])
def test_margins_are_no_probabilities(booster, answer, known):
    model = make(booster)
    if known:
        model.fit(*noisy())
    assert not hasattr(model, answer)
    with pytest.raises(AttributeError) as caught:
        getattr(model, answer)(numbers())
    assert str(caught.value.__cause__) == (
        f"{booster.__name__} has no probabilities: its scores are margins, not log-odds. To get "
        "them, wrap it in sklearn.calibration.CalibratedClassifierCV."
    )


@each_booster
@pytest.mark.parametrize("early_stopping", [False, True])
def test_half_of_the_validation_data(booster, early_stopping):
    X, y = noisy()
    model = booster(early_stopping=early_stopping)
    with pytest.raises(ValueError, match="X_val was given without y_val: give both"):
        model.fit(X, y, X_val=X)
    with pytest.raises(ValueError, match="y_val was given without X_val: give both"):
        model.fit(X, y, y_val=y)


def test_validation_data_that_do_not_fit():
    X, y = noisy()
    model = AdaBoostClassifier(early_stopping=True, n_estimators=3)
    with pytest.raises(ValueError, match="X has 2 features, but AdaBoostClassifier is expecting 3"):
        model.fit(X, y, X_val=X[:, :2], y_val=y)
    with pytest.raises(ValueError, match=r"inconsistent numbers of samples: \[60, 59\]"):
        model.fit(X, y, X_val=X, y_val=y[:-1])
    with pytest.raises(ValueError, match="Feature names must be in the same order"):
        model.fit(FRAME, y, X_val=FRAME[["b", "a", "c"]], y_val=y)


@pytest.mark.parametrize("class_weight", [None, "balanced"])
@pytest.mark.parametrize("scoring", ["loss", "accuracy"])
@pytest.mark.parametrize("labels", [lambda y: y.astype(str), lambda y: y + 1], ids=["text", "more"])
def test_validation_labels_that_training_does_not_have(class_weight, scoring, labels):
    X, y = noisy()
    model = AdaBoostClassifier(
        early_stopping=True, n_estimators=3, class_weight=class_weight, scoring=scoring
    )
    with pytest.raises(ValueError, match="y_val"):
        model.fit(X, y, X_val=X, y_val=labels(y))


def test_validation_labels_of_another_shape():
    X, Y = several()
    model = AdaBoostMHClassifier(early_stopping=True, n_estimators=3)
    for y, y_val in ((Y, Y[:, :2]), (Y, Y[:, 0]), (Y[:, 0], Y)):
        with pytest.raises(ValueError, match="y"):
            model.fit(X, y, X_val=X, y_val=y_val)


def test_too_few_rows_to_hold_some_out():
    check_refused(
        "early stopping needs two different rows of a class, but none of the 2 rows can be held "
        "out: pass X_val and y_val to fit, or set early_stopping=False",
        numbers()[:2],
        [0, 1],
        early_stopping=True,
    )
