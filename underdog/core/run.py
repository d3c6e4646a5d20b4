"""The complete state of one fit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from underdog.core.components import Parts
from underdog.core.constraints import FREE, Constraints
from underdog.core.rows import Rows, Shard
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
        return {name: np.array([row[name] for row in rows]) for name in rows[0]}


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

    def training_error(self) -> float:
        """Share of the cost (by default the initial weight) on misclassified rows and labels."""
        rows = self.rows
        highest = rows.largest(lambda shard: shard.target.log_weight(costly=True))
        wrong = everything = 0.0
        for label in range(rows.n_labels):
            weights = partial(_weights, label=label, beta=self.parts.loss.beta, highest=highest)
            wrong += rows.exact_sum(partial(weights, missed=True))
            everything += rows.exact_sum(weights)
        return wrong / everything


def _weights(shard: Shard, label: int, beta: float, highest: float, missed: bool = False) -> Floats:
    """(n,) the cost of each row for one label; with `missed`, 0 for correctly classified rows."""
    target, scores = shard.target, shard.scores
    start = np.ones((2, target.n_labels))
    start[1] = beta
    if target.log_label is not None:
        start *= np.exp(target.log_label)
    sign = target.sign[:, label]
    own: Floats = np.exp(target.log_weight(costly=True) - highest) * start[sign, label]
    if not missed:
        return own
    predicted = scores.relative[:, label] + scores.base[label] > 0
    return np.where(predicted != (sign == 1), own, 0.0)
