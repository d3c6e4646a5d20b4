"""From the nodes of a grown tree, in the order in which they were made, to its tests and leaves."""

import numpy as np

from underdog.kernels.jit import kernel
from underdog.kernels.tree_arrays import COLUMN, EXAMPLES, LEAF

U = np.uint64


@kernel
def order_nodes(children, facts, bins, size, counts, leaves, parents, columns, starts, spans):
    """Leaves from false to true sides; each parent before those of its false and its true side.

    columns[s] is the column of a parent's test, whose flags begin at starts[s], and spans[s] are
    the first leaf of the false side, the first leaf of the true side and the end. counts is room
    for a number per node. Returns the number of leaves.
    """
    for node in range(size - 1, -1, -1):  # children come after their parents
        counts[node] = 1
        if children[node, 0] != LEAF:
            counts[node] = counts[children[node, 1]] + counts[children[node, 2]]
    # A stack of nodes grows down from the end of `leaves`: there is room for all that is open.
    top, n_leaves, n_parents = leaves.shape[0] - 1, 0, 0
    leaves[top] = starts[0] = 0
    while top < leaves.shape[0]:
        node = leaves[top]
        top += 1
        if children[node, 0] == LEAF:
            leaves[n_leaves] = node
            n_leaves += 1
            continue
        false, true = children[node, 1], children[node, 2]
        parents[n_parents] = node
        columns[n_parents] = facts[node, COLUMN]
        starts[n_parents + 1] = starts[n_parents] + bins[columns[n_parents]] + 1
        spans[n_parents, 0] = n_leaves
        spans[n_parents, 1] = n_leaves + counts[false]
        spans[n_parents, 2] = n_leaves + counts[node]
        n_parents += 1
        leaves[top - 1], leaves[top - 2] = true, false
        top -= 2
    return n_leaves


@kernel
def list_rows(order, starts, stops, rest, rows, ends):
    """Rows and ends of all leaves but `rest`, as in `Blocks`; one leaf follows the other."""
    to = np.uint64(0)
    for leaf in range(starts.shape[0]):
        if leaf != rest:
            for at in range(np.uint64(starts[leaf]), np.uint64(stops[leaf])):
                rows[to] = order[at]
                to += np.uint64(1)
        ends[leaf] = to


@kernel
def read_tests(
    parents, children, facts, insides, bins, missing, category, pointers, cuts, thresholds, inside
):
    """The threshold of each parent's test, NaN if it has none, and its flags one after the other.

    Where a column was never missing in training, missing values go where most examples go.
    """
    at = U(0)
    for s in range(parents.shape[0]):
        node = parents[s]
        j, flags = facts[node, COLUMN], insides[children[node, 0]]
        size, first = U(bins[j] + 1), 0
        for b in range(size):
            inside[at + b] = flags[b]
        if not missing[j]:
            false, true = children[node, 1], children[node, 2]
            inside[at + size - U(1)] = facts[true, EXAMPLES] > facts[false, EXAMPLES]
        while first < bins[j] and not flags[first]:
            first += 1
        is_cut = first < bins[j] and not category[j]
        thresholds[s] = cuts[pointers[j] + first - 1] if is_cut else np.nan
        at += size
