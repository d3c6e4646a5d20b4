"""Branches of a tree that one thread gives another one to grow.

A thread grows a branch to its end, and gives the nodes that have waited longest, which are mostly
the largest, to threads that have nothing to do. What becomes of a node depends on its rows alone,
which no other node has, so that it does not show who has split it.
"""

import numpy as np

from underdog.kernels.barrier import changes, exchange, look, put, take
from underdog.kernels.crew import IDLE
from underdog.kernels.jit import inner
from underdog.kernels.tree_arrays import DONE, PROMISED, SLOT, START, STOP

MIN_ROWS = 32
"""Rows of a node below which it takes longer to give it to another thread than to split it."""


@inner
def receive(shared, thread):
    """Wait for a node from another thread; DONE if none will come."""
    box = shared.mail[thread]
    now = look(box)
    while now in (IDLE, PROMISED):
        if not changes(box, now, shared.counter):
            return np.int64(DONE)
        now = look(box)
    return now


@inner
def next_branch(shared, thread, n_threads):
    """The node that another thread gives to one whose branch is finished; DONE if none will come.

    A thread that gives a node is busy, and the other one before it has the node. So nobody has
    anything to give once nobody is busy.
    """
    if n_threads == 1:
        return np.int64(DONE)
    put(shared.mail[thread], np.int64(IDLE))
    if take(shared.busy, np.int64(-1), n_threads) == 1:
        for other in range(n_threads):
            put(shared.mail[other], np.int64(DONE))
    return receive(shared, thread)


@inner
def give(nodes, shared, stack, first, last, few, n_threads):
    """Give nodes stack[first], ... to threads that wait for one; returns the first that is kept.

    The last one is kept. Sums are copied to the other thread's slots, of which none is in use; a
    node with few rows has none.
    """
    for other in range(n_threads):
        node = stack[first]
        rows = nodes.facts[node, STOP] - nodes.facts[node, START]
        if last - first < 2 or rows < MIN_ROWS:
            break
        box = shared.mail[other]
        if look(box) != IDLE or not exchange(box, np.int64(IDLE), np.int64(PROMISED)):
            continue
        slot = first_slot(shared, other, n_threads)
        if rows > few:
            shared.hists[slot][:] = shared.hists[nodes.facts[node, SLOT]]
        nodes.facts[node, SLOT] = slot
        take(shared.busy, np.int64(1), n_threads)
        put(box, node)
        first += 1
    return first


@inner
def first_slot(shared, thread, n_threads):
    """Where the sums of a thread's nodes begin."""
    return shared.hists.shape[0] // n_threads * thread
