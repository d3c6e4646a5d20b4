"""Scores of compiled models: one step function per column, a search per value, no round left over.

Column u of the compiled model has cuts[pointers[u]:pointers[u + 1]]; its values are the rows
pointers[u] + u + bin of `table`, and missing[u]. All values lie on the score grid, so the sums are
exact and equal the staged ones bit for bit.
"""

import numpy as np

from underdog.kernels.binning import bin_of
from underdog.kernels.jit import kernel

RUN = 256
LANES = 4
FEW_CUTS = 24
ONE = np.uint64(1)


@kernel
def predict_dense(matrix, columns, pointers, cuts, table, missing, start, stop, out):
    """out[i] += the step functions of matrix[i], for rows start..stop.

    Runs of rows are taken column by column: with few cuts, counting those below a value is a
    handful of vector instructions.
    """
    labels = out.shape[1]
    run = np.empty(RUN)
    place = np.empty(RUN, np.int64)
    for first in range(start, stop, RUN):
        size = min(RUN, stop - first)
        for u in range(columns.shape[0]):
            column = columns[u]
            for i in range(size):
                run[i] = matrix[first + i, column]
            low, high = pointers[u], pointers[u + 1]
            if high - low <= FEW_CUTS:
                for i in range(size):
                    place[i] = low + u
                for t in range(low, high):
                    cut = cuts[t]
                    for i in range(size):
                        place[i] += np.int64(run[i] > cut)
            else:
                for i in range(size):
                    place[i] = low + u + bin_of(run[i], cuts, low, high)
            for i in range(size):
                if run[i] == run[i]:
                    for k in range(labels):
                        out[first + i, k] += table[np.uint64(place[i]), k]
                else:
                    for k in range(labels):
                        out[first + i, k] += missing[u, k]


@kernel
def predict_constant(row_pointers, indices, base, gain, start, stop, out):
    """out[i] = base and gain[j] for every column j that row i stores: one value for all entries.

    Rows of four places are taken in turn: while one waits for memory, the others are on their way.
    """
    labels = out.shape[1]
    lane = max((stop - start + LANES - 1) // LANES, 1)
    for first in range(start, start + lane):
        for i in range(first, stop, lane):
            if labels == 1:
                # Two sums: one addition need not wait for the other, and the grid is exact.
                even, odd = base[0], 0.0
                e, stop_ = np.uint64(row_pointers[i]), np.uint64(row_pointers[i + 1])
                while e + ONE < stop_:
                    even += gain[np.uint32(indices[e]), 0]
                    odd += gain[np.uint32(indices[e + ONE]), 0]
                    e += ONE + ONE
                if e < stop_:
                    even += gain[np.uint32(indices[e]), 0]
                out[i, 0] = even + odd
            else:
                for k in range(labels):
                    out[i, k] = base[k]
                for e in range(row_pointers[i], row_pointers[i + 1]):
                    for k in range(labels):
                        out[i, k] += gain[indices[e], k]


@kernel
def rows_of_value(value, cuts, pointers, out):
    """out[u] = the table row of compiled column u for this value."""
    for u in range(out.shape[0]):
        out[u] = pointers[u] + u + bin_of(value, cuts, pointers[u], pointers[u + 1])


@kernel
def predict_sparse(
    row_pointers, indices, data, compiled, pointers, cuts, table, missing, zero_row, start, stop,
    out,
):
    """out[i] += what the stored entries of row i add to the score of an all-zero row.

    compiled[j] is the compiled column of column j, or -1; zero_row[u] its table row for zero.
    """
    labels = out.shape[1]
    for i in range(start, stop):
        for e in range(row_pointers[i], row_pointers[i + 1]):
            u = compiled[indices[e]]
            if u < 0:
                continue
            value = data[e]
            zero = zero_row[u]
            if value != value:
                for k in range(labels):
                    out[i, k] += missing[u, k] - table[zero, k]
            else:
                row = pointers[u] + u + bin_of(value, cuts, pointers[u], pointers[u + 1])
                if row != zero:
                    for k in range(labels):
                        out[i, k] += table[row, k] - table[zero, k]


@kernel
def predict_codes(codes, table, start, stop, out):
    """out[i] += table[codes[i]]."""
    for i in range(start, stop):
        for k in range(out.shape[1]):
            out[i, k] += table[np.int64(codes[i]), k]
