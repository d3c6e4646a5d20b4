"""A column of a pandas or polars data frame as numbers, texts or moments."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Any

import narwhals as nw
import numpy as np
from numpy.typing import NDArray

from underdog.data.conversion import refuse_duplicates
from underdog.frames.dates import reader
from underdog.frames.errors import BadData
from underdog.frames.values import as_text, is_absent, number_of, shown

READABLE = (nw.String, nw.Categorical, nw.Enum, nw.Boolean, nw.Object, nw.Date, nw.Datetime)
"""Types of columns that can be used, besides numbers."""

NESTED = (nw.List, nw.Array, nw.Struct)
"""Types of columns whose values are lists or objects."""


def columns_of(X: Any) -> Iterator[tuple[str, Any]]:
    """Name and series of each column; duplicate names are refused."""
    if not nw.dependencies.is_into_dataframe(X):
        raise TypeError(
            f"X is a {type(X).__name__}: give a data frame of pandas or polars, whose columns have "
            "names and types"
        )
    names = [str(name) for name in X.columns]
    refuse_duplicates(names)
    columns = nw.from_native(X, eager_only=True).to_dict(as_series=True)
    yield from zip(names, columns.values(), strict=True)


def distinct_names(names: Iterable[str]) -> list[str]:
    """Each name once: where two things are called the same, the later one gets a number."""
    seen: dict[str, int] = {}
    result = []
    for name in names:
        seen[name] = seen.get(name, 0) + 1
        result.append(name if seen[name] == 1 else f"{name} ({seen[name]})")
    return result


def holds_numbers(series: Any) -> bool:
    """Whether the type of the column says that it is numbers."""
    return bool(series.dtype.is_numeric())


def holds_dates(series: Any) -> bool:
    """Whether the type of the column says that it is dates."""
    return series.dtype in (nw.Date, nw.Datetime)


def refuse_other_types(name: str, series: Any) -> None:
    """Refuse columns of lists, objects, durations and the like, unless all values are missing."""
    known = series.dtype in READABLE or holds_numbers(series)
    if not known and series.null_count() < len(series):
        held = "lists or objects" if series.dtype in NESTED else f"values of type {series.dtype}"
        raise BadData(
            f"{held} cannot be used: convert the column to numbers or text, or leave it out",
            column=name,
        )


def numbers_of(name: str, series: Any) -> NDArray[Any]:
    """The numbers of a column, NaN where there is none; the column's own memory where possible."""
    if holds_numbers(series) or series.dtype == nw.Boolean:
        if series.null_count():
            series = series.cast(nw.Float64)
        values = np.asarray(series.to_numpy())
        return values if values.dtype.kind in "biuf" else values.astype(np.float64)
    refuse_other_types(name, series)
    read: dict[Any, float] = {}
    result = np.empty(len(series))
    for row, value in enumerate(series.to_list()):
        if value not in read:
            found = np.nan if is_absent(value) else number_of(value)
            if found is None:
                raise BadData(f"{shown(value)} is not a number", position=row, column=name)
            read[value] = found
        result[row] = read[value]
    return result


def texts_of(series: Any) -> list[str | None]:
    """The values as text, None where there is none."""
    values = series.to_list()
    if series.dtype == nw.String:  # the usual case, in which pandas has NaN where there is none
        return [value if isinstance(value, str) and value else None for value in values]
    return [as_text(value) for value in values]


def moments_of(name: str, series: Any, form: str | None) -> list[datetime | None]:
    """The moments of a column of dates, None where there is none."""
    read: dict[Any, datetime | None] = {}
    parse = reader(form)
    values = series.to_list()
    for row, value in enumerate(values):
        if value not in read:
            found = None if is_absent(value) else parse(value)
            if found is None and not is_absent(value):
                written = "" if form is None else f" written as {form}"
                raise BadData(f"{shown(value)} is not a date{written}", position=row, column=name)
            read[value] = found
    return [read[value] for value in values]
