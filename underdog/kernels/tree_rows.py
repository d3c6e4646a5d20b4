"""Which rows of a node go to which side of a test."""

import numpy as np

from underdog.kernels.jit import inner, kernel

U = np.uint64


@kernel
def fill_sides(storage, columns, rows, j, inside, side):
    """side[r] = 1 where the test with these bins is true for row rows[r]."""
    if storage.place[j] >= 0:
        own = storage.columns[storage.place[j]]
        for r in range(rows.shape[0]):
            side[U(r)] = inside[U(own[U(rows[r])])]
        return
    implicit, mark = columns.implicit[j], storage.mark
    rest = inside[implicit] if implicit >= 0 else np.uint8(0)
    start = columns.first_cell[j] - storage.base
    for b in range(storage.stored[j]):
        level = b + 1 if implicit >= 0 and b >= implicit else b
        if inside[level] != rest:
            for at in range(storage.cell_pointers[start + b], storage.cell_pointers[start + b + 1]):
                mark[storage.cell_rows[at]] = 1
    for r in range(rows.shape[0]):
        side[r] = rest ^ mark[rows[r]]
    for b in range(storage.stored[j]):
        for at in range(storage.cell_pointers[start + b], storage.cell_pointers[start + b + 1]):
            mark[storage.cell_rows[at]] = 0


@kernel
def partition(rows, side, spare):
    """Put rows with side 0 before those with side 1, both in their order; returns how many."""
    low = high = U(0)
    for r in range(rows.shape[0]):
        i = rows[r]
        rows[low] = i
        spare[high] = i
        one = U(side[r])
        high += one
        low += U(1) - one
    for r in range(high):
        rows[low + r] = spare[r]
    return np.int64(low)


@inner
def examples_inside(storage, rows, side):
    """Examples where the test is true."""
    total = np.int64(0)
    if not storage.repeated:
        for r in range(rows.shape[0]):
            total += np.int64(side[r])
        return total
    for r in range(rows.shape[0]):
        total += side[r] * storage.repeats[rows[r]]
    return total


@inner
def examples_by_bin(storage, columns, rows, j, out):
    """out[b] = examples among rows whose bin of column j is b, the last one for missing values."""
    bins, implicit, mark, repeats = (
        columns.bins[j], columns.implicit[j], storage.mark, storage.repeats,
    )  # fmt: skip
    for b in range(bins + 1):
        out[b] = 0
    if storage.place[j] >= 0:
        own = storage.columns[storage.place[j]]
        for r in range(rows.shape[0]):
            out[own[rows[r]]] += repeats[rows[r]]
        return
    rest = 0
    for r in range(rows.shape[0]):
        mark[rows[r]] = 1
        rest += repeats[rows[r]]
    start = columns.first_cell[j] - storage.base
    for b in range(storage.stored[j]):
        level = b + 1 if implicit >= 0 and b >= implicit else b
        for at in range(storage.cell_pointers[start + b], storage.cell_pointers[start + b + 1]):
            out[level] += mark[storage.cell_rows[at]] * repeats[storage.cell_rows[at]]
        rest -= out[level]
    if implicit >= 0:
        out[implicit] = rest
    for r in range(rows.shape[0]):
        mark[rows[r]] = 0
