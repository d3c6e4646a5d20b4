"""Parameters that make no sense, and calls in the wrong order."""

import itertools

import numpy as np
import pytest
from sklearn.exceptions import NotFittedError
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from tests.estimators.hostile import (
    FRAME,
    ROWS,
    assert_finite,
    check_refused,
    fitted,
    noisy,
    numbers,
    several,
)
from tests.estimators.small import (
    BOOSTERS,
    EXPONENTIAL,
    each_booster,
    each_corrective,
    each_exponential,
    make,
    two_kinds,
    unfinished,
)
from underdog import (
    AdaBoostAClassifier,
    AdaBoostClassifier,
    AdaBoostMHClassifier,
    AdaUBoostClassifier,
)

pytestmark = unfinished


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
        "real.lp, disc.lp, real.u, disc.u, tree, c4.5-like, rules, abstain, alternating, a Learner "
        "object, or a scikit-learn classifier"
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
    assert str(caught.value) == (
        f"{booster.__name__} has no {answer}: its scores are margins, not log-odds. To get "
        "probabilities, call recalibrate with rows that it was not trained on, or wrap it in "
        "sklearn.calibration.CalibratedClassifierCV."
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
