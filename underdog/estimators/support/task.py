"""What one fit is asked to do."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

from underdog.codes import Labels
from underdog.core import Parts
from underdog.data import Table
from underdog.estimators.support.weights import Counted, FitArguments
from underdog.types import Integers
from underdog.workers import Workers


@dataclass(frozen=True)
class Examples:
    """Rows, their labels and how they count."""

    table: Table
    y: Any
    counted: Counted

    def take(self, positions: Any) -> Examples:
        """Some of the rows."""
        return Examples(self.table[positions], self.y[positions], self.counted.take(positions))


class Folds(NamedTuple):
    """Which fold each row is in (NEVER: it is only learned from), and why folds were made."""

    of_row: Integers
    how: str
    is_rare: bool
    """Whether a class is so rare that a share of the rows would not do."""


@dataclass(frozen=True)
class FitTask:
    """What one fit is asked to do.

    Attributes
    ----------
    parts : Parts
    examples : Examples
        The rows to learn from.
    held_out : Examples, Folds or None
        Rows to validate with, or folds to find the number of rounds.
    labels : Labels
    given : FitArguments
        What fit was given beside X and y.
    resumed : bool
        Whether to go on from the rounds of the last fit.
    workers : Workers
    """

    parts: Parts
    examples: Examples
    held_out: Examples | Folds | None
    labels: Labels
    given: FitArguments
    resumed: bool
    workers: Workers
