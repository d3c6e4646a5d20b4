"""Tables of columns in up to three storage forms: dense numbers, sparse numbers and categories.

A `Table` has no bins; the schema learns them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import narwhals as nw
import numpy as np
import scipy.sparse as sp
from sklearn.utils.validation import check_array

from underdog.data.columns import CategoryColumns, Columns, NumberColumns, SparseColumns
from underdog.data.conversion import (
    category_mask,
    frame_names,
    from_array,
    from_frame,
    from_sparse,
    is_plain,
    refuse_duplicates,
    sparse_category_message,
    take_rows,
)
from underdog.types import Integers


class Table:
    """Columns of numbers, sparse numbers and categories with the same rows.

    Estimators convert their input to a table. Use `Table.hstack` to combine columns in several
    forms. A table has a shape, a length and row selection, so that pipelines and grid searches can
    split it.

    Examples
    --------
    >>> import numpy as np
    >>> import scipy.sparse as sp
    >>> from underdog import Table
    >>> words = sp.csr_array(np.array([[1, 0], [0, 1], [1, 1]]))
    >>> table = Table.hstack([np.array([[3.5], [1.0], [2.0]]), words], names=["size", "a", "b"])
    >>> table.shape
    (3, 3)
    >>> len(table[[0, 2]])
    2
    """

    def __init__(
        self,
        groups: Sequence[Columns],
        n_rows: int,
        names: Sequence[str] | None = None,
        source: Any = None,
    ) -> None:
        self.groups = tuple(groups)
        self.names = None if names is None else tuple(names)
        self.n_rows = n_rows
        self.n_columns = sum(group.n_columns for group in self.groups)
        self.source = source
        """The original data, for classifiers of other libraries; None for several blocks."""

    @property
    def shape(self) -> tuple[int, int]:
        return self.n_rows, self.n_columns

    def __len__(self) -> int:
        return self.n_rows

    def __repr__(self) -> str:
        return f"Table({self.n_rows} rows, {self.n_columns} columns)"

    def __getitem__(self, key: Any) -> Table:
        """Select rows by slice, mask or index array (also as `table[rows, ...]`)."""
        if isinstance(key, tuple):
            if len(key) != 2 or not (
                key[1] is Ellipsis or (isinstance(key[1], slice) and key[1] == slice(None))
            ):
                raise IndexError("a Table selects rows only: use table[rows]")
            key = key[0]
        rows = key if isinstance(key, slice) else np.atleast_1d(np.asarray(key))
        if isinstance(rows, np.ndarray) and rows.size == 0:
            rows = rows.astype(np.intp)
        chosen = np.arange(self.n_rows)[rows]
        groups = [group.take(rows) for group in self.groups]
        source = None if self.source is None else self._taken_source(chosen, groups)
        return Table(groups, len(chosen), self.names, source)

    def _taken_source(self, rows: Integers, groups: Sequence[Columns]) -> Any:
        """Rows of the original data: those of a group if that is all of it, to copy them once."""
        for group, taken in zip(self.groups, groups, strict=True):
            if isinstance(taken, NumberColumns) and getattr(group, "matrix", None) is self.source:
                return taken.matrix
        return take_rows(self.source, rows)

    @classmethod
    def from_data(cls, X: Any, categorical: Any = "from_dtype") -> Table:
        """Convert an array, a sparse matrix or a data frame to a table.

        Parameters
        ----------
        X : array, sparse matrix, data frame or Table
        categorical : "from_dtype", None, mask, positions or names, default="from_dtype"
            The category columns. "from_dtype" uses the text and category columns of a data frame.

        Returns
        -------
        Table
        """
        if isinstance(X, Table):
            return X
        if sp.issparse(X):
            return cls(*from_sparse(X, categorical))
        if not is_plain(X) and nw.dependencies.is_into_dataframe(X):
            return cls(*from_frame(X, categorical))
        return cls(*from_array(X, categorical))

    @classmethod
    def hstack(
        cls, blocks: Iterable[Any], names: Iterable[str] | None = None, categorical: Any = None
    ) -> Table:
        """Combine arrays, sparse matrices, data frames and tables column-wise.

        Parameters
        ----------
        blocks : iterable of array, sparse matrix, data frame or Table
            All with the same number of rows.
        names : sequence of str, optional
            One per column. By default the names of the data frames, and x0, x1, ... (by position)
            for all other columns.
        categorical : mask, positions or names, optional
            Columns to treat as categories, in addition to the text and category columns of data
            frames.

        Returns
        -------
        Table
        """
        pieces = [readable(block, least_rows=0) for block in blocks]
        if not pieces:
            raise ValueError("Table.hstack got no blocks: give at least one array or frame")
        lengths = [piece.shape[0] for piece in pieces]
        if len(set(lengths)) > 1:
            raise ValueError(
                f"Table.hstack got blocks of different lengths, {lengths}: give blocks with the "
                "same number of rows"
            )
        labels: list[str] = []
        for piece in pieces:
            first, count = len(labels), piece.shape[1]
            labels.extend(_names(piece) or [f"x{first + c}" for c in range(count)])
        given = list(labels if names is None else map(str, names))
        if len(given) != len(labels):
            raise ValueError(
                f"Table.hstack got {len(given)} names for {len(labels)} columns: give one name per "
                "column"
            )
        refuse_duplicates(given)
        chosen = category_mask(categorical, len(given), given)
        groups: list[Columns] = []
        first = 0
        for piece in pieces:
            own = np.flatnonzero(chosen[first : first + piece.shape[1]]).tolist()
            if isinstance(piece, np.ndarray):
                table = cls.from_data(piece, own)
            else:
                table = cls.from_data(piece).with_categories(own)
            if piece.shape[1]:
                groups.extend(group.moved(first) for group in table.groups)
            first += piece.shape[1]
        return cls(groups, lengths[0], given)

    def check(self) -> None:
        """Refuse sparse arrays that have been changed to a form that kernels do not support."""
        for group in self.groups:
            if isinstance(group, SparseColumns):
                group.check()

    def with_categories(self, categorical: Any) -> Table:
        """The same table with these numeric columns as categories."""
        mask = category_mask(categorical, self.n_columns, self.names)
        groups: list[Columns] = []
        for group in self.groups:
            chosen = mask[group.positions]
            if isinstance(group, CategoryColumns) or not chosen.any():
                groups.append(group)
                continue
            if isinstance(group, SparseColumns):
                raise ValueError(sparse_category_message(np.flatnonzero(mask)))
            kept = ~chosen
            groups.append(NumberColumns(group.positions[kept], group.matrix[:, kept]))
            groups.append(
                CategoryColumns(
                    group.positions[chosen],
                    tuple(group.matrix[:, c] for c in np.flatnonzero(chosen)),
                )
            )
        return Table(groups, self.n_rows, self.names, self.source)

    def matrix(self) -> Any:
        """The data for classifiers of other libraries: the original, or all blocks as one matrix.

        The matrix is sparse if any block is.
        """
        if self.source is not None:
            return self.source
        if any(isinstance(group, CategoryColumns) for group in self.groups):
            raise ValueError(
                "a table of several blocks with categories cannot be passed to a classifier of "
                "another library: encode the categories as numbers first"
            )
        order = np.argsort(np.concatenate([group.positions for group in self.groups]))
        parts = [group.matrix for group in self.groups if not isinstance(group, CategoryColumns)]
        if any(sp.issparse(part) for part in parts):
            return sp.csr_array(sp.hstack([sp.csr_array(p) for p in parts]).tocsc()[:, order])
        return np.hstack(parts)[:, order]


def readable(X: Any, least_rows: int = 1) -> Any:
    """A table, a frame or a sparse matrix unchanged; anything else as a 2D array."""
    if isinstance(X, Table) or is_plain(X, least_rows):
        return X
    if sp.issparse(X):
        if X.ndim != 2:
            raise ValueError(f"expected 2D sparse input, got a sparse array of shape {X.shape}")
        return X
    if nw.dependencies.is_into_dataframe(X):
        refuse_duplicates(frame_names(X))
        return X
    if hasattr(X, "collect") and hasattr(X, "collect_schema"):
        raise ValueError("X is a lazy frame, which has no rows yet: call .collect() first")
    if np.ma.isMaskedArray(X):
        X = np.ma.filled(X.astype(np.float64 if X.dtype.kind in "biuf" else object), np.nan)
    array = check_array(X, dtype=None, ensure_all_finite=False, ensure_min_samples=least_rows)
    if array.dtype.kind in "mM":
        raise ValueError(f"X has dates or times ({array.dtype}): convert them to numbers")
    return array


def _names(piece: Any) -> list[str] | None:
    """Column names of a table or frame."""
    if isinstance(piece, Table):
        return None if piece.names is None else list(piece.names)
    return frame_names(piece) if nw.dependencies.is_into_dataframe(piece) else None
