"""Data in the forms in which people have it.

A `Table` holds columns in up to three storage forms over the same rows: dense numbers, sparse
numbers and categories. It decides nothing about bins: that is the schema's work.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any

import narwhals as nw
import numpy as np
import scipy.sparse as sp
from sklearn.utils import _safe_indexing
from sklearn.utils.validation import check_array

from underdog.data.columns import (
    CategoryColumns,
    Columns,
    NumberColumns,
    SparseColumns,
    damaged,
    form_of,
)
from underdog.kernels.binning import repeats
from underdog.kernels.sparse import DAMAGED, UNSORTED
from underdog.types import Floats

MOST_LEVELS = 65_535


class NotANumberError(TypeError, ValueError):
    """A value that cannot be read as a number: the wrong type or the wrong text."""


class Table:
    """Columns of numbers, sparse numbers and categories over the same rows.

    Every estimator makes one from what it is given. Make one yourself with `Table.hstack` when the
    columns come in several forms; it has a shape, a length and row selection, so that pipelines and
    grid searches can split it.

    Examples
    --------
    >>> import numpy as np, scipy.sparse as sp
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
        """What the table was made of, for learners of other libraries; None if in several forms."""

    @property
    def shape(self) -> tuple[int, int]:
        return self.n_rows, self.n_columns

    def __len__(self) -> int:
        return self.n_rows

    def __repr__(self) -> str:
        return f"Table({self.n_rows} rows, {self.n_columns} columns)"

    def __getitem__(self, key: Any) -> Table:
        """Rows by slice, mask or index array (also as `table[rows, ...]`)."""
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
        source = None if self.source is None else _safe_indexing(self.source, chosen)
        return Table([group.take(rows) for group in self.groups], len(chosen), self.names, source)

    @classmethod
    def of(cls, X: Any, categorical: Any = "from_dtype") -> Table:
        """A table of an array, a sparse matrix or a data frame.

        `categorical`: "from_dtype" (strings and categories of a data frame), None, a mask, or a
        list of positions or names.
        """
        if isinstance(X, Table):
            return X
        if sp.issparse(X):
            return _of_sparse(X, categorical)
        if nw.dependencies.is_into_dataframe(X):
            return _of_frame(X, categorical)
        return _of_array(X, categorical)

    @classmethod
    def hstack(
        cls, blocks: Iterable[Any], names: Iterable[str] | None = None, categorical: Any = None
    ) -> Table:
        """Put arrays, sparse matrices, data frames and tables side by side.

        Parameters
        ----------
        blocks : iterable of array, sparse matrix, data frame or Table
            All with the same number of rows.
        names : sequence of str, optional
            One per column. Without it the frames' own names are used and other columns are called
            x0, x1, ... by position.
        categorical : mask, positions or names, optional
            Columns of arrays to treat as categories; frames use their types.
        """
        pieces = [readable(block, least_rows=0) for block in blocks]
        if not pieces:
            raise ValueError("Table.hstack got no blocks: give at least one array or frame")
        lengths = [piece.shape[0] for piece in pieces]
        if len(set(lengths)) > 1:
            raise ValueError(f"Table.hstack got blocks of different lengths: {lengths}")
        labels: list[str] = []
        for piece in pieces:
            first, count = len(labels), piece.shape[1]
            labels.extend(_names(piece) or [f"x{first + c}" for c in range(count)])
        given = list(labels if names is None else map(str, names))
        if len(given) != len(labels):
            raise ValueError(f"Table.hstack got {len(given)} names for {len(labels)} columns")
        refuse_duplicates(given)
        chosen = _category_mask(categorical, len(given), given)
        groups: list[Columns] = []
        first = 0
        for piece in pieces:
            own = np.flatnonzero(chosen[first : first + piece.shape[1]]).tolist()
            if isinstance(piece, np.ndarray):
                table = cls.of(piece, own)
            else:
                table = cls.of(piece).with_categories(own)
            if piece.shape[1]:
                groups.extend(group.moved(first) for group in table.groups)
            first += piece.shape[1]
        return cls(groups, lengths[0], given)

    def check(self) -> None:
        """Refuse sparse arrays that have been changed into what kernels cannot take."""
        for group in self.groups:
            if isinstance(group, SparseColumns):
                group.check()

    def with_categories(self, categorical: Any) -> Table:
        """The same table with these numeric columns read as categories."""
        mask = _category_mask(categorical, self.n_columns, self.names)
        groups: list[Columns] = []
        for group in self.groups:
            chosen = mask[group.positions]
            if isinstance(group, CategoryColumns) or not chosen.any():
                groups.append(group)
                continue
            if isinstance(group, SparseColumns):
                raise ValueError(_sparse_category_message(np.flatnonzero(mask)))
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
        """One matrix for learners of other libraries: as given, else stacked (sparse if any is)."""
        if self.source is not None:
            return self.source
        if any(isinstance(group, CategoryColumns) for group in self.groups):
            raise ValueError(
                "a table with categories in several forms cannot be handed to a learner of "
                "another library: encode the categories as numbers first"
            )
        order = np.argsort(np.concatenate([group.positions for group in self.groups]))
        parts = [group.matrix for group in self.groups if not isinstance(group, CategoryColumns)]
        if any(sp.issparse(part) for part in parts):
            return sp.csr_array(sp.hstack([sp.csr_array(p) for p in parts]).tocsc()[:, order])
        return np.hstack(parts)[:, order]


def readable(X: Any, least_rows: int = 1) -> Any:
    """X as it is if it is a table, a frame or sparse; else an array with two dimensions."""
    if isinstance(X, Table):
        return X
    if sp.issparse(X):
        if X.ndim != 2:
            raise ValueError(f"expected 2D sparse input, got a sparse array of shape {X.shape}")
        return X
    if nw.dependencies.is_into_dataframe(X):
        refuse_duplicates(_frame_names(X))
        return X
    if hasattr(X, "collect") and hasattr(X, "collect_schema"):
        raise ValueError("X is a lazy frame, whose rows are not there yet: call .collect() first")
    if np.ma.isMaskedArray(X):
        X = np.ma.filled(X.astype(np.float64 if X.dtype.kind in "biuf" else object), np.nan)
    array = check_array(X, dtype=None, ensure_all_finite=False, ensure_min_samples=least_rows)
    if array.dtype.kind in "mM":
        raise ValueError(f"X holds dates or times ({array.dtype}): turn them into numbers")
    return array


def _frame_names(frame: Any) -> list[str]:
    """Column names of a data frame of any kind."""
    arrow = nw.dependencies.is_pyarrow_table(frame)  # its `columns` are the data
    return [str(name) for name in (frame.column_names if arrow else frame.columns)]


def _names(piece: Any) -> list[str] | None:
    """Column names of a table or frame."""
    if isinstance(piece, Table):
        return None if piece.names is None else list(piece.names)
    return _frame_names(piece) if nw.dependencies.is_into_dataframe(piece) else None


def refuse_duplicates(names: Sequence[str]) -> None:
    """Every column must have a name of its own."""
    seen: set[str] = set()
    for name in names:
        if name in seen:
            raise ValueError(f"column name {name!r} appears twice: give every column its own name")
        seen.add(name)


def _sparse_category_message(columns: Iterable[int]) -> str:
    first = [int(c) for c in columns][:5]
    return (
        f"columns {first} of a sparse matrix cannot be categories: give categorical columns as a "
        "data frame or array and put the two together with Table.hstack"
    )


def _category_mask(
    categorical: Any, n_columns: int, names: Sequence[str] | None
) -> np.ndarray[Any, np.dtype[np.bool_]]:
    """One flag per column from a mask, positions or names."""
    mask = np.zeros(n_columns, dtype=bool)
    if categorical is None or (isinstance(categorical, str) and categorical == "from_dtype"):
        return mask
    if isinstance(categorical, str):
        raise ValueError(
            f"categorical_features={categorical!r} is not 'from_dtype', a mask, or a list of "
            "column positions or names"
        )
    given = np.asarray(categorical)
    if given.size == 0:
        return mask
    if given.dtype == bool:
        if given.shape != (n_columns,):
            raise ValueError(
                f"categorical_features is a mask of length {given.size}, but the data has "
                f"{n_columns} columns"
            )
        return given
    known = {} if names is None else {name: c for c, name in enumerate(names)}
    for item in given.ravel().tolist():
        position = known.get(item, -1) if isinstance(item, str) else item
        if not isinstance(position, int) or not -n_columns <= position < n_columns or (
            isinstance(item, str) and position < 0
        ):
            raise ValueError(
                f"categorical_features names {item!r}, which is not a column of the data "
                f"({n_columns} columns)"
            )
        mask[position] = True
    return mask


def _of_array(X: Any, categorical: Any) -> Table:
    array = check_array(X, dtype=None, ensure_all_finite=False)
    mask = _category_mask(categorical, array.shape[1], None)
    numbers, chosen = np.flatnonzero(~mask), np.flatnonzero(mask)
    matrix = array if not chosen.size else array[:, numbers]
    if matrix.dtype.kind not in "biuf":
        try:
            matrix = matrix.astype(np.float64)
        except (OverflowError, TypeError, ValueError):  # NA, or no number
            columns = zip(numbers.tolist(), matrix.T.tolist(), strict=True)
            matrix = np.column_stack([_one_by_one(f"column {c}", column) for c, column in columns])
    groups: list[Columns] = [NumberColumns(numbers.astype(np.int32), matrix)]
    if chosen.size:
        groups.append(
            CategoryColumns(chosen.astype(np.int32), tuple(array[:, c] for c in chosen))
        )
    return Table(groups, array.shape[0], None, array)


def _of_sparse(X: Any, categorical: Any) -> Table:
    if X.ndim != 2:
        raise ValueError(f"expected 2D sparse input, got a sparse array of shape {X.shape}")
    if X.dtype.kind not in "biuf":
        raise ValueError(f"a sparse matrix of {X.dtype} is not supported: give real numbers")
    matrix = X if X.format == "csr" else X.tocsr()
    n_rows, n_columns = matrix.shape
    stored = int(matrix.indptr[-1])
    if not len(matrix.data) == len(matrix.indices) == stored:  # room for more entries
        kept = matrix.data[:stored], matrix.indices[:stored], matrix.indptr
        matrix = type(matrix)(kept, shape=matrix.shape)
    if categorical is not None:
        mask = _category_mask(categorical, n_columns, None)
        if mask.any():
            raise ValueError(_sparse_category_message(np.flatnonzero(mask)))
    if stored >= 2**31 or n_columns >= 2**31:
        raise ValueError(
            f"a sparse matrix with {stored} entries and {n_columns} columns is over the "
            "limit of 2**31: split it by rows or drop rare columns"
        )
    form = form_of(matrix)
    if form == DAMAGED:
        raise damaged(matrix)
    if form == UNSORTED:
        matrix = matrix.copy()
        matrix.has_sorted_indices = matrix.has_canonical_format = False
        matrix.sum_duplicates()
    value = _only_value(matrix.data)
    if value is None and not bool(np.all(matrix.data)):
        matrix = matrix.copy()
        matrix.eliminate_zeros()
    return Table([SparseColumns(0, matrix, value)], n_rows, None, X)


def _only_value(data: np.ndarray[Any, Any]) -> float | None:
    """The number that all of these are, if there is one and it is not zero."""
    if not len(data):
        return None
    first = float(data[0])
    if first == 0.0 or math.isnan(first):
        return None
    # What kernels are compiled for; a long double has bytes that are not part of the number.
    if data.flags.writeable and data.flags.c_contiguous and data.itemsize <= 8:
        same = repeats(data.view(np.uint8), data.itemsize)
    else:
        same = data.min() == data.max()
    return first if same else None


def _of_frame(X: Any, categorical: Any) -> Table:
    names = _frame_names(X)
    refuse_duplicates(names)
    frame = nw.from_native(X, eager_only=True)
    series = [frame[:, c] for c in range(frame.shape[1])]
    if not names:
        raise ValueError(
            f"Found array with 0 feature(s) (shape={frame.shape}) while a minimum of 1 is required."
        )
    if frame.shape[0] == 0:
        raise ValueError(
            f"Found array with 0 sample(s) (shape={frame.shape}) while a minimum of 1 is required."
        )
    asked = _category_mask(categorical, len(names), names)
    if not asked.any() and all(_leaves_out(one, 0) for one in series):
        return Table(_of_sparse(X.sparse.to_coo(), None).groups, frame.shape[0], names, X)
    by_type = isinstance(categorical, str)
    numbers: list[int] = []
    chosen: list[int] = []
    for c, name in enumerate(names):
        if asked[c] or (by_type and _is_text(series[c])):
            chosen.append(c)
        elif _is_numeric(series[c]):
            numbers.append(c)
        else:
            raise ValueError(
                f"column {name!r} holds {series[c].dtype}: turn it into numbers, or name it in "
                "categorical_features"
            )
    matrix = np.empty((frame.shape[0], len(numbers)), order="F")
    for place, c in enumerate(numbers):
        matrix[:, place] = _numbers(series[c])
    groups: list[Columns] = [NumberColumns(np.array(numbers, dtype=np.int32), matrix)]
    if chosen:
        values = tuple(_objects(series[c]) for c in chosen)
        groups.append(CategoryColumns(np.array(chosen, dtype=np.int32), values))
    return Table(groups, frame.shape[0], names, X)


def _is_numeric(series: Any) -> bool:
    """Numbers, or nothing at all: a column without values may have any type."""
    dtype = series.dtype
    ordered = dtype.is_numeric() or dtype == nw.Boolean or dtype == nw.Object
    return bool(ordered or _leaves_out(series) or series.null_count() == len(series))


def _leaves_out(series: Any, number: float | None = None) -> bool:
    """Whether pandas stores these numbers sparsely: all but one, or but this one."""
    if series.dtype != nw.Unknown or not nw.dependencies.is_pandas_series(series.to_native()):
        return False
    dtype = series.to_native().dtype
    sparse = isinstance(dtype, nw.dependencies.get_pandas().SparseDtype) and dtype.kind in "biuf"
    return bool(sparse and (number is None or dtype.fill_value == number))


def _is_text(series: Any) -> bool:
    if series.dtype in (nw.String, nw.Categorical, nw.Enum):
        return True
    if series.dtype == nw.Object:
        return any(isinstance(value, str) for value in series.to_list())
    return False


def _objects(series: Any) -> np.ndarray[Any, Any]:
    result = np.empty(len(series), dtype=object)
    result[:] = series.to_list()
    return result


def _numbers(series: Any) -> Floats:
    """Float64 values of a numeric column; null is NaN."""
    try:
        return np.asarray(series.to_numpy(), dtype=np.float64)
    except (OverflowError, TypeError, ValueError):  # an object column or NA
        return _one_by_one(f"column {series.name!r}", series.to_list())


def _one_by_one(column: str, values: list[Any]) -> Floats:
    """Float64 values of objects; what is missing is NaN."""
    try:
        return np.array([np.nan if is_missing(value) else float(value) for value in values])
    except (OverflowError, TypeError, ValueError) as error:
        raise NotANumberError(
            f"{column} holds a value that is not a number ({error}): turn it into numbers, or name "
            "the column in categorical_features"
        ) from None


def is_missing(value: Any) -> bool:
    """True for None, NaN, NaT and NA."""
    if value is None:
        return True
    try:
        return bool(value != value)
    except TypeError:  # pandas.NA refuses to be a truth value
        return True
