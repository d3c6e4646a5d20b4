"""Scores of compiled models: one step function per column, a search per value, no round left over.

Column u of the compiled model has cuts[pointers[u]:pointers[u + 1]]; its values are the rows
pointers[u] + u + bin of `table`, and missing[u]. All values lie on the score grid, so the sums are
exact and equal the staged ones bit for bit.
"""

import numpy as np

from underdog.kernels.binning import bin_of
from underdog.kernels.jit import kernel


@kernel
def predict_dense(matrix, columns, pointers, cuts, table, missing, start, stop, out):
    """out[i] += the step functions of matrix[i], for rows start..stop."""
    labels = out.shape[1]
    for i in range(start, stop):
        for u in range(columns.shape[0]):
            value = matrix[i, columns[u]]
            if value != value:
                for k in range(labels):
                    out[i, k] += missing[u, k]
            else:
                row = pointers[u] + u + bin_of(value, cuts, pointers[u], pointers[u + 1])
                for k in range(labels):
                    out[i, k] += table[row, k]


@kernel
def zero_rows(cuts, pointers, out):
    """out[u] = the table row of compiled column u for the value zero."""
    for u in range(out.shape[0]):
        out[u] = pointers[u] + u + bin_of(0.0, cuts, pointers[u], pointers[u + 1])


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
