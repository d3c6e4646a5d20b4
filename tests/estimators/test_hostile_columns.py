"""Values, columns, text, categories and dates that are not as they should be."""

import datetime
import re

import numpy as np
import pandas as pd
import polars as pl
import pytest
import scipy.sparse as sp

from tests.estimators.hostile import (
    FRAME,
    ROWS,
    assert_finite,
    check_refused,
    fitted,
    letters,
    noisy,
    numbers,
)
from tests.estimators.small import (
    EXPONENTIAL,
    FIXED,
    each_booster,
    each_corrective,
    unfinished,
)
from underdog import (
    AdaBoostClassifier,
    Table,
)

pytestmark = unfinished


@each_booster
def test_infinite_values_are_ordinary_extremes(booster):
    X, y = noisy()
    X[:5, 0], X[5:9, 0], X[::3, 1] = np.inf, -np.inf, np.inf
    largest = np.where(np.isinf(X), np.sign(X) * 100.0, X)
    own = FIXED.get(booster, {})  # folds depend on the values
    model, ordinary = fitted(X, y, booster, **own), fitted(largest, y, booster, **own)
    assert_finite(model, X)
    np.testing.assert_array_equal(model.decision_function(X), ordinary.decision_function(largest))
    np.testing.assert_array_equal(
        fitted(sp.csr_array(X), y, booster, **own).decision_function(X), model.decision_function(X)
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
    check_refused(
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


@each_corrective
def test_columns_that_are_mirror_images(booster):
    """Rules on either are different rules, though nothing but their order tells them apart."""
    half = np.array([[3.0, 0.0], [0.0, 1.0], [0.0, 2.0], [1.0, 1.0], [1.0, 2.0], [2.0, 1.0]])
    X, y = np.vstack([half, half[:, ::-1]]), np.tile([0, 0, 0, 1, 1, 1], 2)
    model = booster(learner="discrete").fit(X, y)
    assert_finite(model, X)
    assert model.converged_
    assert model.certificate_["soft_margin"] == pytest.approx(1 / 3, abs=model.tol)
    assert {member.hypothesis.test.column for member in model.model_.members} == {0, 1}


def test_duplicate_column_names():
    X, y = noisy()
    message = "column name 'a' appears twice: give different names"
    check_refused(message, pd.DataFrame(X, columns=["a", "a", "b"]), y)
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
        ([X, X[:3]], None, "Table.hstack got blocks of different lengths, [60, 3]"),
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
@pytest.mark.parametrize("form", [np.asarray, sp.csr_array, Table.from_data])
def test_another_number_of_columns(booster, form):
    X, y = noisy()
    model = fitted(X, y, booster)
    message = f"X has 2 features, but {booster.__name__} is expecting 3 features as input."
    answers = [model.predict, model.decision_function, model.staged_predict]
    if booster in EXPONENTIAL:
        answers.append(model.predict_proba)
    for answer in answers:
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
    check_refused(
        "Feature names are only supported if all input features have string names",
        pd.DataFrame(X, columns=["a", 1, 2]),
        y,
        error=TypeError,
    )


def test_text_in_a_numeric_column():
    """The message says which column it is and names categorical_features."""
    frame, y = letters()
    message = (
        "column 'letter' has the type String: convert it to numbers, or list it in "
        "categorical_features"
    )
    for form in (frame, pl.DataFrame(frame), frame.astype({"letter": object})):
        check_refused(message, form, y, categorical_features=None)
    check_refused("categorical_features", frame.to_numpy(dtype=object), y)
    check_refused("categorical_features", frame[["letter"]].to_numpy(dtype="U1"), y)
    check_refused("categorical_features", frame.to_numpy(dtype=object), y, categorical_features=[1])
    model = fitted(FRAME, y)
    with pytest.raises(ValueError, match="'a' has the type String, but the model was trained on"):
        model.predict(FRAME.assign(a="text"))


def test_dates():
    _, y = noisy()
    days = pd.DataFrame({"day": pd.date_range("2020-01-01", periods=ROWS)})
    for frame, kind in (
        (days, "Datetime"),
        (pl.DataFrame({"day": [datetime.date(2020, 1, 1)] * ROWS}), "Date"),
        (days - days.day[0], "Duration"),
    ):
        check_refused(f"column 'day' has the type {kind}", frame, y)
    check_refused(
        "column 'day' has a value that is not a number",
        pd.DataFrame({"day": [datetime.date(2020, 1, 1)] * ROWS}, dtype=object),
        y,
    )


def test_dates_in_an_array():
    """As in a frame: NaT would be read as the year 290,000 BC."""
    _, y = noisy()
    days = np.array(["2020-01-01", "NaT"] * 30, dtype="M8[D]")[:, np.newaxis]
    check_refused("convert them to numbers", days, y)


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


@pytest.mark.parametrize("missing", [None, pd.NA, np.nan])
def test_one_row_with_a_missing_number(missing):
    people = pd.DataFrame({"age": [20.0, 60.0] * 20, "city": ["Rome", "Oslo"] * 20})
    model = AdaBoostClassifier(n_estimators=3).fit(people, [0, 1] * 20)
    given = pd.DataFrame([{"age": missing, "city": "Rome"}])
    wanted = model.decision_function(pd.DataFrame([{"age": np.nan, "city": "Rome"}]))
    np.testing.assert_array_equal(model.decision_function(given), wanted)


def test_masked_labels():
    y = np.ma.array([0, 1] * 20, mask=[False] * 7 + [True] + [False] * 32)
    with pytest.raises(ValueError, match="y is missing in row 7"):
        AdaBoostClassifier().fit(np.arange(40.0)[:, np.newaxis], y)


def test_missing_values_of_every_kind_in_an_array_of_objects():
    values = np.array([[1.0], [pd.NA], [None], [np.nan], [2]] * 8, dtype=object)
    y = [0, 1, 1, 1, 0] * 8
    plain = [[1.0], [np.nan], [np.nan], [np.nan], [2.0]] * 8
    one, other = (AdaBoostClassifier(n_estimators=3).fit(X, y) for X in (values, plain))
    np.testing.assert_array_equal(one.decision_function(values), other.decision_function(plain))


def test_a_whole_number_beyond_all_floats():
    X = np.array([[10**400], [1]] * 20, dtype=object)
    with pytest.raises(ValueError, match="column 0 has a value that is not a number"):
        AdaBoostClassifier().fit(X, [0, 1] * 20)
