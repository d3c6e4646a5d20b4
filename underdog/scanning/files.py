"""Files as sources of rows: Parquet and Arrow, delimited text, svmlight, arrays of NumPy."""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from underdog.frames.errors import BadData
from underdog.reading.formats import SAMPLE, format_by_content, format_by_name
from underdog.reading.layout import lay_out
from underdog.reading.numerals import as_numbers
from underdog.reading.optional import polars
from underdog.reading.records import Records
from underdog.reading.sources import as_text, opened
from underdog.reading.svmlight import read_svmlight
from underdog.scanning.blocks import Arrays, Roles, RowBlock, RowSource, rows_at_once

ARROW = (".arrow", ".feather", ".ipc")
FORMATS = ("parquet", "arrow", "csv", "tsv", "svmlight", "npy")


def file_source(path: Path, format: str | None, target: Any, weight: Any) -> RowSource:
    """The rows of a file; of Parquet and Arrow also of a folder, or of a pattern with *."""
    kind = format or _format(path)
    if kind not in FORMATS:
        raise ValueError(
            f"{path} is {kind}, which cannot be read in parts: give {', '.join(FORMATS[:-1])} or "
            "npy, or an iterable of frames"
        )
    marks = fingerprint(path)
    if kind == "npy":
        own = (_array(path, target), _array(path, weight))
        return Arrays(np.load(path, mmap_mode="r"), *own, marks)
    if kind == "svmlight":
        if target is not None or weight is not None:
            raise ValueError("the target of svmlight is the first number of each row: give none")
        return SvmlightFile(str(path), marks)
    roles = Roles(target, weight)
    if kind in ("parquet", "arrow"):
        return ColumnarFile(str(path), kind, roles, marks)
    return DelimitedFile(str(path), "\t" if kind == "tsv" else None, roles, marks)


def fingerprint(path: Path) -> list[Any]:
    """Names, sizes and times of the files of a path."""
    files = [path] if path.is_file() else sorted(path.parent.glob(path.name))
    if path.is_dir():
        files = sorted(file for file in path.rglob("*.*") if file.is_file())
    if not files:
        raise FileNotFoundError(f"{path} does not exist, or no file has such a name")
    return [[file.name, file.stat().st_size, file.stat().st_mtime_ns] for file in files]


def _format(path: Path) -> str:
    names = [path.name] if not path.is_dir() else sorted(one.name for one in path.rglob("*.*"))
    if not names or names[0].lower().endswith(ARROW):
        return "arrow" if names else "an empty folder"
    if names[0].lower().endswith(".npy"):
        return "npy"
    found = format_by_name(names[0])
    if found is None and path.is_file():
        with path.open("rb") as file:
            found = format_by_content(file.read(SAMPLE))
    return found or "of an unknown format"


def _array(path: Path, given: Any) -> Any:
    """An array, or the one in a file that is named."""
    if given is None or hasattr(given, "shape"):
        return given
    if not str(given).endswith(".npy"):
        raise ValueError(
            f"{path} has no names of columns, but {given!r} was given as one: give an array, or "
            "the path of an .npy file"
        )
    return np.load(given, mmap_mode="r")


@dataclass(frozen=True)
class ColumnarFile:
    """Parquet or Arrow."""

    path: str
    kind: str
    roles: Roles
    fingerprint: Any

    def blocks(self, memory: int) -> Iterator[RowBlock]:
        pl = polars()
        ending = "parquet" if self.kind == "parquet" else "arrow"
        path = f"{self.path}/**/*.{ending}" if Path(self.path).is_dir() else self.path
        try:
            rows = (pl.scan_parquet if self.kind == "parquet" else pl.scan_ipc)(path)
            n_rows = rows.select(pl.len()).collect().item()
            size = rows_at_once(memory, len(rows.collect_schema()))
            for start in range(0, n_rows, size):
                yield self.roles.split(rows.slice(start, size).collect(), self.path)
        except (pl.exceptions.PolarsError, pl.exceptions.PanicException) as error:
            raise BadData(str(error).partition("\n")[0], path=self.path) from None


@dataclass(frozen=True)
class DelimitedFile:
    """CSV, TSV and the like, as `underdog.reading` reads them.

    A column is numbers if all of its values are, which takes a pass before the first block. Others
    are categories, in which only the empty text is missing.
    """

    path: str
    separator: str | None
    roles: Roles
    fingerprint: Any

    def blocks(self, memory: int) -> Iterator[RowBlock]:
        with _records(self.path, self.separator) as records:
            start, first = records.file.tell(), replace(records)
            texts = self._texts(records)
            records.file.seek(start)
            parts: list[Any] = []
            found, size = 0, rows_at_once(memory, len(records.names))
            for frame in first.frames():
                parts.append(self._typed(frame, first.names, texts))
                found += len(frame)
                if found >= size:
                    yield self.roles.split(polars().concat(parts), self.path)
                    parts, found = [], 0
            if parts:
                yield self.roles.split(polars().concat(parts), self.path)

    def _texts(self, records: Records) -> set[str]:
        """The columns, as "0", "1", ..., with values that are not numbers."""
        texts: set[str] = set()
        every = [str(place) for place in range(len(records.names))]
        for frame in records.frames():
            open_yet = [name for name in every if name not in texts]
            if not open_yet:
                break
            texts |= set(open_yet) - set(as_numbers(frame.select(open_yet)))
        return texts

    def _typed(self, frame: Any, names: list[str], texts: set[str]) -> Any:
        pl = polars()
        numbers = [name for name in frame.columns if name not in texts]
        typed = as_numbers(frame.select(numbers)) if numbers else {}
        columns = {
            names[int(place)]: typed[place] if place in typed else frame[place].replace("", None)
            for place in frame.columns
        }
        return pl.DataFrame(columns)


@contextmanager
def _records(path: str, separator: str | None) -> Iterator[Records]:
    with ExitStack() as stack:
        text = as_text(stack.enter_context(opened(path)), path, stack)
        records, _ = lay_out(text.file, path, separator, None)
        yield records


@dataclass(frozen=True)
class SvmlightFile:
    """A label and the features that are not zero, a row a line; features are numbered as given."""

    path: str
    fingerprint: Any

    def blocks(self, memory: int) -> Iterator[RowBlock]:
        with ExitStack() as stack:
            file = as_text(stack.enter_context(opened(self.path)), self.path, stack).file
            while content := file.read(max(1 << 16, memory // COPIES_OF_TEXT)):
                content += file.readline()
                if content.strip():
                    matrix, labels, _ = read_svmlight(io.BytesIO(content), self.path, True)
                    yield RowBlock(matrix, labels)


COPIES_OF_TEXT = 16
"""Bytes that reading svmlight takes for each of its characters."""
