"""Encoded rows: every column has consecutive cells, and every value is the number of a cell.

    column        0 (words: one cell)   1 (words)   2 (numbers, 4 bins + missing)
    cells         |        0          |     1     |   2    3    4    5    6   |

There are two storage forms. Dense codes have one byte per value. Sparse cells store, for each row,
the cells it is in, except the bin of zero, whose sums are the totals minus all others. Presence of
words, binned sparse numbers and columns with too many bins for a byte are sparse cells.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from underdog.data.columns import CategoryColumns, NumberColumns, SparseColumns
from underdog.data.schema import BYTE_BINS, Schema
from underdog.data.storage import MAX_CELLS, Block, DenseBlock, SparseBlock
from underdog.data.table import Table
from underdog.kernels import binning
from underdog.types import Codes, Flags, Floats, Indices, Integers, owned
from underdog.workers import Workers
from underdog.workers.collective import ALONE, any_of


class Layout(NamedTuple):
    """The cells of each column, which is all that a learner knows about the data.

    Attributes
    ----------
    schema : Schema
    bins, implicit, missing, stored, is_category : per column
        Number of bins (without that of missing values), the bin that is not stored (-1 if all are),
        whether there is a cell for missing values, the number of cells, and whether the bins are
        unordered.
    first_cell : one more than columns
        The first cell of each column.
    """

    schema: Schema
    bins: Integers
    implicit: Integers
    missing: Flags
    stored: Integers
    is_category: Flags
    first_cell: Integers

    @property
    def n_cells(self) -> int:
        return int(self.first_cell[-1])


class EncodedRows:
    """The rows of a table, encoded by a schema.

    Parameters
    ----------
    table : Table
    schema : Schema
    repeats : number of examples that each row stands for, optional
    workers : Workers, optional
    missing : per column, optional
        Whether values are missing on other shards, so that all shards have the same cells.

    Attributes
    ----------
    bins, implicit, missing, stored, first_cell : per column
        See `Layout`.
    repeats : per row, or None
        Number of examples that each row stands for; None if all are 1.
    """

    def __init__(
        self,
        table: Table,
        schema: Schema,
        repeats: Integers | None = None,
        workers: Workers | None = None,
        missing: Flags | None = None,
    ) -> None:
        workers = workers or Workers()
        self.repeats = repeats if repeats is not None and (repeats != 1).any() else None
        self.n_examples = len(table) if self.repeats is None else int(self.repeats.sum())
        self.table = table
        self.schema = schema
        self.n_rows = len(table)
        self.bins = schema.bins
        self.implicit = np.full(schema.n_columns, -1, dtype=np.int64)
        self.missing: Flags = schema.missing.copy() if missing is None else schema.missing | missing
        self.is_category = np.zeros(schema.n_columns, dtype=bool)
        self.is_category[list(schema.categories)] = True
        columns = self._byte_columns(table)
        codes, done = np.empty((len(columns), self.n_rows), dtype=np.uint8), 0
        wide: list[tuple[int, Indices]] = []
        sparse: list[SparseColumns] = []
        for group in table.groups:
            if isinstance(group, NumberColumns):
                done += self._encode_numbers(group, codes[done:], wide, workers)
            elif isinstance(group, CategoryColumns):
                for c, position in enumerate(group.positions.tolist()):
                    levels = schema.codes_of(position, group.given[c])
                    self.missing[position] |= bool((levels == self.bins[position]).any())
                    if self.bins[position] <= BYTE_BINS:
                        codes[done] = levels
                        done += 1
                    else:
                        wide.append((position, levels))
            elif isinstance(group, SparseColumns):
                sparse.append(group)
                self._prepare_sparse(group)
        if workers.collective is not ALONE:
            self.missing = any_of(workers.collective, self.missing)
        self.stored = self.bins - (self.implicit >= 0) + self.missing
        self.first_cell = np.concatenate([[0], np.cumsum(self.stored)]).astype(np.int64)
        if self.n_cells > MAX_CELLS:
            raise ValueError(
                f"the columns have {self.n_cells} bins in total, more than {MAX_CELLS}: use a "
                "smaller max_bins or fewer columns"
            )
        self.blocks: list[Block] = []
        if len(columns):
            self.blocks.append(DenseBlock(columns, codes, self.first_cell))
        for group in sparse:
            self.blocks.append(self._sparse_block(group))
        if wide:
            self.blocks.append(self._wide_block(wide))
        self.layout = Layout(
            schema, self.bins, self.implicit, self.missing, self.stored, self.is_category,
            self.first_cell,
        )  # fmt: skip
        self._block_of = np.zeros(schema.n_columns, dtype=np.int32)
        for number, block in enumerate(self.blocks):
            self._block_of[block.columns] = number

    @property
    def n_cells(self) -> int:
        return int(self.first_cell[-1])

    def rows(self, column: int, inside: Codes) -> Indices:
        """Rows whose bin in a column is inside (one flag per bin, the last for missing values)."""
        return self.blocks[int(self._block_of[column])].rows(column, inside)

    def bins_of_rows(self, column: int, rows: Indices | None = None) -> NDArray[np.uint16]:
        """The bin of each row, or of some rows, the last one for missing values."""
        return self.blocks[int(self._block_of[column])].bins(column, rows)

    def smaller_side(self, column: int, inside: Codes) -> tuple[Indices, int]:
        """Rows of the side with fewer examples, and 1 if it is the inside (also for a tie)."""
        implicit = self.implicit[column]
        first = 0 if implicit >= 0 and inside[implicit] else 1  # the side whose rows are stored
        rows = self.rows(column, inside if first else 1 - inside)
        count = len(rows) if self.repeats is None else int(self.repeats[rows].sum())
        if 2 * count < self.n_examples or (2 * count == self.n_examples and first):
            return rows, first
        return self.rows(column, 1 - inside if first else inside), 1 - first

    def _byte_columns(self, table: Table) -> Indices:
        """Dense columns whose bins fit a byte."""
        dense = [g.positions for g in table.groups if not isinstance(g, SparseColumns)]
        positions = np.concatenate([np.empty(0, dtype=np.int32), *dense])
        result: Indices = positions[self.bins[positions] <= BYTE_BINS]
        return result

    def _encode_numbers(
        self,
        group: NumberColumns,
        narrow: Codes,
        wide: list[tuple[int, Indices]],
        workers: Workers,
    ) -> int:
        """Write the codes that fit a byte, and add the others to a list; returns how many fit."""
        positions, schema = group.positions, self.schema
        fits = self.bins[positions] <= BYTE_BINS
        places = np.where(fits, np.cumsum(fits) - 1, -1)
        codes = {c: np.empty(self.n_rows, dtype=np.int32) for c in np.flatnonzero(~fits).tolist()}
        holes = np.zeros(len(positions), dtype=bool)

        def encode(start: int, stop: int) -> None:
            for first, block in group.blocks(start, stop):
                own = slice(first, first + len(block))
                binning.encode_block(
                    block, schema.cuts, schema.cut_pointers, positions[own], places[own], narrow,
                    holes[own],
                )  # fmt: skip
                for c in range(first, first + len(block)):
                    if c in codes:
                        cuts = schema.cuts_of(int(positions[c]))
                        holes[c] = _encode_wide(block[c - first], cuts, codes[c])

        workers.run(encode, len(positions), self.n_rows * len(positions) * 8)
        self.missing[group.positions] |= holes  # also if none was missing in training
        wide += [(int(positions[c]), own) for c, own in codes.items()]
        return int(np.count_nonzero(fits))

    def _prepare_sparse(self, group: SparseColumns) -> None:
        where = group.positions
        implicit = np.empty(self.schema.n_columns, dtype=np.int64)
        binning.bins_of(0.0, self.schema.cuts, self.schema.cut_pointers, implicit)
        self.implicit[where] = implicit[where]
        if group.value is None and group.matrix.dtype.kind == "f":
            holes = np.isnan(group.matrix.data)
            if holes.any():
                self.missing[where[group.matrix.indices[holes]]] = True

    def _sparse_block(self, group: SparseColumns) -> SparseBlock:
        group.check()
        matrix = group.matrix
        pointers = owned(matrix.indptr, np.int64)
        indices = owned(matrix.indices, np.int32)
        if group.n_columns < self.schema.n_columns:
            indices = group.positions[indices]
        schema = self.schema
        if group.value is not None:
            cell_of_column = np.full(schema.n_columns, -1, dtype=np.int32)
            level = np.empty(schema.n_columns, dtype=np.int64)
            binning.bins_of(group.value, schema.cuts, schema.cut_pointers, level)
            seen = level != self.implicit
            shifted = self.first_cell[:-1] + level - (level > self.implicit)
            cell_of_column[seen] = shifted[seen]
            if np.array_equal(cell_of_column, np.arange(schema.n_columns)):
                cells = indices  # every column is a word: cell and column have the same number
            else:
                cells = np.empty(matrix.nnz, dtype=np.int32)
                binning.constant_cells(indices, cell_of_column, cells)
        else:
            cells = np.empty(matrix.nnz, dtype=np.int32)
            binning.sparse_cells(
                pointers,
                indices,
                owned(matrix.data, np.float64),
                schema.cuts,
                schema.cut_pointers,
                self.first_cell,
                self.implicit,
                cells,
            )
        if len(cells) and int(cells.min()) < 0:
            kept = np.empty_like(cells)
            new_pointers = np.empty_like(pointers)
            count = binning.gather_cells(pointers, cells, new_pointers, kept)
            pointers, cells = new_pointers, kept[:count].copy()
        return SparseBlock(
            group.positions, pointers, cells, self.first_cell, self.stored, self.implicit
        )

    def _wide_block(self, wide: list[tuple[int, Indices]]) -> SparseBlock:
        """Columns with too many bins for a byte, with one stored cell per row and column."""
        columns = np.array([position for position, _ in wide], dtype=np.int32)
        cells = np.empty((self.n_rows, len(wide)), dtype=np.int32)
        for place, (position, codes) in enumerate(wide):
            cells[:, place] = self.first_cell[position] + codes
        pointers = np.arange(self.n_rows + 1, dtype=np.int64) * len(wide)
        wide.clear()  # frees memory before the rows of each cell are stored
        return SparseBlock(
            columns, pointers, cells.ravel(), self.first_cell, self.stored, self.implicit
        )


def _encode_wide(values: Floats, cuts: Floats, out: Indices) -> bool:
    """Like `binning.encode_dense`, for more bins than fit a byte."""
    out[:] = np.searchsorted(cuts, values)
    holes = np.isnan(values)
    out[holes] = len(cuts) + 1
    return bool(holes.any())
