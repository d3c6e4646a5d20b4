"""The three forms in which a table stores columns: dense numbers, sparse numbers, categories.

Each has the positions of its columns in the table (`positions`, `n_columns`), selects rows
(`take`), and can be shifted to other positions in a wider table (`moved`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from underdog.kernels.sparse import CANONICAL, DAMAGED, row_form
from underdog.types import Floats, Indices, owned

TOGETHER, ROWS_AT_ONCE, CELLS_AT_ONCE = 8, 4096, 1 << 18
"""Number of columns copied together (a cache line has 64 bytes), and of rows at a time."""


@dataclass(frozen=True)
class NumberColumns:
    """Dense numbers: column c of `matrix` is column positions[c] of the table."""

    positions: Indices
    matrix: np.ndarray[Any, Any]

    @property
    def n_columns(self) -> int:
        return len(self.positions)

    def column(self, c: int) -> Floats:
        return owned(self.matrix[:, c], np.float64)

    def blocks(self, start: int, stop: int) -> Iterator[tuple[int, Floats]]:
        """Columns start..stop, some at a time: the first of them, and [column, row] their values.

        A block is valid until the next is requested.
        """
        matrix = self.matrix
        by_column = matrix.strides[0] <= matrix.strides[1]
        size = TOGETHER
        if by_column:  # then they are together only to save calls
            size = min(max(CELLS_AT_ONCE // max(len(matrix), 1), 1), TOGETHER)
        copy = np.empty((0 if by_column else min(size, stop - start), len(matrix)))
        for first in range(start, stop, size):
            last = min(first + size, stop)
            if by_column:
                yield first, owned(matrix[:, first:last].T, np.float64)
                continue
            block = copy[: last - first]
            for row in range(0, len(matrix), ROWS_AT_ONCE):
                rows = slice(row, row + ROWS_AT_ONCE)
                block[:, rows] = matrix[rows, first:last].T
            yield first, block

    def take(self, rows: Any) -> NumberColumns:
        return replace(self, matrix=self.matrix[rows])

    def moved(self, shift: int) -> NumberColumns:
        return replace(self, positions=self.positions + np.int32(shift))


@dataclass(frozen=True)
class SparseColumns:
    """Sparse numbers in canonical CSR form: sorted, no duplicates, no stored zeros.

    They are the columns of the table from `first` on. `value` is the stored number, if all entries
    are the same number (presence of words), otherwise None.
    """

    first: int
    matrix: Any
    value: float | None = None

    @property
    def positions(self) -> Indices:
        return np.arange(self.first, self.first + self.n_columns, dtype=np.int32)

    @property
    def n_columns(self) -> int:
        return int(self.matrix.shape[1])

    def check(self) -> None:
        """Refuse arrays that have been changed to a form that kernels do not support."""
        if form_of(self.matrix) != CANONICAL:
            raise damaged(self.matrix)

    def take(self, rows: Any) -> SparseColumns:
        self.check()
        return replace(self, matrix=self.matrix[rows])

    def moved(self, shift: int) -> SparseColumns:
        return replace(self, first=self.first + shift)


def form_of(matrix: Any) -> int:
    """The form of a CSR matrix according to `row_form`.

    The flags of SciPy about the order of the columns are not used, because the arrays may have been
    changed since the flags were set.
    """
    arrays = matrix.indptr, matrix.indices
    if not all(_fits_int32(array) for array in arrays):
        return DAMAGED  # the conversion below would hide it
    pointers, indices = (owned(array, np.int32) for array in arrays)
    form: int = row_form(pointers, indices, matrix.shape[1])
    return form


def _fits_int32(array: Any) -> bool:
    if array.dtype == np.int32 or not len(array):
        return True
    return bool(0 <= array.min() <= array.max() < 2**31)


def damaged(matrix: Any) -> ValueError:
    """The error for a matrix in the form DAMAGED."""
    return ValueError(
        f"a sparse matrix of shape {matrix.shape} has entries outside of its shape: its indices "
        "must be from 0 to the number of columns minus one, and its indptr must not decrease; see "
        "matrix.check_format()"
    )


class Coded(NamedTuple):
    """The values of a column as places among its levels, of which the last one is None."""

    levels: np.ndarray[Any, Any]
    codes: np.ndarray[Any, Any]
    """-1, the last, where a value is missing."""

    def values(self) -> np.ndarray[Any, Any]:
        found: np.ndarray[Any, Any] = self.levels[self.codes]
        return found

    def distinct(self) -> list[Any]:
        """Every value that occurs."""
        places = self.codes.astype(np.intp) + 1
        found = np.bincount(places, minlength=len(self.levels)) > 0
        result: list[Any] = self.levels[np.flatnonzero(found) - 1].tolist()
        return result


@dataclass(frozen=True)
class CategoryColumns:
    """Unordered values of any hashable type; None, NaN and NA are missing.

    They are kept as they were given: codes are read much faster than values.
    """

    positions: Indices
    given: tuple[np.ndarray[Any, Any] | Coded, ...]

    @cached_property
    def values(self) -> tuple[np.ndarray[Any, Any], ...]:
        """The values of each column."""
        return tuple(own.values() if isinstance(own, Coded) else own for own in self.given)

    @property
    def n_columns(self) -> int:
        return len(self.positions)

    def take(self, rows: Any) -> CategoryColumns:
        return replace(self, given=tuple(_taken(own, rows) for own in self.given))

    def moved(self, shift: int) -> CategoryColumns:
        return replace(self, positions=self.positions + np.int32(shift))


def _taken(column: np.ndarray[Any, Any] | Coded, rows: Any) -> np.ndarray[Any, Any] | Coded:
    """Some rows of a column."""
    if isinstance(column, Coded):
        return column._replace(codes=column.codes[rows])
    found: np.ndarray[Any, Any] = column[rows]
    return found


Columns = NumberColumns | SparseColumns | CategoryColumns
