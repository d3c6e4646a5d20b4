"""JSON lines, one object per line, or an array of objects; the keys are the columns."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator
from typing import Any, BinaryIO

from underdog.frames.errors import BadData, row_number
from underdog.frames.values import as_text, shown
from underdog.reading.choice import select_columns
from underdog.reading.json_array import array_records
from underdog.reading.optional import polars

ROWS = 20_000
"""Rows that are held as Python objects at once."""
LARGEST = 2**63
NESTED = "lists or objects"
ONE_OBJECT = 'each line must be one object, such as {"age": 31, "city": "Rome"}'

_half = re.compile("[\ud800-\udfff]").search


def read_json(file: BinaryIO, path: str, columns: Collection[str] | None) -> tuple[Any, list[str]]:
    """The frame, and notes. A key that a row does not have is a missing value.

    A column with a list or an object gets the type of a struct; it is refused only if it is used.
    """
    records = array_records if _is_array(file) else _line_records
    made: dict[str, _JSONColumn] = {}
    keys: dict[str, None] = {}
    row = 0
    for row, (number, escaped, record) in enumerate(records(file, path), 1):
        keys.update(dict.fromkeys(record))
        for key, given in record.items():
            if columns is not None and key not in columns:
                continue
            value = _flat(given)
            if escaped and (half := _half(key + value if isinstance(value, str) else key)):
                raise BadData(
                    f"{half[0]!a} is half of a surrogate pair: write both halves, or leave it out",
                    path=path,
                    row=row,
                    line=number,
                    column=key,
                )
            made.setdefault(key, _JSONColumn()).add(row, value)
    if not row:
        raise BadData("there are no rows", path=path)
    if not keys:
        raise BadData("there are no columns, because no object has a key", path=path)
    select_columns(list(keys), columns, path)
    notes = [note for name, column in made.items() if (note := column.note(name))]
    return polars().DataFrame({name: column.series(row) for name, column in made.items()}), notes


def _is_array(file: BinaryIO) -> bool:
    start = file.tell()
    first = next((line.strip() for line in iter(file.readline, b"") if line.strip()), b"")
    file.seek(start)
    return first.startswith(b"[")


def _line_records(file: BinaryIO, path: str) -> Iterator[tuple[int, bool, dict[str, Any]]]:
    """The line of each object, whether it may have escaped characters, and the object."""
    row = 0
    for number, line in enumerate(iter(file.readline, b""), 1):
        if line.strip():
            row += 1
            yield number, b"\\u" in line, _record(line, path, row, number)


def _record(line: bytes, path: str, row: int, number: int) -> dict[str, Any]:
    try:
        record = json.loads(line)
        if isinstance(record, dict):
            return record
    except (ValueError, RecursionError) as error:
        reason = getattr(error, "msg", "nested too deeply")
        problem = f"this line is not JSON ({reason}): {ONE_OBJECT}"
        raise BadData(problem, path=path, row=row, line=number) from None
    raise BadData(
        f"this line is {shown(line.decode().strip())}, which is not an object: {ONE_OBJECT}",
        path=path,
        row=row,
        line=number,
    )


class _Nested(str):
    """The JSON of a list or an object."""


def _flat(value: Any) -> Any:
    return _Nested(json.dumps(value)) if isinstance(value, dict | list) else value


class _JSONColumn:
    """The values of one key, in pieces of one type each; text if the types differ."""

    def __init__(self) -> None:
        self._pieces: list[Any] = []
        self._values: list[Any] = []
        self._length = 0
        self._first: dict[str, tuple[int, Any]] = {}

    def add(self, row: int, value: Any) -> None:
        self._fill(row - 1)
        if isinstance(value, int) and not -LARGEST <= value < LARGEST:
            value = float(value) if abs(value) < 10**308 else str(value)
        kind = _kind(value)
        if kind not in self._first:
            self._first[kind] = row, value
        self._values.append(str(value) if kind == NESTED else value)
        self._length += 1
        if len(self._values) >= ROWS:
            self._close()

    def note(self, name: str) -> str:
        """A sentence about a column with lists or objects, or with values of several types."""
        if NESTED in self._first:
            row, value = self._first[NESTED]
            return (
                f"Column {name!r} cannot be used, because it holds {NESTED} "
                f"({shown(value)} in {row_number(row)})."
            )
        kinds = {kind: first for kind, first in self._first.items() if kind != "missing"}
        if len(kinds) < 2:
            return ""
        found = ", ".join(
            f"{kind} ({shown(value)} in row {row:,})" for kind, (row, value) in kinds.items()
        )
        return (
            f"Column {name!r} was read as text, because it holds {found}; the first data row is 1."
        )

    def series(self, rows: int) -> Any:
        pl = polars()
        self._fill(rows)
        self._close()
        dtypes = {piece.dtype for piece in self._pieces} - {pl.Null}
        if dtypes == {pl.Int64, pl.Float64}:
            dtypes = {pl.Float64}
        whole = dtypes.pop() if len(dtypes) == 1 else pl.String
        made = pl.concat(
            [_texts(piece) if whole == pl.String else piece.cast(whole) for piece in self._pieces],
            rechunk=True,
        )
        return pl.DataFrame({"json": made}).to_struct() if NESTED in self._first else made

    def _fill(self, rows: int) -> None:
        """Missing until this row."""
        if rows > self._length:
            self._close()
            self._pieces.append(polars().Series([None] * (rows - self._length)))
            self._length = rows

    def _close(self) -> None:
        pl = polars()
        if not self._values:
            return
        kinds = {_kind(value) for value in self._values} - {"missing"}
        if len(kinds) > 1:
            self._values = [as_text(value) for value in self._values]
        if kinds == {"numbers"} and any(isinstance(value, float) for value in self._values):
            piece = pl.Series(self._values, dtype=pl.Float64, strict=False)
        else:
            piece = pl.Series(self._values)
        self._pieces.append(piece)
        self._values = []


def _kind(value: Any) -> str:
    if value is None:
        return "missing"
    if isinstance(value, bool):
        return "true or false"
    if isinstance(value, _Nested):
        return NESTED
    return "text" if isinstance(value, str) else "numbers"


def _texts(piece: Any) -> Any:
    pl = polars()
    if piece.dtype == pl.String:
        return piece
    return pl.Series([as_text(value) for value in piece.to_list()], dtype=pl.String)
