"""Growing a tree where the rows are: all of them in one place, encoded."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from underdog.core import Blocks, Criterion, Path, Rows, Test
from underdog.data import EncodedRows
from underdog.data.storage import DenseBlock, SparseBlock
from underdog.kernels import binning, trees
from underdog.learners.candidates import Candidates
from underdog.learners.limits import Limits
from underdog.learners.paths import threshold_of
from underdog.types import Codes, Floats, Indices, Integers


class Grown(NamedTuple):
    """A tree and the rows of its leaves.

    Attributes
    ----------
    leaves : paths, the false side of every test first
    blocks : Blocks
    order : (n,) row numbers, those of a leaf together
    starts, stops : (B,) where the rows of each leaf are in `order`
    """

    leaves: tuple[Path, ...]
    blocks: Blocks
    order: Indices
    starts: Integers
    stops: Integers


class Grower:
    """Grows trees on the encoded rows of one shard.

    Parameters
    ----------
    rows : Rows
        Of one shard.
    limits : Limits
    """

    def __init__(self, rows: Rows, limits: Limits) -> None:
        shard = rows.only
        self.encoded, self.layout, self.limits = shard.encoded, rows.layout, limits
        self.repeats = shard.target.repeats
        self._repeated = bool((self.repeats != 1).any())
        layout, n_rows, n_labels = self.layout, self.encoded.n_rows, rows.n_labels
        candidates = Candidates(layout)
        self.columns = np.flatnonzero(np.diff(candidates.first) > 0)
        self._dense, self._sparse, self._storage = _storage_of(self.encoded)
        self._kernel_layout = (
            layout.first_cell, layout.bins, layout.implicit, layout.missing.astype(np.uint8),
            layout.schema.missing.astype(np.uint8), layout.is_category.astype(np.uint8),
            candidates.levels,
        )  # fmt: skip
        leaves = max(1, min(limits.max_leaves, n_rows))
        bins = int(layout.bins.max(initial=1)) + 2
        nodes = 2 * leaves - 1
        self._leaves = leaves
        self.packed = np.empty((n_rows, n_labels), dtype=np.int64)
        self._order = np.empty(n_rows, dtype=np.int32)
        self._scratch = (
            np.empty(n_rows, dtype=np.int32),  # spare
            np.empty(n_rows, dtype=np.uint8),  # side
            np.empty((n_rows, n_labels), dtype=np.int64),  # values
            np.empty((leaves, layout.n_cells, n_labels), dtype=np.int64),
            (
                np.empty(bins, dtype=np.int64),
                np.empty(bins, dtype=np.int64),
                np.empty(2 * bins),
                np.empty((2, 2 * bins)),
            ),
        )
        self._nodes = np.empty((nodes, trees.N_FACTS), dtype=np.int64)
        self._gains = np.empty(nodes)
        self._totals = np.empty((nodes, n_labels), dtype=np.int64)
        self._children = np.empty((nodes, 3), dtype=np.int64)
        self._insides = np.empty((leaves, bins), dtype=np.uint8)

    def grow(
        self, fine: Integers, shift: Integers, unit: Floats, criterion: Criterion, smooth: float
    ) -> Grown:
        """The tree for these amounts [channel, row, label]; unit is of the rounded ones."""
        limits = self.limits
        trees.pack(fine, self.repeats, shift, self.packed)
        self._order[:] = np.arange(len(self._order))
        spare, side, values, hists, room = self._scratch
        trees.grow(
            self._dense, self._sparse, self._storage, self._kernel_layout, self.columns,
            self.packed, self.repeats, unit, (criterion.number, smooth, criterion.beta),
            (limits.max_depth, self._leaves, limits.min_samples, limits.min_mass,
             limits.best_first),
            self._order, spare, side, values, hists, room, self._nodes, self._gains, self._totals,
            self._children, self._insides, np.empty(3, dtype=np.int64),
        )  # fmt: skip
        return self._read()

    def _read(self) -> Grown:
        """What the kernel has left in its arrays."""
        found = list(self._walk(0, ()))
        leaves = tuple(path for _, path in found)
        places = [node for node, _ in found]
        starts = self._nodes[places, trees.START]
        stops = self._nodes[places, trees.STOP]
        sizes = stops - starts
        examples = [self._examples(node) for node in places]
        rest = int(np.argmax(examples))
        sizes[rest] = 0
        kept = np.concatenate([self._order[: starts[rest]], self._order[stops[rest] :]])
        blocks = Blocks(kept, np.cumsum(sizes), rest)
        return Grown(leaves, blocks, self._order, starts, stops)

    def _walk(self, node: int, path: Path) -> Iterator[tuple[int, Path]]:
        split, false, true = self._children[node].tolist()
        if split == trees.LEAF:
            yield node, path
            return
        column = int(self._nodes[node, trees.COLUMN])
        inside = self._insides[split, : int(self.layout.bins[column]) + 1].copy()
        if not self.layout.missing[column]:  # never in training: as most examples do
            inside[-1] = self._examples(true) > self._examples(false)
        test = Test(column, inside, threshold_of(self.layout, column, inside))
        yield from self._walk(false, (*path, (test, 0)))
        yield from self._walk(true, (*path, (test, 1)))

    def _examples(self, node: int) -> int:
        start, stop = self._nodes[node, trees.START], self._nodes[node, trees.STOP]
        if not self._repeated:
            return int(stop - start)
        return int(self.repeats[self._order[start:stop]].sum())


def _storage_of(encoded: EncodedRows) -> tuple[Any, Any, Any]:
    """Codes row by row for counting, cells of sparse columns, and what a partition needs."""
    n_columns, n_rows = encoded.schema.n_columns, encoded.n_rows
    place = np.full(n_columns, -1, dtype=np.int64)
    columns: Codes = np.empty((0, n_rows), dtype=np.uint8)
    sparse = [block for block in encoded.blocks if isinstance(block, SparseBlock)]
    offsets = np.empty(0, dtype=np.int64)
    for block in encoded.blocks:
        if isinstance(block, DenseBlock):  # there is one at most
            place[block.columns] = np.arange(len(block.columns))
            columns, offsets = block.codes, block.first_cell
    codes = np.ascontiguousarray(columns.T)
    pointers, cells = _merged(sparse, n_rows)
    if len(sparse) == 1:
        cell_pointers, cell_rows, base = (
            sparse[0].cell_pointers,
            sparse[0].cell_rows,
            sparse[0].base,
        )
    else:
        base, cell_pointers = 0, np.zeros(encoded.n_cells + 1, dtype=np.int64)
        cell_rows = np.empty(len(cells), dtype=np.int32)
        if len(cells):
            binning.invert(pointers, cells, base, cell_pointers, cell_rows)
    mark = np.zeros(n_rows, dtype=np.uint8)
    storage = (
        place, columns, cell_pointers, cell_rows, base, encoded.first_cell, encoded.stored, mark,
    )  # fmt: skip
    return (codes, offsets.astype(np.uint64)), (pointers, cells), storage


def _merged(blocks: list[SparseBlock], n_rows: int) -> tuple[Integers, Any]:
    """The stored cells of each row, of all blocks together."""
    if len(blocks) == 1:
        return blocks[0].pointers, blocks[0].cell_of_entry
    if not blocks:
        return np.zeros(n_rows + 1, dtype=np.int64), np.empty(0, dtype=np.int32)
    row = np.concatenate([np.repeat(np.arange(n_rows), np.diff(each.pointers)) for each in blocks])
    cells = np.concatenate([each.cell_of_entry for each in blocks])
    pointers = np.concatenate([[0], np.cumsum(np.bincount(row, minlength=n_rows))])
    return pointers.astype(np.int64), cells[np.argsort(row, kind="stable")]
