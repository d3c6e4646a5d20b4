"""Growing a whole tree where the rows are, on packed integer sums.

The two channels of a signal share one 64-bit integer: channel 0 (weights of negatives, or
gradients, which may be negative) in the upper half, channel 1 (weights of positives, or curvatures)
in the lower. One addition adds both, and sums are exact as long as the total of either stays below
2**31, for which amounts are rounded (`pack`). The larger child of a split has what its sibling
leaves of the parent, exactly. `learners.paths` is the plain form of the same growth.
"""

import numpy as np

from underdog.kernels.criteria import NEWTON, REAL_Z, TIE, block_score, order_key
from underdog.kernels.fetch import fetch
from underdog.kernels.jit import kernel

LOWER = 0xFFFFFFFF
U = np.uint64
TILE = U(1024)  # rows that are counted for one run of columns after the other
RUN = U(52)  # columns whose sums stay in a fast cache
AHEAD = U(24)  # rows that memory is asked for in advance

# What is known of a node, by its place in a row of `nodes`.
START, STOP, DEPTH, SLOT, COLUMN, OFFSET, LABEL, N_FACTS = range(8)
LEAF = -1


@kernel
def sum_amounts(fine, totals, sizes):
    """Sums of fine[channel, row, label] over the rows, and of its absolute values."""
    for c in range(fine.shape[0]):
        for k in range(fine.shape[2]):
            total, size = np.int64(0), np.int64(0)
            for i in range(fine.shape[1]):
                total += fine[c, i, k]
                size += abs(fine[c, i, k])
            totals[c, k], sizes[c, k] = total, size


@kernel
def pack(fine, repeats, shift, out):
    """out[i, k] = both channels of row i, rounded to multiples of 2**shift[channel, k]."""
    for i in range(out.shape[0]):
        often = repeats[i]
        for k in range(out.shape[1]):
            upper, lower = fine[0, i, k], fine[1, i, k]
            if often != 1:
                upper, lower = upper // often, lower // often
            if shift[0, k] > 0:
                upper = (upper + (np.int64(1) << (shift[0, k] - 1))) >> shift[0, k]
            if shift[1, k] > 0:
                lower = (lower + (np.int64(1) << (shift[1, k] - 1))) >> shift[1, k]
            out[i, k] = ((upper * often) << 32) + lower * often


@kernel
def count_dense(codes, offsets, rows, values, hist):
    """Add values[r] to the cells of row rows[r]; one label.

    Positions are unsigned: a signed one could be negative, which costs a test at every access.
    """
    width, count = U(codes.shape[1]), U(rows.shape[0])
    flat = codes.reshape(codes.size)
    first = U(0)
    while first < count:
        last = min(first + TILE, count)
        begin = U(0)
        while begin < width:
            end = min(begin + RUN, width)
            fours = begin + (end - begin) // U(4) * U(4)
            for r in range(first, last):
                base = U(rows[r]) * width
                if begin == U(0) and r + AHEAD < count:
                    fetch(flat, U(rows[r + AHEAD]) * width)
                value = values[r]
                j = begin
                while j < fours:
                    hist[offsets[j] + U(flat[base + j])] += value
                    hist[offsets[j + U(1)] + U(flat[base + j + U(1)])] += value
                    hist[offsets[j + U(2)] + U(flat[base + j + U(2)])] += value
                    hist[offsets[j + U(3)] + U(flat[base + j + U(3)])] += value
                    j += U(4)
                while j < end:
                    hist[offsets[j] + U(flat[base + j])] += value
                    j += U(1)
            begin = end
        first = last


@kernel
def count_dense_labels(codes, offsets, rows, values, hist):
    """`count_dense` for several labels."""
    for r in range(rows.shape[0]):
        i = rows[r]
        for j in range(codes.shape[1]):
            cell = offsets[j] + codes[i, j]
            for k in range(values.shape[1]):
                hist[cell, k] += values[r, k]


@kernel
def count_sparse(pointers, cells, rows, values, hist):
    """Add values[r] to the stored cells of row rows[r]."""
    if values.shape[1] == 1:
        only = hist[:, 0]
        for r in range(rows.shape[0]):
            i = U(rows[r])
            value = values[U(r), 0]
            for place in range(U(pointers[i]), U(pointers[i + U(1)])):
                only[U(cells[place])] += value
        return
    for r in range(rows.shape[0]):
        i = rows[r]
        for place in range(pointers[i], pointers[i + 1]):
            for k in range(values.shape[1]):
                hist[cells[place], k] += values[r, k]


@kernel
def count(dense, sparse, rows, values, hist):
    """The sums of some rows over all cells."""
    for cell in range(hist.shape[0]):
        for k in range(hist.shape[1]):
            hist[cell, k] = 0
    codes, offsets = dense
    if codes.shape[1] > 0:
        if values.shape[1] == 1:
            count_dense(codes, offsets, rows, values[:, 0], hist[:, 0])
        else:
            count_dense_labels(codes, offsets, rows, values, hist)
    pointers, cells = sparse
    if cells.shape[0] > 0:
        count_sparse(pointers, cells, rows, values, hist)


@kernel
def fill_prefix(hist, first, bins, implicit, total, gone, k, prefix):
    """prefix[b] = the sum of the first b bins of a column, without missing values."""
    shift = 1 if implicit >= 0 else 0
    rest = total - gone
    if shift:
        for b in range(bins - 1):
            rest -= hist[first + b, k]
    prefix[0] = 0
    for b in range(bins):
        if b == implicit:
            prefix[b + 1] = prefix[b] + rest
        else:
            prefix[b + 1] = prefix[b] + hist[first + b - (1 if shift and b > implicit else 0), k]


@kernel
def mass_of(criterion, upper, lower):
    """What must not be too small in a block: its curvature, or its weight."""
    return lower if criterion == NEWTON else upper + lower


@kernel
def add_scores(low, high, unit, k, criterion, smooth, beta, out, place, masses):
    """Add one label's score of the test with these packed sums; masses[side] of its blocks too."""
    fm, fp = (low >> 32) * unit[0, k], (low & LOWER) * unit[1, k]
    tm, tp = (high >> 32) * unit[0, k], (high & LOWER) * unit[1, k]
    out[place] += block_score(criterion, tp, tm, smooth, beta)
    out[place] += block_score(criterion, fp, fm, smooth, beta)
    masses[0, place] += mass_of(criterion, fm, fp)
    masses[1, place] += mass_of(criterion, tm, tp)


@kernel
def score_cuts(prefix, count, rest, to_true, to_false, unit, k, rule, out, masses):
    """Scores of the cuts of one column and label: bins above the cut are where the test is true."""
    criterion, smooth, beta = rule
    u0, u1 = unit[0, k], unit[1, k]
    if criterion == NEWTON:
        for c in range(count):
            low = prefix[c + 1] + to_false
            high = rest - prefix[c + 1] + to_true
            fm, fp = (low >> 32) * u0, (low & LOWER) * u1
            tm, tp = (high >> 32) * u0, (high & LOWER) * u1
            out[c] += -(tm * tm) / (tp + smooth) - (fm * fm) / (fp + smooth)
            masses[0, c] += fp
            masses[1, c] += tp
    elif criterion == REAL_Z:
        for c in range(count):
            low = prefix[c + 1] + to_false
            high = rest - prefix[c + 1] + to_true
            fm, fp = (low >> 32) * u0, (low & LOWER) * u1
            tm, tp = (high >> 32) * u0, (high & LOWER) * u1
            out[c] += np.sqrt(tp * tm) + np.sqrt(fp * fm)
            masses[0, c] += fm + fp
            masses[1, c] += tm + tp
    else:
        for c in range(count):
            low = prefix[c + 1] + to_false
            high = rest - prefix[c + 1] + to_true
            add_scores(low, high, unit, k, criterion, smooth, beta, out, c, masses)


@kernel
def level_order(hist, first, levels, k, unit, criterion, smooth):
    """Levels by rising share of positive weight, or rising Newton step; ties by number.

    A level without weight comes first.
    """
    key = np.empty(levels)
    for b in range(levels):
        upper = (hist[first + b, k] >> 32) * unit[0, k]
        lower = (hist[first + b, k] & LOWER) * unit[1, k]
        key[b] = order_key(lower, upper, criterion, smooth)
    return np.argsort(key, kind="mergesort")


@kernel
def score_column(hist, totals, unit, layout, j, order_label, rule, min_mass, room):
    """Scores of all tests on a column, in room[2]; returns how many there are.

    Tests on an ordered column are numbered as in `Candidates`; of a category column they are the
    runs of the levels in the order of one label.
    """
    first_cell, bins, implicit, missing, alone, is_category, levels = layout
    prefix, _, out, masses = room
    first, count = first_cell[j], bins[j] - 1
    n_labels = totals.shape[0]
    criterion, smooth, beta = rule
    if is_category[j]:
        count = levels[j] - 1
        order = level_order(hist, first, levels[j], order_label, unit, criterion, smooth)
        for c in range(count):
            out[c] = masses[0, c] = masses[1, c] = 0.0
        for k in range(n_labels):
            prefix[0] = 0
            for b in range(levels[j]):
                prefix[b + 1] = prefix[b] + hist[first + order[b], k]
            score_cuts(prefix, count, totals[k], 0, 0, unit, k, rule, out, masses)
        too_light(count, min_mass, out, masses)
        return count
    both = 2 if missing[j] else 1
    found = count * both + (1 if alone[j] else 0)
    for t in range(found):
        out[t] = masses[0, t] = masses[1, t] = 0.0
    for k in range(n_labels):
        stored = bins[j] - (1 if implicit[j] >= 0 else 0)
        gone = hist[first + stored, k] if missing[j] else 0
        rest = totals[k] - gone
        fill_prefix(hist, first, bins[j], implicit[j], totals[k], gone, k, prefix)
        if not missing[j]:
            score_cuts(prefix, count, rest, 0, 0, unit, k, rule, out, masses)
        else:
            for c in range(count):
                for side in range(2):
                    low = prefix[c + 1] + (0 if side else gone)
                    high = rest - prefix[c + 1] + (gone if side else 0)
                    place = 2 * c + side
                    add_scores(low, high, unit, k, criterion, smooth, beta, out, place, masses)
        if alone[j]:
            place = found - 1
            add_scores(rest, gone, unit, k, criterion, smooth, beta, out, place, masses)
    too_light(found, min_mass, out, masses)
    return found


@kernel
def too_light(count, min_mass, out, masses):
    """No test that leaves too little on one of its sides."""
    for t in range(count):
        if min(masses[0, t], masses[1, t]) < min_mass:
            out[t] = np.inf


@kernel
def fill_inside(hist, unit, layout, j, offset, label, rule, inside):
    """inside[b] = 1 for the bins where a test is true, the last one for missing values."""
    first_cell, bins, _, missing, alone, is_category, levels = layout
    for b in range(bins[j] + 1):
        inside[b] = 0
    if is_category[j]:
        criterion, smooth, _ = rule
        order = level_order(hist, first_cell[j], levels[j], label, unit, criterion, smooth)
        for place in range(offset + 1, levels[j]):
            inside[order[place]] = 1
        return
    cut, to_true = offset, 0
    if missing[j]:
        cut, to_true = offset // 2, offset % 2
    if alone[j] and cut == bins[j] - 1:
        cut, to_true = bins[j] - 1, 1
    for b in range(cut + 1, bins[j]):
        inside[b] = 1
    inside[bins[j]] = to_true


@kernel
def sides_of(storage, rows, j, inside, implicit, side):
    """side[r] = 1 where the test with these bins is true for row rows[r]."""
    place, columns, cell_pointers, cell_rows, base, first_cell, stored, mark = storage
    if place[j] >= 0:
        own = columns[place[j]]
        for r in range(rows.shape[0]):
            side[U(r)] = inside[U(own[U(rows[r])])]
        return
    rest = inside[implicit[j]] if implicit[j] >= 0 else np.uint8(0)
    start = first_cell[j] - base
    for b in range(stored[j]):
        level = b + 1 if implicit[j] >= 0 and b >= implicit[j] else b
        if inside[level] != rest:
            for at in range(cell_pointers[start + b], cell_pointers[start + b + 1]):
                mark[cell_rows[at]] = 1
    for r in range(rows.shape[0]):
        side[r] = rest ^ mark[rows[r]]
    for b in range(stored[j]):
        for at in range(cell_pointers[start + b], cell_pointers[start + b + 1]):
            mark[cell_rows[at]] = 0


@kernel
def partition(rows, side, spare):
    """Put rows with side 0 before those with side 1, both in their order; returns how many."""
    low = high = U(0)
    for r in range(rows.shape[0]):
        i = rows[r]
        rows[low] = i
        spare[high] = i
        one = U(side[r])
        high += one
        low += U(1) - one
    for r in range(high):
        rows[low + r] = spare[r]
    return np.int64(low)


@kernel
def gather(values, rows, out):
    """The values of some rows, side by side."""
    if values.shape[1] == 1:
        for r in range(rows.shape[0]):
            out[r, 0] = values[U(rows[r]), 0]
        return
    for r in range(rows.shape[0]):
        for k in range(values.shape[1]):
            out[r, k] = values[rows[r], k]


@kernel
def count_examples(storage, rows, j, bins, implicit, repeats, out):
    """out[b] = examples among rows whose bin of column j is b, the last one for missing values."""
    place, columns, cell_pointers, cell_rows, base, first_cell, stored, mark = storage
    for b in range(bins + 1):
        out[b] = 0
    if place[j] >= 0:
        own = columns[place[j]]
        for r in range(rows.shape[0]):
            out[own[rows[r]]] += repeats[rows[r]]
        return
    everything = 0
    for r in range(rows.shape[0]):
        mark[rows[r]] = 1
        everything += repeats[rows[r]]
    start = first_cell[j] - base
    for b in range(stored[j]):
        level = b + 1 if implicit >= 0 and b >= implicit else b
        for at in range(cell_pointers[start + b], cell_pointers[start + b + 1]):
            out[level] += mark[cell_rows[at]] * repeats[cell_rows[at]]
        everything -= out[level]
    if implicit >= 0:
        out[implicit] = everything
    for r in range(rows.shape[0]):
        mark[rows[r]] = 0


@kernel
def too_few(examples, everything, layout, j, order, min_samples, count, out):
    """No test with too few examples on one of its sides."""
    _, bins, _, missing, alone, is_category, _ = layout
    gone = 0 if is_category[j] else examples[bins[j]]
    both = 2 if missing[j] and not is_category[j] else 1
    low = 0
    for t in range(count):
        if is_category[j]:
            low += examples[order[t]]
            below = low
        elif alone[j] and t == count - 1:
            below = everything - gone
        else:
            if t % both == 0:
                low += examples[t // both]
            below = low + (gone if both == 2 and t % 2 == 0 else 0)
        if min(below, everything - below) < min_samples:
            out[t] = np.inf


@kernel
def search(hist, totals, unit, layout, storage, columns, rule, limits, rows, repeats, room, found):
    """The best test of a node: found = column, offset, label of the order; returns its score.

    First the lowest score of every column, then the first test within rounding of the lowest of
    all: so it does not matter who has looked at which column.
    """
    _, bins, implicit, _, _, is_category, levels = layout
    _, _, min_samples, min_mass, _ = limits
    criterion, smooth, _ = rule
    out = room[2]
    lowest = np.full(columns.shape[0], np.inf)
    examples = np.zeros(room[1].shape[0], np.int64)
    everything = 0
    if min_samples > 1:
        for r in range(rows.shape[0]):
            everything += repeats[rows[r]]
    for c in range(columns.shape[0]):
        j = columns[c]
        for label in range(totals.shape[0] if is_category[j] else 1):
            count_ = score_column(hist, totals, unit, layout, j, label, rule, min_mass, room)
            for t in range(count_):
                lowest[c] = min(lowest[c], out[t])
    while True:
        best = np.inf
        for c in range(columns.shape[0]):
            best = min(best, lowest[c])
        if best == np.inf:
            return best
        limit = best + TIE * abs(best)
        c = 0
        while lowest[c] > limit:
            c += 1
        j = columns[c]
        if min_samples > 1:
            count_examples(storage, rows, j, bins[j], implicit[j], repeats, examples)
        again = np.inf
        for label in range(totals.shape[0] if is_category[j] else 1):
            count_ = score_column(hist, totals, unit, layout, j, label, rule, min_mass, room)
            if min_samples > 1:
                order = np.zeros(0, np.int64)
                if is_category[j]:
                    order = level_order(
                        hist, layout[0][j], levels[j], label, unit, criterion, smooth
                    )
                too_few(examples, everything, layout, j, order, min_samples, count_, out)
            for t in range(count_):
                if out[t] <= limit:
                    found[0], found[1], found[2] = j, t, label
                    return best
                again = min(again, out[t])
        lowest[c] = again


@kernel
def block_scores(totals, unit, rule):
    """The score of a node as one block."""
    criterion, smooth, beta = rule
    score = 0.0
    for k in range(totals.shape[0]):
        upper, lower = (totals[k] >> 32) * unit[0, k], (totals[k] & LOWER) * unit[1, k]
        score += block_score(criterion, lower, upper, smooth, beta)
    return score


@kernel
def grow(
    dense, sparse, storage, layout, columns, packed, repeats, unit, rule, limits, order, spare,
    side, values, hists, room, nodes, gains, totals, children, insides, found,
):  # fmt: skip
    """Split nodes until there are enough leaves or nothing is gained; returns how many nodes.

    order holds all rows; those of a node stay together, in their order. insides[s] are the bins
    where the test of split s is true; children[node] = its split, and where it is false and true.
    """
    max_depth, max_leaves, _, _, best_first = limits
    n_labels = packed.shape[1]
    nodes[0, START], nodes[0, STOP], nodes[0, DEPTH], nodes[0, SLOT] = 0, order.shape[0], 0, 0
    for k in range(n_labels):
        totals[0, k] = 0
        for i in range(packed.shape[0]):
            totals[0, k] += packed[i, k]
    children[0, 0] = LEAF
    gather(packed, order, values)
    count(dense, sparse, order, values, hists[0])
    gains[0] = -1.0
    if max_leaves > 1 and max_depth > 0:
        look(hists[0], totals[0], unit, layout, storage, columns, rule, limits, order, repeats,
             room, found, nodes, gains, 0)  # fmt: skip
    size, leaves = 1, 1
    while leaves < max_leaves:
        highest = 0.0
        for node in range(size):
            if children[node, 0] == LEAF:
                highest = max(highest, gains[node])
        chosen = -1
        least = highest * (1.0 - TIE) if best_first else 0.0
        for node in range(size):
            if children[node, 0] == LEAF and gains[node] > 0.0 and gains[node] >= least:
                chosen = node
                break
        if chosen < 0:
            break
        start, stop, slot = nodes[chosen, START], nodes[chosen, STOP], nodes[chosen, SLOT]
        j, split = nodes[chosen, COLUMN], leaves - 1
        inside = insides[split]
        fill_inside(
            hists[slot], unit, layout, j, nodes[chosen, OFFSET], nodes[chosen, LABEL], rule, inside
        )
        rows = order[start:stop]
        sides_of(storage, rows, j, inside, layout[2], side)
        middle = start + partition(rows, side, spare)
        leaves += 1
        children[chosen, 0], children[chosen, 1], children[chosen, 2] = split, size, size + 1
        smaller = 0 if middle - start <= stop - middle else 1
        deep = nodes[chosen, DEPTH] + 1 < max_depth and leaves < max_leaves
        for child in range(2):
            node = size + child
            children[node, 0] = LEAF
            nodes[node, START] = start if child == 0 else middle
            nodes[node, STOP] = middle if child == 0 else stop
            nodes[node, DEPTH] = nodes[chosen, DEPTH] + 1
            nodes[node, SLOT] = leaves - 1 if child == smaller else slot
            gains[node] = -1.0
        small, large = size + smaller, size + 1 - smaller
        size += 2
        some = order[nodes[small, START] : nodes[small, STOP]]
        own = values[: some.shape[0]]
        gather(packed, some, own)
        for k in range(n_labels):
            totals[small, k] = 0
            for r in range(some.shape[0]):
                totals[small, k] += own[r, k]
            totals[large, k] = totals[chosen, k] - totals[small, k]
        if not deep:
            continue
        hist, other = hists[leaves - 1], hists[slot]
        count(dense, sparse, some, own, hist)
        for cell in range(hist.shape[0]):
            for k in range(n_labels):
                other[cell, k] -= hist[cell, k]
        for node in (small, large):
            look(hists[nodes[node, SLOT]], totals[node], unit, layout, storage, columns, rule,
                 limits, order[nodes[node, START] : nodes[node, STOP]], repeats, room, found,
                 nodes, gains, node)  # fmt: skip
    return size


@kernel
def look(
    hist, totals, unit, layout, storage, columns, rule, limits, rows, repeats, room, found, nodes,
    gains, node,
):  # fmt: skip
    """Find the best test of a node, and what it gains."""
    if rows.shape[0] < 2:
        return
    best = search(
        hist, totals, unit, layout, storage, columns, rule, limits, rows, repeats, room, found
    )
    before = block_scores(totals, unit, rule)
    if before - best > TIE * (abs(before) + abs(best)):
        gains[node] = before - best
        nodes[node, COLUMN], nodes[node, OFFSET], nodes[node, LABEL] = found[0], found[1], found[2]


@kernel
def leaf_sums(fine, order, starts, stops, out):
    """out[leaf, channel, label] = the exact sums of the rows of each leaf."""
    for leaf in range(out.shape[0]):
        for channel in range(out.shape[1]):
            for k in range(out.shape[2]):
                total = np.int64(0)
                for r in range(starts[leaf], stops[leaf]):
                    total += fine[channel, order[r], k]
                out[leaf, channel, k] = total
