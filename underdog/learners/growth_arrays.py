"""The arrays in which a tree is grown: codes of the rows, columns, nodes, room for sums."""

from __future__ import annotations

from typing import Any

import numpy as np

from underdog.core import Constraints, InteractionSets
from underdog.data import EncodedRows, Layout
from underdog.data.storage import DenseBlock, SparseBlock
from underdog.kernels import binning
from underdog.kernels.tree_arrays import (
    ANY,
    CATEGORY,
    LINE,
    N_FACTS,
    N_JOB,
    NODES_AHEAD,
    PLAIN,
    WORD,
    ColumnTests,
    Nodes,
    Shared,
    Storage,
    Together,
)
from underdog.learners.candidates import Candidates
from underdog.learners.codes import counted_codes
from underdog.types import Codes, Integers

WORDS = 513
"""Words that are scored at once, and one."""
MOST_KEPT = 0.75
"""Share of the cells above which it is not worth it to drop those that are never searched."""


def column_tests(layout: Layout, constraints: Constraints) -> ColumnTests:
    """What there is to know of each column: its cells and its tests."""
    candidates = Candidates(layout)
    n_tests = np.diff(candidates.first)
    together, directions = constraints.interactions, constraints.directions
    if directions is None:
        directions = np.zeros(len(layout.bins), dtype=np.int64)
    every = ColumnTests(
        layout.first_cell,
        layout.bins,
        layout.implicit,
        layout.missing.astype(np.uint8),
        layout.schema.missing.astype(np.uint8),
        layout.is_category.astype(np.uint8),
        candidates.levels,
        np.where(directions == 0, _kinds(layout, n_tests), ANY),
        np.empty(0),
        np.empty(0),
        Together(*(InteractionSets.up_to(0) if together is None else together)),
        directions,
        np.empty(0, dtype=np.uint64),
    )
    return only_used(every, np.flatnonzero(n_tests > 0))


def _kinds(layout: Layout, n_tests: Integers) -> Integers:
    """WORD, PLAIN, CATEGORY or ANY for each column."""
    numbers = ~(layout.is_category | layout.missing | layout.schema.missing).astype(bool)
    word = numbers & (n_tests == 1) & (layout.stored == 1) & (layout.implicit >= 0)
    return np.select([word, numbers, layout.is_category], [WORD, PLAIN, CATEGORY], ANY)


def only_used(columns: ColumnTests, used: Integers) -> ColumnTests:
    """The same with other columns that are searched, in runs of words and of others."""
    word = columns.kind[used] == WORD
    ends = np.append(np.flatnonzero(word[1:] != word[:-1]) + 1, len(used))
    run_end = ends[np.searchsorted(ends, np.arange(len(used)), side="right")]
    return columns._replace(used=used, run_end=run_end)


def examples_of_words(columns: ColumnTests, storage: Storage, words: Integers) -> Integers:
    """How many examples have the only stored cell of some columns."""
    cells, ends = columns.first_cell[words] - storage.base, storage.cell_pointers
    if storage.repeated:
        ends = np.concatenate([[0], np.cumsum(storage.repeats[storage.cell_rows])])[ends]
    result: Integers = ends[cells + 1] - ends[cells]
    return result


def compact(storage: Storage, columns: ColumnTests) -> tuple[Storage, ColumnTests]:
    """The same without the cells of sparse columns that are never searched, if these are many.

    Most words of a text are rare. Without them, the sums of a node stay in the fastest cache.
    """
    before = columns.first_cell
    sizes, unused = np.diff(before), storage.place < 0
    unused[columns.used] = False
    sizes[unused] = 0
    first_cell = np.concatenate([[0], np.cumsum(sizes)])
    if first_cell[-1] > MOST_KEPT * before[-1]:
        return storage, columns
    kept = np.repeat(sizes > 0, np.diff(before))
    number = np.where(kept, np.cumsum(kept) - 1, -1).astype(storage.cells.dtype)
    pointers, cells = np.empty_like(storage.pointers), np.empty_like(storage.cells)
    size = binning.renumber_cells(storage.pointers, storage.cells, number, pointers, cells)
    cell_pointers = np.zeros(first_cell[-1] + 1, dtype=np.int64)
    cell_rows = np.empty(size, dtype=storage.cell_rows.dtype)
    here = number[storage.base : storage.base + len(storage.cell_pointers) - 1]
    binning.renumber_rows(storage.cell_pointers, storage.cell_rows, here, cell_pointers, cell_rows)
    np.maximum.accumulate(cell_pointers, out=cell_pointers)  # dense columns have none
    return storage._replace(
        pointers=pointers, cells=cells[:size], cell_pointers=cell_pointers, cell_rows=cell_rows,
        base=0,
    ), columns._replace(first_cell=first_cell)  # fmt: skip


def room_for_nodes(
    leaves: int, layout: Layout, n_labels: int, constraints: Constraints, ahead: int
) -> Nodes:
    """Room for a tree with so many leaves, and for splits that are made before it is their turn."""
    count, bins = 2 * leaves - 1 + NODES_AHEAD * ahead, int(layout.bins.max(initial=1)) + 2
    width = 0 if constraints.interactions is None else len(layout.bins)  # all columns, or none
    return Nodes(
        np.empty((count, N_FACTS), dtype=np.int64),
        np.empty(count),
        np.empty((count, n_labels), dtype=np.int64),
        np.empty((count, 3), dtype=np.int64),
        np.empty((leaves + ahead, bins), dtype=np.uint8),
        np.empty((count, 2)),
        np.empty((count, width), dtype=np.uint8),
        np.empty((count, width), dtype=np.uint8),
        np.zeros(count, dtype=np.uint64),
    )


def new_shared(
    encoded: EncodedRows, n_cells: int, n_labels: int, slots: int, bins: int, used: int,
    threads: int, n_sums: int, ahead: int,
) -> Shared:  # fmt: skip
    """Room for the sums and scores of `slots` nodes, and for what each thread needs."""
    n_rows = encoded.n_rows
    sparse = any(isinstance(block, SparseBlock) for block in encoded.blocks)
    n_bins, bins = bins, max(bins, WORDS)
    return Shared(
        packed=np.empty((n_rows, n_labels), dtype=np.int64),
        numbers=np.empty(0, dtype=np.int64),
        order=np.empty(n_rows, dtype=np.int32),
        spare=np.empty(n_rows, dtype=np.int32),
        side=np.empty(n_rows, dtype=np.uint8),
        hists=np.zeros((slots, n_cells, n_labels), dtype=np.int64),
        lowest=np.empty((slots, used)),
        job=np.empty(N_JOB, dtype=np.int64),
        ahead=np.zeros((ahead, LINE), dtype=np.int64),
        settings=np.empty(2),
        made=np.zeros(LINE, dtype=np.int64),
        busy=np.zeros(LINE, dtype=np.int64),
        counter=np.zeros(1, dtype=np.int64),
        mail=np.zeros((threads, LINE), dtype=np.int64),
        turn=np.zeros((threads, LINE), dtype=np.int64),
        last=np.zeros((threads, LINE), dtype=np.int64),
        last_inside=np.empty((threads, n_bins), dtype=np.uint8),
        mark=np.zeros((threads, n_rows if sparse else 0), dtype=np.uint8),
        true=np.zeros((threads, LINE), dtype=np.int64),
        sums=np.zeros((threads, n_sums), dtype=np.int64),
        prefix=np.empty((threads, bins), dtype=np.int64),
        scores=np.empty((threads, 2 * bins)),
        masses=np.empty((threads, 2, 2 * bins)),
    )


def storage_of(encoded: EncodedRows, repeats: Integers, share: bool) -> Storage:
    """Codes row by row for counting and column by column for splitting, cells of sparse columns."""
    n_columns, n_rows = encoded.schema.n_columns, encoded.n_rows
    place = np.full(n_columns, -1, dtype=np.int64)
    columns: Codes = np.empty((0, n_rows), dtype=np.uint8)
    dense: Integers = np.empty(0, dtype=np.int64)
    sparse = [block for block in encoded.blocks if isinstance(block, SparseBlock)]
    for block in encoded.blocks:
        if isinstance(block, DenseBlock):  # there is one at most
            place[block.columns] = np.arange(len(block.columns))
            columns, dense = block.codes, block.columns.astype(np.int64)
    pointers, cells = stored_cells(sparse, n_rows)
    if len(sparse) == 1:
        cell_pointers, cell_rows = sparse[0].cell_pointers, sparse[0].cell_rows
        base = sparse[0].base
    else:
        base, cell_pointers = 0, np.zeros(encoded.n_cells + 1, dtype=np.int64)
        cell_rows = np.empty(len(cells), dtype=np.int32)
        if len(cells):
            binning.invert(pointers, cells, base, cell_pointers, cell_rows)
    return Storage(
        **counted_codes(columns, dense, encoded.stored, share)._asdict(),
        pointers=pointers,
        cells=cells,
        place=place,
        columns=columns,
        cell_pointers=cell_pointers,
        cell_rows=cell_rows,
        base=base,
        stored=encoded.stored,
        repeats=repeats,
        repeated=bool((repeats != 1).any()),
        examples=np.empty(0, dtype=np.int64),
    )


def stored_cells(blocks: list[SparseBlock], n_rows: int) -> tuple[Integers, Any]:
    """The stored cells of each row, of all blocks together."""
    if len(blocks) == 1:
        return blocks[0].pointers, blocks[0].cell_of_entry
    if not blocks:
        return np.zeros(n_rows + 1, dtype=np.int64), np.empty(0, dtype=np.int32)
    row = np.concatenate([np.repeat(np.arange(n_rows), np.diff(each.pointers)) for each in blocks])
    cells = np.concatenate([each.cell_of_entry for each in blocks])
    pointers = np.concatenate([[0], np.cumsum(np.bincount(row, minlength=n_rows))])
    return pointers.astype(np.int64), cells[np.argsort(row, kind="stable")]
