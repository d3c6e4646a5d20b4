"""Growing a whole tree where the rows are, on packed integer sums, by several threads.

Thread 0 decides what is split next. All threads share the work on a node with many rows
(`tree_shares`). While thread 0 splits a node with few rows, the others split those that may be next
(`tree_ahead`). The larger child of a split has what its sibling leaves of the parent, exactly. Sums
are exact, so that the number of threads does not show in a tree. `learners.paths` is the plain form
of the same growth.
"""

import numpy as np

from underdog.kernels.barrier import changes, look, put
from underdog.kernels.crew import IDLE, PAUSE, stays
from underdog.kernels.criteria import TIE
from underdog.kernels.jit import kernel, merged
from underdog.kernels.lent import lend
from underdog.kernels.tree_ahead import is_made, send, split_ahead, take_over
from underdog.kernels.tree_arrays import (
    AHEAD,
    CHECKED,
    DIVIDE,
    DIVIDED,
    DONE,
    JOB,
    JOB_LARGE,
    JOB_NODE,
    JOB_SMALL,
    LEAF,
    NOTHING,
    START,
    STOP,
    TOGETHER,
    GrowthRule,
)
from underdog.kernels.tree_constraints import constrain_root
from underdog.kernels.tree_counts import sum_rows
from underdog.kernels.tree_nodes import add_node, check, end, expand, search
from underdog.kernels.tree_shares import divide_share, may_split, work

MANY_ROWS = 8192
"""Rows of a node that all threads split together."""


@merged
def help_grow(storage, columns, rule, nodes, shared, thread, n_threads):
    """What every thread but the first does, for one tree; True if it is to wait for another one."""
    box, job, leader = shared.mail[thread], shared.job, np.int64(0)
    while changes(box, np.int64(IDLE), shared.counter):
        task, met = look(box), True
        if task in (DONE, PAUSE):
            return task == PAUSE
        if task != TOGETHER:
            split_ahead(storage, columns, rule, nodes, shared, task, thread)
        elif job[JOB] == DIVIDE:
            met = divide_share(
                storage, columns, nodes, shared, job[JOB_NODE], leader, thread, n_threads
            )
        else:
            met = work(
                storage, columns, rule, nodes, shared, job[JOB_NODE], job[JOB_SMALL],
                job[JOB_LARGE], leader, thread, n_threads,
            )  # fmt: skip
        if not met:
            break
        put(box, np.int64(IDLE))
    return False


@merged
def settled(rule, settings):
    """The rule of the next tree."""
    return GrowthRule(
        settings[0], settings[1], rule.unit, rule.criterion, rule.beta, rule.max_depth,
        rule.max_leaves, rule.min_samples, rule.best_first, rule.counted,
    )  # fmt: skip


@merged
def team_of(nodes, node, n_threads):
    """How many threads work on a node together."""
    many = nodes.facts[node, STOP] - nodes.facts[node, START] >= MANY_ROWS
    return n_threads if many else np.int64(1)


@merged
def next_leaf(storage, columns, rule, nodes, shared, size, n_threads):
    """The leaf to split: the first of those that gain most, or the first that gains anything."""
    gains, children, facts = nodes.gains, nodes.children, nodes.facts
    while True:
        least = 0.0
        if rule.best_first:
            for node in range(size):
                if children[node, 0] == LEAF:
                    least = max(least, gains[node] * (1.0 - TIE))
        chosen, valid = LEAF, True
        for node in range(size):
            if valid and children[node, 0] == LEAF and gains[node] > 0.0 and gains[node] >= least:
                if facts[node, AHEAD] != NOTHING:
                    valid = is_made(nodes, shared, node)
                elif facts[node, CHECKED] == 0:
                    team = team_of(nodes, node, n_threads)
                    valid = check(storage, columns, rule, nodes, shared, node, np.int64(0), team)
                if chosen == LEAF:
                    chosen = node
                    if not rule.best_first:
                        break
        if valid:
            return chosen


@merged
def grow_tree(storage, columns, rule, nodes, shared, examples, n_threads, message):
    """Split nodes until there are enough leaves or nothing is gained; returns how many nodes."""
    root, nothing = np.int64(0), np.int64(NOTHING)  # literal numbers would be compiled apart
    add_node(nodes, root, root, shared.order.shape[0], root, root, examples)
    constrain_root(nodes)
    sum_rows(shared.packed, shared.order, nodes.totals[0])
    shared.last[0, DIVIDED] = NOTHING
    size, leaves, slot, met = np.int64(1), np.int64(1), np.int64(1), True
    if rule.max_leaves > 1 and may_split(nodes, rule, root):
        met = search(storage, columns, rule, nodes, shared, nothing, root, nothing, root, n_threads)
    while met and leaves < rule.max_leaves:
        node = next_leaf(storage, columns, rule, nodes, shared, size, n_threads)
        if node == LEAF:
            break
        team = team_of(nodes, node, n_threads)
        if team < n_threads:  # else all of them are needed here
            many = np.int64(MANY_ROWS)
            slot = send(nodes, rule, shared, size, leaves, node, many, slot, n_threads)
        if nodes.facts[node, AHEAD] != NOTHING:
            take_over(nodes, shared, node, size, leaves - 1)
        else:
            met = expand(
                storage, columns, rule, nodes, shared, node, size, leaves - 1, slot,
                np.int64(leaves + 1 >= rule.max_leaves), root, team,
            )  # fmt: skip
            slot += 1
        size += 2
        leaves += 1
    end(shared, n_threads, message)
    return size


@kernel
def grow(growing, examples, thread, n_threads, message):
    """A thread's part in growing a tree, see above; thread 0 returns how many nodes it has.

    With the message PAUSE the other threads wait for the next tree, see `crew`. One kernel for all
    threads: to take over so many arrays from Python compiles for seconds. What changes of the rule
    from tree to tree is in the settings.
    """
    lent = lend(growing)
    storage, columns, nodes, shared = lent.storage, lent.columns, lent.nodes, lent.shared
    waits = True
    while waits:
        rule = lend(settled(lent.rule, shared.settings))
        if thread == 0:
            return grow_tree(storage, columns, rule, nodes, shared, examples, n_threads, message)
        waits = help_grow(storage, columns, rule, nodes, shared, thread, n_threads)
        waits = waits and stays(shared.mail[thread], shared.counter)
    return np.int64(0)
