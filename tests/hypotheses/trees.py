"""Random trees, and the blocks of their rows worked out from the bins."""

import numpy as np

from tests.data.tables import bins_of
from underdog import core
from underdog.hypotheses import REST, Tree


def random_test(rng, encoded):
    """A test of a random column with any bins inside."""
    column = int(rng.integers(encoded.schema.n_columns))
    inside = (rng.random(int(encoded.bins[column]) + 1) < 0.5).astype(np.uint8)
    return core.Test(column, inside)


def random_paths(rng, encoded, leaves):
    """Paths that every row is on one of: leaves are divided until there are enough."""
    paths = [()]
    while len(paths) < leaves:
        path = paths.pop(int(rng.integers(len(paths))))
        test = random_test(rng, encoded)
        paths += [(*path, (test, 0)), (*path, (test, 1))]
    return paths


def random_tree(rng, encoded, n_labels, kind):
    """A tree of a kind, what it says being multiples of 1/8."""
    paths = random_paths(rng, encoded, {"constant": 1, "stump": 2, "rule": 4}.get(kind, 5))
    if kind == "stump":
        test = paths[0][-1][0]
        return Tree.stump(test, values_of(rng, 2, n_labels))
    leaves = tuple(paths)
    if kind == "rule":  # says nothing but on one path
        leaves = (REST, paths[int(rng.integers(len(paths)))])
    elif kind == "rest":
        leaves = (*paths[:2], REST, *paths[4:])
    elif kind == "turned":  # the test of a stump, its blocks the other way round
        leaves = ((paths[0][0],), ((paths[0][0][0], 1 - paths[0][0][1]),))
        leaves = leaves if leaves[0][0][1] == 1 else leaves[::-1]
    values = values_of(rng, len(leaves), n_labels)
    if kind == "rule":
        values[0] = 0.0
    return Tree(leaves, values)


def full_tree(rng, encoded, n_labels, kind, least=4):
    """A random tree that has a few rows in every block."""
    while True:
        tree = random_tree(rng, encoded, n_labels, kind)
        sizes = np.bincount(block_of_each(tree, encoded), minlength=len(tree.leaves))
        if sizes.min() >= least:
            return tree


KINDS = ["constant", "stump", "turned", "rule", "rest", "tree"]


def values_of(rng, n_blocks, n_labels):
    return np.rint(rng.normal(size=(n_blocks, n_labels)) * 8) / 8


def block_of_each(tree, encoded):
    """(n,) the block of each row."""
    block = np.full(encoded.n_rows, tree.leaves.index(REST) if REST in tree.leaves else -1)
    for number, leaf in enumerate(tree.leaves):
        if leaf != REST:
            on_path = np.ones(encoded.n_rows, dtype=bool)
            for test, answer in leaf:
                on_path &= test.inside[bins_of(encoded, test.column)] == answer
            assert not (block[on_path] >= 0).any() or REST in tree.leaves
            block[on_path] = number
    return block
