"""A thread's share of dividing, counting and searching the rows of a node.

Threads leader, leader + 1, ... are a team: each has its share of the rows and of the columns, and
they meet at a barrier before anything is read that another one writes. A thread that works alone is
a team of one.
"""

import numpy as np

from underdog.kernels.barrier import take, wait
from underdog.kernels.jit import inner, merged
from underdog.kernels.tree_arrays import (
    COLUMN,
    EXAMPLES,
    NOTHING,
    SLOT,
    START,
    STOP,
    TRUE_ROWS,
)
from underdog.kernels.tree_counts import (
    CELLS,
    COLUMNS,
    TILE,
    U,
    add_up,
    count_cells,
    count_dense,
    count_labels,
    count_sparse,
)
from underdog.kernels.tree_rows import examples_in, examples_of, part_rows, scatter, sides_of
from underdog.kernels.tree_search import lowest_scores


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
def work(storage, columns, rule, nodes, shared, node, small, large, leader, thread, n_threads):
    """A thread's share of moving rows, counting and searching; False if threads were released.

    If `node` is not NOTHING, its rows are moved; a thread that is alone has done so before. If
    `small` is not NOTHING, it is counted, and searched like `large`, its sibling, which has what it
    leaves of their parent.
    """
    moves = node != NOTHING and n_threads > 1
    if moves:
        move_share(nodes, shared, node, leader, thread, n_threads)
        if not wait(shared.counter, n_threads):
            return False
        move_back(nodes, shared, node, thread, n_threads)
    if small != NOTHING:
        rows = shared.spare if moves else shared.order
        rows = rows[nodes.facts[small, START] : nodes.facts[small, STOP]]
        count_share(storage, columns, nodes, shared, small, rows, leader, thread, n_threads)
        if not wait(shared.counter, n_threads):
            return False
        search_share(storage, columns, rule, nodes, shared, small, large, leader, thread, n_threads)
    return wait(shared.counter, n_threads)


@inner
def divide_share(storage, columns, nodes, shared, node, leader, thread, n_threads):
    """Find the sides of a thread's share of the rows of a node, and how many are on side 1.

    A thread that is alone moves the rows to their sides at once. False if threads were released.
    """
    own = leader + thread
    start, stop = nodes.facts[node, START], nodes.facts[node, STOP]
    if n_threads == 1:
        rows = shared.order[start:stop]
        found = part_rows(
            storage, columns, rows, nodes.facts[node, COLUMN], shared.last_inside[leader],
            shared.mark[leader], shared.spare[start:stop],
        )  # fmt: skip
        shared.true[own, 0] = shared.true[own, 1] = found
        if storage.repeated:
            shared.true[own, 1] = examples_in(storage.repeats, rows[rows.shape[0] - found :])
        return True
    first, last = share(stop - start, thread, n_threads)
    rows = shared.order[start + first : start + last]
    side = shared.side[start + first : start + last]
    found = sides_of(
        storage, columns, rows, nodes.facts[node, COLUMN], shared.last_inside[leader],
        shared.mark[leader], side,
    )  # fmt: skip
    shared.true[own, 0] = shared.true[own, 1] = found
    if storage.repeated:
        shared.true[own, 1] = examples_of(storage.repeats, rows, side)
    return wait(shared.counter, n_threads)


@merged
def move_share(nodes, shared, node, leader, thread, n_threads):
    """Write a thread's share of the rows of a node to where they belong, in `spare`."""
    start, stop = nodes.facts[node, START], nodes.facts[node, STOP]
    first, last = share(stop - start, thread, n_threads)
    before = np.int64(0)
    for other in range(leader, leader + thread):
        before += shared.true[other, 0]
    true = shared.last[leader, TRUE_ROWS]
    scatter(
        shared.order[start + first : start + last], shared.side[start + first : start + last],
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
def count_share(storage, columns, nodes, shared, node, rows, leader, thread, n_threads):
    """Count a thread's share of the rows of a node; of several labels, of the columns.

    A thread that is faster has a larger share. Sparse columns of the root are counted cell by cell
    if threads share them, and else row by row, by the last thread.
    """
    hist = shared.hists[nodes.facts[node, SLOT]]
    if storage.n_counted > 0:
        if hist.shape[1] == 1:
            sums = shared.sums[leader + thread]
            for cell in range(U(storage.n_counted) * CELLS):
                sums[cell] = 0
            turn = shared.turn[leader]
            first = take(turn, TILE, n_threads)
            while first < rows.shape[0]:
                some = rows[first : min(first + TILE, rows.shape[0])]
                count_dense(storage.words, storage.n_counted, some, shared.packed[:, 0], sums)
                first = take(turn, TILE, n_threads)
        else:
            left, right = column_share(columns, thread, n_threads)
            count_labels(
                storage, columns.first_cell, left, right, rows, shared.packed, shared.numbers, hist
            )
    if storage.cells.shape[0] > 0:
        everything = rows.shape[0] == shared.packed.shape[0]
        if n_threads > 1 and hist.shape[1] == 1 and everything:
            used, some = columns.used, np.int64(COLUMNS)
            turn = shared.turn[leader, 1:]
            first = take(turn, some, n_threads)
            while first < used.shape[0]:
                own = used[first : min(first + some, used.shape[0])]
                count_cells(storage, columns.first_cell, own, shared.packed, hist)
                first = take(turn, some, n_threads)
        elif thread == n_threads - 1:
            count_sparse(storage, columns.first_cell, rows, shared.packed, shared.numbers, hist)


@merged
def sum_share(storage, columns, shared, hist, leader, thread, n_threads):
    """Add up what all threads of a team have counted in a thread's columns."""
    if hist.shape[1] == 1 and storage.columns.shape[0] > 0:
        left, right = column_share(columns, thread, n_threads)
        sums = shared.sums[leader : leader + n_threads]
        add_up(storage, columns.first_cell, left, right, sums, hist[:, 0])


@merged
def may_split(nodes, rule, node):
    """Whether a node has enough examples for two children."""
    return nodes.facts[node, EXAMPLES] >= 2 * max(1, rule.min_samples)


@merged
def search_share(storage, columns, rule, nodes, shared, small, large, leader, thread, n_threads):
    """The least scores of a thread's columns in the small child, and in the large one."""
    own = leader + thread
    hist = shared.hists[nodes.facts[small, SLOT]]
    two = large != NOTHING
    other = shared.hists[nodes.facts[large, SLOT]] if two else hist
    prefix, scores, masses = shared.prefix[own], shared.scores[own], shared.masses[own]
    sum_share(storage, columns, shared, hist, leader, thread, n_threads)
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
