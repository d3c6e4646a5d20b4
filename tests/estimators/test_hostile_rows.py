"""Too much or too little to learn from, and weights of all kinds."""

import re

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp

from tests.estimators.hostile import (
    NO_TEST,
    PERFECT,
    ROWS,
    assert_finite,
    check_refused,
    fitted,
    noisy,
    numbers,
)
from tests.estimators.small import (
    CORRECTIVE,
    EXPONENTIAL,
    ROBUST,
    each_booster,
    each_corrective,
    each_exponential,
    each_real_booster,
    lopsided,
    rules,
    two_kinds,
    unfinished,
)
from underdog import (
    AdaBoostAClassifier,
    AdaBoostMHClassifier,
    AdaBoostStarClassifier,
    ArcGVClassifier,
    BoostByMajorityClassifier,
    GentleAdaBoostClassifier,
    GradientBoostingClassifier,
    HullBoostClassifier,
    LADTreeClassifier,
    LogitBoostClassifier,
    SoftMarginAdaBoostClassifier,
    Table,
    UnderdogWarning,
)

pytestmark = unfinished


@each_exponential
@two_kinds
@pytest.mark.parametrize("smoothing", [None, 0.0])
def test_perfect_weak_hypothesis(booster, learner, smoothing):
    X = numbers()
    y = (X[:, 1] > 0).astype(int)
    model = fitted(X, y, booster, learner=learner, smoothing=smoothing, pos_label=y.mean() < 0.5)
    assert_finite(model, X)
    if model._make_loss().perfect_steps(0.1) == 1.0:
        assert (model.n_iter_, model.stop_reason_) == (1, PERFECT)
    else:  # steps are short, or shrink: one is not enough
        assert model.n_iter_ > 1
        assert len({str(asked) for asked, _ in rules(model)}) == 1
    assert model.score(X, y) == 1.0
    assert np.abs(model.decision_function(X)).max() < 64


@each_corrective
@two_kinds
@pytest.mark.parametrize("smoothing", [None, 0.0])
def test_perfect_weak_hypothesis_and_its_margin(booster, learner, smoothing):
    X = numbers()
    y = (X[:, 1] > 0).astype(int)
    model = fitted(X, y, booster, learner=learner, smoothing=smoothing, pos_label=y.mean() < 0.5)
    assert_finite(model, X)
    assert model.score(X, y) == 1.0
    assert model.certificate_["minimum_margin"] > 0.85  # smoothed values are not all -1 or 1
    if learner == "discrete":
        assert (model.n_iter_, model.converged_) == (1, True)
        assert model.stop_reason_.startswith("converged: the soft margin is 1, and")
        assert model.certificate_["minimum_margin"] == 1.0


def heavier(model, y):
    """The class with more examples; of those whose margin counts, the one that counts more."""
    beta = getattr(model, "beta", 1.0) if type(model) in CORRECTIVE else 1.0
    return int(beta * y.mean() > 1 - y.mean())


@each_real_booster
@two_kinds
def test_only_constant_columns(booster, learner):
    _, y = noisy()
    X = np.tile([3.0, 0.0, -1.0], (ROWS, 1))
    model = fitted(X, y, booster, learner=learner)
    assert_finite(model, X)
    assert (model.n_iter_, model.stop_reason_) == (1, NO_TEST)
    assert "always" in model.describe()
    assert model.predict(X).tolist() == [heavier(model, y)] * ROWS
    if booster in EXPONENTIAL:
        assert abs(model.predict_proba(X)[0, 1] - y.mean()) < 0.05
    np.testing.assert_array_equal(model.feature_importances_, np.zeros(3))


@each_real_booster
@two_kinds
def test_a_column_that_is_always_missing_cannot_be_split(booster, learner):
    _, y = noisy()
    model = fitted(np.full((ROWS, 2), np.nan), y, booster, learner=learner)
    assert_finite(model, numbers()[:, :2])
    assert (model.n_iter_, model.stop_reason_) == (1, NO_TEST)
    assert model.predict(numbers()[:, :2]).tolist() == [heavier(model, y)] * ROWS


def test_only_constant_columns_with_more_than_two_classes():
    y = np.repeat([0, 1, 2], [10, 20, 30])
    model = fitted(np.ones((ROWS, 2)), y, AdaBoostMHClassifier)
    assert_finite(model, np.ones((ROWS, 2)))
    assert model.stop_reason_ == NO_TEST
    assert model.predict(np.ones((1, 2))).tolist() == [2]
    # Smoothed column by column and made to sum to one, so not exactly 1/6, 1/3, 1/2.
    np.testing.assert_allclose(
        model.predict_proba(np.ones((1, 2)))[0], [1 / 6, 1 / 3, 1 / 2], atol=0.02
    )


def test_no_test_that_is_heavy_enough():
    X, y = noisy()
    model = fitted(X[1:], y[1:], min_weight_fraction_leaf=0.5, n_estimators=3)
    assert_finite(model, X)
    assert model.stop_reason_ == (
        "no test has min_weight_fraction_leaf of the weight on both sides; the model is a constant"
    )


@two_kinds
def test_no_usable_split(learner):
    X = np.array([[0.0], [0.0], [1.0], [1.0]])
    model = fitted(X, [0, 1, 0, 1], learner=learner)
    assert_finite(model, X)
    assert model.stop_reason_ == (
        "the best rule has no edge left: its coefficient is 0; the model is a constant"
    )
    np.testing.assert_array_equal(model.predict_proba(X), np.full((4, 2), 0.5))


@each_booster
def test_one_class_only(booster):
    X = numbers()
    message = (
        "the training data has only one class, 'a' (rows of weight 0 are ignored): give "
        "examples of at least two classes"
    )
    check_refused(message, X, ["a"] * ROWS, booster)
    y = np.where(np.arange(ROWS) < 30, "a", "b")
    check_refused(message, X, y, booster, fit={"sample_weight": (y == "a").astype(float)})


@pytest.mark.parametrize("label", [1, 1.0, True])
def test_one_class_is_named_as_python_writes_it(label):
    check_refused(f"only one class, {label!r} (", numbers(), np.full(ROWS, label))


def test_one_row_and_no_row():
    X, y = noisy()
    check_refused("only one class", X[:1], y[:1])
    empty = "Found array with 0 sample(s) (shape=(0, 3)) while a minimum of 1 is required."
    for none in (X[:0], sp.csr_array(X[:0]), pd.DataFrame(X[:0]), Table.from_data(X)[:0]):
        check_refused(empty, none, y[:0])
    model = fitted(X, y)
    np.testing.assert_array_equal(model.predict(X[:1]), model.predict(X)[:1])
    with pytest.raises(ValueError, match=re.escape(empty)):
        model.predict(X[:0])


def test_two_rows():
    model = fitted([[0.0], [1.0]], ["no", "yes"])
    assert_finite(model, [[0.0], [1.0]])
    assert model.predict([[-9.0], [9.0]]).tolist() == ["no", "yes"]
    same = fitted([[0.0], [0.0]], ["no", "yes"])
    np.testing.assert_array_equal(same.predict_proba([[0.0]]), [[0.5, 0.5]])


@pytest.mark.parametrize(
    "empty",
    [np.empty((ROWS, 0)), sp.csr_array((ROWS, 0)), pd.DataFrame(index=range(ROWS))],
    ids=["array", "sparse", "frame"],
)
def test_an_empty_vocabulary(empty):
    check_refused(
        "Found array with 0 feature(s) (shape=(60, 0)) while a minimum of 1 is required.",
        empty,
        noisy()[1],
    )


def test_a_million_sparse_columns():
    _, y = noisy()
    rng = np.random.default_rng(0)
    rows, columns = np.arange(ROWS).repeat(20), rng.integers(0, 1_000_000, 20 * ROWS)
    words = sp.csr_array((np.ones(20 * ROWS), (rows, columns)), shape=(ROWS, 1_000_000)) > 0
    words = sp.hstack([words, sp.csr_array(y[:, np.newaxis] * (rng.random((ROWS, 1)) < 0.8))])
    model = fitted(words, y)
    assert_finite(model, words)
    assert model.describe(1).splitlines()[1].split()[1] == "x1000000"
    assert model.n_features_in_ == 1_000_001


@each_real_booster
@lopsided
@pytest.mark.filterwarnings("ignore:.*resolution of the weights:underdog.UnderdogWarning")
@two_kinds
def test_all_weight_on_one_example(booster, learner):
    X, y = noisy()
    weight = np.full(ROWS, 1e-14)
    weight[np.flatnonzero(y == 0)[0]] = ROWS
    model = fitted(X, y, booster, weight, learner=learner)
    assert_finite(model, X)
    assert model.predict(X[y == 0][:1]).tolist() == [0]


@each_real_booster
@pytest.mark.filterwarnings("ignore::underdog.UnderdogWarning")
@two_kinds
def test_weights_of_all_sizes(booster, learner):
    X, y = noisy()
    weight = 10.0 ** np.random.default_rng(2).uniform(-300, 300, ROWS)
    model = fitted(X, y, booster, weight, learner=learner)
    assert_finite(model, X)
    heaviest = np.argsort(weight)[-1]
    if booster is SoftMarginAdaBoostClassifier:  # which forgives the heaviest
        return
    assert model.predict(X)[heaviest] == y[heaviest]


def test_rows_too_light_to_count_are_reported():
    """They are below the resolution of the weights, so "no mistake" is not true of them."""
    X = np.array([[0.0], [0.0], [1.0], [1.0]])
    with pytest.warns(UnderdogWarning, match="resolution"):
        model = fitted(X, [0, 1, 0, 1], weight=[1e300, 1e-300, 1e-300, 1e300])
    assert_finite(model, X)
    assert model.stop_reason_ != PERFECT


@each_booster
def test_weights_are_relative_to_each_other_only_where_that_is_said(booster):
    X, y = noisy()
    for size in (1.0, 1e3, 1e300):
        assert_finite(fitted(X, y, booster, np.full(ROWS, size)), X)
    # Smoothing is for values of rules, and some boosters' rules say -1 or 1 by default.
    smoothed = {"learner": "real"} if booster in (*CORRECTIVE, *ROBUST) else {}
    trees = (GradientBoostingClassifier, LADTreeClassifier)
    unsmoothed = (*trees, HullBoostClassifier, LogitBoostClassifier)
    margins = (AdaBoostStarClassifier, ArcGVClassifier)
    voting = (GentleAdaBoostClassifier, BoostByMajorityClassifier, *margins)
    if booster in unsmoothed:  # their sum does not matter, and a warning would be an error
        model = fitted(X, y, booster, np.full(ROWS, 1e-300))
    else:
        with pytest.warns(UnderdogWarning, match="sample_weight sums to 6e-299"):
            model = fitted(X, y, booster, np.full(ROWS, 1e-300), **smoothed)
    assert_finite(model, X)  # a constant: smoothing is 1 / the sum of the weights
    assert model.n_iter_ == (5 if booster in (*unsmoothed, *voting) else 1)


def test_the_largest_weights_of_all():
    X, y = noisy()
    assert_finite(fitted(X, y, weight=np.full(ROWS, 1.7e308)), X)


def test_weights_that_sum_to_less_than_two():
    X, y = noisy()
    message = (
        "sample_weight sums to 1, but a weight is a number of examples, and smoothing is 1 / their "
        "sum: rescale the weights so that they sum to the number of examples"
    )
    with pytest.warns(UnderdogWarning, match=re.escape(message)) as caught:
        model = fitted(X, y, weight=np.full(ROWS, 1 / ROWS))
    assert len(caught) == 1
    assert_finite(model, X)


def test_shares_and_a_penalty():
    X, y = noisy()
    message = "sample_weight sums to 1, .* and l2_regularization is divided by their sum: rescale"
    with pytest.warns(UnderdogWarning, match=message):
        fitted(X, y, GradientBoostingClassifier, np.full(ROWS, 1 / ROWS), l2_regularization=1.0)


def test_shares_do_not_matter_with_a_given_smoothing():
    X, y = noisy()
    shares, ones = (fitted(X, y, weight=np.full(ROWS, w), smoothing=0.01) for w in (1 / ROWS, 1))
    np.testing.assert_array_equal(shares.decision_function(X), ones.decision_function(X))


def one_weight(value):
    weight = np.ones(ROWS)
    weight[4] = value
    return weight


@each_booster
@pytest.mark.parametrize(
    ("weight", "message"),
    [
        (one_weight(-1), "Negative values in sample_weight: -1 in row 4"),
        (one_weight(np.nan), "Input sample_weight contains NaN."),
        (one_weight(np.inf), "Input sample_weight contains infinity"),
        (np.ones(ROWS - 1), "sample_weight.shape == (59,), expected (60,)!"),
        (np.ones((ROWS, 2)), "must be 1D array or scalar"),
    ],
    ids=["negative", "nan", "inf", "short", "2d"],
)
def test_weights_that_are_none(booster, weight, message):
    check_refused(message, *noisy(), booster, fit={"sample_weight": weight})


@each_booster
def test_all_weights_zero(booster):
    X, y = noisy()
    with pytest.raises(ValueError, match=r"sample_weight is 0 for every row|at least one non-zero"):
        booster().fit(X, y, sample_weight=np.zeros(ROWS))


@pytest.mark.parametrize("name", ["cost", "initial_weight"])
@pytest.mark.parametrize(
    ("weight", "message"),
    [
        (one_weight(-1), "Negative values in {}: -1 in row 4"),
        (one_weight(np.nan), "Input {} contains NaN."),
        (one_weight(np.inf), "Input {} contains infinity"),
        (
            one_weight(0),
            "{} is 0 in row 4: it must be positive (to leave a row out, give it sample_weight 0)",
        ),
        (np.ones(ROWS - 1), "{}.shape == (59,), expected (60,)!"),
        (np.zeros(ROWS), "{} is 0"),
        (np.ones((ROWS, 2)), "{} must be 1D"),
        (["a"] * ROWS, "{}"),
    ],
    ids=["negative", "nan", "inf", "one zero", "short", "zero", "2d", "text"],
)
def test_costs_that_are_none(name, weight, message):
    """The message speaks of what was given, and not of sample weights."""
    X, y = noisy()
    with pytest.raises(ValueError, match=re.escape(message.format(name))) as caught:
        AdaBoostAClassifier().fit(X, y, **{name: weight})
    assert "Sample weights" not in str(caught.value)


@pytest.mark.filterwarnings("ignore:.*resolution of the weights:underdog.UnderdogWarning")
@pytest.mark.parametrize("name", ["cost", "initial_weight"])
@two_kinds
def test_costs_of_all_sizes(name, learner):
    X, y = noisy()
    cost = 10.0 ** np.random.default_rng(3).uniform(-300, 300, ROWS)
    model = AdaBoostAClassifier(learner=learner, n_estimators=5).fit(X, y, **{name: cost})
    assert_finite(model, X)
