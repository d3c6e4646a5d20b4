"""All conditions that a rule may have, and their sums."""

from __future__ import annotations

import numpy as np

from underdog.core import Tally, Test
from underdog.data import Layout
from underdog.types import Flags, Integers


class Conditions:
    """Every condition on one column, numbered by (column, cut, side).

    A number is above a cut, or it is not; a category is one level; a value is missing, or it is
    not. A missing value meets no other condition. Condition 2 t is the true side of test t, and
    2 t + 1 its false side, which for a level is no condition.

    Parameters
    ----------
    layout : Layout
    """

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        bins, first = layout.bins, layout.first_cell[:-1]
        sometimes_missing = layout.schema.missing
        levels = np.where(bins + sometimes_missing > 1, bins, 0)
        cuts = np.maximum(np.where(layout.is_category, levels, bins - 1), 0)
        count = cuts + sometimes_missing
        self.column = np.repeat(np.arange(len(bins)), count)
        starts = np.cumsum(count) - count
        self.cut: Integers = np.arange(len(self.column)) - starts[self.column]
        """The cut after this bin, or the level; for a test on missing values, one more."""
        own, cut = self.column, self.cut
        self.of_missing: Flags = cut == cuts[own]
        self.of_level: Flags = layout.is_category[own] & ~self.of_missing
        implicit, begin = layout.implicit[own], first[own]
        values = (bins - (layout.implicit >= 0))[own]  # stored cells without the missing one
        below = (implicit > cut) & ~self.of_level  # the stored side, else it is the one above
        self._above: Flags = ~below
        low, high = np.where(below, 0, cut + 1 - (implicit >= 0)), np.where(below, cut + 1, values)
        low, high = np.where(self.of_level, cut, low), np.where(self.of_level, cut + 1, high)
        low, high = np.where(self.of_missing, values, low), np.where(self.of_missing, values, high)
        self._low, self._high = begin + low, begin + high + self.of_missing
        self._has_missing: Flags = layout.missing[own] & ~self.of_missing
        self._missing = begin + values
        self.possible: Flags = np.stack([np.ones(len(own), dtype=bool), ~self.of_level], 1).ravel()
        """Whether each number is a condition."""

    def __len__(self) -> int:
        return 2 * len(self.column)

    def sums(self, tally: Tally) -> Integers:
        """[condition, channel, label]: integer sums over the rows that meet each condition."""
        cells = tally.cells
        ends = np.zeros((cells.shape[0], cells.shape[1] + 1, cells.shape[2]), dtype=np.int64)
        np.cumsum(cells, axis=1, out=ends[:, 1:])  # may wrap around, but differences are right
        stored = ends[:, self._high] - ends[:, self._low]
        known = self._missing[self._has_missing]
        without = np.repeat(tally.totals[:, np.newaxis], len(self.column), axis=1)
        without[:, self._has_missing] -= cells[:, known]
        true = np.where(self._above[:, np.newaxis], stored, without - stored)
        sides = np.empty((len(self.column), 2, *tally.totals.shape), dtype=np.int64)
        sides[:, 0], sides[:, 1] = true.swapaxes(0, 1), (without - true).swapaxes(0, 1)
        return sides.reshape(len(self), *tally.totals.shape)

    def sums_of(self, number: int, tally: Tally) -> Integers:
        """[channel, label]: the sums of one condition."""
        place, side = divmod(number, 2)
        result: Integers = tally.cells[:, self._low[place] : self._high[place]].sum(axis=1)
        if self._above[place] == (side == 0):
            return result
        result = tally.totals - result
        if self._has_missing[place]:
            result -= tally.cells[:, self._missing[place]]
        return result

    def make(self, number: int) -> tuple[Test, int]:
        """The test and the answer of a condition."""
        (place, side), layout = divmod(number, 2), self.layout
        column, cut = int(self.column[place]), int(self.cut[place])
        bins, answer = int(layout.bins[column]), 1 - side
        inside = np.zeros(bins + 1, dtype=np.uint8)
        if self.of_missing[place]:
            inside[-1] = 1
            return Test(column, inside), answer
        inside[-1] = side  # a missing value does not meet the condition
        if self.of_level[place]:
            inside[cut] = 1
            return Test(column, inside), answer
        inside[cut + 1 : bins] = 1
        schema = layout.schema
        threshold = float(schema.cuts[int(schema.cut_pointers[column]) + cut])
        return Test(column, inside, threshold), answer
