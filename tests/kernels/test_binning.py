"""Cut points and bin codes: from values and counts alone, and a value lands where the cuts say."""

import math
from itertools import pairwise

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st

from tests.kernels import twins
from underdog.kernels import binning, occurrences

ANY = st.floats(allow_nan=False)  # infinite, huge and denormal ones too
COARSE = st.integers(-5, 5).map(float)
VALUES = st.lists(st.one_of(ANY, COARSE), max_size=60)
MOST = st.integers(2, 12)


def cuts_of(values, repeats, most_bins):
    """Cuts as the schema asks for them."""
    values, repeats = np.array(values, dtype=np.float64), np.array(repeats, dtype=np.int64)
    order = np.argsort(values, kind="stable")
    kept, counts = np.empty(len(values)), np.empty(len(values), dtype=np.int64)
    found = occurrences.distinct_sorted(values[order], repeats[order], kept, counts)
    out = np.empty(most_bins)
    written = binning.cut_points(kept[:found], counts[:found], most_bins, out)
    return out[:written].copy()


def codes_of(values, cuts):
    out = np.empty(len(values), dtype=np.uint8)
    binning.encode_dense(np.array(values, dtype=np.float64), np.array(cuts, dtype=np.float64), out)
    return out


@given(ANY, ANY)
def test_midpoint_is_strictly_between_or_the_left_one(a, b):
    left, right = sorted([a, b])
    found = binning.midpoint(left, right)
    assert found == twins.midpoint(left, right)
    assert found == left or left < found < right


@pytest.mark.parametrize(
    ("left", "right", "wanted"),
    [
        (1.0, 2.0, 1.5),
        (0.0, 5e-324, 0.0),
        (5e-324, 1e-323, 5e-324),
        (1.0, math.nextafter(1.0, 2.0), 1.0),
        (-math.inf, 3.0, -math.inf),
        (3.0, math.inf, 3.0),
        (-math.inf, math.inf, -math.inf),
        (1.5e308, 1.7e308, 1.5e308 / 2 + 1.7e308 / 2),
        (-1.7e308, 1.7e308, 0.0),
    ],
)
def test_midpoint_of_extremes(left, right, wanted):
    assert binning.midpoint(left, right) == wanted


@given(VALUES, MOST, st.data())
def test_cuts_equal_the_twin_and_keep_their_promises(values, most_bins, data):
    repeats = data.draw(st.lists(st.integers(1, 9), min_size=len(values), max_size=len(values)))
    cuts = cuts_of(values, repeats, most_bins)
    known, counts = twins.distinct(values, repeats)
    assert cuts.tolist() == twins.cut_points(known, counts, most_bins)
    assert len(cuts) <= most_bins - 1
    assert (np.diff(cuts) > 0).all()
    if len(known) <= most_bins:  # every gap has its cut
        bins = [twins.bin_of(value, cuts) for value in known]
        assert bins == list(range(len(known)))


@given(VALUES, MOST, st.randoms())
def test_cuts_do_not_depend_on_the_order_of_rows(values, most_bins, random):
    repeats = [1 + position % 3 for position in range(len(values))]
    pairs = list(zip(values, repeats, strict=True))
    random.shuffle(pairs)
    shuffled = cuts_of([value for value, _ in pairs], [time for _, time in pairs], most_bins)
    assert shuffled.tolist() == cuts_of(values, repeats, most_bins).tolist()


@given(st.lists(st.tuples(st.one_of(ANY, COARSE), st.integers(1, 4)), max_size=30), MOST)
def test_counts_are_repeated_values(pairs, most_bins):
    repeated = [value for value, count in pairs for _ in range(count)]
    by_count = cuts_of([v for v, _ in pairs], [c for _, c in pairs], most_bins)
    assert by_count.tolist() == cuts_of(repeated, [1] * len(repeated), most_bins).tolist()


@given(
    st.lists(st.one_of(ANY, COARSE, st.just(math.nan)), max_size=60), VALUES, st.integers(2, 255)
)
def test_a_value_lands_in_the_bin_that_the_cuts_say(values, source, most_bins):
    cuts = cuts_of(source, [1] * len(source), most_bins)
    wanted = [twins.bin_of(value, cuts) for value in values]
    assert codes_of(values, cuts).tolist() == wanted
    for value, code in zip(values, wanted, strict=True):
        if not math.isnan(value):
            assert binning.bin_of(value, cuts, 0, len(cuts)) == code


@pytest.mark.parametrize("n_cuts", [0, 1, 2, 3, 127, 128, 129, 253, 254])
def test_codes_for_every_number_of_cuts(n_cuts):
    cuts = np.arange(n_cuts, dtype=np.float64)
    around = [c + d for c in cuts.tolist() for d in (-0.5, 0.0, 0.5)]
    values = [-math.inf, *around, math.inf, math.nan]
    assert codes_of(values, cuts).tolist() == [twins.bin_of(value, cuts) for value in values]


@pytest.mark.parametrize(
    "values", [[], [3.0], [2.0] * 9, [math.inf] * 3, [-math.inf, math.inf], [-0.0, 0.0]]
)
def test_cuts_of_small_columns(values):
    known, counts = twins.distinct(values, [1] * len(values))
    assert cuts_of(values, [1] * len(values), 255).tolist() == twins.cut_points(known, counts, 255)


def test_cuts_of_many_distinct_values():
    values = np.random.default_rng(0).normal(size=3000)
    cuts = cuts_of(values, np.ones(3000), 255)
    assert len(cuts) == 254
    sizes = np.bincount(codes_of(values, cuts), minlength=255)
    assert sizes.max() <= math.ceil(3000 / 255)
    assert sizes.min() >= 3000 // 255


def test_one_heavy_value_does_not_lose_its_neighbours():
    values = [0.0] * 1000 + [float(v) for v in range(1, 300)]
    cuts = cuts_of(values, [1] * len(values), 16)
    assert cuts.tolist() == twins.cut_points(*twins.distinct(values, [1] * len(values)), 16)
    assert binning.bin_of(0.0, cuts, 0, len(cuts)) < binning.bin_of(1.0, cuts, 0, len(cuts))


@pytest.mark.parametrize("size", [0, 1, 50])
def test_distinct_sorted(size):
    rng = np.random.default_rng(size)
    values, repeats = np.sort(rng.integers(0, 9, size) / 4), rng.integers(1, 5, size)
    kept, counts = np.empty(size), np.empty(size, dtype=np.int64)
    found = occurrences.distinct_sorted(values, repeats, kept, counts)
    wanted = twins.distinct(values, repeats)
    assert (kept[:found].tolist(), counts[:found].tolist()) == wanted


def numbers(kind, size):
    rng = np.random.default_rng(size)
    values = rng.normal(size=size) * 10.0 ** rng.integers(-9, 9, size)
    if kind == "whole":
        values = np.rint(rng.normal(size=size))
    elif kind == "equal":
        values[:] = -2.5
    elif kind == "missing":  # also with the sign bit
        values[::3], values[1::6] = np.nan, -np.float64(np.nan)
    elif kind == "extreme":
        values[:] = rng.choice([np.inf, -np.inf, 0.0, 5e-324, -5e-324, 1.7e308, -1.7e308], size)
    elif kind == "zeros":  # of both signs
        values[rng.random(size) < 0.7] = 0.0
        values[rng.random(size) < 0.1] = -0.0
    return values


KINDS = pytest.mark.parametrize("kind", ["normal", "whole", "equal", "missing", "extreme", "zeros"])


@pytest.mark.parametrize("size", [0, 1, 2, 300])
@KINDS
def test_sort_numbers(kind, size):
    values = numbers(kind, size)
    keys, spare = np.empty((2, size), dtype=np.uint64)
    found = occurrences.sort_numbers(values, keys, spare)
    wanted = np.sort(values[~np.isnan(values)])
    np.testing.assert_array_equal(keys.view(np.float64)[:found], wanted)


@pytest.mark.parametrize("size", [0, 1, 2, 200, 300, 5000])  # few distinct ones, and many
@KINDS
def test_distinct_numbers(kind, size):
    values = numbers(kind, size)
    given = values[~np.isnan(values)]
    given = given[np.argsort(~np.signbit(given), kind="stable")]  # -0.0 before 0.0
    given = given[np.argsort(given, kind="stable")]
    wanted, counts = np.empty(len(given)), np.empty(len(given), dtype=np.int64)
    ones = np.ones(size, dtype=np.int64)
    count = occurrences.distinct_sorted(given, ones[: len(given)], wanted, counts)
    keys, spare = np.empty((2, size), dtype=np.uint64)
    found, repeats = spare.view(np.float64), np.empty(size, dtype=np.int64)
    answer = occurrences.distinct_numbers(values, ones, keys, spare, found, repeats)
    assert answer == (count, len(given))
    assert found[:count].tobytes() == wanted[:count].tobytes()
    np.testing.assert_array_equal(repeats[:count], counts[:count])


@pytest.mark.parametrize("size", [0, 5, 300])
@pytest.mark.parametrize("most_bins", [4, 255])
@KINDS
def test_several_columns_are_like_one_at_a_time(kind, most_bins, size):
    block = np.stack([numbers(kind, size), np.zeros(size), np.full(size, np.nan)])
    keys, spare = np.empty((2, size), dtype=np.uint64)
    ones, counts = np.ones((2, size), dtype=np.int64)
    cuts, n_cuts, holes = np.empty((3, most_bins)), np.empty(3, dtype=np.int64), np.empty(3, bool)
    values = spare.view(np.float64)
    binning.learn_block(block, ones, keys, spare, values, counts, most_bins, cuts, n_cuts, holes)
    known = block[0][~np.isnan(block[0])]
    wanted = cuts_of(known, np.ones(len(known)), most_bins)
    np.testing.assert_array_equal(cuts[0, : n_cuts[0]], wanted)
    assert n_cuts[1:].tolist() == [0, 0]
    assert holes.tolist() == [0 < len(known) < size, False, False]

    flat, pointers = np.concatenate([[9.0], wanted]), np.array([0, 0, 1, len(wanted) + 1])
    codes, seen = np.full((2, size), 77, dtype=np.uint8), np.zeros(3, dtype=bool)
    positions, places = np.array([2, 0, 1]), np.array([1, -1, 0])
    binning.encode_block(block, flat, pointers, positions, places, codes, seen)
    alone = np.empty(size, dtype=np.uint8)
    assert seen.tolist() == [bool(binning.encode_dense(block[0], wanted, alone)), False, size > 0]
    np.testing.assert_array_equal(codes[1], alone)
    assert (codes[0] == 2).all()


@pytest.mark.parametrize("size", [0, 5, 300, 5000])
@KINDS
def test_codes_of_columns_with_few_or_many_zeros(kind, size):
    values = numbers(kind, size)
    for cuts in ([], [0.0], [-1.0, 0.5], np.linspace(-2.0, 2.0, 254)):
        cuts = np.array(cuts, dtype=np.float64)
        out = np.empty(size, dtype=np.uint8)
        holes = binning.encode_dense(values, cuts, out)
        wanted = np.searchsorted(cuts, values)
        wanted[np.isnan(values)] = len(cuts) + 1
        np.testing.assert_array_equal(out, wanted)
        assert holes == np.isnan(values).any()


def sparse(kind):
    """A canonical CSR matrix without stored zeros."""
    rng = np.random.default_rng(3)
    dense = np.rint(rng.normal(size=(40, 6)) * 2)
    dense[rng.random(dense.shape) < 0.4] = 0
    if kind == "continuous":
        dense *= rng.uniform(0.5, 1.5, dense.shape)
    elif kind == "full":  # every value stored: zero was never seen
        dense = rng.normal(size=(40, 6)) + 5
    elif kind == "missing":
        dense[rng.random(dense.shape) < 0.2] = np.nan
    elif kind == "all missing":
        dense[:] = np.nan
    elif kind == "presence":
        dense = (dense > 0).astype(np.float64)
    elif kind == "negative presence":
        dense = -(dense > 0).astype(np.float64)
    elif kind == "extreme":
        dense[:, 0] = np.where(dense[:, 0] > 0, np.inf, dense[:, 0])
        dense[:, 1] = np.where(dense[:, 1] < 0, -np.inf, dense[:, 1])
        dense[:, 2] *= 5e-324
        dense[:, 3] *= 1e307
    elif kind == "one row":
        dense = dense[:1]
    elif kind == "no rows":
        dense = dense[:0]
    elif kind == "empty":
        dense[:] = 0
    return sp.csr_array(dense), dense


KINDS = [
    "counts",
    "continuous",
    "full",
    "missing",
    "all missing",
    "presence",
    "negative presence",
    "extreme",
    "one row",
    "no rows",
    "empty",
]


def sparse_cuts(matrix, repeats, most_bins):
    by_column = matrix.tocsc()
    cuts = np.empty(matrix.nnz + matrix.shape[1])
    pointers = np.zeros(matrix.shape[1] + 1, dtype=np.int64)
    missing = np.zeros(matrix.shape[1], dtype=bool)
    binning.sparse_cuts(
        by_column.indptr.astype(np.int64),
        by_column.indices.astype(np.int32),
        by_column.data.astype(np.float64),
        repeats,
        int(repeats.sum()),
        most_bins,
        cuts,
        pointers,
        missing,
    )
    return cuts[: pointers[-1]], pointers, missing


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("most_bins", [2, 3, 255])
def test_sparse_cuts_are_the_dense_ones(kind, most_bins):
    matrix, dense = sparse(kind)
    repeats = np.random.default_rng(1).integers(1, 4, len(dense))
    cuts, pointers, missing = sparse_cuts(matrix, repeats, most_bins)
    for j in range(dense.shape[1]):
        wanted = twins.column_cuts(dense[:, j], repeats, most_bins)
        assert cuts[pointers[j] : pointers[j + 1]].tolist() == wanted
        holes = np.isnan(dense[:, j])
        assert missing[j] == (holes.any() and not holes.all())  # else it tells nothing


@pytest.mark.parametrize("kind", KINDS)
def test_cells_of_sparse_values(kind):
    """sparse_cells, gather_cells and invert against a table of bins made value by value."""
    matrix, dense = sparse(kind)
    cuts, cut_pointers, _ = sparse_cuts(matrix, np.ones(len(dense), dtype=np.int64), 4)
    columns, missing = dense.shape[1], np.isnan(dense).any(axis=0)
    own = [cuts[cut_pointers[j] : cut_pointers[j + 1]] for j in range(columns)]
    implicit = np.empty(columns, dtype=np.int64)
    binning.bins_of(0.0, cuts, cut_pointers, implicit)
    assert implicit.tolist() == [twins.bin_of(0.0, c) for c in own]
    stored = np.array([len(c) for c in own]) + missing
    first_cell = np.concatenate([[0], np.cumsum(stored)]).astype(np.int64)
    pointers, indices = matrix.indptr.astype(np.int64), matrix.indices.astype(np.int32)
    cells = np.full(matrix.nnz, -7, dtype=np.int32)
    binning.sparse_cells(
        pointers, indices, matrix.data, cuts, cut_pointers, first_cell, implicit, cells
    )
    wanted = []
    for row in dense:
        for j in np.flatnonzero(row):
            b = twins.bin_of(row[j], own[j])
            cell = -1 if b == implicit[j] else first_cell[j] + b - (b > implicit[j])
            wanted.append(int(cell))
    assert cells.tolist() == wanted
    kept, new_pointers = np.empty_like(cells), np.empty_like(pointers)
    count = binning.gather_cells(pointers, cells, new_pointers, kept)
    assert kept[:count].tolist() == [cell for cell in wanted if cell >= 0]
    of_row = [cells[a:b] for a, b in pairwise(pointers)]
    assert np.diff(new_pointers).tolist() == [int((row >= 0).sum()) for row in of_row]
    base = 0
    cell_pointers = np.full(int(first_cell[-1]) + 1, 9, dtype=np.int64)
    rows = np.empty(count, dtype=np.int32)
    binning.invert(new_pointers, kept[:count].copy(), base, cell_pointers, rows)
    for cell in range(int(first_cell[-1])):
        found = rows[cell_pointers[cell] : cell_pointers[cell + 1]].tolist()
        assert found == [i for i, row in enumerate(of_row) if cell in row]


def test_cells_that_are_dropped_later():
    """The rows of a cell, and the cells of a row, without some of the cells."""
    rng = np.random.default_rng(0)
    inside = rng.random((40, 12)) < 0.3
    pointers = np.concatenate([[0], np.cumsum(inside.sum(axis=1))])
    cells = np.nonzero(inside)[1].astype(np.int32)
    cell_pointers, rows = np.empty(13, dtype=np.int64), np.empty(len(cells), dtype=np.int32)
    binning.invert(pointers, cells, 0, cell_pointers, rows)
    for stays in ([1, 4, 5, 11], [0, 1, 2], [], range(12)):
        left = inside[:, list(stays)]
        number = np.full(12, -1, dtype=np.int32)
        number[list(stays)] = np.arange(len(stays))
        new_pointers, kept = np.empty_like(pointers), np.empty_like(cells)
        count = binning.renumber_cells(pointers, cells, number, new_pointers, kept)
        assert new_pointers.tolist() == [0, *np.cumsum(left.sum(axis=1))]
        assert kept[:count].tolist() == np.nonzero(left)[1].tolist()
        ends, own = np.zeros(len(stays) + 1, dtype=np.int64), np.empty(count, dtype=np.int32)
        binning.renumber_rows(cell_pointers, rows, number, ends, own)
        assert ends.tolist() == [0, *np.cumsum(left.sum(axis=0))]
        assert own.tolist() == np.nonzero(left.T)[1].tolist()


def test_invert_counts_from_its_base():
    pointers = np.array([0, 2, 2, 3], dtype=np.int64)
    cells = np.array([11, 10, 11], dtype=np.int32)
    cell_pointers, rows = np.empty(3, dtype=np.int64), np.empty(3, dtype=np.int32)
    binning.invert(pointers, cells, 10, cell_pointers, rows)
    assert cell_pointers.tolist() == [0, 1, 3]
    assert rows.tolist() == [0, 0, 2]


@pytest.mark.parametrize("kind", ["counts", "one row", "no rows", "empty"])
def test_count_columns(kind):
    matrix, dense = sparse(kind)
    repeats = np.random.default_rng(2).integers(1, 9, len(dense))
    found = np.zeros(dense.shape[1], dtype=np.int64)
    pointers, indices = matrix.indptr.astype(np.int64), matrix.indices.astype(np.int32)
    binning.count_columns(pointers, indices, repeats, found)
    assert found.tolist() == ((dense != 0) * repeats[:, np.newaxis]).sum(axis=0).tolist()


@pytest.mark.parametrize("size", [0, 1, 30])
def test_constant_cells(size):
    rng = np.random.default_rng(size)
    indices = rng.integers(0, 5, size).astype(np.int32)
    of_column = np.array([4, -1, 2, 0, 9], dtype=np.int32)
    out = np.empty(size, dtype=np.int32)
    binning.constant_cells(indices, of_column, out)
    assert out.tolist() == of_column[indices].tolist()


@pytest.mark.parametrize("value", [-3.0, 0.0, 0.5, np.inf])
def test_bins_of(value):
    cuts = np.array([-1.0, 0.0, 0.5, 2.0])
    pointers = np.array([0, 0, 3, 4], dtype=np.int64)
    out = np.empty(3, dtype=np.int64)
    binning.bins_of(value, cuts, pointers, out)
    assert out.tolist() == [0, twins.bin_of(value, cuts[:3]), twins.bin_of(value, cuts[3:])]


@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.int64, np.int8, bool])
@pytest.mark.parametrize("size", [1, 2, 255, 2048, 20_007])
def test_repeats(size, dtype):
    """One other number is seen wherever it stands."""
    values = np.ones(size, dtype)
    bytes_ = values.view(np.uint8)
    assert binning.repeats(bytes_, values.itemsize)
    places = np.random.default_rng(size).integers(0, size, 50)
    for place in {*places.tolist(), 0, size - 1} if size > 1 else ():
        values[place] = 0
        assert not binning.repeats(bytes_, values.itemsize)
        values[place] = 1
