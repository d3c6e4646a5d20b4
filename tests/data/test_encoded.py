"""Rows as cells: which rows a test takes, and which side is smaller."""

import numpy as np
import pytest
import scipy.sparse as sp

from tests.data.tables import TABLES, bins_of, encoded_rows, numbers, wide_numbers
from underdog import Table
from underdog.data.storage import DenseBlock, SparseBlock


def flags_of(encoded, column, seed=3, most=12):
    """Flags of tests: nothing, everything, one bin each, random ones."""
    bins = int(encoded.bins[column]) + 1
    rng = np.random.default_rng(seed)
    flags = [np.zeros(bins), np.ones(bins), *np.eye(bins)[:most]]
    flags += [rng.random(bins) < 0.5 for _ in range(4)]
    return [np.array(flag, dtype=np.uint8) for flag in flags]


@pytest.mark.parametrize("name", TABLES)
def test_rows_of_every_test(name):
    encoded = encoded_rows(TABLES[name]())
    for column in range(encoded.schema.n_columns):
        bins = bins_of(encoded, column)
        for inside in flags_of(encoded, column):
            found = encoded.rows(column, inside)
            assert found.dtype == np.int32
            assert sorted(found.tolist()) == np.flatnonzero(inside[bins]).tolist()


@pytest.mark.parametrize("name", TABLES)
@pytest.mark.parametrize("weighted", [False, True])
def test_smaller_side_counts_examples(name, weighted):
    table = TABLES[name]()
    repeats = np.random.default_rng(4).integers(1, 6, len(table)) if weighted else None
    encoded = encoded_rows(table, repeats)
    count = np.ones(len(table), dtype=int) if repeats is None else repeats
    assert encoded.n_examples == count.sum()
    for column in range(encoded.schema.n_columns):
        bins = bins_of(encoded, column)
        for inside in flags_of(encoded, column):
            rows, touched = encoded.smaller_side(column, inside)
            true = inside[bins] == 1
            inner, outer = count[true].sum(), count[~true].sum()
            assert touched == int(inner <= outer)
            assert sorted(rows.tolist()) == np.flatnonzero(true == bool(touched)).tolist()


@pytest.mark.parametrize("make", [np.asarray, sp.csr_array])
@pytest.mark.parametrize("stored", [1.0, -1.0])
def test_on_a_tie_the_true_side_is_touched(make, stored):
    X = make(np.array([[stored], [0.0], [stored], [0.0]]))
    for repeats in (None, np.array([1, 2, 3, 2])):
        encoded = encoded_rows(Table.from_data(X), repeats)
        for inside in ([0, 1, 0], [1, 0, 0]):
            rows, touched = encoded.smaller_side(0, np.array(inside, dtype=np.uint8))
            assert touched == 1
            high = stored if stored > 0 else 0.0
            true = high if inside[1] else stored + 0.0 - high
            wanted = [0, 2] if true == stored else [1, 3]
            assert sorted(rows.tolist()) == wanted


def test_a_multiplicity_can_turn_the_side():
    encoded = encoded_rows(Table.from_data(np.array([[0.0], [1.0], [1.0]])), np.array([5, 1, 1]))
    rows, touched = encoded.smaller_side(0, np.array([0, 1, 0], dtype=np.uint8))
    assert (rows.tolist(), touched) == ([1, 2], 1)
    encoded = encoded_rows(Table.from_data(np.array([[0.0], [1.0], [1.0]])))
    rows, touched = encoded.smaller_side(0, np.array([0, 1, 0], dtype=np.uint8))
    assert (rows.tolist(), touched) == ([0], 0)


def test_storage_forms():
    mixed = encoded_rows(TABLES["mixed"]())
    assert [type(block) for block in mixed.blocks] == [DenseBlock, SparseBlock]
    assert isinstance(encoded_rows(TABLES["wide"]()).blocks[-1], SparseBlock)
    wide = encoded_rows(TABLES["wide numbers"]())
    assert [type(block) for block in wide.blocks] == [DenseBlock, SparseBlock]
    assert [block.columns.tolist() for block in wide.blocks] == [[3], [0, 1, 2]]
    assert wide.implicit.tolist() == [-1] * 4
    mixed = encoded_rows(TABLES["all wide"]())
    assert [block.columns.tolist() for block in mixed.blocks] == [[3, 4], [0, 1, 2]]
    assert encoded_rows(TABLES["dense"]()).implicit.tolist() == [-1] * 7
    sparse = encoded_rows(TABLES["sparse"]())
    assert (sparse.implicit >= 0).all()
    dense = encoded_rows(TABLES["dense"]())
    assert sparse.n_cells == dense.n_cells - 7  # zero's bin is not stored


@pytest.mark.parametrize("distinct", [254, 255, 256, 257, 65_535])
@pytest.mark.parametrize("missing", [False, True])
def test_one_byte_per_value_as_long_as_it_can_number_the_bins(distinct, missing):
    values = np.random.default_rng(2).permutation(distinct).astype(float)
    if missing:
        values = np.append(values, np.nan)
    encoded = encoded_rows(Table.from_data(values[:, np.newaxis]), max_bins=65_535)
    assert encoded.n_cells == distinct + missing
    assert isinstance(encoded.blocks[0], DenseBlock if distinct <= 255 else SparseBlock)
    for level in (0, 1, 254, distinct // 2, distinct - 1, distinct):
        inside = np.zeros(distinct + 1, dtype=np.uint8)
        inside[level] = 1
        wanted = np.isnan(values) if level == distinct else values == level
        assert encoded.rows(0, inside).tolist() == np.flatnonzero(wanted).tolist()


@pytest.mark.parametrize("runs", [1, 2, 5])
@pytest.mark.parametrize("make", [np.asarray, sp.csr_array])
def test_rows_of_runs_of_bins(runs, make):
    """Also beside the bin of zero, which sparse columns leave out."""
    X = wide_numbers()[:, 2:3]
    encoded = encoded_rows(Table.from_data(make(X)))
    bins, count = bins_of(encoded, 0), int(encoded.bins[0])
    zero = int(np.searchsorted(encoded.schema.cuts_of(0), 0.0))
    rng = np.random.default_rng(runs)
    for first in (0, zero - 1, zero, zero + 1, *rng.integers(0, count, 20)):
        inside = np.zeros(count + 1, dtype=np.uint8)
        ends = np.sort(rng.integers(0, count + 2, 2 * runs - 1))
        for start, stop in np.sort(np.append(first, ends)).reshape(runs, 2):
            inside[start:stop] = 1
        wanted = np.flatnonzero(inside[bins]).tolist()
        assert sorted(encoded.rows(0, inside).tolist()) == wanted


def test_more_cells_than_can_be_numbered_are_refused(monkeypatch):
    table = TABLES["wide numbers"]()
    cells = encoded_rows(table).n_cells
    monkeypatch.setattr("underdog.data.encoded.MAX_CELLS", cells)
    encoded_rows(table)
    monkeypatch.setattr("underdog.data.encoded.MAX_CELLS", cells - 1)
    match = f"the columns have {cells} bins in total, more than {cells - 1}: use a smaller max_bins"
    with pytest.raises(ValueError, match=match):
        encoded_rows(table)


@pytest.mark.parametrize("make_numbers", [numbers, wide_numbers])
def test_values_that_were_never_missing_get_a_bin_when_they_are(make_numbers):
    X = np.nan_to_num(make_numbers(), nan=0.5)
    schema = encoded_rows(Table.from_data(X)).schema
    assert not schema.missing.any()
    X[0] = np.nan
    for make in (np.asarray, sp.csr_array):
        encoded = encoded_rows(Table.from_data(make(X)), schema=schema)
        assert encoded.missing.all()
        for column in range(X.shape[1]):
            last = np.zeros(int(encoded.bins[column]) + 1, dtype=np.uint8)
            last[-1] = 1
            wanted = np.flatnonzero(np.isnan(X[:, column])).tolist()
            assert sorted(encoded.rows(column, last).tolist()) == wanted


@pytest.mark.parametrize("make", [np.asarray, sp.csr_array])
@pytest.mark.parametrize("name", ["dense", "wide numbers"])
def test_new_values_land_in_the_bins_of_the_schema(make, name):
    """Values beyond, between and at the cuts of the training data."""
    schema = encoded_rows(TABLES[name]()).schema
    rng = np.random.default_rng(9)
    X = rng.normal(size=(500, schema.n_columns)) * 3
    X[rng.random(X.shape) < 0.4] = 0.0
    X[rng.random(X.shape) < 0.1] = np.inf
    X[rng.random(X.shape) < 0.1] = -np.inf
    for column in range(schema.n_columns):
        cuts = schema.cuts_of(column)
        X[: len(cuts), column] = cuts
    encoded = encoded_rows(Table.from_data(make(X)), schema=schema)
    for column in range(schema.n_columns):
        bins = (X[:, column][:, np.newaxis] > schema.cuts_of(column)).sum(axis=1)
        for inside in flags_of(encoded, column):
            wanted = np.flatnonzero(inside[bins]).tolist()
            assert sorted(encoded.rows(column, inside).tolist()) == wanted
