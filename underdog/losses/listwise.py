"""A loss of whole queries: the softmax of all scores of a query."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from underdog.core import Rows, Scores, Shard
from underdog.kernels.elementary import log_each
from underdog.losses.compared import check_queries, exp_of
from underdog.losses.newton import NewtonLoss, NewtonSignal
from underdog.types import Floats, Indices, Integers

UNITS = 2.0**31
"""Of the largest exponential of a query, so that sums over 2**31 rows are exact."""


class ListwiseSoftmax(NewtonLoss):
    """The cross-entropy of the grades and the softmax of the scores of each query (ListNet).

    With p = exp(F) / sum exp(F) and t = grade / sum of the grades over the rows of a query, its
    loss is - sum t ln p. A row has the gradient p - t and the curvature p (1 - p). Grades are at
    least 0, and queries without any above 0 have no loss.

    References
    ----------
    Cao, Qin, Liu, Tsai and Li, "Learning to rank: from pairwise approach to listwise approach",
    ICML 2007.

    Examples
    --------
    >>> from underdog.losses import ListwiseSoftmax
    >>> ListwiseSoftmax()
    ListwiseSoftmax()
    """

    takes_parts: ClassVar[bool] = False
    code: ClassVar[str | None] = "Grades"

    def make_signal(self, rows: Rows, costly: bool = False) -> QuerySignal:
        check_queries(rows)
        lowest = -rows.largest(lambda shard: -np.asarray(shard.target.observed, float))
        if lowest < 0.0:
            raise ValueError(
                f"y has the grade {lowest:g}, but {self!r} is for grades of at least 0: number "
                "the grades from 0 on"
            )
        if rows.shards[0].target.pairs is not None:
            raise ValueError(f"pairs have no grades, which {self!r} needs: give y and qid")
        return QuerySignal(self, rows, costly)

    def shares(self, scores: Floats, shard: Shard, weight: Floats) -> tuple[Floats, Floats, Floats]:
        """(n,) ln p, p and t of all rows of a shard."""
        query = np.asarray(shard.target.query)
        grade = np.asarray(shard.target.observed, dtype=np.float64)[:, 0]
        highest = np.full(int(query.max(initial=-1)) + 1, -np.inf)
        np.maximum.at(highest, query, scores)
        powers = exp_of(scores - highest[query])
        times = shard.target.repeats
        sums = _sums(weight * powers, times, query, len(highest))
        log_sums = np.empty(len(sums))
        log_each(np.maximum(sums, 1.0 / UNITS), log_sums)
        largest = max(float(grade.max(initial=0.0)), 1e-300)
        graded = largest * _sums(weight * (grade / largest), times, query, len(highest))
        share = np.where(graded[query] > 0.0, grade / np.maximum(graded[query], 1e-300), 0.0)
        has_loss = graded[query] > 0.0
        p = np.where(has_loss, powers / sums[query], 0.0)
        return scores - highest[query] - log_sums[query], p, share

    def fill_amounts(self, shard: Shard, weight: Floats, bits: int, out: Integers) -> None:
        _, p, t = self.shares(shard.scores.full()[:, 0], shard, weight[:, 0])
        for own, place in zip((t - p, p * (1.0 - p)), out, strict=True):
            units = np.rint(np.ldexp(own * weight[:, 0], bits)).astype(np.int64)
            np.multiply(shard.target.repeats, units, out=place[:, 0])

    def row_losses(self, scores: Scores, shard: Shard, weight: Floats) -> Floats:
        logs, _, t = self.shares(scores.full()[:, 0], shard, weight[:, 0])
        result: Floats = np.where(t > 0.0, -weight[:, 0] * t * logs, 0.0)
        return result


class QuerySignal(NewtonSignal):
    """Gradients and curvatures of a loss that sees all rows of a query, found once per round."""

    row_by_row = False

    def __init__(self, loss: ListwiseSoftmax, rows: Rows, costly: bool = False) -> None:
        super().__init__(loss, rows, costly)
        self._found: dict[int, tuple[int, Integers]] = {}

    def all_amounts(self, shard: Shard) -> Integers:
        version, found = self._found.get(shard.number, (-1, None))
        if found is None or version != self.version:
            found = super().all_amounts(shard)
            self._found[shard.number] = self.version, found
        return found

    def amounts(
        self, shard: Shard, rows: Indices, first_label: int, channel: int, out: Integers
    ) -> None:
        np.take(self.all_amounts(shard)[channel], rows, axis=0, out=out)


def _sums(values: Floats, repeats: Integers, groups: Integers, n_groups: int) -> Floats:
    """(n_groups,) sums of values in [0, 1], whose bits do not depend on the order."""
    units = np.zeros(n_groups, dtype=np.int64)
    np.add.at(units, groups, repeats * np.rint(values * UNITS).astype(np.int64))
    result: Floats = units / UNITS
    return result
