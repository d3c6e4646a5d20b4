"""Splitting nodes ahead: while thread 0 splits a node, the others split those that may be next.

What becomes of a node depends on its rows alone. A split that is made ahead stands beside the tree,
and thread 0 takes it over when it is the turn of its node. So only time is lost if the turn never
comes, and neither the tree nor the numbers of its nodes depend on the threads.
"""

import numpy as np

from underdog.kernels.barrier import changes, look, put
from underdog.kernels.crew import IDLE
from underdog.kernels.jit import inner, merged
from underdog.kernels.tree_arrays import (
    AHEAD,
    BEGUN,
    CHECKED,
    COLUMN,
    DIVIDED,
    FREE,
    LABEL,
    LEAF,
    MADE,
    N_FACTS,
    NODES_AHEAD,
    NOTHING,
    OFFSET,
    OTHER_TEST,
    SPLIT_NODE,
    SPLIT_SLOT,
    START,
    STATE,
    STOP,
)
from underdog.kernels.tree_nodes import check, expand


@merged
def place_of(nodes, number):
    """Where the node and the children of a split that is made ahead are among the nodes."""
    return nodes.gains.shape[0] - NODES_AHEAD * (number + 1)


@merged
def row_of(nodes, number):
    """Where its test is among those of the tree."""
    return nodes.insides.shape[0] - 1 - number


@inner
def copy_node(nodes, source, target):
    """Write all that is known of a node to another place."""
    for fact in range(N_FACTS):
        nodes.facts[target, fact] = nodes.facts[source, fact]
    nodes.gains[target], nodes.draws[target] = nodes.gains[source], nodes.draws[source]
    for k in range(nodes.totals.shape[1]):
        nodes.totals[target, k] = nodes.totals[source, k]
    for side in range(2):
        nodes.bounds[target, side] = nodes.bounds[source, side]
    for j in range(nodes.allowed.shape[1]):
        nodes.on_path[target, j] = nodes.on_path[source, j]
        nodes.allowed[target, j] = nodes.allowed[source, j]
    nodes.children[target, 0] = LEAF


@inner
def copy_test(nodes, source, target):
    """Take over the test of a node."""
    for fact in (COLUMN, OFFSET, LABEL, CHECKED):
        nodes.facts[target, fact] = nodes.facts[source, fact]


@inner
def split_ahead(storage, columns, rule, nodes, shared, number, thread):
    """What another thread does: split a copy of a node, or find another test for it."""
    own, place = shared.ahead[number], place_of(nodes, number)
    zero, one = np.int64(0), np.int64(1)
    shared.last[thread, DIVIDED] = NOTHING
    checked = nodes.facts[place, CHECKED] == 1 or check(
        storage, columns, rule, nodes, shared, place, thread, one
    )
    state = MADE if checked else OTHER_TEST
    if state == MADE:
        expand(
            storage, columns, rule, nodes, shared, place, place + 1, row_of(nodes, number),
            own[SPLIT_SLOT], zero, thread, one,
        )  # fmt: skip
    put(own, np.int64(state))


@inner
def receive(nodes, shared, number):
    """Take over another test of a node, if this is what became of a split; True if so."""
    own = shared.ahead[number]
    if look(own) != OTHER_TEST:
        return False
    node, place = own[SPLIT_NODE], place_of(nodes, number)
    copy_test(nodes, place, node)
    nodes.gains[node] = nodes.gains[place]
    nodes.facts[node, AHEAD] = NOTHING
    own[STATE] = FREE
    return True


@inner
def is_made(nodes, shared, node):
    """Wait for the split of a node; False if the node has another test now."""
    number = nodes.facts[node, AHEAD]
    changes(shared.ahead[number], np.int64(BEGUN), shared.counter)
    return not receive(nodes, shared, number)


@inner
def take_over(nodes, shared, node, child, row):
    """Make a split that was made ahead a part of the tree."""
    number = nodes.facts[node, AHEAD]
    own, place, made = shared.ahead[number], place_of(nodes, number), row_of(nodes, number)
    copy_test(nodes, place, node)
    for side in range(2):
        copy_node(nodes, place + 1 + side, child + side)
        nodes.children[node, 1 + side] = child + side
    nodes.children[node, 0] = row
    for b in range(nodes.insides.shape[1]):
        nodes.insides[row, b] = nodes.insides[made, b]
    own[STATE], own[SPLIT_SLOT] = FREE, NOTHING


@merged
def next_ahead(nodes, rule, size, chosen, most_rows):
    """The leaf that is likely to be split after the chosen one; LEAF if there is none."""
    facts, found, gain = nodes.facts, LEAF, 0.0
    for node in range(size):
        is_open = nodes.children[node, 0] == LEAF and facts[node, AHEAD] == NOTHING
        few_rows = facts[node, STOP] - facts[node, START] < most_rows
        if is_open and few_rows and node != chosen and nodes.gains[node] > gain:
            found, gain = node, nodes.gains[node]
            if not rule.best_first:
                break
    return found


@inner
def send(nodes, rule, shared, size, leaves, chosen, most_rows, slot, n_threads):
    """Give every thread that has nothing to do a node to split; returns the next free slot.

    No more splits are made ahead than the tree has room for.
    """
    ahead, count = shared.ahead, 0
    for number in range(ahead.shape[0]):
        if ahead[number, STATE] != FREE:
            count += 0 if receive(nodes, shared, np.int64(number)) else 1
    for thread in range(1, n_threads):
        box = shared.mail[thread]
        if look(box) != IDLE or leaves + 1 + count >= rule.max_leaves:
            continue
        number = 0
        while number < ahead.shape[0] and ahead[number, STATE] != FREE:
            number += 1
        node = next_ahead(nodes, rule, size, chosen, most_rows)
        if number == ahead.shape[0] or node == LEAF:
            break
        own = ahead[number]
        if own[SPLIT_SLOT] == NOTHING:
            own[SPLIT_SLOT] = slot
            slot += 1
        own[STATE], own[SPLIT_NODE] = BEGUN, node
        nodes.facts[node, AHEAD] = number
        copy_node(nodes, node, place_of(nodes, number))
        put(box, np.int64(number))
        count += 1
    return slot
