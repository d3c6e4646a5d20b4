"""Everything that belongs to one fit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from underdog.core.parts import Confidence, Loss
from underdog.core.signals import Target
from underdog.core.state import State
from underdog.kernels.sums import exact_sum
from underdog.types import Floats

if TYPE_CHECKING:
    from underdog.data import Part, Table
    from underdog.workers import Workers


@dataclass
class History:
    """What was measured, one row per round."""

    rows: list[dict[str, float]] = field(default_factory=list)

    @classmethod
    def of(cls, columns: Mapping[str, Floats], rounds: int) -> History:
        """The first rounds of an earlier run, from its `arrays`."""
        lists = [values[:rounds].tolist() for values in columns.values()]
        return cls([dict(zip(columns, row, strict=True)) for row in zip(*lists, strict=True)])

    def last(self, name: str, default: float) -> float:
        return self.rows[-1].get(name, default) if self.rows else default

    def __len__(self) -> int:
        """Rounds that are complete: an interrupt may come in the middle of one."""
        rows = self.rows
        return len(rows) - 1 if rows and len(rows[-1]) < len(rows[0]) else len(rows)

    def arrays(self) -> dict[str, Floats]:
        """One array per fact, of the complete rounds."""
        rows = self.rows[: len(self)]
        return {name: np.array([row[name] for row in rows]) for name in rows[0]}


@dataclass
class Run:
    """Everything that belongs to one fit and to nothing else."""

    part: Part
    target: Target
    loss: Loss
    state: State
    history: History
    smooth: float
    """e: added to the weights of a block before taking logarithms."""
    least_block: float
    """Share of the weight that each block of a test must have."""
    weightless: int
    """Rows that weigh too little to count at the start."""
    exact: bool
    """Whether the learner's hypotheses have the greatest edge that there is."""
    confidence: Confidence
    workers: Workers
    random: np.random.RandomState
    memory: Any = None
    """The combiner's."""

    @property
    def table(self) -> Table:
        return self.part.table

    def training_error(self) -> float:
        """Share of the cost (by default: initial weight) on rows and labels of the wrong sign."""
        target, scores = self.target, self.state.scores
        logs = target.log_prior if target.log_cost is None else target.log_cost
        start = np.ones((2, target.n_labels))
        start[1] = self.loss.beta
        if target.log_label is not None:
            start *= np.exp(target.log_label)
        weight = np.exp(logs - logs.max())
        wrong = everything = 0.0
        for label in range(target.n_labels):
            sign = target.sign[:, label]
            missed = (scores.relative[:, label] + scores.base[label] > 0) != (sign == 1)
            own = weight * start[sign, label]
            wrong += exact_sum(own[missed], target.times[missed])
            everything += exact_sum(own, target.times)
        return wrong / everything
