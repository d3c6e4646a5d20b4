"""Sums of real numbers that do not depend on the order of the terms, or on how they are repeated.

A sum of floats is rounded after every term, so that rows in another order give other last bits.
Here every term is a whole number of 2**-60 of a power of two above the largest, and whole numbers
are summed without rounding.
"""

from __future__ import annotations

import math
import sys

import numpy as np

from underdog.kernels.elementary import exp_each, log, nearest
from underdog.kernels.jit import kernel
from underdog.types import Codes, Floats, Integers

HALF_BITS = 30
"""A term is kept as two whole numbers of 30 bits: with up to 2**31 repeats both stay in int64."""
HALF = 2.0**HALF_BITS
ORDINARY = 900
"""Powers of two that can be multiplied without leaving the floats."""
LARGEST_LOG = math.log(sys.float_info.max)


def exact_sum(values: Floats, repeats: Integers | None = None) -> float:
    """Sum of repeats[i] * values[i], values being finite and not negative.

    Examples
    --------
    >>> import numpy as np
    >>> from underdog.kernels.sums import exact_sum
    >>> values = np.array([0.1, 0.2, 0.3])
    >>> exact_sum(values, np.array([2, 1, 1])) == exact_sum(np.array([0.3, 0.1, 0.2, 0.1]))
    True
    """
    largest = float(values.max(initial=0.0))
    if largest == 0.0:
        return 0.0
    exponent = math.frexp(largest)[1]
    return from_halves(*halves(values, repeats, exponent), exponent)


def halves(values: Floats, repeats: Integers | None, exponent: int) -> tuple[int, int]:
    """The sum of values below 2**exponent as two integers, which may be added to others."""
    if repeats is None or abs(exponent) > ORDINARY:
        return plain_halves(values, repeats, exponent)
    out = np.zeros(2, dtype=np.int64)
    scale = math.ldexp(1.0, HALF_BITS - exponent)
    add_halves(np.ascontiguousarray(values), repeats, scale, out)
    return int(out[0]), int(out[1])


@kernel
def add_halves(values, repeats, scale, out):
    """Add repeats[i] * scale * values[i] to out: whole numbers, and whole numbers of 2**-30."""
    upper = np.int64(0)
    lower = np.int64(0)
    for i in range(values.shape[0]):
        scaled = values[i] * scale
        whole = np.int64(scaled)
        upper += whole * repeats[i]
        lower += np.int64(nearest((scaled - whole) * HALF)) * repeats[i]
    out[0] += upper
    out[1] += lower


def plain_halves(values: Floats, repeats: Integers | None, exponent: int) -> tuple[int, int]:
    """`halves` in NumPy, for numbers of any size."""
    scaled = np.ldexp(values, HALF_BITS - exponent)
    upper = np.floor(scaled)
    lower = np.rint(np.ldexp(scaled - upper, HALF_BITS))
    return _whole_sum(upper, repeats), _whole_sum(lower, repeats)


def from_halves(upper: int, lower: int, exponent: int) -> float:
    """The number that two sums of `halves` make."""
    return math.ldexp(float((upper << HALF_BITS) + lower), exponent - 2 * HALF_BITS)


def exact_sums(
    values: Floats, groups: Integers | Codes, n_groups: int, repeats: Integers | None = None
) -> Floats:
    """(n_groups,) sums of the values of each group."""
    members = [groups == group for group in range(n_groups)]
    return np.array(
        [exact_sum(values[own], None if repeats is None else repeats[own]) for own in members]
    )


def log_sum_exp(logs: Floats, repeats: Integers | None = None) -> float:
    """ln of the sum of repeats[i] * exp(logs[i]); -inf without terms."""
    if not logs.size:
        return -math.inf
    highest = float(logs.max())
    terms = np.empty(logs.shape)
    exp_each(logs - highest, terms)
    return highest + float(log(exact_sum(terms, repeats)))


def share_of_each(logs: Floats, repeats: Integers) -> Floats:
    """(n, K) exp(logs) times the repeats of each row, so that all together are one."""
    flat = np.empty(logs.size)
    exp_each((logs - logs.max()).ravel(), flat)
    total = exact_sum(flat, np.repeat(repeats, logs.shape[1]))
    result: Floats = flat.reshape(logs.shape) * repeats[:, np.newaxis] / total
    return result


def bounded_exp(log_value: float) -> float:
    """exp, the largest float where it is beyond."""
    return math.exp(log_value) if not log_value > LARGEST_LOG else sys.float_info.max


def _whole_sum(values: Floats, repeats: Integers | None) -> int:
    whole = values.astype(np.int64)
    return int(whole.sum() if repeats is None else (whole * repeats).sum())
