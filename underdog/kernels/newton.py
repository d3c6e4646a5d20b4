"""Gradients, curvatures and losses of all rows in one pass."""

import numpy as np

from underdog.kernels.elementary import nearest, quick_sigmoid, softplus
from underdog.kernels.jit import kernel

U = np.uint64
CHUNK = 256  # rows whose probabilities are computed at once, in vector instructions


@kernel
def logistic_amounts(relative, base, sign, weight, repeats, scale, first, last, out):
    """out[0] and out[1] = integer gradients y* - p and curvatures p (1 - p) of rows first..last.

    p = 1 / (1 + exp(-F)), F = relative + base; weight has a column for all labels, or one for each.
    """
    p = np.empty(CHUNK)
    for k in range(U(relative.shape[1])):
        column = k if weight.shape[1] > 1 else U(0)
        for start in range(first, last, CHUNK):
            begin, count = U(start), U(min(CHUNK, last - start))
            for r in range(count):
                p[r] = relative[begin + r, k] + base[k]
            for r in range(count):
                p[r] = quick_sigmoid(p[r])
            for r in range(count):
                i = begin + r
                own = weight[i, column] * scale
                out[U(0), i, k] = repeats[i] * int(nearest((sign[i, k] - p[r]) * own))
                out[U(1), i, k] = repeats[i] * int(nearest(p[r] * (1.0 - p[r]) * own))


@kernel
def logistic_losses(relative, base, sign, weight, first, last, out):
    """out[i] = the sum over labels of weight times ln(1 + exp(-y F)), for rows first..last."""
    loss = np.empty(CHUNK)
    for k in range(U(relative.shape[1])):
        column = k if weight.shape[1] > 1 else U(0)
        for start in range(first, last, CHUNK):
            begin, count = U(start), U(min(CHUNK, last - start))
            for r in range(count):
                score = relative[begin + r, k] + base[k]
                loss[r] = -score if sign[begin + r, k] == 1 else score
            for r in range(count):
                loss[r] = softplus(loss[r])
            for r in range(count):
                own = weight[begin + r, column] * loss[r]
                out[begin + r] = own if k == U(0) else out[begin + r] + own
