"""How good scores are as a ranking, as measures by name."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from underdog.comparison.intervals import MIN_ROWS, Estimate, drawn_means, percentiles
from underdog.comparison.problem import RankProblem
from underdog.estimators.support.rank_measures import (
    HIGHEST_GRADE,
    average_precisions,
    mean_average_precision,
    ndcg,
    ndcg_of_queries,
    pair_counts,
    pair_loss,
)
from underdog.model.writing import counted
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

    def estimate(self, grade: Floats, scores: Floats, query: Integers) -> dict[str, Estimate]:
        """The measures with 95% confidence intervals, if there are at least 10 queries to rank.

        They are found by drawing whole queries again and again.
        """
        values = self.measure(grade, scores, query)
        wrong, pairs = pair_counts(grade, scores, query)
        found: dict[str, tuple[float, float]] = {}
        if np.count_nonzero(pairs) >= MIN_ROWS:
            each = {"map": average_precisions(grade, scores, query)}
            if self.has_gains:
                each["ndcg"] = ndcg_of_queries(grade, scores, query)
                each["ndcg_10"] = ndcg_of_queries(grade, scores, query, FIRST)
            # The mean of what is known is a ratio of two means, as the pair loss is.
            ratios: dict[str, tuple[Any, Any]] = {"pair_loss": (wrong, pairs)}
            ratios |= {name: (np.nan_to_num(own), ~np.isnan(own)) for name, own in each.items()}
            means = drawn_means(np.column_stack([own for pair in ratios.values() for own in pair]))
            with np.errstate(divide="ignore", invalid="ignore"):
                drawn = means[:, ::2] / means[:, 1::2]
            found = {name: percentiles(own) for name, own in zip(ratios, drawn.T, strict=True)}
        return {name: Estimate(value, *found.get(name, ())) for name, value in values.items()}

    def center(self, scores: Floats) -> Floats:
        """(n,) the score of each row."""
        return scores


def rank_quality(
    _model: Any, _X: Any, predicted: Any, rows: Integers, problem: RankProblem, _train: Integers
) -> dict[str, float]:
    """The measures of a fitted model on test rows."""
    judge = RankEvaluator.from_grades(problem.y)
    return judge.measure(
        problem.y[rows], np.asarray(predicted, dtype=np.float64), problem.query[rows]
    )


@dataclass(frozen=True, eq=False)
class MeasuredRanking:
    """Grades, scores and queries of rows."""

    judge: RankEvaluator
    grade: Floats
    scores: Floats
    query: Integers

    @property
    def compared(self) -> str:
        return self.judge.main

    @property
    def shown(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys((self.judge.main, "map", "pair_loss")))

    def __len__(self) -> int:
        return len(self.grade)

    def take(self, rows: Integers) -> MeasuredRanking:
        return MeasuredRanking(self.judge, self.grade[rows], self.scores[rows], self.query[rows])

    def estimate(self) -> dict[str, Estimate]:
        return self.judge.estimate(self.grade, self.scores, self.query)

    def _n_ranked(self) -> int:
        """How many queries have rows of different grades."""
        return int(np.count_nonzero(pair_counts(self.grade, self.scores, self.query)[1]))

    def base(self) -> dict[str, float]:
        return {"queries": self._n_ranked(), "mean_grade": float(np.mean(self.grade))}

    @property
    def about_base(self) -> str:
        return (
            "Rows are compared with rows of the same query and subgroup. queries: how many have "
            "rows of different grades there."
        )

    def too_few(self) -> str:
        queries = self._n_ranked()
        if queries >= MIN_ROWS:
            return ""
        return f"only {counted(queries, 'query', 'queries')} can be ranked, fewer than {MIN_ROWS}"
