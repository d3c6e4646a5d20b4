"""The complete state of one fit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from underdog.core.constraints import FREE, Constraints
from underdog.core.messages import Member
from underdog.core.parts import Parts
from underdog.core.rows import Rows
from underdog.core.state import State
from underdog.types import Floats

if TYPE_CHECKING:
    from underdog.workers import Workers


@dataclass
class History:
    """The measurements of a run, one row per round."""

    rows: list[dict[str, float]] = field(default_factory=list)

    @classmethod
    def from_columns(cls, columns: Mapping[str, Floats], rounds: int) -> History:
        """The first rounds of an earlier run, from its `arrays`."""
        lists = [values[:rounds].tolist() for values in columns.values()]
        return cls([dict(zip(columns, row, strict=True)) for row in zip(*lists, strict=True)])

    def last(self, name: str, default: float) -> float:
        return self.rows[-1].get(name, default) if self.rows else default

    def __len__(self) -> int:
        """Number of complete rounds; an interrupt may leave the last one incomplete."""
        rows = self.rows
        return len(rows) - 1 if rows and len(rows[-1]) < len(rows[0]) else len(rows)

    def arrays(self) -> dict[str, Floats]:
        """One array per measurement, for the complete rounds."""
        rows = self.rows[: len(self)]
        return {name: np.array([row[name] for row in rows]) for name in (rows[0] if rows else ())}


@dataclass
class Run:
    """The complete state of one fit."""

    parts: Parts
    rows: Rows
    state: State
    history: History
    smooth: float
    """e, which is added to the weights of a block before taking logarithms."""
    least_block: float
    """Minimum share of the weight in each block of a test."""
    weightless: int
    """Number of rows whose initial weight is below the resolution."""
    workers: Workers
    random: np.random.RandomState
    random_state: Any = None
    """As it was given to the booster, for draws that do not depend on those before them."""
    memory: Any = None
    """The state of the combiner."""
    constraints: Constraints = FREE
    """What every rule must keep."""
    labels: Any = None
    """The fitted code, for learners that speak of classes."""
    knowledge: tuple[Member, ...] = ()
    """Rules that were known before the first round; the scores start from what they say."""
    records_loss: bool = True
    """Whether the training loss of every round is computed only to be recorded."""

    def training_error(self) -> float:
        """Share of the cost (by default the initial weight) on what the loss counts as mistakes."""
        return self.parts.loss.training_error(self.rows)
