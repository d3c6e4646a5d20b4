"""Contributions in the form of the package shap, for its plots."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from underdog.checks import import_extra
from underdog.data import Table
from underdog.data.columns import CategoryColumns, NumberColumns
from underdog.model.shapes import Places
from underdog.types import Integers

if TYPE_CHECKING:
    from underdog.inspection.rows import Contributions


def to_explanation(
    found: Contributions, table: Table, parts: Sequence[Any], places: Integers
) -> Any:
    """A `shap.Explanation` of contributions to the rows of a table."""
    shap = import_extra("shap", None, "to_shap()")
    columns = [part.column for part in parts if isinstance(part, Places)]
    data = column_values(table, columns) if len(columns) == len(parts) else places
    values, base = found.values, np.tile(found.base, (len(found), 1))
    if len(found.labels) == 1:
        values, base, names = values[:, :, 0], base[:, 0], None
    else:
        names = list(found.labels)
    return shap.Explanation(
        values=values,
        base_values=base,
        data=data,
        feature_names=list(found.names),
        output_names=names,
    )


def column_values(table: Table, columns: Sequence[int]) -> np.ndarray[Any, Any]:
    """(n, U) values of some columns: numbers, or where there are categories any objects."""
    found: dict[int, Any] = {}
    wanted = set(columns)
    for group in table.groups:
        here = [(c, p) for c, p in enumerate(group.positions.tolist()) if p in wanted]
        if isinstance(group, CategoryColumns):
            found |= {position: group.values[c] for c, position in here}
        elif isinstance(group, NumberColumns):
            found |= {position: group.column(c) for c, position in here}
        elif here:
            some = group.matrix[:, [c for c, _ in here]].toarray()
            found |= {position: some[:, number] for number, (_, position) in enumerate(here)}
    numbers = all(np.asarray(values).dtype != object for values in found.values())
    result = np.empty((len(table), len(columns)), dtype=np.float64 if numbers else object)
    for u, column in enumerate(columns):
        result[:, u] = found[column]
    return result
