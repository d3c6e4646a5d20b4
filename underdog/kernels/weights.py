"""Integer weights of examples, which are a pure function of the score.

A weight is V = rint(2**exponent * exp(log_prior - y rate (score - offset))), an integer number of
units. It is not updated from round to round, so errors do not accumulate, and sums do not depend on
the order. Signs are 0 (negative) and 1 (positive); `offset`, `exponent` and totals are indexed by
[sign, label].
"""

import numpy as np

from underdog.kernels.criteria import normalise
from underdog.kernels.elementary import (
    INVERSE_LN2,
    LN2_HIGH,
    LN2_LOW,
    ROUNDER,
    exp,
    power_of_two,
    reduced_exp,
)
from underdog.kernels.jit import kernel

MIN_POWER, MAX_POWER = -64, 62
LN2 = 0.6931471805599453
RUN = 512


@kernel
def unit(height, exponent):
    """rint(2**exponent * exp(height)), limited to below 2**63 (totals are below 2**62)."""
    n = (height * INVERSE_LN2 + 1.5 * ROUNDER) - 1.5 * ROUNDER
    r = (height - n * LN2_HIGH) - n * LN2_LOW
    power = min(max(np.int64(n) + exponent, MIN_POWER), MAX_POWER)
    weight = reduced_exp(r) * power_of_two(power)
    return np.int64((weight + ROUNDER) - ROUNDER if weight < ROUNDER else weight)


@kernel
def units(score, sign, log_prior, repeats, rate, offset, exponent, rows, first_label, out):
    """out[r, k] = the units of example rows[r] for label first_label + k."""
    for r in range(rows.shape[0]):
        i = rows[r]
        for k in range(out.shape[1]):
            label = first_label + k
            s = np.int64(sign[i, label])
            fall = (2 * s - 1) * rate[s] * (score[i, label] - offset[s, label])
            out[r, k] = repeats[i] * unit(log_prior[i] - fall, exponent[s, label])


@kernel
def all_units(score, sign, log_prior, repeats, rate, offset, exponent, out):
    """out[s, i, k] = the units of example i for label k if its sign is s, else 0.

    The same integers as `units`, in runs whose exponentials are vectorised.
    """
    n_rows, labels = score.shape
    at_once = max(1, RUN // labels)
    height = np.empty(at_once * labels)
    power = np.empty(at_once * labels, np.int64)
    found = np.empty(at_once * labels, np.int64)
    for first in range(0, n_rows, at_once):
        last = min(first + at_once, n_rows)
        e = 0
        for i in range(first, last):
            for k in range(labels):
                s = np.uint64(sign[i, k])
                fall = (2.0 * s - 1.0) * rate[s] * (score[i, k] - offset[s, k])
                height[e] = log_prior[i] - fall
                power[e] = exponent[s, k]
                e += 1
        for e in range((last - first) * labels):
            found[e] = unit(height[e], power[e])
        e = 0
        for i in range(first, last):
            for k in range(labels):
                s = np.uint64(sign[i, k])
                out[s, i, k] = repeats[i] * found[e]
                out[np.uint64(1) - s, i, k] = 0
                e += 1


@kernel
def deltas(score, sign, log_prior, repeats, rate, offset, exponent, fresh, step, rows, out, totals):
    """out[r, k] = change of the units of example rows[r] after a step of step[k].

    If fresh[sign, label] is set, the scale has changed as well: these units will be counted from
    scratch, and their change is 0 here. The changes are also added to totals[sign, label]. Entries
    are processed in blocks, so that the exponentials are vectorised.
    """
    labels = out.shape[1]
    at_once = max(1, RUN // labels)
    now = np.empty(at_once * labels)
    before = np.empty(at_once * labels)
    power = np.empty(at_once * labels, np.int64)
    change = np.empty(at_once * labels, np.int64)
    for first in range(0, rows.shape[0], at_once):
        last = min(first + at_once, rows.shape[0])
        e = 0
        for r in range(first, last):
            i = np.uint32(rows[r])
            for k in range(labels):
                s = np.uint64(sign[i, k])
                y_rate = (2.0 * s - 1.0) * rate[s]
                now[e] = log_prior[i] - y_rate * (score[i, k] - offset[s, k])
                before[e] = log_prior[i] - y_rate * ((score[i, k] - step[k]) - offset[s, k])
                power[e] = exponent[s, k]
                e += 1
        for e in range((last - first) * labels):
            change[e] = unit(now[e], power[e]) - unit(before[e], power[e])
        e = 0
        for r in range(first, last):
            i = np.uint32(rows[r])
            for k in range(labels):
                s = np.uint64(sign[i, k])
                out[r, k] = 0 if fresh[s, k] else repeats[i] * change[e]
                totals[s, k] += out[r, k]
                e += 1


@kernel
def peak(score, sign, log_prior, rate, s, label):
    """max over the examples of sign s of log_prior - y rate score; -inf if there are none."""
    highest = -np.inf
    y_rate = (2 * s - 1) * rate[s]
    for i in range(score.shape[0]):
        if sign[i, label] == s:
            highest = max(highest, log_prior[i] - y_rate * score[i, label])
    return highest


@kernel
def total(score, sign, log_prior, repeats, rate, offset, exponent, s, label):
    """Sum of the units of the examples of sign s."""
    sum_ = np.int64(0)
    y_rate = (2 * s - 1) * rate[s]
    for i in range(score.shape[0]):
        if sign[i, label] == s:
            fall = y_rate * (score[i, label] - offset[s, label])
            sum_ += repeats[i] * unit(log_prior[i] - fall, exponent[s, label])
    return sum_


@kernel
def project(sums, rest, steps, rate, rounding, least, most, fresh):
    """Mark in fresh[sign, label] the totals that would leave [least, most] after a step.

    sums[block, sign, label] are those before the step; blocks move by steps[block] - steps[rest].
    `rounding` units may be missing from them, because weights are rounded to integers, and may
    reappear when a block grows. Returns how many were marked.
    """
    marked = 0
    for s in range(2):
        for k in range(steps.shape[1]):
            before = np.float64(sums[rest, s, k])
            lowest = highest = before
            for b in range(steps.shape[0]):
                if b != rest:
                    moved = np.float64(sums[b, s, k])
                    growth = exp(-(2 * s - 1) * rate[s] * (steps[b, k] - steps[rest, k]))
                    before += moved
                    lowest += moved * growth
                    highest += (moved + rounding) * growth
            if before > 0.0 and not (least <= lowest and highest <= most):
                fresh[s, k] = 1
                marked += 1
    return marked


@kernel
def move(base, score, rows, ends, rest, steps):
    """Add steps[block, label] to the scores base + score.

    The step of block `rest` is added to base, and the differences to the listed rows:
    rows[ends[b - 1]:ends[b]] are those of block b.
    """
    for k in range(base.shape[0]):
        base[k] += steps[rest, k]
        first = np.int64(0)
        for b in range(ends.shape[0]):
            step = steps[b, k] - steps[rest, k]
            for r in range(first, ends[b]):
                score[np.uint32(rows[r]), k] += step
            first = ends[b]


@kernel
def number_blocks(rows, ends, rest, out):
    """out[i] = the block of row i; see `move`."""
    for i in range(out.shape[0]):
        out[i] = rest
    first = np.int64(0)
    for b in range(ends.shape[0]):
        for r in range(first, ends[b]):
            out[np.uint32(rows[r])] = b
        first = ends[b]


@kernel
def block_sums(units_of_rows, sign, rows, out):
    """out[sign, label] += units, over the given rows."""
    for r in range(rows.shape[0]):
        for k in range(out.shape[1]):
            out[np.int64(sign[rows[r], k]), k] += units_of_rows[r, k]


@kernel
def log_units(log_start, exponent, rate, base, offset, out):
    """out[sign, label] = ln of the real weight of one unit."""
    for s in range(2):
        for k in range(base.shape[0]):
            height = (2 * s - 1) * rate[s] * (base[k] + offset[s, k])
            out[s, k] = (log_start[s] - exponent[s, k] * LN2) - height


@kernel
def unit_weights(log_start, exponent, rate, base, offset, totals, out):
    """out[sign, label] = real weight of one unit, such that all weights sum to one."""
    logs = np.empty(out.shape)
    log_units(log_start, exponent, rate, base, offset, logs)
    normalise(totals, logs, out)
