"""What a two-block test is worth, and the values it puts into its blocks.

A rule is a number, so that one search loop serves all of them. Weights are real and sum to one over
all examples and labels: positive and negative weight of the block where the test is true (tp, tm)
and where it is false (fp, fm). Lower scores are better.
"""

import math

import numpy as np

from underdog.kernels.elementary import exp, log, to_grid
from underdog.kernels.jit import kernel

REAL_Z = 0  # smoothed log-odds, chosen by least Z
SIGN_EDGE = 1  # majority sign, chosen by greatest edge (which is least Z for signs)
REAL_EDGE = 2  # smoothed log-odds, chosen by greatest edge
UNEVEN_Z = 3  # values that minimise the smoothed uneven Z, chosen by it
UNEVEN_UNIT = 4  # smoothed log-odds, chosen by the uneven Z at coefficient 1
TIE = 1e-11  # what differs by less is equal: far above rounding, far below what matters
LEAST_Z = 1e-300  # a Z below this is written down as this
LEAST_WEIGHT = 2.0**-60  # below the resolution of integer weights
SIGN_ROOT = 5  # majority sign, chosen by the uneven Z at its root
SIGN_SLOPE = 6  # the sign in which the uneven Z falls, chosen by how fast it does
SCRATCH = (2, 6)  # shape of what `score` writes on


@kernel
def log_odds(plus, minus, smooth):
    """(ln(plus + e) - ln(minus + e)) / 2, kept finite without smoothing; 0 for an empty block."""
    a = max(plus + smooth, LEAST_WEIGHT)
    b = max(minus + smooth, LEAST_WEIGHT)
    if a == b:
        return 0.0
    return (log(a) - log(b)) * 0.5


@kernel
def minimiser(mass, slope):
    """The a that minimises sum mass exp(-a slope): convex, one root of its derivative.

    Newton's method inside a bracket. If all mass pulls one way the bracket's end is returned: the
    caller decides what an endless step means.
    """
    low = -64.0
    high = 64.0
    a = 0.0
    for _ in range(200):
        first = 0.0
        second = 0.0
        for j in range(mass.shape[0]):
            pull = mass[j] * slope[j] * exp(-a * slope[j])
            first -= pull
            second += pull * slope[j]
        if first == 0.0:
            return a
        if first < 0.0:
            low = a
        else:
            high = a
        step = a
        if second > 0.0:
            step = a - first / second
        if not (low < step < high):
            step = (low + high) * 0.5
        if abs(step - a) <= 1e-15 * max(1.0, abs(a)):
            return step
        a = step
    return a


@kernel
def floored_minimiser(mass, slope, smooth):
    """`minimiser`, with no less than e / 2 of the mass on either side, so that it stays finite.

    The last two places of both arrays are filled with what is lacking there.
    """
    floor = max(smooth, 2.0 * LEAST_WEIGHT) * 0.5
    toward = against = 0.0
    count = mass.shape[0] - 2
    for j in range(count):
        if slope[j] > 0.0:
            toward += mass[j]
        elif slope[j] < 0.0:
            against += mass[j]
    mass[count], slope[count] = max(floor - against, 0.0), -1.0
    mass[count + 1], slope[count + 1] = max(floor - toward, 0.0), 1.0
    return minimiser(mass, slope)


@kernel
def uneven_z(plus, minus, value, beta):
    """plus exp(-value / beta) + minus exp(value)."""
    return plus * exp(-value / beta) + minus * exp(value)


@kernel
def least_uneven_z(plus, minus, smooth, beta):
    """The least of the smoothed uneven Z of a block, divided by 1 + beta.

    (plus/beta + e)**(beta/(1+beta)) * (minus + e)**(1/(1+beta)), reached by the smoothed block
    value c. Without e a block without negatives would count as if its step were endless; but the
    step is smoothed, and at large beta takes only about c/beta of its positives' weight.
    """
    power = 1.0 / (1.0 + beta)
    return exp(power * (beta * log(plus / beta + smooth) + log(minus + smooth)))


@kernel
def majority_signs(tp, tm, fp, fm):
    """(value where true, value where false); a tied block takes the opposite of the other."""
    true = 0.0
    if abs(tp - tm) > TIE * (tp + tm):
        true = 1.0 if tp > tm else -1.0
    false = 0.0
    if abs(fp - fm) > TIE * (fp + fm):
        false = 1.0 if fp > fm else -1.0
    if true == 0.0:
        true = -false if false != 0.0 else 1.0
    if false == 0.0:
        false = -true
    return true, false


@kernel
def values(rule, tp, tm, fp, fm, smooth, beta):
    """(value where true, value where false) of one label."""
    if rule in (SIGN_EDGE, SIGN_ROOT):
        return majority_signs(tp, tm, fp, fm)
    if rule == SIGN_SLOPE:
        return majority_signs(tp / beta, tm, fp / beta, fm)
    if rule == UNEVEN_Z:
        share = beta / (1.0 + beta)
        return (
            2.0 * share * log_odds(tp / beta, tm, smooth),
            2.0 * share * log_odds(fp / beta, fm, smooth),
        )
    return log_odds(tp, tm, smooth), log_odds(fp, fm, smooth)


@kernel
def score(rule, tp, tm, fp, fm, smooth, beta, work):
    """One label's share of the criterion; work is scratch of shape SCRATCH."""
    if rule == REAL_Z:
        return math.sqrt(tp * tm) + math.sqrt(fp * fm)
    if rule == SIGN_EDGE:
        return -(abs(tp - tm) + abs(fp - fm))
    if rule == SIGN_SLOPE:
        return -(abs(tp / beta - tm) + abs(fp / beta - fm))
    true, false = values(rule, tp, tm, fp, fm, smooth, beta)
    if rule == REAL_EDGE:
        return -(true * (tp - tm) + false * (fp - fm))
    if rule == UNEVEN_Z:
        return least_uneven_z(tp, tm, smooth, beta) + least_uneven_z(fp, fm, smooth, beta)
    if rule == UNEVEN_UNIT:
        return uneven_z(tp, tm, true, beta) + uneven_z(fp, fm, false, beta)
    # Z at the coefficient that the combiner will take: the root, with its floor.
    mass, slope = work[0], work[1]
    mass[0], slope[0] = tp, true / beta
    mass[1], slope[1] = tm, -true
    mass[2], slope[2] = fp, false / beta
    mass[3], slope[3] = fm, -false
    a = floored_minimiser(mass, slope, smooth)
    z = 0.0
    for j in range(4):
        z += mass[j] * exp(-a * slope[j])
    return z


@kernel
def fill(rule, sums, unit_weight, smooth, beta, out):
    """out[block, label] = the values of a test with these sums[block, sign, label]."""
    for k in range(sums.shape[2]):
        true, false = values(
            rule,
            sums[1, 1, k] * unit_weight[1, k],
            sums[1, 0, k] * unit_weight[0, k],
            sums[0, 1, k] * unit_weight[1, k],
            sums[0, 0, k] * unit_weight[0, k],
            smooth,
            beta,
        )
        out[0, k] = false
        out[1, k] = true


@kernel
def on_grid(values_, coefficient, out):
    """out = coefficient * values, rounded to the score grid; returns the largest size."""
    largest = 0.0
    for b in range(values_.shape[0]):
        for k in range(values_.shape[1]):
            out[b, k] = to_grid(coefficient * values_[b, k])
            largest = max(largest, abs(out[b, k]))
    return largest


@kernel
def edge_of(values_, sums, unit_weight):
    """Sum of D y h over blocks and labels."""
    edge = 0.0
    for b in range(2):
        for k in range(sums.shape[2]):
            plus = sums[b, 1, k] * unit_weight[1, k]
            minus = sums[b, 0, k] * unit_weight[0, k]
            edge += values_[b, k] * (plus - minus)
    return edge


@kernel
def normaliser(steps, sums, unit_weight, rate):
    """Z: what a step makes of weights that sum to one."""
    z = 0.0
    for b in range(2):
        for s in range(2):
            for k in range(sums.shape[2]):
                weight = sums[b, s, k] * unit_weight[s, k]
                z += weight * exp(-(2 * s - 1) * rate[s] * steps[b, k])
    return z


@kernel
def measure(values_, coefficient, sums, unit_weight, rate, steps):
    """Write the steps of a hypothesis; returns (the largest, Z, its logarithm, edge).

    One call for what every round needs of its step.
    """
    largest = on_grid(values_, coefficient, steps)
    z = max(normaliser(steps, sums, unit_weight, rate), LEAST_Z)
    return largest, z, log(z), edge_of(values_, sums, unit_weight)


@kernel
def normalise(totals, log_unit, out):
    """out[sign, label]: real weight of one unit, so that all weights sum to one."""
    highest = -np.inf
    for s in range(2):
        for k in range(totals.shape[1]):
            if totals[s, k] > 0:
                highest = max(highest, log_unit[s, k])
    sum_ = 0.0
    for s in range(2):
        for k in range(totals.shape[1]):
            out[s, k] = exp(log_unit[s, k] - highest) if totals[s, k] > 0 else 0.0
            sum_ += out[s, k] * totals[s, k]
    for s in range(2):
        for k in range(totals.shape[1]):
            out[s, k] /= sum_
