"""The rows of each cell of some columns, and sums over them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from underdog.kernels import listed
from underdog.kernels.barrier import can_meet
from underdog.kernels.crew import GONE
from underdog.types import Codes, Indices, Integers
from underdog.workers import Workers
from underdog.workers.crew import Crew

MIN_ROWS = 50_000
"""Listed rows below which another thread costs more than it saves."""
LINE = 8
"""Numbers in a cache line, which no two threads write to."""


class ListedRows:
    """The rows of each cell of some columns.

    Parameters
    ----------
    pointers, rows
        The rows of cell c are rows[pointers[c]:pointers[c + 1]].
    listed_from : per column
        Its first cell by these numbers.
    largest : per column
        The bin whose rows are not listed, or -1.
    first_cell, sizes : per column
        Its first cell among those of all columns, and how many it has.
    n_rows : int
    """

    def __init__(
        self,
        pointers: Integers,
        rows: Indices | NDArray[np.uint16],
        listed_from: Integers,
        largest: Integers,
        first_cell: Integers,
        sizes: Integers,
        n_rows: int,
    ) -> None:
        self._lists = pointers, rows, listed_from, largest, first_cell, sizes
        self._pairs = np.empty((n_rows + 1, 2), dtype=np.int64)
        self._crew = Crew(np.empty((1, LINE), dtype=np.int64), np.zeros(1, dtype=np.int64))
        self._goal: Integers | None = None

    @classmethod
    def of_codes(cls, codes: Codes, first_cell: Integers, sizes: Integers) -> ListedRows:
        """The rows of all cells of dense codes but the largest one of each column."""
        pointers = np.empty(int(sizes.sum()) + 1, dtype=np.int64)
        largest = np.empty(len(codes), dtype=np.int64)
        rows = np.empty(codes.size, dtype=np.uint16)
        count = listed.list_rows(codes, sizes, largest, pointers, rows)
        listed_from = np.cumsum(sizes) - sizes
        return cls(
            pointers, rows[:count].copy(), listed_from, largest, first_cell, sizes, codes.shape[1]
        )

    def sum_both(self, amounts: Integers, cells: Integers, workers: Workers) -> None:
        """See `Block.sum_both`."""
        listed.pair_up(amounts, self._pairs)
        _, rows, *_, sizes = self._lists
        threads = min(workers.count, len(rows) // MIN_ROWS) if can_meet() else 1
        if threads <= 1:
            listed.add_listed(*self._lists, 0, len(sizes), self._pairs, cells)
            return
        if self._goal is not cells or len(self._crew.mail) != threads:
            self._assign(threads, cells)
        crew = self._crew
        crew.stays = not crew.in_the_way

        def share(thread: int) -> None:
            listed.share_listed(
                *self._lists, self._bounds, self._pairs, cells, crew.mail, crew.counter, thread,
                crew.stays,
            )  # fmt: skip

        workers.together(share, threads, crew)

    def _assign(self, threads: int, cells: Integers) -> None:
        """Divide the columns among threads, so that all have about as many rows to visit."""
        pointers, rows, listed_from, *_, sizes = self._lists
        goals = len(rows) * np.arange(1, threads) // threads
        inner = np.searchsorted(pointers[listed_from], goals)
        self._bounds = np.concatenate([[0], inner, [len(sizes)]]).astype(np.int64)
        self._crew = Crew(np.full((threads, LINE), GONE), np.zeros(1, dtype=np.int64))
        self._goal = cells
