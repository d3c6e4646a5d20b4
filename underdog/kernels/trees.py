"""Growing a whole tree where the rows are, on packed integer sums, by several threads.

Thread 0 decides what is split next and divides the rows. All threads gather, count and search: each
has its share of the rows, the cells and the columns, and they meet at a barrier before anything is
read that another thread writes. The larger child of a split has what its sibling leaves of the
parent, exactly. Sums are exact, so that the number of threads does not show in a tree.
`learners.paths` is the plain form of the same growth.
"""

import numpy as np

from underdog.kernels.barrier import wait
from underdog.kernels.criteria import TIE
from underdog.kernels.jit import inner, kernel, merged
from underdog.kernels.tree_arrays import (
    CHECKED,
    COLUMN,
    DEPTH,
    DIVIDED,
    EXAMPLES,
    JOB_LARGE,
    JOB_SMALL,
    JOB_START,
    JOB_STOP,
    LABEL,
    LEAF,
    NOTHING,
    OFFSET,
    SLOT,
    START,
    STOP,
    TRUE_EXAMPLES,
)
from underdog.kernels.tree_constraints import constrain_children, constrain_root
from underdog.kernels.tree_counts import clear, count, gather
from underdog.kernels.tree_rows import examples_inside, fill_sides, partition
from underdog.kernels.tree_search import lowest_scores, pick
from underdog.kernels.tree_splits import fill_inside, score_of_node

DONE = -2


@merged
def share(size, thread, n_threads):
    """The part of a range that belongs to a thread."""
    return size * thread // n_threads, size * (thread + 1) // n_threads


@inner
def work(storage, columns, rule, nodes, shared, thread, n_threads):
    """Count the rows of the small child, and search both children; False if it was released.

    The large child takes the place of its parent's sums. In the root, there is no large child.
    """
    job, order, values = shared.job, shared.order, shared.values
    start, small = job[JOB_START], job[JOB_SMALL]
    size = job[JOB_STOP] - start
    hist = shared.hists[nodes.facts[small, SLOT]]
    first, last = share(size, thread, n_threads)
    gather(shared.packed, order, start, first, last, values)
    clear(hist, thread, n_threads)
    if not wait(shared.counter, n_threads):
        return False
    count(storage, order[start : start + size], values[:size], thread, n_threads, hist)
    if not wait(shared.counter, n_threads):
        return False
    search_share(columns, rule, nodes, shared, thread, n_threads)
    return wait(shared.counter, n_threads)


@merged
def search_share(columns, rule, nodes, shared, thread, n_threads):
    """The least scores of a thread's columns in the small child, and in the large one."""
    small, large = shared.job[JOB_SMALL], shared.job[JOB_LARGE]
    hist = shared.hists[nodes.facts[small, SLOT]]
    two = large != NOTHING
    other = shared.hists[nodes.facts[large, SLOT]] if two else hist
    prefix, scores, masses = shared.prefix[thread], shared.scores[thread], shared.masses[thread]
    c, last = share(columns.used.shape[0], thread, n_threads)
    while c < last:
        end = min(columns.run_end[c], last)
        for child in range(2 if two else 1):
            if child:
                take_away(columns, c, end, hist, other)
            lowest_scores(
                other if child else hist, nodes, large if child else small, columns, rule, c, end,
                prefix, scores, masses, shared.lowest[child],
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
    while wait(shared.counter, n_threads) and shared.job[JOB_SMALL] != DONE:
        if not work(storage, columns, rule, nodes, shared, thread, n_threads):
            return


@merged
def search(storage, columns, rule, nodes, shared, small, large, n_threads):
    """Find the best tests of new nodes, with the help of the other threads."""
    facts, job = nodes.facts, shared.job
    job[JOB_START], job[JOB_STOP] = facts[small, START], facts[small, STOP]
    job[JOB_SMALL], job[JOB_LARGE] = small, large
    if not wait(shared.counter, n_threads):
        return
    if not work(storage, columns, rule, nodes, shared, np.int64(0), n_threads):
        return
    for child in range(1 if large == NOTHING else 2):
        node = large if child else small
        note(storage, columns, rule, nodes, shared, node, shared.lowest[child], np.int64(0))


@inner
def note(storage, columns, rule, nodes, shared, node, lowest, everything):
    """Write down the best test of a node and what it gains, if it gains anything.

    If `everything` is not 0, it is the number of the node's examples, and both sides of the test
    have `min_samples` of them.
    """
    facts = nodes.facts
    nodes.gains[node] = -1.0
    if facts[node, EXAMPLES] < 2 * max(1, rule.min_samples):
        return
    hist, totals, bounds = shared.hists[facts[node, SLOT]], nodes.totals[node], nodes.bounds[node]
    best, column, offset, label = pick(
        hist, totals, bounds, storage, columns, rule, lowest,
        shared.order[facts[node, START] : facts[node, STOP]], everything,
        shared.prefix[0], shared.scores[0], shared.masses[0],
    )  # fmt: skip
    before = score_of_node(totals, bounds, rule)
    if before - best > TIE * (abs(before) + abs(best)):
        nodes.gains[node] = before - best
        facts[node, COLUMN], facts[node, OFFSET], facts[node, LABEL] = column, offset, label
        facts[node, CHECKED] = 1 if everything or rule.min_samples <= 1 else 0


@inner
def divide(storage, columns, rule, nodes, shared, node):
    """Find the side of each row of a node; returns how many examples are where its test is true.

    Sides and test are kept: a node that was checked may be split next.
    """
    facts, last, inside = nodes.facts, shared.last, shared.last_inside
    if last[DIVIDED] != node:
        rows = shared.order[facts[node, START] : facts[node, STOP]]
        hist, j = shared.hists[facts[node, SLOT]], facts[node, COLUMN]
        fill_inside(hist, columns, rule, j, facts[node, OFFSET], facts[node, LABEL], inside)
        fill_sides(storage, columns, rows, j, inside, shared.side)
        last[DIVIDED], last[TRUE_EXAMPLES] = node, examples_inside(storage, rows, shared.side)
    return last[TRUE_EXAMPLES]


@merged
def check(storage, columns, rule, nodes, shared, node):
    """Whether the best test of a node leaves enough examples on both sides.

    If not, the best one that does is looked for. Most tests do, and their rows are divided anyway.
    """
    facts = nodes.facts
    everything = facts[node, EXAMPLES]
    true = divide(storage, columns, rule, nodes, shared, node)
    if min(true, everything - true) >= rule.min_samples:
        facts[node, CHECKED] = 1
        return True
    lowest, hist = shared.lowest[0], shared.hists[facts[node, SLOT]]
    c = np.int64(0)
    while c < columns.used.shape[0]:
        lowest_scores(
            hist, nodes, node, columns, rule, c, columns.run_end[c],
            shared.prefix[0], shared.scores[0], shared.masses[0], lowest,
        )  # fmt: skip
        c = columns.run_end[c]
    note(storage, columns, rule, nodes, shared, node, lowest, everything)
    shared.last[DIVIDED] = NOTHING
    return False


@merged
def next_leaf(storage, columns, rule, nodes, shared, size):
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
                    valid = check(storage, columns, rule, nodes, shared, node)
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
def sum_rows(packed, rows, out):
    """out[k] = the packed sums of some rows."""
    for k in range(packed.shape[1]):
        total = np.int64(0)
        for r in range(rows.shape[0]):
            total += packed[np.uint64(rows[r]), k]
        out[k] = total


@merged
def split(storage, columns, rule, nodes, shared, node, size, leaves):
    """Divide the rows of a node between two new ones; returns the small and the large one."""
    facts, inside = nodes.facts, nodes.insides[leaves - 1]
    start, stop, depth = facts[node, START], facts[node, STOP], facts[node, DEPTH] + 1
    true = divide(storage, columns, rule, nodes, shared, node)
    for b in range(inside.shape[0]):
        inside[b] = shared.last_inside[b]
    middle = start + partition(shared.order[start:stop], shared.side, shared.spare)
    slot, false = facts[node, SLOT], facts[node, EXAMPLES] - true
    nodes.children[node, 0], nodes.children[node, 1], nodes.children[node, 2] = (
        leaves - 1, size, size + 1,
    )  # fmt: skip
    left_is_small = middle - start <= stop - middle
    add_node(nodes, size, start, middle, depth, leaves if left_is_small else slot, false)
    add_node(nodes, size + 1, middle, stop, depth, slot if left_is_small else leaves, true)
    small, large = (size, size + 1) if left_is_small else (size + 1, size)
    rows = shared.order[facts[small, START] : facts[small, STOP]]
    sum_rows(shared.packed, rows, nodes.totals[small])
    for k in range(nodes.totals.shape[1]):
        nodes.totals[large, k] = nodes.totals[node, k] - nodes.totals[small, k]
    constrain_children(columns, rule, nodes, node, size, size + 1)
    return small, large


@kernel
def grow(storage, columns, rule, nodes, shared, examples, n_threads):
    """Split nodes until there are enough leaves or nothing is gained; returns how many nodes."""
    root = np.int64(0)  # literal numbers would be compiled apart
    add_node(nodes, root, root, shared.order.shape[0], root, root, examples)
    constrain_root(nodes)
    sum_rows(shared.packed, shared.order, nodes.totals[0])
    shared.last[DIVIDED] = NOTHING
    size, leaves, small, large = np.int64(1), np.int64(1), root, np.int64(NOTHING)
    while True:
        larger = nodes.facts[small, EXAMPLES]
        if large != NOTHING:
            larger = max(larger, nodes.facts[large, EXAMPLES])
        deep = nodes.facts[small, DEPTH] >= rule.max_depth or leaves >= rule.max_leaves
        if not deep and larger >= 2 * rule.min_samples:
            search(storage, columns, rule, nodes, shared, small, large, n_threads)
        if leaves >= rule.max_leaves:
            break
        node = next_leaf(storage, columns, rule, nodes, shared, size)
        if node == LEAF:
            break
        small, large = split(storage, columns, rule, nodes, shared, node, size, leaves)
        size += 2
        leaves += 1
    shared.job[JOB_SMALL] = DONE
    wait(shared.counter, n_threads)
    return size
