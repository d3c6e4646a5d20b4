"""Conversion of arrays, sparse matrices and data frames to the contents of a `Table`."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from datetime import date
from typing import Any, NamedTuple

import narwhals as nw
import numpy as np
import scipy.sparse as sp
from sklearn.utils.validation import check_array

from underdog.checks import is_missing
from underdog.data.columns import (
    CategoryColumns,
    Coded,
    Columns,
    NumberColumns,
    SparseColumns,
    damaged,
    form_of,
)
from underdog.kernels.binning import repeats
from underdog.kernels.sparse import DAMAGED, UNSORTED
from underdog.types import Floats, Integers

ENCODE_DATES = (
    "turn dates into numbers with FrameEncoder, as in make_pipeline(FrameEncoder(), "
    "AdaBoostClassifier())"
)


class NotANumberError(TypeError, ValueError):
    """A value that is not a number, by its type or its text.

    Parameters
    ----------
    problem : str
        Which column has which value.
    remedy : str
        What to do about it before a fit.
    """

    def __init__(self, problem: str, remedy: str) -> None:
        super().__init__(f"{problem}: {remedy}")
        self.problem = problem


class Contents(NamedTuple):
    """The arguments of a `Table`: columns, number of rows, names and original data."""

    groups: Sequence[Columns]
    n_rows: int
    names: Sequence[str] | None
    source: Any


def frame_names(frame: Any) -> list[str]:
    """Column names of a data frame of any kind."""
    arrow = nw.dependencies.is_pyarrow_table(frame)  # its `columns` are the data
    return [str(name) for name in (frame.column_names if arrow else frame.columns)]


def take_rows(X: Any, rows: Integers) -> Any:
    """The rows with these numbers of an array, a sparse matrix, a data frame, a series or a list.

    Examples
    --------
    >>> import numpy as np
    >>> from underdog.data.conversion import take_rows
    >>> take_rows(["a", "b", "c"], np.array([2, 0]))
    ['c', 'a']
    """
    if hasattr(X, "iloc"):  # in pandas, X[rows] would be columns
        return X.iloc[rows]
    if nw.dependencies.is_pyarrow_table(X):
        return X.take(rows)
    if isinstance(X, list | tuple):
        return [X[row] for row in rows]
    return X.tocsr()[rows] if sp.issparse(X) else X[rows]


def refuse_duplicates(names: Sequence[str]) -> None:
    """Refuse duplicate column names."""
    seen: set[str] = set()
    for name in names:
        if name in seen:
            raise ValueError(f"column name {name!r} appears twice: give different names")
        seen.add(name)


def sparse_category_message(columns: Iterable[int]) -> str:
    """The message for categories in a sparse matrix."""
    first = [int(c) for c in columns][:5]
    return (
        f"columns {first} of a sparse matrix cannot be categories: give the categorical columns as "
        "a data frame or array, and combine both with Table.hstack"
    )


def category_mask(
    categorical: Any, n_columns: int, names: Sequence[str] | None
) -> np.ndarray[Any, np.dtype[np.bool_]]:
    """A mask of the columns, from a mask, positions or names."""
    mask = np.zeros(n_columns, dtype=bool)
    if categorical is None or (isinstance(categorical, str) and categorical == "from_dtype"):
        return mask
    if isinstance(categorical, str):
        raise ValueError(
            f"categorical_features={categorical!r} must be 'from_dtype', a mask, or a list of "
            "column positions or names"
        )
    given = np.asarray(categorical)
    if given.size == 0:
        return mask
    if given.dtype == bool:
        if given.shape != (n_columns,):
            raise ValueError(
                f"categorical_features is a mask of length {given.size}, but the data has "
                f"{n_columns} columns: give one flag per column"
            )
        return given
    known = {} if names is None else {name: c for c, name in enumerate(names)}
    for item in given.ravel().tolist():
        position = known.get(item, -1) if isinstance(item, str) else item
        if (
            not isinstance(position, int)
            or not -n_columns <= position < n_columns
            or (isinstance(item, str) and position < 0)
        ):
            raise ValueError(
                f"categorical_features has {item!r}, which is not a column of the data "
                f"({n_columns} columns): give positions or names of columns"
            )
        mask[position] = True
    return mask


def is_plain(X: Any, least_rows: int = 1) -> bool:
    """Whether this is an array of numbers in which `check_array` would find nothing to change.

    That check takes longer than scoring a few rows.
    """
    plain = type(X) is np.ndarray and X.ndim == 2 and X.dtype.kind in "biuf"
    return plain and X.shape[0] >= least_rows and X.shape[1] > 0


def from_array(X: Any, categorical: Any) -> Contents:
    """Columns of an array-like object."""
    array = X if is_plain(X) else check_array(X, dtype=None, ensure_all_finite=False)
    mask = category_mask(categorical, array.shape[1], None)
    numbers, chosen = np.flatnonzero(~mask), np.flatnonzero(mask)
    matrix = array if not chosen.size else array[:, numbers]
    if matrix.dtype.kind not in "biuf":
        try:
            matrix = matrix.astype(np.float64)
        except (OverflowError, TypeError, ValueError):  # NA, or not a number
            columns = zip(numbers.tolist(), matrix.T.tolist(), strict=True)
            matrix = np.column_stack([_one_by_one(f"column {c}", column) for c, column in columns])
    groups: list[Columns] = [NumberColumns(numbers.astype(np.int32), matrix)]
    if chosen.size:
        groups.append(CategoryColumns(chosen.astype(np.int32), tuple(array[:, c] for c in chosen)))
    return Contents(groups, array.shape[0], None, array)


def from_sparse(X: Any, categorical: Any) -> Contents:
    """Columns of a SciPy matrix, made canonical: sorted, without duplicates or stored zeros."""
    if X.ndim != 2:
        raise ValueError(f"expected 2D sparse input, got a sparse array of shape {X.shape}")
    if X.dtype.kind not in "biuf":
        raise ValueError(f"a sparse matrix of {X.dtype} is not supported: give real numbers")
    matrix = X if X.format == "csr" else X.tocsr()
    n_rows, n_columns = matrix.shape
    stored = int(matrix.indptr[-1])
    if not len(matrix.data) == len(matrix.indices) == stored:  # arrays with unused space
        kept = matrix.data[:stored], matrix.indices[:stored], matrix.indptr
        matrix = type(matrix)(kept, shape=matrix.shape)
    if categorical is not None:
        mask = category_mask(categorical, n_columns, None)
        if mask.any():
            raise ValueError(sparse_category_message(np.flatnonzero(mask)))
    if stored >= 2**31 or n_columns >= 2**31:
        raise ValueError(
            f"a sparse matrix has {stored} entries and {n_columns} columns, but the limit is "
            "2**31: split it by rows, or drop rare columns"
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
    return Contents([SparseColumns(0, matrix, value)], n_rows, None, X)


def _only_value(data: np.ndarray[Any, Any]) -> float | None:
    """The common value of all numbers, if they are equal and not zero; otherwise None."""
    if not len(data):
        return None
    first = float(data[0])
    if first == 0.0 or math.isnan(first):
        return None
    # Kernels are compiled for these arrays; a long double has padding bytes.
    if data.flags.writeable and data.flags.c_contiguous and data.itemsize <= 8:
        same = repeats(data.view(np.uint8), data.itemsize)
    else:
        same = data.min() == data.max()
    return first if same else None


def from_frame(X: Any, categorical: Any) -> Contents:
    """Columns of a data frame of any library that narwhals supports."""
    names = frame_names(X)
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
    requested = category_mask(categorical, len(names), names)
    if not requested.any() and all(_is_sparse(one, 0) for one in series):
        sparse = from_sparse(X.sparse.to_coo(), None).groups
        return Contents(sparse, frame.shape[0], names, X)
    by_type = isinstance(categorical, str)
    numbers: list[int] = []
    chosen: list[int] = []
    for c, name in enumerate(names):
        if requested[c] or (by_type and _is_text(series[c])):
            chosen.append(c)
        elif _is_numeric(series[c]):
            numbers.append(c)
        else:
            remedy = "convert it to numbers, or list it in categorical_features"
            if series[c].dtype in (nw.Date, nw.Datetime):
                remedy = ENCODE_DATES
            raise NotANumberError(f"column {name!r} has the type {series[c].dtype}", remedy)
    matrix = np.empty((frame.shape[0], len(numbers)), order="F")
    for place, c in enumerate(numbers):
        matrix[:, place] = _numbers(series[c])
    groups: list[Columns] = [NumberColumns(np.array(numbers, dtype=np.int32), matrix)]
    if chosen:
        given = tuple(_categories(series[c]) for c in chosen)
        groups.append(CategoryColumns(np.array(chosen, dtype=np.int32), given))
    return Contents(groups, frame.shape[0], names, X)


def _is_numeric(series: Any) -> bool:
    """Whether the column has numbers, or no values at all."""
    dtype = series.dtype
    ordered = dtype.is_numeric() or dtype == nw.Boolean or dtype == nw.Object
    return bool(ordered or _is_sparse(series) or series.null_count() == len(series))


def _is_sparse(series: Any, fill_value: float | None = None) -> bool:
    """Whether these are sparse numbers of pandas, with this fill value if one is given."""
    if series.dtype != nw.Unknown or not nw.dependencies.is_pandas_series(series.to_native()):
        return False
    dtype = series.to_native().dtype
    sparse = isinstance(dtype, nw.dependencies.get_pandas().SparseDtype) and dtype.kind in "biuf"
    return bool(sparse and (fill_value is None or dtype.fill_value == fill_value))


def _is_text(series: Any) -> bool:
    if series.dtype in (nw.String, nw.Categorical, nw.Enum):
        return True
    if series.dtype == nw.Object:
        return any(isinstance(value, str) for value in series.to_list())
    return False


def _categories(series: Any) -> np.ndarray[Any, Any] | Coded:
    """The values of a column; codes, if it is a categorical column of pandas."""
    native = series.to_native()
    if series.dtype in (nw.Categorical, nw.Enum) and nw.dependencies.is_pandas_series(native):
        levels = as_objects([*native.cat.categories.tolist(), None])
        return Coded(levels, native.cat.codes.to_numpy())
    return as_objects(series.to_list())


def as_objects(values: list[Any]) -> np.ndarray[Any, Any]:
    """An array of objects, one for each item."""
    result = np.empty(len(values), dtype=object)
    result[:] = values
    return result


def _numbers(series: Any) -> Floats:
    """Float64 values of a numeric column; null is NaN."""
    try:
        return np.asarray(series.to_numpy(), dtype=np.float64)
    except (OverflowError, TypeError, ValueError):  # an object column or NA
        return _one_by_one(f"column {series.name!r}", series.to_list())


def _one_by_one(column: str, values: list[Any]) -> Floats:
    """Float64 values of objects; missing values are NaN."""
    try:
        return np.array([np.nan if is_missing(value) else float(value) for value in values])
    except (OverflowError, TypeError, ValueError) as error:
        remedy = "convert it to numbers, or list the column in categorical_features"
        if any(isinstance(value, date) for value in values):
            remedy = ENCODE_DATES
        raise NotANumberError(
            f"{column} has a value that is not a number ({error})", remedy
        ) from None
