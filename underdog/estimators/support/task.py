"""The input of one fit."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

from underdog.codes import Labels
from underdog.core import Parts, Rows, Shard, Target
from underdog.data import EncodedRows, Schema, Table
from underdog.estimators.support.weights import Counted, FitArguments
from underdog.types import Integers
from underdog.workers import Workers


@dataclass(frozen=True)
class LabelledRows:
    """Rows, their labels and their sample weights."""

    table: Table
    y: Any
    counted: Counted

    def take(self, positions: Any) -> LabelledRows:
        """Some of the rows."""
        return LabelledRows(self.table[positions], self.y[positions], self.counted.take(positions))


class Folds(NamedTuple):
    """The fold of each row (NEVER: the row is always in training), and why folds are used."""

    of_row: Integers
    how: str
    is_rare: bool
    """Whether folds are used because a class is too rare for a held-out part of the rows."""


@dataclass(frozen=True)
class FitTask:
    """The input of one fit.

    Attributes
    ----------
    parts : Parts
    examples : LabelledRows
        The training rows.
    held_out : LabelledRows, Folds or None
        Validation rows, or folds to choose the number of rounds.
    labels : Labels
    given : FitArguments
        The other arguments of fit.
    resumed : bool
        Whether to continue from the rounds of the previous fit.
    workers : Workers
    """

    parts: Parts
    examples: LabelledRows
    held_out: LabelledRows | Folds | None
    labels: Labels
    given: FitArguments
    resumed: bool
    workers: Workers


def place_rows(table: Table, schema: Schema, target: Target, workers: Workers) -> Rows:
    """The encoded rows of a fit, as one shard."""
    return Rows([Shard(EncodedRows(table, schema, target.repeats, workers), target, workers)])
