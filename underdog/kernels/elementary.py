"""exp, log and rounding made of IEEE operations only.

A vendor's vector library gives one result in a vector lane, another in a loop's tail and a third
on the next machine. These give the same bits everywhere, compiled or interpreted, and are accurate
to about one unit in the last place.
"""

import math

import numpy as np

from underdog.kernels.jit import kernel

GRID_BITS = 36
"""Scores are multiples of 2**-36: their sums are exact in float64 while they stay below 2**16."""
GRID = 2.0**GRID_BITS

INVERSE_LN2 = 1.4426950408889634
LN2_HIGH = 6.93147180369123816490e-01  # 32 bits, so that n * LN2_HIGH is exact for |n| < 2**20
LN2_LOW = 1.90821492927058770002e-10
SQRT_HALF = 0.7071067811865476
ROUNDER = 2.0**52  # adding and subtracting it rounds a positive number to a whole one

LOWEST_POWER = -1022
POWERS = np.ldexp(1.0, np.arange(LOWEST_POWER, 1024))


@kernel
def nearest(x):
    """The nearest integer as a float, ties to even; faster than a call of rint."""
    size = abs(x)
    if size < ROUNDER:
        size = (size + ROUNDER) - ROUNDER
    return size if x >= 0.0 else -size


@kernel
def reduced_exp(r):
    """exp(r) for |r| <= ln(2)/2: Taylor to r**13 (the rest is below 1e-17), summed in pairs."""
    r2 = r * r
    r4 = r2 * r2
    r8 = r4 * r4
    p01 = 1.0 + r
    p23 = 0.5 + r * (1.0 / 6.0)
    p45 = 1.0 / 24.0 + r * (1.0 / 120.0)
    p67 = 1.0 / 720.0 + r * (1.0 / 5040.0)
    p89 = 1.0 / 40320.0 + r * (1.0 / 362880.0)
    pab = 1.0 / 3628800.0 + r * (1.0 / 39916800.0)
    pcd = 1.0 / 479001600.0 + r * (1.0 / 6227020800.0)
    low = p01 + (r2 * p23 + r4 * (p45 + r2 * p67))
    return low + r8 * (p89 + r2 * (pab + r2 * pcd))


@kernel
def exp(x):
    """exp(x); 0 below the normal range, the largest power of two above it."""
    if x < -708.0:
        return 0.0
    if x > 709.0:
        return POWERS[2045]
    n = nearest(x * INVERSE_LN2)
    r = (x - n * LN2_HIGH) - n * LN2_LOW
    return reduced_exp(r) * POWERS[np.int64(n) - LOWEST_POWER]


@kernel
def log(x):
    """ln(x) for x > 0 by the series of 2 atanh((m - 1) / (m + 1)); -inf at 0."""
    if x <= 0.0:
        return -np.inf
    m, e = math.frexp(x)
    if m < SQRT_HALF:
        m = m * 2.0
        e = e - 1
    s = (m - 1.0) / (m + 1.0)
    z = s * s
    p = 1.0 / 25.0
    p = p * z + 1.0 / 23.0
    p = p * z + 1.0 / 21.0
    p = p * z + 1.0 / 19.0
    p = p * z + 1.0 / 17.0
    p = p * z + 1.0 / 15.0
    p = p * z + 1.0 / 13.0
    p = p * z + 1.0 / 11.0
    p = p * z + 1.0 / 9.0
    p = p * z + 1.0 / 7.0
    p = p * z + 1.0 / 5.0
    p = p * z + 1.0 / 3.0
    series = 2.0 * s + 2.0 * s * (z * p)
    return e * LN2_HIGH + (series + e * LN2_LOW)


@kernel
def to_grid(x):
    """The nearest multiple of 2**-36."""
    return nearest(x * GRID) / GRID


@kernel
def log_each(values, out):
    """out[i] = ln(values[i])."""
    for i in range(values.shape[0]):
        out[i] = log(values[i])


@kernel
def exp_each(values, out):
    """out[i] = exp(values[i])."""
    for i in range(values.shape[0]):
        out[i] = exp(values[i])
