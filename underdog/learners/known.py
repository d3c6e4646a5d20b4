"""The best test among those that rows with a missing value do not take part in."""

from __future__ import annotations

from copy import copy
from typing import Any

import numpy as np

from underdog.core import Criterion, Test
from underdog.kernels import search
from underdog.learners.choice import Choice
from underdog.types import Integers


class KnownChoice(Choice):
    """Chooses by the rows whose value in the column of a test is known; on others it abstains.

    The score of a test is that of its two sides and of an abstention on the rest. `sums` has the
    two sides.
    """

    _needs_all_cells = True

    def __init__(self, *given: Any, **more: Any) -> None:
        super().__init__(*given, **more)
        self.candidates = copy(self.candidates)
        self.candidates.levels = self.layout.bins  # that a value is missing is no level

    def _score(self, criterion: Criterion, smooth: float) -> None:
        super()._score(criterion, smooth)
        columns = np.flatnonzero(self.layout.missing & (np.diff(self.candidates.first) > 0))
        for column in columns.tolist():
            first, last = self.candidates.first[column : column + 2].tolist()
            cells = self.cells[:, int(self.layout.first_cell[column + 1]) - 1]
            missing = cells.copy()
            cells[:] = 0
            self.scores[first:last] = 0.0
            self._score_column(column, self.totals - missing, criterion, smooth)
            cells[:] = missing
            if not self.layout.is_category[column] and self.layout.schema.missing[column]:
                self.scores[last - 1] = np.inf  # missing values against all others
            nothing = np.zeros(missing.shape[1])
            self.scores[first:last] += criterion.score_at(missing * self.unit, nothing, smooth)

    def _score_column(
        self, column: int, totals: Integers, criterion: Criterion, smooth: float
    ) -> None:
        layout, candidates, only = self.layout, self.candidates, np.array([column])
        shared = criterion.number, smooth, criterion.beta, self.scores
        if not layout.is_category[column]:
            search.score_ordered(
                self.cells, totals, self.unit, 0, self.n_labels, only, layout.first_cell,
                layout.bins, layout.implicit, layout.missing, layout.schema.missing,
                candidates.first, *shared,
            )  # fmt: skip
            return
        place = int(np.searchsorted(candidates.categories, column))
        own = slice(place, place + 1)
        search.score_category(
            self.cells, totals, self.unit, only, layout.first_cell, candidates.levels,
            candidates.first, *shared, self.best_label[own], self.best_cut[own],
        )  # fmt: skip

    def test(self, number: int) -> Test:
        test = super().test(number)
        test.inside[-1] = 0
        return test

    def sums(self, test: Test) -> Integers:
        out = super().sums(test)
        if self.layout.missing[test.column]:
            out[0] -= self.cells[:, int(self.layout.first_cell[test.column + 1]) - 1]
        return out
