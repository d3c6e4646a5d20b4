"""Sums of real numbers that do not depend on the order of the terms, or on repeats.

A sum of floats is rounded after every term, so its last bits depend on the order of the rows. Here
every term is rounded to a multiple of 2**-60 times a power of two above the largest term, and the
multiples are summed as integers, without rounding.
"""

from __future__ import annotations

import math
import sys

import numpy as np

from underdog.kernels.elementary import exp_each, flat_exp, log, nearest
from underdog.kernels.jit import kernel
from underdog.types import Codes, Floats, Integers

HALF_BITS = 30
"""A term is stored as two integers of 30 bits; with up to 2**31 repeats their sums fit int64."""
HALF = 2.0**HALF_BITS
ORDINARY = 900
"""Exponents of two up to this one can be multiplied without overflow."""
LARGEST_LOG = math.log(sys.float_info.max)


def exact_sum(values: Floats, repeats: Integers | None = None) -> float:
    """Sum of repeats[i] * values[i], for finite non-negative values.

    Examples
    --------
    >>> import numpy as np
    >>> from underdog.kernels.sums import exact_sum
    >>> values = np.array([0.1, 0.2, 0.3])
    >>> exact_sum(values, np.array([2, 1, 1])) == exact_sum(np.array([0.3, 0.1, 0.2, 0.1]))
    True
    """
    if repeats is not None:
        out = np.zeros(2, dtype=np.int64)
        found = int(own_halves(np.ascontiguousarray(values), repeats, out))
        if abs(found) <= ORDINARY:
            return from_halves(*out.tolist(), found)
    largest = float(values.max(initial=0.0))
    if largest == 0.0:
        return 0.0
    exponent = math.frexp(largest)[1]
    return from_halves(*halves(values, repeats, exponent), exponent)


def halves(values: Floats, repeats: Integers | None, exponent: int) -> tuple[int, int]:
    """The sum of values below 2**exponent as two integers, which can be added to others."""
    if abs(exponent) > ORDINARY:
        return plain_halves(values, repeats, exponent)
    if repeats is None:
        repeats = np.ones(len(values), dtype=np.int64)
    out = np.zeros(2, dtype=np.int64)
    scale = math.ldexp(1.0, HALF_BITS - exponent)
    add_halves(np.ascontiguousarray(values), repeats, scale, out)
    return int(out[0]), int(out[1])


@kernel
def add_halves(values, repeats, scale, out):
    """Add repeats[i] * scale * values[i] to out: integer parts, and multiples of 2**-30."""
    upper = np.int64(0)
    lower = np.int64(0)
    for i in range(values.shape[0]):
        scaled = values[i] * scale
        whole = np.int64(scaled)
        upper += whole * repeats[i]
        lower += np.int64(nearest((scaled - whole) * HALF)) * repeats[i]
    out[0] += upper
    out[1] += lower


@kernel
def own_halves(values, repeats, out):
    """Add the halves of values to out if their exponent, which is returned, is an ordinary one.

    The largest value is found by comparing bits, which is vectorised; none is negative.
    """
    bits, largest = values.view(np.int64), np.int64(0)
    for i in range(bits.shape[0]):
        largest = bits[i] if bits[i] > largest else largest
    exponent = (largest >> 52) - 1022
    if abs(exponent) <= ORDINARY:
        scale = np.int64((HALF_BITS - exponent + 1023) << 52).view(np.float64)
        add_halves(values, repeats, scale, out)
    return exponent


def plain_halves(values: Floats, repeats: Integers | None, exponent: int) -> tuple[int, int]:
    """`halves` in NumPy, for numbers of any size."""
    scaled = np.ldexp(values, HALF_BITS - exponent)
    upper = np.floor(scaled)
    lower = np.rint(np.ldexp(scaled - upper, HALF_BITS))
    return _whole_sum(upper, repeats), _whole_sum(lower, repeats)


def from_halves(upper: int, lower: int, exponent: int) -> float:
    """The number with these two sums of `halves`."""
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
    if repeats is None:
        repeats = np.ones(len(logs), dtype=np.int64)
    out = np.zeros(2, dtype=np.int64)
    highest = float(exp_halves(np.ascontiguousarray(logs), repeats, out))
    if highest == -math.inf:
        return highest
    return highest + float(log(from_halves(*out.tolist(), 1)))


@kernel
def exp_halves(logs, repeats, out):
    """Add the halves of exp(logs - the highest) to out, for an exponent of 1; returns the highest.

    The largest term is 1.
    """
    highest = -np.inf
    for i in range(logs.shape[0]):
        highest = max(highest, logs[i])
    if highest > -np.inf:
        terms = np.empty(logs.shape[0])
        for i in range(logs.shape[0]):
            terms[i] = flat_exp(logs[i] - highest)
        add_halves(terms, repeats, 2.0 ** (HALF_BITS - 1), out)
    return highest


def share_of_each(logs: Floats, repeats: Integers) -> Floats:
    """(n, K) exp(logs) times the repeats of each row, normalised to sum to one."""
    flat = np.empty(logs.size)
    exp_each((logs - logs.max()).ravel(), flat)
    total = exact_sum(flat, np.repeat(repeats, logs.shape[1]))
    result: Floats = flat.reshape(logs.shape) * repeats[:, np.newaxis] / total
    return result


def bounded_exp(log_value: float) -> float:
    """exp, or the largest float if it overflows."""
    return math.exp(log_value) if not log_value > LARGEST_LOG else sys.float_info.max


def _whole_sum(values: Floats, repeats: Integers | None) -> int:
    whole = values.astype(np.int64)
    return int(whole.sum() if repeats is None else (whole * repeats).sum())
