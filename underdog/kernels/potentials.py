"""Sums over examples whose weight and potential depend on where their margin is.

With x = (margin + step toward - centre) / width, the weight of an example is u exp(-x**2) and its
potential u erfc(x). `held` is for potentials that are at most u: where x <= 0, the potential is u
and the weight 0. Terms are rounded to integers, so that sums do not depend on the order of the
examples. They are relative to exp(highest) and exp(heaviest), so that they neither vanish nor
overflow.
"""

import numpy as np

from underdog.kernels.elementary import exp, nearest
from underdog.kernels.error_function import SEAM, erfc, erfcx
from underdog.kernels.jit import kernel

MOMENTS = 8
"""Of `add_moments`: the potential, and sums of the weights times powers of x and `toward`."""


@kernel
def potential_each(x, held, out):
    """out[i] = erfc(x[i]), or 1 if it is more and `held`."""
    for i in range(x.shape[0]):
        value = erfc(x[i])
        out[i] = 1.0 if held and value > 1.0 else value


@kernel
def find_highest(margin, toward, log_weight, step, centre, width, held, out):
    """out = the largest ln(u) - max(x, 0)**2, and the largest logarithm of a weight."""
    highest = -np.inf
    heaviest = -np.inf
    for i in range(margin.shape[0]):
        x = (margin[i] + step * toward[i] - centre) / width
        log_own = log_weight[i] - x * x
        highest = max(highest, log_own if x > 0.0 else log_weight[i])
        if x > 0.0 or not held:
            heaviest = max(heaviest, log_own)
    out[0] = highest
    out[1] = heaviest


@kernel
def add_moments(
    margin, toward, log_weight, repeats, step, centre, width, held, highest, heaviest, scale, unit,
    out,
):  # fmt: skip
    """Add to out the integer sums of potentials and of weights w, with v = x / scale.

    out[0] has the potentials, in units of exp(highest) / unit. The others have w, w v, w v**2, and
    w t, w v t, w v**2 t, w v t**2 with t = toward, in units of exp(heaviest) / (2 unit).
    """
    share = exp(heaviest - highest) if heaviest > -np.inf else 0.0
    fine = 2.0 * unit
    sums = np.zeros(MOMENTS, np.int64)
    for i in range(margin.shape[0]):
        x = (margin[i] + step * toward[i] - centre) / width
        weight = 0.0
        if x > 0.0 or not held:
            weight = exp(log_weight[i] - x * x - heaviest)
        if x > SEAM:
            potential = weight * share * erfcx(x)
        else:
            potential = exp(log_weight[i] - highest)
            if x > 0.0 or not held:
                potential *= erfc(x)
        v = x / scale
        times = repeats[i]
        sums[0] += times * np.int64(nearest(potential * unit))
        if weight > 0.0:
            weight *= fine
            sums[1] += times * np.int64(nearest(weight))
            sums[2] += times * np.int64(nearest(weight * v))
            sums[3] += times * np.int64(nearest(weight * v * v))
            weight *= toward[i]
            sums[4] += times * np.int64(nearest(weight))
            sums[5] += times * np.int64(nearest(weight * v))
            sums[6] += times * np.int64(nearest(weight * v * v))
            sums[7] += times * np.int64(nearest(weight * v * toward[i]))
    for k in range(MOMENTS):
        out[k] += sums[k]
