"""Sums of two channels over all rows at once, where every row counts in both.

The two sums of a cell are neighbours in memory, so that one visit of a row adds to both. Sums are
of integers: in which order rows are visited makes no difference.
"""

import numpy as np

from underdog.kernels.jit import kernel
from underdog.kernels.lanes import add_pairs, first_of, no_pair, pair_at, second_of

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
    counts = np.empty((2, 256), np.int64)  # of every second row: equal neighbours do not wait
    places, step = np.empty(256, np.int64), np.empty(256, np.int64)
    end = np.int64(0)
    cell = 0
    for j in range(codes.shape[0]):
        column = codes[j]
        if sizes[j] == 1:
            largest[j], pointers[cell] = 0, end
            cell += 1
            continue
        counts[:] = 0
        for i in range(U(column.shape[0])):
            counts[i & U(1), column[i]] += 1
        largest[j] = (counts[0] + counts[1]).argmax()
        for code in range(sizes[j]):
            pointers[cell] = end
            cell += 1
            places[code], step[code] = end, 1
            if code != largest[j]:
                end += counts[0, code] + counts[1, code]
        # Rows of the largest cell are written to the place after all others, each over the last.
        places[largest[j]], step[largest[j]] = end, 0
        for i in range(U(column.shape[0])):
            code = column[i]
            rows[U(places[code])] = i
            places[code] += step[code]
    pointers[cell] = end
    return end


@kernel
def pair_up(amounts, pairs):
    """pairs[row] = the amounts[channel, row, 0] of both channels; pairs[-1] = their totals."""
    n_rows = pairs.shape[0] - 1
    one, two = np.int64(0), np.int64(0)
    for i in range(U(n_rows)):
        pairs[i, U(0)] = amounts[U(0), i, U(0)]
        pairs[i, U(1)] = amounts[U(1), i, U(0)]
        one += pairs[i, U(0)]
        two += pairs[i, U(1)]
    pairs[n_rows, 0], pairs[n_rows, 1] = one, two


@kernel
def add_listed(pointers, rows, listed_from, largest, first_cell, sizes, start, stop, pairs, cells):
    """Like `add_rows`, for listed rows and pairs[row, channel]; sums stay in registers.

    Rows are visited four at a time, so that additions overlap.

    listed_from[j] is the first cell of column j by the numbers of the lists. If largest[j] is not
    negative, that cell of the column is not listed, and gets what the others leave of pairs[-1],
    the totals.
    """
    last = pairs.shape[0] - 1
    for j in range(start, stop):
        one_left, two_left = pairs[last, 0], pairs[last, 1]
        for code in range(sizes[j]):
            cell = listed_from[j] + code
            a, b, c, d = no_pair(), no_pair(), no_pair(), no_pair()
            place, end = U(pointers[cell]), U(pointers[cell + 1])
            while place + U(4) <= end:
                a = add_pairs(a, pair_at(pairs, U(rows[place])))
                b = add_pairs(b, pair_at(pairs, U(rows[place + U(1)])))
                c = add_pairs(c, pair_at(pairs, U(rows[place + U(2)])))
                d = add_pairs(d, pair_at(pairs, U(rows[place + U(3)])))
                place += U(4)
            while place < end:
                a = add_pairs(a, pair_at(pairs, U(rows[place])))
                place += U(1)
            both = add_pairs(add_pairs(a, b), add_pairs(c, d))
            one, two = first_of(both), second_of(both)
            one_left -= one
            two_left -= two
            cells[0, first_cell[j] + code, 0] = one
            cells[1, first_cell[j] + code, 0] = two
        if largest[j] >= 0:
            cells[0, first_cell[j] + largest[j], 0] = one_left
            cells[1, first_cell[j] + largest[j], 0] = two_left
