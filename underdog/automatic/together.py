"""Rows that are left out together, because they belong together or are of a later time."""

from __future__ import annotations

from typing import Any, NamedTuple, Self

import numpy as np

from underdog.data import Table
from underdog.data.draws import NEVER
from underdog.data.folds import FoldRows, check_times, group_numbers, left_out_together
from underdog.types import Integers


class LeftOutTogether(NamedTuple):
    """Groups or times of rows; one of them is None."""

    groups: Integers | None
    time: Any

    @classmethod
    def of(cls, groups: Any, time: Any, n_rows: int) -> Self | None:
        """What was passed to fit, or None."""
        if groups is None and time is None:
            return None
        if groups is not None and time is not None:
            raise ValueError(
                "groups and time both say which rows are left out, and the rows of a group may be "
                "of different times: give one of them"
            )
        if groups is not None:
            return cls(group_numbers(groups, n_rows), None)
        return cls(None, check_times(time, n_rows))

    def take(self, rows: Integers) -> Self:
        """Those of some rows."""
        groups, time = (None if own is None else own[rows] for own in self)
        return type(self)(groups, time)

    def folds(
        self, X: Any, y: Any, labels: bool, sample_weight: Any, random_state: Any
    ) -> Integers:
        """(n,) the fold of each row.

        Parameters
        ----------
        X, y, sample_weight : as the booster gets them
        labels : bool
            Whether y are labels, which folds have in the same shares as far as groups allow.
        random_state : as of the model
        """
        table = Table.from_data(X)
        if np.ndim(y) != 1:  # several labels
            y, labels = np.zeros(len(table)), False
        rows = FoldRows(table, np.asarray(y), labels, *self)
        if sample_weight is None:
            return left_out_together(rows, random_state)
        weights = np.asarray(sample_weight, dtype=np.float64)
        used = np.flatnonzero(weights)
        own = None if np.ptp(weights[used]) == 0.0 else weights[used]
        rows = FoldRows(table[used], rows.y[used], labels, *self.take(used), own)
        folds = np.full(len(table), NEVER)
        folds[used] = left_out_together(rows, random_state)
        return folds
