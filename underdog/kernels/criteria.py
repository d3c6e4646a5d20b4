"""Scores and values of the blocks of a test, by criterion.

A criterion is a number, so that one search loop serves all of them; `underdog.learners.criteria`
has the same formulas in NumPy. Weights are real and sum to one over all examples and labels. `plus`
and `minus` are the weights of the positives and negatives of a block; in a stump, tp and tm where
its test is true, fp and fm where it is false. Lower scores are better, and the score of a test is
the sum over its blocks.
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
TIE = 1e-11  # smaller differences are ties: far above rounding errors, far below what matters
MIN_Z = 1e-300  # smaller values of Z are replaced by this
MIN_WEIGHT = 2.0**-60  # below the resolution of integer weights
SIGN_ROOT = 5  # majority sign, chosen by the uneven Z at its root: for stumps only
SIGN_SLOPE = 6  # the sign that decreases the uneven Z, chosen by its slope
GENTLE = 7  # the Newton step for the exponential loss, chosen by the predicted decrease
NEWTON = 8  # gradient / (curvature + e), chosen by the predicted decrease
ENTROPY = 9  # smoothed log-odds, chosen by the least entropy
CLASS_VOTE = 10  # the heaviest class, chosen by the least error; of all labels together
CLASS_ENTROPY = 11  # smoothed log-odds, chosen by the least entropy of the classes
SCRATCH = (2, 6)  # shape of the temporary array of `score`


@kernel
def log_odds(plus, minus, smooth):
    """(ln(plus + e) - ln(minus + e)) / 2, kept finite without smoothing; 0 for an empty block."""
    a = max(plus + smooth, MIN_WEIGHT)
    b = max(minus + smooth, MIN_WEIGHT)
    if a == b:
        return 0.0
    return (log(a) - log(b)) * 0.5


@kernel
def minimiser(mass, slope):
    """The a that minimises sum mass exp(-a slope), a convex function.

    Newton's method inside a bracket. If all slopes have the same sign, the end of the bracket is
    returned, and the caller decides what to do about an infinite step.
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
    """`minimiser` with at least e / 2 of the mass on either side, so that it stays finite.

    The last two entries of both arrays are filled with the missing mass.
    """
    floor = max(smooth, 2.0 * MIN_WEIGHT) * 0.5
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
    """The minimum of the smoothed uneven Z of a block, divided by 1 + beta.

    (plus/beta + e)**(beta/(1+beta)) * (minus + e)**(1/(1+beta)), at the smoothed block value c.
    Without e, a block without negatives would be scored as if its step were infinite, but the step
    is smoothed, and for a large beta removes only about c/beta of the weight of its positives.
    """
    power = 1.0 / (1.0 + beta)
    return exp(power * (beta * log(plus / beta + smooth) + log(minus + smooth)))


@kernel
def majority(plus, minus):
    """The sign of the heavier side; 0 if they are equal up to rounding."""
    if abs(plus - minus) > TIE * (plus + minus):
        return 1.0 if plus > minus else -1.0
    return 0.0


@kernel
def gentle(plus, minus):
    """(plus - minus) / (plus + minus); 0 for an empty block."""
    both = plus + minus
    return (plus - minus) / both if both > 0.0 else 0.0


@kernel
def newton(gradient, curvature, smooth):
    """gradient / (curvature + e); 0 where nothing curves."""
    both = curvature + smooth
    return gradient / both if both > 0.0 else 0.0


@kernel
def entropy(plus, minus):
    """The entropy of the two sides in nats, times their weight; exactly 0 if one has none."""
    if plus <= 0.0 or minus <= 0.0:
        return 0.0
    both = plus + minus
    return -(plus * log(plus / both) + minus * log(minus / both))


@kernel
def class_entropy(plus, minus):
    """A class's part of the entropy of all classes in nats, times their weight."""
    if plus <= 0.0 or minus <= 0.0:
        return 0.0
    return -(plus * log(plus / (plus + minus)))


@kernel
def block_value(criterion, plus, minus, smooth, beta):
    """The value of a block; 0 for a tied vote."""
    if criterion in (SIGN_EDGE, SIGN_ROOT, CLASS_VOTE):
        return majority(plus, minus)
    if criterion == SIGN_SLOPE:
        return majority(plus / beta, minus)
    if criterion == UNEVEN_Z:
        return 2.0 * (beta / (1.0 + beta)) * log_odds(plus / beta, minus, smooth)
    if criterion == GENTLE:
        return gentle(plus, minus)
    if criterion == NEWTON:
        return newton(minus, plus, smooth)
    return log_odds(plus, minus, smooth)


@kernel
def order_key(plus, minus, criterion, smooth):
    """By what levels of a category are ordered: share of positive weight, or Newton's step."""
    if criterion == NEWTON:
        return newton(minus, plus, smooth) if plus > 0.0 else -np.inf
    both = plus + minus
    return to_grid(plus / both) if both > 0.0 else -1.0


@kernel
def block_score(criterion, plus, minus, smooth, beta):
    """The score of one block for one label."""
    if criterion == REAL_Z:
        return math.sqrt(plus * minus)
    if criterion == SIGN_EDGE:
        return -abs(plus - minus)
    if criterion == SIGN_SLOPE:
        return -abs(plus / beta - minus)
    if criterion == UNEVEN_Z:
        return least_uneven_z(plus, minus, smooth, beta)
    if criterion == NEWTON:
        return -(minus * minus) / (plus + smooth) if plus + smooth > 0.0 else 0.0
    if criterion == ENTROPY:
        return entropy(plus, minus)
    if criterion == CLASS_ENTROPY:
        return class_entropy(plus, minus)
    value = block_value(criterion, plus, minus, smooth, beta)
    if criterion == UNEVEN_UNIT:
        return uneven_z(plus, minus, value, beta)
    return -(value * (plus - minus))


@kernel
def score_at(criterion, plus, minus, value, smooth, beta):
    """The score of one block that says `value`, which is not the best for it."""
    if criterion == REAL_Z:
        return (plus * exp(-value) + minus * exp(value)) * 0.5
    if criterion == UNEVEN_Z:
        return uneven_z(plus + beta * smooth, minus + smooth, value, beta) / (1.0 + beta)
    if criterion == UNEVEN_UNIT:
        return uneven_z(plus, minus, value, beta)
    if criterion == GENTLE:
        return -(2.0 * value * (plus - minus) - value * value * (plus + minus))
    if criterion == ENTROPY:
        return plus * log(1.0 + exp(-2.0 * value)) + minus * log(1.0 + exp(2.0 * value))
    if criterion == NEWTON:
        return -(2.0 * value * minus - value * value * (plus + smooth))
    return -(value * (plus - minus))


@kernel
def opposed(true, false):
    """The votes of a stump: a tied block votes against the other one."""
    if true == 0.0:
        true = -false if false != 0.0 else 1.0
    if false == 0.0:
        false = -true
    return true, false


@kernel
def values(criterion, tp, tm, fp, fm, smooth, beta):
    """(value where true, value where false) of one label of a stump."""
    true = block_value(criterion, tp, tm, smooth, beta)
    false = block_value(criterion, fp, fm, smooth, beta)
    if criterion in (SIGN_EDGE, SIGN_ROOT, SIGN_SLOPE):
        return opposed(true, false)
    return true, false


@kernel
def score(criterion, tp, tm, fp, fm, smooth, beta, work):
    """The score of a stump for one label; work is a temporary array of shape SCRATCH."""
    if criterion != SIGN_ROOT:
        true = block_score(criterion, tp, tm, smooth, beta)
        return true + block_score(criterion, fp, fm, smooth, beta)
    # Z at the coefficient that the combiner will use: the root, with its floor.
    true, false = values(criterion, tp, tm, fp, fm, smooth, beta)
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
def fill(criterion, sums, weight_per_unit, smooth, beta, out):
    """out[block, label] = the values of a test with these sums[block, sign, label]."""
    blocks = sums.shape[0]
    votes = criterion in (SIGN_EDGE, SIGN_ROOT, SIGN_SLOPE)
    for k in range(sums.shape[2]):
        for b in range(blocks):
            plus, minus = (
                sums[b, 1, k] * weight_per_unit[1, k],
                sums[b, 0, k] * weight_per_unit[0, k],
            )
            out[b, k] = block_value(criterion, plus, minus, smooth, beta)
        if votes and blocks == 2:
            out[1, k], out[0, k] = opposed(out[1, k], out[0, k])


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
def edge_of(values_, sums, weight_per_unit):
    """Sum of D y h over blocks and labels."""
    edge = 0.0
    for b in range(values_.shape[0]):
        for k in range(sums.shape[2]):
            plus = sums[b, 1, k] * weight_per_unit[1, k]
            minus = sums[b, 0, k] * weight_per_unit[0, k]
            edge += values_[b, k] * (plus - minus)
    return edge


@kernel
def normaliser(steps, sums, weight_per_unit, rate):
    """Z: the sum of the weights after a step, if it was one before."""
    z = 0.0
    for b in range(steps.shape[0]):
        for s in range(2):
            for k in range(sums.shape[2]):
                weight = sums[b, s, k] * weight_per_unit[s, k]
                z += weight * exp(-(2 * s - 1) * rate[s] * steps[b, k])
    return z


@kernel
def measure(values_, coefficient, sums, weight_per_unit, rate, steps):
    """Write the steps of a hypothesis; returns (the largest, Z, its logarithm, edge).

    All that a round needs to know about its step, in one call.
    """
    largest = on_grid(values_, coefficient, steps)
    z = max(normaliser(steps, sums, weight_per_unit, rate), MIN_Z)
    return largest, z, log(z), edge_of(values_, sums, weight_per_unit)


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
