"""Integer gradients of losses that are functions of the residual, in one pass."""

from underdog.kernels.elementary import nearest
from underdog.kernels.jit import kernel


@kernel
def amounts(value, relative, base, weight, repeats, low, high, by_sign, scales, first, last, out):
    """out[0] and out[1] = integer gradients and weights of rows first..last.

    The gradient is the residual clipped to [low, high]; with `by_sign` it is high where the
    residual is at least 0, and low elsewhere. low and high have an entry for each label.
    """
    for i in range(first, last):
        times = repeats[i]
        own = times * int(nearest(weight[i, 0] * scales[1]))
        for k in range(value.shape[1]):
            residual = value[i, k] - (relative[i, k] + base[k])
            if by_sign:
                gradient = high[k] if residual >= 0.0 else low[k]
            else:
                gradient = min(max(residual, low[k]), high[k])
            out[0, i, k] = times * int(nearest(gradient * weight[i, 0] * scales[0]))
            out[1, i, k] = own


@kernel
def largest(value, relative, base, out):
    """out[0] = the largest absolute residual."""
    found = 0.0
    for i in range(value.shape[0]):
        for k in range(value.shape[1]):
            found = max(found, abs(value[i, k] - (relative[i, k] + base[k])))
    out[0] = found
