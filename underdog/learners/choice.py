"""The scores of all tests under one weighting, and the best test.

If the cells of all labels do not fit the memory budget, only some labels at a time are counted, in
every round, and only the scores of the tests are kept.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from underdog.core import Criterion, Rows, Signal, Test
from underdog.core.counts import block_sums
from underdog.data.hashing import Keys
from underdog.kernels import criteria, search, tallies
from underdog.kernels.directions import drop_wrong_order
from underdog.learners.candidates import Candidates
from underdog.types import Indices, Integers
from underdog.workers import Workers

BUDGET = 1 << 30
"""Maximum bytes of cells kept between rounds; 8 per channel, cell and label."""


class Choice:
    """Chooses the best test by the sums of one signal.

    Parameters
    ----------
    rows : Rows
    signal : Signal
    candidates : Candidates
    workers : Workers
    budget : int
        Maximum number of bytes of the cells.
    directions : (d,), optional
        1 and -1 for the columns with which values must rise or fall, else 0. For one label.
    under : row numbers of each shard, optional
        Only these rows count.
    """

    _needs_all_cells = False

    def __init__(
        self,
        rows: Rows,
        signal: Signal,
        candidates: Candidates,
        workers: Workers,
        budget: int = BUDGET,
        directions: Integers | None = None,
        under: Sequence[Indices] | None = None,
    ) -> None:
        self.rows, self.signal, self.candidates, self.workers = rows, signal, candidates, workers
        self.layout = rows.layout
        self.n_labels = rows.n_labels
        self.totals: Integers = np.zeros((signal.n_channels, self.n_labels), dtype=np.int64)
        self.unit = np.zeros((signal.n_channels, self.n_labels))
        """Real weight of one unit, such that all weights sum to one."""
        size = 8 * signal.n_channels * self.layout.n_cells
        fitting = max(1, budget // max(1, size))
        together = len(candidates.categories) > 0 or signal.reads == "classes"
        together = together or self._needs_all_cells or under is not None
        self.resident = fitting >= self.n_labels or together
        self.run_length = self.n_labels if self.resident else int(fitting)
        self.cells: Integers = np.empty((signal.n_channels, 0, 0), dtype=np.int64)
        self._kept = rows.keep(signal, rows=under) if self.resident else None
        self._shape = 2, signal.n_channels, self.n_labels
        self.scores = np.empty(len(candidates))
        self.score = np.inf
        """Of the last test that was found."""
        self._directions = directions
        self._asked = criteria.REAL_Z, 0.0
        self.best_label = np.zeros(len(candidates.categories), dtype=np.int64)
        self.best_cut = np.zeros(len(candidates.categories), dtype=np.int64)
        # With one label, only words and one thread, scoring takes a single call.
        words = self.n_labels == 1 and 0 < len(candidates) == len(candidates.presence)
        self._words_only = words and workers.count == 1

    def update(self) -> None:
        """Update the sums to the current version of the signal."""
        self.update_sums()
        self.signal.unit(self.totals, self.unit)

    def update_sums(self) -> None:
        """The same, but the unit of weight is set by the caller."""
        if self._kept is not None:
            self.cells, self.totals = self._kept()
        else:
            self.totals = self.rows.totals(self.signal)

    def skip(self) -> None:
        """Take note of a change that none of the rows is part of."""
        if self._kept is not None:
            self._kept.skip()

    def best(
        self,
        criterion: Criterion,
        smooth: float,
        keys: Keys | None = None,
        column: int | None = None,
    ) -> Test | None:
        """The test with the lowest score, on one column or on all; None if there is none.

        Ties are broken by the lowest key, if keys are given, and then by the lowest number.
        """
        if not len(self.candidates):
            return None
        self._asked = criterion.number, smooth
        self._score(criterion, smooth)
        if self._directions is not None:
            self._drop_wrong_order(self._directions, criterion, smooth)
        if column is not None:
            self.scores[self.candidates.column != column] = np.inf
        lowest = self._lowest()
        if self.scores[lowest] == np.inf:
            return None
        if keys is not None:
            tied = lowest + np.flatnonzero(
                self.scores[lowest:] <= self.scores[lowest:].min() + self._tie()
            )
            lowest = int(tied[np.argmin(keys[tied])])
        self.score = float(self.scores[lowest])
        return self.test(lowest)

    def next_best(self) -> Iterator[Test]:
        """All tests except the best, from the second best to the worst."""
        self.scores[self._lowest()] = np.inf
        while self.scores[lowest := self._lowest()] < np.inf:
            self.score = float(self.scores[lowest])
            yield self.test(lowest)
            self.scores[lowest] = np.inf

    def _lowest(self) -> int:
        """The first candidate with the lowest score, up to rounding."""
        return int(search.lowest(self.scores, self._tie()))

    def _tie(self) -> float:
        """Scores that differ by less are equal, up to rounding.

        Weights sum to one, so that scores are about 1. Gradients have the size of the target.
        """
        if self.signal.reads != "newton":
            return criteria.TIE
        lowest = float(self.scores.min())
        return criteria.TIE * abs(lowest) if np.isfinite(lowest) else criteria.TIE

    def _drop_wrong_order(self, directions: Integers, criterion: Criterion, smooth: float) -> None:
        layout, candidates = self.layout, self.candidates
        has_tests = np.diff(candidates.first) > 0
        drop_wrong_order(
            self.cells, self.totals, self.unit, np.flatnonzero(has_tests & (directions != 0)),
            directions, layout.first_cell, layout.bins, layout.implicit, layout.missing,
            candidates.first, criterion.number, smooth, criterion.beta, self.scores,
        )  # fmt: skip

    def sums(self, test: Test) -> Integers:
        """[block, channel, label]: integer weights where a test is false, and where it is true."""
        layout, column = self.layout, test.column
        out = np.empty(self._shape, dtype=np.int64)
        if self.resident:
            tallies.true_sums(
                self.cells, self.totals, int(layout.first_cell[column]), layout.stored[column],
                layout.implicit[column], test.inside, out,
            )  # fmt: skip
            return out
        out[1] = self.rows.total(
            lambda shard: block_sums(self.signal, shard, shard.encoded.rows(column, test.inside))
        )
        out[0] = self.totals - out[1]
        return out

    def _score(self, criterion: Criterion, smooth: float) -> None:
        if self._words_only:
            candidates = self.candidates
            search.score_presence_single(
                self.cells,
                self.totals,
                self.unit,
                candidates.presence_cells,
                candidates.presence_numbers,
                criterion.number,
                smooth,
                criterion.beta,
                self.scores,
            )
            return
        if self.n_labels > 1 or len(self.candidates.not_dense):  # their scores are accumulated
            self.scores[:] = 0.0
        for start in range(0, self.n_labels, self.run_length):
            stop = min(start + self.run_length, self.n_labels)
            if not self.resident:
                self.cells = self.rows.tally(self.signal, labels=(start, stop)).cells
            self._score_run(criterion, smooth, start, stop)

    def _score_run(self, criterion: Criterion, smooth: float, start: int, stop: int) -> None:
        """Add the scores of labels start..stop, whose cells are counted."""
        candidates, layout = self.candidates, self.layout
        shift = 0 if self.resident else start
        totals, unit = self.totals, self.unit
        if shift:
            totals = np.ascontiguousarray(totals[:, shift:])
            unit = np.ascontiguousarray(unit[:, shift:])
        number, beta = criterion.number, criterion.beta
        single = self.n_labels == 1

        def presence(first: int, last: int) -> None:
            numbers, where = candidates.presence_numbers, candidates.presence_cells
            if single:
                search.score_presence_single(
                    self.cells, totals, unit, where[first:last], numbers[first:last], number,
                    smooth, beta, self.scores,
                )  # fmt: skip
            else:
                search.score_presence(
                    self.cells, totals, unit, start - shift, stop - shift, where[first:last],
                    numbers[first:last], number, smooth, beta, self.scores,
                )  # fmt: skip

        def dense(first: int, last: int) -> None:
            search.score_ordered_single(
                self.cells, totals, unit, candidates.dense[first:last], layout.first_cell,
                layout.bins, candidates.first, number, smooth, beta, self.scores,
            )  # fmt: skip

        columns = candidates.not_dense if single else candidates.ordered

        def ordered(first: int, last: int) -> None:
            search.score_ordered(
                self.cells, totals, unit, start - shift, stop - shift, columns[first:last],
                layout.first_cell, layout.bins, layout.implicit, layout.missing,
                layout.schema.missing, candidates.first, number, smooth, beta, self.scores,
            )  # fmt: skip

        run = self.workers.run
        labels = stop - start
        if len(candidates.presence):
            run(presence, len(candidates.presence), len(candidates.presence) * labels * 4)
        if single and len(candidates.dense):
            run(dense, len(candidates.dense), len(candidates) * 4)
        if len(columns):
            run(ordered, len(columns), len(candidates) * labels * 8)
        if len(candidates.categories):
            search.score_category(
                self.cells, totals, unit, candidates.categories, layout.first_cell,
                candidates.levels, candidates.first, number, smooth, beta, self.scores,
                self.best_label, self.best_cut,
            )  # fmt: skip

    def test(self, number: int) -> Test:
        """The test with this number."""
        layout, candidates = self.layout, self.candidates
        column = int(candidates.column[number])
        bins = int(layout.bins[column])
        inside = np.zeros(bins + 1, dtype=np.uint8)
        if layout.is_category[column]:
            place = int(np.searchsorted(candidates.categories, column))
            levels = int(candidates.levels[column])
            order = search.category_order(
                self.cells,
                self.unit,
                layout.first_cell[column],
                levels,
                self.best_label[place],
                *self._asked,
            )
            inside[order[self.best_cut[place] :]] = 1
            return Test(column, inside)
        offset = number - int(candidates.first[column])
        if layout.missing[column]:
            cut, missing_true = divmod(offset, 2)
            if cut == bins - 1:  # missing against everything else
                missing_true = 1
        else:
            cut, missing_true = offset, 0
        inside[cut + 1 : bins] = 1
        inside[bins] = missing_true
        schema = layout.schema
        place = int(schema.cut_pointers[column]) + cut
        threshold = float(schema.cuts[place]) if cut < bins - 1 else None
        return Test(column, inside, threshold)
