"""Checks whether the arrays of a CSR matrix have the form that all other kernels rely on."""

import numpy as np

from underdog.kernels.jit import kernel

DAMAGED, UNSORTED, CANONICAL = -1, 0, 1


@kernel
def row_form(pointers, indices, n_columns):
    """CANONICAL, UNSORTED (columns of a row decrease or repeat), or DAMAGED (out of range).

    One vectorised pass finds the largest column and counts how often the next column is greater,
    which does not matter between rows.
    """
    stored = indices.shape[0]
    if pointers[0] != 0 or pointers[-1] != stored:
        return DAMAGED
    rows = 0
    between_rows = 0
    for i in range(pointers.shape[0] - 1):
        low, high = pointers[i], pointers[i + 1]
        if high < low or high > stored:
            return DAMAGED
        if high > low:
            rows += 1
            if low > 0:
                between_rows += np.int64(indices[low] > indices[low - 1])
    largest = np.uint32(0)  # a negative column becomes a very large one
    rises = 0
    for e in range(1, stored):
        largest = max(largest, np.uint32(indices[e]))
        rises += np.int64(indices[e] > indices[e - 1])
    if stored > 0:
        largest = max(largest, np.uint32(indices[0]))
        if largest >= n_columns:
            return DAMAGED
    return CANONICAL if rises - between_rows == stored - rows else UNSORTED
