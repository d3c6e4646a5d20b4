"""What a model says about one column: a step function."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from underdog.data import Schema
from underdog.data.days import WEEKDAYS, date_name
from underdog.model.compiled import Compiled
from underdog.model.writing import counted, number_format, shortened
from underdog.types import Floats, Integers

MAX_LEVELS = 8
"""Levels with the same value that are named one by one."""


@dataclass(frozen=True, eq=False, repr=False)
class Places:
    """Where the values of a column can be: intervals of numbers, or levels.

    Place p < `count` is the p-th interval or level, and place `count` is for missing values and for
    levels that were not there in training.

    Attributes
    ----------
    column : int
    name : str
    kind : "number", "presence" or "category"
    cuts : (C,)
        Interval p of an ordered column holds the values above p of them.
    written : the cuts as text
    levels : of a category column, in the order of the values
    has_missing : bool
        Whether values were missing in training.
    """

    column: int
    name: str
    kind: Literal["number", "presence", "category"]
    cuts: Floats
    written: tuple[str, ...]
    levels: tuple[Any, ...]
    has_missing: bool

    @classmethod
    def from_schema(cls, schema: Schema, column: int, cuts: Floats) -> Places:
        """Those of a column, between some of its cuts."""
        name, missing = schema.name(column), bool(schema.missing[column])
        if column in schema.categories:
            levels = schema.categories[column]
            return cls(column, name, "category", np.empty(0), (), levels, missing)
        kind: Literal["presence", "number"] = "presence" if schema.presence[column] else "number"
        written = tuple(schema.written(column, cut) for cut in cuts.tolist())
        return cls(column, name, kind, cuts, written, (), missing)

    @property
    def count(self) -> int:
        """How many intervals or levels there are."""
        return len(self.levels) if self.kind == "category" else len(self.cuts) + 1

    @property
    def title(self) -> str:
        """The name beside cuts as text, where days since 1970 are a date."""
        return (self.kind == "number" and date_name(self.name)) or self.name

    def places(self, values: Floats) -> Integers:
        """Where numbers are; NaN is missing."""
        found = np.searchsorted(self.cuts, values, side="left")
        return np.where(np.isnan(values), self.count, found).astype(np.int64)

    def bounds(self, place: int) -> tuple[float | None, float | None]:
        """Above which cut the values of a place are, and up to which; None if they have no such."""
        if self.kind == "category" or place == self.count:
            return None, None
        ends = [None, *self.cuts.tolist(), None]
        return ends[place], ends[place + 1]

    def level(self, place: int) -> str | None:
        """The level that is at a place, of a category."""
        named = self.kind == "category" and place < self.count
        return str(self.levels[place]) if named else None

    def words(self, place: int) -> str:
        """A place as text that stands for itself: "30 < age <= 50"."""
        if place == self.count:
            return f"{self.title} is missing" + (" or new" if self.kind == "category" else "")
        if self.kind == "category":
            return f"{self.title} is {self.levels[place]}"
        low, high = self._bounds(place)
        if self.kind == "presence":
            return self.title + (" present" if low is not None else " absent")
        if low is None and high is None:
            return f"{self.title} is there"
        if low is None:
            return f"{self.title} <= {high}"
        return f"{self.title} > {low}" if high is None else f"{low} < {self.title} <= {high}"

    def _bounds(self, place: int) -> tuple[str | None, str | None]:
        low = self.written[place - 1] if place > 0 else None
        high = self.written[place] if place < len(self.cuts) else None
        return low, high


@dataclass(frozen=True, eq=False, repr=False)
class Shape(Places):
    """All stumps on one column as one step function, for every label.

    Attributes
    ----------
    column, name, kind, cuts, written, levels, has_missing
        See `Places`.
    values : (C + 1, K) or (levels, K)
        What the column adds to the score of each label; 0 for a word that is absent.
    missing : (K,)
    """

    values: Floats
    missing: Floats

    def __repr__(self) -> str:
        values = counted(len(self.values), "level" if self.kind == "category" else "interval")
        moves = f"{self.strength:{number_format([self.strength])}}"
        return f"Shape({shortened(self.name)!r}, {self.kind}, {values}, moves a score by {moves})"

    @property
    def table(self) -> Floats:
        """(places, K): `values`, and `missing` as the last."""
        return np.vstack([self.values, self.missing])

    @property
    def span(self) -> Floats:
        """(K,) the most by which two values of the column can differ in what they add."""
        known = self.table if self.has_missing else self.values
        result: Floats = np.ptp(known, axis=0)
        return result

    @property
    def strength(self) -> float:
        """The largest span: by how much the column can move a score."""
        return float(self.span.max())

    def pieces(self, label: int) -> list[tuple[str, float]]:
        """The step function of one label in words; neighbours of the same value are one."""
        values = self.values[:, label]
        if self.kind == "category":
            found = self._level_pieces(values)
        elif self.kind == "presence":
            found = [("present", float(values[-1]))]
        else:
            ends = np.append(np.flatnonzero(np.diff(values)), len(values) - 1)
            starts = np.append(0, ends[:-1] + 1)
            found = [
                (self._short(first, last), float(values[last]))
                for first, last in zip(starts.tolist(), ends.tolist(), strict=True)
            ]
        if self.has_missing:
            word = "missing or new" if self.kind == "category" else "missing"
            found.append((word, float(self.missing[label])))
        return found

    def _level_pieces(self, values: Floats) -> list[tuple[str, float]]:
        """Levels of the same value together, the highest first."""
        found = []
        for value in np.unique(values)[::-1].tolist():
            alike = [str(self.levels[place]) for place in np.flatnonzero(values == value)]
            more = len(alike) - MAX_LEVELS
            text = ", ".join(alike[:MAX_LEVELS]) + (f" and {more} more" if more > 0 else "")
            found.append((text, value))
        return found

    def _short(self, first: int, last: int) -> str:
        """The intervals from first to last, without the name of the column."""
        low, high = self._bounds(first)[0], self._bounds(last)[1]
        if low is None and high is None:
            return "any value"
        if low is None:
            return f"<= {high}"
        if high is None:
            return f"> {low}"
        if low in WEEKDAYS[:-1]:  # the day after it is the first of the interval
            low = WEEKDAYS[WEEKDAYS.index(low) + 1]
            return high if low == high else f"{low} to {high}"
        return f"{low} to {high}"


def shapes_of(compiled: Compiled, schema: Schema) -> tuple[Floats, list[Shape]]:
    """(K,) what the scores start from, and the step function of every column that matters.

    The score of a row is the start and what all columns add, exactly. A word that is absent adds
    nothing: what its rules say then is part of the start, so that a text is explained by the words
    that it has.
    """
    start, found = compiled.base.copy(), []
    for u, column in enumerate(compiled.columns.tolist()):
        first, last = compiled.pointers[u : u + 2].tolist()
        values, missing = compiled.table[first + u : last + u + 1], compiled.missing[u]
        if schema.presence[column]:
            absent = values[0]
            start += absent
            values, missing = values - absent, missing - absent
        places = Places.from_schema(schema, column, compiled.cuts[first:last])
        found.append(Shape(**vars(places), values=values, missing=missing))
    for column, table in compiled.categories.items():
        places = Places.from_schema(schema, column, np.empty(0))
        found.append(Shape(**vars(places), values=table[:-1], missing=table[-1]))
    moving = []
    for shape in found:
        if np.ptp(shape.table, axis=0).any():
            moving.append(shape)
        else:  # rules that cancel
            start += shape.missing
    return start, sorted(moving, key=lambda shape: shape.column)
