"""The folds that all models share.

A number of folds stands for folds drawn by the contents of the rows, so their order does not matter
(`underdog.data.draws`); with groups, for folds of whole groups; with times, for folds forward in
time.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
from sklearn.model_selection import check_cv

from underdog.checks import check_integer, is_missing, notify, to_python
from underdog.data import Table
from underdog.data.columns import NumberColumns
from underdog.data.draws import NEVER, Draw, seed_of
from underdog.types import Floats, Integers

Fold = tuple[Integers, Integers]
"""Training rows and test rows."""
FOLDS, LAST = 5, 0.2
"""For early stopping: number of folds of groups, and share of the rows that are last in time."""


@dataclass(frozen=True, eq=False)
class FoldRows:
    """What folds depend on.

    Attributes
    ----------
    table : Table
    y : (n,) labels or numbers
    classes : whether y are labels
    groups : (n,) the number of the group of each row, or None
    time : (n,) numbers or dates, or None
    weights : (n,) or None
    whole : what a group is called, one and several
    """

    table: Table
    y: Any
    classes: bool
    groups: Integers | None = None
    time: Any = None
    weights: Any = None
    whole: tuple[str, str] = ("group", "groups")

    @property
    def kinds(self) -> Integers:
        """(n,) the class of each row; 0 for numbers."""
        if not self.classes:
            return np.zeros(len(self.y), dtype=np.int64)
        places: Integers = np.unique(self.y, return_inverse=True)[1]
        return places.astype(np.int64)

    def draw(self, seed: int) -> Draw:
        """Rows, or groups, in a random order that depends on their contents."""
        own: list[Any] = [self.kinds if self.classes else self.y]
        own += [] if self.weights is None else [self.weights]
        place = self.table.n_columns + np.arange(len(own), dtype=np.int32)
        matrix = np.column_stack(own).astype(np.float64)
        table = Table([*self.table.groups, NumberColumns(place, matrix)], len(matrix))
        repeats = np.ones(len(matrix), dtype=np.int64)
        return Draw(table, self.kinds, repeats, seed, groups=self.groups, apart=True)

    def how(self, column: str | None = None) -> str:
        """How a number of folds is made, as a sentence; `column` has the groups or times."""
        if self.groups is not None:
            one, several = self.whole
            named = column is not None and one == "group"
            same = f"with the same value of {column!r}" if named else f"of the same {one}"
            count = len(np.unique(self.groups))
            return f"Rows {same} are in the same fold ({count:,} {several})."
        if self.time is not None:
            by = "" if column is None else f", by {column!r}"
            return (
                f"Folds go forward in time{by}: each is predicted by models that were trained on "
                "all earlier rows, and the first rows are only trained on."
            )
        share = ", with the same share of each class" if self.classes else ""
        return f"Folds are drawn by the contents of the rows{share}."


QUERIES = ("query", "queries")
"""What groups of a ranking are called."""


def make_folds(cv: Any, rows: FoldRows, random_state: Any) -> list[Fold]:
    """Folds of these rows for a number; otherwise those of the splitter or iterable."""
    if hasattr(cv, "split") or (isinstance(cv, Iterable) and not isinstance(cv, str)):
        return _split(cv, rows)
    check_integer("cv", cv, 2)
    if rows.time is not None:
        folds = _forward(rows.time, int(cv))
    else:
        of_row = _fold_of_row(rows, int(cv), seed_of(random_state))
        folds = [
            (np.flatnonzero(of_row != fold), np.flatnonzero(of_row == fold))
            for fold in np.unique(of_row[of_row != NEVER])
        ]
    return _with_all_classes(folds, rows) if rows.classes else folds


def left_out_together(rows: FoldRows, random_state: Any) -> Integers:
    """(n,) the fold of each row for early stopping, if rows have groups or times.

    Groups are left out as a whole, `FOLDS` times some of them. Of times the last rows are left out,
    once; the others have -1, and are learned from.
    """
    if rows.time is not None:
        different, place, counts = np.unique(rows.time, return_inverse=True, return_counts=True)
        before = np.cumsum(counts) - counts
        late = before >= (1.0 - LAST) * len(rows.time)
        late[-1] = len(different) > 1
        return np.where(late[place], 0, NEVER)
    n_groups = len(np.unique(cast(Integers, rows.groups)))
    if n_groups < 2:
        return np.full(len(rows.y), NEVER)
    return _fold_of_row(rows, min(FOLDS, n_groups), seed_of(random_state))


def rows_in_folds(folds: Sequence[Fold]) -> tuple[Integers, list[Fold]]:
    """Rows that are in the test part of a fold, and folds of these alone.

    The rows are sorted. Each fold is given as positions among them: those in other folds, and its
    own.
    """
    if not folds:
        return np.zeros(0, dtype=np.intp), []
    rows = np.sort(np.concatenate([test for _, test in folds]))
    places = np.arange(len(rows))
    own = [np.searchsorted(rows, test) for _, test in folds]
    return rows, [(np.setdiff1d(places, each), each) for each in own]


def held_out_ratio(folds: Sequence[Fold]) -> float:
    """Test rows for each training row, which `corrected_t` needs."""
    return sum(len(test) for _, test in folds) / sum(len(train) for train, _ in folds)


def group_numbers(groups: Any, n_rows: int) -> Integers:
    """(n,) each group as a number, in the order in which they occur."""
    values = list(groups)
    _check_length("groups", values, n_rows)
    places: dict[Any, int] = {}
    numbers = np.empty(n_rows, dtype=np.int64)
    for row, value in enumerate(map(to_python, values)):
        if is_missing(value):
            raise ValueError(f"groups: row {row} has no group: give one for each row")
        numbers[row] = places.setdefault(value, len(places))
    return numbers


def check_times(time: Any, n_rows: int) -> Any:
    """(n,) numbers or dates."""
    values = np.asarray(time)
    _check_length("time", values, n_rows)
    if values.dtype.kind == "O":
        values = values.astype("datetime64[us]")
    if values.dtype.kind not in "iufM":
        raise ValueError(f"time has values of type {values.dtype}: give numbers or dates")
    missing = values != values  # NaN and NaT
    if missing.any():
        raise ValueError(f"time: row {int(missing.argmax())} has no time: give one for each row")
    return values


def _check_length(name: str, values: Any, n_rows: int) -> None:
    if len(values) != n_rows:
        raise ValueError(f"{name} has {len(values)} values for {n_rows} rows: give one for each")


def _fold_of_row(rows: FoldRows, asked: int, seed: int) -> Integers:
    """(n,) the fold of each row, or NEVER."""
    count = asked
    draw = rows.draw(seed)
    if rows.groups is None:
        if not rows.classes and len(rows.y) < count:
            count = len(rows.y)
            notify(f"There are {count} rows, so there are {count} folds and not {asked}.")
        return draw.folds(count)
    different, group_of = np.unique(rows.groups, return_inverse=True)
    n_groups = len(different)
    if n_groups < 2:
        raise ValueError(f"all rows are of one {rows.whole[0]}, but folds need at least two")
    if n_groups < count:
        count = n_groups
        notify(f"There are {count} {rows.whole[1]}, so there are {count} folds and not {asked}.")
    kinds = rows.kinds
    sizes = np.zeros((n_groups, int(kinds.max()) + 1))
    np.add.at(sizes, (group_of, kinds), 1.0)
    keys = np.zeros(n_groups, dtype=np.uint64)
    keys[group_of] = draw.keys
    folds: Integers = _balanced(sizes, keys, count)[group_of]
    return folds


def _balanced(sizes: Floats, keys: Any, count: int) -> Integers:
    """(n_groups,) a fold for each group, so that classes are spread evenly over the folds.

    The largest groups are placed first, each where its classes are rarest so far.

    Parameters
    ----------
    sizes : (n_groups, n_kinds) rows of each class
    keys : (n_groups,) the order of groups of the same size
    count : number of folds
    """
    share = sizes / sizes.sum(axis=0)
    filled = np.zeros((count, sizes.shape[1]))
    fold = np.empty(len(sizes), dtype=np.int64)
    for group in np.lexsort((keys, -sizes.sum(axis=1))):
        crowded = np.round(filled @ share[group], 12)  # equal folds may differ in the last digits
        fold[group] = np.lexsort((filled.sum(axis=1), crowded))[0]
        filled[fold[group]] += share[group]
    return fold


def _forward(time: Any, count: int) -> list[Fold]:
    """Each block of rows is tested after training on all earlier ones.

    Blocks have about the same number of rows. Rows of the same time are in the same block.
    """
    different, place, rows = np.unique(time, return_inverse=True, return_counts=True)
    middle = np.cumsum(rows) - rows / 2.0
    blocks = np.unique((middle * (count + 1) / len(time)).astype(np.int64), return_inverse=True)[1]
    found = int(blocks.max())
    if found < 2:
        raise ValueError(
            f"time has {len(different):,} different values, too few for folds forward in time, "
            "which need at least three blocks of different times"
        )
    if found < count:
        notify(f"Rows of the same time stay together: there are {found} folds and not {count}.")
    of_row = blocks[place]
    return [
        (np.flatnonzero(of_row < block), np.flatnonzero(of_row == block))
        for block in range(1, found + 1)
    ]


def _with_all_classes(folds: list[Fold], rows: FoldRows) -> list[Fold]:
    """Folds without those whose training rows lack a class."""
    kinds = rows.kinds
    wanted = int(kinds.max()) + 1
    kept = [fold for fold in folds if len(np.unique(kinds[fold[0]])) == wanted]
    if len(kept) == len(folds):
        return folds
    train = next(train for train, _ in folds if len(np.unique(kinds[train])) < wanted)
    lost = np.setdiff1d(kinds, kinds[train])[0]
    label = to_python(np.unique(rows.y)[lost])
    where = "its first rows come too late" if rows.time is not None else "it is in one fold only"
    if len(kept) < 2:
        raise ValueError(
            f"class {label!r} is not in the training rows of {len(folds) - len(kept)} of "
            f"{len(folds)} folds, because {where}: use fewer folds, or leave the class out"
        )
    notify(
        f"{len(folds) - len(kept)} of {len(folds)} folds are left out: class {label!r} is not in "
        f"their training rows, because {where}."
    )
    return kept


def _split(cv: Any, rows: FoldRows) -> list[Fold]:
    y = rows.y
    if rows.time is not None or (rows.groups is not None and not hasattr(cv, "split")):
        name = "groups" if rows.time is None else "time"
        raise ValueError(f"{name} and cv={cv!r} both make folds: give a number as cv")
    # Splitters only need the length of X, and do not support every type of X.
    splitter = check_cv(cv, y, classifier=rows.classes)
    made = list(splitter.split(np.zeros((len(y), 1)), y, rows.groups))
    if len(made) < 2:
        raise ValueError(f"cv={cv!r} makes {len(made)} fold: give two or more")
    places = np.arange(len(y))
    return [(places[train], places[test]) for train, test in made]  # masks become rows
