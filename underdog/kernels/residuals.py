"""Integer gradients, and losses, that are functions of the residual, in one pass."""

import numpy as np

from underdog.kernels.elementary import GRID, nearest
from underdog.kernels.jit import kernel

U = np.uint64


@kernel
def amounts(value, relative, base, weight, repeats, low, high, by_sign, scales, first, last, out):
    """out[0] and out[1] = integer gradients and weights of rows first..last.

    The gradient is the residual clipped to [low, high]; with `by_sign` it is high where the
    residual is at least 0, and low elsewhere. low and high have an entry for each label.
    """
    for k in range(U(value.shape[1])):
        least, most, start = low[k], high[k], base[k]
        for i in range(U(first), U(last)):
            residual = value[i, k] - (relative[i, k] + start)
            above = most if residual > most else residual  # min and max are not vectorised
            clipped = least if above < least else above
            sided = most if residual >= 0.0 else least
            gradient = sided if by_sign else clipped
            own = weight[i, U(0)]
            out[U(0), i, k] = repeats[i] * int(nearest(gradient * own * scales[0]))
            out[U(1), i, k] = repeats[i] * int(nearest(own * scales[1]))


@kernel
def losses(value, relative, base, weight, low, high, by_sign, out):
    """out[i] = weight times gradient times residual of row i; returns the largest residual.

    For one label. The gradient is the residual or, with `by_sign`, as in `amounts`. The largest is
    found by comparing bits, which is vectorised.
    """
    least, most, start, largest = low[0], high[0], base[0], np.int64(0)
    for i in range(U(out.shape[0])):
        residual = value[i, U(0)] - (relative[i, U(0)] + start)
        sided = most if residual >= 0.0 else least
        out[i] = weight[i, U(0)] * ((sided if by_sign else residual) * residual)
        bits = np.float64(abs(residual)).view(np.int64)
        largest = bits if bits > largest else largest
    return np.int64(largest).view(np.float64)


@kernel
def on_grid(value, relative, base, out):
    """out[i, k] = the residual of row i in units of the score grid, of which it is a multiple."""
    for k in range(U(value.shape[1])):
        start = base[k]
        for i in range(U(value.shape[0])):
            out[i, k] = np.int64((value[i, k] - (relative[i, k] + start)) * GRID)


@kernel
def largest(value, relative, base, out):
    """out[0] = the largest absolute residual, in four lanes that do not wait for each other."""
    a = b = c = d = 0.0
    n_rows = U(value.shape[0])
    fours = n_rows - n_rows % U(4)
    for k in range(U(value.shape[1])):
        for i in range(U(0), fours, U(4)):
            a = max(a, abs(value[i, k] - (relative[i, k] + base[k])))
            b = max(b, abs(value[i + U(1), k] - (relative[i + U(1), k] + base[k])))
            c = max(c, abs(value[i + U(2), k] - (relative[i + U(2), k] + base[k])))
            d = max(d, abs(value[i + U(3), k] - (relative[i + U(3), k] + base[k])))
        for i in range(fours, n_rows):
            a = max(a, abs(value[i, k] - (relative[i, k] + base[k])))
    out[0] = max(max(a, b), max(c, d))
