"""The tests of a node with few rows, each of one class, from its rows and classes alone.

Most nodes of a large tree are of a few rows and classes. Sums over all cells and all classes would
take longer than to look at the rows. The scores are those of `tree_splits.class_scores`, bit for
bit: a class without weight adds nothing, and sums are exact.
"""

import numpy as np

from underdog.kernels.criteria import CLASS_ENTROPY
from underdog.kernels.jit import inner
from underdog.kernels.packed import lower, upper
from underdog.kernels.tree_arrays import PLAIN, START, STOP
from underdog.kernels.tree_counts import BYTE
from underdog.kernels.tree_splits import drop_light, times_log

U = np.uint64


@inner
def few_rows(storage, columns, rule, shared):
    """Up to how many rows a node is searched in this way; -1 if its columns are of other kinds."""
    used = columns.used
    if rule.criterion != CLASS_ENTROPY or shared.numbers.shape[0] == 0 or columns.keys.shape[0] > 0:
        return -1
    for c in range(used.shape[0]):
        if columns.kind[used[c]] != PLAIN or storage.counted[used[c]] < 0:
            return -1
    return shared.hists[0].size // max(1, used.shape[0])


@inner
def count_few(storage, columns, nodes, shared, node, labels, sums):
    """sums[cell * n + class] = the weights of the rows of a node; returns n.

    labels[0..n] are the classes of the node that have weight.
    """
    totals, numbers, packed = nodes.totals[node], shared.numbers, shared.packed
    used, first_cell, words = columns.used, columns.first_cell, storage.words
    place_of = np.zeros(totals.shape[0], np.int64)
    n = 0
    for k in range(totals.shape[0]):
        if lower(totals[k]) > 0.0:
            labels[n], place_of[k] = k, n
            n += 1
    for place in range(U(first_cell[first_cell.shape[0] - 1] * n)):
        sums[place] = 0
    for r in range(nodes.facts[node, START], nodes.facts[node, STOP]):
        i = U(shared.order[r])
        value = packed[i, numbers[i]]  # nothing is negative in the label of its own class
        if value > 0:
            own = U(place_of[numbers[i]])
            for c in range(used.shape[0]):
                place = U(storage.counted[used[c]])
                code = words[i, place >> U(3)] >> (U(8) * (place & U(7))) & BYTE
                sums[(U(first_cell[used[c]]) + code) * U(n) + own] += value
    return n


@inner
def score_few(columns, rule, totals, j, n, labels, wholes, sums, out, masses):
    """Scores and masses of all cuts of a column, as `score_column`; returns how many there are."""
    count, first, n_labels = columns.bins[j] - 1, columns.first_cell[j], totals.shape[0]
    u, everything = rule.unit[1, 0], upper(totals[0]) + lower(totals[0])
    running, at = np.int64(0), U(first * n)
    both = below = above = 0.0
    for t in range(count):
        before = running
        for _ in range(n):
            running += sums[at]
            at += U(1)
        if t == 0 or running != before:
            below, above = np.float64(running) * u, (everything - np.float64(running)) * u
            both = times_log(below) + times_log(above)
        out[t] = both
        masses[0, t], masses[1, t] = below * n_labels, above * n_labels
    for q in range(n):
        u, total = rule.unit[1, labels[q]], lower(totals[labels[q]])
        at, running, of_class = U(first * n + q), np.int64(0), wholes[q]
        for t in range(count):
            own = sums[at]
            at += U(n)
            if own != 0:
                running += own
                plus = np.float64(running)
                of_class = wholes[q]
                if plus < total:
                    of_class = times_log(plus * u) + times_log((total - plus) * u)
            out[t] -= of_class
    drop_light(count, rule, out, masses)
    return count


@inner
def fill_wholes(rule, totals, n, labels, wholes):
    """W ln W of each class of a node, which has all its weight on one side of most cuts."""
    for q in range(n):
        wholes[q] = times_log(lower(totals[labels[q]]) * rule.unit[1, labels[q]])
