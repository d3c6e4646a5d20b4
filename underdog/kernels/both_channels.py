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
