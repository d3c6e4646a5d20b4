"""What each column, or each rule, adds to the scores of some rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, cast

import numpy as np

from underdog.core import Blocks, Hypothesis, LabelBlocks, Partition, Scores
from underdog.data import EncodedRows, Schema, Table
from underdog.data.columns import CategoryColumns, NumberColumns, SparseColumns
from underdog.hypotheses import Tree
from underdog.inspection.unwrap import UnwrappedModel
from underdog.model import used
from underdog.model.shapes import Places, Shape
from underdog.types import Floats, Integers
from underdog.workers import Workers


class Asked(NamedTuple):
    """A rule, by the question that it asks or the columns that it is about."""

    name: str
    places: list[str]
    """What is so in each of its blocks; a last one where that is not the same for all labels."""

    @classmethod
    def from_hypothesis(cls, rule: Hypothesis, schema: Schema) -> Asked:
        name = rule.words(schema)
        if not isinstance(rule, Tree):
            return cls(name, [f"not: {name}", name, name])
        if rule.is_question:
            return cls(name, [f"not: {name}", name][-len(rule.leaves) :])
        places = rule.leaf_words(schema)
        if rule.rest is not None:
            places[rule.rest] = f"elsewhere in the {name}"
        return cls(name, places)

    def words(self, place: int) -> str:
        """What is so in this place."""
        return self.places[place]


def by_column(
    explained: UnwrappedModel, table: Table
) -> tuple[Floats, Floats, Sequence[Places], Integers]:
    """(start, contributions, columns, places): (K,), (n, U, K), U columns, and (n, U).

    Stumps add the value of their column's step function. In a model with trees, every rule is one,
    and columns have the credit of their splits.
    """
    if explained.has_shapes:
        return _by_shape(explained, table)
    explained.check_columns()
    credited = explained.booster.model_.attributions
    schema, cuts = explained.schema, credited.cuts()
    columns = [Places.from_schema(schema, column, cuts[column]) for column in credited.columns]
    places, _ = _places(table, columns, explained)
    with Workers(explained.booster.n_jobs) as workers:
        values = credited.credits(table, workers)
    return credited.base, values, columns, places


def _by_shape(
    explained: UnwrappedModel, table: Table
) -> tuple[Floats, Floats, list[Shape], Integers]:
    base, shapes = explained.shapes()
    places, sparse = _places(table, shapes, explained)
    values = np.zeros((len(table), len(shapes), len(base)))
    for u, shape in enumerate(shapes):
        steps = shape.table
        if sparse[u]:
            zero = steps[shape.places(np.zeros(1))[0]]
            base, steps = base + zero, steps - zero
        values[:, u] = steps[places[:, u]]
    return base, values, shapes, places


def _places(
    table: Table, shapes: Sequence[Places], explained: UnwrappedModel
) -> tuple[Integers, list[bool]]:
    """(n, U) where each value is in its column's shape, and which columns are sparse."""
    places = np.zeros((len(table), len(shapes)), dtype=np.int64)
    sparse = [False] * len(shapes)
    wanted = {shape.column: u for u, shape in enumerate(shapes)}
    for group in table.groups:
        here = [(c, wanted[p]) for c, p in enumerate(group.positions.tolist()) if p in wanted]
        if here and isinstance(group, SparseColumns):
            some = group.matrix[:, [c for c, _ in here]].tocsc()
        for number, (c, u) in enumerate(here):
            shape = shapes[u]
            if isinstance(group, CategoryColumns):
                places[:, u] = explained.schema.codes_of(shape.column, group.values[c])
            elif isinstance(group, NumberColumns):
                places[:, u] = shape.places(group.column(c))
            else:
                sparse[u] = True
                stored = slice(some.indptr[number], some.indptr[number + 1])
                places[:, u] = shape.places(np.zeros(1))[0]
                values = some.data[stored].astype(np.float64)
                places[some.indices[stored], u] = shape.places(values)
    return places, sparse


def by_rule(
    explained: UnwrappedModel, table: Table
) -> tuple[Floats, Floats, list[Asked], Integers]:
    """The same for rules: (start, contributions, rules, places)."""
    ensemble = explained.booster._shown
    part, members = EncodedRows(table, explained.schema), used(ensemble.members)
    values = np.zeros((len(table), len(members), ensemble.n_labels))
    places = np.zeros((len(table), len(members)), dtype=np.int64)
    for t, member in enumerate(members):
        moved = Scores.zero(len(table), ensemble.n_labels)
        partition = member.hypothesis.partition(part)
        partition.move(moved, member.steps)
        values[:, t] = moved.full()
        places[:, t] = _blocks(partition, len(table), len(member.steps))
    asked = [Asked.from_hypothesis(member.hypothesis, explained.schema) for member in members]
    return ensemble.start, values, asked, places


def _blocks(partition: Partition, n_rows: int, n_blocks: int) -> Integers:
    """(n,) the block of each row; `n_blocks` where it is not the same for all labels."""
    if isinstance(partition, Blocks):
        return partition.of_row(n_rows)
    block = cast(LabelBlocks, partition).block
    alike = (block == block[:, :1]).all(axis=1)
    return np.where(alike, block[:, 0], n_blocks).astype(np.int64)
