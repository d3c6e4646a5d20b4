"""Growing a tree by gain ratio, one branch to its end after the other.

Every column offers the test with the greatest information gain. Of the columns whose gain is at
least the mean of all positive gains, the one with the greatest ratio of gain to the entropy of the
sizes of its sides is split on. What becomes of a node depends on its rows alone, so that the order
in which nodes are split does not show.

The smaller child of a node is finished before the larger one, which waits in the place of its
parent's sums. The smaller one has at most half the rows, so that there are never more than
1 + log2(n) sums for each thread, however many leaves there are. Threads grow branches of their own
(`tree_branches`).
"""

import numpy as np

from underdog.kernels.barrier import take
from underdog.kernels.class_nodes import (
    classes_of,
    count_few,
    few_rows,
    room_for,
    score_few,
    take_classes,
)
from underdog.kernels.criteria import TIE, entropy
from underdog.kernels.jit import inner, kernel
from underdog.kernels.lent import lend
from underdog.kernels.packed import lower, upper
from underdog.kernels.tree_arrays import (
    COLUMN,
    DEPTH,
    DIVIDED,
    DONE,
    LABEL,
    NOTHING,
    OFFSET,
    SLOT,
    START,
    STOP,
)
from underdog.kernels.tree_branches import give, next_branch, receive
from underdog.kernels.tree_constraints import constrain_root
from underdog.kernels.tree_counts import count_labels, sum_rows
from underdog.kernels.tree_nodes import add_node, split
from underdog.kernels.tree_search import column_lowest, least
from underdog.kernels.tree_shares import count_share, sum_share, take_away
from underdog.kernels.tree_splits import n_tests, score_column, score_of_node

NO_COLUMN = -1


@inner
def mass_of_node(totals, rule):
    """The weight of a node."""
    mass = 0.0
    for k in range(totals.shape[0]):
        mass += upper(totals[k]) * rule.unit[0, k] + lower(totals[k]) * rule.unit[1, k]
    return mass


@inner
def first_within(scores, size, limit):
    """The first place with at most this score; `size` if there is none."""
    for t in range(size):
        if scores[t] <= limit:
            return t
    return size


@inner
def best_of_column(hist, nodes, node, columns, rule, j, tie, prefix, scores, masses):
    """Least score, offset and label of the first of the best tests on a column.

    `masses` are those of the tests of this label afterwards. With several labels, a category has
    an order of its levels for each.
    """
    n_labels = nodes.totals.shape[1]
    lowest = column_lowest(hist, nodes, node, columns, rule, j, prefix, scores, masses)
    size = n_tests(columns, j)
    if n_labels > 1 and columns.is_category[j]:
        for label in range(n_labels):
            score_column(hist, nodes, node, columns, rule, j, label, prefix, scores, masses)
            offset = first_within(scores, size, lowest + tie)
            if offset < size:
                return lowest, offset, label
    return lowest, first_within(scores, size, lowest + tie), 0


@inner
def n_rows(nodes, node):
    """How many rows a node has."""
    return nodes.facts[node, STOP] - nodes.facts[node, START]


@inner
def best_ratio(storage, columns, rule, nodes, shared, node, few, thread):
    """Column, offset and label of the test to split a node by; NO_COLUMN if nothing is gained.

    The sums of a node with at most `few` rows are not known before. Its scores are made of the
    classes that it has, also with more rows, but not if `few` is negative.
    """
    used, hist = columns.used, shared.hists[nodes.facts[node, SLOT]]
    prefix, scores, masses = shared.prefix[thread], shared.scores[thread], shared.masses[thread]
    gains, infos = np.zeros(used.shape[0]), np.ones(used.shape[0])
    tests = np.zeros((used.shape[0], 2), np.int64)
    totals = nodes.totals[node]
    before, mass = score_of_node(totals, nodes.bounds[node], rule), mass_of_node(totals, rule)
    sums, labels, by_class = hist.reshape(hist.size), np.empty(totals.shape[0], np.int64), few >= 0
    n = classes_of(totals, labels) if by_class else 0
    room = room_for(columns, n)
    if by_class and n_rows(nodes, node) <= few:
        count_few(storage, columns, nodes, shared, node, labels, n, room, sums)
    elif by_class:
        sums = np.empty(hist.shape[0] * n, np.int64)
        take_classes(hist, labels, n, room, sums)
    total, positive = 0.0, 0
    for c in range(used.shape[0]):
        if by_class:
            size = score_few(columns, rule, totals, used[c], n, labels, sums, room, scores, masses)
            lowest, label = least(scores[:size]), 0
            offset = first_within(scores, size, lowest + TIE * mass)
        else:
            lowest, offset, label = best_of_column(
                hist, nodes, node, columns, rule, used[c], TIE * mass, prefix, scores, masses
            )
        if before - lowest > TIE * mass:
            gains[c] = (before - lowest) / mass
            infos[c] = entropy(masses[0, offset] / mass, masses[1, offset] / mass)
            tests[c, 0], tests[c, 1] = offset, label
            total += gains[c]
            positive += 1
    if positive == 0:
        return NO_COLUMN, 0, 0
    enough, best = total / positive - TIE, 0.0
    for c in range(used.shape[0]):
        if gains[c] > 0.0 and gains[c] >= enough:
            best = max(best, gains[c] / infos[c])
    c = 0
    while gains[c] == 0.0 or gains[c] < enough or gains[c] / infos[c] < best - TIE * best:
        c += 1
    return used[c], tests[c, 0], tests[c, 1]


@inner
def may_split(nodes, rule, node):
    """Whether a node is worth a search: impure, and heavy enough for two children."""
    totals = nodes.totals[node]
    if nodes.facts[node, DEPTH] >= rule.max_depth:
        return False
    if score_of_node(totals, nodes.bounds[node], rule) <= 0.0:
        return False
    return mass_of_node(totals, rule) >= (2.0 - TIE) * rule.min_mass


@inner
def count_node(storage, columns, nodes, shared, node, thread):
    """Sums over the cells of a node, from its rows."""
    facts = nodes.facts
    rows = shared.order[facts[node, START] : facts[node, STOP]]
    shared.turn[thread, 0] = 0
    count_share(storage, columns, nodes, shared, node, rows, thread, 0, 1)
    sum_share(storage, columns, shared, shared.hists[facts[node, SLOT]], thread, 0, 1)


@inner
def count_column(storage, columns, nodes, shared, node, j):
    """Sums over the cells of one column of a node, which its split needs."""
    facts, first_cell = nodes.facts, columns.first_cell
    rows, hist = (
        shared.order[facts[node, START] : facts[node, STOP]],
        shared.hists[facts[node, SLOT]],
    )
    count_labels(storage, first_cell, j, j + 1, rows, shared.packed, shared.numbers, hist)


@inner
def start_tree(storage, columns, rule, nodes, shared, examples, few, thread):
    """Make the root; returns whether it is to be split."""
    add_node(nodes, 0, 0, shared.order.shape[0], 0, 0, examples)
    sum_rows(shared.packed, shared.order, nodes.totals[0])
    constrain_root(nodes)
    shared.made[0], shared.busy[0], shared.mail[thread, 0] = 1, 1, 0
    if columns.used.shape[0] == 0 or not may_split(nodes, rule, 0):
        return False
    if n_rows(nodes, 0) > few:
        count_node(storage, columns, nodes, shared, 0, thread)
    return True


@kernel
def grow(storage, columns, rule, nodes, shared, examples, thread, n_threads):
    """Split nodes until nothing is gained; returns how many nodes there are.

    Every leaf has a row, so that there is room for all of them.
    """
    storage, columns, rule = lend(storage), lend(columns), lend(rule)
    nodes, shared = lend(nodes), lend(shared)
    facts, zero, one = nodes.facts, np.int64(0), np.int64(1)
    shared.last[thread, DIVIDED] = NOTHING
    few = few_rows(storage, columns, rule, shared)
    stack = np.zeros(nodes.gains.shape[0], np.int64)
    first, last = zero, zero
    if thread > 0:
        stack[0], last = receive(shared, thread), one
    elif start_tree(storage, columns, rule, nodes, shared, examples, few, thread):
        last = one
    while stack[0] != DONE:
        if first == last:
            stack[0] = next_branch(shared, thread, n_threads)
            first, last = zero, one
            continue
        last -= 1
        node = stack[last]
        slot = facts[node, SLOT]
        column, offset, label = best_ratio(storage, columns, rule, nodes, shared, node, few, thread)
        if column == NO_COLUMN:
            continue
        if n_rows(nodes, node) <= few:
            count_column(storage, columns, nodes, shared, node, column)
        facts[node, COLUMN], facts[node, OFFSET], facts[node, LABEL] = column, offset, label
        child = take(shared.made, np.int64(2), n_threads)
        small, large = split(
            storage, columns, rule, nodes, shared, node, child, child // 2, slot + 1, thread, one
        )
        large_goes_on = may_split(nodes, rule, large)
        small_goes_on = may_split(nodes, rule, small)
        subtract = large_goes_on and n_rows(nodes, large) > few
        if subtract or (small_goes_on and n_rows(nodes, small) > few):
            count_node(storage, columns, nodes, shared, small, thread)
        if subtract:
            end = columns.used.shape[0]
            take_away(columns, 0, end, shared.hists[slot + 1], shared.hists[slot])
        if large_goes_on:
            stack[last] = large
            last += 1
        if small_goes_on:
            stack[last] = small
            last += 1
        if n_threads > 1 and last > first:
            first = give(nodes, shared, stack, first, last, few, n_threads)
    return shared.made[0]
