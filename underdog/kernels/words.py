"""Weighted words of documents of unit length."""

import numpy as np

from underdog.kernels.jit import kernel


@kernel
def add_squares(pointers, words, squares, out):
    """out[i] += the squares of the words of row i."""
    for i in range(pointers.shape[0] - 1):
        for entry in range(pointers[i], pointers[i + 1]):
            out[i] += squares[words[entry]]


@kernel
def add_words(pointers, words, factors, weights, grid, out):
    """out[i, k] += the weights of the words of row i times its factor, each of them on the grid."""
    for i in range(pointers.shape[0] - 1):
        factor = factors[i] * grid
        for k in range(weights.shape[1]):
            total = np.int64(0)
            for entry in range(pointers[i], pointers[i + 1]):
                total += np.int64(np.rint(factor * weights[words[entry], k]))
            out[i, k] += total / grid
