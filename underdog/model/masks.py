"""Trees as masks of bits, by which all rows are scored without walking."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from underdog.core import Member, Path, Test
from underdog.data import Schema, Table
from underdog.data.columns import CategoryColumns, NumberColumns, SparseColumns
from underdog.hypotheses import Tree
from underdog.kernels import masks
from underdog.types import Codes, Floats, Integers, owned
from underdog.workers import Workers

MAX_LEAVES = 64
ROWS = 2048
"""Rows that are encoded at once."""
FULL = (1 << MAX_LEAVES) - 1
RUN_OF_CODES = -1


class MaskForest:
    """All trees with at most 64 leaves whose columns have at most 256 codes.

    A number is encoded by the cuts that the trees use, and not by all cuts of the schema.

    Parameters
    ----------
    members : sequence of Member
        For which `can_walk`, and `few_leaves`.
    schema : Schema
    bins : dict of arrays
        Their `distinct_bins`.
    """

    def __init__(
        self, members: Sequence[Member], schema: Schema, bins: Mapping[int, Integers]
    ) -> None:
        self.schema = schema
        trees = [one.hypothesis for one in members if isinstance(one.hypothesis, Tree)]
        self.columns = np.array(list(bins), dtype=np.int64)
        place = {column: u for u, column in enumerate(bins)}
        cuts = [
            np.empty(0) if column in schema.categories else schema.cuts_of(column)[own[:-2]]
            for column, own in bins.items()
        ]
        self.pointers = np.cumsum([0, *map(len, cuts)]).astype(np.int64)
        self.cuts = np.concatenate([np.empty(0), *cuts])
        nodes: list[list[int]] = []
        kept: list[int] = []
        tables: list[Codes] = []
        self.trees = np.cumsum([0, *(len(tree.tests) for tree in trees)]).astype(np.int64)
        leaves = [_false_first(tree) for tree in trees]
        for tree, order in zip(trees, leaves, strict=True):
            for test, mask in _masks_of(tree, order):
                inside = test.inside[bins[test.column]]
                nodes.append([place[test.column], *_codes_inside(inside, tables)])
                kept.append(mask)
        widest = max((len(tree.leaves) for tree in trees), default=1)
        kind = np.uint32 if widest <= 32 else np.uint64
        self.masks = np.array([*kept, FULL], dtype=np.uint64).astype(kind)
        self.nodes = np.array(nodes, dtype=np.int64).reshape(-1, 4)
        self.table = np.concatenate([np.empty(0, dtype=np.uint8), *tables])
        self.steps = np.zeros((len(trees), widest, members[0].steps.shape[1]))
        for own, member, order in zip(self.steps, members, leaves, strict=True):
            own[: len(order)] = member.steps[order]

    def add_scores(self, table: Table, out: Floats, workers: Workers) -> None:
        """Add what all trees say to (n, K) scores."""
        fillers = [self._filler(group) for group in table.groups]

        def add(start: int, stop: int) -> None:
            codes = np.empty((len(self.columns), min(ROWS, stop - start)), dtype=np.uint8)
            for first in range(start, stop, ROWS):
                last = min(first + ROWS, stop)
                for fill in fillers:
                    fill(first, last, codes)
                masks.add_scores(
                    codes, self.trees, self.nodes, self.masks, self.table, self.steps,
                    last - first, out[first:last],
                )  # fmt: skip

        workers.run(add, len(out), len(out) * len(self.nodes))

    def _filler(self, group: Any) -> Any:
        """A function (first, last, codes) that encodes the used columns of a group."""
        place = np.full(self.schema.n_columns, -1, dtype=np.int64)
        place[group.positions] = np.arange(group.n_columns)
        used = np.flatnonzero(place[self.columns] >= 0)
        own = place[self.columns[used]]
        if isinstance(group, NumberColumns):
            return self._dense_filler(group.matrix, own, used)
        if isinstance(group, SparseColumns):
            return self._sparse_filler(group.matrix, own, used)
        return self._category_filler(group, own, used)

    def _dense_filler(self, matrix: NDArray[Any], own: Integers, used: Integers) -> Any:
        pointers, cuts = self._cuts_of(used)
        direct = matrix.dtype == np.float64 and matrix.flags.c_contiguous and matrix.flags.writeable
        every = np.arange(len(own), dtype=np.int64)

        def fill(first: int, last: int, codes: Codes) -> None:
            if direct:
                masks.encode_numbers(matrix, own, used, pointers, cuts, first, last, codes)
            else:
                some = np.ascontiguousarray(matrix[first:last][:, own], dtype=np.float64)
                masks.encode_numbers(some, every, used, pointers, cuts, 0, last - first, codes)

        return fill

    def _sparse_filler(self, matrix: Any, own: Integers, used: Integers) -> Any:
        indptr, indices = owned(matrix.indptr, np.int32), owned(matrix.indices, np.int32)
        data = owned(matrix.data, np.float64)
        place_of = np.full(matrix.shape[1], -1, dtype=np.int64)
        place_of[own] = used
        zero = np.empty((len(self.columns), 1), dtype=np.uint8)
        masks.encode_numbers(
            np.zeros((1, 1)), np.zeros(len(used), dtype=np.int64), used, *self._cuts_of(used),
            0, 1, zero,
        )  # fmt: skip

        def fill(first: int, last: int, codes: Codes) -> None:
            codes[used] = zero[used]
            masks.encode_stored(
                indptr, indices, data, place_of, self.pointers, self.cuts, first, last, codes
            )

        return fill

    def _category_filler(self, group: CategoryColumns, own: Integers, used: Integers) -> Any:
        found = [
            self.schema.codes_of(int(self.columns[u]), group.given(c)).astype(np.uint8)
            for c, u in zip(own, used, strict=True)
        ]

        def fill(first: int, last: int, codes: Codes) -> None:
            for u, values in zip(used, found, strict=True):
                codes[u, : last - first] = values[first:last]

        return fill

    def _cuts_of(self, used: Integers) -> tuple[Integers, Floats]:
        """Pointers and cuts of some of the columns."""
        if len(used) == len(self.columns):
            return self.pointers, self.cuts
        runs = [self.cuts[self.pointers[u] : self.pointers[u + 1]] for u in used]
        pointers = np.cumsum([0, *map(len, runs)]).astype(np.int64)
        return pointers, np.concatenate([np.empty(0), *runs])


def distinct_bins(members: Sequence[Member], schema: Schema) -> dict[int, Integers]:
    """For each column of the trees, one bin for each code: tests do not tell the others apart.

    The last one is that of missing values.
    """
    found: dict[int, Integers] = {}
    changes: dict[int, NDArray[np.bool_]] = {}
    for member in members:
        for test in member.hypothesis.tests if isinstance(member.hypothesis, Tree) else ():
            column, bins = test.column, int(schema.bins[test.column])
            if column not in changes:
                changes[column] = np.full(bins - 1, column in schema.categories)
            changes[column] |= test.inside[1:bins] != test.inside[: bins - 1]
    for column in sorted(changes):
        bins = int(schema.bins[column])
        found[column] = np.concatenate([np.flatnonzero(changes[column]), [bins - 1, bins]])
    return found


def few_codes(bins: Mapping[int, Integers]) -> bool:
    """Whether the codes of every column fit in a byte."""
    return all(len(own) <= masks.LADDER for own in bins.values())


def few_leaves(member: Member) -> bool:
    """Whether a mask has a bit for every leaf of a tree."""
    tree = member.hypothesis
    return isinstance(tree, Tree) and len(tree.leaves) <= MAX_LEAVES


def _paths(tree: Tree) -> list[Path]:
    return [leaf for leaf in tree.leaves if not isinstance(leaf, str)]


def _false_first(tree: Tree) -> list[int]:
    """The leaves in an order that has those of the false side of every test first."""
    paths = _paths(tree)
    return sorted(range(len(paths)), key=lambda leaf: [answer for _, answer in paths[leaf]])


def _masks_of(tree: Tree, order: Sequence[int]) -> list[tuple[Test, int]]:
    """Every test with the leaves that stay possible where it is true: not those of its false side.

    The first leaf in this order is the lowest bit.
    """
    kept: dict[int, tuple[Test, int]] = {}
    paths = _paths(tree)
    for bit, leaf in enumerate(order):
        for test, answer in paths[leaf]:
            _, mask = kept.get(id(test), (test, FULL))
            kept[id(test)] = test, mask if answer else mask & ~(1 << bit)
    return list(kept.values())


def _codes_inside(inside: Codes, tables: list[Codes]) -> tuple[int, int, int]:
    """First code and number of codes where a test is true, and -1; or where its table is."""
    places = np.flatnonzero(inside)
    if len(places) and places[-1] - places[0] + 1 == len(places) < masks.LADDER:
        return int(places[0]), len(places), RUN_OF_CODES
    tables.append(np.zeros(masks.LADDER, dtype=np.uint8))
    tables[-1][: len(inside)] = inside
    return 0, 0, masks.LADDER * (len(tables) - 1)
