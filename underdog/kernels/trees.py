"""Growing a whole tree where the rows are, on packed integer sums, by several threads.

Thread 0 decides what is split next. All threads divide the rows, count and search: each has its
share of the rows and of the columns, and they meet at a barrier before anything is read that
another thread writes. The larger child of a split has what its sibling leaves of the parent,
exactly. Sums are exact, so that the number of threads does not show in a tree. `learners.paths` is
the plain form of the same growth.
"""

import numpy as np

from underdog.kernels.barrier import take, wait
from underdog.kernels.criteria import TIE
from underdog.kernels.draws import mix
from underdog.kernels.jit import inner, kernel, merged
from underdog.kernels.lent import lend
from underdog.kernels.tree_arrays import (
    CHECKED,
    COLUMN,
    DEPTH,
    DIVIDE,
    DIVIDED,
    DONE,
    EXAMPLES,
    JOB,
    JOB_LARGE,
    JOB_NODE,
    JOB_SMALL,
    LABEL,
    LEAF,
    MOVE,
    NOTHING,
    OFFSET,
    SLOT,
    START,
    STOP,
    TRUE_EXAMPLES,
    TRUE_ROWS,
)
from underdog.kernels.tree_constraints import constrain_children, constrain_root
from underdog.kernels.tree_counts import (
    CELLS,
    TILE,
    U,
    add_up,
    count_cells,
    count_dense,
    count_labels,
    count_sparse,
    sum_rows,
)
from underdog.kernels.tree_rows import examples_of, mark_rows, scatter, sides_of
from underdog.kernels.tree_search import lowest_scores, pick
from underdog.kernels.tree_splits import fill_inside, score_of_node, sums_inside


@merged
def share(size, thread, n_threads):
    """The part of a range that belongs to a thread."""
    return size * thread // n_threads, size * (thread + 1) // n_threads


@merged
def column_share(columns, thread, n_threads):
    """The first and the last column of a thread, between which are those that it searches."""
    used, n_columns = columns.used, columns.bins.shape[0]
    first, last = share(used.shape[0], thread, n_threads)
    return (used[first] if thread else 0), (used[last] if thread + 1 < n_threads else n_columns)


@inner
def work(storage, columns, rule, nodes, shared, thread, n_threads):
    """A thread's share of moving rows, counting and searching; False if threads were released."""
    node, small = shared.job[JOB_NODE], shared.job[JOB_SMALL]
    if node != NOTHING:
        move_share(nodes, shared, node, thread, n_threads)
        if not wait(shared.counter, n_threads):
            return False
        move_back(nodes, shared, node, thread, n_threads)
    if small != NOTHING:
        rows = shared.spare if node != NOTHING else shared.order
        rows = rows[nodes.facts[small, START] : nodes.facts[small, STOP]]
        count_share(storage, columns, nodes, shared, small, rows, thread, n_threads)
        if not wait(shared.counter, n_threads):
            return False
        search_share(storage, columns, rule, nodes, shared, thread, n_threads)
    return wait(shared.counter, n_threads)


@inner
def divide_share(storage, columns, nodes, shared, thread, n_threads):
    """Find the sides of a thread's share of the rows of a node, and how many are on side 1.

    False if threads were released.
    """
    node = shared.job[JOB_NODE]
    start, stop = nodes.facts[node, START], nodes.facts[node, STOP]
    first, last = share(stop - start, thread, n_threads)
    rows, side = shared.order[start + first : start + last], shared.side[first:last]
    found = sides_of(storage, columns, rows, nodes.facts[node, COLUMN], shared.last_inside, side)
    shared.true[thread, 0] = shared.true[thread, 1] = found
    if storage.repeated:
        shared.true[thread, 1] = examples_of(storage.repeats, rows, side)
    return wait(shared.counter, n_threads)


@merged
def move_share(nodes, shared, node, thread, n_threads):
    """Write a thread's share of the rows of a node to where they belong, in `spare`."""
    start, stop = nodes.facts[node, START], nodes.facts[node, STOP]
    first, last = share(stop - start, thread, n_threads)
    before = np.int64(0)
    for other in range(thread):
        before += shared.true[other, 0]
    true = shared.last[TRUE_ROWS]
    scatter(
        shared.order[start + first : start + last], shared.side[first:last],
        start + first - before, stop - true + before, shared.spare,
    )  # fmt: skip


@merged
def move_back(nodes, shared, node, thread, n_threads):
    """Copy a thread's share of the rows of a node from `spare`."""
    start, order, spare = nodes.facts[node, START], shared.order, shared.spare
    first, last = share(nodes.facts[node, STOP] - start, thread, n_threads)
    for place in range(np.uint64(start + first), np.uint64(start + last)):
        order[place] = spare[place]


@merged
def count_share(storage, columns, nodes, shared, node, rows, thread, n_threads):
    """Count a thread's share of the rows of a node; of several labels, of the columns.

    A thread that is faster has a larger share. Sparse columns are counted cell by cell in the root,
    and by the last thread elsewhere.
    """
    hist = shared.hists[nodes.facts[node, SLOT]]
    if storage.n_counted > 0:
        if hist.shape[1] == 1:
            sums = shared.sums[thread]
            for cell in range(U(storage.n_counted) * CELLS):
                sums[cell] = 0
            first = take(shared.turn, TILE, n_threads)
            while first < rows.shape[0]:
                some = rows[first : min(first + TILE, rows.shape[0])]
                count_dense(storage.words, storage.n_counted, some, shared.packed[:, 0], sums)
                first = take(shared.turn, TILE, n_threads)
        else:
            left, right = column_share(columns, thread, n_threads)
            count_labels(
                storage, columns.first_cell, left, right, rows, shared.packed, shared.numbers, hist
            )
    if storage.cells.shape[0] > 0:
        if hist.shape[1] == 1 and rows.shape[0] == shared.packed.shape[0]:
            first, last = share(columns.used.shape[0], thread, n_threads)
            own = columns.used[first:last]
            count_cells(storage, columns.first_cell, own, shared.packed[:, 0], hist[:, 0])
        elif thread == n_threads - 1:
            count_sparse(storage, columns.first_cell, rows, shared.packed, shared.numbers, hist)


@merged
def sum_share(storage, columns, shared, hist, thread, n_threads):
    """Add up what all threads have counted in a thread's columns."""
    if hist.shape[1] == 1:
        left, right = column_share(columns, thread, n_threads)
        add_up(storage, columns.first_cell, left, right, shared.sums, hist[:, 0])


@merged
def may_split(nodes, rule, node):
    """Whether a node has enough examples for two children."""
    return nodes.facts[node, EXAMPLES] >= 2 * max(1, rule.min_samples)


@merged
def search_share(storage, columns, rule, nodes, shared, thread, n_threads):
    """The least scores of a thread's columns in the small child, and in the large one."""
    small, large = shared.job[JOB_SMALL], shared.job[JOB_LARGE]
    hist = shared.hists[nodes.facts[small, SLOT]]
    two = large != NOTHING
    other = shared.hists[nodes.facts[large, SLOT]] if two else hist
    prefix, scores, masses = shared.prefix[thread], shared.scores[thread], shared.masses[thread]
    sum_share(storage, columns, shared, hist, thread, n_threads)
    c, last = share(columns.used.shape[0], thread, n_threads)
    while c < last:
        end = min(columns.run_end[c], last)
        for child in range(2 if two else 1):
            node = large if child else small
            if child:
                take_away(columns, c, end, hist, other)
            if may_split(nodes, rule, node):
                lowest_scores(
                    other if child else hist, nodes, node, columns, rule, c, end,
                    prefix, scores, masses, shared.lowest[nodes.facts[node, SLOT]],
                )  # fmt: skip
        c = end


@merged
def take_away(columns, c, end, hist, other):
    """Subtract the sums of some columns, and of those between them that are not searched."""
    used, first_cell, n_labels = columns.used, columns.first_cell, hist.shape[1]
    mine, rest = hist.reshape(hist.size), other.reshape(other.size)
    first, last = first_cell[used[c]] * n_labels, first_cell[used[end - 1] + 1] * n_labels
    for place in range(np.uint64(first), np.uint64(last)):
        rest[place] -= mine[place]


@kernel
def help_grow(storage, columns, rule, nodes, shared, thread, n_threads):
    """What every thread but the first does."""
    storage, columns, rule = lend(storage), lend(columns), lend(rule)
    nodes, shared = lend(nodes), lend(shared)
    while wait(shared.counter, n_threads) and shared.job[JOB] != DONE:
        if shared.job[JOB] == DIVIDE:
            met = divide_share(storage, columns, nodes, shared, thread, n_threads)
        else:
            met = work(storage, columns, rule, nodes, shared, thread, n_threads)
        if not met:
            return


@inner
def begin(shared, job, node, small, large, n_threads):
    """Tell the other threads what to do; False if they were released."""
    shared.job[JOB], shared.job[JOB_NODE] = job, node
    shared.job[JOB_SMALL], shared.job[JOB_LARGE] = small, large
    shared.turn[0] = 0
    return wait(shared.counter, n_threads)


@inner
def note(storage, columns, rule, nodes, shared, node, everything):
    """Write down the best test of a node and what it gains, if it gains anything.

    If `everything` is not 0, it is the number of the node's examples, and both sides of the test
    have `min_samples` of them.
    """
    facts = nodes.facts
    nodes.gains[node] = -1.0
    if not may_split(nodes, rule, node):
        return
    hist, totals, bounds = shared.hists[facts[node, SLOT]], nodes.totals[node], nodes.bounds[node]
    best, column, offset, label = pick(
        hist, nodes, node, storage, columns, rule, shared.lowest[facts[node, SLOT]],
        shared.order[facts[node, START] : facts[node, STOP]], everything,
        shared.prefix[0], shared.scores[0], shared.masses[0],
    )  # fmt: skip
    before = score_of_node(totals, bounds, rule)
    if before - best > TIE * (abs(before) + abs(best)):
        nodes.gains[node] = before - best
        facts[node, COLUMN], facts[node, OFFSET], facts[node, LABEL] = column, offset, label
        facts[node, CHECKED] = 1 if everything or rule.min_samples <= 1 else 0


@inner
def divide(storage, columns, rule, nodes, shared, node, n_threads):
    """Find the side of each row of a node; returns how many examples are where its test is true.

    Sides and test are kept: a node that was checked may be split next.
    """
    facts, last, inside = nodes.facts, shared.last, shared.last_inside
    if last[DIVIDED] != node:
        hist, j = shared.hists[facts[node, SLOT]], facts[node, COLUMN]
        fill_inside(hist, columns, rule, j, facts[node, OFFSET], facts[node, LABEL], inside)
        if storage.place[j] < 0:
            mark_rows(storage, columns, j, inside, np.uint8(1))
        nothing = np.int64(NOTHING)
        if begin(shared, np.int64(DIVIDE), node, nothing, nothing, n_threads):
            divide_share(storage, columns, nodes, shared, np.int64(0), n_threads)
        if storage.place[j] < 0:
            mark_rows(storage, columns, j, inside, np.uint8(0))
        last[DIVIDED], last[TRUE_ROWS], last[TRUE_EXAMPLES] = node, 0, 0
        for thread in range(n_threads):
            last[TRUE_ROWS] += shared.true[thread, 0]
            last[TRUE_EXAMPLES] += shared.true[thread, 1]
    return last[TRUE_EXAMPLES]


@merged
def check(storage, columns, rule, nodes, shared, node, n_threads):
    """Whether the best test of a node leaves enough examples on both sides.

    If not, the best one that does is looked for. Most tests do, and their rows are divided anyway.
    """
    facts = nodes.facts
    everything = facts[node, EXAMPLES]
    true = divide(storage, columns, rule, nodes, shared, node, n_threads)
    if min(true, everything - true) >= rule.min_samples:
        facts[node, CHECKED] = 1
        return True
    note(storage, columns, rule, nodes, shared, node, everything)
    shared.last[DIVIDED] = NOTHING
    return False


@merged
def next_leaf(storage, columns, rule, nodes, shared, size, n_threads):
    """The leaf to split: the first of those that gain most, or the first that gains anything."""
    gains, children = nodes.gains, nodes.children
    while True:
        least = 0.0
        if rule.best_first:
            for node in range(size):
                if children[node, 0] == LEAF:
                    least = max(least, gains[node] * (1.0 - TIE))
        chosen, valid = LEAF, True
        for node in range(size):
            if valid and children[node, 0] == LEAF and gains[node] > 0.0 and gains[node] >= least:
                if nodes.facts[node, CHECKED] == 0:
                    valid = check(storage, columns, rule, nodes, shared, node, n_threads)
                if chosen == LEAF:
                    chosen = node
                    if not rule.best_first:
                        break
        if valid:
            return chosen


@merged
def add_node(nodes, node, start, stop, depth, slot, examples):
    """A new leaf."""
    facts = nodes.facts
    facts[node, START], facts[node, STOP], facts[node, DEPTH] = start, stop, depth
    facts[node, SLOT], facts[node, EXAMPLES], facts[node, CHECKED] = slot, examples, 0
    nodes.children[node, 0] = LEAF
    nodes.gains[node] = -1.0


@merged
def split(storage, columns, rule, nodes, shared, node, size, leaves, n_threads):
    """Make two new nodes of the rows of a node; returns the one with fewer rows and the other.

    The rows themselves are not yet moved.
    """
    facts, inside = nodes.facts, nodes.insides[leaves - 1]
    start, stop, depth = facts[node, START], facts[node, STOP], facts[node, DEPTH] + 1
    true = divide(storage, columns, rule, nodes, shared, node, n_threads)
    for b in range(inside.shape[0]):
        inside[b] = shared.last_inside[b]
    middle = stop - shared.last[TRUE_ROWS]
    slot, false = facts[node, SLOT], facts[node, EXAMPLES] - true
    nodes.children[node, 0], nodes.children[node, 1], nodes.children[node, 2] = (
        leaves - 1, size, size + 1,
    )  # fmt: skip
    left_is_small = middle - start <= stop - middle
    add_node(nodes, size, start, middle, depth, leaves if left_is_small else slot, false)
    add_node(nodes, size + 1, middle, stop, depth, slot if left_is_small else leaves, true)
    totals = nodes.totals
    column, true_totals = facts[node, COLUMN], totals[size + 1]
    sums_inside(shared.hists[slot], totals[node], columns, column, inside, true_totals)
    for k in range(totals.shape[1]):
        totals[size, k] = totals[node, k] - totals[size + 1, k]
    constrain_children(columns, rule, nodes, node, size, size + 1)
    nodes.draws[size] = mix(nodes.draws[node])
    nodes.draws[size + 1] = mix(~nodes.draws[node])
    return (size, size + 1) if left_is_small else (size + 1, size)


@kernel
def grow(storage, columns, rule, nodes, shared, examples, n_threads):
    """Split nodes until there are enough leaves or nothing is gained; returns how many nodes."""
    storage, columns, rule = lend(storage), lend(columns), lend(rule)
    nodes, shared = lend(nodes), lend(shared)
    root, nothing = np.int64(0), np.int64(NOTHING)  # literal numbers would be compiled apart
    add_node(nodes, root, root, shared.order.shape[0], root, root, examples)
    constrain_root(nodes)
    sum_rows(shared.packed, shared.order, nodes.totals[0])
    shared.last[DIVIDED] = NOTHING
    size, leaves, node, small, large = np.int64(1), np.int64(1), nothing, root, nothing
    while True:
        larger = nodes.facts[small, EXAMPLES]
        if large != NOTHING:
            larger = max(larger, nodes.facts[large, EXAMPLES])
        deep = nodes.facts[small, DEPTH] >= rule.max_depth or leaves >= rule.max_leaves
        searched = not deep and larger >= 2 * rule.min_samples
        if searched or node != NOTHING:
            counted = small if searched else nothing
            if not begin(shared, np.int64(MOVE), node, counted, large, n_threads):
                break
            if not work(storage, columns, rule, nodes, shared, root, n_threads):
                break
        if searched:
            for child in range(1 if large == NOTHING else 2):
                found = large if child else small
                note(storage, columns, rule, nodes, shared, found, root)
        if leaves >= rule.max_leaves:
            break
        node = next_leaf(storage, columns, rule, nodes, shared, size, n_threads)
        if node == LEAF:
            break
        small, large = split(storage, columns, rule, nodes, shared, node, size, leaves, n_threads)
        size += 2
        leaves += 1
    shared.job[JOB] = DONE
    wait(shared.counter, n_threads)
    return size
