"""All tests among which a learner chooses."""

from __future__ import annotations

import numpy as np

from underdog.data import EncodedRows, Layout
from underdog.data.hashing import Keys
from underdog.data.keys import cell_sums, either_side
from underdog.types import Integers


class Candidates:
    """All tests of the columns, numbered by (column, cut)."""

    def __init__(self, layout: Layout) -> None:
        ordered = ~layout.is_category
        levels = layout.bins + np.where(ordered, 0, layout.schema.missing)
        tests = np.where(
            ordered,
            np.maximum(layout.bins - 1, 0) * (1 + layout.missing) + layout.schema.missing,
            (levels > 1).astype(np.int64),
        )
        self.first = np.concatenate([[0], np.cumsum(tests)]).astype(np.int64)
        self.column = np.repeat(np.arange(len(tests), dtype=np.int32), tests)
        self.levels: Integers = levels
        one_cell = (layout.stored == 1) & (layout.implicit >= 0) & ~layout.missing
        lone = ordered & one_cell & (tests == 1)
        self.presence = np.flatnonzero(lone)
        self.presence_cells = layout.first_cell[self.presence]
        self.presence_numbers = self.first[self.presence]
        dense = ordered & (layout.implicit < 0) & ~layout.missing & (tests > 0)
        self.dense = np.flatnonzero(dense)
        self.ordered = np.flatnonzero(ordered & ~lone & (tests > 0))
        self.not_dense = np.flatnonzero(ordered & ~lone & ~dense & (tests > 0))
        self.categories = np.flatnonzero(~ordered & (tests > 0))

    def __len__(self) -> int:
        return int(self.first[-1])

    def true_sums(self, layout: Layout, cells: Integers, everything: Integers) -> Integers:
        """(tests,) sums over the true side of each test, given the sums of cells and of all rows.

        0 for tests on categories, whose sides depend on the weights.
        """
        sums = np.zeros(len(self), dtype=np.int64)
        sums[self.presence_numbers] = cells[self.presence_cells]
        for column in self.ordered.tolist():
            first, bins = int(layout.first_cell[column]), int(layout.bins[column])
            own = cells[first : first + int(layout.stored[column])]
            missing = own[-1:] if layout.missing[column] else np.zeros(1, dtype=np.int64)
            implicit = int(layout.implicit[column])
            levels = own[: bins - 1 if implicit >= 0 else bins]
            if implicit >= 0:
                rest = everything - missing - levels.sum()
                levels = np.concatenate([levels[:implicit], rest, levels[implicit:]])
            above = np.cumsum(levels[::-1])[::-1][1:]
            tests = [above]
            if layout.missing[column]:
                tests = [np.stack([above, above + missing], axis=1).ravel()]
            if layout.schema.missing[column]:
                tests.append(missing)
            start = int(self.first[column])
            found = np.concatenate(tests)
            sums[start : start + len(found)] = found
        return sums

    def keys(self, encoded: EncodedRows, row_keys: Keys) -> Keys:
        """A key for each test, from the rows on its sides.

        Tests on categories, whose sides depend on the weights, all have the same key.
        """
        everything: Keys = np.add.reduce(row_keys, keepdims=True)
        cells = cell_sums(encoded, row_keys).view(np.int64)
        inside = self.true_sums(encoded.layout, cells, everything.view(np.int64)).view(np.uint64)
        return either_side(inside, everything)
