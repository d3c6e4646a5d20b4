"""Sums of weights that are tilted by exponentials, as integers."""

import numpy as np

from underdog.kernels.elementary import exp, nearest
from underdog.kernels.jit import kernel


@kernel
def highest_tilt(logs, slope, step):
    """The largest logs[i] - step slope[i]; -inf if there is none."""
    highest = -np.inf
    for i in range(logs.shape[0]):
        highest = max(highest, logs[i] - step * slope[i])
    return highest


@kernel
def add_tilted(logs, slope, repeats, step, highest, scale, unit, out):
    """Add to out the integer sums of w, w v and w v**2.

    w = exp(logs - step slope - highest), at most 1, in units of 1 / unit; v = slope / scale.
    """
    zeroth = np.int64(0)
    first = np.int64(0)
    second = np.int64(0)
    for i in range(logs.shape[0]):
        weight = unit * exp(logs[i] - step * slope[i] - highest)
        v = slope[i] / scale
        zeroth += repeats[i] * np.int64(nearest(weight))
        first += repeats[i] * np.int64(nearest(weight * v))
        second += repeats[i] * np.int64(nearest(weight * v * v))
    out[0] += zeroth
    out[1] += first
    out[2] += second
