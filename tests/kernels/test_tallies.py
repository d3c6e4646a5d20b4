"""Adding weights to cells: by row, by cell and dense, all equal to brute force."""

from itertools import chain

import numpy as np
import pytest

from tests.kernels import twins
from underdog.kernels import tallies

ROWS, COLUMNS = 40, 7
KINDS = ("ordinary", "no rows chosen", "one row", "empty rows", "all stored", "one column")


def layout(kind, seed=0):
    """(pointers, cell of each entry, cells of each row): up to three cells per column."""
    rng = np.random.default_rng(seed)
    columns = 1 if kind == "one column" else COLUMNS
    rows = 1 if kind == "one row" else ROWS
    share = {"empty rows": 0.0, "all stored": 1.0}.get(kind, 0.4)
    of_row = []
    for _ in range(rows):
        chosen = np.flatnonzero(rng.random(columns) < share)
        of_row.append([int(3 * j + rng.integers(3)) for j in chosen])
    pointers = np.cumsum([0, *map(len, of_row)]).astype(np.int64)
    return pointers, np.array([*chain(*of_row)], dtype=np.int32), of_row


def change(kind, n_labels, first_label, n_rows, seed=1):
    """(rows, delta, sign): negative changes and zeros among them, rows in any order."""
    rng = np.random.default_rng(seed)
    size = 0 if kind == "no rows chosen" else max(1, n_rows // 2)
    rows = rng.permutation(n_rows)[:size].astype(np.int32)
    delta = rng.integers(-(2**55), 2**55, (size, n_labels))
    delta[rng.random(delta.shape) < 0.3] = 0
    sign = (rng.random((n_rows, n_labels + first_label + 1)) < 0.2).astype(np.uint8)
    return rows, delta, sign


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("n_labels", "first_label"), [(1, 0), (1, 2), (3, 0), (12, 1)])
def test_sparse_and_by_cell_equal_brute_force(kind, n_labels, first_label):
    pointers, cell_of_entry, of_row = layout(kind)
    n_rows, n_cells = len(of_row), 3 * COLUMNS
    rows, delta, sign = change(kind, n_labels, first_label, n_rows)
    start = np.random.default_rng(2).integers(0, 9, (2, n_cells, sign.shape[1]))
    wanted, by_row, by_cell = start.copy(), start.copy(), start.copy()
    twins.add(of_row, rows, delta, sign, first_label, wanted)
    tallies.add_sparse(pointers, cell_of_entry, rows, delta, sign, first_label, by_row)
    np.testing.assert_array_equal(by_row, wanted)

    listed = [[i for i in range(n_rows) if cell in of_row[i]] for cell in range(n_cells)]
    cell_pointers = np.cumsum([0, *map(len, listed)]).astype(np.int64)
    rows_of_cell = np.array([*chain(*listed)], dtype=np.int32)
    place = np.full(n_rows, -1, dtype=np.int32)
    place[rows] = np.arange(len(rows))
    above = sign[rows, first_label : first_label + n_labels] == 1
    positive_pointers = np.concatenate([[0], np.cumsum(above.sum(axis=1))]).astype(np.int64)
    for first, last in ((0, 5), (5, n_cells)):  # two workers
        tallies.add_by_cell(
            cell_pointers,
            rows_of_cell,
            0,
            first,
            last,
            place,
            np.where(above, 0, delta),
            positive_pointers,
            np.nonzero(above)[1],
            delta[above],
            first_label,
            by_cell,
        )
    np.testing.assert_array_equal(by_cell, wanted)


def test_by_cell_counts_cells_from_its_base():
    cells = np.zeros((2, 5, 2), dtype=np.int64)
    tallies.add_by_cell(
        np.array([0, 1, 2], dtype=np.int64),
        np.array([0, 1], dtype=np.int32),
        3,
        0,
        2,
        np.array([0, 1], dtype=np.int32),
        np.array([[5, 0], [7, 9]]),
        np.array([0, 1, 1], dtype=np.int64),
        np.array([1], dtype=np.int64),
        np.array([11], dtype=np.int64),
        0,
        cells,
    )
    assert cells[:, 3].tolist() == [[5, 0], [0, 11]]
    assert cells[:, 4].tolist() == [[7, 9], [0, 0]]
    assert not cells[:, :3].any()


@pytest.mark.parametrize("size", [0, 1, 9])
def test_split_signs(size):
    rng = np.random.default_rng(size)
    delta, sign = rng.integers(-5, 5, size), (rng.random(size + 2) < 0.4).astype(np.uint8)
    positive, negative = np.empty(size, dtype=np.int64), np.empty(size, dtype=np.int64)
    count = tallies.split_signs(delta, sign, 2, positive, negative)
    above = sign[2:] == 1
    assert positive[:count].tolist() == np.flatnonzero(above).tolist()
    assert negative.tolist() == np.where(above, 0, delta).tolist()


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("n_labels", "first_label"), [(1, 0), (1, 2), (4, 1)])
def test_dense_equals_brute_force(kind, n_labels, first_label):
    rng = np.random.default_rng(4)
    n_rows = 1 if kind == "one row" else ROWS
    bins = np.array([5, 1, 200, 3])
    codes = np.ascontiguousarray(rng.integers(0, bins, (n_rows, 4)).T.astype(np.uint8))
    first_cell = np.concatenate([[2], 2 + np.cumsum(bins)[:-1]])
    rows, delta, sign = change(kind, n_labels, first_label, n_rows)
    wanted = np.zeros((2, 2 + bins.sum(), sign.shape[1]), dtype=np.int64)
    found = wanted.copy()
    twins.add((codes.T + first_cell).tolist(), rows, delta, sign, first_label, wanted)
    for start, stop in ((0, 1), (1, 4)):
        tallies.add_dense(codes, first_cell, start, stop, rows, delta, sign, first_label, found)
    np.testing.assert_array_equal(found, wanted)


@pytest.mark.parametrize("n_labels", [1, 3])
@pytest.mark.parametrize("missing", [False, True])
@pytest.mark.parametrize("implicit", [-1, 0, 2, 4])
def test_true_sums(n_labels, missing, implicit):
    rng = np.random.default_rng(5)
    bins = 5
    stored = bins - (implicit >= 0) + missing
    cells = rng.integers(0, 2**50, (2, 3 + stored, n_labels))
    totals = cells[:, 3:].sum(axis=1) + (
        rng.integers(0, 2**50, (2, n_labels)) if implicit >= 0 else 0
    )
    sums = twins.bin_sums(cells, totals, 3, stored, implicit, missing)
    for pattern in range(2 ** (bins + 1)):
        inside = np.array([pattern >> b & 1 for b in range(bins + 1)], dtype=np.uint8)
        true, false = twins.two_sides(sums, inside)
        out = np.full((2, 2, n_labels), -1)
        tallies.true_sums(cells, totals, 3, stored, implicit, inside, out)
        np.testing.assert_array_equal(out, [false, true])


@pytest.mark.parametrize("size", [0, 1, 60])
def test_rows_inside(size):
    codes = np.random.default_rng(size).integers(0, 4, size).astype(np.uint8)
    for inside in ([0, 0, 0, 0], [1, 1, 1, 1], [0, 1, 0, 1]):
        rows = np.empty(size + 1, dtype=np.int32)
        flags = np.array(inside, dtype=np.uint8)
        count = tallies.rows_inside(codes, flags, rows)
        assert rows[:count].tolist() == np.flatnonzero(flags[codes]).tolist()


@pytest.mark.parametrize("size", [0, 1, 60])
def test_rows_outside(size):
    listed = np.random.default_rng(size).permutation(size)[: size // 2].astype(np.int32)
    mark, rows = np.zeros(size, dtype=np.uint8), np.empty(size - len(listed), dtype=np.int32)
    count = tallies.rows_outside(listed, mark, rows)
    assert rows[:count].tolist() == sorted(set(range(size)) - set(listed.tolist()))
    assert not mark.any()


@pytest.mark.parametrize("columns", [1, 3, 4, 9])
@pytest.mark.parametrize("n_rows", [1, 5, tallies.TILE + 3])
def test_sums_of_rows_equal_brute_force(columns, n_rows):
    rng = np.random.default_rng(columns)
    codes = rng.integers(0, 3, (columns, n_rows)).astype(np.uint8)
    first_cell = np.cumsum(rng.integers(3, 6, columns))  # other cells between them
    values = rng.integers(0, 2**64, int(first_cell[-1]) + 3, dtype=np.uint64)
    found = rng.integers(0, 9, n_rows).astype(np.uint64)
    wanted = found + values[first_cell[:, np.newaxis] + codes].sum(axis=0, dtype=np.uint64)
    half = n_rows // 2
    with np.errstate(over="ignore"):  # of sums modulo 2**64, without the compiler
        for first, last in ((0, half), (half, n_rows)):  # two workers
            tallies.add_row_sums(codes, first_cell, values, first, last, found)
    np.testing.assert_array_equal(found, wanted)
