"""How good scores are as a ranking, as measures by name."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from underdog.estimators.support.rank_measures import (
    HIGHEST_GRADE,
    mean_average_precision,
    ndcg,
    pair_loss,
)
from underdog.types import Floats, Integers

FIRST = 10
"""How many rows of a query people look at."""


@dataclass(frozen=True)
class RankEvaluator:
    """Measures scores by the grades of rows in queries.

    Parameters
    ----------
    has_gains : bool
        Whether grades are from 0 to 30, so that there is an NDCG.
    """

    has_gains: bool

    @classmethod
    def from_grades(cls, grade: Floats) -> RankEvaluator:
        """The measures that these grades have."""
        return cls(bool(grade.min() >= 0.0 and grade.max() <= HIGHEST_GRADE))

    @property
    def main(self) -> str:
        """The measure by which models are ranked."""
        return "ndcg" if self.has_gains else "pair_loss"

    def measure(self, grade: Floats, scores: Floats, query: Integers) -> dict[str, float]:
        """Measures by name; without those that these rows do not have."""
        found = {}
        if self.has_gains:
            found["ndcg"] = ndcg(grade, scores, query)
            found["ndcg_10"] = ndcg(grade, scores, query, FIRST)
        found["map"] = mean_average_precision(grade, scores, query)
        found["pair_loss"] = pair_loss(grade, scores, query)
        return {name: value for name, value in found.items() if not np.isnan(value)}

    def center(self, scores: Floats) -> Floats:
        """(n,) the score of each row."""
        return scores
