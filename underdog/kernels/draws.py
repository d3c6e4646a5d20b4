"""Draws of rows by their keys."""

from contextlib import AbstractContextManager, nullcontext
from typing import Any

import numba
import numpy as np

from underdog.kernels.elementary import log
from underdog.kernels.jit import inner, kernel

STEP = np.uint64(0x9E3779B97F4A7C15)
FIRST, SECOND = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
BY_30, BY_27, BY_31 = np.uint64(30), np.uint64(27), np.uint64(31)


def wrapping() -> AbstractContextManager[Any]:
    """For calls of kernels with hashes: without the compiler NumPy warns where they wrap around."""
    return np.errstate(over="ignore") if numba.config.DISABLE_JIT else nullcontext()


@inner
def mix(number):
    """`data.hashing.mix` of one number."""
    z = number + STEP
    z = (z ^ (z >> BY_30)) * FIRST
    z = (z ^ (z >> BY_27)) * SECOND
    return z ^ (z >> BY_31)


@kernel
def draw(keys, start, limit, first, last, out):
    """out[i] = whether `mix(keys[i] + start)` is below a limit, for i in first..last."""
    for i in range(first, last):
        out[i] = mix(keys[i] + start) < limit


@kernel
def exponential(keys, start, first, last, out):
    """out[i] = -ln of a number between 0 and 1 that is drawn by keys[i], for i in first..last."""
    for i in range(first, last):
        bits = mix(keys[i] + start) >> np.uint64(11)
        out[i] = -log((np.float64(bits) + 0.5) * 2.0**-53)


@kernel
def weigh(fine, repeats, weights, scale, out):
    """out[channel, row, label] = amounts times scale * weights[row], rounded for each example."""
    for c in range(fine.shape[0]):
        for i in range(fine.shape[1]):
            factor, times = weights[i] * scale, repeats[i]
            for k in range(fine.shape[2]):
                each = fine[c, i, k] if times == 1 else fine[c, i, k] // times
                out[c, i, k] = np.int64(np.rint(each * factor)) * times
