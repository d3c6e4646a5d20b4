"""How a delimited text is laid out: its separator and its header."""

from __future__ import annotations

import csv
import io
from contextlib import suppress
from typing import BinaryIO

from underdog.frames.errors import BadData
from underdog.frames.values import is_absent, number_of, shown
from underdog.reading.records import OPEN_QUOTE, Records, csv_reader, long_fields

SEPARATORS = (",", "\t", ";", "|")
SAMPLE = 1 << 16
MANY = 100


def lay_out(
    file: BinaryIO, path: str, separator: str | None, header: bool | None
) -> tuple[Records, list[str]]:
    """The records after the header, and notes about it."""
    start = file.tell()
    sample = _sample(file)
    separator = separator or _find_separator(sample)
    file.seek(start)
    # Values between tabs are seldom quoted, and texts among them begin with quotes of their own.
    quotes = separator != "\t" or not _lines_agree(file, separator)
    file.seek(start)
    first, lines = _first_record(file, separator, quotes, path)
    reason = "" if header is not None else _not_a_header(first, _records(sample, separator, quotes))
    if header is False or reason:
        file.seek(start)
        names = [f"column {place}" for place in range(1, len(first) + 1)]
        note = f"{reason}, so it was read as data, and the columns are named 'column 1' and so on."
        return Records(file, separator, names, path, 0, quotes), [note] if reason else []
    names, notes = _names([name.strip() for name in first], path, lines)
    return Records(file, separator, names, path, lines, quotes), notes


def _not_a_header(first: list[str], records: list[list[str]]) -> str:
    """Why the first row is not a header; empty if it may be one."""
    if any(number_of(name) is not None for name in first):
        return "The first row holds numbers"
    columns = [[record[c] for record in records[1:] if c < len(record)] for c in range(len(first))]
    if any(values and all(map(_may_be_number, values)) for values in columns):
        return ""  # a word above numbers is a name
    for place, name in enumerate(first):
        if name.strip() and any(record[place : place + 1] == [name] for record in records[1:]):
            return f"The first row looks like data ({shown(name)} occurs again in its column)"
    return ""


def _may_be_number(text: str) -> bool:
    return number_of(text) is not None or is_absent(text)


def _lines_agree(file: BinaryIO, separator: str) -> bool:
    """Whether all lines, except blank ones, have the same number of separators."""
    found: set[int] = set()
    for line in iter(file.readline, b""):
        if line.strip(b"\r\n"):
            found.add(line.count(separator.encode()))
        if len(found) > 1:
            return False
    return True


def _sample(file: BinaryIO) -> str:
    """The first lines."""
    text = file.read(SAMPLE)
    whole = text[: text.rfind(b"\n") + 1] if len(text) == SAMPLE else text
    return (whole or text).decode(errors="ignore")


def _find_separator(sample: str) -> str:
    """The separator for which most of the first lines have the same number of values."""
    best, choice = (0.0, 1), ","
    for separator in SEPARATORS:
        widths = [len(record) for record in _records(sample, separator)]
        width = widths[0] if widths else 1
        share = widths.count(width) / max(1, len(widths))
        if width > 1 and (share, width) > best:
            best, choice = (share, width), separator
    return choice


def _records(sample: str, separator: str, quotes: bool = True) -> list[list[str]]:
    """The first records, up to one with an error; the error is raised when the file is read."""
    found = []
    with suppress(csv.Error):
        for record in csv_reader(io.StringIO(sample, newline=""), separator, quotes, strict=False):
            if record:
                found.append(record)
            if len(found) == MANY:
                break
    return found


def _first_record(file: BinaryIO, separator: str, quotes: bool, path: str) -> tuple[list[str], int]:
    """The first record that is not blank, and the lines up to its end."""
    lines = (line.decode() for line in iter(file.readline, b""))
    with long_fields():
        reader = csv_reader(lines, separator, quotes, strict=True)
        try:
            for record in reader:
                if record:
                    return record, reader.line_num
        except csv.Error:
            raise BadData(OPEN_QUOTE, path=path, line=1) from None
    raise BadData("the file is empty", path=path)


def _names(names: list[str], path: str, line: int) -> tuple[list[str], list[str]]:
    seen: dict[str, int] = {}
    result = []
    for place, name in enumerate(names, 1):
        if name and name in seen:
            raise BadData(
                f"columns {seen[name]} and {place} are both named {name!r}: rename one of them",
                path=path,
                line=line,
            )
        seen[name] = place
        result.append(name or f"column {place}")
    for place, name in enumerate(names, 1):
        if not name and f"column {place}" in seen:
            raise BadData(
                f"column {place} has no name, and another one is named 'column {place}': rename "
                "one of them",
                path=path,
                line=line,
            )
    unnamed = [new for old, new in zip(names, result, strict=True) if not old]
    notes = []
    if unnamed:
        notes.append(
            f"Columns without a name were named by their position: {', '.join(unnamed[:5])}."
        )
    return result, notes
