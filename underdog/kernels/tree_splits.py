"""The best test of a node, from packed sums over its cells."""

import numpy as np

from underdog.kernels.criteria import (
    ENTROPY,
    NEWTON,
    REAL_Z,
    TIE,
    block_score,
    entropy,
    order_key,
)
from underdog.kernels.jit import inlined, kernel
from underdog.kernels.tree_arrays import LOWER, PLAIN, WORD
from underdog.kernels.tree_rows import examples_by_bin

U = np.uint64
FEW_LEVELS = 24


@inlined
def upper(packed):
    """Channel 0; 32 bits become floats in vector instructions, 64 bits do not everywhere."""
    return np.float64(np.int32(packed >> 32))


@inlined
def lower(packed):
    """Channel 1."""
    return np.float64(np.int32(packed & LOWER))


@inlined
def fill_prefix(hist, first, bins, implicit, total, gone, k, prefix):
    """prefix[b] = the sum of the first b bins of a column, without missing values."""
    prefix[0] = 0
    if implicit < 0:
        running = np.int64(0)
        base, column = U(first), U(k)
        for b in range(U(bins)):
            running += hist[base + b, column]
            prefix[b + U(1)] = running
        return
    rest = total - gone
    for b in range(bins - 1):
        rest -= hist[first + b, k]
    for b in range(bins):
        if b == implicit:
            prefix[b + 1] = prefix[b] + rest
        else:
            prefix[b + 1] = prefix[b] + hist[first + b - (1 if b > implicit else 0), k]


@kernel
def mass_of(criterion, upper, lower):
    """What must not be too small in a block: its curvature, or its weight."""
    return lower if criterion == NEWTON else upper + lower


@kernel
def add_scores(low, high, k, rule, out, place, masses):
    """Add one label's score of the test with these packed sums; masses[side] of its blocks too."""
    criterion, unit = rule.criterion, rule.unit
    fm, fp = upper(low) * unit[0, k], lower(low) * unit[1, k]
    tm, tp = upper(high) * unit[0, k], lower(high) * unit[1, k]
    out[place] += block_score(criterion, tp, tm, rule.smooth, rule.beta)
    out[place] += block_score(criterion, fp, fm, rule.smooth, rule.beta)
    masses[0, place] += mass_of(criterion, fm, fp)
    masses[1, place] += mass_of(criterion, tm, tp)


@inlined
def newton_scores(prefix, count, rest, u0, u1, smooth, out, low_mass, high_mass):
    """`add_scores` of all cuts, for gradients and curvatures."""
    for c in range(count):
        low = prefix[c + 1]
        high = rest - low
        fm, fp = upper(low) * u0, lower(low) * u1
        tm, tp = upper(high) * u0, lower(high) * u1
        true, false = tp + smooth, fp + smooth  # one division takes as long as all the rest
        out[c] -= (tm * tm * false + fm * fm * true) / (true * false)
        low_mass[c] += fp
        high_mass[c] += tp


@inlined
def real_scores(prefix, count, rest, u0, u1, out, low_mass, high_mass):
    """`add_scores` of all cuts, for real values of boosted weights."""
    for c in range(count):
        low = prefix[c + 1]
        high = rest - low
        fm, fp = upper(low) * u0, lower(low) * u1
        tm, tp = upper(high) * u0, lower(high) * u1
        out[c] += np.sqrt(tp * tm) + np.sqrt(fp * fm)
        low_mass[c] += fm + fp
        high_mass[c] += tm + tp


@kernel
def entropy_scores(prefix, count, rest, u0, u1, out, low_mass, high_mass):
    """`add_scores` of all cuts, for entropy; a cut next to an empty bin is like its neighbour."""
    both = below = above = 0.0
    for c in range(count):
        low = prefix[c + 1]
        if c == 0 or low != prefix[c]:
            high = rest - low
            fm, fp = upper(low) * u0, lower(low) * u1
            tm, tp = upper(high) * u0, lower(high) * u1
            both = entropy(tp, tm) + entropy(fp, fm)
            below, above = fm + fp, tm + tp
        out[c] += both
        low_mass[c] += below
        high_mass[c] += above


@kernel
def score_cuts(prefix, count, rest, k, rule, out, masses):
    """Scores of the cuts of one column and label: bins above the cut are where the test is true."""
    u0, u1 = rule.unit[0, k], rule.unit[1, k]
    if rule.criterion == NEWTON:
        newton_scores(prefix, count, rest, u0, u1, rule.smooth, out, masses[0], masses[1])
    elif rule.criterion == REAL_Z:
        real_scores(prefix, count, rest, u0, u1, out, masses[0], masses[1])
    elif rule.criterion == ENTROPY:
        entropy_scores(prefix, count, rest, u0, u1, out, masses[0], masses[1])
    else:
        for c in range(count):
            add_scores(prefix[c + 1], rest - prefix[c + 1], k, rule, out, c, masses)


@kernel
def level_order(hist, first, levels, k, rule):
    """Levels by rising share of positive weight, or rising Newton step; ties by number.

    A level without weight comes first.
    """
    key = np.empty(levels)
    for b in range(levels):
        minus = upper(hist[first + b, k]) * rule.unit[0, k]
        plus = lower(hist[first + b, k]) * rule.unit[1, k]
        key[b] = order_key(plus, minus, rule.criterion, rule.smooth)
    if levels > FEW_LEVELS:
        return np.argsort(key, kind="mergesort")
    order = np.arange(levels)
    for b in range(1, levels):  # faster for few levels, and stable too
        place = b
        while place > 0 and key[order[place - 1]] > key[b]:
            order[place] = order[place - 1]
            place -= 1
        order[place] = b
    return order


@kernel
def score_category(hist, totals, columns, rule, j, label, prefix, out, masses):
    """Scores of the tests on a category: runs of its levels in the order of one label."""
    first, levels = columns.first_cell[j], columns.levels[j]
    order = level_order(hist, first, levels, label, rule)
    for k in range(totals.shape[0]):
        prefix[0] = 0
        for b in range(levels):
            prefix[b + 1] = prefix[b] + hist[first + order[b], k]
        score_cuts(prefix, levels - 1, totals[k], k, rule, out, masses)


@kernel
def score_numbers(hist, totals, columns, rule, j, prefix, out, masses):
    """Scores of the tests on an ordered column, numbered as in `Candidates`."""
    first, bins, implicit = columns.first_cell[j], columns.bins[j], columns.implicit[j]
    stored = bins - (1 if implicit >= 0 else 0)
    for k in range(totals.shape[0]):
        gone = hist[first + stored, k] if columns.missing[j] else 0
        rest = totals[k] - gone
        fill_prefix(hist, first, bins, implicit, totals[k], gone, k, prefix)
        if not columns.missing[j]:
            score_cuts(prefix, bins - 1, rest, k, rule, out, masses)
        else:
            for c in range(bins - 1):
                low, high = prefix[c + 1], rest - prefix[c + 1]
                add_scores(low + gone, high, k, rule, out, 2 * c, masses)
                add_scores(low, high + gone, k, rule, out, 2 * c + 1, masses)
        if columns.alone[j]:
            add_scores(rest, gone, k, rule, out, n_tests(columns, j) - 1, masses)


@kernel
def n_tests(columns, j):
    """How many tests there are on a column."""
    if columns.is_category[j]:
        return columns.levels[j] - 1
    both = 2 if columns.missing[j] else 1
    return (columns.bins[j] - 1) * both + (1 if columns.alone[j] else 0)


@kernel
def clear_scores(count, out, masses):
    """Nothing is scored yet."""
    low_mass, high_mass = masses[0], masses[1]
    for t in range(count):
        out[t] = 0.0
        low_mass[t] = 0.0
        high_mass[t] = 0.0


@kernel
def score_column(hist, totals, columns, rule, j, label, prefix, out, masses):
    """Scores of all tests on a column in `out`; returns how many there are."""
    count = n_tests(columns, j)
    clear_scores(count, out, masses)
    if columns.is_category[j]:
        score_category(hist, totals, columns, rule, j, label, prefix, out, masses)
    else:
        score_numbers(hist, totals, columns, rule, j, prefix, out, masses)
    drop_light(count, rule, out, masses)
    return count


@kernel
def drop_light(count, rule, out, masses):
    """No test that leaves too little on one of its sides."""
    low_mass, high_mass = masses[0], masses[1]
    min_mass = rule.min_mass
    for t in range(count):
        enough = (low_mass[t] >= min_mass) & (high_mass[t] >= min_mass)
        out[t] = out[t] if enough else np.inf


@kernel
def score_words(hist, totals, first, count, rule, prefix, scores, masses, out):
    """out[c] = the score of the only test on each of some columns, one cell after the other.

    Only one of the two bins of such a column is stored, and it does not matter which.
    """
    room = prefix.shape[0] - 1
    for start in range(0, count, room):
        size = min(room, count - start)
        clear_scores(size, scores, masses)
        for k in range(totals.shape[0]):
            for c in range(size):
                prefix[c + 1] = hist[first + start + c, k]
            score_cuts(prefix, size, totals[k], k, rule, scores, masses)
        drop_light(size, rule, scores, masses)
        for c in range(size):
            out[start + c] = scores[c]


@kernel
def score_plain(hist, totals, columns, rule, c, end, prefix, scores, masses, lowest):
    """lowest[c:end] = `column_lowest` of columns with nothing but cuts between numbers.

    One call for many columns, because a call with tuples of arrays takes as long as 100 tests.
    """
    first_cell, bins, implicit, used = (
        columns.first_cell, columns.bins, columns.implicit, columns.used,
    )  # fmt: skip
    low_mass, high_mass = masses[0], masses[1]
    smooth, min_mass, unit, newton = rule.smooth, rule.min_mass, rule.unit, rule.criterion == NEWTON
    for place in range(c, end):
        j = used[place]
        count = bins[j] - 1
        for t in range(count):
            scores[t] = low_mass[t] = high_mass[t] = 0.0
        for k in range(totals.shape[0]):
            u0, u1, rest = unit[0, k], unit[1, k], totals[k]
            fill_prefix(hist, first_cell[j], bins[j], implicit[j], rest, 0, k, prefix)
            if newton:
                newton_scores(prefix, count, rest, u0, u1, smooth, scores, low_mass, high_mass)
            else:
                real_scores(prefix, count, rest, u0, u1, scores, low_mass, high_mass)
        for t in range(count):
            enough = (low_mass[t] >= min_mass) & (high_mass[t] >= min_mass)
            scores[t] = scores[t] if enough else np.inf
        lowest[place] = least(scores[:count])


@kernel
def lowest_scores(hist, totals, columns, rule, c, end, prefix, scores, masses, lowest):
    """lowest[c:end] = the least score of all tests on each of a run of columns of one kind."""
    kind = columns.kind[c]
    if kind == WORD:
        first = columns.first_cell[columns.used[c]]
        score_words(hist, totals, first, end - c, rule, prefix, scores, masses, lowest[c:end])
    elif kind == PLAIN and (rule.criterion == NEWTON or rule.criterion == REAL_Z):
        score_plain(hist, totals, columns, rule, c, end, prefix, scores, masses, lowest)
    else:
        for place in range(c, end):
            j = columns.used[place]
            lowest[place] = column_lowest(hist, totals, columns, rule, j, prefix, scores, masses)


@kernel
def least(values):
    """The least of some values, in four lanes that do not wait for each other."""
    a = b = c = d = np.inf
    fours = values.shape[0] // 4 * 4
    for i in range(0, fours, 4):
        a = min(a, values[i])
        b = min(b, values[i + 1])
        c = min(c, values[i + 2])
        d = min(d, values[i + 3])
    for i in range(fours, values.shape[0]):
        a = min(a, values[i])
    return min(min(a, b), min(c, d))


@kernel
def column_lowest(hist, totals, columns, rule, j, prefix, out, masses):
    """The least score of all tests on a column."""
    lowest = np.inf
    for label in range(totals.shape[0] if columns.is_category[j] else 1):
        count = score_column(hist, totals, columns, rule, j, label, prefix, out, masses)
        lowest = min(lowest, least(out[:count]))
    return lowest


@kernel
def drop_small(examples, everything, columns, rule, j, order, count, out):
    """No test with too few examples on one of its sides."""
    gone = 0 if columns.is_category[j] else examples[columns.bins[j]]
    both = 2 if columns.missing[j] and not columns.is_category[j] else 1
    low = 0
    for t in range(count):
        if columns.is_category[j]:
            low += examples[order[t]]
            below = low
        elif columns.alone[j] and t == count - 1:
            below = everything - gone
        else:
            if t % both == 0:
                low += examples[t // both]
            below = low + (gone if both == 2 and t % 2 == 0 else 0)
        if min(below, everything - below) < rule.min_samples:
            out[t] = np.inf


@kernel
def pick(hist, totals, storage, columns, rule, lowest, rows, everything, prefix, out, masses):
    """Score, column, offset and label of the order of the best test, given every column's lowest.

    It is the first test within rounding of the lowest of all: so it does not matter who has looked
    at which column. `everything` is the number of examples among `rows`; if it is not 0, both sides
    must have `min_samples` of them.
    """
    examples = np.zeros(prefix.shape[0] if everything else 0, np.int64)
    while True:
        best = least(lowest)
        if best == np.inf:
            return best, 0, 0, 0
        limit = best + TIE * abs(best)
        c = 0
        while lowest[c] > limit:
            c += 1
        j = columns.used[c]
        if everything:
            examples_by_bin(storage, columns, rows, j, examples)
        again = np.inf
        for label in range(totals.shape[0] if columns.is_category[j] else 1):
            count = score_column(hist, totals, columns, rule, j, label, prefix, out, masses)
            if everything:
                order = np.zeros(0, np.int64)
                if columns.is_category[j]:
                    order = level_order(hist, columns.first_cell[j], columns.levels[j], label, rule)
                drop_small(examples, everything, columns, rule, j, order, count, out)
            for t in range(count):
                if out[t] <= limit:
                    return best, j, t, label
                again = min(again, out[t])
        lowest[c] = again


@kernel
def fill_inside(hist, columns, rule, j, offset, label, inside):
    """inside[b] = 1 for the bins where a test is true, the last one for missing values."""
    bins = columns.bins[j]
    for b in range(bins + 1):
        inside[b] = 0
    if columns.is_category[j]:
        order = level_order(hist, columns.first_cell[j], columns.levels[j], label, rule)
        for place in range(offset + 1, columns.levels[j]):
            inside[order[place]] = 1
        return
    cut, to_true = offset, 0
    if columns.missing[j]:
        cut, to_true = offset // 2, offset % 2
    if columns.alone[j] and cut == bins - 1:
        cut, to_true = bins - 1, 1
    for b in range(cut + 1, bins):
        inside[b] = 1
    inside[bins] = to_true


@kernel
def score_of_node(totals, rule):
    """The score of a node as one block."""
    score = 0.0
    for k in range(totals.shape[0]):
        minus, plus = upper(totals[k]) * rule.unit[0, k], lower(totals[k]) * rule.unit[1, k]
        score += block_score(rule.criterion, plus, minus, rule.smooth, rule.beta)
    return score
