"""Groups of sets: by imbalance ratio, and by how many positives there are."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from experiments.costs.against import Duel
from experiments.costs.results import Results


@dataclass(frozen=True)
class Group:
    """Sets of which a number is at least low and below high."""

    title: str
    low: float
    high: float

    def holds(self, values: NDArray[np.float64]) -> NDArray[np.bool_]:
        """Which of these numbers it holds."""
        return np.asarray((values >= self.low) & (values < self.high))


RATIOS = (Group("below 5", 0, 5), Group("5 to 10", 5, 10), Group("from 10", 10, np.inf))
POSITIVES = (Group("below 20", 0, 20), Group("20 to 49", 20, 50), Group("from 50", 50, np.inf))


def outcome(results: Results, duels: Sequence[Duel], members: NDArray[np.bool_]) -> str:
    """Pairs of model and set in which the model is cheaper : costlier than the baseline."""
    own = np.array([duel.differences[members & results.distinct] for duel in duels])
    return f"{(own < 0).sum()}:{(own > 0).sum()}"
