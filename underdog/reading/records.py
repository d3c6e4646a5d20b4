"""Records of a delimited text, block by block, and errors in them."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, BinaryIO, Literal

import numpy as np

from underdog.frames.errors import BadData, counted
from underdog.reading.optional import polars

BLOCK = 1 << 22
"""Bytes read at once. Smaller is slower; larger needs more memory beside the frame."""

NEWLINE, RETURN, QUOTE = 10, 13, 34
OPEN_QUOTE = (
    "a quote opens a value here, but no quote before a separator or the end of a line closes it: "
    "close it, or double each quote that belongs to the value"
)


@dataclass
class Records:
    """The records after the header, as frames of text with columns "0", "1", ...

    Polars reads the blocks that have no quotes and the right number of separators in each line.
    Python's csv module reads the others: it is slower, but knows the line of an error.
    """

    file: BinaryIO
    separator: str
    names: list[str]
    path: str
    line: int
    """Lines before the next record."""
    quotes: bool = True
    """Whether quotes protect separators and ends of lines; else every line is a record."""
    row: int = 0
    blank_lines: int = 0

    def frames(self) -> Iterator[Any]:
        """One frame for each block."""
        while block := self.file.read(BLOCK):
            block += self.file.readline()
            yield self._plain(block) if self._is_plain(block) else self._careful(block)

    def _is_plain(self, block: bytes) -> bool:
        codes = np.frombuffer(block, dtype=np.uint8)
        if self.quotes and (codes == QUOTE).any():
            return False
        ends = np.flatnonzero(codes == NEWLINE)
        if codes[-1] != NEWLINE:
            ends = np.append(ends, len(codes))
        if (codes == RETURN).sum() != (codes[ends[ends > 0] - 1] == RETURN).sum():
            return False
        lengths = np.diff(ends, prepend=-1) - 1
        lengths[lengths == 1] -= codes[ends[lengths == 1] - 1] == RETURN
        separators = np.flatnonzero(codes == ord(self.separator))
        found = np.diff(np.searchsorted(separators, ends), prepend=0)
        return bool((found == len(self.names) - 1).all() and (lengths > 0).all())

    def _plain(self, block: bytes) -> Any:
        pl = polars()
        frame = pl.read_csv(
            io.BytesIO(block),
            has_header=False,
            separator=self.separator,
            quote_char=None,
            schema={str(c): pl.String for c in range(len(self.names))},
        )
        self.row += len(frame)
        self.line += len(frame)
        return unquoted(frame) if b'"' in block else frame

    def _careful(self, block: bytes) -> Any:
        pl = polars()
        columns: list[list[str]] = [[] for _ in self.names]
        before, lines = self.line, _Lines(block, self.file)
        with long_fields():
            reader = csv_reader(lines, self.separator, self.quotes, strict=True)
            try:
                for record in reader:
                    if record:
                        self.row += 1
                        self._check_width(record)
                        for values, value in zip(columns, record, strict=True):
                            values.append(value)
                    else:
                        self.blank_lines += 1
                    self.line = before + reader.line_num
                    lines.record_ends()
                    if lines.used_up:
                        break
            except csv.Error as error:
                self._refuse(str(error), lines)
        frame = pl.DataFrame(
            {str(c): pl.Series(values, dtype=pl.String) for c, values in enumerate(columns)}
        )
        return frame if self.quotes else unquoted(frame)

    def _check_width(self, record: list[str]) -> None:
        if len(record) != len(self.names):
            raise BadData(
                f"{counted(len(record), 'value')} for {counted(len(self.names), 'column')}: put "
                "values that contain the separator in quotes",
                path=self.path,
                row=self.row,
                line=self.line + 1,
            )

    def _refuse(self, error: str, lines: _Lines) -> None:
        row = self.row + 1
        opened = lines.opened_quote(self.separator)
        if "new-line" in error:
            problem = "a value has a carriage return: put it in quotes"
            raise BadData(problem, path=self.path, row=row, line=self.line + 1) from None
        raise BadData(OPEN_QUOTE, path=self.path, row=row, line=self.line + 1 + opened) from None


def csv_reader(lines: Iterable[str], separator: str, quotes: bool, strict: bool) -> Any:
    """Python's reader; if not `strict`, text after a closing quote is let through."""
    quoting: Literal[0, 3] = csv.QUOTE_MINIMAL if quotes else csv.QUOTE_NONE
    return csv.reader(lines, delimiter=separator, quoting=quoting, strict=strict)


def unquoted(frame: Any) -> Any:
    """Texts without the quotes around them, if those within are doubled."""
    pl = polars()
    inner = pl.all().str.slice(1).str.head(-1).str.replace_all('""', '"', literal=True)
    return frame.select(
        pl.when(pl.all().str.contains('^(?s:"(?:[^"]|"")*")$')).then(inner).otherwise(pl.all())
    )


class _Lines:
    """Lines of a block, and after its end those of the file, as long as a record needs them."""

    def __init__(self, block: bytes, file: BinaryIO) -> None:
        self._block, self._file = io.BytesIO(block), file
        self._size = len(block)
        self._record: list[str] = []

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        line = self._block.readline() or self._file.readline()
        if not line:
            raise StopIteration
        self._record.append(line.decode())
        return self._record[-1]

    @property
    def used_up(self) -> bool:
        return self._block.tell() == self._size

    def record_ends(self) -> None:
        self._record.clear()

    def opened_quote(self, separator: str) -> int:
        """On which line of the record, from 0, the last quote was opened."""
        opened, inside, start = 0, False, True
        for number, line in enumerate(self._record):
            for character in line:
                if character == '"' and (inside or start):
                    inside = not inside
                    opened = number if inside and start else opened
                    start = False
                elif not inside:
                    start = character in (separator, "\n", "\r")
        return opened


@contextmanager
def long_fields() -> Iterator[None]:
    """The csv module with no limit on the length of a value."""
    before = csv.field_size_limit(2**31 - 1)
    try:
        yield
    finally:
        csv.field_size_limit(before)
