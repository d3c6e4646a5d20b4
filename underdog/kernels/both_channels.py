"""Sums of two channels over all rows at once, where every row counts in both.

The two sums of a cell are neighbours in memory, so that one visit of a row adds to both. Sums are
of integers: in which order rows are visited makes no difference.
"""

import numpy as np

from underdog.kernels.jit import kernel

U = np.uint64
TILE = 8192
"""Rows whose amounts stay in the cache while they are added to all columns."""
WIDTH = 512
"""Two sums for each of the 256 codes of a column."""


@kernel
def add_rows(codes, first_cell, sizes, start, stop, amounts, cells):
    """cells[channel, cell, 0] = sums of amounts[channel, row, 0], for columns start..stop of codes.

    The cells of column j are first_cell[j], ..., first_cell[j] + sizes[j] - 1. Two columns are
    visited at a time, so that additions overlap. The last of an odd number is its own partner,
    whose sums are not used.
    """
    n_rows = codes.shape[1]
    pairs = np.empty((min(TILE, n_rows), 2), np.int64)
    sums = np.zeros((stop - start + 1) * WIDTH, np.int64)
    for begin in range(0, n_rows, TILE):
        count = U(min(TILE, n_rows - begin))
        for r in range(count):
            pairs[r, U(0)] = amounts[U(0), r + U(begin), U(0)]
            pairs[r, U(1)] = amounts[U(1), r + U(begin), U(0)]
        for j in range(start, stop, 2):
            left, right = codes[j][begin:], codes[min(j + 1, stop - 1)][begin:]
            own = sums[WIDTH * (j - start) :]
            partner = sums[WIDTH * (j + 1 - start) :]
            for r in range(count):
                one, two = pairs[r, U(0)], pairs[r, U(1)]
                cell = U(2) * U(left[r])
                own[cell] += one
                own[cell + U(1)] += two
                cell = U(2) * U(right[r])
                partner[cell] += one
                partner[cell + U(1)] += two
    for j in range(start, stop):
        for code in range(sizes[j]):
            place = WIDTH * (j - start) + 2 * code
            cells[0, first_cell[j] + code, 0] = sums[place]
            cells[1, first_cell[j] + code, 0] = sums[place + 1]


@kernel
def list_rows(codes, sizes, largest, pointers, rows):
    """List the rows of each cell of dense codes, except those of the largest cell of a column.

    largest[j] is its code. Cells are numbered from 0 here, those of column j after those of the
    columns before. The rows of cell c are rows[pointers[c]:pointers[c + 1]]. Returns how many rows
    are listed.
    """
    counts = np.empty(256, np.int64)
    end = np.int64(0)
    cell = 0
    for j in range(codes.shape[0]):
        column = codes[j]
        counts[:] = 0
        for i in range(column.shape[0]):
            counts[column[i]] += 1
        largest[j] = counts.argmax()
        for code in range(sizes[j]):
            pointers[cell] = end
            cell += 1
            start = end
            if code != largest[j]:
                end += counts[code]
            counts[code] = start
        for i in range(column.shape[0]):
            if column[i] != largest[j]:
                rows[counts[column[i]]] = i
                counts[column[i]] += 1
    pointers[cell] = end
    return end


@kernel
def add_listed(pointers, rows, listed_from, largest, first_cell, sizes, start, stop, pairs, cells):
    """Like `add_rows`, for listed rows and pairs[row, channel]; sums stay in registers.

    Rows are visited two at a time, so that additions overlap.

    listed_from[j] is the first cell of column j by the numbers of the lists. If largest[j] is not
    negative, that cell of the column is not listed, and gets what the others leave of pairs[-1],
    the totals.
    """
    last = pairs.shape[0] - 1
    for j in range(start, stop):
        one_left, two_left = pairs[last, 0], pairs[last, 1]
        for code in range(sizes[j]):
            cell = listed_from[j] + code
            one, two = np.int64(0), np.int64(0)
            next_one, next_two = np.int64(0), np.int64(0)
            place, end = U(pointers[cell]), U(pointers[cell + 1])
            if (end - place) & U(1):
                row = U(rows[place])
                one, two = pairs[row, U(0)], pairs[row, U(1)]
                place += U(1)
            while place < end:
                row, next_row = U(rows[place]), U(rows[place + U(1)])
                one += pairs[row, U(0)]
                two += pairs[row, U(1)]
                next_one += pairs[next_row, U(0)]
                next_two += pairs[next_row, U(1)]
                place += U(2)
            one += next_one
            two += next_two
            one_left -= one
            two_left -= two
            cells[0, first_cell[j] + code, 0] = one
            cells[1, first_cell[j] + code, 0] = two
        if largest[j] >= 0:
            cells[0, first_cell[j] + largest[j], 0] = one_left
            cells[1, first_cell[j] + largest[j], 0] = two_left
