"""Splitting one node: its best test, the sides of its rows, and its two children.

Threads leader, leader + 1, ... do it as a team, see `tree_shares`. A thread that is alone is its
own leader.
"""

import numpy as np

from underdog.kernels.barrier import changes, look, put
from underdog.kernels.crew import IDLE
from underdog.kernels.criteria import TIE
from underdog.kernels.draws import mix
from underdog.kernels.jit import inner, merged
from underdog.kernels.packed import lower, upper
from underdog.kernels.tree_arrays import (
    AHEAD,
    CHECKED,
    COLUMN,
    DEPTH,
    DIVIDE,
    DIVIDED,
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
    TOGETHER,
    TRUE_EXAMPLES,
    TRUE_ROWS,
)
from underdog.kernels.tree_constraints import constrain_children
from underdog.kernels.tree_rows import mark_all, mark_rows
from underdog.kernels.tree_search import least, pick
from underdog.kernels.tree_shares import divide_share, may_split, work
from underdog.kernels.tree_splits import fill_inside, mass_of, score_of_node, sums_inside

DOUBTFUL = 4
"""A test that may leave up to so many times the least number of examples on a side is counted."""


@inner
def becomes_idle(shared, thread):
    """Wait until a thread has nothing to do; False if threads were released."""
    box = shared.mail[thread]
    now = look(box)
    while now != IDLE:
        if not changes(box, now, shared.counter):
            return False
        now = look(box)
    return True


@inner
def begin(shared, job, node, small, large, leader, n_threads):
    """Tell the other threads of a team what to do; False if they were released."""
    shared.turn[leader, 0] = shared.turn[leader, 1] = 0
    if n_threads == 1:
        return True
    for thread in range(1, n_threads):
        if not becomes_idle(shared, thread):  # it may still split a node ahead
            return False
    shared.job[JOB], shared.job[JOB_NODE] = job, node
    shared.job[JOB_SMALL], shared.job[JOB_LARGE] = small, large
    for thread in range(1, n_threads):
        put(shared.mail[thread], np.int64(TOGETHER))
    return True


@inner
def end(shared, n_threads, message):
    """Tell the other threads that the tree is done: PAUSE if they wait for another one, or DONE."""
    for thread in range(1, n_threads):
        if not becomes_idle(shared, thread):
            return
        put(shared.mail[thread], message)


@inner
def gain_of(nodes, rule, node, best):
    """What the best test of a node gains, given its score; -1 if that is nothing."""
    before = score_of_node(nodes.totals[node], nodes.bounds[node], rule)
    gains = before - best > TIE * (abs(before) + abs(best))
    return before - best if gains else -1.0


@inner
def note(rule, nodes, shared, node):
    """Write down what the best test of a node gains. Which one it is may never be asked."""
    nodes.facts[node, COLUMN], nodes.gains[node] = NOTHING, -1.0
    if may_split(nodes, rule, node):
        best = least(shared.lowest[nodes.facts[node, SLOT]])
        nodes.gains[node] = gain_of(nodes, rule, node, best)
        nodes.facts[node, CHECKED] = 1 if rule.min_samples <= 1 or rule.counted else 0


@inner
def choose(storage, columns, rule, nodes, shared, node, everything, leader):
    """Write down the best test of a node that gains something.

    If `everything` is not 0, it is the number of the node's examples: then it is the best test with
    `min_samples` of them on both sides, which may gain less, or nothing.
    """
    facts, hist = nodes.facts, shared.hists[nodes.facts[node, SLOT]]
    rows, mark = shared.order[facts[node, START] : facts[node, STOP]], shared.mark[leader]
    marks = everything > 0 and storage.cells.shape[0] > 0 and storage.examples.shape[0] == 0
    if marks:
        mark_all(rows, np.uint8(1), mark)
    best, column, offset, label = pick(
        hist, nodes, node, storage, columns, rule, shared.lowest[facts[node, SLOT]], rows,
        everything, mark, shared.prefix[leader], shared.scores[leader], shared.masses[leader],
    )  # fmt: skip
    if marks:
        mark_all(rows, np.uint8(0), mark)
    facts[node, COLUMN], facts[node, OFFSET], facts[node, LABEL] = column, offset, label
    if everything:
        facts[node, CHECKED] = 1
        nodes.gains[node] = gain_of(nodes, rule, node, best)


@inner
def divide(storage, columns, rule, nodes, shared, node, leader, n_threads):
    """Find the side of each row of a node; returns how many examples are where its test is true.

    Sides and test are kept: a node that was checked may be split next.
    """
    facts, last, inside = nodes.facts, shared.last[leader], shared.last_inside[leader]
    if last[DIVIDED] != node:
        if facts[node, COLUMN] == NOTHING:
            choose(storage, columns, rule, nodes, shared, node, np.int64(0), leader)
        hist, j = shared.hists[facts[node, SLOT]], facts[node, COLUMN]
        fill_inside(hist, columns, rule, j, facts[node, OFFSET], facts[node, LABEL], inside)
        if storage.place[j] < 0:
            mark_rows(storage, columns, j, inside, np.uint8(1), shared.mark[leader])
        zero, nothing = np.int64(0), np.int64(NOTHING)  # literal numbers would be compiled apart
        if begin(shared, np.int64(DIVIDE), node, nothing, nothing, leader, n_threads):
            divide_share(storage, columns, nodes, shared, node, leader, zero, n_threads)
        if storage.place[j] < 0:
            mark_rows(storage, columns, j, inside, np.uint8(0), shared.mark[leader])
        last[DIVIDED], last[TRUE_ROWS], last[TRUE_EXAMPLES] = node, 0, 0
        for thread in range(leader, leader + n_threads):
            last[TRUE_ROWS] += shared.true[thread, 0]
            last[TRUE_EXAMPLES] += shared.true[thread, 1]
    return last[TRUE_EXAMPLES]


@inner
def lighter_share(columns, rule, nodes, shared, node, leader):
    """The share of a node's weight, or curvature, on the lighter side of its test."""
    facts, totals, inside = nodes.facts, nodes.totals[node], shared.last_inside[leader]
    hist, j = shared.hists[facts[node, SLOT]], facts[node, COLUMN]
    fill_inside(hist, columns, rule, j, facts[node, OFFSET], facts[node, LABEL], inside)
    shared.last[leader, DIVIDED] = NOTHING
    true = np.empty(totals.shape[0], np.int64)
    sums_inside(hist, totals, columns, j, inside, true)
    share, whole = 0.0, 0.0
    for k in range(totals.shape[0]):
        u0, u1 = rule.unit[0, k], rule.unit[1, k]
        share += mass_of(rule.criterion, upper(true[k]) * u0, lower(true[k]) * u1)
        whole += mass_of(rule.criterion, upper(totals[k]) * u0, lower(totals[k]) * u1)
    return min(share, whole - share) / whole if whole > 0.0 else 0.0


@inner
def check(storage, columns, rule, nodes, shared, node, leader, n_threads):
    """Whether the best test of a node leaves enough examples on both sides.

    If not, the best one that does is looked for, and if that gains less, the answer is False. Most
    tests do, and their rows are divided anyway; to count those of a test that may not takes less.
    """
    facts, gain = nodes.facts, nodes.gains[node]
    everything = facts[node, EXAMPLES]
    if facts[node, COLUMN] == NOTHING:
        choose(storage, columns, rule, nodes, shared, node, np.int64(0), leader)
    if lighter_share(columns, rule, nodes, shared, node, leader) * everything >= (
        DOUBTFUL * rule.min_samples
    ):
        true = divide(storage, columns, rule, nodes, shared, node, leader, n_threads)
        if min(true, everything - true) >= rule.min_samples:
            facts[node, CHECKED] = 1
            return True
        shared.last[leader, DIVIDED] = NOTHING
    choose(storage, columns, rule, nodes, shared, node, everything, leader)
    return nodes.gains[node] == gain


@merged
def add_node(nodes, node, start, stop, depth, slot, examples):
    """A new leaf."""
    facts = nodes.facts
    facts[node, START], facts[node, STOP], facts[node, DEPTH] = start, stop, depth
    facts[node, SLOT], facts[node, EXAMPLES], facts[node, CHECKED] = slot, examples, 0
    facts[node, AHEAD] = NOTHING
    nodes.children[node, 0] = LEAF
    nodes.gains[node] = -1.0


@inner
def describe_children(columns, rule, nodes, hist, node, child, inside):
    """Totals, limits and draws of nodes `child` and `child + 1`, given the sums of their parent."""
    totals = nodes.totals
    true_totals = totals[child + 1]
    sums_inside(hist, totals[node], columns, nodes.facts[node, COLUMN], inside, true_totals)
    for k in range(totals.shape[1]):
        totals[child, k] = totals[node, k] - totals[child + 1, k]
    constrain_children(columns, rule, nodes, node, child, child + 1)
    nodes.draws[child] = mix(nodes.draws[node])
    nodes.draws[child + 1] = mix(~nodes.draws[node])


@merged
def split(storage, columns, rule, nodes, shared, node, child, row, slot, leader, n_threads):
    """Make nodes `child` and `child + 1` of the rows of a node; returns the one with fewer rows
    and the other.

    The rows themselves are not yet moved. The test is kept in this row of `insides`, and the sums
    of the smaller child will be in this slot.
    """
    facts, inside = nodes.facts, nodes.insides[row]
    start, stop, depth = facts[node, START], facts[node, STOP], facts[node, DEPTH] + 1
    true = divide(storage, columns, rule, nodes, shared, node, leader, n_threads)
    for b in range(inside.shape[0]):
        inside[b] = shared.last_inside[leader, b]
    middle = stop - shared.last[leader, TRUE_ROWS]
    own, false = facts[node, SLOT], facts[node, EXAMPLES] - true
    nodes.children[node, 0], nodes.children[node, 1] = row, child
    nodes.children[node, 2] = child + 1
    left_is_small = middle - start <= stop - middle
    add_node(nodes, child, start, middle, depth, slot if left_is_small else own, false)
    add_node(nodes, child + 1, middle, stop, depth, own if left_is_small else slot, true)
    describe_children(columns, rule, nodes, shared.hists[own], node, child, inside)
    return (child, child + 1) if left_is_small else (child + 1, child)


@inner
def search(storage, columns, rule, nodes, shared, node, small, large, leader, n_threads):
    """Move the rows of a node, if any, count and search its children, and note their best tests.

    `small` is NOTHING if they are not to be split. False if threads were released.
    """
    zero = np.int64(0)
    if not begin(shared, np.int64(MOVE), node, small, large, leader, n_threads):
        return False
    if not work(storage, columns, rule, nodes, shared, node, small, large, leader, zero, n_threads):
        return False
    if small != NOTHING:
        note(rule, nodes, shared, small)
        if large != NOTHING:
            note(rule, nodes, shared, large)
    return True


@inner
def expand(
    storage, columns, rule, nodes, shared, node, child, row, slot, is_last, leader, n_threads
):
    """Split a node, and search its children unless this is the last split; see `split`.

    False if threads were released.
    """
    small, large = split(
        storage, columns, rule, nodes, shared, node, child, row, slot, leader, n_threads
    )
    facts = nodes.facts
    larger = max(facts[small, EXAMPLES], facts[large, EXAMPLES])
    deep = is_last or facts[small, DEPTH] >= rule.max_depth
    searched = not deep and larger >= 2 * rule.min_samples
    counted = small if searched else np.int64(NOTHING)
    return search(storage, columns, rule, nodes, shared, node, counted, large, leader, n_threads)
