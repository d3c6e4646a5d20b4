"""The mean score of rows as a function of one or two columns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from underdog.data import Schema
from underdog.inspection.unwrap import UnwrappedModel
from underdog.model.effects import Effects
from underdog.model.shapes import Places, Shape
from underdog.types import Floats, Integers
from underdog.workers import Workers


class Dependence(NamedTuple):
    """Partial dependence: the mean score of all rows, if columns had the values of each place.

    Attributes
    ----------
    axes : of each column, where its values can be; the last place is for missing values
    table : (places, K) or (places, places, K)
    counts : (places,) or (places, places), of the rows
    mean : (K,) the mean score of the rows as they are
    """

    axes: tuple[Places, ...]
    table: Floats
    counts: Integers
    mean: Floats


def dependence(
    explained: UnwrappedModel, X: Any, wanted: Sequence[Sequence[int]]
) -> list[Dependence]:
    """Partial dependence on each of these tuples of one or two columns, exactly."""
    explained.check_columns()
    ensemble, table = explained.booster.model_, explained.table(X)
    credited = ensemble.attributions
    if credited.words:
        raise ValueError(
            f"this {type(explained.booster).__name__} has weights of words, and what a word adds "
            "to a score depends on the length of the document: use contributions(model, X)"
        )
    cuts = credited.cuts()
    with Workers(explained.booster.n_jobs) as workers:
        effects = Effects(credited, ensemble.start, table, workers)
        return [_one(effects, explained.schema, cuts, columns) for columns in wanted]


def _one(
    effects: Effects, schema: Schema, cuts: dict[int, Floats], columns: Sequence[int]
) -> Dependence:
    values = effects.mean_scores(columns)
    axes, rows = [], []
    for number, column in enumerate(columns):
        own = Places.from_schema(schema, column, cuts[column])
        first = np.arange(own.count + 1)  # the first bin of each place
        if own.kind != "category":
            below = np.searchsorted(schema.cuts_of(column), own.cuts)
            first = np.concatenate([[0], below + 1, [int(schema.bins[column])]])
        values = values.take(first, axis=number)
        axes.append(own)
        rows.append(np.searchsorted(first, effects.bins(column), side="right") - 1)
    counts = np.zeros(values.shape[:-1], dtype=np.int64)
    np.add.at(counts, tuple(rows), 1)
    return Dependence(tuple(axes), values, counts, effects.mean_scores(()))


def curves(explained: UnwrappedModel, X: Any) -> tuple[Floats, list[Shape]]:
    """(K,) the mean score, and how it would change with other values of each column.

    The strongest columns come first.
    """
    explained.check_columns()
    ensemble = explained.booster.model_
    found, mean = [], ensemble.start
    for own in dependence(explained, X, [(column,) for column in ensemble.attributions.columns]):
        mean, table = own.mean, own.table - own.mean
        found.append(Shape(**vars(own.axes[0]), values=table[:-1], missing=table[-1]))
    return mean, sorted(found, key=lambda shape: -shape.strength)
