"""The tests of a node whose rows are of one class each, from the classes that it has.

Most nodes of a large tree are of a few rows and classes. Sums over all cells and all classes would
take longer than to look at the rows. The scores are those of `tree_splits.class_scores`, bit for
bit: a class without weight adds nothing, and sums are exact.
"""

from typing import Any, NamedTuple

import numpy as np

from underdog.kernels.criteria import CLASS_ENTROPY
from underdog.kernels.elementary import LN2_HIGH, LN2_LOW, SQRT_HALF, atanh_series
from underdog.kernels.jit import inlined, inner
from underdog.kernels.packed import lower, upper
from underdog.kernels.tree_arrays import LOWER, PLAIN, START, STOP
from underdog.kernels.tree_counts import BYTE
from underdog.kernels.tree_splits import drop_light

U = np.uint64
FRACTION, HALF = (1 << 52) - 1, 1022 << 52
"""The bits of a float that are its fraction, and those of 1/2."""


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
def classes_of(totals, labels):
    """List the classes of a node that have weight in `labels`; returns how many there are."""
    n = 0
    for k in range(totals.shape[0]):
        if lower(totals[k]) > 0.0:
            labels[n] = k
            n += 1
    return n


@inner
def count_few(storage, columns, nodes, shared, node, labels, n, room, sums):
    """sums[cell * n + class] = the weights of the rows of a node, and those of all its classes.

    labels[0..n] are the classes of the node.
    """
    numbers, packed = shared.numbers, shared.packed
    used, first_cell, words = columns.used, columns.first_cell, storage.words
    place_of = np.zeros(nodes.totals.shape[1], np.int64)
    for q in range(n):
        place_of[labels[q]] = q
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
                cell = U(first_cell[used[c]]) + code
                sums[cell * U(n) + own] += value
                room.weights[cell] += value


@inner
def take_classes(hist, labels, n, room, sums):
    """The same as `count_few`, of a node whose sums hist[cell, label] are known."""
    to = U(0)
    for cell in range(U(hist.shape[0])):
        total = np.int64(0)
        for q in range(U(n)):
            value = hist[cell, U(labels[q])] & LOWER
            sums[to] = value
            total += value
            to += U(1)
        room.weights[cell] = total


@inlined
def times_log_each(values, count, out):
    """out[i] = x ln x of values[i], the same bits as `times_log`, for 0 and numbers not tiny.

    `values` are not negative. Where `log` asks for exponent and fraction of a number, the bits of
    all numbers are taken apart here, so that the loop is vectorised.
    """
    bits = values.view(np.int64)
    fractions = out.view(np.int64)
    for i in range(U(count)):
        fractions[i] = bits[i] & FRACTION | HALF
    for i in range(U(count)):
        x, m, e = values[i], out[i], (bits[i] >> 52) - 1022
        small = m < SQRT_HALF
        m, e = (m * 2.0, e - 1) if small else (m, e)
        s = (m - 1.0) / (m + 1.0)
        z = s * s
        series = 2.0 * s + 2.0 * s * (z * atanh_series(z))
        own = x * (e * LN2_HIGH + (series + e * LN2_LOW))
        out[i] = own if x > 0.0 else 0.0


@inner
def score_few(columns, rule, totals, j, n, labels, sums, room, out, masses):
    """Scores and masses of all cuts of a column, as `score_column`; returns how many there are.

    First all numbers are found whose x ln x the scores are made of, two for each cut of all rows
    and of each class, and then these at once. Cuts with the same weights on both sides share them.
    """
    count, first, n_labels = U(columns.bins[j] - 1), columns.first_cell[j], totals.shape[0]
    values, terms, place_of = room.values, room.terms, room.place_of
    u, everything = rule.unit[1, 0], upper(totals[0]) + lower(totals[0])
    running, size, to = np.int64(0), U(0), count
    for t in range(count):
        own = room.weights[U(first) + t]
        running += own
        size += U(2) * U((own != 0) & (t > U(0)))
        values[size] = np.float64(running) * u
        values[size + U(1)] = (everything - np.float64(running)) * u
        place_of[t] = size
        masses[U(0), t], masses[U(1), t] = values[size] * n_labels, values[size + U(1)] * n_labels
    for q in range(n):
        u, total, running = rule.unit[1, labels[q]], lower(totals[labels[q]]), np.int64(0)
        size, at = size + U(2), U(first * n + q)
        for t in range(count):
            own = sums[at]
            running += own
            at += U(n)
            size += U(2) * U((own != 0) & (t > U(0)))
            values[size] = np.float64(running) * u
            values[size + U(1)] = (total - np.float64(running)) * u
            place_of[to] = size
            to += U(1)
    times_log_each(values, size + U(2), terms)
    for t in range(count):
        out[t] = terms[place_of[t]] + terms[place_of[t] + U(1)]
    to = count
    for _ in range(n):
        for t in range(count):
            out[t] -= terms[place_of[to]] + terms[place_of[to] + U(1)]
            to += U(1)
    drop_light(np.int64(count), rule, out, masses)
    return np.int64(count)


class Room(NamedTuple):
    """Room for the numbers of a node and of one of its columns.

    Attributes
    ----------
    weights : weights of all rows of the node, by cell
    values, terms : two numbers for each cut of a column and each class, and their x ln x
    place_of : where those of each cut and class are
    """

    weights: Any
    values: Any
    terms: Any
    place_of: Any


@inner
def room_for(columns, n):
    """Room for a node with n classes."""
    bins = 0
    for c in range(columns.used.shape[0]):
        bins = max(bins, columns.bins[columns.used[c]])
    size = bins * (n + 1)
    cells = columns.first_cell[columns.first_cell.shape[0] - 1]
    return Room(
        np.zeros(cells, np.int64), np.empty(2 * size), np.empty(2 * size), np.empty(size, U)
    )
