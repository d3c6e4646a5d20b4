"""Two sums in one 64-bit integer: channel 0 in the upper half, channel 1 in the lower one."""

import numpy as np

from underdog.kernels.jit import inner_inlined
from underdog.kernels.tree_arrays import LOWER


@inner_inlined
def upper(packed):
    """Channel 0; 32 bits become floats in vector instructions, 64 bits do not everywhere."""
    return np.float64(np.int32(packed >> 32))


@inner_inlined
def lower(packed):
    """Channel 1."""
    return np.float64(np.int32(packed & LOWER))
