"""erf, erfc and erfcx, made of IEEE operations only, like those of `underdog.kernels.elementary`.

Up to 5/8, erf is computed by its Taylor series. Above, erfc(x) = exp(-x**2) p(t) / (1 + 2 x), where
p is a polynomial of t = (x - 7/2) / (x + 7/2). It interpolates a function with values between 1.1
and 1.3 at Chebyshev points, up to where erfc underflows. Results are accurate to less than one unit
in the last place, also subnormal ones, and NaN for NaN.
"""

import math

import numpy as np

from underdog.kernels.elementary import (
    exact_product,
    exact_sum,
    exp_parts,
    quotient,
    two_factors,
)
from underdog.kernels.jit import inlined

SEAM = 0.625  # both formulas are equally accurate there
END = 27.5  # erfc is 0 from 27.23 on
CENTRE = 3.5
INVERSE_ROOT_PI = 0.5641895835477563

FIRST = 0.1283791670955126  # 2 / sqrt(pi) - 1
SERIES = np.array(
    [(1.0 + FIRST) * (-1.0) ** k / (math.factorial(k) * (2 * k + 1)) for k in range(13, 0, -1)]
    + [FIRST]
)
"""erf(x) / x - 1 in powers of x**2, the highest first; the remaining terms are below 1e-18."""

TAIL = np.array(
    [
        1.0673712203997113e-08,
        2.711444611652207e-10,
        -9.37315722782662e-08,
        -7.163212047105964e-09,
        6.009595355281666e-07,
        -4.505640149648773e-08,
        -3.81490396080431e-06,
        2.3287858614804294e-06,
        2.4261145721531664e-05,
        -4.2782396664033574e-05,
        -0.00012151247865783988,
        0.0005643844529819253,
        -0.0003022678676242785,
        -0.004215019912388919,
        0.01909933094140843,
        -0.04882332582755323,
        0.08798315382491974,
        -0.11508959816020557,
        0.09751909515325728,
        -0.010555596332218082,
        -0.1400091801376194,
        1.2423492448711544,
    ]
)
"""p in powers of t, the highest first; the error of p is at most 2e-18."""


@inlined
def erf_bend(x):
    """erf(x) - x for |x| <= 5/8."""
    z = x * x
    p = SERIES[0]
    for k in range(1, SERIES.shape[0]):
        p = p * z + SERIES[k]
    return x * p


@inlined
def erfc_tail(x):
    """erfc(x) for 5/8 <= x <= 27.5."""
    t = (x - CENTRE) / (x + CENTRE)
    p = TAIL[0]
    for k in range(1, TAIL.shape[0] - 1):
        p = p * t + TAIL[k]
    smooth, smooth_low = exact_sum(TAIL[TAIL.shape[0] - 1], p * t)
    square, square_low = exact_product(x, x)
    n, high, low = exp_parts(-square, -square_low)
    decay, error = exact_sum(1.0, high)
    decay_low = error + low
    top, error = exact_product(decay, smooth)
    top_low = error + (decay * smooth_low + decay_low * smooth)
    bottom, bottom_low = exact_sum(1.0, 2.0 * x)
    first, second = two_factors(n)
    return quotient(top, top_low, bottom, bottom_low) * first * second


@inlined
def erf(x):
    """2 / sqrt(pi) times the integral of exp(-t**2) from 0 to x."""
    size = abs(x)
    if not size >= SEAM:  # small or NaN
        return x + erf_bend(x)
    size = 1.0 - erfc_tail(min(size, END))
    return size if x > 0.0 else -size


@inlined
def erfc(x):
    """1 - erf(x), without loss of digits if erf is close to 1."""
    size = abs(x)
    if not size >= SEAM:  # small or NaN
        high, low = exact_sum(1.0, -x)
        return high + (low - erf_bend(x))
    tail = erfc_tail(min(size, END))
    return tail if x > 0.0 else 2.0 - tail


@inlined
def erfcx(x):
    """exp(x**2) erfc(x) for x >= 5/8, which does not underflow."""
    if x <= END:
        t = (x - CENTRE) / (x + CENTRE)
        p = TAIL[0]
        for k in range(1, TAIL.shape[0]):
            p = p * t + TAIL[k]
        return p / (1.0 + 2.0 * x)
    z = 0.5 / (x * x)
    series = 1.0 - z * (1.0 - 3.0 * z * (1.0 - 5.0 * z * (1.0 - 7.0 * z * (1.0 - 9.0 * z))))
    return series * INVERSE_ROOT_PI / x
