"""Categories: unseen, sparse, too many, of odd types, or where the model has numbers."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
import scipy.sparse as sp

from tests.estimators.hostile import (
    FRAME,
    PERFECT,
    ROWS,
    assert_finite,
    check_refused,
    fitted,
    letters,
    noisy,
    numbers,
)
from tests.estimators.small import (
    each_real_booster,
    two_kinds,
    unfinished,
)
from underdog import (
    AdaBoostClassifier,
    Table,
    UnderdogWarning,
)

pytestmark = unfinished


@each_real_booster
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
        (Table.from_data(code), ["letter"]),
    ):
        model = fitted(form, y, categorical_features=columns)
        np.testing.assert_array_equal(model.decision_function(form), expected)


def test_text_columns_of_an_array_in_a_table():
    frame, y = letters()
    table = Table.hstack([frame[["x"]], frame[["letter"]].to_numpy(dtype=object)], categorical=[1])
    assert_finite(fitted(table, y), table)


@pytest.mark.parametrize("wrong", ["x", "all"])
@pytest.mark.parametrize("form", [np.asarray, sp.csr_array, pd.DataFrame, Table.from_data])
def test_categorical_features_that_is_no_word(wrong, form):
    message = (
        f"categorical_features={wrong!r} must be 'from_dtype', a mask, or a list of column "
        "positions or names"
    )
    check_refused(message, form(numbers()), noisy()[1], categorical_features=wrong)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ([5], "has 5, which is not a column of the data (3 columns)"),
        ([-4], "has -4, which is not a column of the data (3 columns)"),
        ([1.5], "has 1.5, which is not a column of the data (3 columns)"),
        (["zz"], "has 'zz', which is not a column of the data (3 columns)"),
        ([None], "has None, which is not a column of the data (3 columns)"),
        ([True, False], "is a mask of length 2, but the data has 3 columns"),
    ],
)
def test_categorical_features_that_are_no_columns(wrong, message):
    for X in (numbers(), FRAME, Table.from_data(FRAME)):
        check_refused(f"categorical_features {message}", X, noisy()[1], categorical_features=wrong)


def test_sparse_categories():
    message = (
        "columns [1] of a sparse matrix cannot be categories: give the categorical columns as a "
        "data frame or array, and combine both with Table.hstack"
    )
    X, y = noisy()
    check_refused(message, sp.csr_array(X), y, categorical_features=[1])
    check_refused(message, Table.hstack([sp.csr_array(X)]), y, categorical_features=[1])


def test_values_that_cannot_be_categories():
    _, y = noisy()
    check_refused(
        "categorical column 'a' has values that cannot be compared, such as lists: convert them "
        "to text or numbers",
        pd.DataFrame({"a": [[1, 2]] * ROWS}),
        y,
        categorical_features=["a"],
    )
    check_refused("column 'a' has the type List", pl.DataFrame({"a": [[1, 2]] * ROWS}), y)
    check_refused(
        "column 'a' has a value that is not a number", pd.DataFrame({"a": [{}] * ROWS}), y
    )
    check_refused("column 'a' has a value that is not", pd.DataFrame({"a": [10**400] * ROWS}), y)
    check_refused("Complex data not supported", numbers() + 1j, y)


def test_huge_categories():
    names = [f"user {number}" for number in range(65_536)]
    y = np.arange(65_536) % 2
    check_refused(
        "categorical column 'id' has 65536 levels, more than 65535, which suggests an identifier "
        "or free text: drop it, or convert it to words or numbers",
        pd.DataFrame({"id": names}),
        y,
    )
    names[-1] = names[1]
    frame = pd.DataFrame({"id": names})
    model = fitted(frame, y, categorical_features=["id"])
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


def letters_and_numbers():
    rng = np.random.default_rng(0)
    code = rng.integers(0, 4, 300)
    y = np.isin(code, [0, 2]) ^ (rng.random(300) < 0.2)
    numbers = pd.DataFrame({"c": code, "x": rng.normal(size=300)})
    return numbers.astype({"c": "category"}), numbers, y


def test_a_warm_start_keeps_the_categories():
    letters, numbers, y = letters_and_numbers()
    ten = AdaBoostClassifier(n_estimators=10).fit(letters, y)
    model = AdaBoostClassifier(n_estimators=5, warm_start=True).fit(letters, y)
    model.set_params(n_estimators=10, categorical_features=None).fit(numbers, y)
    np.testing.assert_array_equal(model.decision_function(letters), ten.decision_function(letters))


@pytest.mark.parametrize("ask", ["predict", "staged_predict", "fit"])
def test_categories_where_the_model_has_numbers(ask):
    _, numbers, y = letters_and_numbers()
    model = AdaBoostClassifier(n_estimators=3, warm_start=True).fit(numbers, y)
    table = Table.hstack([numbers.astype({"c": str})])
    with pytest.raises(ValueError, match="column 'c' has categories, but the model was trained"):
        getattr(model, ask)(*((table, y) if ask == "fit" else (table,)))


def test_a_category_column_without_any_known_category():
    rng = np.random.default_rng(0)
    town, y = rng.choice(["Rome", "Oslo"], 40), rng.integers(0, 2, 40)
    model = AdaBoostClassifier(n_estimators=2).fit(pd.DataFrame({"town": town}), y)
    message = "column 'town' has no category of the training data: all its values, such as 1.5"
    with pytest.warns(UnderdogWarning, match=message):
        model.predict(pd.DataFrame({"town": [1.5] * 40}))
    model.predict(pd.DataFrame({"town": ["Bonn"] * 39 + ["Rome"]}))  # some are known
    model.predict(pd.DataFrame({"town": ["Bonn"] * 9}))  # few rows
    model.predict(pd.DataFrame({"town": np.array([None] * 40, dtype=object)}))


def test_numbers_that_one_mark_makes_text():
    rng = np.random.default_rng(0)
    age, y = rng.integers(20, 60, 80).astype(str).astype(object), rng.integers(0, 2, 80)
    age[3] = "?"
    booster = AdaBoostClassifier(n_estimators=2)
    for frame in (pd.DataFrame({"age": age}), pl.DataFrame({"age": age.tolist()})):
        with pytest.warns(UnderdogWarning, match="column 'age' .* only '\\?' not.*FrameEncoder"):
            booster.fit(frame, y)
    booster.fit(pd.DataFrame({"age": pd.Series(age, dtype="category")}), y)  # as intended
    booster.fit(pd.DataFrame({"age": np.where(age == "?", "20", age)}), y)  # codes, perhaps
    AdaBoostClassifier(n_estimators=2, categorical_features=["age"]).fit(
        pd.DataFrame({"age": age}), y
    )
