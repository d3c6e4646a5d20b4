"""Keys of rows and tests: the same for the same data, in whatever order or storage it comes."""

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from underdog import Table
from underdog.data import EncodedRows, Schema
from underdog.data.hashing import mix, unit_interval
from underdog.data.keys import either_side, row_and_column_keys, row_keys
from underdog.learners.candidates import Candidates

ROWS = 90
SEEDS = range(8)
each_seed = pytest.mark.parametrize("seed", SEEDS)


def numbers(seed=0, rows=ROWS):
    """Continuous, counts, both signs, presence, missing with and without zeros, never zero."""
    rng = np.random.default_rng(seed)
    X = np.zeros((rows, 8))
    X[:, 0] = rng.normal(size=rows)
    X[:, 1] = rng.poisson(0.8, rows)
    X[:, 2] = np.rint(rng.normal(size=rows) * 1.5)
    X[:, 3] = rng.random(rows) < 0.3
    X[:, 4] = np.where(rng.random(rows) < 0.5, 0.0, rng.normal(size=rows).round(1))
    X[rng.random(rows) < 0.2, 4] = np.nan
    X[:, 5] = rng.integers(1, 5, rows)
    X[:, 6] = -(rng.random(rows) < 0.4).astype(float)
    X[:, 7] = np.where(rng.random(rows) < 0.3, np.nan, 2.0)
    return X


def words(seed=0, rows=ROWS):
    return sp.csr_array((np.random.default_rng(seed).random((rows, 12)) < 0.15).astype(float))


def signs(seed=0, rows=ROWS):
    return np.random.default_rng(seed + 100).integers(0, 2, (rows, 1)).astype(np.uint8)


def encoded_rows(data, repeats=None):
    table = data if isinstance(data, Table) else Table.hstack([data])
    repeats = np.ones(len(table), dtype=np.int64) if repeats is None else repeats
    return EncodedRows(table, Schema.learn(table, repeats), repeats), repeats


def keys_of(data, sign, repeats=None):
    encoded, repeats = encoded_rows(data, repeats)
    return row_keys(encoded, sign, repeats)


def all_keys(data, sign, repeats=None):
    """Keys of the rows, of the tests, and the part."""
    encoded, repeats = encoded_rows(data, repeats)
    rows = row_keys(encoded, sign, repeats)
    candidates = Candidates(encoded.layout)
    return rows, candidates.keys(encoded, rows), candidates, encoded


def truth_of(encoded, candidates, number):
    """Which rows pass a test of an ordered column, by its place among the column's tests."""
    column = int(candidates.column[number])
    bins = int(encoded.bins[column])
    cut, missing = number - int(candidates.first[column]), 0
    if encoded.missing[column]:
        cut, missing = divmod(cut, 2)
    if cut == bins - 1:
        missing = 1
    inside = np.zeros(bins + 1, dtype=np.uint8)
    inside[cut + 1 : bins] = 1
    inside[bins] = missing
    truth = np.zeros(encoded.n_rows, dtype=bool)
    truth[encoded.rows(column, inside)] = True
    return truth


FORMS = {
    "dense": numbers,
    "sparse": lambda seed: sp.csr_array(numbers(seed)),
    "words": words,
    "both": lambda seed: Table.hstack(
        [numbers(seed)[:, :4], words(seed), sp.csr_array(numbers(seed)[:, 4:])]
    ),
}
each_form = pytest.mark.parametrize("form", FORMS)


@each_form
@each_seed
def test_permuted_rows_have_permuted_keys(form, seed):
    data, sign = FORMS[form](seed), signs(seed)
    order = np.random.default_rng(seed).permutation(ROWS)
    rows, tests, *_ = all_keys(data, sign)
    other_rows, other_tests, *_ = all_keys(data[order], sign[order])
    np.testing.assert_array_equal(other_rows, rows[order])
    np.testing.assert_array_equal(other_tests, tests)


@pytest.mark.parametrize("form", ["dense", "sparse", "words"])
@each_seed
def test_permuted_columns_have_the_same_keys(form, seed):
    data, sign = FORMS[form](seed), signs(seed)
    order = np.random.default_rng(seed).permutation(data.shape[1])
    rows, tests, *_ = all_keys(data, sign)
    other_rows, other_tests, *_ = all_keys(data[:, order], sign)
    np.testing.assert_array_equal(other_rows, rows)
    assert sorted(other_tests.tolist()) == sorted(tests.tolist())


@each_seed
def test_sparse_and_dense_forms_have_the_same_keys(seed):
    X, sign = numbers(seed), signs(seed)
    rows, tests, *_ = all_keys(X, sign)
    other_rows, other_tests, *_ = all_keys(sp.csr_array(X), sign)
    np.testing.assert_array_equal(other_rows, rows)
    np.testing.assert_array_equal(other_tests, tests)


@each_form
@each_seed
def test_a_weight_is_as_many_rows(form, seed):
    data, sign = FORMS[form](seed), signs(seed)
    repeats = np.random.default_rng(seed).integers(1, 4, ROWS)
    again = np.repeat(np.arange(ROWS), repeats)
    rows, tests, *_ = all_keys(data, sign, repeats)
    other_rows, other_tests, *_ = all_keys(data[again], sign[again])
    sums = np.add.reduceat(other_rows, np.cumsum(repeats) - repeats)
    np.testing.assert_array_equal(sums, rows)
    np.testing.assert_array_equal(other_tests, tests)


@each_form
@each_seed
def test_the_key_of_a_test_is_that_of_the_rows_on_its_sides(form, seed):
    rows, tests, candidates, encoded = all_keys(FORMS[form](seed), signs(seed))
    everything = np.sum(rows, dtype=np.uint64, keepdims=True)
    assert len(tests) == len(candidates) > 10
    for number, key in enumerate(tests):
        truth = truth_of(encoded, candidates, number)
        inside = np.sum(rows[truth], dtype=np.uint64, keepdims=True)
        assert either_side(inside, everything)[0] == key, number


@each_form
@each_seed
def test_different_divisions_of_the_rows_have_different_keys(form, seed):
    _, tests, candidates, encoded = all_keys(FORMS[form](seed), signs(seed))
    found = {}
    for number, key in enumerate(tests.tolist()):
        truth = truth_of(encoded, candidates, number)
        side = min(truth.tobytes(), (~truth).tobytes())
        assert found.setdefault(key, side) == side
    assert len(set(found.values())) == len(found)


def test_equal_rows_have_equal_keys_and_different_rows_different_ones():
    X, sign = np.repeat(numbers(), 2, axis=0), np.repeat(signs(), 2, axis=0)
    keys = keys_of(X, sign)
    np.testing.assert_array_equal(keys[::2], keys[1::2])
    different = {(row.tobytes(), int(own[0])) for row, own in zip(X, sign, strict=True)}
    assert len(set(keys.tolist())) == len(different)


def test_the_label_is_part_of_a_row():
    X = np.tile(numbers(rows=30), (2, 1))
    sign = np.repeat([[0], [1]], 30, axis=0).astype(np.uint8)
    keys = keys_of(X, sign)
    assert not set(keys[:30].tolist()) & set(keys[30:].tolist())


def test_the_label_is_not_part_of_a_row_that_is_drawn():
    X = np.tile(numbers(rows=30), (2, 1))
    sign = np.repeat([[0], [1]], 30, axis=0).astype(np.uint8)
    encoded, repeats = encoded_rows(X)
    (rows,), _ = row_and_column_keys([(encoded, sign, repeats)])
    np.testing.assert_array_equal(rows[:30], rows[30:])
    assert len(set(rows.tolist())) == len({row.tobytes() for row in X})


def test_categories_count_in_rows_but_have_no_keys_of_their_own():
    """Their tests depend on the weights, so they cannot be named once for all rounds."""
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"colour": rng.choice(["r", "g", "b"], ROWS).astype(object)})
    frame.loc[3, "colour"] = None
    sign = signs()
    rows, tests, *_ = all_keys(frame, sign)
    nothing = np.zeros(1, dtype=np.uint64)
    everything = np.sum(rows, dtype=np.uint64, keepdims=True)
    np.testing.assert_array_equal(tests, either_side(nothing, everything))
    filled = frame["colour"].fillna("none")
    assert len(set(rows.tolist())) == len(set(zip(filled, sign[:, 0].tolist(), strict=True)))
    order = rng.permutation(ROWS)
    shuffled = keys_of(frame.iloc[order].reset_index(drop=True), sign[order])
    np.testing.assert_array_equal(shuffled, rows[order])


@given(st.integers(0, 2**32 - 1))
@settings(deadline=None, max_examples=30)
def test_rows_and_columns_in_any_order(seed):
    rng = np.random.default_rng(seed)
    X = rng.integers(-1, 2, (int(rng.integers(5, 25)), 4)).astype(float)
    X[rng.random(X.shape) < 0.1] = np.nan
    sign = rng.integers(0, 2, (len(X), 1)).astype(np.uint8)
    rows, columns = rng.permutation(len(X)), rng.permutation(4)
    plain, tests, *_ = all_keys(X, sign)
    other = X[np.ix_(rows, columns)]
    for form in (other, sp.csr_array(other)):
        keys, other_tests, *_ = all_keys(form, sign[rows])
        np.testing.assert_array_equal(keys, plain[rows])
        assert sorted(other_tests.tolist()) == sorted(tests.tolist())


def test_a_set_of_rows_and_the_rest_have_one_key():
    rng = np.random.default_rng(0)
    keys = mix(rng.integers(0, 2**62, 50).astype(np.uint64))
    inside = keys[:20].sum(dtype=np.uint64, keepdims=True)
    everything = keys.sum(dtype=np.uint64, keepdims=True)
    one, other = either_side(inside, everything), either_side(everything - inside, everything)
    assert one == other
    third = keys[:21].sum(dtype=np.uint64, keepdims=True)
    assert one != either_side(third, everything)


def test_keys_are_spread_evenly_over_the_unit_interval():
    numbers = unit_interval(np.arange(10_000, dtype=np.uint64))
    assert ((numbers >= 0.0) & (numbers < 1.0)).all()
    counts = np.histogram(numbers, bins=10, range=(0, 1))[0]
    assert np.abs(counts - 1000).max() < 120
    assert len(set(numbers.tolist())) == 10_000
