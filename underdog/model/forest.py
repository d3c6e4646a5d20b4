"""Trees with several tests, flattened so that all rows walk through all of them in one kernel."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from underdog.core import Member, Path
from underdog.data import EncodedRows, Schema, Table
from underdog.hypotheses import Tree
from underdog.hypotheses.splits import joined, splits_of
from underdog.kernels import forests
from underdog.model.masks import (
    MaskForest,
    distinct_bins,
    few_codes,
    few_leaves,
    splits_of_member,
    tree_of,
)
from underdog.types import Floats
from underdog.workers import Workers

CODES = 1 << 26
"""Bytes of codes at once: rows are taken in runs."""


def can_walk(member: Member) -> bool:
    """Whether a rule is a tree in which every test leads to two subtrees, once it is `closed`."""
    tree = member.hypothesis
    if not isinstance(tree, Tree):
        return False
    return splits_of(tree.leaves) is not None or (tree.rest is not None and tree.ends is not None)


def closed(member: Member) -> Member:
    """The same rule with a path for every block; the ends of the rest have the same weight."""
    tree = member.hypothesis
    assert isinstance(tree, Tree)
    if tree.rest is None:
        return member
    ends = tree.ends
    assert ends is not None
    blocks = np.array([block for _, block in ends])
    ends_of = np.bincount(blocks)  # several for the rest, and one for all others
    examples = None
    if tree.examples is not None:  # all times the same number, so that they stay integers
        examples = (tree.examples * ends_of[tree.rest] // ends_of)[blocks]
    closed = Tree(tuple(path for path, _ in ends), tree.values[blocks], examples)
    return member._replace(hypothesis=closed, steps=member.steps[blocks])


def make_forests(members: Sequence[Member], schema: Schema) -> list[Forest | MaskForest]:
    """Masks for trees with few leaves, if the columns have few codes; the others are walked."""
    small = [member for member in members if few_leaves(member)]
    bins = distinct_bins(small, schema)
    if not few_codes(bins):
        return [Forest(members, schema)]
    large = [member for member in members if not few_leaves(member)]
    made: list[Forest | MaskForest] = [MaskForest(small, schema, bins)] if small else []
    return [*made, Forest(large, schema)] if large else made


class Forest:
    """Nodes of all trees, one after the other.

    Parameters
    ----------
    members : sequence of Member
        For which `can_walk`.
    schema : Schema
    """

    def __init__(self, members: Sequence[Member], schema: Schema) -> None:
        self.schema = schema
        self._members = members
        trees = [splits_of_member(member) for member in members]
        every = joined([tree for tree, _ in trees])
        self.columns: list[int] = np.unique(every.columns).tolist()
        first_node = np.cumsum([0, *(len(tree.columns) for tree, _ in trees)])
        first_leaf = first_node + np.arange(len(first_node))  # a tree has one leaf more than tests
        below = [np.empty((0, 2), dtype=np.int64)]
        for (tree, _), node, leaf in zip(trees, first_node[:-1], first_leaf[:-1], strict=True):
            own = tree.below()
            below.append(np.where(own < 0, own - leaf, own + node))
        place = np.searchsorted(self.columns, every.columns)
        self.nodes = np.column_stack([place, every.starts[:-1], np.concatenate(below)])
        """Column, where its bins begin in `inside`, and the nodes where it is false and true; below
        0 these are leaves: -1 is the first."""
        alone = np.array([tree.n_leaves == 1 for tree, _ in trees], dtype=bool)
        self.roots = np.where(alone, -1 - first_leaf[:-1], first_node[:-1])
        self.inside = every.inside
        self._orders = [order for _, order in trees]
        steps = [member.steps[order] for member, order in zip(members, self._orders, strict=True)]
        self.steps: Floats = np.concatenate(steps)
        examples = [
            np.ones(len(order)) if tree.examples is None else tree.examples[order]
            for tree, order in zip(map(tree_of, members), self._orders, strict=True)
        ]
        self.examples: Floats = np.concatenate(examples).astype(np.float64)
        """(L,) training examples in each leaf; 1 where they were not counted."""

    @cached_property
    def paths(self) -> list[Path]:
        """Of each leaf."""
        pairs = zip(map(tree_of, self._members), self._orders, strict=True)
        found = [tree.leaves[leaf] for tree, order in pairs for leaf in order.tolist()]
        return [path for path in found if not isinstance(path, str)]

    def add_scores(self, table: Table, out: Floats, workers: Workers) -> None:
        """Add what all trees say to (n, K) scores."""
        for rows, codes in self.codes(table, workers):
            own = out[rows]

            def walk(first: int, last: int, codes=codes, own=own) -> None:  # type: ignore[no-untyped-def]
                forests.walk(
                    codes, self.roots, self.nodes, self.inside, self.steps, first, last, own
                )

            workers.run(walk, len(own), 10 * len(own) * len(self.roots))

    def codes(self, table: Table, workers: Workers) -> Iterator[tuple[slice, NDArray[np.uint16]]]:
        """Runs of rows, and (rows, U) their bins in the columns of the trees."""
        run = max(1024, CODES // (2 * max(1, len(self.columns))))
        for start in range(0, len(table), run):
            some = table if run >= len(table) else table[start : start + run]
            encoded = EncodedRows(some, self.schema, workers=workers)
            codes = np.empty((len(some), len(self.columns)), dtype=np.uint16)
            for place, column in enumerate(self.columns):
                codes[:, place] = encoded.bins_of_rows(column)
            yield slice(start, start + run), codes


def cuts_asked(forest: Forest) -> dict[int, Floats]:
    """The cuts of each column that the tests of the trees speak of; none for categories."""
    found: dict[int, set[float]] = {column: set() for column in forest.columns}
    for path in forest.paths:
        for test, _ in path:
            if test.threshold is not None:
                found[test.column].add(test.threshold)
    return {column: np.array(sorted(cuts), dtype=np.float64) for column, cuts in found.items()}
