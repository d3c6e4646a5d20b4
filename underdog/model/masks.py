"""Trees as masks of bits, by which all rows are scored without walking."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from underdog.core import Member
from underdog.data import Schema, Table
from underdog.data.columns import CategoryColumns, NumberColumns, SparseColumns
from underdog.hypotheses import Tree
from underdog.hypotheses.splits import Splits, joined, splits_of
from underdog.kernels import masks
from underdog.types import Codes, Floats, Integers, owned
from underdog.workers import Workers

MAX_LEAVES = 64
ROWS = 2048
"""Rows that are encoded at once."""
FULL = (1 << MAX_LEAVES) - 1


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
        trees = [splits_of_member(member) for member in members]
        every = joined([tree for tree, _ in trees])
        self.columns = np.array(list(bins), dtype=np.int64)
        place = np.zeros(schema.n_columns, dtype=np.int64)
        place[self.columns] = np.arange(len(bins))
        cuts = [
            np.empty(0) if column in schema.categories else schema.cuts_of(column)[own[:-2]]
            for column, own in bins.items()
        ]
        self.pointers = np.cumsum([0, *map(len, cuts)]).astype(np.int64)
        self.cuts = np.concatenate([np.empty(0), *cuts])
        self.trees = np.cumsum([0, *(len(tree.columns) for tree, _ in trees)]).astype(np.int64)
        runs, self.table = _codes_inside(every, place, list(bins.values()))
        self.nodes = np.column_stack([place[every.columns], runs]).astype(np.int64)
        widest = max((tree.n_leaves for tree, _ in trees), default=1)
        kind = np.uint32 if widest <= 32 else np.uint64
        self.masks = np.append(_masks_of(every), FULL).astype(kind)
        self.steps = np.zeros((len(trees), widest, members[0].steps.shape[1]))
        for own, member, (_, order) in zip(self.steps, members, trees, strict=True):
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
            self.schema.codes_of(int(self.columns[u]), group.given[c]).astype(np.uint8)
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
    every = joined([splits_of_member(member)[0] for member in members])
    pointers = np.cumsum([0, *(schema.bins + 1).tolist()])
    # changes[pointers[j] + b]: whether a test differs between the bins b and b + 1 of column j
    changes = np.zeros(pointers[-1], dtype=bool)
    where = np.flatnonzero(every.inside[1:] != every.inside[:-1])
    test = np.searchsorted(every.starts, where, side="right") - 1
    changes[pointers[every.columns[test]] + where - every.starts[test]] = True
    found: dict[int, Integers] = {}
    for column in np.unique(every.columns).tolist():
        bins = int(schema.bins[column])
        own = changes[pointers[column] : pointers[column] + bins - 1]  # not to missing values
        if column in schema.categories:
            own = np.ones_like(own)
        found[column] = np.concatenate([np.flatnonzero(own), [bins - 1, bins]])
    return found


def few_codes(bins: Mapping[int, Integers]) -> bool:
    """Whether the codes of every column fit in a byte."""
    return all(len(own) <= masks.LADDER for own in bins.values())


def few_leaves(member: Member) -> bool:
    """Whether a mask has a bit for every leaf of a tree."""
    tree = member.hypothesis
    return isinstance(tree, Tree) and len(tree.leaves) <= MAX_LEAVES


def tree_of(member: Member) -> Tree:
    """The rule of a member that `can_walk`."""
    tree = member.hypothesis
    assert isinstance(tree, Tree)
    return tree


def splits_of_member(member: Member) -> tuple[Splits, Integers]:
    """The splits of its tree, and which of its leaves each numbered leaf is."""
    found = splits_of(tree_of(member).leaves)
    assert found is not None
    return found


def _masks_of(splits: Splits) -> NDArray[np.uint64]:
    """For each test the leaves that stay possible where it is true: not those of its false side.

    The first leaf is the lowest bit.
    """
    first, middle = splits.spans[:, :2].astype(np.uint64).T
    one = np.uint64(1)
    kept: NDArray[np.uint64] = ~(((one << (middle - first)) - one) << first)
    return kept


def _codes_inside(
    splits: Splits, place: Integers, bins: Sequence[Integers]
) -> tuple[Integers, Codes]:
    """(S, 3): first code and number of codes where a test is true, and RUN_OF_CODES.

    For tests that are not true in one run of codes, the last one is BITS_OF_CODES, and the first
    has a bit for each code; or it is where a table is, if there are more codes than bits.
    """
    own, starts = place[splits.columns], np.cumsum([0, *map(len, bins)])
    # All codes of the column of each test, one test after the other, and whether it is true there.
    sizes = np.diff(starts)[own]
    test = np.repeat(np.arange(len(own)), sizes)
    code = np.arange(len(test)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    bin_of = np.concatenate([np.empty(0, dtype=np.int64), *bins])[starts[own[test]] + code]
    true = splits.inside[splits.starts[test] + bin_of] == 1
    count = np.bincount(test[true], minlength=len(own))
    first, last = np.zeros((2, len(own)), dtype=np.int64)
    last[test[true]] = code[true]  # codes rise, and of several assignments the last one holds
    first[test[true][::-1]] = code[true][::-1]
    is_run = (count > 0) & (last - first + 1 == count) & (count < masks.LADDER)
    is_word = ~is_run & (sizes <= masks.WORD)
    in_table = ~is_run & ~is_word
    runs = np.stack([first, count, np.full(len(own), masks.RUN_OF_CODES)], axis=1)
    runs[~is_run, :2] = 0
    listed = true & is_word[test]
    np.bitwise_or.at(runs[:, 0], test[listed], np.int64(1) << code[listed])
    runs[is_word, 2] = masks.BITS_OF_CODES
    number = np.cumsum(in_table) - 1
    table = np.zeros((int(in_table.sum()), masks.LADDER), dtype=np.uint8)
    listed = true & in_table[test]
    table[number[test[listed]], code[listed]] = 1
    runs[in_table, 2] = masks.LADDER * number[in_table]
    return runs, table.ravel()
