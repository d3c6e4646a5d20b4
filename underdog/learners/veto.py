"""The best test among those that gain under a second weighting, too."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from underdog.candidates import Split
from underdog.cells import Cells
from underdog.kernels import rules, search
from underdog.tally import Tally
from underdog.types import Flags, Floats, Integers

LEAST_GAIN = 1e-9
"""First steps shorter than this are noise of rounding scores to the grid."""


class Veto(NamedTuple):
    """Which tests may be taken, for one label.

    A test is scored, and its values found, by the tally that asks. It must have a positive edge
    under the second tally, and `least_block` of the weight of the first on both sides.
    """

    tallies: Sequence[Tally]
    asking: int
    cells: Cells
    smooth: float
    least_block: float

    def best(self) -> Split | None:
        """The best test that may be taken, if there is one.

        For a category column these are the runs of its levels in the order of either weighting.
        """
        tally = self.tallies[self.asking]
        if tally.best(self.cells, self.smooth) is None:
            return None
        part, candidates = tally.part, tally.candidates
        scores = tally.scores.copy()
        scores[~self._allowed([_true_sums(each) for each in self.tallies])] = np.inf
        splits: dict[int, Split] = {}
        for column in candidates.categories.tolist():
            number = int(candidates.first[column])
            scores[number] = np.inf
            for order in self._orders(column):
                score, cut = self._best_run(column, order)
                if score < scores[number] - rules.TIE:
                    inside = np.zeros(int(part.bins[column]) + 1, dtype=np.uint8)
                    inside[order[cut:]] = 1
                    scores[number], splits[number] = score, Split(column, inside, -1)
        lowest = int(search.lowest(scores, rules.TIE))
        if scores[lowest] == np.inf:
            return None
        return splits[lowest] if lowest in splits else tally.split(lowest)

    def _orders(self, column: int) -> Iterator[Integers]:
        """Levels by their share of positives, under each weighting."""
        for tally in self.tallies:
            first = tally.part.first_cell[column]
            levels = int(tally.candidates.levels[column])
            yield search.category_order(tally.cells, tally.unit, first, levels, 0)

    def _best_run(self, column: int, order: Integers) -> tuple[float, int]:
        """Score of the best set of the last levels of an order, and where it begins."""
        true = []
        for tally in self.tallies:
            own = tally.cells[:, int(tally.part.first_cell[column]) + order, 0]
            true.append(np.ascontiguousarray(tally.totals - np.cumsum(own, axis=1)[:, :-1]))
        asking = self.tallies[self.asking]
        scores = np.empty(len(order) - 1)
        search.score_tests(
            true[self.asking], asking.totals, asking.unit, self.cells.rule, self.smooth,
            self.cells.beta, scores,
        )  # fmt: skip
        scores[~self._allowed(true)] = np.inf
        best = int(search.lowest(scores, rules.TIE))
        return float(scores[best]), best + 1

    def _allowed(self, true: Sequence[Integers]) -> Flags:
        """Whether tests with these sums[sign, test] on their true side may be taken."""
        asking, other = self.tallies[self.asking], self.tallies[1]
        gains: Floats = np.empty(true[0].shape[1])
        search.gains_of_tests(
            true[self.asking], asking.totals, asking.unit, true[1], other.totals, other.unit,
            self.cells.rule, self.smooth, self.cells.beta, gains,
        )  # fmt: skip
        allowed: Flags = gains > LEAST_GAIN
        if self.least_block:
            inside = (true[0] * self.tallies[0].unit).sum(axis=0)
            allowed &= np.minimum(inside, 1.0 - inside) >= self.least_block
        return allowed


def _true_sums(tally: Tally) -> Integers:
    """[sign, test]: integer weights on the true side of every test on an ordered column."""
    part, candidates = tally.part, tally.candidates
    return np.stack(
        [
            candidates.true_sums(part, tally.cells[sign, :, 0], tally.totals[sign, :1])
            for sign in range(2)
        ]
    )
