"""The input of one fit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from underdog.codes import Labels
from underdog.core import Member, Parts, Rows, Run, Shard, Target
from underdog.data import EncodedRows, Schema, Table
from underdog.data.merging import merged
from underdog.estimators.support.weights import Counted, FitArguments, Weighting
from underdog.types import Floats, Integers
from underdog.workers import Workers
from underdog.workers.collective import ProcessLostError


class Known(NamedTuple):
    """Prior knowledge of some rows.

    Attributes
    ----------
    kind : str
        What it comes from: "rules", "model", "function", "estimator" or "array".
    scores : (n, K)
        The scores that it gives to the rows, on the score grid.
    weight : float
        How many examples the knowledge of a row counts for.
    members : tuple of Member
        The rules that give these scores, if they can be part of a model.
    schema : Schema, optional
        What the tests of these rules are about.
    """

    kind: str
    scores: Floats
    weight: float
    members: tuple[Member, ...] = ()
    schema: Schema | None = None

    def take(self, positions: Any) -> Known:
        """The knowledge of some of the rows."""
        return self._replace(scores=self.scores[positions])


@dataclass(frozen=True)
class LabelledRows:
    """Rows, their labels, their sample weights, and what is known of them beforehand."""

    table: Table
    y: Any
    counted: Counted
    known: Known | None = None

    def take(self, positions: Any) -> LabelledRows:
        """Some of the rows."""
        known = None if self.known is None else self.known.take(positions)
        return LabelledRows(
            self.table[positions], self.y[positions], self.counted.take(positions), known
        )

    @property
    def total(self) -> float:
        """The weight of all examples, and of what is known of them."""
        return self.counted.examples * (1.0 if self.known is None else 1.0 + self.known.weight)

    def learn_schema(self, max_bins: int, workers: Workers) -> Schema:
        """The cuts and levels of these rows, and those of what is known."""
        schema = Schema.learn(self.table, self.counted.repeats, max_bins, workers)
        if self.known is None or self.known.schema is None:
            return schema
        return merged(schema, self.known.schema)


@dataclass(frozen=True)
class Progress:
    """The rounds that a run has taken, from which it can be continued.

    Attributes
    ----------
    schema : Schema
    start : (K,) scores from which the run started
    members : Members of the complete rounds
    path : their coefficients after each round, if they change
    history : what was measured in each round
    best : the round with the best validation score, and this score
    chosen : the number of rounds chosen by folds
    interrupted : bool
        Whether no more rounds are wanted.
    """

    schema: Schema
    start: Floats
    members: Sequence[Member]
    path: Sequence[Floats]
    history: Sequence[Mapping[str, float]]
    best: tuple[int, float] | None = None
    chosen: Any = None
    interrupted: bool = False


class UnfinishedFitError(ProcessLostError):
    """A fit in several processes has ended early; `progress` is what there is of it."""

    def __init__(self, progress: Progress, run: Run, labels: Any, weighting: Weighting) -> None:
        super().__init__(f"the fit has ended after {len(progress.members)} rounds")
        self.progress, self.run, self.labels, self.weighting = progress, run, labels, weighting


class Folds(NamedTuple):
    """The fold of each row (NEVER: the row is always in training), and why folds are used."""

    of_row: Integers
    how: str
    is_rare: bool
    """Whether folds are used because a class is too rare for a held-out part of the rows."""
    n_folds: int = 1


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
    encoded = EncodedRows(table, schema, target.repeats, workers)
    return Rows([Shard(encoded, target, workers)])
