"""Scores of compiled models, which have one step function per column and no rounds.

Column u of the compiled model has cuts[pointers[u]:pointers[u + 1]]; its values are the rows
pointers[u] + u + bin of `table`, and missing[u]. All values are on the score grid, so the sums are
exact and equal to the staged scores bit for bit.
"""

import numpy as np

from underdog.kernels.binning import bin_of
from underdog.kernels.fetch import LINE, fetch
from underdog.kernels.jit import kernel

RUN = 256
LANES = 8
AHEAD = np.uint64(256)
FEW_CUTS = 24
ONE, TWO, THREE, FOUR = np.uint64(1), np.uint64(2), np.uint64(3), np.uint64(4)


@kernel
def predict_dense(matrix, columns, pointers, cuts, table, missing, start, stop, out):
    """out[i] += the step functions of matrix[i], for rows start..stop.

    Blocks of rows are processed column by column. If a column has few cuts, those below a value are
    counted with a few vector instructions.
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
    """out[i] = base plus the gains of the columns stored in row i; all entries have one value.

    gain[j * K + k] is added to label k for column j. Most of the time is memory access, so rows of
    several places are processed alternately, and their entries are prefetched.
    """
    labels = out.shape[1]
    lane = max((stop - start + LANES - 1) // LANES, 1)
    if labels == 1:
        for j in range(0, gain.shape[0], LINE // 8):
            fetch(gain, np.uint64(j))
    for first in range(start, start + lane):
        for i in range(first, stop, lane):
            low, high = row_pointers[i], row_pointers[i + 1]
            if labels == 1:
                out[i, 0] = base[0] + sum_of(gain, indices, np.uint64(low), np.uint64(high))
            else:
                for k in range(labels):
                    out[i, k] = base[k]
                for e in range(low, high):
                    for k in range(labels):
                        out[i, k] += gain[np.int64(indices[e]) * labels + k]


@kernel
def sum_of(gain, indices, low, high):
    """Sum of gain[indices[low:high]].

    Four independent sums, so that additions overlap; the order does not matter on the grid. The
    last up to three entries are always read, but added only if they exist: a branch on the length
    of a row would often be mispredicted.
    """
    if low == high:
        return 0.0
    a = b = c = d = 0.0
    e = low
    while e + THREE < high:
        fetch(indices, e + AHEAD)
        a += gain[np.uint32(indices[e])]
        b += gain[np.uint32(indices[e + ONE])]
        c += gain[np.uint32(indices[e + TWO])]
        d += gain[np.uint32(indices[e + THREE])]
        e += FOUR
    last = high - ONE
    first = gain[np.uint32(indices[min(e, last)])]
    second = gain[np.uint32(indices[min(e + ONE, last)])]
    third = gain[np.uint32(indices[last])]
    a += first if e < high else 0.0
    b += second if e + ONE < high else 0.0
    c += third if e + TWO < high else 0.0
    return (a + b) + (c + d)


@kernel
def rows_of_value(value, cuts, pointers, out):
    """out[u] = the table row of compiled column u for this value."""
    for u in range(out.shape[0]):
        out[u] = pointers[u] + u + bin_of(value, cuts, pointers[u], pointers[u + 1])


@kernel
def predict_sparse(
    row_pointers,
    indices,
    data,
    compiled,
    pointers,
    cuts,
    table,
    missing,
    zero_row,
    start,
    stop,
    out,
):
    """out[i] += contribution of the stored entries of row i, relative to an all-zero row.

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


@kernel
def above_zero(scores, side, out):
    """out[i] = 1 if side times the score of row i is positive, else 0; one label."""
    for i in range(out.shape[0]):
        out[i] = np.int64(side * scores[i, 0] > 0.0)
