"""The best test of a node: first the least score of every column, then the first that has it."""

import numpy as np

from underdog.kernels.criteria import NEWTON, REAL_Z, TIE
from underdog.kernels.jit import inner, merged
from underdog.kernels.tree_arrays import ANY, PLAIN, WORD
from underdog.kernels.tree_constraints import is_bounded, may_test
from underdog.kernels.tree_newton import newton_cut, newton_least, newton_tests
from underdog.kernels.tree_rows import examples_by_bin
from underdog.kernels.tree_splits import (
    clear_scores,
    drawn_cut,
    drop_light,
    fill_order,
    fill_prefix,
    level_order,
    real_scores,
    score_column,
    score_cuts,
)

U = np.uint64


@inner
def score_words(hist, totals, columns, rule, c, end, prefix, scores, masses, lowest):
    """lowest[c:end] = the scores of columns with one test and one stored cell.

    Only one of the two bins of such a column is stored, and it does not matter which.
    """
    first_cell, used, room = columns.first_cell, columns.used, prefix.shape[0] - 1
    newton = rule.criterion == NEWTON and totals.shape[0] == 1
    u0, u1 = rule.unit[0, 0], rule.unit[1, 0]
    for start in range(c, end, room):
        size = min(room, end - start)
        if newton:
            for place in range(U(size)):
                prefix[place + U(1)] = hist[U(first_cell[U(used[U(start) + place])]), U(0)]
            own = lowest[start : start + size]
            newton_tests(prefix, U(size), totals[0], u0, u1, rule.smooth, rule.min_mass, own)
            continue
        clear_scores(size, scores, masses)
        for k in range(totals.shape[0]):
            for place in range(size):
                prefix[place + 1] = hist[U(first_cell[U(used[start + place])]), k]
            score_cuts(prefix, size, totals[k], k, rule, scores, masses)
        drop_light(size, rule, scores, masses)
        for place in range(size):
            lowest[start + place] = scores[place]


@inner
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


@merged
def column_lowest(hist, nodes, node, columns, rule, j, prefix, out, masses):
    """The least score of all tests on a column of a node."""
    lowest = np.inf
    for label in range(nodes.totals.shape[1] if columns.is_category[j] else 1):
        count = score_column(hist, nodes, node, columns, rule, j, label, prefix, out, masses)
        lowest = min(lowest, least(out[:count]))
    return lowest


@merged
def newton_lowest(hist, total, columns, rule, place, key, order, prefix):
    """`column_lowest` of numbers without missing values, or of a category, for one label."""
    j, u0, u1 = columns.used[place], rule.unit[0, 0], rule.unit[1, 0]
    first, bins = columns.first_cell[j], columns.bins[j]
    if columns.kind[j] == PLAIN:
        fill_prefix(hist, first, bins, columns.implicit[j], total, np.int64(0), U(0), prefix)
        size = bins - 1
    else:
        levels, running = columns.levels[j], np.int64(0)
        fill_order(hist, first, levels, U(0), u0, u1, NEWTON, rule.smooth, key, order)
        for b in range(levels):
            running += hist[first + order[b], 0]
            prefix[b + 1] = running
        size = levels - 1
    return newton_least(prefix, U(size), total, u0, u1, rule.smooth, rule.min_mass)


@inner
def newton_cuts(hist, total, columns, rule, j, prefix, out):
    """The scores of all cuts of a column of numbers without missing values, for one label."""
    u0, u1, bins = rule.unit[0, 0], rule.unit[1, 0], columns.bins[j]
    first, implicit = columns.first_cell[j], columns.implicit[j]
    fill_prefix(hist, first, bins, implicit, total, np.int64(0), U(0), prefix)
    newton_tests(prefix, U(bins - 1), total, u0, u1, rule.smooth, rule.min_mass, out)


@merged
def real_lowest(hist, totals, columns, rule, place, prefix, scores, masses):
    """`column_lowest` of numbers without missing values, for real values of boosted weights."""
    j = columns.used[place]
    low_mass, high_mass, min_mass = masses[0], masses[1], rule.min_mass
    bins = columns.bins[j]
    for t in range(bins - 1):
        scores[t] = low_mass[t] = high_mass[t] = 0.0
    for k in range(totals.shape[0]):
        u0, u1, rest = rule.unit[0, k], rule.unit[1, k], totals[k]
        fill_prefix(
            hist, columns.first_cell[j], bins, columns.implicit[j], rest, np.int64(0), k, prefix
        )
        real_scores(prefix, bins - 1, rest, u0, u1, scores, low_mass, high_mass)
    for t in range(bins - 1):
        enough = (low_mass[t] >= min_mass) & (high_mass[t] >= min_mass)
        scores[t] = scores[t] if enough else np.inf
    return least(scores[: bins - 1])


@merged
def drawn_lowest(hist, total, columns, rule, j, draw):
    """`column_lowest` of an ordered column of which one cut is drawn, for one label."""
    first, bins, implicit = columns.first_cell[j], columns.bins[j], columns.implicit[j]
    u0, u1 = rule.unit[0, 0], rule.unit[1, 0]
    stored = bins - (1 if implicit >= 0 else 0)
    gone = hist[first + stored, 0] if columns.missing[j] else np.int64(0)
    cut, low, below = drawn_cut(columns, j, draw), np.int64(0), np.int64(0)
    if cut == bins - 1:  # whether a value is missing
        return newton_cut(total - gone, total, u0, u1, rule.smooth, rule.min_mass)
    # Of sparse columns the sums of one bin are what all others leave.
    below = cut + 1 if implicit < 0 or implicit > cut else cut
    if implicit >= 0 and implicit <= cut:
        low = total - gone
        for b in range(U(first + below), U(first + stored)):
            low -= hist[b, 0]
    else:
        for b in range(U(first), U(first + below)):
            low += hist[b, 0]
    best = newton_cut(low, total, u0, u1, rule.smooth, rule.min_mass)
    if columns.missing[j]:
        best = min(best, newton_cut(low + gone, total, u0, u1, rule.smooth, rule.min_mass))
    return best


@inner
def score_others(hist, nodes, node, columns, rule, c, end, prefix, scores, masses, lowest):
    """lowest[c:end] = `column_lowest` of columns that are not words.

    One call for many columns, because a call with tuples of arrays takes as long as 100 tests.
    """
    used, kind, totals = columns.used, columns.kind, nodes.totals[node]
    bounded, criterion = is_bounded(nodes.bounds[node]), rule.criterion
    drawn = columns.keys.shape[0] > 0
    newton, real = criterion == NEWTON and totals.shape[0] == 1, criterion == REAL_Z
    key, order = np.empty(prefix.shape[0]), np.empty(prefix.shape[0], np.int64)
    for place in range(c, end):
        own = ANY if bounded or drawn else kind[used[place]]
        free = not bounded and columns.direction[used[place]] == 0
        if newton and drawn and free and not columns.is_category[used[place]]:
            lowest[place] = drawn_lowest(
                hist, totals[0], columns, rule, used[place], nodes.draws[node]
            )
        elif newton and own != ANY:
            lowest[place] = newton_lowest(hist, totals[0], columns, rule, place, key, order, prefix)
        elif real and own == PLAIN:
            lowest[place] = real_lowest(hist, totals, columns, rule, place, prefix, scores, masses)
        else:
            j = used[place]
            lowest[place] = column_lowest(
                hist, nodes, node, columns, rule, j, prefix, scores, masses
            )


@merged
def lowest_scores(hist, nodes, node, columns, rule, c, end, prefix, scores, masses, lowest):
    """lowest[c:end] = the least score of all tests on each of a run of columns, words or others."""
    if columns.kind[columns.used[c]] == WORD and not is_bounded(nodes.bounds[node]):
        totals = nodes.totals[node]
        score_words(hist, totals, columns, rule, c, end, prefix, scores, masses, lowest)
    else:
        score_others(hist, nodes, node, columns, rule, c, end, prefix, scores, masses, lowest)
    if nodes.allowed.shape[1] > 0:
        for place in range(c, end):
            if not may_test(nodes, node, columns.used[place]):
                lowest[place] = np.inf


@merged
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


@merged
def pick(
    hist, nodes, node, storage, columns, rule, lowest, rows, everything, mark, prefix, out, masses
):
    """Score, column, offset and label of the order of the best test, given every column's lowest.

    It is the first test within rounding of the lowest of all: so it does not matter who has looked
    at which column. `everything` is the number of examples among `rows`; if it is not 0, both sides
    must have `min_samples` of them, and the rows are marked for sparse columns.
    """
    examples = np.zeros(prefix.shape[0] if everything else 0, np.int64)
    newton = rule.criterion == NEWTON and nodes.totals.shape[1] == 1
    newton = newton and columns.keys.shape[0] == 0 and not is_bounded(nodes.bounds[node])
    while True:
        best = least(lowest)
        if best == np.inf:
            return best, 0, 0, 0
        limit = best + TIE * abs(best)
        c = 0
        while lowest[c] > limit:
            c += 1
        j = columns.used[c]
        cuts = newton and columns.kind[j] in (WORD, PLAIN)
        if everything:
            examples_by_bin(storage, columns, rows, everything, j, mark, examples)
        again = np.inf
        for label in range(nodes.totals.shape[1] if columns.is_category[j] else 1):
            if cuts:
                count = columns.bins[j] - 1
                newton_cuts(hist, nodes.totals[node, 0], columns, rule, j, prefix, out)
            else:
                count = score_column(
                    hist, nodes, node, columns, rule, j, label, prefix, out, masses
                )
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
