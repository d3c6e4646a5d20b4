"""Weights of rows that are compared in pairs, without listing the pairs.

Rows are sorted by query and grade. All rows of one query and grade are a segment, and the segments
of a query are sorted by grade. A row above has the factor u exp(-F) of the weight of each of its
pairs, and a row below the factor u exp(F). Factors are relative to the largest of their segment, so
that no exponential overflows; sums over the rows of a segment are sums of integers.
"""

import numpy as np

from underdog.kernels.criteria import MIN_WEIGHT
from underdog.kernels.elementary import ROUNDER, exp, flat_exp, flat_log, log, nearest
from underdog.kernels.jit import inlined, kernel

U = np.uint64
BELOW, ABOVE = 0, 1
TOGETHER = 2048
"""Rows of neighbouring queries for which exponentials and logarithms are found in one loop."""


@inlined
def log_add(a, b):
    """ln(exp(a) + exp(b)), without branches."""
    low, high = min(a, b), max(a, b)
    total = high + flat_log(1.0 + flat_exp(low - high))
    return total if low > -np.inf else high


@inlined
def whole(x):
    """The nearest integer of a number that is not negative, ties to even."""
    return np.int64((x + ROUNDER) - ROUNDER if x < ROUNDER else x)


@kernel
def weigh(
    order, starts, query_starts, scores, logs, repeats, unit, first, last, factors, peaks, others,
    totals,
):  # fmt: skip
    """Factors, and what they are multiplied by, for the rows of queries first..last.

    Parameters
    ----------
    order : rows, sorted by query and grade; a place is one in this order
    starts : the place where each segment starts
    query_starts : the first segment of each query
    scores : F of each row
    logs, repeats : ln u and the number of examples at each place
    unit : float
        What a factor of 1 is counted as.
    factors : [side, place], filled
        Relative to the largest of the segment.
    peaks : [side, segment], filled
        ln of the largest factor of the segment.
    others : [side, segment], filled
        ln of the sum of the factors on the other side: of lower grades, or of higher ones. -inf if
        there are none.
    totals : (n_queries,), filled
        ln of the weight of all pairs of a query.
    """
    lower, upper = factors[BELOW], factors[ABOVE]
    begin, end = query_starts[first], query_starts[first]
    done = first
    for query in range(first, last):
        end = query_starts[query + 1]
        if starts[end] - starts[begin] < TOGETHER and query + 1 < last:
            continue
        for segment in range(begin, end):
            low, high = -np.inf, -np.inf
            for place in range(U(starts[segment]), U(starts[segment + 1])):
                score = scores[U(order[place])]
                lower[place] = logs[place] + score
                upper[place] = logs[place] - score
                low = max(low, lower[place])
                high = max(high, upper[place])
            peaks[BELOW, segment], peaks[ABOVE, segment] = low, high
            for place in range(U(starts[segment]), U(starts[segment + 1])):
                lower[place] -= low
                upper[place] -= high
        for place in range(U(starts[begin]), U(starts[end])):  # vectorised, as that of logarithms
            lower[place] = flat_exp(lower[place])
            upper[place] = flat_exp(upper[place])
        own = np.empty((2, end - begin))
        for segment in range(begin, end):
            total_low, total_high = np.int64(0), np.int64(0)
            for place in range(U(starts[segment]), U(starts[segment + 1])):
                total_low += repeats[place] * whole(lower[place] * unit)
                total_high += repeats[place] * whole(upper[place] * unit)
            own[BELOW, segment - begin] = total_low / unit
            own[ABOVE, segment - begin] = total_high / unit
        for side in range(2):
            peak, logarithm = peaks[side, begin:end], own[side]
            for segment in range(U(end - begin)):
                logarithm[segment] = peak[segment] + flat_log(logarithm[segment])
        add_up(own, query_starts, done, query + 1, others, totals)
        begin, done = end, query + 1


@kernel
def add_up(own, query_starts, first, last, others, totals):
    """Fill `others` and `totals` of queries first..last; see `weigh`.

    own[side, segment] is ln of the sum of the factors of a segment, numbered from the first on. The
    k-th segments of all queries are added at the same time, in a vectorised loop.
    """
    base = query_starts[first]
    live = np.arange(first, last)
    sums = np.full((3, last - first), -np.inf)  # of lower grades, of all pairs, of higher grades
    terms = np.empty((3, last - first))
    count, level = last - first, 0
    while count > 0:
        kept = 0
        for p in range(count):
            query = live[p]
            up, down = query_starts[query] + level, query_starts[query + 1] - 1 - level
            if down < query_starts[query]:
                totals[query] = sums[1, p]
                continue
            live[kept] = query
            below, above = sums[0, p], sums[2, p]
            others[ABOVE, up], others[BELOW, down] = below, above
            sums[0, kept], sums[1, kept], sums[2, kept] = below, sums[1, p], above
            terms[0, kept] = own[BELOW, up - base]
            terms[1, kept] = own[ABOVE, up - base] + below
            terms[2, kept] = own[ABOVE, down - base]
            kept += 1
        for kind in range(3):
            total, term = sums[kind], terms[kind]
            for p in range(U(kept)):
                total[p] = log_add(total[p], term[p])
        count, level = kept, level + 1


@kernel
def largest(peaks, others, out):
    """out[side] = ln of the largest weight of a row."""
    for side in range(2):
        out[side] = -np.inf
        for segment in range(peaks.shape[1]):
            out[side] = max(out[side], peaks[side, segment] + others[side, segment])


@kernel
def fill(order, starts, factors, peaks, others, largest, unit, repeats, first, last, out):
    """out[side, row] = integer weights of the rows of segments first..last.

    For factors, peaks and others see `weigh`; exp(largest[side]) is counted as `unit`.
    """
    lower, upper = factors[BELOW], factors[ABOVE]
    scales = np.empty((2, last - first))
    for side in range(2):
        peak, other, scale = peaks[side, first:last], others[side, first:last], scales[side]
        for segment in range(U(last - first)):
            scale[segment] = unit * flat_exp(peak[segment] + other[segment] - largest[side])
    for segment in range(first, last):
        below, above = scales[BELOW, segment - first], scales[ABOVE, segment - first]
        for place in range(U(starts[segment]), U(starts[segment + 1])):
            row = U(order[place])
            out[BELOW, row] = repeats[place] * whole(lower[place] * below)
            out[ABOVE, row] = repeats[place] * whole(upper[place] * above)


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
    sums = np.zeros((n_blocks, 2), dtype=np.int64)
    lower, upper = factors[BELOW], factors[ABOVE]
    for query in range(first, last):
        reference = -np.inf
        for segment in range(query_starts[query], query_starts[query + 1]):
            for block in range(n_blocks):
                sums[block, BELOW] = 0
                sums[block, ABOVE] = 0
            for place in range(U(starts[segment]), U(starts[segment + 1])):
                block = blocks[U(order[place])]
                if block >= 0:
                    sums[U(block), BELOW] += repeats[place] * whole(lower[place] * unit)
                    sums[U(block), ABOVE] += repeats[place] * whole(upper[place] * unit)
            if reference != -np.inf:
                factor = scale * exp(reference + peaks[ABOVE, segment] - log_total) / unit
                for k in range(n_blocks):
                    if sums[k, ABOVE] > 0:
                        own = sums[k, ABOVE] * factor
                        for j in range(n_blocks):
                            out[j, k] += np.int64(nearest(own * low[j]))
            highest = max(reference, peaks[BELOW, segment])
            before, now = exp(reference - highest), exp(peaks[BELOW, segment] - highest) / unit
            for block in range(n_blocks):
                low[block] = low[block] * before + sums[block, BELOW] * now
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
