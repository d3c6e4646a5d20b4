"""Rows divided by a column: the levels of a category, or the quartiles of numbers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from underdog.frames.columns import columns_of, holds_numbers, numbers_of, texts_of
from underdog.frames.errors import unknown_column
from underdog.model.writing import rounded
from underdog.types import Floats, Integers

MAX_LEVELS = 10
"""Levels that are shown alone; the rest of them is "other"."""
OTHER, MISSING = "other", "missing"


def divided(values: Any) -> list[tuple[str, Integers]]:
    """The names of subgroups, and the rows of each.

    Numbers with more than 10 different values are cut into quartiles. Of more than 10 levels the
    most frequent ones stay alone, and the others are put together.

    Parameters
    ----------
    values : (n,) numbers, in which NaN is missing, or texts, in which None is

    Examples
    --------
    >>> from underdog.comparison.subgroups import divided
    >>> [(name, rows.tolist()) for name, rows in divided(["a", None, "a"])]
    [('a', [0, 2]), ('missing', [1])]
    >>> [name for name, _ in divided(range(100))]
    ['up to 24.75', '24.75 to 49.5', '49.5 to 74.25', 'above 74.25']
    """
    values = list(values) if not isinstance(values, np.ndarray) else values
    found = np.asarray(values)
    if found.dtype.kind in "iuf" and len(np.unique(found[~_is_nan(found)])) > MAX_LEVELS:
        return _quartiles(found.astype(np.float64))
    names = [MISSING if each is None or each != each else _name(each) for each in found.tolist()]
    counts = Counter(names)
    common = [name for name, _ in counts.most_common(MAX_LEVELS)]
    if len(counts) > MAX_LEVELS:
        names = [name if name in common else OTHER for name in names]
        common.append(OTHER)
    array = np.array(names, dtype=object)
    return [(name, np.flatnonzero(array == name)) for name in dict.fromkeys(common)]


def _name(value: Any) -> str:
    """A whole number is 1 and not 1.0, as where the column has no missing value."""
    return f"{value:g}" if isinstance(value, float) else str(value)


def _is_nan(values: Any) -> Any:
    return np.isnan(values) if values.dtype.kind == "f" else np.zeros(len(values), dtype=bool)


def _quartiles(values: Floats) -> list[tuple[str, Integers]]:
    known = ~np.isnan(values)
    cuts = np.unique(np.quantile(values[known], [0.25, 0.5, 0.75]))
    cuts = cuts[cuts < values[known].max()]
    bins = np.searchsorted(cuts, values, side="left")
    written = [rounded(float(cut)) for cut in cuts]
    names = [f"up to {written[0]}"] if written else ["all"]
    names += [f"{low} to {high}" for low, high in pairwise(written)]
    names += [f"above {written[-1]}"] if written else []
    found = [(name, np.flatnonzero(known & (bins == b))) for b, name in enumerate(names)]
    found.append((MISSING, np.flatnonzero(~known)))
    return [(name, rows) for name, rows in found if len(rows)]


def columns_by(X: Any, by: Any) -> dict[str, Any]:
    """The values by which rows are divided.

    Parameters
    ----------
    X : data frame, or anything else if `by` has values
    by : name or names of columns of X, or mapping of names to arrays of n values
    """
    if isinstance(by, Mapping):
        return {str(name): np.asarray(values) for name, values in by.items()}
    names: Sequence[str] = [by] if isinstance(by, str) else list(by)
    if not hasattr(X, "columns"):
        raise ValueError(
            f"by={by!r} names columns, but X is a {type(X).__name__}: give a data frame, or a "
            "mapping of names to arrays"
        )
    columns = dict(columns_of(X))
    for name in names:
        if name not in columns:
            raise unknown_column(name, columns)
    return {name: values_of(name, columns[name]) for name in names}


def values_of(name: str, series: Any) -> Any:
    """Numbers or texts of a column."""
    return numbers_of(name, series) if holds_numbers(series) else texts_of(series)
