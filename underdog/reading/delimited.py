"""CSV, TSV and the like: a first look at the layout, then block by block."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from underdog.frames.errors import BadData
from underdog.frames.values import EXACT
from underdog.reading.choice import select_columns
from underdog.reading.layout import lay_out
from underdog.reading.numerals import as_numbers, commas_note, localised, mixture
from underdog.reading.optional import polars
from underdog.reading.records import Records
from underdog.reading.sources import Text


def read_delimited(
    text: Text,
    path: str,
    separator: str | None,
    header: bool | None,
    columns: Collection[str] | None,
    verbatim: Collection[str],
    commas: Mapping[str, str],
) -> tuple[Any, list[str], dict[str, str]]:
    """The frame, notes, and what the commas in numbers mean, by column.

    Columns in `commas` are read as text first: if their commas are decimal, 1.234 means 1234.
    """
    records, notes = lay_out(text.file, path, separator, header)
    start, again = text.file.tell(), replace(records)
    places = {name: place for place, name in enumerate(records.names)}
    names = select_columns(records.names, columns, path)
    # A value takes at least one byte, its separator, which limits the number of rows.
    capacity = min(text.lines, text.size // len(records.names) + 1)
    made = {
        places[name]: _DelimitedColumn(capacity, name in verbatim or name in commas)
        for name in names
    }
    _collect(records, made)
    if not records.row:
        raise BadData("there are no rows after the header", path=path)
    late = {place: _DelimitedColumn(0, True) for place, column in made.items() if column.late}
    if late:  # a word after blocks of numbers: the column is read again, as text
        text.file.seek(start)
        _collect(again, late)
    frame, found = {}, {}
    for name in names:
        series = (late if places[name] in late else made).pop(places[name]).series()
        if series.dtype == polars().String and name not in verbatim:
            numbers, kinds = localised(series, records.separator, commas.get(name))
            if numbers is None:
                notes.append(mixture(name, series))
            else:
                notes.append(commas_note(name, kinds))
                series, found[name] = numbers, kinds[0]
        frame[name] = series
    if records.blank_lines:
        notes.append(f"Blank lines were skipped: {records.blank_lines:,}.")
    return polars().DataFrame(frame), [note for note in notes if note], found


def _collect(records: Records, columns: dict[int, _DelimitedColumn]) -> None:
    for frame in records.frames():
        open_yet = [str(place) for place, column in columns.items() if column.may_be_numbers]
        numbers = as_numbers(frame.select(open_yet)) if open_yet else {}
        for place, column in columns.items():
            column.add(frame[str(place)], numbers.get(str(place)))


class _DelimitedColumn:
    """A column as it grows: numbers as long as all values are, else text.

    Numbers are written to their final place, so they are in memory only once. There is room for
    `capacity` of them, which may be too many: memory that is not written to costs nothing.
    """

    def __init__(self, capacity: int, verbatim: bool) -> None:
        self._numbers = None if verbatim else np.empty(capacity)
        self._count = 0
        self._texts: list[Any] = []
        self.late = False

    @property
    def may_be_numbers(self) -> bool:
        return self._numbers is not None

    def add(self, texts: Any, numbers: Any) -> None:
        """Append values; `numbers` are the same as numbers, or None if not all of them are."""
        if self._numbers is not None and numbers is not None:
            stop = self._count + len(numbers)
            self._numbers[self._count : stop] = numbers.to_numpy()
            self._count = stop
            return
        if self._numbers is not None:
            self._numbers, self.late = None, self._count > 0
        if not self.late:
            self._texts.append(texts)

    def series(self) -> Any:
        """The whole column; whole numbers have the smallest integer type that holds them."""
        pl = polars()
        if self._numbers is None:
            return pl.concat(self._texts, rechunk=True)
        return pl.Series(_narrowed(self._numbers[: self._count]))


def _narrowed(values: Any) -> Any:
    low, high = values.min(), values.max()
    if np.isnan(low) or max(-low, high) > EXACT or bool((values != np.floor(values)).any()):
        return values
    dtypes = (np.int8, np.int16, np.int32, np.int64)
    fits = (d for d in dtypes if np.iinfo(d).min <= low and high <= np.iinfo(d).max)
    return values.astype(next(fits))
