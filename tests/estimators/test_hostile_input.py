"""What people really hand to a classifier: every case has a decided result or a sentence."""

import datetime
import re

import numpy as np
import pandas as pd
import polars as pl
import pytest
import scipy.sparse as sp
from sklearn.exceptions import DataConversionWarning, NotFittedError
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from underdog import (
    AdaBoostAClassifier,
    AdaBoostClassifier,
    AdaBoostMHClassifier,
    AdaUBoostClassifier,
    BoostingClassifier,
    Table,
    UnderdogWarning,
)

BOOSTERS = [
    AdaBoostClassifier,
    AdaBoostAClassifier,
    AdaUBoostClassifier,
    AdaBoostMHClassifier,
    BoostingClassifier,
]
each_booster = pytest.mark.parametrize("booster", BOOSTERS)
two_kinds = pytest.mark.parametrize("learner", ["real", "discrete"])
ROWS = 60
PERFECT = "one rule makes no mistake on the training data: more rounds would repeat it"
NO_TEST = (
    "no column has two different values: there is nothing to split on; the model is a constant"
)


def numbers():
    return np.random.default_rng(0).normal(size=(ROWS, 3))


def noisy():
    """X, and y = 0 or 1 with a few more 0s, which no single rule gets right."""
    X = numbers()
    y = (X[:, 0] + 0.5 * np.random.default_rng(1).normal(size=ROWS) > 0.1).astype(int)
    return X, y


def fitted(X, y, booster=AdaBoostClassifier, weight=None, **parameters):
    parameters.setdefault("n_estimators", 5)
    return booster(**parameters).fit(X, y, sample_weight=weight)


def assert_finite(model, X):
    """Every number that a user can see is finite."""
    assert np.isfinite(model.decision_function(X)).all()
    probability = model.predict_proba(X)
    assert np.isfinite(probability).all()
    assert ((probability >= 0) & (probability <= 1)).all()
    assert model.n_iter_ >= 1
    assert len(model.stop_reason_) > 0
    for name, values in model.history_.items():
        if name not in ("wrong_share", "validation_score"):  # not defined for all hypotheses
            assert np.isfinite(values).all(), name
    assert all(np.isfinite(value) for value in model.certificate_.values())
    assert np.isfinite(model.feature_importances_).all()
    assert "nan" not in model.describe().lower()


def refuses(message, X, y, booster=AdaBoostClassifier, error=ValueError, fit=None, **parameters):
    """Fitting ends with exactly this sentence (a part of a longer one)."""
    with pytest.raises(error, match=re.escape(message)):
        booster(**parameters).fit(X, y, **(fit or {}))


# Data in which there is too much or too little to learn.


@each_booster
@two_kinds
@pytest.mark.parametrize("smoothing", [None, 0.0])
def test_perfect_weak_hypothesis(booster, learner, smoothing):
    X = numbers()
    y = (X[:, 1] > 0).astype(int)
    model = fitted(X, y, booster, learner=learner, smoothing=smoothing, pos_label=y.mean() < 0.5)
    assert_finite(model, X)
    assert (model.n_iter_, model.stop_reason_) == (1, PERFECT)
    assert model.score(X, y) == 1.0
    assert np.abs(model.decision_function(X)).max() < 64


@each_booster
@two_kinds
def test_only_constant_columns(booster, learner):
    _, y = noisy()
    X = np.tile([3.0, 0.0, -1.0], (ROWS, 1))
    model = fitted(X, y, booster, learner=learner)
    assert_finite(model, X)
    assert (model.n_iter_, model.stop_reason_) == (1, NO_TEST)
    assert "always" in model.describe()
    assert model.predict(X).tolist() == [0] * ROWS
    assert abs(model.predict_proba(X)[0, 1] - y.mean()) < 0.05
    np.testing.assert_array_equal(model.feature_importances_, np.zeros(3))


@each_booster
@two_kinds
def test_a_column_that_is_always_missing_cannot_be_split(booster, learner):
    _, y = noisy()
    model = fitted(np.full((ROWS, 2), np.nan), y, booster, learner=learner)
    assert_finite(model, numbers()[:, :2])
    assert (model.n_iter_, model.stop_reason_) == (1, NO_TEST)
    assert model.predict(numbers()[:, :2]).tolist() == [0] * ROWS


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
        "the training data has only one class, 'a' (rows of weight 0 do not count): a classifier "
        "needs examples of at least two classes"
    )
    refuses(message, X, ["a"] * ROWS, booster)
    y = np.where(np.arange(ROWS) < 30, "a", "b")
    refuses(message, X, y, booster, fit={"sample_weight": (y == "a").astype(float)})


@pytest.mark.parametrize("label", [1, 1.0, True])
def test_one_class_is_named_as_python_writes_it(label):
    refuses(f"only one class, {label!r} (", numbers(), np.full(ROWS, label))


def test_one_row_and_no_row():
    X, y = noisy()
    refuses("only one class", X[:1], y[:1])
    empty = "Found array with 0 sample(s) (shape=(0, 3)) while a minimum of 1 is required."
    for none in (X[:0], sp.csr_array(X[:0]), pd.DataFrame(X[:0]), Table.of(X)[:0]):
        refuses(empty, none, y[:0])
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
    refuses(
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


# Weights.


@each_booster
@two_kinds
def test_all_weight_on_one_example(booster, learner):
    X, y = noisy()
    weight = np.full(ROWS, 1e-14)
    weight[np.flatnonzero(y == 0)[0]] = ROWS
    model = fitted(X, y, booster, weight, learner=learner)
    assert_finite(model, X)
    assert model.predict(X[y == 0][:1]).tolist() == [0]


@each_booster
@pytest.mark.filterwarnings("ignore::underdog.UnderdogWarning")
@two_kinds
def test_weights_of_all_sizes(booster, learner):
    X, y = noisy()
    weight = 10.0 ** np.random.default_rng(2).uniform(-300, 300, ROWS)
    model = fitted(X, y, booster, weight, learner=learner)
    assert_finite(model, X)
    heaviest = np.argsort(weight)[-1]
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
    with pytest.warns(UnderdogWarning, match="sample_weight sums to 6e-299"):
        model = fitted(X, y, booster, np.full(ROWS, 1e-300))
    assert_finite(model, X)  # a constant: smoothing is 1 / the sum of the weights
    assert model.n_iter_ == 1


def test_the_largest_weights_of_all():
    X, y = noisy()
    assert_finite(fitted(X, y, weight=np.full(ROWS, 1.7e308)), X)


def test_weights_that_sum_to_less_than_two():
    X, y = noisy()
    message = (
        "sample_weight sums to 1: weights count examples, and smoothing is 1 / their sum; multiply "
        "them so that they sum to the number of examples"
    )
    with pytest.warns(UnderdogWarning, match=re.escape(message)) as caught:
        model = fitted(X, y, weight=np.full(ROWS, 1 / ROWS))
    assert len(caught) == 1
    assert_finite(model, X)


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
    refuses(message, *noisy(), booster, fit={"sample_weight": weight})


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


# Values.


@each_booster
def test_infinite_values_are_ordinary_extremes(booster):
    X, y = noisy()
    X[:5, 0], X[5:9, 0], X[::3, 1] = np.inf, -np.inf, np.inf
    largest = np.where(np.isinf(X), np.sign(X) * 100.0, X)
    model, ordinary = fitted(X, y, booster), fitted(largest, y, booster)
    assert_finite(model, X)
    np.testing.assert_array_equal(model.decision_function(X), ordinary.decision_function(largest))
    np.testing.assert_array_equal(
        fitted(sp.csr_array(X), y, booster).decision_function(X), model.decision_function(X)
    )


@pytest.mark.parametrize(
    ("low", "high"),
    [(-np.inf, np.inf), (1.0, np.inf), (-1.79e308, 1.79e308), (0.0, 5e-324), (-0.0, 1.0)],
)
def test_values_at_the_ends_of_the_floats(low, high):
    _, y = noisy()
    X = np.where(y == 1, high, low)[:, np.newaxis]
    model = fitted(X, y)
    assert_finite(model, X)
    assert model.score(X, y) == 1.0


@pytest.mark.parametrize(
    "kind", [np.float16, np.float32, np.longdouble, np.uint8, np.int8, np.uint64, bool, ">f8", "O"]
)
@pytest.mark.parametrize("form", [np.asarray, sp.csr_array, pd.DataFrame])
def test_kinds_of_numbers(kind, form):
    _, y = noisy()
    whole = np.random.default_rng(4).integers(0, 2 if kind is bool else 9, (ROWS, 3))
    given = whole.astype(kind)
    if form is sp.csr_array and kind in (np.float16, ">f8", "O"):
        given = whole.astype(np.float32)  # scipy has no such sparse arrays
    if form is pd.DataFrame and kind in (np.longdouble, ">f8"):
        given = given.astype(float)  # nor pandas such columns
    model, expected = fitted(form(given), y), fitted(whole.astype(float), y)
    found = model.decision_function(form(given))
    np.testing.assert_array_equal(found, expected.decision_function(whole.astype(float)))


@pytest.mark.parametrize("form", ["csr", "csc", "coo", "lil", "dok", "dia", "bsr"])
@pytest.mark.parametrize("kind", [sp.csr_array, sp.csr_matrix])
def test_sparse_formats(form, kind):
    X, y = noisy()
    X[np.abs(X) < 0.7] = 0
    model = fitted(kind(X).asformat(form), y)
    np.testing.assert_array_equal(
        model.decision_function(kind(X).asformat(form)), fitted(X, y).decision_function(X)
    )


def test_sparse_matrices_in_odd_states():
    X, y = noisy()
    X[np.abs(X) < 0.7] = 0
    expected = fitted(X, y).decision_function(X)
    wide = sp.csr_array(X)
    wide.indices, wide.indptr = wide.indices.astype(np.int64), wide.indptr.astype(np.int64)
    fixed = sp.csr_array(X)
    for array in (fixed.data, fixed.indices, fixed.indptr):
        array.flags.writeable = False
    rows, columns = np.nonzero(np.ones_like(X))
    stored = sp.csr_array((X.ravel(), (rows, columns)), shape=X.shape)  # zeros too
    coordinates = sp.csr_array(X).tocoo()
    halves = sp.coo_array(  # every entry in two pieces
        (
            np.tile(coordinates.data / 2, 2),
            (np.tile(coordinates.row, 2), np.tile(coordinates.col, 2)),
        ),
        shape=X.shape,
    )
    for given in (wide, fixed, stored, halves):
        entries = given.nnz
        model = fitted(given, y)
        np.testing.assert_array_equal(model.decision_function(given), expected)
        assert given.nnz == entries  # left as it was


def test_a_sparse_vector():
    refuses(
        "expected 2D sparse input, got a sparse array of shape (60,)",
        sp.coo_array(numbers()[:, 0]),
        noisy()[1],
    )


@each_booster
def test_read_only_memory(booster):
    X, y = noisy()
    weight = np.ones(ROWS)
    for array in (X, y, weight):
        array.flags.writeable = False
    assert_finite(fitted(X, y, booster, weight), X)
    assert_finite(fitted(np.asfortranarray(X), y, booster, weight), X[:, ::-1][:, ::-1])


# Columns.


def test_duplicate_column_names():
    X, y = noisy()
    message = "column name 'a' appears twice: give every column its own name"
    refuses(message, pd.DataFrame(X, columns=["a", "a", "b"]), y)
    for blocks, names in (
        ([X], ["a", "b", "a"]),
        ([pd.DataFrame({"a": [1.0]}), pd.DataFrame({"a": [1.0]})], None),
    ):
        with pytest.raises(ValueError, match=message):
            Table.hstack(blocks, names=names)


def test_blocks_that_do_not_fit():
    X = numbers()
    for blocks, names, message in (
        ([], None, "Table.hstack got no blocks: give at least one array or frame"),
        ([X, X[:3]], None, "Table.hstack got blocks of different lengths: [60, 3]"),
        ([X], ["a"], "Table.hstack got 1 names for 3 columns"),
    ):
        with pytest.raises(ValueError, match=re.escape(message)):
            Table.hstack(blocks, names=names)


def test_selection_from_a_table():
    table = Table.hstack([numbers(), sp.csr_array(numbers())])
    assert table[[]].shape == (0, 6)
    assert table[5].shape == table[-1].shape == (1, 6)
    assert table[np.arange(ROWS) < 7].shape == table[:7].shape == table[:7, :].shape == (7, 6)
    with pytest.raises(IndexError, match="a Table selects rows only: use table"):
        table[:, 0]
    with pytest.raises(IndexError, match="boolean index did not match"):
        table[np.ones(3, dtype=bool)]
    with pytest.raises(IndexError, match="out of bounds"):
        table[[ROWS]]


FRAME = pd.DataFrame(numbers(), columns=["a", "b", "c"])
FORMS = {
    "pandas": FRAME,
    "polars": pl.DataFrame(numbers(), schema=["a", "b", "c"]),
    "Table": Table.hstack([numbers()], names=["a", "b", "c"]),
}


def renamed(form, names):
    """The same columns under other names."""
    if form == "Table":
        return Table.hstack([numbers()], names=names)
    frame = pd.DataFrame(numbers()[:, : len(names)], columns=names)
    return frame if form == "pandas" else pl.DataFrame(frame)


@each_booster
@pytest.mark.parametrize("form", [np.asarray, sp.csr_array, Table.of])
def test_another_number_of_columns(booster, form):
    X, y = noisy()
    model = fitted(X, y, booster)
    message = f"X has 2 features, but {booster.__name__} is expecting 3 features as input."
    for answer in (
        model.predict,
        model.predict_proba,
        model.decision_function,
        model.staged_predict,
    ):
        with pytest.raises(ValueError, match=message):
            answer(form(X[:, :2]))


@pytest.mark.parametrize("given", FORMS)
@pytest.mark.parametrize("trained", FORMS)
def test_columns_in_another_order(trained, given):
    """Whatever the model was trained on and is given: names that are known are compared."""
    model = fitted(FORMS[trained], noisy()[1])
    with pytest.raises(ValueError, match="order"):
        model.predict(renamed(given, ["b", "a", "c"]))


@pytest.mark.parametrize("given", FORMS)
@pytest.mark.parametrize("trained", FORMS)
def test_columns_of_other_names(trained, given):
    model = fitted(FORMS[trained], noisy()[1])
    with pytest.raises(
        ValueError, match=r"Feature names unseen at fit time:\n- z|\['z', 'b', 'c'\]"
    ):
        model.predict(renamed(given, ["z", "b", "c"]))


@pytest.mark.parametrize("given", FORMS)
@pytest.mark.parametrize("trained", FORMS)
def test_the_same_columns_in_another_form(trained, given):
    """No warning: pytest would raise it."""
    model = fitted(FORMS[trained], noisy()[1])
    expected = model.decision_function(FORMS[trained])
    np.testing.assert_array_equal(model.decision_function(FORMS[given]), expected)


def test_names_on_one_side_only():
    X, y = noisy()
    model = fitted(FRAME, y)
    with pytest.warns(UserWarning, match="X does not have valid feature names, but AdaBoost"):
        found = model.predict(X)
    np.testing.assert_array_equal(found, model.predict(FRAME))
    with pytest.warns(UserWarning, match="X has feature names, but AdaBoostClassifier was fitted"):
        fitted(X, y).predict(FRAME)


def test_names_that_are_not_text():
    X, y = noisy()
    assert_finite(fitted(pd.DataFrame(X), y), pd.DataFrame(X))
    refuses(
        "Feature names are only supported if all input features have string names",
        pd.DataFrame(X, columns=["a", 1, 2]),
        y,
        error=TypeError,
    )


# Text, categories, dates.


def letters():
    """A column of six letters beside a number; y says whether the letter is a or b, mostly."""
    X, y = noisy()
    letter = np.array(list("abcdef") * 10)
    y = np.where(np.arange(ROWS) < 6, y, np.isin(letter, ["a", "b"]))
    return pd.DataFrame({"letter": letter, "x": X[:, 1]}), y


@each_booster
@pytest.mark.parametrize("form", [pd.DataFrame, pl.DataFrame])
@two_kinds
def test_unseen_categories_are_missing(booster, form, learner):
    frame, y = letters()
    model = fitted(form(frame), y, booster, learner=learner)
    assert_finite(model, form(frame))
    strange = form(pd.DataFrame({"letter": ["never seen", None, ""], "x": [0.0, 0.0, 0.0]}))
    scores = model.decision_function(strange)
    assert np.isfinite(scores).all()
    assert scores[0] == scores[1] == scores[2]
    # Never missing in training: where most of the training rows went.
    plain = form(pd.DataFrame({"letter": list("cdef"), "x": [0.0] * 4}))
    assert np.sign(scores[0]) == np.sign(np.median(model.decision_function(plain)))


def test_categories_in_every_form_are_the_same():
    frame, y = letters()
    expected = fitted(frame, y).decision_function(frame)
    code = frame.assign(letter=[ord(letter) for letter in frame.letter])
    for form in (
        frame.astype({"letter": "category"}),
        frame.astype({"letter": object}),
        pl.DataFrame(frame),
        pl.DataFrame(frame).with_columns(pl.col("letter").cast(pl.Categorical)),
    ):
        np.testing.assert_array_equal(fitted(form, y).decision_function(form), expected)
    for form, columns in (
        (code, ["letter"]),
        (code.to_numpy(), [0]),
        (code.to_numpy(), [True, False]),
        (frame.to_numpy(dtype=object), [0]),
        (frame.to_numpy(dtype=object), [-2]),
        (Table.of(code), ["letter"]),
    ):
        model = fitted(form, y, categorical_features=columns)
        np.testing.assert_array_equal(model.decision_function(form), expected)


def test_text_columns_of_an_array_in_a_table():
    frame, y = letters()
    table = Table.hstack([frame[["x"]], frame[["letter"]].to_numpy(dtype=object)], categorical=[1])
    assert_finite(fitted(table, y), table)


@pytest.mark.parametrize("wrong", ["x", "all"])
@pytest.mark.parametrize("form", [np.asarray, sp.csr_array, pd.DataFrame, Table.of])
def test_categorical_features_that_is_no_word(wrong, form):
    message = (
        f"categorical_features={wrong!r} is not 'from_dtype', a mask, or a list of column "
        "positions or names"
    )
    refuses(message, form(numbers()), noisy()[1], categorical_features=wrong)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ([5], "names 5, which is not a column of the data (3 columns)"),
        ([-4], "names -4, which is not a column of the data (3 columns)"),
        ([1.5], "names 1.5, which is not a column of the data (3 columns)"),
        (["zz"], "names 'zz', which is not a column of the data (3 columns)"),
        ([None], "names None, which is not a column of the data (3 columns)"),
        ([True, False], "is a mask of length 2, but the data has 3 columns"),
    ],
)
def test_categorical_features_that_are_no_columns(wrong, message):
    for X in (numbers(), FRAME, Table.of(FRAME)):
        refuses(f"categorical_features {message}", X, noisy()[1], categorical_features=wrong)


def test_sparse_categories():
    message = (
        "columns [1] of a sparse matrix cannot be categories: give categorical columns as a data "
        "frame or array and put the two together with Table.hstack"
    )
    X, y = noisy()
    refuses(message, sp.csr_array(X), y, categorical_features=[1])
    refuses(message, Table.hstack([sp.csr_array(X)]), y, categorical_features=[1])


def test_text_in_a_numeric_column():
    """The message says which column it is and names categorical_features."""
    frame, y = letters()
    message = (
        "column 'letter' holds String: turn it into numbers, or name it in categorical_features"
    )
    for form in (frame, pl.DataFrame(frame), frame.astype({"letter": object})):
        refuses(message, form, y, categorical_features=None)
    refuses("categorical_features", frame.to_numpy(dtype=object), y)
    refuses("categorical_features", frame[["letter"]].to_numpy(dtype="U1"), y)
    refuses("categorical_features", frame.to_numpy(dtype=object), y, categorical_features=[1])
    model = fitted(FRAME, y)
    with pytest.raises(ValueError, match="column 'a' holds String: turn it into numbers"):
        model.predict(FRAME.assign(a="text"))


def test_dates():
    _, y = noisy()
    days = pd.DataFrame({"day": pd.date_range("2020-01-01", periods=ROWS)})
    for frame, kind in (
        (days, "Datetime"),
        (pl.DataFrame({"day": [datetime.date(2020, 1, 1)] * ROWS}), "Date"),
        (days - days.day[0], "Duration"),
    ):
        refuses(f"column 'day' holds {kind}", frame, y)
    refuses(
        "column 'day' holds a value that is not a number",
        pd.DataFrame({"day": [datetime.date(2020, 1, 1)] * ROWS}, dtype=object),
        y,
    )


def test_dates_in_an_array():
    """As in a frame: NaT would be read as the year 290,000 BC."""
    _, y = noisy()
    days = np.array(["2020-01-01", "NaT"] * 30, dtype="M8[D]")[:, np.newaxis]
    refuses("turn", days, y)


def test_values_that_cannot_be_categories():
    _, y = noisy()
    refuses(
        "categorical column 'a' holds values that cannot be compared, such as lists: turn them "
        "into text or numbers",
        pd.DataFrame({"a": [[1, 2]] * ROWS}),
        y,
        categorical_features=["a"],
    )
    refuses("column 'a' holds List", pl.DataFrame({"a": [[1, 2]] * ROWS}), y)
    refuses("column 'a' holds a value that is not a number", pd.DataFrame({"a": [{}] * ROWS}), y)
    refuses("column 'a' holds a value that is not", pd.DataFrame({"a": [10**400] * ROWS}), y)
    refuses("Complex data not supported", numbers() + 1j, y)


def test_huge_categories():
    names = [f"user {number}" for number in range(65_536)]
    y = np.arange(65_536) % 2
    refuses(
        "categorical column 'id' has 65536 levels, more than 65535: it looks like an identifier or "
        "free text; drop it or turn it into words or numbers",
        pd.DataFrame({"id": names}),
        y,
    )
    names[-1] = names[1]
    frame = pd.DataFrame({"id": names})
    model = fitted(frame, y)
    assert_finite(model, frame[:100])
    assert (model.score(frame, y), model.stop_reason_) == (1.0, PERFECT)


@pytest.mark.parametrize("levels", [254, 255, 256, 257])
@two_kinds
def test_categories_around_one_byte(levels, learner):
    level = np.arange(2 * levels) % levels
    y = np.isin(level, [3, levels - 1]).astype(int)
    X = level[:, np.newaxis].astype(float)
    model = fitted(X, y, learner=learner, categorical_features=[0])
    assert_finite(model, X)
    assert (model.score(X, y), model.n_iter_) == (1.0, 1)
    X[::5] = np.nan
    assert_finite(fitted(X, y, learner=learner, categorical_features=[0]), X)


def test_missing_values_in_every_form():
    X, y = noisy()
    hole = np.random.default_rng(5).random(ROWS) < 0.3
    column = np.where(hole, np.nan, np.rint(3 * X[:, 0]))
    expected = fitted(column[:, np.newaxis], y).decision_function(column[:, np.newaxis])
    values = [None if gone else int(value) for gone, value in zip(hole, column, strict=True)]
    for form in (
        pd.DataFrame({"a": column}),
        pd.DataFrame({"a": pd.array(values, dtype="Int64")}),
        pd.DataFrame({"a": values}, dtype=object),
        pl.DataFrame({"a": values}),
        np.array(values, dtype=object)[:, np.newaxis],
        sp.csr_array(column[:, np.newaxis]),
    ):
        np.testing.assert_array_equal(fitted(form, y).decision_function(form), expected)


# Targets.


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
    refuses("y is missing in row 3: drop the row or give it a label", numbers(), gone)


@each_booster
def test_targets_that_do_not_fit(booster):
    X, y = noisy()
    wrong_length = "Found input variables with inconsistent numbers of samples: [60, 59]"
    for form in (np.asarray, sp.csr_array, pd.DataFrame, Table.of):
        refuses(wrong_length, form(X), y[:-1], booster)
    refuses("Unknown label type: continuous", X, X[:, 0], booster)
    refuses("requires y to be passed, but the target y is None", X, None, booster)
    refuses("Unknown label type", X, np.array([0, "a"] * 30, dtype=object), booster)


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


@pytest.mark.parametrize("booster", [AdaBoostAClassifier, AdaUBoostClassifier])
def test_more_than_two_classes_for_a_booster_of_two(booster):
    X, _ = noisy()
    for y, kind in (
        (np.arange(ROWS) % 3, "multiclass"),
        (np.eye(3, dtype=int)[np.arange(ROWS) % 3], "multilabel-indicator"),
    ):
        message = (
            f"Only binary classification is supported. The type of the target is {kind}. "
            f"{booster.__name__} treats two classes differently; for more of them use "
            "AdaBoostMHClassifier"
        )
        refuses(message, X, y, booster)


@each_booster
def test_unknown_positive_label(booster):
    X, y = noisy()
    for wrong in ("1", 2, "yes"):
        message = f"pos_label={wrong!r} is not a class of y, which has [0, 1]"
        refuses(message, X, y, booster, pos_label=wrong)


@each_booster
@pytest.mark.parametrize("weights", [{0: 0, 1: 1}, {0: -1, 1: 1}, {0: np.nan}, {1: np.inf}])
def test_class_weights_that_are_none(booster, weights):
    message = (
        f"class_weight={weights!r} has a weight that is not positive and finite: leave a class out "
        "of the data rather than giving it weight 0"
    )
    refuses(message, *noisy(), booster, class_weight=weights)


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
    refuses(message, *noisy(), booster, class_weight=wrong)


@each_booster
@pytest.mark.parametrize("weights", [{}, {0: 2}, {0: 1, 1: 3, 7: 9}, {0: 1e-300, 1: 1e300}])
def test_odd_class_weights_that_mean_something(booster, weights):
    X, y = noisy()
    assert_finite(fitted(X, y, booster, class_weight=weights), X)


def test_class_weight_with_several_labels():
    refuses(
        "class_weight is for one label per row: with several labels give sample_weight",
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
        "y has several columns but is not an indicator matrix of 0 and 1: give one label per row "
        "or one 0/1 column per label"
    )
    refuses(message, X, wrong(Y), AdaBoostMHClassifier)


# Parameters.

WHOLE = [0, -1, "10", True, 1.5, None, np.nan]
ABOVE = [0, -1, np.nan, np.inf, "1", True, None]
AT_LEAST = [-1, np.nan, np.inf, "1", True]


@each_booster
@pytest.mark.parametrize(
    ("name", "wrong", "must"),
    [
        ("n_estimators", WHOLE, "must be a whole number, at least 1"),
        ("n_iter_no_change", WHOLE, "must be a whole number, at least 1"),
        ("max_bins", [1, 256, "x", True], "must be a whole number, at least 2 and at most 255"),
        ("learning_rate", ABOVE, "must be a finite number above 0"),
        ("smoothing", AT_LEAST, "must be a finite number of at least 0"),
        ("tol", [*AT_LEAST, None], "must be a finite number of at least 0"),
        ("min_weight_fraction_leaf", AT_LEAST, "must be a finite number of at least 0"),
        ("min_weight_fraction_leaf", [0.6], "must be at most 0.5: both sides of a test need"),
        ("validation_fraction", [0, 1, -1, 2, np.nan, "x", None, True], "must be between 0 and 1"),
    ],
)
def test_numbers_out_of_range(booster, name, wrong, must):
    for value in wrong:
        refuses(f"{name}={value!r} {must}", *noisy(), booster, **{name: value})


@each_booster
@pytest.mark.parametrize(
    "wrong",
    ["x", "Real", None, 3, ["real"], DecisionTreeClassifier, DecisionTreeRegressor()],
    ids=repr,
)
def test_learner_that_is_none(booster, wrong):
    message = (
        f"learner={wrong!r} is not a learner: give one of real, discrete, real.mh, disc.mh, "
        "real.lp, disc.lp, real.u, disc.u, a learner object, or a scikit-learn classifier"
    )
    refuses(message, *noisy(), booster, learner=wrong)


@pytest.mark.parametrize("wrong", [0, -1, np.nan, np.inf, "2", None, True])
def test_beta_out_of_range(wrong):
    message = f"beta={wrong!r} must be a finite number above 0"
    refuses(message, *noisy(), AdaUBoostClassifier, beta=wrong)


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
    refuses(message, *noisy(), AdaBoostAClassifier, initial=wrong)


@pytest.mark.filterwarnings("ignore:.*resolution of the weights:underdog.UnderdogWarning")
def test_initial_weighting_of_any_float():
    X, y = noisy()
    for q in (np.float32(0.5), np.float64(0.5), 0.5):
        assert_finite(fitted(X, y, AdaBoostAClassifier, initial=("geometric", q)), X)
    assert_finite(fitted(X, y, AdaBoostAClassifier, initial=("geometric", 1e-300)), X)


def test_initial_weighting_given_twice():
    refuses(
        "both initial='zipf' and fit's initial_weight were given: use one",
        *noisy(),
        AdaBoostAClassifier,
        fit={"initial_weight": np.ones(ROWS)},
        initial="zipf",
    )


@pytest.mark.parametrize("wrong", ["x", None, True, 3])
def test_stall_that_is_none(wrong):
    refuses(f"stall={wrong!r} must be 'skip' or 'stop'", *noisy(), AdaBoostAClassifier, stall=wrong)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [("x", "'x' is not a valid scoring value"), (3, "'scoring' parameter"), (["f1"], "'scoring'")],
)
def test_unknown_scoring(wrong, message):
    refuses(message, *noisy(), early_stopping=True, scoring=wrong)


@pytest.mark.parametrize("wrong", ["auto", "no"])
def test_early_stopping_is_yes_or_no(wrong):
    """HistGradientBoosting's "auto" is no by default; here any text would mean yes."""
    refuses(f"early_stopping={wrong!r}", *noisy(), early_stopping=wrong)


@pytest.mark.parametrize("wrong", [0, "x"])
def test_number_of_threads_that_is_none(wrong):
    refuses("n_jobs", *noisy(), n_jobs=wrong)


@each_booster
@two_kinds
def test_a_learning_rate_beyond_the_scores(booster, learner):
    """Even the first step is too long: there is still a model, a constant, and the reason."""
    X, y = noisy()
    model = fitted(X, y, booster, learner=learner, learning_rate=1e300)
    assert_finite(model, X)
    assert "use a smaller learning_rate" in model.stop_reason_
    assert len(list(model.staged_predict(X))) == model.n_iter_


# Fitting and asking in the wrong order.


@each_booster
@pytest.mark.parametrize(
    "answer",
    ["predict", "predict_proba", "predict_log_proba", "decision_function", "staged_predict",
     "staged_predict_proba", "staged_decision_function"],
)  # fmt: skip
def test_asked_before_fit(booster, answer):
    message = f"This {booster.__name__} instance is not fitted yet. Call 'fit'"
    with pytest.raises(NotFittedError, match=message):
        getattr(booster(), answer)(numbers())
    with pytest.raises(NotFittedError, match=message):
        booster().describe()
    assert not hasattr(booster(), "feature_importances_")


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
    refuses(
        "validation_fraction=0.1 of 2 rows leaves none to validate with: make it larger or give "
        "fit X_val and y_val",
        numbers()[:2],
        [0, 1],
        early_stopping=True,
    )
