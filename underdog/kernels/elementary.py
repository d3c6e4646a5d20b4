"""exp, log, sigmoid, log1p, expm1, tanh and rounding, made of IEEE operations only.

Vector libraries may give different results in a vector lane, in the tail of a loop and on another
machine. These functions give the same bits everywhere, compiled or interpreted. exp and log are
accurate to about one unit in the last place and do not accept NaN. The others are accurate to less
than one unit, also for subnormal results, and return NaN for NaN.

Where a single rounding error would be too much, a number is a pair of a float and a much smaller
one that is added to it. Compilers must not fuse products and sums in these functions.
"""

import math

import numpy as np

from underdog.kernels.jit import inlined, kernel

GRID_BITS = 36
"""Scores are multiples of 2**-36: their sums are exact in float64 while they stay below 2**16."""
GRID = 2.0**GRID_BITS

INVERSE_LN2 = 1.4426950408889634
LN2_HIGH = 6.93147180369123816490e-01  # 32 bits, so that n * LN2_HIGH is exact for |n| < 2**20
LN2_LOW = 1.90821492927058770002e-10
SQRT_HALF = 0.7071067811865476
ROUNDER = 2.0**52  # adding and subtracting it rounds a positive number to an integer
SPLITTER = 2.0**27 + 1.0  # multiplying by it separates the upper half of the bits of a number
TINY = 2.0**-54  # log1p, expm1 and tanh of a number below it are the number itself
MANTISSA = 2**52 - 1  # the bits of a number after those of its exponent
ONE_HALF = 1022 << 52  # the bits of 0.5
LOG_LARGEST = 709.782712893384  # the largest number whose exp is finite


@inlined
def power_of_two(n):
    """2**n for an integer n from -1022 to 1023, made of its bits.

    A table takes longer, because a vector of numbers must be gathered from it one by one.
    """
    return np.int64((n + 1023) << 52).view(np.float64)


@kernel
def nearest(x):
    """The nearest integer as a float, ties to even; faster than rint."""
    size = abs(x)
    if size < ROUNDER:
        size = (size + ROUNDER) - ROUNDER
    return size if x >= 0.0 else -size


@kernel
def exp_terms(r):
    """Terms 4 to 7 and 8 to 13 of the Taylor series of exp(r), summed in pairs.

    For |r| <= ln(2)/2 the remaining terms are below 1e-17.
    """
    r2 = r * r
    r4 = r2 * r2
    r8 = r4 * r4
    p45 = 1.0 / 24.0 + r * (1.0 / 120.0)
    p67 = 1.0 / 720.0 + r * (1.0 / 5040.0)
    p89 = 1.0 / 40320.0 + r * (1.0 / 362880.0)
    pab = 1.0 / 3628800.0 + r * (1.0 / 39916800.0)
    pcd = 1.0 / 479001600.0 + r * (1.0 / 6227020800.0)
    return r4 * (p45 + r2 * p67), r8 * (p89 + r2 * (pab + r2 * pcd))


@kernel
def reduced_exp(r):
    """exp(r) for |r| <= ln(2)/2."""
    middle, last = exp_terms(r)
    return ((1.0 + r) + (r * r * (0.5 + r * (1.0 / 6.0)) + middle)) + last


@kernel
def exp(x):
    """exp(x); 0 below the normal range, the largest power of two above it."""
    if x < -708.0:
        return 0.0
    if x > 709.0:
        return power_of_two(np.int64(1023))
    n = nearest(x * INVERSE_LN2)
    r = (x - n * LN2_HIGH) - n * LN2_LOW
    return reduced_exp(r) * power_of_two(np.int64(n))


@inlined
def flat_exp(x):
    """exp(x), the same bits, without branches: a loop over it is vectorised."""
    held = max(min(x, 709.0), -708.0)
    n = (held * INVERSE_LN2 + 1.5 * ROUNDER) - 1.5 * ROUNDER
    r = (held - n * LN2_HIGH) - n * LN2_LOW
    value = reduced_exp(r) * power_of_two(np.int64(n))
    value = value if x >= -708.0 else 0.0
    return value if x <= 709.0 else power_of_two(np.int64(1023))


@kernel
def atanh_series(z):
    """(atanh(s) / s - 1) / z for z = s * s, |s| <= 0.1716."""
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
    return p * z + 1.0 / 3.0


@inlined
def ln_series(m, e):
    """ln(m) + e ln(2) for m from sqrt(1/2) to sqrt(2)."""
    s = (m - 1.0) / (m + 1.0)
    z = s * s
    series = 2.0 * s + 2.0 * s * (z * atanh_series(z))
    return e * LN2_HIGH + (series + e * LN2_LOW)


@kernel
def log(x):
    """ln(x) for x > 0 by the series of 2 atanh((m - 1) / (m + 1)); -inf at 0."""
    if x <= 0.0:
        return -np.inf
    m, e = math.frexp(x)
    if m < SQRT_HALF:
        m = m * 2.0
        e = e - 1
    return ln_series(m, e)


@inlined
def flat_log(x):
    """ln(x), the same bits, without branches: for finite numbers from the least normal one on.

    The exponent is taken from the bits; `frexp`, which knows all numbers, is the call of a library.
    """
    bits = np.float64(x).view(np.int64)
    m = np.int64((bits & MANTISSA) | ONE_HALF).view(np.float64)
    e = (bits >> 52) - 1022
    lower = m < SQRT_HALF
    return ln_series(2.0 * m if lower else m, np.float64(e - 1 if lower else e))


@inlined
def exact_sum(a, b):
    """a + b as a pair: the sum and its rounding error."""
    total = a + b
    part = total - a
    return total, (a - (total - part)) + (b - part)


@inlined
def exact_product(a, b):
    """a * b as a pair: the product and its rounding error, from the halves of a and b."""
    product = a * b
    scaled = a * SPLITTER
    a1 = scaled - (scaled - a)
    a2 = a - a1
    scaled = b * SPLITTER
    b1 = scaled - (scaled - b)
    b2 = b - b1
    return product, ((a1 * b1 - product) + a1 * b2 + a2 * b1) + a2 * b2


@inlined
def quotient(a, a_low, b, b_low):
    """(a + a_low) / (b + b_low): a quotient, corrected by its remainder."""
    inverse = 1.0 / b
    q = a * inverse
    product, error = exact_product(q, b)
    return q + (((a - product) - error) + (a_low - q * b_low)) * inverse


@inlined
def exp_parts(x, x_low):
    """n, high and low with exp(x + x_low) = 2**n (1 + high + low), for |x| < 2000."""
    n = (x * INVERSE_LN2 + 1.5 * ROUNDER) - 1.5 * ROUNDER
    most = x - n * LN2_HIGH  # exact
    rest = x_low - n * LN2_LOW
    r = most + rest
    rest = (most - r) + rest
    middle, last = exp_terms(r)
    r2 = r * r
    curved = 0.5 * r2 + (r * r2 * (1.0 / 6.0) + (middle + (last + (rest + rest * r))))
    high = r + curved
    return np.int64(n), high, curved - (high - r)


@inlined
def two_factors(n):
    """Powers of two whose product is 2**n, which may be too small for `power_of_two`."""
    half = n >> 1
    return power_of_two(half), power_of_two(n - half)


@inlined
def sigmoid(x):
    """1 / (1 + exp(-x)); sigmoid(x) + sigmoid(-x) is always 1."""
    size = abs(x)
    if not size < 746.0:  # so that NaN is held too; exp(-746) is 0
        size = 746.0
    n, high, low = exp_parts(-size, 0.0)
    first, second = two_factors(n)
    top, error = exact_sum(1.0, high)
    top_low = error + low
    power = first * second
    bottom, error = exact_sum(1.0, power * top)
    smaller = quotient(top, top_low, bottom, error + power * top_low) * first * second
    if x >= 0.0:
        return 1.0 - smaller
    return smaller if x < 0.0 else x


@inlined
def quick_sigmoid(x):
    """1 / (1 + exp(-x)) to three units in the last place, in 40% of the time; not for NaN.

    For gradients, which are rounded to far fewer bits.
    """
    power = flat_exp(-abs(x))
    smaller = power / (1.0 + power)
    return 1.0 - smaller if x >= 0.0 else smaller


@inlined
def log_series(m, e, low):
    """ln(m) + e ln(2) + low for m from sqrt(1/2) to sqrt(2) and a very small low."""
    f = m - 1.0
    s = f / (m + 1.0)
    z = s * s
    # 2 s is written as f - f**2 / 2 + s f**2 / 2, because f is exact and s is not
    half = 0.5 * f * f
    series = s * (half + 2.0 * z * atanh_series(z)) - half
    high, rest = exact_sum(e * LN2_HIGH, f)
    return high + (series + (rest + (e * LN2_LOW + low)))


@kernel
def log1p(x):
    """ln(1 + x); -inf at -1, NaN below."""
    if not abs(x) >= TINY or x == np.inf:  # tiny, NaN or infinite
        return x
    if x <= -1.0:
        return -np.inf if x == -1.0 else np.nan
    total, error = exact_sum(1.0, x)
    m, e = math.frexp(total)
    if m < SQRT_HALF:
        m = m * 2.0
        e = e - 1
    return log_series(m, e, error / total)


@inlined
def softplus(x):
    """ln(1 + exp(x)), as max(x, 0) + log1p(exp(-abs(x))) but without branches."""
    size = abs(x)
    held = size if size < 708.0 else 708.0
    n = ROUNDER - (held * INVERSE_LN2 + ROUNDER)
    r = (-held - n * LN2_HIGH) - n * LN2_LOW
    small = reduced_exp(r) * power_of_two(np.int64(n))
    if size > 708.0:
        small = 0.0
    total, error = exact_sum(1.0, small)  # from 1 to 2
    m, e = total, 0.0
    if total >= 2.0 * SQRT_HALF:
        m, e = 0.5 * total, 1.0
    value = log_series(m, e, error / total)
    above = x if x > 0.0 else 0.0
    return above + (value if small >= TINY else small)


@inlined
def half_expm1(x):
    """(exp(x) - 1) / 2 as a pair, for -700 <= x <= LOG_LARGEST; halved to avoid overflow."""
    n, high, low = exp_parts(x, 0.0)
    power = power_of_two(n - 1)
    rest, rest_low = exact_sum(power, -0.5)
    total, error = exact_sum(rest, power * high)
    return total, error + (power * low + rest_low)


@inlined
def expm1(x):
    """exp(x) - 1; infinite if exp(x) overflows."""
    held = x
    if not held > -40.0:  # so that NaN is held too; exp(-40) - 1 is -1
        held = -40.0
    if held > LOG_LARGEST:
        held = LOG_LARGEST
    high, low = half_expm1(held)
    if x > LOG_LARGEST:
        return np.inf
    return 2.0 * (high + low) if abs(x) >= TINY else x


@inlined
def tanh(x):
    """The hyperbolic tangent: h / (h + 1) with h = (exp(2 x) - 1) / 2."""
    size = abs(x)
    if not size < 22.0:  # so that NaN is held too; tanh(22) is 1
        size = 22.0
    high, low = half_expm1(2.0 * size)
    bottom, error = exact_sum(1.0, high)
    size = quotient(high, low, bottom, error + low)
    if not abs(x) >= TINY:  # tiny or NaN
        return x
    return size if x > 0.0 else -size


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
        out[i] = flat_exp(values[i])


@kernel
def sigmoid_each(values, out):
    """out[i] = sigmoid(values[i])."""
    for i in range(values.shape[0]):
        out[i] = sigmoid(values[i])


@kernel
def quick_sigmoid_each(values, out):
    """out[i] = quick_sigmoid(values[i])."""
    for i in range(values.shape[0]):
        out[i] = quick_sigmoid(values[i])


@kernel
def softplus_each(values, out):
    """out[i] = ln(1 + exp(values[i]))."""
    for i in range(values.shape[0]):
        out[i] = softplus(values[i])
