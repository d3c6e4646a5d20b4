"""The schema of a model: names, cut points and categories of its columns, and missing values.

It is learned once from the training table and is part of the model. It has flat arrays instead of
an object per column, so that a million columns take a few megabytes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import repeat
from operator import itemgetter
from typing import Any

import numpy as np

from underdog.checks import is_missing
from underdog.data.columns import TOGETHER, CategoryColumns, Coded, NumberColumns, SparseColumns
from underdog.data.days import HOUR, date_name, date_text, part_name, weekday_text
from underdog.data.levels import MAX_LEVELS
from underdog.data.table import Table
from underdog.data.together import joint_cuts, joint_entries, joint_values
from underdog.files import Fields, Texts
from underdog.kernels import binning, occurrences
from underdog.types import Flags, Floats, Indices, Integers, owned
from underdog.workers import Workers
from underdog.workers.collective import ALONE, Collective, added, any_of

MAX_BINS = 65_535
"""Maximum number of ordered bins of a column, the same as that of the levels of a category."""
BYTE_BINS = 255
"""Maximum number of bins that fit a byte, with one more for missing values."""
COLUMNS_AT_ONCE = 32
"""Columns whose values processes count together: fewer take longer, and more take more memory."""
SLACK = 1e-3
"""Maximum rounding error of a printed cut, relative to the distance to its neighbour."""


@dataclass(frozen=True, repr=False)
class Schema:
    """The columns of a model.

    An ordered column j has the cuts cuts[cut_pointers[j]:cut_pointers[j + 1]]; bin b has the values
    above exactly b of them. A category column has one bin per level. Bin bins[j] is for missing
    values.
    """

    n_columns: int
    cuts: Floats
    cut_pointers: Integers
    missing: Flags
    presence: Flags
    """Sparse columns with a single positive number, which only indicate presence."""
    categories: Mapping[int, tuple[Any, ...]]
    names: tuple[str, ...] | None = None
    _lookups: dict[int, dict[Any, int]] = field(default_factory=dict, repr=False, compare=False)

    def __repr__(self) -> str:
        return f"Schema({self.n_columns} columns)"

    @cached_property
    def bins(self) -> Integers:
        """Number of bins of each column, without that of missing values."""
        counts = np.diff(self.cut_pointers) + 1
        for column, levels in self.categories.items():
            counts[column] = len(levels)
        return counts

    def cuts_of(self, column: int) -> Floats:
        return self.cuts[self.cut_pointers[column] : self.cut_pointers[column + 1]]

    def name(self, column: int) -> str:
        return f"x{column}" if self.names is None else self.names[column]

    def title(self, column: int) -> str:
        """What a column is called beside its cuts as text: days since 1970 are a date."""
        return self._date(column) or self.name(column)

    def _date(self, column: int) -> str | None:
        """The name of the date, of a column of its days since 1970."""
        return None if column in self.categories else date_name(self.name(column))

    def _written_date(self, column: int, cut: float, slack: float) -> str | None:
        """A cut as a date, of a column of days since 1970.

        Days are whole if there are no hours beside them, and the cuts are on days or between two.
        """
        date = self._date(column)
        if date is None:
            return None
        hours = part_name(date, HOUR) in (self.names or ())[column + 1 : column + 4]
        with np.errstate(invalid="ignore"):  # infinite ones
            whole = not hours and not bool((2.0 * self.cuts_of(column) % 1.0).any())
        return date_text(cut, slack, whole)

    def written(self, column: int, cut: float) -> str:
        """A cut as text: six digits, or more if it is close to its neighbours.

        A cut of days since 1970 is a date, with a time if the days are not whole; one of weekdays
        is a weekday.
        """
        cuts = self.cuts_of(column)
        place = int(np.searchsorted(cuts, cut))
        gaps = np.diff(cuts[max(place - 1, 0) : place + 2])
        slack = float(gaps.min()) * SLACK if len(gaps) else abs(cut) * 1e-12
        if (date := self._written_date(column, cut, slack)) is not None:
            return date
        if (day := weekday_text(self.name(column), self.names or (), cut)) is not None:
            return day
        for digits in range(6, 18):
            text = f"{cut:.{digits}g}"
            if abs(float(text) - cut) <= slack:
                break
        return text

    def codes_of(self, column: int, values: np.ndarray[Any, Any] | Coded) -> Indices:
        """The level of each value of a category column; missing and unknown values get the last."""
        if isinstance(values, Coded):
            found: Indices = self.codes_of(column, values.levels)[values.codes]
            return found
        lookup = self._lookups.get(column)
        levels = self.categories[column]
        if lookup is None:
            lookup = {level: code for code, level in enumerate(levels)}
            self._lookups[column] = lookup
        codes = map(lookup.get, values.tolist(), repeat(len(levels)))
        return np.fromiter(codes, np.int32, len(values))

    def _to_file(self) -> dict[str, Any]:
        return {
            "cuts": self.cuts,
            "cut_pointers": self.cut_pointers,
            "missing": self.missing,
            "presence": self.presence,
            "categories": [[column, list(self.categories[column])] for column in self.categories],
            "names": None if self.names is None else Texts(self.names),
        }

    @classmethod
    def _from_file(cls, fields: Fields) -> Schema:
        cuts = fields.array("cuts", np.float64, None)
        pointers = fields.array("cut_pointers", np.int64, None)
        n_columns = len(pointers) - 1
        missing, presence = (fields.array(n, bool, n_columns) for n in ("missing", "presence"))
        categories = {}
        for pair in fields.items("categories"):
            column, levels = pair
            categories[_checked_column(column, n_columns)] = _checked_levels(levels)
        names = fields.get("names")
        if names is not None and (type(names) is not Texts or len(set(names)) != n_columns):
            raise fields.wrong("names", f"must be {n_columns} different strings")
        _check_cuts(fields, cuts, pointers, list(categories))
        known = None if names is None else tuple(names)
        return cls(n_columns, cuts, pointers, missing, presence, categories, known)

    @staticmethod
    def learn(
        table: Table, repeats: Integers, max_bins: int = BYTE_BINS, workers: Workers | None = None
    ) -> Schema:
        """Learn the cuts and categories of a table; `repeats` are numbers of examples per row.

        If there are other processes with other rows, all of them learn the schema of all rows.
        """
        workers = workers or Workers()
        collective = workers.collective
        n_columns = table.n_columns
        cuts_of: dict[int, Floats] = {}
        missing = np.zeros(n_columns, dtype=bool)
        presence = np.zeros(n_columns, dtype=bool)
        categories: dict[int, tuple[Any, ...]] = {}
        counts = np.zeros(n_columns, dtype=np.int64)
        for group in table.groups:
            if isinstance(group, NumberColumns):
                _learn_numbers(group, repeats, max_bins, cuts_of, missing, workers)
            elif isinstance(group, CategoryColumns):
                for c, position in enumerate(group.positions.tolist()):
                    given = group.given[c]
                    if collective is not ALONE:
                        given = joint_values(given, collective)
                    levels, gone = levels_of(given, table, position)
                    categories[position] = levels
                    missing[position] = bool(levels) and gone
            else:
                flat, pointers, seen = _sparse_cuts(group, repeats, max_bins, collective)
                missing[group.positions] = seen
                presence[group.positions] = group.value is not None and group.value > 0
                if len(table.groups) == 1:  # already flat and in order
                    return Schema(n_columns, flat, pointers, missing, presence, {}, table.names)
                for c, position in enumerate(group.positions.tolist()):
                    if pointers[c + 1] > pointers[c]:
                        cuts_of[position] = flat[pointers[c] : pointers[c + 1]]
        for column, found in cuts_of.items():
            counts[column] = len(found)
        pointers = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
        ordered = [cuts_of[column] for column in sorted(cuts_of)]
        cuts = np.concatenate(ordered) if ordered else np.empty(0)
        return Schema(n_columns, cuts, pointers, missing, presence, categories, table.names)


def _learn_numbers(
    group: NumberColumns,
    repeats: Integers,
    max_bins: int,
    cuts_of: dict[int, Floats],
    missing: Flags,
    workers: Workers,
) -> None:
    n_rows, collective = len(repeats), workers.collective
    repeated = bool((repeats != 1).any())
    found: list[Floats] = [np.empty(0)] * group.n_columns
    holes, seen = np.zeros((2, group.n_columns), dtype=bool)
    waiting: list[tuple[Floats, Integers]] = []
    ones = np.ones(n_rows, dtype=np.int64)

    def learn(start: int, stop: int) -> None:
        keys, spare = np.empty((2, n_rows), dtype=np.uint64)
        values, counts = spare.view(np.float64), np.empty(n_rows, dtype=np.int64)
        out = np.empty((TOGETHER, min(max_bins, n_rows)))
        written = np.empty(TOGETHER, dtype=np.int64)
        for first, block in group.blocks(start, stop):
            own = holes[first : first + len(block)]
            if not repeated and collective is ALONE:
                binning.learn_block(
                    block, ones, keys, spare, values, counts, max_bins, out, written, own
                )
                for k, count in enumerate(written[: len(block)].tolist()):
                    found[first + k] = out[k, :count].copy()
                continue
            for c, column in enumerate(block, first):
                if repeated:
                    order = np.argsort(column, kind="stable")
                    size = n_rows - int(np.isnan(column).sum())  # NaN sorts last
                    ranked, ranks = column[order][:size], repeats[order][:size]
                    distinct = occurrences.distinct_sorted(ranked, ranks, values, counts)
                else:
                    distinct, size = occurrences.distinct_numbers(
                        column, ones, keys, spare, values, counts
                    )
                holes[c] = size < n_rows
                if collective is not ALONE:
                    seen[c] = distinct > 0
                    waiting.append((values[:distinct].copy(), counts[:distinct].copy()))
                    if len(waiting) == COLUMNS_AT_ONCE or c + 1 == stop:
                        most = slice(c + 1 - len(waiting), c + 1)
                        found[most] = joint_cuts(waiting, max_bins, collective)
                        waiting.clear()
                    continue
                holes[c] &= distinct > 0  # if all values are missing, there is nothing to split
                count = binning.cut_points(values[:distinct], counts[:distinct], max_bins, out[0])
                found[c] = out[0, :count].copy()

    if collective is ALONE:
        workers.run(learn, len(found), n_rows * len(found) * 20)
    else:  # in one thread, because all processes must take the columns in the same order
        learn(0, len(found))
        holes, seen = any_of(collective, np.stack([holes, seen]))
        holes &= seen
    missing[group.positions] = holes
    for position, cuts in zip(group.positions.tolist(), found, strict=True):
        cuts_of[position] = cuts


def _sparse_cuts(
    group: SparseColumns, repeats: Integers, max_bins: int, collective: Collective
) -> tuple[Floats, Integers, Flags]:
    """Cuts, pointers, and columns with missing values of a sparse group."""
    group.check()
    matrix = group.matrix
    n_columns = matrix.shape[1]
    pointers = np.zeros(n_columns + 1, dtype=np.int64)
    missing = np.zeros(n_columns, dtype=bool)
    everything = int(added(collective, repeats.sum()))
    if group.value is not None:
        # All entries are the same number (presence of words), so no column needs sorting.
        stored = np.zeros(n_columns, dtype=np.int64)
        binning.count_columns(
            owned(matrix.indptr, np.int64), owned(matrix.indices, np.int32), repeats, stored
        )
        stored = added(collective, stored)
        split = (stored > 0) & (stored < everything)
        cut = binning.midpoint(min(group.value, 0.0), max(group.value, 0.0))
        pointers[1:] = np.cumsum(split)
        return np.full(int(pointers[-1]), cut), pointers, missing
    if collective is ALONE:
        by_column = matrix.tocsc()
        starts, data = owned(by_column.indptr, np.int64), owned(by_column.data, np.float64)
        entries = owned(by_column.indices, np.int32)
    else:
        starts, data, repeats = joint_entries(matrix, repeats, collective)
        entries = np.arange(len(data), dtype=np.int32)
    cuts = np.empty(len(data) + n_columns)
    binning.sparse_cuts(
        starts,
        entries,
        data,
        repeats,
        everything,
        max_bins,
        cuts,
        pointers,
        missing,
    )
    return cuts[: pointers[-1]].copy(), pointers, missing


def levels_of(
    values: np.ndarray[Any, Any] | Coded, table: Table, position: int
) -> tuple[tuple[Any, ...], bool]:
    """Sorted distinct values, and whether any value is missing."""
    objects = values.distinct() if isinstance(values, Coded) else values.tolist()
    types = set(map(type, objects)) - {type(None)}
    try:
        if len(types) > 1:  # True, 1 and 1.0 are equal, but not the same
            kinds = set(zip(map(type, objects), objects, strict=True))
        else:
            kinds = {(type(value), value) for value in set(objects)}
    except TypeError:
        raise ValueError(
            f"categorical column {_label(table, position)} has values that cannot be compared, "
            "such as lists: convert them to text or numbers"
        ) from None
    present = [(kind.__name__, value) for kind, value in kinds if not is_missing(value)]
    # The first of several equal values stays, so that it does not depend on the order of the rows
    distinct = dict.fromkeys(value for _, value in sorted(present, key=itemgetter(0)))
    if len(distinct) > MAX_LEVELS:
        raise ValueError(
            f"categorical column {_label(table, position)} has {len(distinct)} levels, more than "
            f"{MAX_LEVELS}, which suggests an identifier or free text: drop it, or convert it to "
            "words or numbers"
        )
    return tuple(sorted(distinct, key=sort_key)), len(present) < len(kinds)


def sort_key(value: Any) -> tuple[int, Any, str]:
    """The order of levels: numbers first."""
    if isinstance(value, (bool, int, float, np.number)):
        return 0, float(value), str(value)
    return 1, str(value), type(value).__name__


def _label(table: Table, position: int) -> str:
    return str(position) if table.names is None else repr(table.names[position])


def _checked_column(column: Any, n_columns: int) -> int:
    if type(column) is not int or not 0 <= column < n_columns:
        raise ValueError(f"there is no category column {column!r}")
    return column


def _checked_levels(levels: Any) -> tuple[Any, ...]:
    if len(levels) > MAX_LEVELS or len(set(levels)) < len(levels):
        raise ValueError("a category has too many levels, or duplicate levels")
    if any(map(is_missing, levels)):
        raise ValueError("a level of a category is missing")
    return tuple(levels)


def _check_cuts(fields: Fields, cuts: Floats, pointers: Integers, categories: list[int]) -> None:
    """Refuse cuts that do not increase within a column, and too many cuts."""
    counts = np.diff(pointers)
    if len(pointers) < 2 or pointers[0] != 0 or pointers[-1] != len(cuts) or (counts < 0).any():
        raise fields.wrong("cut_pointers", "do not divide the cuts")
    if (counts >= MAX_BINS).any() or counts[categories].any():
        raise fields.wrong("cuts", "are too many for a column")
    rises = np.diff(cuts) > 0
    rises[pointers[(pointers > 0) & (pointers < len(cuts))] - 1] = True  # from column to column
    if not bool(rises.all()) or bool(np.isnan(cuts).any()):
        raise fields.wrong("cuts", "do not increase")


def same_names(expected: Sequence[str] | None, given: Sequence[str] | None) -> bool:
    """Whether two lists of column names are equal; True if one of them is unknown."""
    return expected is None or given is None or tuple(expected) == tuple(given)
