"""Weights of rows that are compared in pairs, without listing the pairs.

Rows are sorted by query and grade. All rows of one query and grade are a segment, and the segments
of a query are sorted by grade. A row above has the factor u exp(-F) of the weight of each of its
pairs, and a row below the factor u exp(F). Factors are relative to the largest of their segment, so
that no exponential overflows; sums over the rows of a segment are sums of integers.
"""

import numpy as np

from underdog.kernels.criteria import MIN_WEIGHT
from underdog.kernels.elementary import exp, log, nearest
from underdog.kernels.jit import kernel

BELOW, ABOVE = 0, 1


@kernel
def log_add(a, b):
    """ln(exp(a) + exp(b))."""
    if a == -np.inf:
        return b
    if b == -np.inf:
        return a
    high = max(a, b)
    return high + log(exp(a - high) + exp(b - high))


@kernel
def weigh(
    order, starts, query_starts, scores, logs, repeats, unit, first, last, factors, peaks, others,
    totals,
):  # fmt: skip
    """Factors, and what they are multiplied by, for the rows of queries first..last.

    Parameters
    ----------
    order : rows, sorted by query and grade
    starts : where each segment starts in `order`
    query_starts : the first segment of each query
    scores, logs, repeats : F, ln u and the number of examples of each row
    unit : float
        What a factor of 1 is counted as.
    factors : [side, place in `order`], filled
        Relative to the largest of the segment.
    peaks : [side, segment], filled
        ln of the largest factor of the segment.
    others : [side, segment], filled
        ln of the sum of the factors on the other side: of lower grades, or of higher ones. -inf if
        there are none.
    totals : (n_queries,), filled
        ln of the weight of all pairs of a query.
    """
    for query in range(first, last):
        begin, end = query_starts[query], query_starts[query + 1]
        below = total = -np.inf
        for segment in range(begin, end):
            low, high = -np.inf, -np.inf
            for place in range(starts[segment], starts[segment + 1]):
                row = order[place]
                low = max(low, logs[row] + scores[row])
                high = max(high, logs[row] - scores[row])
            total_low, total_high = np.int64(0), np.int64(0)
            for place in range(starts[segment], starts[segment + 1]):
                row = order[place]
                factors[BELOW, place] = exp(logs[row] + scores[row] - low)
                factors[ABOVE, place] = exp(logs[row] - scores[row] - high)
                total_low += repeats[row] * np.int64(nearest(factors[BELOW, place] * unit))
                total_high += repeats[row] * np.int64(nearest(factors[ABOVE, place] * unit))
            peaks[BELOW, segment], peaks[ABOVE, segment] = low, high
            others[ABOVE, segment] = below
            below = log_add(below, low + log(total_low / unit))
            own = high + log(total_high / unit)
            total = log_add(total, own + others[ABOVE, segment])
            others[BELOW, segment] = own  # until the sums of higher grades are known
        totals[query] = total
        above = -np.inf
        for segment in range(end - 1, begin - 1, -1):
            own = others[BELOW, segment]
            others[BELOW, segment] = above
            above = log_add(above, own)


@kernel
def fill(order, starts, factors, scales, repeats, first, last, out):
    """out[side, row] = integer weights of the rows of segments first..last."""
    for segment in range(first, last):
        for place in range(starts[segment], starts[segment + 1]):
            row = order[place]
            for side in range(2):
                units = np.int64(nearest(factors[side, place] * scales[side, segment]))
                out[side, row] = repeats[row] * units


@kernel
def block_pairs(
    order, starts, query_starts, factors, peaks, blocks, repeats, unit, log_total, scale, first,
    last, out,
):  # fmt: skip
    """out[j, k] += integer weight of all pairs with the lower row in block j, the upper in k.

    For queries first..last. All pairs together weigh exp(log_total), and are `scale` units. Rows
    with a negative block are left out.
    """
    n_blocks = out.shape[0]
    low = np.zeros(n_blocks)
    sums = np.zeros((2, n_blocks), dtype=np.int64)
    for query in range(first, last):
        reference = -np.inf
        for segment in range(query_starts[query], query_starts[query + 1]):
            for block in range(n_blocks):
                sums[BELOW, block] = 0
                sums[ABOVE, block] = 0
            for place in range(starts[segment], starts[segment + 1]):
                block = blocks[order[place]]
                if block >= 0:
                    times = repeats[order[place]]
                    for side in range(2):
                        sums[side, block] += times * np.int64(nearest(factors[side, place] * unit))
            if reference != -np.inf:
                factor = scale * exp(reference + peaks[ABOVE, segment] - log_total) / unit
                for k in range(n_blocks):
                    if sums[ABOVE, k] > 0:
                        own = sums[ABOVE, k] * factor
                        for j in range(n_blocks):
                            out[j, k] += np.int64(nearest(own * low[j]))
            highest = max(reference, peaks[BELOW, segment])
            before, now = exp(reference - highest), exp(peaks[BELOW, segment] - highest) / unit
            for block in range(n_blocks):
                low[block] = low[block] * before + sums[BELOW, block] * now
            reference = highest


@kernel
def balance(masses, smooth, sweeps, values):
    """The values v that minimise sum (masses[j, k] + e) exp(v[j] - v[k]) over j != k, with mean 0.

    One value after the other is set to its minimum, from the given ones on. With two values that
    is the minimum of both.
    """
    n = masses.shape[0]
    e = max(smooth, MIN_WEIGHT)
    for _ in range(sweeps):
        largest = 0.0
        for b in range(n):
            below, above = 0.0, 0.0
            for other in range(n):
                if other != b:
                    below += (masses[b, other] + e) * exp(values[b] - values[other])
                    above += (masses[other, b] + e) * exp(values[other] - values[b])
            step = 0.5 * (log(above) - log(below))
            values[b] += step
            largest = max(largest, abs(step))
        if largest < 1e-14:
            break
    mean = 0.0
    for b in range(n):
        mean += values[b] / n
    for b in range(n):
        values[b] -= mean
