"""Trees with several tests, flattened so that all rows walk through all of them in one kernel."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from underdog.core import Member, Path, Test
from underdog.data import EncodedRows, Schema, Table
from underdog.hypotheses import Leaf, Tree
from underdog.kernels import forests
from underdog.model.masks import MaskForest, distinct_bins, few_codes, few_leaves
from underdog.types import Floats
from underdog.workers import Workers

CODES = 1 << 26
"""Bytes of codes at once: rows are taken in runs."""


def can_walk(member: Member) -> bool:
    """Whether a rule is a tree in which every test leads to two subtrees."""
    tree = member.hypothesis
    return isinstance(tree, Tree) and _is_nested(tree.leaves, 0)


def _is_nested(leaves: Sequence[Leaf], depth: int) -> bool:
    """Whether the leaves are those of one subtree, whose root is `depth` tests down."""
    if len(leaves) == 1:
        return not isinstance(leaves[0], str) and len(leaves[0]) == depth
    paths = [leaf for leaf in leaves if not isinstance(leaf, str) and len(leaf) > depth]
    if len(paths) < len(leaves) or any(path[depth][0] is not paths[0][depth][0] for path in paths):
        return False
    sides = [[path for path in paths if path[depth][1] == answer] for answer in range(2)]
    return all(side and _is_nested(side, depth + 1) for side in sides)


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
        self._nodes: list[list[int]] = []
        self._inside: list[NDArray[np.uint8]] = []
        self._steps: list[Floats] = []
        self._examples: list[float] = []
        self.paths: list[Path] = []
        """Of each leaf."""
        self._size = 0
        columns = sorted({test.column for one in members for test in _tree(one).tests})
        self.columns = columns
        self._place = {column: place for place, column in enumerate(columns)}
        roots = []
        for member in members:
            paths = [leaf for leaf in _tree(member).leaves if not isinstance(leaf, str)]
            number = {id(path): leaf for leaf, path in enumerate(paths)}
            roots.append(self._add(paths, 0, number, member))
        self.roots = np.array(roots, dtype=np.int64)
        self.nodes = np.array(self._nodes, dtype=np.int64).reshape(-1, 4)
        """Column, where its bins begin in `inside`, and the nodes where it is false and true; below
        0 these are leaves: -1 is the first."""
        self.inside = np.concatenate([np.empty(0, dtype=np.uint8), *self._inside])
        self.steps = np.array(self._steps).reshape(len(self._steps), -1)
        self.examples: Floats = np.array(self._examples, dtype=np.float64)
        """(L,) training examples in each leaf; 1 where they were not counted."""

    def _add(self, paths: list[Path], depth: int, number: dict[int, int], member: Member) -> int:
        """Add a subtree; returns its root."""
        if len(paths) == 1:
            leaf, examples = number[id(paths[0])], _tree(member).examples
            self._steps.append(member.steps[leaf])
            self._examples.append(1.0 if examples is None else float(examples[leaf]))
            self.paths.append(paths[0])
            return -len(self._steps)
        test: Test = paths[0][depth][0]
        node = len(self._nodes)
        self._nodes.append([self._place[test.column], self._size, 0, 0])
        self._inside.append(test.inside)
        self._size += len(test.inside)
        for answer in range(2):
            side = [path for path in paths if path[depth][1] == answer]
            self._nodes[node][2 + answer] = self._add(side, depth + 1, number, member)
        return node

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


def _tree(member: Member) -> Tree:
    tree = member.hypothesis
    assert isinstance(tree, Tree)
    return tree
