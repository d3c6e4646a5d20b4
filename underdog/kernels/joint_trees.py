"""Growing a tree whose rows are in several processes, between two messages.

Every process has its own rows in the order of the nodes, and their sums (`count`). What it finds
for a list of requests is added up with what the others find. Then all processes search the joint
sums, and so have the same tree (`search`). `trees` is the same growth of rows in one place.
"""

import numpy as np

from underdog.kernels.jit import inner, kernel
from underdog.kernels.lent import lend
from underdog.kernels.tree_arrays import (
    CHECKED,
    COLUMN,
    DEPTH,
    EXAMPLES,
    LABEL,
    NOTHING,
    OFFSET,
    SLOT,
    START,
    STOP,
)
from underdog.kernels.tree_constraints import constrain_root
from underdog.kernels.tree_counts import sum_rows
from underdog.kernels.tree_nodes import add_node, choose, describe_children, note
from underdog.kernels.tree_rows import count_examples, divide_here
from underdog.kernels.tree_shares import count_share, search_share, sum_share
from underdog.kernels.tree_splits import fill_inside

# A request, by its place in a row of `asked`: what is asked for, of which node, the first of its
# two children and the slots of both, the row of its test in `insides`, and where the answer begins
# in the message. The root has the slot 0.
KIND, NODE, CHILD, FALSE_SLOT, TRUE_SLOT, TEST, PLACE, N_REQUEST = range(8)
# The sums of the root; the sums and the size of the false child of a node, or its size alone; the
# examples of a node in each cell. What is left of a request whose test leaves too few examples.
ROOT, CHILDREN, SIZE, CELLS, REFUSED = range(5)


@inner
def count_node(storage, columns, nodes, shared, node):
    """The sums of the rows of a node, counted one by one."""
    rows = shared.order[nodes.facts[node, START] : nodes.facts[node, STOP]]
    hist, zero, one = shared.hists[nodes.facts[node, SLOT]], np.int64(0), np.int64(1)
    shared.turn[0, 0] = 0
    count_share(storage, columns, nodes, shared, node, rows, zero, zero, one)
    sum_share(storage, columns, shared, hist, zero, zero, one)


@inner
def count_root(storage, columns, nodes, shared, out):
    """The sums of all rows, their totals and examples."""
    zero = np.int64(0)
    add_node(nodes, zero, zero, shared.order.shape[0], zero, zero, zero)
    constrain_root(nodes)
    count_node(storage, columns, nodes, shared, zero)
    hist = shared.hists[0]
    n_sums, n_labels = hist.size, hist.shape[1]
    out[:n_sums] = hist.reshape(n_sums)
    sum_rows(shared.packed, shared.order, out[n_sums : n_sums + n_labels])
    examples = np.int64(0)
    for r in range(shared.order.shape[0]):
        examples += storage.repeats[shared.order[r]]
    out[n_sums + n_labels] = examples


@inner
def divide_node(storage, columns, nodes, shared, asked, inside):
    """Make both children of the rows of a node; returns how many examples are in the false one."""
    facts, node, child, zero = nodes.facts, asked[NODE], asked[CHILD], np.int64(0)
    start, stop, depth = facts[node, START], facts[node, STOP], facts[node, DEPTH] + 1
    rows = shared.order[start:stop]
    middle = start + divide_here(
        storage, columns, rows, facts[node, COLUMN], inside, shared.mark[0], shared.spare
    )
    add_node(nodes, child, start, middle, depth, asked[FALSE_SLOT], zero)
    add_node(nodes, child + 1, middle, stop, depth, asked[TRUE_SLOT], zero)
    if not storage.repeated:
        return middle - start
    examples = np.int64(0)
    for place in range(start, middle):
        examples += storage.repeats[shared.order[place]]
    return examples


@inner
def count_children(storage, columns, nodes, shared, node, child, out):
    """The sums of both children of a node: the smaller one here is counted, the other is the rest.

    Those of the false one are what is sent.
    """
    facts = nodes.facts
    small, large = child, child + 1
    if facts[large, STOP] - facts[large, START] < facts[small, STOP] - facts[small, START]:
        small, large = large, small
    count_node(storage, columns, nodes, shared, small)
    size = shared.hists[0].size
    whole = shared.hists[facts[node, SLOT]].reshape(size)
    mine, rest = (
        shared.hists[facts[small, SLOT]].reshape(size),
        shared.hists[facts[large, SLOT]].reshape(size),
    )
    for cell in range(np.uint64(size)):
        rest[cell] = whole[cell] - mine[cell]
    out[:] = shared.hists[facts[child, SLOT]].reshape(size)


@kernel
def count(storage, columns, rule, nodes, shared, joint, asked, out):
    """out = this process's part of the answers to some requests; `joint` has the joint sums."""
    storage, columns, rule = lend(storage), lend(columns), lend(rule)
    nodes, shared = lend(nodes), lend(shared)
    facts, n_cells = nodes.facts, columns.first_cell[-1]
    n_sums = n_cells * nodes.totals.shape[1]
    for r in range(asked.shape[0]):
        node, child, place = asked[r, NODE], asked[r, CHILD], asked[r, PLACE]
        if asked[r, KIND] == ROOT:
            count_root(storage, columns, nodes, shared, out[place:])
        elif asked[r, KIND] == CELLS:
            rows = shared.order[facts[node, START] : facts[node, STOP]]
            count_examples(storage, columns, rows, out[place : place + n_cells])
        else:
            inside, hist = nodes.insides[asked[r, TEST]], joint[facts[node, SLOT]]
            column, offset, label = facts[node, COLUMN], facts[node, OFFSET], facts[node, LABEL]
            fill_inside(hist, columns, rule, column, offset, label, inside)
            out[place] = divide_node(storage, columns, nodes, shared, asked[r], inside)
            if asked[r, KIND] == CHILDREN:
                own = out[place + 1 : place + 1 + n_sums]
                count_children(storage, columns, nodes, shared, node, child, own)


@inner
def search_nodes(storage, columns, rule, nodes, shared, first, second):
    """The best tests of a node and its sibling, if any, which has the sums of both so far."""
    zero, one = np.int64(0), np.int64(1)
    search_share(storage, columns, rule, nodes, shared, first, second, zero, zero, one)
    note_test(storage, columns, rule, nodes, shared, first)
    if second != NOTHING:
        note_test(storage, columns, rule, nodes, shared, second)


@inner
def note_test(storage, columns, rule, nodes, shared, node):
    """Write down the best test of a node, which is sent to all processes."""
    zero = np.int64(0)
    note(rule, nodes, shared, node)
    if nodes.gains[node] > 0.0:
        choose(storage, columns, rule, nodes, shared, node, zero, zero)


@inner
def search_root(storage, columns, rule, nodes, shared, found):
    """Take over the sums of all rows, and search them."""
    hist = shared.hists[0]
    n_sums, n_labels = hist.size, hist.shape[1]
    hist.reshape(n_sums)[:] = found[:n_sums]
    nodes.totals[0] = found[n_sums : n_sums + n_labels]
    nodes.facts[0, EXAMPLES] = found[n_sums + n_labels]
    search_nodes(storage, columns, rule, nodes, shared, np.int64(0), np.int64(NOTHING))


@kernel
def search(storage, columns, rule, nodes, shared, asked, found):
    """Take over the joint answers to some requests, and search all nodes whose sums are new.

    The arrays of `shared` are those of the joint sums, and `storage` has no rows.
    """
    storage, columns, rule = lend(storage), lend(columns), lend(rule)
    nodes, shared = lend(nodes), lend(shared)
    facts = nodes.facts
    for r in range(asked.shape[0]):
        kind, node, child = asked[r, KIND], asked[r, NODE], asked[r, CHILD]
        own, everything = found[asked[r, PLACE] :], facts[node, EXAMPLES]
        if kind == ROOT:
            search_root(storage, columns, rule, nodes, shared, own)
            continue
        if kind == CELLS:
            n_cells = storage.examples.shape[0] - 1
            storage.examples[:n_cells] = own[:n_cells]
            storage.examples[n_cells] = everything
            choose(storage, columns, rule, nodes, shared, node, everything, np.int64(0))
            continue
        false, true = own[0], everything - own[0]
        if facts[node, CHECKED] == 0 and min(false, true) < rule.min_samples:
            asked[r, KIND] = REFUSED
            continue
        facts[node, CHECKED] = 1
        hist = shared.hists[facts[node, SLOT]]
        facts[child, EXAMPLES], facts[child + 1, EXAMPLES] = false, true
        inside = nodes.insides[asked[r, TEST]]
        describe_children(columns, rule, nodes, hist, node, child, inside)
        if kind == CHILDREN:
            shared.hists[facts[child, SLOT]].reshape(hist.size)[:] = own[1 : 1 + hist.size]
            shared.hists[facts[child + 1, SLOT]] = hist
            search_nodes(storage, columns, rule, nodes, shared, child, child + 1)
