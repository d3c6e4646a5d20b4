"""Draws of rows by their keys."""

import numpy as np

from underdog.kernels.jit import kernel

STEP = np.uint64(0x9E3779B97F4A7C15)
FIRST, SECOND = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
BY_30, BY_27, BY_31 = np.uint64(30), np.uint64(27), np.uint64(31)


@kernel
def draw(keys, start, limit, first, last, out):
    """out[i] = whether `data.hashing.mix(keys[i] + start)` is below a limit, for i in first..last.

    Without the compiler, products that wrap around would be warned of: the caller ignores that.
    """
    for i in range(first, last):
        z = keys[i] + start + STEP
        z = (z ^ (z >> BY_30)) * FIRST
        z = (z ^ (z >> BY_27)) * SECOND
        out[i] = (z ^ (z >> BY_31)) < limit
