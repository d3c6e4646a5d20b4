"""Pairs of rows in the wrong order, counted without listing the pairs."""

import numpy as np

from underdog.kernels.jit import kernel


@kernel
def wrong_below(order, starts, query_starts, places, units, tree, out):
    """out[row] = weight of the rows of its query with a lower grade that do not stand below it.

    Parameters
    ----------
    order, starts, query_starts : see `underdog.core.queries.Segments`
    places : (n,)
        The place of the score of a row in its query, from 0 for the lowest; equal scores have the
        same place.
    units : (n,) integer weights of the rows
    tree : (n + 1,) zeros
        Sums over places whose distance is a power of two (a Fenwick tree); zeros again at the end.
    out : (n,), filled
    """
    for query in range(query_starts.shape[0] - 1):
        begin, end = query_starts[query], query_starts[query + 1]
        size = starts[end] - starts[begin]
        seen = np.int64(0)
        for segment in range(begin, end):
            for at in range(starts[segment], starts[segment + 1]):
                row = order[at]
                below = np.int64(0)
                place = np.int64(places[row])  # the scores at lower places
                while place > 0:
                    below += tree[place]
                    place -= place & -place
                out[row] = seen - below
            for at in range(starts[segment], starts[segment + 1]):
                row = order[at]
                seen += units[row]
                place = np.int64(places[row]) + 1
                while place <= size:
                    tree[place] += units[row]
                    place += place & -place
        for place in range(size + 1):
            tree[place] = 0
