"""Storage of encoded columns: one byte per value, or the stored cells of each row."""

from __future__ import annotations

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from underdog.data.listed import ListedRows
from underdog.kernels import binning, both_channels, tallies
from underdog.types import Codes, Indices, Integers
from underdog.workers import Workers

MANY_LABELS = 8
"""With this many labels or more, visiting each cell once is faster than once per row."""
FEW_ROWS = 1 << 15
"""With up to so many rows the amounts of all of them stay in the cache."""
MAX_CELLS = 2**31 - 1
"""Maximum number of cells, whose numbers have 32 bits."""
ONE = Workers(1)
"""No threads."""


class Block(Protocol):
    """Columns in one storage form; `columns` are their indices in the schema."""

    columns: Indices

    def add(
        self,
        rows: Indices,
        delta: Integers,
        channels: Codes,
        first_label: int,
        cells: Integers,
        workers: Workers,
    ) -> None:
        """Add delta[r, k] to the cells of row rows[r] for label first_label + k.

        channels[i, label] is the channel of row i.
        """

    def sum_both(self, amounts: Integers, cells: Integers, workers: Workers) -> None:
        """Set cells[channel, cell, 0] to the sums of amounts[channel, row, 0] over all rows.

        There are two channels. The cells are 0 before.
        """

    def rows(self, column: int, inside: Codes) -> Indices:
        """Rows whose bin in the column is inside."""

    def bins(self, column: int, rows: Indices | None = None) -> NDArray[np.uint16]:
        """(n,) the bin of each row."""

    def row_sums(self, cells: NDArray[np.uint64], workers: Workers = ONE) -> NDArray[np.uint64]:
        """Sum over the stored cells of each row; it may wrap around."""


class DenseBlock:
    """One byte per value, column by column."""

    def __init__(self, columns: Indices, codes: Codes, first_cell: Integers) -> None:
        self.columns = columns
        self.codes = codes
        self.first_cell = first_cell[columns]
        self._sizes = first_cell[columns + 1] - self.first_cell
        self._lists: ListedRows | None = None
        self._place = {int(column): place for place, column in enumerate(columns)}
        self._found = np.empty(codes.shape[1] + 1, dtype=np.int32)

    def add(
        self,
        rows: Indices,
        delta: Integers,
        channels: Codes,
        first_label: int,
        cells: Integers,
        workers: Workers,
    ) -> None:
        codes, first_cell = self.codes, self.first_cell

        def add_columns(start: int, stop: int) -> None:
            tallies.add_dense(
                codes, first_cell, start, stop, rows, delta, channels, first_label, cells
            )

        workers.run(add_columns, len(self.columns), delta.size * len(self.columns))

    def sum_both(self, amounts: Integers, cells: Integers, workers: Workers) -> None:
        codes, first_cell, sizes = self.codes, self.first_cell, self._sizes
        if codes.shape[1] <= FEW_ROWS:
            if self._lists is None:
                self._lists = ListedRows.of_codes(codes, first_cell, sizes)
            self._lists.sum_both(amounts, cells, workers)
            return

        def add_columns(start: int, stop: int) -> None:
            both_channels.add_rows(codes, first_cell, sizes, start, stop, amounts, cells)

        workers.run(add_columns, len(self.columns), amounts.size * len(self.columns))

    def rows(self, column: int, inside: Codes) -> Indices:
        codes = self.codes[self._place[column]]
        count = tallies.rows_inside(codes, inside, self._found)
        return self._found[:count].copy()

    def bins(self, column: int, rows: Indices | None = None) -> NDArray[np.uint16]:
        codes = self.codes[self._place[column]]
        found: NDArray[np.uint16] = (codes if rows is None else codes[rows]).astype(np.uint16)
        return found

    def row_sums(self, cells: NDArray[np.uint64], workers: Workers = ONE) -> NDArray[np.uint64]:
        codes, first_cell = self.codes, self.first_cell
        total = np.zeros(codes.shape[1], dtype=np.uint64)

        def add_rows(first: int, last: int) -> None:
            tallies.add_row_sums(codes, first_cell, cells, first, last, total)

        workers.run(add_rows, len(total), codes.size)
        return total


class SparseBlock:
    """The stored cells of each row, and the rows of each cell."""

    def __init__(
        self,
        columns: Indices,
        pointers: Integers,
        cell_of_entry: Indices,
        first_cell: Integers,
        stored: Integers,
        implicit: Integers,
    ) -> None:
        self.columns = columns
        self.pointers = pointers
        self.cell_of_entry = cell_of_entry
        self.first_cell, self.stored, self.implicit = first_cell, stored, implicit
        self.n_rows = len(pointers) - 1
        self.base = int(first_cell[columns].min())
        last = int((first_cell[columns] + stored[columns]).max())
        self.cell_pointers = np.zeros(last - self.base + 1, dtype=np.int64)
        self.cell_rows = np.empty(len(cell_of_entry), dtype=np.int32)
        binning.invert(pointers, cell_of_entry, self.base, self.cell_pointers, self.cell_rows)
        self._mark = np.zeros(self.n_rows, dtype=np.uint8)
        self._lists: ListedRows | None = None

    def add(
        self,
        rows: Indices,
        delta: Integers,
        channels: Codes,
        first_label: int,
        cells: Integers,
        workers: Workers,
    ) -> None:
        n_labels = delta.shape[1]
        if n_labels < MANY_LABELS or len(rows) * 20 < self.n_rows:
            tallies.add_sparse(
                self.pointers, self.cell_of_entry, rows, delta, channels, first_label, cells
            )
            return
        place = np.full(self.n_rows, -1, dtype=np.int32)
        place[rows] = np.arange(len(rows), dtype=np.int32)
        above = channels[rows, first_label : first_label + n_labels] == 1
        negative = np.where(above, 0, delta)
        counts = np.count_nonzero(above, axis=1)
        pointers = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
        positive, amount = np.nonzero(above)[1], delta[above]

        def add_cells(start: int, stop: int) -> None:
            tallies.add_by_cell(
                self.cell_pointers,
                self.cell_rows,
                self.base,
                start,
                stop,
                place,
                negative,
                pointers,
                positive,
                amount,
                first_label,
                cells,
            )

        n_cells = len(self.cell_pointers) - 1
        workers.run(add_cells, n_cells, delta.size * len(self.cell_rows) // max(1, self.n_rows))

    def sum_both(self, amounts: Integers, cells: Integers, workers: Workers) -> None:
        if self.n_rows <= FEW_ROWS:
            if self._lists is None:
                first, sizes = self.first_cell[self.columns], self.stored[self.columns]
                every, none = self.cell_rows, np.full(len(sizes), -1)
                self._lists = ListedRows(
                    self.cell_pointers, every, first - self.base, none, first, sizes, self.n_rows
                )
            self._lists.sum_both(amounts, cells, workers)
            return
        every = np.arange(self.n_rows, dtype=np.int32)
        for channel, own in enumerate(amounts):
            channels = np.full(own.shape, channel, dtype=np.uint8)
            tallies.add_sparse(self.pointers, self.cell_of_entry, every, own, channels, 0, cells)

    def rows(self, column: int, inside: Codes) -> Indices:
        implicit = int(self.implicit[column])
        if implicit < 0 or not inside[implicit]:
            return self._listed(column, inside)
        outside = self._listed(column, 1 - inside)
        rows = np.empty(self.n_rows - len(outside), dtype=np.int32)
        tallies.rows_outside(outside, self._mark, rows)
        return rows

    def bins(self, column: int, rows: Indices | None = None) -> NDArray[np.uint16]:
        implicit, first = int(self.implicit[column]), int(self.first_cell[column]) - self.base
        found = np.full(self.n_rows, max(implicit, 0), dtype=np.uint16)
        for place in range(int(self.stored[column])):
            start, stop = self.cell_pointers[first + place : first + place + 2].tolist()
            level = place + 1 if implicit >= 0 and place >= implicit else place
            found[self.cell_rows[start:stop]] = level
        return found if rows is None else found[rows]

    def row_sums(self, cells: NDArray[np.uint64], workers: Workers = ONE) -> NDArray[np.uint64]:
        ends = np.zeros(len(self.cell_of_entry) + 1, dtype=np.uint64)
        np.cumsum(cells[self.cell_of_entry], out=ends[1:])
        return ends[self.pointers[1:]] - ends[self.pointers[:-1]]

    def _listed(self, column: int, inside: Codes) -> Indices:
        """Rows with a stored bin of this column that is inside."""
        first, stored = int(self.first_cell[column]) - self.base, int(self.stored[column])
        implicit = int(self.implicit[column])
        if stored == 1 and implicit >= 0:  # presence of a word, the most common case
            start, stop = self.cell_pointers[first : first + 2].tolist()
            return self.cell_rows[start : stop if inside[1 - implicit] else start]
        chosen = (inside if implicit < 0 else np.delete(inside, implicit))[:stored]
        # The rows of neighbouring cells are stored together, so a cut needs one slice.
        edges = np.flatnonzero(np.diff(chosen, prepend=0, append=0))
        ends = self.cell_pointers[first + edges].reshape(-1, 2).tolist()
        found = [self.cell_rows[start:stop] for start, stop in ends]
        if len(found) == 1:
            return found[0]
        return np.concatenate(found) if found else np.empty(0, dtype=np.int32)
