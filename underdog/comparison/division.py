"""Which rows of a comparison are in folds, and which are held out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from underdog.checks import to_python
from underdog.comparison.problem import ComparedRows, Problem
from underdog.data.folds import Fold, FoldRows, check_times, group_numbers, make_folds
from underdog.types import Integers


@dataclass(frozen=True, eq=False)
class Division:
    """Rows for folds, and held-out rows.

    Attributes
    ----------
    rows : what the folds depend on
    known : (m,) positions of the rows that are in folds
    held_out : (n - m,) positions of all others
    """

    rows: FoldRows
    known: Integers
    held_out: Integers

    def folds(self, cv: Any, random_state: Any) -> list[Fold]:
        """Folds as positions of all rows."""
        if len(self.held_out) and not (isinstance(cv, int) or hasattr(cv, "split")):
            raise ValueError(f"cv={cv!r} with held_out: give a number or a splitter as cv")
        made = make_folds(cv, self.rows, random_state)
        return [(self.known[train], self.known[test]) for train, test in made]

    @property
    def last(self) -> Fold | None:
        """All rows that are in folds, and the held-out rows; None if there are none."""
        return (self.known, self.held_out) if len(self.held_out) else None

    @property
    def how(self) -> str:
        """A sentence about folds that are not drawn row by row; empty if they are."""
        plain = self.rows.groups is None and self.rows.time is None
        return "" if plain else self.rows.how()


def divide(problem: ComparedRows, groups: Any, time: Any, held_out: Any) -> Division:
    """Check `groups`, `time` and `held_out` of `compare`."""
    count = len(problem.y)
    if groups is not None and time is not None:
        raise ValueError(
            "groups and time both make folds, and the rows of a group may be of different times: "
            "give one of them"
        )
    numbers = None if groups is None else group_numbers(groups, count)
    times = None if time is None else check_times(time, count)
    known, apart = _parts(held_out, count)
    classes = isinstance(problem, Problem)
    if classes and (lost := np.setdiff1d(problem.y[apart], problem.y[known])).size:
        raise ValueError(f"class {to_python(lost[0])!r} is only among the held-out rows")
    rows = FoldRows(
        problem.table[known] if len(apart) else problem.table,
        problem.y[known],
        classes,
        None if numbers is None else numbers[known],
        None if times is None else times[known],
    )
    return Division(rows, known, apart)


def _parts(held_out: Any, count: int) -> tuple[Integers, Integers]:
    """Positions of the rows in folds, and of the held-out rows."""
    every = np.arange(count)
    if held_out is None:
        return every, every[:0]
    given = np.asarray(held_out)
    if (
        given.ndim != 1
        or given.dtype.kind not in "biu"
        or (given.dtype.kind == "b" and len(given) != count)
    ):
        raise ValueError(f"held_out must be a mask of the {count} rows, or positions of rows")
    apart = np.unique(every[given])
    if not 0 < len(apart) < count:
        raise ValueError(f"held_out has {len(apart)} of {count} rows: hold out some, but not all")
    return np.setdiff1d(every, apart), apart
