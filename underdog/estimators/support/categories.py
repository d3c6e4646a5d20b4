"""Warnings about category columns whose values suggest something else."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any

import narwhals as nw
import numpy as np

from underdog.checks import is_missing, notify
from underdog.data import Schema, Table
from underdog.data.columns import CategoryColumns, Coded
from underdog.data.levels import FEW_ROWS, MAX_LEVELS, mostly_different


def categories_of(table: Table) -> Iterator[tuple[int, np.ndarray[Any, Any] | Coded]]:
    """Position and values of each category column."""
    for group in table.groups:
        if isinstance(group, CategoryColumns):
            yield from zip(group.positions.tolist(), group.given, strict=True)


def warn_of_categories(table: Table, X: Any) -> None:
    """Warn of columns of a frame that are categories by their type, but may be something else."""
    for position, values in categories_of(table):
        name = nw.from_native(X, eager_only=True).columns[position]
        doubt = _may_be_numbers(values, X, position) or _may_be_identifier(values, name)
        if doubt:
            notify(f"column {name!r} is used as categories, {doubt}")


def _may_be_numbers(values: np.ndarray[Any, Any] | Coded, X: Any, position: int) -> str:
    """What to say of a text column of a frame that would be numbers, but for a few values."""
    if isinstance(values, Coded):
        return ""
    if nw.from_native(X, eager_only=True)[:, position].dtype in (nw.Categorical, nw.Enum):
        return ""
    levels = {value for value in values if isinstance(value, str)}
    others = sorted(level for level in levels if not _is_written_number(level))
    if not 0 < len(others) < 0.2 * len(levels):
        return ""
    shown = ", ".join(map(repr, others[:3])) + (", ..." if len(others) > 3 else "")
    return (
        f"because it is text, but most of its values are numbers, and only {shown} not. Convert it "
        "to numbers, or use make_pipeline(FrameEncoder(), ...), which reads '?' or 'NA' as "
        "missing. If they are categories, give it the type category"
    )


def _may_be_identifier(values: np.ndarray[Any, Any] | Coded, name: Any) -> str:
    """What to say of a column with fewer than two rows per level."""
    try:
        found = values.distinct() if isinstance(values, Coded) else set(values.tolist())
    except TypeError:  # refused when levels are learned
        return ""
    levels, present = (
        sum(not is_missing(value) for value in found),
        len(values.codes if isinstance(values, Coded) else values),
    )
    if levels < len(found):  # exact where there are few, see below: many are found soon
        given = (value for value in _each(values) if not is_missing(value))
        present = len(list(islice(given, max(FEW_ROWS, 2 * levels))))
    if present < FEW_ROWS or levels > MAX_LEVELS or not mostly_different(levels, present):
        return ""
    return (
        f"but has {levels:,} different values in {present:,} rows: rules on it memorise single "
        "rows. If it identifies the rows, drop it. If it is text, use "
        f"make_pipeline(FrameEncoder(roles={{{name!r}: 'text'}}), ...), which splits it into "
        "words. To keep it, list all columns of categories in categorical_features"
    )


def _each(values: np.ndarray[Any, Any] | Coded) -> Iterator[Any]:
    """The values of a column, one after the other."""
    if isinstance(values, Coded):
        return (values.levels[code] for code in values.codes)
    return iter(values)


def _is_written_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def warn_of_unseen_levels(table: Table, schema: Schema) -> None:
    """Warn of a category column without any known level: it may be another column, or numbers."""
    for position, values in categories_of(table):
        levels = schema.categories[position]
        known = set(levels)
        if any(value in known for value in _each(values)):  # almost always the first one
            continue
        unseen = [value for value in _each(values) if not is_missing(value)]
        if len(unseen) >= FEW_ROWS:
            notify(
                f"column {schema.name(position)!r} has no category of the training data: all "
                f"its values, such as {unseen[0]!r}, count as missing. Categories of the "
                f"training data are {', '.join(map(repr, levels[:3]))}"
            )
