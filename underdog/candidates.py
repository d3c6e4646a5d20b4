"""The tests among which a learner chooses."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from underdog.data import Part
from underdog.types import Codes, Integers


class Split(NamedTuple):
    """A test on one column: inside[b] says whether bin b (the last: missing) makes it true."""

    column: int
    inside: Codes
    cut: int
    """For an ordered column: bins above this one are inside."""


class Candidates:
    """All tests of a part's columns, numbered by (column, cut)."""

    def __init__(self, part: Part) -> None:
        ordered = ~part.is_category
        levels = part.bins + np.where(ordered, 0, part.schema.missing)
        tests = np.where(
            ordered,
            np.maximum(part.bins - 1, 0) * (1 + part.missing) + part.schema.missing,
            (levels > 1).astype(np.int64),
        )
        self.first = np.concatenate([[0], np.cumsum(tests)]).astype(np.int64)
        self.column = np.repeat(np.arange(len(tests), dtype=np.int32), tests)
        self.levels: Integers = levels
        lone = ordered & (part.stored == 1) & (tests == 1) & (part.implicit >= 0) & ~part.missing
        self.presence = np.flatnonzero(lone)
        self.presence_cells = part.first_cell[self.presence]
        self.presence_numbers = self.first[self.presence]
        plain = ordered & (part.implicit < 0) & ~part.missing & (tests > 0)
        self.plain = np.flatnonzero(plain)
        self.ordered = np.flatnonzero(ordered & ~lone & (tests > 0))
        self.not_plain = np.flatnonzero(ordered & ~lone & ~plain & (tests > 0))
        self.categories = np.flatnonzero(~ordered & (tests > 0))
        self.best_label = np.zeros(len(self.categories), dtype=np.int64)
        self.best_cut = np.zeros(len(self.categories), dtype=np.int64)

    def __len__(self) -> int:
        return int(self.first[-1])

    def true_sums(self, part: Part, cells: Integers, everything: Integers) -> Integers:
        """(tests,) sums over the true side of each test, given those of cells and of all rows.

        0 for tests on categories, whose sides depend on the weights.
        """
        sums = np.zeros(len(self), dtype=np.int64)
        sums[self.presence_numbers] = cells[self.presence_cells]
        for column in self.ordered.tolist():
            first, bins = int(part.first_cell[column]), int(part.bins[column])
            own = cells[first : first + int(part.stored[column])]
            gone = own[-1:] if part.missing[column] else np.zeros(1, dtype=np.int64)
            implicit = int(part.implicit[column])
            levels = own[: bins - 1 if implicit >= 0 else bins]
            if implicit >= 0:
                rest = everything - gone - levels.sum()
                levels = np.concatenate([levels[:implicit], rest, levels[implicit:]])
            above = np.cumsum(levels[::-1])[::-1][1:]
            tests = [above]
            if part.missing[column]:
                tests = [np.stack([above, above + gone], axis=1).ravel()]
            if part.schema.missing[column]:
                tests.append(gone)
            start = int(self.first[column])
            found = np.concatenate(tests)
            sums[start : start + len(found)] = found
        return sums
