"""Excel workbooks: a sheet is written as CSV, which is then read like any other.

So numbers that are stored as text, decimal commas, missing values and headers have one meaning
everywhere. What is special about a sheet is its cells: dates and truth values have types, cells may
be merged, and a title may stand above the table.
"""

from __future__ import annotations

import csv
import io
import warnings
from collections.abc import Iterator
from datetime import date, datetime, time
from typing import Any, BinaryIO, NamedTuple

from underdog.checks import import_extra
from underdog.frames.errors import BadData, did_you_mean, listed
from underdog.frames.values import as_text, shown
from underdog.reading.sources import Text

Grid = list[list[str]]


def sheet_as_csv(file: BinaryIO, path: str, sheet: str | None, header: bool | None) -> Text:
    """A sheet of a workbook as CSV, without empty rows and columns.

    Parameters
    ----------
    file : open workbook
    path : for messages
    sheet : its name; by default the first one
    header : False if the first row is data; then it is not searched for titles
    """
    page, notes = _choose(_workbook(file, path), sheet, path)
    merged = [_Range(*each.bounds) for each in page.merged_cells.ranges]
    grid = [[_written(cell) for cell in row] for row in page.iter_rows()]
    first = 0
    if header is not False:
        first, titles = _skip_titles(grid)
        notes += [f"{shown(title)} above the table was skipped." for title in titles]
    for each in merged:
        each.fill(grid)
    rows = grid[first:]
    if header is not False:
        depth = _header_depth([each.below(first) for each in merged])
        rows = [_names(rows[:depth]), *rows[depth:]]
        if any(each.last_row > first + depth for each in merged):
            notes.append("Merged cells have their value in all rows and columns that they cover.")
    full = [row for row in rows if any(row)]
    if not full:
        raise BadData(f"the sheet {page.title!r} is empty: choose another by --sheet", path=path)
    inside = [place for place, row in enumerate(rows) if any(row)]
    empty = inside[-1] - inside[0] + 1 - len(inside)
    if empty:
        notes.append(f"Empty rows were skipped: {empty:,}.")
    used = [place for place in range(len(full[0])) if any(row[place] for row in full)]
    made = io.StringIO(newline="")
    csv.writer(made, lineterminator="\n").writerows([row[place] for place in used] for row in full)
    content = made.getvalue()
    encoded = content.encode()
    return Text(io.BytesIO(encoded), content.count("\n") + 1, len(encoded), tuple(notes))


class _Range(NamedTuple):
    """Merged cells; rows and columns are counted from 1, as in Excel."""

    first_column: int
    first_row: int
    last_column: int
    last_row: int

    def fill(self, grid: Grid) -> None:
        """Give all of them the value of the first."""
        value = grid[self.first_row - 1][self.first_column - 1]
        for row in grid[self.first_row - 1 : self.last_row]:
            for place in range(self.first_column - 1, min(self.last_column, len(row))):
                row[place] = value

    def below(self, rows: int) -> _Range:
        """The same without so many rows above."""
        return self._replace(first_row=self.first_row - rows, last_row=self.last_row - rows)


def _workbook(file: BinaryIO, path: str) -> Any:
    openpyxl = import_extra("openpyxl", "cli", "reading Excel files")
    try:
        with warnings.catch_warnings():  # about styles and other things that are not data
            warnings.simplefilter("ignore")
            return openpyxl.load_workbook(file, data_only=True, keep_links=False)
    except Exception as error:  # of many types: the parts of a workbook refer to each other
        reason = str(error).partition("\n")[0] or type(error).__name__
        raise BadData(
            f"this is not an Excel workbook (.xlsx), or it is damaged ({reason})", path=path
        ) from None


def _choose(book: Any, sheet: str | None, path: str) -> tuple[Any, list[str]]:
    """The sheet to read, and notes."""
    pages = {page.title: page for page in book.worksheets}
    if sheet is not None:
        if sheet not in pages:
            hint = did_you_mean(sheet, pages, "sheets")
            raise BadData(f"there is no sheet {sheet!r}: {hint}", path=path)
        return pages[sheet], []
    visible = [name for name, page in pages.items() if page.sheet_state == "visible"]
    if not visible:
        raise BadData("the workbook has no visible sheet with cells", path=path)
    name, *others = visible
    if not others:
        return pages[name], []
    note = f"The first of {len(visible)} sheets, {name!r}, was read; --sheet chooses another"
    return pages[name], [f"{note}: {listed(others)}."]


def _written(cell: Any) -> str:
    """A cell as in a CSV file; empty if there is an error in it, such as #DIV/0!."""
    value = cell.value
    if cell.data_type == "e":
        return ""
    if isinstance(value, datetime):
        is_day = value.time() == time()
        return value.date().isoformat() if is_day else value.isoformat(" ", "seconds")
    if isinstance(value, date):
        return value.isoformat()
    text = as_text(value)
    return "" if text is None or not text.strip() else text


def _skip_titles(grid: Grid) -> tuple[int, list[str]]:
    """How many rows are above the table, and the titles in them.

    A title is the only value in its row, where other rows have several.
    """
    titles: list[str] = []
    if max((_filled(row) for row in grid), default=0) < 2:
        return 0, titles
    for place, row in enumerate(grid):
        if _filled(row) > 1:
            return place, titles
        titles += [value for value in row if value]
    raise AssertionError  # some row has several values


def _filled(row: list[str]) -> int:
    return sum(map(bool, row))


def _header_depth(merged: list[_Range]) -> int:
    """Number of rows of the header: below a cell that is merged over columns are their names."""
    depth = 1
    for each in sorted(merged, key=lambda one: one.first_row):
        if 1 <= each.first_row <= depth:
            wide = each.last_column > each.first_column
            depth = max(depth, each.last_row + wide)
    return depth


def _names(rows: Grid) -> list[str]:
    """The parts of each name, from the top, without repeats."""
    columns: Iterator[tuple[str, ...]] = zip(*rows, strict=True)
    return [" ".join(dict.fromkeys(part for part in parts if part)) for parts in columns]
