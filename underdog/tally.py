"""Sums of weights by cell, kept up to date: a round costs only what it changes.

The tally is the only one who knows whether it was updated or counted anew; the integers are the
same. Where the cells of all labels would not fit the memory budget, labels are counted in runs,
each round, and only the scores of the candidates are kept.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from underdog.candidates import Candidates, Split
from underdog.cells import Cells
from underdog.core import Signal, chunks, every_row, sum_units
from underdog.data import Part
from underdog.data.hashing import Keys
from underdog.kernels import rules, search, tallies
from underdog.types import Codes, Indices, Integers
from underdog.workers import Workers

BUDGET = 1 << 30
"""Bytes of cells kept between rounds; 16 per cell and label."""


class Tally:
    """Integer sums of one signal over the cells of one part.

    Parameters
    ----------
    part : Part
    n_labels : int
    candidates : Candidates
    workers : Workers
    budget : int
        Bytes that the cells may take.
    """

    def __init__(
        self,
        part: Part,
        n_labels: int,
        candidates: Candidates,
        workers: Workers,
        budget: int = BUDGET,
    ) -> None:
        self.part, self.candidates, self.workers = part, candidates, workers
        self.n_labels = n_labels
        self.totals = np.zeros((2, n_labels), dtype=np.int64)
        self.unit = np.zeros((2, n_labels))
        """Real weight of one unit, all weights summing to one."""
        self.version = -1
        fitting = max(1, budget // max(1, 16 * part.n_cells))
        self.resident = fitting >= n_labels or len(candidates.categories) > 0
        self.run_length = n_labels if self.resident else int(fitting)
        # Labels keep their own numbers in every run, so a run's cells are a window on them.
        width = n_labels if self.resident else self.run_length
        self.cells = np.zeros((2, part.n_cells, width), dtype=np.int64)
        self.scores = np.empty(len(candidates))
        self._signal: Signal | None = None
        # One label and words only, on one thread: scores without further ado.
        words = n_labels == 1 and 0 < len(candidates) == len(candidates.presence)
        self._is_plain = words and workers.count == 1
        self._all_rows = every_row(part.n_rows)

    def read(self, signal: Signal) -> None:
        """Bring the sums up to the signal's version."""
        change = signal.change
        self._signal = signal
        if change is None or change.since != self.version or not self.resident:
            self.totals[:] = sum_units(signal, self._all_rows)
            if self.resident:
                self._count(signal, 0, self.n_labels)
        else:
            for rows in chunks(change.rows, self.n_labels):
                self._add(rows, self._deltas(signal, rows), signal.sign, 0)
            if change.any_fresh:
                self._recount(signal, change.fresh)
        self.version = signal.version
        signal.unit_weight(self.totals, self.unit)

    def _deltas(self, signal: Signal, rows: Indices) -> Integers:
        """What the last change did to the weights of rows, which is added to the totals."""
        delta = np.empty((len(rows), self.n_labels), dtype=np.int64)
        if self.workers.count == 1:
            signal.deltas(rows, delta, self.totals)
            return delta
        sums = []

        def count(start: int, stop: int) -> None:
            own = np.zeros_like(self.totals)
            signal.deltas(rows[start:stop], delta[start:stop], own)
            sums.append(own)

        self.workers.run(count, len(rows), delta.size * 8)
        for own in sums:
            self.totals += own
        return delta

    def best(self, cells: Cells, smooth: float, keys: Keys | None = None) -> Split | None:
        """The test with the lowest score; None if there is no test.

        Of several the one with the lowest key, where there are keys; else, and then, the first.
        """
        if not len(self.candidates):
            return None
        self._score(cells, smooth)
        lowest = self._lowest()
        if keys is not None:
            tied = lowest + np.flatnonzero(
                self.scores[lowest:] <= self.scores[lowest:].min() + rules.TIE
            )
            lowest = int(tied[np.argmin(keys[tied])])
        return self.split(lowest)

    def next_best(self) -> Iterator[Split]:
        """All tests but the best, best first."""
        for _ in range(len(self.scores) - 1):
            self.scores[self._lowest()] = np.inf
            yield self.split(self._lowest())

    def _lowest(self) -> int:
        """The first candidate whose score is the lowest, up to rounding."""
        return int(search.lowest(self.scores, rules.TIE))

    def sums(self, split: Split) -> Integers:
        """Integer weights by [block, sign, label]."""
        part, column = self.part, split.column
        out = np.empty((2, 2, self.n_labels), dtype=np.int64)
        first = int(part.first_cell[column])
        if self.resident:
            tallies.true_sums(
                self.cells, self.totals, first, part.stored[column], part.implicit[column],
                split.inside, out,
            )
            return out
        return self._sums_in_runs(split, out)

    def _sums_in_runs(self, split: Split, out: Integers) -> Integers:
        if self._signal is None:
            raise ValueError("read a signal first")
        part, column = self.part, split.column
        out[1] = sum_units(self._signal, part.rows(column, split.inside))
        out[0] = self.totals - out[1]
        return out

    def _score(self, cells: Cells, smooth: float) -> None:
        if self._is_plain:
            candidates = self.candidates
            search.score_presence_single(
                self.cells, self.totals, self.unit, candidates.presence_cells,
                candidates.presence_numbers, cells.rule, smooth, cells.beta, self.scores,
            )
            return
        if self.n_labels > 1 or len(self.candidates.not_plain):  # whose scores are added up
            self.scores[:] = 0.0
        for start in range(0, self.n_labels, self.run_length):
            stop = min(start + self.run_length, self.n_labels)
            if not self.resident:
                self._count_run(start, stop)
            self._score_run(cells, smooth, start, stop)

    def _score_run(self, cells: Cells, smooth: float, start: int, stop: int) -> None:
        """Add the scores of labels start..stop, whose cells are at hand."""
        candidates, part = self.candidates, self.part
        shift = 0 if self.resident else start
        totals, unit = self.totals, self.unit
        if shift:
            totals = np.ascontiguousarray(totals[:, shift:])
            unit = np.ascontiguousarray(unit[:, shift:])
        rule, beta = cells.rule, cells.beta
        single = self.n_labels == 1

        def presence(first: int, last: int) -> None:
            numbers, where = candidates.presence_numbers, candidates.presence_cells
            if single:
                search.score_presence_single(
                    self.cells, totals, unit, where[first:last], numbers[first:last], rule, smooth,
                    beta, self.scores,
                )
            else:
                search.score_presence(
                    self.cells, totals, unit, start - shift, stop - shift, where[first:last],
                    numbers[first:last], rule, smooth, beta, self.scores,
                )

        def plain(first: int, last: int) -> None:
            search.score_ordered_single(
                self.cells, totals, unit, candidates.plain[first:last], part.first_cell,
                part.bins, candidates.first, rule, smooth, beta, self.scores,
            )

        columns = candidates.not_plain if single else candidates.ordered

        def ordered(first: int, last: int) -> None:
            search.score_ordered(
                self.cells, totals, unit, start - shift, stop - shift, columns[first:last],
                part.first_cell, part.bins, part.implicit, part.missing, part.schema.missing,
                candidates.first, rule, smooth, beta, self.scores,
            )

        run = self.workers.run
        labels = stop - start
        if len(candidates.presence):
            run(presence, len(candidates.presence), len(candidates.presence) * labels * 4)
        if single and len(candidates.plain):
            run(plain, len(candidates.plain), len(candidates) * 4)
        if len(columns):
            run(ordered, len(columns), len(candidates) * labels * 8)
        if len(candidates.categories):
            search.score_category(
                self.cells, totals, unit, candidates.categories, part.first_cell,
                candidates.levels, candidates.first, rule, smooth, beta, self.scores,
                candidates.best_label, candidates.best_cut,
            )

    def split(self, number: int) -> Split:
        """The test with this number."""
        part, candidates = self.part, self.candidates
        column = int(candidates.column[number])
        bins = int(part.bins[column])
        inside = np.zeros(bins + 1, dtype=np.uint8)
        if part.is_category[column]:
            place = int(np.searchsorted(candidates.categories, column))
            levels = int(candidates.levels[column])
            order = search.category_order(
                self.cells, self.unit, part.first_cell[column], levels,
                candidates.best_label[place],
            )
            inside[order[candidates.best_cut[place] :]] = 1
            return Split(column, inside, -1)
        offset = number - int(candidates.first[column])
        if part.missing[column]:
            cut, missing_true = divmod(offset, 2)
            if cut == bins - 1:  # missing against everything else
                missing_true = 1
        else:
            cut, missing_true = offset, 0
        inside[cut + 1 : bins] = 1
        inside[bins] = missing_true
        return Split(column, inside, cut)

    def _count(self, signal: Signal, start: int, stop: int) -> None:
        self.cells[:] = 0
        shift = 0 if self.resident else start
        sign = np.ascontiguousarray(signal.sign[:, shift:stop])
        for rows in chunks(self._all_rows, stop - start):
            units = np.empty((len(rows), stop - start), dtype=np.int64)
            signal.units(rows, start, units)
            self._add(rows, units, sign, start - shift)

    def _count_run(self, start: int, stop: int) -> None:
        if self._signal is None:
            raise ValueError("read a signal first")
        self._count(self._signal, start, stop)

    def _recount(self, signal: Signal, fresh: Codes) -> None:
        """Count anew the labels and signs whose unit of weight has changed."""
        for s, label in np.argwhere(fresh).tolist():
            self.cells[s, :, label] = 0
            self.totals[s, label] = 0
            rows = np.flatnonzero(signal.sign[:, label] == s).astype(np.int32)
            units = np.empty((len(rows), 1), dtype=np.int64)
            signal.units(rows, label, units)
            self.totals[s, label] = units.sum()
            self._add(rows, units, signal.sign, label)

    def _add(self, rows: Indices, delta: Integers, sign: Codes, first_label: int) -> None:
        for block in self.part.blocks:
            block.add(rows, delta, sign, first_label, self.cells, self.workers)
