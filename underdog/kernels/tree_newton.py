"""Scores of the tests of a node by gradients and curvatures, from packed sums."""

import numpy as np

from underdog.kernels.jit import inlined, inner, inner_inlined
from underdog.kernels.packed import lower, upper

U = np.uint64


@inlined
def newton_scores(prefix, count, rest, u0, u1, smooth, out, low_mass, high_mass):
    """`add_scores` of all cuts, for gradients and curvatures."""
    for c in range(count):
        low = prefix[c + 1]
        high = rest - low
        fm, fp = upper(low) * u0, lower(low) * u1
        tm, tp = upper(high) * u0, lower(high) * u1
        true, false = tp + smooth, fp + smooth
        # Of several labels, one may have nothing here: 0 / 0 would hide the tests beside it.
        above = tm * tm if true > 0.0 else 0.0
        below = fm * fm if false > 0.0 else 0.0
        true = true if true > 0.0 else 1.0
        false = false if false > 0.0 else 1.0
        out[c] -= (above * false + below * true) / (true * false)  # divisions take longest
        low_mass[c] += fp
        high_mass[c] += tp


@inner_inlined
def newton_gain(low, rest, u0, u1, smooth, min_mass):
    """By how much a test raises the only label's sum of G**2 / (H + e); -1 if a side is too light.

    `low` are the sums where it is false, `rest` those of all rows. The least mass is above 0, so
    that nothing is divided by 0 where a test is allowed.
    """
    high = rest - low
    fm, fp = upper(low) * u0, lower(low) * u1
    tm, tp = upper(high) * u0, lower(high) * u1
    true, false = tp + smooth, fp + smooth
    gain = (tm * tm * false + fm * fm * true) / (true * false)
    return gain if (fp >= min_mass) & (tp >= min_mass) else -1.0


@inner_inlined
def newton_tests(sums, count, rest, u0, u1, smooth, min_mass, out):
    """out[t] = the score of the test that is false where the sums are sums[t + 1]."""
    for t in range(count):
        gain = newton_gain(sums[t + U(1)], rest, u0, u1, smooth, min_mass)
        out[t] = 0.0 - gain if gain >= 0.0 else np.inf


@inner_inlined
def newton_least(sums, count, rest, u0, u1, smooth, min_mass):
    """The least of these scores.

    Gains are compared by their bits, which have the order of the gains where these are not
    negative: the least of integers is found in vector instructions, that of floats is not.
    """
    best = np.int64(-1)
    for t in range(count):
        gain = newton_gain(sums[t + U(1)], rest, u0, u1, smooth, min_mass)
        bits = np.float64(gain).view(np.int64)
        best = bits if bits > best else best
    return 0.0 - np.int64(best).view(np.float64) if best >= 0 else np.inf


@inner
def newton_cut(low, rest, u0, u1, smooth, min_mass):
    """The score of one test, given the sums where it is false and of all rows."""
    high = rest - low
    fm, fp = upper(low) * u0, lower(low) * u1
    tm, tp = upper(high) * u0, lower(high) * u1
    if fp < min_mass or tp < min_mass or fp + smooth <= 0.0 or tp + smooth <= 0.0:
        return np.inf
    return 0.0 - (tm * tm / (tp + smooth) + fm * fm / (fp + smooth))
