"""What a model learns of its columns."""

from itertools import permutations

import numpy as np
import pandas as pd
import polars as pl
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from tests.kernels import twins
from underdog import Table
from underdog.data import Schema
from underdog.workers import Workers


def learn(X, repeats=None, max_bins=255, categorical="from_dtype", workers=None):
    table = X if isinstance(X, Table) else Table.from_data(X, categorical)
    repeats = np.ones(len(table), dtype=np.int64) if repeats is None else np.asarray(repeats)
    return Schema.learn(table, repeats, max_bins, workers)


def all_cuts(schema):
    return [schema.cuts_of(j).tolist() for j in range(schema.n_columns)]


def numbers(kind, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(300, 5))
    if kind == "counts":
        X = rng.poisson(0.7, X.shape).astype(float)
    elif kind == "negative":
        X = np.rint(X * 2)
    elif kind == "missing":
        X[rng.random(X.shape) < 0.4] = 0.0
        X[rng.random(X.shape) < 0.1] = np.nan
        X[:, 4] = np.nan
    elif kind == "presence":
        X = (X > 1).astype(float)
    elif kind == "all stored":
        X = np.abs(X) + 1
    elif kind == "extreme":
        X[:, 0] = np.where(X[:, 0] > 0, np.inf, -np.inf)
        X[:, 1] = np.where(X[:, 1] > 0, np.inf, 0.0)
        X[:, 2] *= 1e307
        X[:, 3] = np.rint(X[:, 3]) * 5e-324
    elif kind == "constant":
        X[:] = [0.0, 1.0, -1.0, np.inf, 0.5]
    return X


KINDS = (
    "ordinary",
    "counts",
    "negative",
    "missing",
    "presence",
    "all stored",
    "extreme",
    "constant",
)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("max_bins", [2, 16, 255])
def test_cuts_equal_the_twin_in_dense_and_sparse_form(kind, max_bins):
    X = numbers(kind)
    repeats = np.random.default_rng(1).integers(1, 4, len(X))
    wanted = [twins.column_cuts(X[:, j], repeats, max_bins) for j in range(X.shape[1])]
    forms = [X, np.asfortranarray(X), sp.csr_array(X), sp.csc_matrix(X), pd.DataFrame(X)]
    forms.append(Table.hstack([X[:, :2], sp.csr_array(X[:, 2:])]))
    for form in forms:
        schema = learn(form, repeats, max_bins)
        assert all_cuts(schema) == wanted
        holes = np.isnan(X)  # where nothing else is, missing tells nothing
        assert schema.missing.tolist() == (holes.any(axis=0) & ~holes.all(axis=0)).tolist()
        assert schema.bins.tolist() == [len(cuts) + 1 for cuts in wanted]


def test_many_bins_equal_the_twin_in_dense_and_sparse_form():
    rng = np.random.default_rng(4)
    X = rng.normal(size=(2000, 3))
    X[:, 1] = np.where(rng.random(2000) < 0.4, 0.0, X[:, 1])
    X[rng.random(2000) < 0.1, 2] = np.nan
    repeats = rng.integers(1, 4, len(X))
    for max_bins in (256, 1000, 65_535):
        wanted = [twins.column_cuts(X[:, j], repeats, max_bins) for j in range(3)]
        assert max(map(len, wanted)) == min(max_bins, 2000) - 1
        for form in (X, sp.csr_array(X)):
            assert all_cuts(learn(form, repeats, max_bins)) == wanted


@pytest.mark.parametrize("make", [np.asarray, sp.csr_array])
@pytest.mark.parametrize("distinct", [65_534, 65_535, 65_536, 150_000])
def test_no_more_bins_than_asked_for(make, distinct):
    values = np.arange(distinct)
    X = make(np.random.default_rng(5).permutation(values)[:, np.newaxis].astype(float))
    cuts = learn(X, max_bins=65_535).cuts_of(0)
    sizes = np.bincount(np.searchsorted(cuts, values))
    if distinct <= 65_535:
        assert len(cuts) == distinct - 1
    else:
        assert len(cuts) == 65_534
        assert sizes.max() <= np.ceil(distinct / 65_535)
    assert sizes.min() >= 1
    unasked = Schema.learn(Table.from_data(X), np.ones(distinct, dtype=np.int64))
    assert unasked.bins.tolist() == [255]


@pytest.mark.parametrize("kind", KINDS)
def test_cuts_do_not_depend_on_order_repetition_or_threads(kind):
    X, rng = numbers(kind), np.random.default_rng(2)
    repeats = rng.integers(1, 4, len(X))
    order = rng.permutation(len(X))
    wanted = all_cuts(learn(X, repeats, 16))
    assert all_cuts(learn(X[order], repeats[order], 16)) == wanted
    assert all_cuts(learn(np.repeat(X, repeats, axis=0), None, 16)) == wanted
    assert all_cuts(learn(sp.csr_array(np.repeat(X, repeats, axis=0)[::-1]), None, 16)) == wanted
    with Workers(2) as workers:
        assert (
            all_cuts(learn(np.tile(X, (8, 1)), np.tile(repeats, 8), 16, workers=workers)) == wanted
        )


FLOATS = st.one_of(
    st.floats(allow_nan=True), st.integers(-3, 3).map(float), st.sampled_from([5e-324, 1e308])
)


@settings(max_examples=60)
@given(hnp.arrays(np.float64, st.tuples(st.integers(1, 25), st.integers(1, 3)), elements=FLOATS))
def test_sparse_and_dense_learn_the_same(X):
    one, other = learn(X, max_bins=5), learn(sp.csr_array(X), max_bins=5)
    assert all_cuts(one) == all_cuts(other)
    assert one.missing.tolist() == other.missing.tolist()


@pytest.mark.parametrize(
    "frame",
    [
        pd.DataFrame({"t": ["b", "a", None, "b"]}),
        pd.DataFrame({"t": pd.Categorical(["b", "a", None, "b"], categories=["z", "b", "a"])}),
        pl.DataFrame({"t": ["b", "a", None, "b"]}),
    ],
)
def test_categories_are_sorted_and_seen_ones_only(frame):
    schema = learn(frame)
    assert schema.categories == {0: ("a", "b")}
    assert schema.missing.tolist() == [True]
    assert schema.bins.tolist() == [2]
    assert schema.name(0) == "t"


@pytest.mark.parametrize("rows", [slice(None), np.array([1, 1, 3])])
def test_categories_of_pandas_are_read_like_other_values(rows):
    """By their codes, also if some rows were taken and some levels do not occur any more."""
    column = pd.Categorical(["b", "a", None, "c"], categories=["z", "c", "b", "a"])
    coded = Table.from_data(pd.DataFrame({"t": column}))[rows]
    plain = Table.from_data(pd.DataFrame({"t": pd.Series(["b", "a", None, "c"], dtype=object)}))[
        rows
    ]
    schema = learn(coded)
    assert schema.categories == learn(plain).categories
    assert schema.missing.tolist() == learn(plain).missing.tolist()
    found, wanted = coded.groups[-1], plain.groups[-1]
    assert found.values[0].tolist() == wanted.values[0].tolist()
    codes = schema.codes_of(0, found.given[0])
    assert codes.tolist() == schema.codes_of(0, wanted.given[0]).tolist()


def test_numeric_categories_are_sorted_as_numbers():
    schema = learn(np.array([[10.0, 1.0], [9.0, 1.0], [np.nan, 2.0]]), categorical=[0])
    assert schema.categories == {0: (9.0, 10.0)}
    assert schema.cuts_of(0).tolist() == []
    assert schema.cuts_of(1).tolist() == [1.5]
    assert schema.missing.tolist() == [True, False]


def test_mixed_kinds_of_levels_have_one_order():
    values = np.array([["b"], [2], ["a"], [10], [True]], dtype=object)
    wanted = (True, 2, 10, "a", "b")
    for order in ([0, 1, 2, 3, 4], [4, 3, 2, 1, 0]):
        assert learn(values[order], categorical=[0]).categories == {0: wanted}


def test_unseen_levels_are_missing():
    schema = learn(pd.DataFrame({"t": ["b", "a", "b"]}))
    given_ = np.array(["a", "z", None, float("nan"), "b"], dtype=object)
    assert schema.codes_of(0, given_).tolist() == [0, 2, 2, 2, 1]
    assert schema.codes_of(0, given_[::-1]).tolist() == [1, 2, 2, 2, 0]


@pytest.mark.parametrize("levels", [256, 1000, 65_535])
def test_many_levels(levels):
    schema = learn(np.arange(levels)[:, np.newaxis], categorical=[0])
    assert schema.bins.tolist() == [levels]
    codes = schema.codes_of(0, np.array([levels - 1, 0, -5]))
    assert codes.tolist() == [levels - 1, 0, levels]


def test_too_many_levels_are_refused():
    frame = pd.DataFrame({"who": [f"user{i}" for i in range(65_536)]})
    with pytest.raises(ValueError, match="'who' has 65536 levels, more than 65535"):
        learn(frame)


def test_levels_that_cannot_be_compared_are_refused():
    with pytest.raises(ValueError, match="column 't' has values that cannot be compared"):
        learn(pd.DataFrame({"t": [["a"], ["b"]]}), categorical=["t"])


def test_names():
    assert learn(np.ones((2, 2))).name(1) == "x1"
    assert learn(pd.DataFrame({"a": [1, 2], "b": [1, 2]})).name(1) == "b"
    stacked = Table.hstack([np.ones((2, 1)), sp.csr_array(np.ones((2, 1)))], names=["u", "v"])
    assert learn(stacked).names == ("u", "v")


def test_the_form_of_storage_does_not_move_columns():
    """A category and a sparse block between dense columns: positions stay."""
    X = numbers("counts")
    table = Table.hstack(
        [X[:, :1], pd.DataFrame({"t": np.where(X[:, 1] > 0, "p", "q")}), sp.csr_array(X[:, 2:])]
    )
    schema = learn(table)
    assert schema.categories == {1: ("p", "q")}
    plain = learn(X)
    for j in (0, 2, 3, 4):
        assert schema.cuts_of(j).tolist() == plain.cuts_of(j).tolist()
    assert schema.cuts_of(1).tolist() == []


@pytest.mark.parametrize(
    ("values", "wanted"),
    [
        ([1.1, 2.2], ["1.65"]),
        ([20200101, 20200102, 20200103], ["20200101.5", "20200102.5"]),
        ([5.0, 5.0 + 1e-9], ["5.0000000005"]),
        ([0.1, 0.2, 0.3, 0.7], ["0.15", "0.25", "0.5"]),
        ([1 / 3, 2 / 3, 100.0], ["0.5", "50.3333"]),
        ([1e300, 2e300], ["1.5e+300"]),
        ([-np.inf, 1.0, np.inf], ["-inf", "1"]),
    ],
)
def test_cuts_are_written_so_that_they_can_be_told_apart(values, wanted):
    schema = learn(np.array(values, dtype=float)[:, np.newaxis])
    assert [schema.written(0, cut) for cut in schema.cuts_of(0).tolist()] == wanted


def test_levels_that_are_equal_have_the_same_name_in_any_order():
    names = set()
    for values in permutations([1, True, 1.0, "1", None, 0.0]):
        column = np.empty((6, 1), dtype=object)
        column[:, 0] = values
        names.add(repr(learn(column, categorical=[0]).categories[0]))
    assert names == {"(0.0, True, '1')"}
