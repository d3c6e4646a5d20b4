"""Scores of all candidate tests, computed from the tallies.

Candidates are numbered by (column, cut), and ties are broken by the lowest number. Scores are
accumulated label by label in order, so that labels may come in several batches with the same
result.

        cells of one ordered column, bins 0..3        candidates: cut after bin 0, 1, 2
        |  0  |  1  |  2  |  3  | missing |           test true = bins above the cut

With missing values each cut is tried twice (missing on the false side, then on the true side), and
last "missing" against everything else.
"""

import numpy as np

from underdog.kernels.criteria import (
    CLASS_VOTE,
    NEWTON,
    REAL_Z,
    SCRATCH,
    SIGN_EDGE,
    TIE,
    order_key,
    score,
)
from underdog.kernels.jit import kernel

U = np.uint64


@kernel
def least_error(true, false, weight_per_unit):
    """Minus the weight of the heaviest class on each side of a test; all have the same unit."""
    yes = no = np.int64(0)
    for k in range(true.shape[0]):
        yes = max(yes, true[k])
        no = max(no, false[k])
    return -(yes + no) * weight_per_unit[1, 0]


@kernel
def score_presence(
    cells,
    totals,
    weight_per_unit,
    first_label,
    last_label,
    cell,
    candidate,
    criterion,
    smooth,
    beta,
    out,
):
    """Columns with one stored bin: the stored side against the rest."""
    labels = last_label - first_label
    part, rest = np.empty(labels), np.empty(labels, np.int64)
    work = np.empty(SCRATCH)
    for c in range(cell.shape[0]):
        plus, minus = cells[1, cell[c]], cells[0, cell[c]]
        if criterion == CLASS_VOTE:
            for k in range(labels):
                rest[k] = totals[1, k] - plus[k]
            out[candidate[c]] = least_error(plus, rest, weight_per_unit)
            continue
        if criterion == REAL_Z:
            for k in range(labels):
                label = first_label + k
                up, um = weight_per_unit[1, label], weight_per_unit[0, label]
                tp, tm = plus[label], minus[label]
                fp, fm = totals[1, label] - tp, totals[0, label] - tm
                part[k] = np.sqrt((tp * up) * (tm * um)) + np.sqrt((fp * up) * (fm * um))
        elif criterion == SIGN_EDGE:  # the same as `score`, but vectorised
            for k in range(labels):
                label = first_label + k
                up, um = weight_per_unit[1, label], weight_per_unit[0, label]
                tp, tm = plus[label], minus[label]
                fp, fm = totals[1, label] - tp, totals[0, label] - tm
                part[k] = -(abs(tp * up - tm * um) + abs(fp * up - fm * um))
        else:
            for k in range(labels):
                label = first_label + k
                up, um = weight_per_unit[1, label], weight_per_unit[0, label]
                tp, tm = plus[label], minus[label]
                fp, fm = totals[1, label] - tp, totals[0, label] - tm
                part[k] = score(criterion, tp * up, tm * um, fp * up, fm * um, smooth, beta, work)
        sum_ = out[candidate[c]]
        for k in range(labels):
            sum_ += part[k]
        out[candidate[c]] = sum_


@kernel
def in_one_run(sorted_numbers):
    """Whether these increasing numbers, at least one, have no gap."""
    return sorted_numbers[-1] - sorted_numbers[0] == sorted_numbers.shape[0] - 1


@kernel
def score_presence_single(
    cells, totals, weight_per_unit, cell, candidate, criterion, smooth, beta, out
):
    """`score_presence` for one label.

    If all columns are words, their cells are contiguous, and the two most common criteria are
    vectorised.
    """
    work = np.empty(SCRATCH)
    up, um = weight_per_unit[1, 0], weight_per_unit[0, 0]
    all_plus, all_minus = totals[1, 0], totals[0, 0]
    count = cell.shape[0]
    if (
        count > 0
        and criterion in (REAL_Z, SIGN_EDGE)
        and in_one_run(cell)
        and in_one_run(candidate)
    ):
        flat = cells.reshape(cells.size)
        minus = flat[cell[0] :]
        plus = flat[cells.shape[1] + cell[0] :]
        z = out[candidate[0] :]
        if criterion == REAL_Z:
            for c in range(count):
                fp, fm = (all_plus - plus[c]) * up, (all_minus - minus[c]) * um
                z[c] = np.sqrt((plus[c] * up) * (minus[c] * um)) + np.sqrt(fp * fm)
        else:
            for c in range(count):
                fp, fm = (all_plus - plus[c]) * up, (all_minus - minus[c]) * um
                z[c] = -(abs(plus[c] * up - minus[c] * um) + abs(fp - fm))
        return
    for c in range(count):
        tp, tm = cells[1, cell[c], 0], cells[0, cell[c], 0]
        fp, fm = (all_plus - tp) * up, (all_minus - tm) * um
        out[candidate[c]] = score(criterion, tp * up, tm * um, fp, fm, smooth, beta, work)


@kernel
def add_scores(
    true, false, where, weight_per_unit, first_label, last_label, criterion, smooth, beta, work, out
):
    """out[where] += score of a test with integer sums true[sign, label] and false[sign, label]."""
    if criterion == CLASS_VOTE:
        out[where] = least_error(true[1], false[1], weight_per_unit)
        return
    sum_ = out[where]
    for k in range(first_label, last_label):
        up, um = weight_per_unit[1, k], weight_per_unit[0, k]
        tp, tm = true[1, k] * up, true[0, k] * um
        fp, fm = false[1, k] * up, false[0, k] * um
        sum_ += score(criterion, tp, tm, fp, fm, smooth, beta, work)
    out[where] = sum_


@kernel
def score_ordered_single(
    cells,
    totals,
    weight_per_unit,
    columns,
    first_cell,
    bins,
    first_candidate,
    criterion,
    smooth,
    beta,
    out,
):
    """`score_ordered` for the most common case: one label, all bins stored, nothing missing."""
    work = np.empty(SCRATCH)
    up, um = weight_per_unit[1, 0], weight_per_unit[0, 0]
    all_plus, all_minus = totals[1, 0], totals[0, 0]
    count = U(0)
    for c in range(columns.shape[0]):
        count += U(bins[columns[c]] - 1)
    plus, minus, found = np.empty(count, np.int64), np.empty(count, np.int64), np.empty(count)
    place = U(0)
    for c in range(columns.shape[0]):
        j = columns[c]
        fp, fm = np.int64(0), np.int64(0)
        for b in range(U(first_cell[j]), U(first_cell[j] + bins[j] - 1)):
            fp += cells[U(1), b, U(0)]
            fm += cells[U(0), b, U(0)]
            plus[place], minus[place] = fp, fm
            place += U(1)
    if criterion == REAL_Z:  # the most common criterion is vectorised
        for i in range(count):
            tp, tm = (all_plus - plus[i]) * up, (all_minus - minus[i]) * um
            found[i] = np.sqrt(tp * tm) + np.sqrt((plus[i] * up) * (minus[i] * um))
    else:
        for i in range(count):
            tp, tm = (all_plus - plus[i]) * up, (all_minus - minus[i]) * um
            found[i] = score(criterion, tp, tm, plus[i] * up, minus[i] * um, smooth, beta, work)
    place = U(0)
    for c in range(columns.shape[0]):
        j = columns[c]
        for where in range(U(first_candidate[j]), U(first_candidate[j] + bins[j] - 1)):
            out[where] = found[place]
            place += U(1)


@kernel
def score_ordered(
    cells,
    totals,
    weight_per_unit,
    first_label,
    last_label,
    columns,
    first_cell,
    bins,
    implicit,
    missing,
    alone,
    first_candidate,
    criterion,
    smooth,
    beta,
    out,
):
    """Ordered columns: every cut, with missing values on either side.

    If alone[j] is set, "missing" against everything else is also a test.
    """
    low = np.zeros(totals.shape, np.int64)
    high = np.zeros(totals.shape, np.int64)
    missing_sums = np.zeros(totals.shape, np.int64)
    rest = np.zeros(totals.shape, np.int64)
    work = np.empty(SCRATCH)
    shared = (weight_per_unit, first_label, last_label, criterion, smooth, beta, work, out)
    for c in range(columns.shape[0]):
        j = columns[c]
        first = first_cell[j]
        shift = 1 if implicit[j] >= 0 else 0
        stored = bins[j] - shift
        for s in range(2):
            for k in range(first_label, last_label):
                low[s, k] = 0
                missing_sums[s, k] = cells[s, first + stored, k] if missing[j] else 0
                high[s, k] = totals[s, k] - missing_sums[s, k]
                rest[s, k] = high[s, k]
                if shift:
                    for b in range(stored):
                        rest[s, k] -= cells[s, first + b, k]
        where = first_candidate[j]
        for b in range(bins[j] - 1):
            for s in range(2):
                for k in range(first_label, last_label):
                    if b == implicit[j]:
                        amount = rest[s, k]
                    else:
                        stored_bin = b - 1 if shift and b > implicit[j] else b
                        amount = cells[s, first + stored_bin, k]
                    low[s, k] += amount
                    high[s, k] -= amount
            if missing[j]:
                low += missing_sums
                add_scores(high, low, where, *shared)
                low -= missing_sums
                high += missing_sums
                add_scores(high, low, where + 1, *shared)
                high -= missing_sums
                where += 2
            else:
                add_scores(high, low, where, *shared)
                where += 1
        if alone[j]:
            for s in range(2):
                for k in range(first_label, last_label):
                    rest[s, k] = totals[s, k] - missing_sums[s, k]
            add_scores(missing_sums, rest, where, *shared)


@kernel
def category_order(cells, weight_per_unit, first, levels, label, criterion, smooth):
    """Levels sorted by their share of positive weight or Newton step, then by index.

    A level without weight comes first.

    For one label, and criteria that are concave in the sums of a block, the best subset consists of
    the last levels of this order.
    """
    key = np.empty(levels)
    for b in range(levels):
        plus = cells[1, first + b, label] * weight_per_unit[1, label]
        minus = cells[0, first + b, label] * weight_per_unit[0, label]
        key[b] = order_key(plus, minus, criterion, smooth)
    return np.argsort(key, kind="mergesort")


@kernel
def score_category(
    cells,
    totals,
    weight_per_unit,
    columns,
    first_cell,
    levels,
    candidate,
    criterion,
    smooth,
    beta,
    out,
    best_label,
    best_cut,
):
    """Category columns: the best set of last levels in the order of each label.

    best_label and best_cut describe it: levels order[best_cut:] are on the true side.
    """
    labels = totals.shape[1]
    low = np.zeros((2, labels), np.int64)
    high = np.zeros((2, labels), np.int64)
    work = np.empty(SCRATCH)
    value = np.zeros(1)
    first = columns.shape[0] * 0  # a literal 0 would compile add_scores a second time
    for c in range(columns.shape[0]):
        j = columns[c]
        out[candidate[j]] = np.inf
        for label in range(labels):
            order = category_order(
                cells, weight_per_unit, first_cell[j], levels[j], label, criterion, smooth
            )
            for s in range(2):  # assigning whole arrays would take seconds more to compile
                for k in range(labels):
                    low[s, k] = 0
                    high[s, k] = totals[s, k]
            for b in range(levels[j] - 1):
                for s in range(2):
                    for k in range(labels):
                        amount = cells[s, first_cell[j] + order[b], k]
                        low[s, k] += amount
                        high[s, k] -= amount
                value[0] = 0.0
                add_scores(
                    high,
                    low,
                    first,
                    weight_per_unit,
                    first,
                    labels,
                    criterion,
                    smooth,
                    beta,
                    work,
                    value,
                )
                tie = TIE * abs(value[0]) if criterion == NEWTON else TIE
                if value[0] < out[candidate[j]] - tie:
                    out[candidate[j]] = value[0]
                    best_label[c] = label
                    best_cut[c] = b + 1


@kernel
def lowest(scores, tie):
    """The first position whose score is the lowest, up to `tie`."""
    least = np.full(8, np.inf)  # eight independent minima, which are computed in parallel
    whole = scores.shape[0] // 8 * 8
    for first in range(0, whole, 8):
        for lane in range(8):
            if scores[first + lane] < least[lane]:
                least[lane] = scores[first + lane]
    for i in range(whole, scores.shape[0]):
        least[0] = min(least[0], scores[i])
    for lane in range(1, 8):
        least[0] = min(least[0], least[lane])
    limit = least[0] + tie
    for i in range(scores.shape[0]):
        if scores[i] <= limit:
            return i
    return 0
