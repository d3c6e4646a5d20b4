"""Which rows of a node go to which side of a test."""

import numpy as np

from underdog.kernels.jit import inner, kernel
from underdog.kernels.lent import lend

U = np.uint64
CODES = 256
FEW = 1024
"""Rows for which it is not worth it to clear and add up four counts."""


@inner
def mark_rows(storage, columns, j, inside, value, mark):
    """Mark the rows of a sparse column where the test is not what it is for the bin of zero."""
    implicit = columns.implicit[j]
    rest = inside[implicit] if implicit >= 0 else np.uint8(0)
    start = columns.first_cell[j] - storage.base
    for b in range(storage.stored[j]):
        level = b + 1 if implicit >= 0 and b >= implicit else b
        if inside[level] != rest:
            for at in range(storage.cell_pointers[start + b], storage.cell_pointers[start + b + 1]):
                mark[storage.cell_rows[at]] = value


@inner
def sides_of(storage, columns, rows, j, inside, mark, side):
    """side[r] = 1 where the test with these bins is true for row rows[r]; returns how often.

    The rows of a sparse column are marked.
    """
    true = np.int64(0)
    if storage.place[j] >= 0:
        own = storage.columns[storage.place[j]]
        for r in range(rows.shape[0]):
            one = inside[U(own[U(rows[r])])]
            side[U(r)] = one
            true += np.int64(one)
        return true
    implicit = columns.implicit[j]
    rest = inside[implicit] if implicit >= 0 else np.uint8(0)
    for r in range(rows.shape[0]):
        side[r] = rest ^ mark[rows[r]]
        true += np.int64(side[r])
    return true


@inner
def scatter(rows, side, low, high, out):
    """Write rows with side 0 to out[low:], those with side 1 to out[high:], both in their order."""
    low, high = U(low), U(high)
    for r in range(rows.shape[0]):
        one = U(side[r])
        out[high if one else low] = rows[r]
        high += one
        low += U(1) - one


@inner
def part_rows(storage, columns, rows, j, inside, mark, spare):
    """Put rows where a test is false before those where it is true; returns how many of the latter.

    One pass without branches: a row is written to both places, and what was not meant is written
    over. Both sides stay in their order. The rows of a sparse column are marked.
    """
    low, high = U(0), U(0)
    if storage.place[j] >= 0:
        own = storage.columns[storage.place[j]]
        for r in range(U(rows.shape[0])):
            row = rows[r]
            one = U(inside[U(own[U(row)])])
            rows[low] = spare[high] = row
            high += one
            low += U(1) - one
    else:
        implicit = columns.implicit[j]
        rest = inside[implicit] if implicit >= 0 else np.uint8(0)
        for r in range(U(rows.shape[0])):
            row = rows[r]
            one = U(rest ^ mark[U(row)])
            rows[low] = spare[high] = row
            high += one
            low += U(1) - one
    for r in range(high):
        rows[low + r] = spare[r]
    return np.int64(high)


@inner
def divide_here(storage, columns, rows, j, inside, mark, spare):
    """Put rows where a test is false before those where it is true; returns where these begin."""
    if storage.place[j] < 0:
        mark_rows(storage, columns, j, inside, np.uint8(1), mark)
    true = part_rows(storage, columns, rows, j, inside, mark, spare)
    if storage.place[j] < 0:
        mark_rows(storage, columns, j, inside, np.uint8(0), mark)
    return rows.shape[0] - true


@kernel
def divide_rows(storage, columns, rows, j, inside, mark, spare):
    """`divide_here`, for calls from Python."""
    return divide_here(lend(storage), lend(columns), rows, j, inside, mark, spare)


@inner
def examples_of(repeats, rows, side):
    """Examples of the rows on side 1, if row i stands for repeats[i] of them."""
    total = np.int64(0)
    for r in range(rows.shape[0]):
        total += side[r] * repeats[rows[r]]
    return total


@inner
def examples_in(repeats, rows):
    """Examples of these rows."""
    total = np.int64(0)
    for r in range(rows.shape[0]):
        total += repeats[rows[r]]
    return total


@inner
def examples_by_cell(storage, columns, j, out):
    """`examples_by_bin`, given those of each cell: the bin that is not stored has the rest."""
    first, implicit, rest = columns.first_cell[j], columns.implicit[j], storage.examples[-1]
    for b in range(storage.stored[j]):
        level = b + 1 if implicit >= 0 and b >= implicit else b
        out[level] = storage.examples[first + b]
        rest -= out[level]
    if implicit >= 0:
        out[implicit] = rest


@inner
def count_examples(storage, columns, rows, out):
    """out[cell] = examples among rows."""
    first_cell, repeats = columns.first_cell, storage.repeats
    for cell in range(out.shape[0]):
        out[cell] = 0
    for r in range(rows.shape[0]):
        i = rows[r]
        for place in range(storage.pointers[i], storage.pointers[i + 1]):
            out[storage.cells[place]] += repeats[i]
    for j in range(storage.place.shape[0]):
        if storage.place[j] >= 0:
            own, first = storage.columns[storage.place[j]], first_cell[j]
            for r in range(rows.shape[0]):
                out[first + own[rows[r]]] += repeats[rows[r]]


@inner
def count_bins(codes, rows, n_bins, out):
    """out[b] = how many rows have code b.

    Each of four neighbours has counts of its own: an addition waits for the last one to its place.
    """
    count, r = U(rows.shape[0]), U(0)
    if count < U(FEW):
        for b in range(U(n_bins)):
            out[b] = 0
        for r in range(count):
            out[U(codes[U(rows[r])])] += 1
        return
    counts = np.zeros(4 * CODES, np.int64)
    while r + U(4) <= count:
        counts[U(codes[U(rows[r])])] += 1
        counts[U(CODES) + U(codes[U(rows[r + U(1)])])] += 1
        counts[U(2 * CODES) + U(codes[U(rows[r + U(2)])])] += 1
        counts[U(3 * CODES) + U(codes[U(rows[r + U(3)])])] += 1
        r += U(4)
    while r < count:
        counts[U(codes[U(rows[r])])] += 1
        r += U(1)
    for b in range(U(n_bins)):
        out[b] = (counts[b] + counts[U(CODES) + b]) + (
            counts[U(2 * CODES) + b] + counts[U(3 * CODES) + b]
        )


@inner
def mark_all(rows, value, mark):
    """mark[i] = value for some rows."""
    for r in range(U(rows.shape[0])):
        mark[U(rows[r])] = value


@inner
def examples_by_bin(storage, columns, rows, everything, j, mark, out):
    """out[b] = examples among rows whose bin of column j is b, the last one for missing values.

    `everything` is the number of all of them. For sparse columns the rows are marked.
    """
    bins, implicit, repeats = columns.bins[j], columns.implicit[j], storage.repeats
    if storage.examples.shape[0] == 0 and storage.place[j] >= 0 and not storage.repeated:
        count_bins(storage.columns[storage.place[j]], rows, bins + 1, out)
        return
    for b in range(bins + 1):
        out[b] = 0
    if storage.examples.shape[0] > 0:
        examples_by_cell(storage, columns, j, out)
        return
    if storage.place[j] >= 0:
        own = storage.columns[storage.place[j]]
        for r in range(rows.shape[0]):
            out[own[rows[r]]] += repeats[rows[r]]
        return
    rest = everything
    start = columns.first_cell[j] - storage.base
    for b in range(storage.stored[j]):
        level = b + 1 if implicit >= 0 and b >= implicit else b
        for at in range(storage.cell_pointers[start + b], storage.cell_pointers[start + b + 1]):
            out[level] += mark[storage.cell_rows[at]] * repeats[storage.cell_rows[at]]
        rest -= out[level]
    if implicit >= 0:
        out[implicit] = rest
