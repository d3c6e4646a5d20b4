"""Schemas with further cuts and levels: those of rules that were not learned from the rows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

import numpy as np

from underdog.data.columns import CategoryColumns, NumberColumns
from underdog.data.schema import Schema, levels_of, sort_key
from underdog.data.table import Table
from underdog.types import Floats, Integers


def schema_of_cuts(table: Table, cuts: Mapping[int, Iterable[float]]) -> Schema:
    """The columns of a table with these cuts, and the levels of its categories."""
    n_columns = table.n_columns
    presence = np.zeros(n_columns, dtype=bool)
    categories = {}
    for group in table.groups:
        if isinstance(group, CategoryColumns):
            for c, position in enumerate(group.positions.tolist()):
                categories[position] = levels_of(group.given[c], table, position)[0]
        elif not isinstance(group, NumberColumns):
            presence[group.positions] = group.value is not None and group.value > 0
    missing = np.zeros(n_columns, dtype=bool)
    flat, pointers = _joined(
        {column: np.unique(list(own)) for column, own in cuts.items()}, n_columns
    )
    return Schema(n_columns, flat, pointers, missing, presence, categories, table.names)


def _joined(cuts: Mapping[int, Floats], n_columns: int) -> tuple[Floats, Integers]:
    """All cuts in the order of the columns, and where those of each column begin."""
    counts = np.zeros(n_columns, dtype=np.int64)
    for column, own in cuts.items():
        counts[column] = len(own)
    ordered = [cuts[column] for column in sorted(cuts)]
    flat = np.concatenate(ordered) if ordered else np.empty(0)
    return flat, np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)


def presence_cut(table: Table, column: int) -> float:
    """Where a column of a word is cut: at 0, or at 1/2 if it counts, as training would cut it."""
    for group in table.groups:
        if column not in group.positions or isinstance(group, CategoryColumns):
            continue
        c = column - int(group.positions[0])
        if isinstance(group, NumberColumns):
            values = group.column(int(np.flatnonzero(group.positions == column)[0]))
        elif group.value is None:
            values = group.matrix[:, [c]].data
        else:
            values = np.array([group.value])
        above = values[values > 0.0]
        return 0.5 if len(above) and above.min() == 1.0 else 0.0
    return 0.0


def merged(schema: Schema, other: Schema) -> Schema:
    """A schema with the cuts and levels of both, and the names of the first."""
    columns = np.flatnonzero(np.diff(other.cut_pointers)).tolist()
    more = {column: np.union1d(schema.cuts_of(column), other.cuts_of(column)) for column in columns}
    more = {column: own for column, own in more.items() if len(own) > len(schema.cuts_of(column))}
    pieces, counts, last = [], np.diff(schema.cut_pointers), 0
    for column in sorted(more):
        pieces += [schema.cuts[last : schema.cut_pointers[column]], more[column]]
        counts[column] = len(more[column])
        last = schema.cut_pointers[column + 1]
    flat = np.concatenate([*pieces, schema.cuts[last:]])
    categories = {
        column: tuple(sorted({*own, *other.categories.get(column, ())}, key=sort_key))
        for column, own in schema.categories.items()
    }
    return replace(
        schema,
        cuts=flat,
        cut_pointers=np.concatenate([[0], np.cumsum(counts)]).astype(np.int64),
        missing=schema.missing | other.missing,
        categories=categories,
        _lookups={},
    )
