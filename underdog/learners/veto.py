"""The best test among those that also reduce the loss under a second weighting."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from underdog.core import Criterion, Test
from underdog.kernels import criteria, search, veto
from underdog.learners.choice import Choice
from underdog.types import Flags, Floats, Integers

MIN_GAIN = 1e-9
"""Smaller steps are rounding errors of the score grid."""


class Veto(NamedTuple):
    """Selects the best allowed test, for one label.

    The choice with the index `asking` scores a test and gives its values. The test must have a
    positive edge under the second choice and, on both sides, at least the share `least_block` of
    the weight of the first.
    """

    choices: Sequence[Choice]
    asking: int
    criterion: Criterion
    smooth: float
    least_block: float

    def best(self) -> Test | None:
        """The best allowed test, if there is one.

        For a category column, sets of levels are tried in the orders of both weightings.
        """
        choice = self.choices[self.asking]
        if choice.best(self.criterion, self.smooth) is None:
            return None
        layout, candidates = choice.layout, choice.candidates
        scores = choice.scores.copy()
        scores[~self._allowed([_true_sums(each) for each in self.choices])] = np.inf
        tests: dict[int, Test] = {}
        for column in candidates.categories.tolist():
            number = int(candidates.first[column])
            scores[number] = np.inf
            for order in self._orders(column):
                score, cut = self._best_run(column, order)
                if score < scores[number] - criteria.TIE:
                    inside = np.zeros(int(layout.bins[column]) + 1, dtype=np.uint8)
                    inside[order[cut:]] = 1
                    scores[number], tests[number] = score, Test(column, inside)
        lowest = int(search.lowest(scores, criteria.TIE))
        if scores[lowest] == np.inf:
            return None
        return tests[lowest] if lowest in tests else choice.test(lowest)

    def _orders(self, column: int) -> Iterator[Integers]:
        """Levels sorted by their share of positives, under each weighting."""
        for choice in self.choices:
            first = choice.layout.first_cell[column]
            levels = int(choice.candidates.levels[column])
            yield search.category_order(
                choice.cells, choice.unit, first, levels, 0, criteria.REAL_Z, 0.0
            )

    def _best_run(self, column: int, order: Integers) -> tuple[float, int]:
        """Score of the best set of last levels in an order, and where the set begins."""
        true = []
        for choice in self.choices:
            own = choice.cells[:, int(choice.layout.first_cell[column]) + order, 0]
            true.append(np.ascontiguousarray(choice.totals - np.cumsum(own, axis=1)[:, :-1]))
        asking = self.choices[self.asking]
        scores = np.empty(len(order) - 1)
        veto.score_tests(
            true[self.asking], asking.totals, asking.unit, self.criterion.number, self.smooth,
            self.criterion.beta, scores,
        )  # fmt: skip
        scores[~self._allowed(true)] = np.inf
        best = int(search.lowest(scores, criteria.TIE))
        return float(scores[best]), best + 1

    def _allowed(self, true: Sequence[Integers]) -> Flags:
        """Whether tests with these sums[sign, test] on their true side are allowed."""
        asking, other = self.choices[self.asking], self.choices[1]
        gains: Floats = np.empty(true[0].shape[1])
        veto.gains_of_tests(
            true[self.asking], asking.totals, asking.unit, true[1], other.totals, other.unit,
            self.criterion.number, self.smooth, self.criterion.beta, gains,
        )  # fmt: skip
        allowed: Flags = gains > MIN_GAIN
        if self.least_block:
            inside = (true[0] * self.choices[0].unit).sum(axis=0)
            allowed &= np.minimum(inside, 1.0 - inside) >= self.least_block
        return allowed


def _true_sums(choice: Choice) -> Integers:
    """[sign, test]: integer weights on the true side of every test on an ordered column."""
    layout, candidates = choice.layout, choice.candidates
    return np.stack(
        [
            candidates.true_sums(layout, choice.cells[sign, :, 0], choice.totals[sign, :1])
            for sign in range(2)
        ]
    )
