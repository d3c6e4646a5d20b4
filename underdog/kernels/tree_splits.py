"""Scores of the tests of a node, from packed sums over its cells."""

import numpy as np

from underdog.kernels.criteria import (
    CLASS_ENTROPY,
    ENTROPY,
    NEWTON,
    REAL_Z,
    block_score,
    entropy,
    order_key,
)
from underdog.kernels.draws import mix
from underdog.kernels.elementary import log
from underdog.kernels.jit import inner, inner_inlined, merged
from underdog.kernels.packed import lower, upper
from underdog.kernels.tree_constraints import is_bounded, only_missing, within
from underdog.kernels.tree_newton import newton_scores

U = np.uint64


@inner_inlined
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


@inner
def mass_of(criterion, upper, lower):
    """What must not be too small in a block: its curvature, or its weight."""
    return lower if criterion == NEWTON else upper + lower


@inner
def add_scores(low, high, k, rule, out, place, masses):
    """Add one label's score of the test with these packed sums; masses[side] of its blocks too."""
    criterion, unit = rule.criterion, rule.unit
    fm, fp = upper(low) * unit[0, k], lower(low) * unit[1, k]
    tm, tp = upper(high) * unit[0, k], lower(high) * unit[1, k]
    out[place] += block_score(criterion, tp, tm, rule.smooth, rule.beta)
    out[place] += block_score(criterion, fp, fm, rule.smooth, rule.beta)
    masses[0, place] += mass_of(criterion, fm, fp)
    masses[1, place] += mass_of(criterion, tm, tp)


@inner_inlined
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


@inner
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


@inner
def times_log(x):
    """x ln x; 0 at 0."""
    return x * log(x) if x > 0.0 else 0.0


@inner
def class_scores(prefix, count, rest, k, unit, out, low_mass, high_mass):
    """`add_scores` of all cuts, for the entropy of classes, which all have the same unit.

    It is W ln W of all rows minus that of each class. The first label has the weights of all rows,
    and a logarithm is only taken where a bin has rows of the class.
    """
    u, n_labels = unit[1, k], unit.shape[1]
    below = above = 0.0
    if k == 0:
        both = 0.0
        for c in range(count):
            low = prefix[c + 1]
            if c == 0 or low != prefix[c]:
                high = rest - low
                below, above = (upper(low) + lower(low)) * u, (upper(high) + lower(high)) * u
                both = times_log(below) + times_log(above)
            out[c] += both
            low_mass[c] += below * n_labels
            high_mass[c] += above * n_labels
    total, last = lower(rest), -1.0
    if total > 0.0:
        of_class = 0.0
        for c in range(count):
            plus = lower(prefix[c + 1])
            if plus != last:
                of_class = times_log(plus * u) + times_log((total - plus) * u)
                last = plus
            out[c] -= of_class


@inner
def score_cuts(prefix, count, rest, k, rule, out, masses):
    """Scores of the cuts of one column and label: bins above the cut are where the test is true."""
    u0, u1 = rule.unit[0, k], rule.unit[1, k]
    if rule.criterion == NEWTON:
        newton_scores(prefix, count, rest, u0, u1, rule.smooth, out, masses[0], masses[1])
    elif rule.criterion == REAL_Z:
        real_scores(prefix, count, rest, u0, u1, out, masses[0], masses[1])
    elif rule.criterion == ENTROPY:
        entropy_scores(prefix, count, rest, u0, u1, out, masses[0], masses[1])
    elif rule.criterion == CLASS_ENTROPY:
        class_scores(prefix, count, rest, k, rule.unit, out, masses[0], masses[1])
    else:
        for c in range(count):
            add_scores(prefix[c + 1], rest - prefix[c + 1], k, rule, out, c, masses)


@inner_inlined
def fill_order(hist, first, levels, k, u0, u1, criterion, smooth, key, order):
    """order = levels by rising share of positive weight, or rising Newton step; ties by number.

    A level without weight comes first. `key` has the share or step of each place in that order.
    """
    for b in range(levels):  # by insertion: there are few levels, and it is stable
        minus, plus = upper(hist[first + b, k]) * u0, lower(hist[first + b, k]) * u1
        own = order_key(plus, minus, criterion, smooth)
        place = b
        while place > 0 and key[place - 1] > own:
            key[place], order[place] = key[place - 1], order[place - 1]
            place -= 1
        key[place], order[place] = own, b


@inner
def level_order(hist, first, levels, k, rule):
    """The levels of a category in the order in which runs of them are tested."""
    order = np.empty(levels, np.int64)
    fill_order(
        hist, first, levels, k, rule.unit[0, k], rule.unit[1, k], rule.criterion, rule.smooth,
        np.empty(levels), order,
    )  # fmt: skip
    return order


@merged
def score_category(hist, totals, columns, rule, j, label, prefix, out, masses):
    """Scores of the tests on a category: runs of its levels in the order of one label."""
    first, levels = columns.first_cell[j], columns.levels[j]
    order = level_order(hist, first, levels, label, rule)
    for k in range(totals.shape[0]):
        prefix[0] = 0
        for b in range(levels):
            prefix[b + 1] = prefix[b] + hist[first + order[b], k]
        score_cuts(prefix, levels - 1, totals[k], k, rule, out, masses)


@merged
def score_numbers(hist, totals, columns, rule, j, prefix, out, masses):
    """Scores of the tests on an ordered column, numbered as in `Candidates`."""
    first, bins, implicit = columns.first_cell[j], columns.bins[j], columns.implicit[j]
    stored = bins - (1 if implicit >= 0 else 0)
    plain = rule.criterion == CLASS_ENTROPY and not columns.missing[j] and not columns.alone[j]
    for k in range(totals.shape[0]):
        if plain and k > 0 and lower(totals[k]) == 0.0:
            continue  # no row of this class
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


@inner
def n_tests(columns, j):
    """How many tests there are on a column."""
    if columns.is_category[j]:
        return columns.levels[j] - 1
    both = 2 if columns.missing[j] else 1
    return (columns.bins[j] - 1) * both + (1 if columns.alone[j] else 0)


@inner
def clear_scores(count, out, masses):
    """Nothing is scored yet."""
    low_mass, high_mass = masses[0], masses[1]
    for t in range(count):
        out[t] = 0.0
        low_mass[t] = 0.0
        high_mass[t] = 0.0


@merged
def false_sums(hist, total, columns, rule, j, prefix, out):
    """out[t] = packed sums of the only label where test t on a column is false."""
    first, bins, implicit = columns.first_cell[j], columns.bins[j], columns.implicit[j]
    if columns.is_category[j]:
        order = level_order(hist, first, columns.levels[j], np.int64(0), rule)
        running = np.int64(0)
        for t in range(out.shape[0]):
            running += hist[first + order[t], 0]
            out[t] = running
        return
    gone = hist[first + bins - (1 if implicit >= 0 else 0), 0] if columns.missing[j] else 0
    fill_prefix(hist, first, bins, implicit, total, gone, np.int64(0), prefix)
    both = 2 if columns.missing[j] else 1
    for t in range(out.shape[0]):
        if only_missing(columns, j, t):
            out[t] = total - gone
        else:  # of two tests with the same cut, missing values are false in the first
            out[t] = prefix[t // both + 1] + (gone if t % both == 0 else 0)


@merged
def score_within(hist, total, bounds, columns, rule, j, prefix, out, masses):
    """Scores of the tests on a column between bounds, for one label.

    If the column is constrained, no test whose values are in the wrong order.
    """
    false = np.empty(n_tests(columns, j), np.int64)
    false_sums(hist, total, columns, rule, j, prefix, false)
    for t in range(false.shape[0]):
        low, high = false[t], total - false[t]
        no, out[t] = within(low, rule, bounds)
        yes, score = within(high, rule, bounds)
        out[t] += score
        if columns.direction[j] * (yes - no) < 0.0 and not only_missing(columns, j, t):
            out[t] = np.inf
        u0, u1 = rule.unit[0, 0], rule.unit[1, 0]
        masses[0, t] = mass_of(rule.criterion, upper(low) * u0, lower(low) * u1)
        masses[1, t] = mass_of(rule.criterion, upper(high) * u0, lower(high) * u1)


@inner
def drawn_cut(columns, j, draw):
    """The number of the cut of a column that a node draws; the last may be "is missing"."""
    n_cuts = columns.levels[j] - 1 if columns.is_category[j] else columns.bins[j] - 1
    if columns.alone[j] and not columns.is_category[j]:
        n_cuts += 1
    return np.int64(mix(columns.keys[j] + draw) % U(n_cuts))


@merged
def keep_drawn(columns, j, draw, count, out):
    """No test of a column but the one on its drawn cut, or two if values are missing."""
    both = 2 if columns.missing[j] and not columns.is_category[j] else 1
    drawn = drawn_cut(columns, j, draw)
    for t in range(count):
        out[t] = out[t] if t // both == drawn else np.inf


@inner
def score_column(hist, nodes, node, columns, rule, j, label, prefix, out, masses):
    """Scores of all tests on a column of a node in `out`; returns how many there are."""
    totals, bounds, count = nodes.totals[node], nodes.bounds[node], n_tests(columns, j)
    clear_scores(count, out, masses)
    if columns.direction[j] != 0 or is_bounded(bounds):
        score_within(hist, totals[0], bounds, columns, rule, j, prefix, out, masses)
    elif columns.is_category[j]:
        score_category(hist, totals, columns, rule, j, label, prefix, out, masses)
    else:
        score_numbers(hist, totals, columns, rule, j, prefix, out, masses)
    drop_light(count, rule, out, masses)
    if columns.keys.shape[0] > 0 and count > 1:
        keep_drawn(columns, j, nodes.draws[node], count, out)
    return count


@inner
def drop_light(count, rule, out, masses):
    """No test that leaves too little on one of its sides."""
    low_mass, high_mass = masses[0], masses[1]
    min_mass = rule.min_mass
    for t in range(count):
        enough = (low_mass[t] >= min_mass) & (high_mass[t] >= min_mass)
        out[t] = out[t] if enough else np.inf


@inner
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


@inner
def sums_inside(hist, totals, columns, j, inside, out):
    """out[k] = the sums of a node's rows where a test on column j is true."""
    first, last, implicit = columns.first_cell[j], columns.first_cell[j + 1], columns.implicit[j]
    for k in range(totals.shape[0]):
        rest, true = totals[k], np.int64(0)
        for cell in range(first, last):
            level = cell - first
            if implicit >= 0 and level >= implicit:
                level += 1
            if inside[level]:
                true += hist[cell, k]
            rest -= hist[cell, k]
        out[k] = true + (rest if implicit >= 0 and inside[implicit] else np.int64(0))


@inner
def score_of_node(totals, bounds, rule):
    """The score of a node as one block."""
    if is_bounded(bounds):
        _, bounded_score = within(totals[0], rule, bounds)
        return bounded_score
    score = 0.0
    for k in range(totals.shape[0]):
        minus, plus = upper(totals[k]) * rule.unit[0, k], lower(totals[k]) * rule.unit[1, k]
        score += block_score(rule.criterion, plus, minus, rule.smooth, rule.beta)
    return score
