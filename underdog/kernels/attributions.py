"""What the splits of trees add to the scores of rows, and which leaves rows can reach."""

import numpy as np

from underdog.kernels.elementary import to_grid
from underdog.kernels.jit import kernel

U = np.uint64


@kernel
def expect(nodes, steps, examples, totals, expected):
    """The mean step of the leaves below each node, by examples, on the score grid.

    totals[node] are the examples below it. Parents come before their children in `nodes`; see
    `forests.walk`. Where there are no examples, both children count the same.
    """
    n_labels = steps.shape[1]
    for node in range(nodes.shape[0] - 1, -1, -1):
        for k in range(n_labels):
            expected[node, k] = 0.0
        totals[node] = 0.0
        for side in range(2, 4):
            child = nodes[node, side]
            totals[node] += totals[child] if child >= 0 else examples[-1 - child]
        for side in range(2, 4):
            child = nodes[node, side]
            share = 0.5
            if totals[node] > 0.0:
                share = (totals[child] if child >= 0 else examples[-1 - child]) / totals[node]
            for k in range(n_labels):
                value = expected[child, k] if child >= 0 else steps[-1 - child, k]
                expected[node, k] += share * value
        for k in range(n_labels):
            expected[node, k] = to_grid(expected[node, k])


@kernel
def credit(codes, roots, nodes, inside, gains, first, last, out):
    """Add to out[i, column] the gains of the splits on it that row i passes, for rows first..last.

    gains[node, answer] is the change of the expected step from a node to its child.
    """
    for i in range(U(first), U(last)):
        for t in range(U(roots.shape[0])):
            node = roots[t]
            while node >= 0:
                at = U(node)
                column = U(nodes[at, 0])
                true = U(inside[U(nodes[at, 1]) + U(codes[i, column])])
                for k in range(U(gains.shape[2])):
                    out[i, column, k] += gains[at, true, k]
                node = nodes[at, U(2) + true]


@kernel
def reach(codes, roots, nodes, inside, free, first, last, room, counts):
    """counts[leaf] += the rows that can reach it if columns with a flag in `free` have any value.

    For rows first..last; room has a place for every level of a tree, and one more.
    """
    for i in range(U(first), U(last)):
        for t in range(U(roots.shape[0])):
            room[0] = roots[t]
            waiting = 1
            while waiting > 0:
                waiting -= 1
                node = room[waiting]
                while node >= 0:
                    at = U(node)
                    column = U(nodes[at, 0])
                    if free[column]:
                        room[waiting] = nodes[at, 3]
                        waiting += 1
                        node = nodes[at, 2]
                    else:
                        true = U(inside[U(nodes[at, 1]) + U(codes[i, column])])
                        node = nodes[at, U(2) + true]
                counts[U(-1 - node)] += 1
