"""Where the values of a column are: in some rows, or as far as a model knows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from underdog.data import Schema, Table
from underdog.data.columns import CategoryColumns, NumberColumns
from underdog.frames.dates import PARTS
from underdog.model.shapes import Shape
from underdog.types import Floats

RARE = 0.005
"""Share of the values beyond either end of an axis: a single one must not squeeze all others."""


@dataclass(frozen=True, eq=False)
class Spread:
    """How the values of a column are spread over some rows.

    Attributes
    ----------
    shares : (places,)
        Of the rows that are in each place of the column's shape, the missing ones last.
    numbers : (m,)
        The finite values of a column of numbers.
    n_missing : int
    """

    shares: Floats
    numbers: Floats
    n_missing: int

    @classmethod
    def from_table(cls, table: Table, shape: Shape, schema: Schema) -> Spread:
        values, numbers = _values(table, shape.column), np.empty(0)
        if shape.kind == "category":
            places = np.asarray(schema.codes_of(shape.column, values), dtype=np.int64)
        else:
            places, numbers = shape.places(values), values[np.isfinite(values)]
        counts = np.bincount(places, minlength=len(shape.values) + 1)
        return cls(counts / max(len(values), 1), numbers, int(counts[-1]))


def _values(table: Table, column: int) -> Any:
    """One column of a table."""
    group = next(group for group in table.groups if column in group.positions)
    place = int(np.flatnonzero(group.positions == column)[0])
    if isinstance(group, CategoryColumns):
        return group.values[place]
    if isinstance(group, NumberColumns):
        return group.column(place)
    return group.matrix[:, [place]].toarray()[:, 0].astype(np.float64)


def ends(shape: Shape, schema: Schema, spread: Spread | None) -> tuple[float, float]:
    """From where to where an axis must go to show nearly all values, and all steps.

    Without rows the bins of the model tell: the first and the last have few of the training data.
    """
    if spread is not None and len(spread.numbers):
        known = np.quantile(spread.numbers, [RARE, 1.0 - RARE])
    else:
        known = schema.cuts_of(shape.column)
        known = known[np.isfinite(known)]
        if len(known) > 1:  # the outer values are about half a bin away
            gaps = np.diff(known)[[0, -1]]
            known = np.array([known[0] - gaps[0] / 2, known[-1] + gaps[1] / 2])
    known = np.concatenate([known, shape.cuts[np.isfinite(shape.cuts)]])
    if not len(known):
        return -0.5, 0.5
    low, high = float(known.min()), float(known.max())
    room = 0.05 * (high - low) or max(abs(low) * 0.15, 0.5)
    return low - room, high + room


def date_name(shape: Shape) -> str | None:
    """The name of the date whose days since 1970 the column is; None for others."""
    end = f": {PARTS[0]}"
    is_date = shape.kind == "number" and shape.name.endswith(end)
    return shape.name.removesuffix(end) if is_date else None
