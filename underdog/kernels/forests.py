"""Rows that walk through trees."""

import numpy as np

from underdog.kernels.jit import kernel

U = np.uint64


@kernel
def walk(codes, roots, nodes, inside, steps, first, last, out):
    """Add to out[i] the steps of the leaf that row i reaches in every tree, for rows first..last.

    A node is (column, where its bins begin in `inside`, where it is false, where it is true); a
    child below 0 is a leaf, -1 being the first.
    """
    for i in range(U(first), U(last)):
        for t in range(U(roots.shape[0])):
            node = roots[t]
            while node >= 0:
                at = U(node)
                true = inside[U(nodes[at, 1]) + U(codes[i, U(nodes[at, 0])])]
                node = nodes[at, U(2) + U(true)]
            for k in range(U(steps.shape[1])):
                out[i, k] += steps[U(-1 - node), k]
