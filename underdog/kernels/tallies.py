"""Adding integer weights of rows to tallies.

A tally is cells[sign, cell, label]; every column has consecutive cells, one per stored bin. Most
examples are negative for most labels, so the negative labels of a row are added as one vector, and
its few positive labels one by one.
"""

import numpy as np

from underdog.kernels.jit import kernel

TILE = 4096
"""Rows whose sums stay in the cache while those of all columns are added."""


@kernel
def add_sparse(pointers, cell_of_entry, rows, delta, sign, first_label, cells):
    """Add delta[r] to every cell that row rows[r] stores.

    One label is the most common case; unsigned positions in a flat view avoid all index checks.
    """
    labels = delta.shape[1]
    flat = cells.reshape(cells.size)
    plane = np.uint64(cells.shape[1])
    if cells.shape[2] == 1:
        for r in range(rows.shape[0]):
            i = np.uint32(rows[r])
            amount = delta[r, 0]
            side = plane * np.uint64(sign[i, 0])
            first, last = np.uint64(pointers[i]), np.uint64(pointers[i + np.uint32(1)])
            for e in range(first, last):
                flat[side + np.uint64(cell_of_entry[e])] += amount
        return
    positive = np.empty(labels, np.int64)
    negative = np.empty(labels, np.int64)
    for r in range(rows.shape[0]):
        i = rows[r]
        count = split_signs(delta[r], sign[i], first_label, positive, negative)
        for e in range(pointers[i], pointers[i + 1]):
            below = cells[0, cell_of_entry[e], first_label : first_label + labels]
            for k in range(labels):
                below[k] += negative[k]
            above = cells[1, cell_of_entry[e], first_label : first_label + labels]
            for p in range(count):
                above[positive[p]] += delta[r, positive[p]]


@kernel
def split_signs(delta, sign, first_label, positive, negative):
    """negative[k] = delta[k], or 0 if label k is positive; positive labels are listed."""
    count = 0
    for k in range(delta.shape[0]):
        negative[k] = delta[k]
        if sign[first_label + k] == 1:
            negative[k] = 0
            positive[count] = k
            count += 1
    return count


@kernel
def add_by_cell(
    cell_pointers,
    rows_of_cell,
    base,
    start,
    stop,
    place,
    negative,
    positive_pointers,
    positive,
    amount,
    first_label,
    cells,
):
    """Like add_sparse, cell by cell: with many labels a cell is long, and visited only once.

    place[i] is the number r of row i among the changed rows, or -1; negative[r] its changes with
    those of its positive labels set to 0, which are positive[positive_pointers[r]:...] and
    `amount`. For cells base + start .. base + stop.
    """
    labels = negative.shape[1]
    for c in range(start, stop):
        below = cells[0, base + c, first_label : first_label + labels]
        above = cells[1, base + c, first_label : first_label + labels]
        for e in range(cell_pointers[c], cell_pointers[c + 1]):
            r = place[np.uint32(rows_of_cell[e])]
            if r < 0:
                continue
            own = negative[r]
            for k in range(labels):
                below[k] += own[k]
            for p in range(positive_pointers[r], positive_pointers[r + 1]):
                above[positive[p]] += amount[p]


@kernel
def add_dense(codes, first_cell, start, stop, rows, delta, sign, first_label, cells):
    """Add delta[r] to the cell of row rows[r] in each of the columns codes[start:stop].

    Column by column, so that the cells in use stay in the cache; with one label, two columns at a
    time, so that additions overlap. With several, the negative labels of a row are one vector.
    """
    labels = delta.shape[1]
    if cells.shape[2] == 1:
        flat = cells.reshape(cells.size)
        side = np.empty(rows.shape[0], np.uint32)
        for r in range(rows.shape[0]):
            side[r] = cells.shape[1] * np.int64(sign[np.uint32(rows[r]), 0])
        for j in range(start, stop, 2):
            partner = min(j + 1, stop - 1)
            counts = np.int64(partner > j)  # the last of an odd number is its own: add 0
            left, right = codes[j], codes[partner]
            first_left, first_right = np.uint64(first_cell[j]), np.uint64(first_cell[partner])
            for r in range(rows.shape[0]):
                i = np.uint32(rows[r])
                above, amount = np.uint64(side[r]), delta[r, 0]
                flat[first_left + above + np.uint64(left[i])] += amount
                flat[first_right + above + np.uint64(right[i])] += amount * counts
        return
    negative = np.empty(delta.shape, np.int64)
    positive = np.empty(delta.shape, np.int64)
    count = np.empty(rows.shape[0], np.int64)
    for r in range(rows.shape[0]):
        count[r] = split_signs(delta[r], sign[rows[r]], first_label, positive[r], negative[r])
    for j in range(start, stop):
        column = codes[j]
        for r in range(rows.shape[0]):
            cell, own = first_cell[j] + np.int64(column[np.uint32(rows[r])]), negative[r]
            below = cells[0, cell, first_label : first_label + labels]
            for k in range(labels):
                below[k] += own[k]
            for p in range(count[r]):
                k = positive[r, p]
                cells[1, cell, first_label + k] += delta[r, k]


@kernel
def add_row_sums(codes, first_cell, values, first, last, out):
    """out[i] += values of the cells of row i in all columns, for rows first..last.

    Some rows at a time, so that their sums stay in the cache, and four columns, so that lookups
    overlap.
    """
    columns = codes.shape[0]
    for begin in range(first, last, TILE):
        own = out[begin : min(begin + TILE, last)]
        count = np.uint64(own.shape[0])
        for j in range(0, columns - 3, 4):
            one, two = codes[j][begin:], codes[j + 1][begin:]
            three, four = codes[j + 2][begin:], codes[j + 3][begin:]
            of_one, of_two = values[first_cell[j] :], values[first_cell[j + 1] :]
            of_three, of_four = values[first_cell[j + 2] :], values[first_cell[j + 3] :]
            for r in range(count):
                left = of_one[np.uint64(one[r])] + of_two[np.uint64(two[r])]
                right = of_three[np.uint64(three[r])] + of_four[np.uint64(four[r])]
                own[r] += left + right
        for j in range(columns - columns % 4, columns):
            one, of_one = codes[j][begin:], values[first_cell[j] :]
            for r in range(count):
                own[r] += of_one[np.uint64(one[r])]


@kernel
def true_sums(cells, totals, first, stored, implicit, inside, out):
    """out[block, channel, label]: sums of the two sides of a test on one column.

    inside[b] is whether bin b is on the true side (the last entry is for missing values). If
    implicit is -1, all bins are stored; otherwise the sums of the implicit bin are the totals minus
    all others.
    """
    labels = totals.shape[1]
    out[:] = 0
    for c in range(stored):
        b = c
        if implicit >= 0 and c >= implicit:
            b = c + 1
        side = 1 if inside[b] else 0
        for s in range(cells.shape[0]):
            for k in range(labels):
                out[side, s, k] += cells[s, first + c, k]
    if implicit >= 0:
        side = 1 if inside[implicit] else 0
        for s in range(cells.shape[0]):
            for k in range(labels):
                out[side, s, k] = totals[s, k] - out[1 - side, s, k]


@kernel
def rows_inside(codes, inside, rows):
    """Rows of a dense column whose bin is inside; returns how many were written to rows."""
    count = 0
    for i in range(codes.shape[0]):
        rows[count] = i
        count += int(inside[codes[i]])
    return count


@kernel
def rows_outside(listed, mark, rows):
    """Rows not in `listed`; mark is an array of zeros, and is zero again afterwards."""
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
