"""Adding integer weights to the tallies of the features they touch.

A tally is cells[cell, sign, label]; every column owns a run of cells, one per stored bin. Most
examples are negative for most labels, so a row's negative labels are added as one vector and its
few positive ones singly.
"""

import numpy as np

from underdog.kernels.jit import kernel


@kernel
def add_sparse(pointers, cell_of_entry, rows, delta, sign, first_label, cells):
    """Add delta[r] to every cell that row rows[r] stores."""
    labels = delta.shape[1]
    positive = np.empty(labels, np.int64)
    negative = np.empty(labels, np.int64)
    for r in range(rows.shape[0]):
        i = rows[r]
        if labels == 1:
            amount = delta[r, 0]
            if amount != 0:
                s = np.int64(sign[i, first_label])
                for e in range(pointers[i], pointers[i + 1]):
                    cells[cell_of_entry[e], s, first_label] += amount
            continue
        count = 0
        for k in range(labels):
            negative[k] = delta[r, k]
            if sign[i, first_label + k] == 1:
                negative[k] = 0
                positive[count] = k
                count += 1
        for e in range(pointers[i], pointers[i + 1]):
            below = cells[cell_of_entry[e], 0]
            for k in range(labels):
                below[first_label + k] += negative[k]
            above = cells[cell_of_entry[e], 1]
            for p in range(count):
                above[first_label + positive[p]] += delta[r, positive[p]]


@kernel
def add_dense(codes, first_cell, start, stop, rows, delta, sign, first_label, cells):
    """Add delta[r] to the cell of row rows[r] in each column of codes[:, start:stop]."""
    labels = delta.shape[1]
    for r in range(rows.shape[0]):
        i = rows[r]
        if labels == 1:
            amount = delta[r, 0]
            if amount != 0:
                s = np.int64(sign[i, first_label])
                for j in range(start, stop):
                    cells[first_cell[j] + np.int64(codes[i, j]), s, first_label] += amount
            continue
        for j in range(start, stop):
            cell = first_cell[j] + np.int64(codes[i, j])
            for k in range(labels):
                s = np.int64(sign[i, first_label + k])
                cells[cell, s, first_label + k] += delta[r, k]


@kernel
def true_sums(cells, totals, first, stored, implicit, inside, out):
    """out[block, sign, label]: sums of the two sides of a test on one column.

    inside[b] says whether bin b is on the true side (the last entry is the missing bin). A column
    that stores its implicit bin (-1) has one cell per bin; otherwise that bin is what is left.
    """
    labels = totals.shape[1]
    out[:] = 0
    for c in range(stored):
        b = c
        if implicit >= 0 and c >= implicit:
            b = c + 1
        side = 1 if inside[b] else 0
        for s in range(2):
            for k in range(labels):
                out[side, s, k] += cells[first + c, s, k]
    if implicit >= 0:
        side = 1 if inside[implicit] else 0
        for s in range(2):
            for k in range(labels):
                out[side, s, k] = totals[s, k] - out[1 - side, s, k]


@kernel
def rows_inside(codes, inside, rows):
    """Rows of a dense column whose bin is inside; returns how many were written to rows."""
    count = 0
    for i in range(codes.shape[0]):
        rows[count] = i
        count += inside[codes[i]]
    return count


@kernel
def rows_outside(listed, mark, rows):
    """Rows not in `listed`; mark is a scratch array of zeros and is left so."""
    for e in range(listed.shape[0]):
        mark[listed[e]] = 1
    count = 0
    for i in range(mark.shape[0]):
        if mark[i] == 0:
            rows[count] = i
            count += 1
    for e in range(listed.shape[0]):
        mark[listed[e]] = 0
    return count
