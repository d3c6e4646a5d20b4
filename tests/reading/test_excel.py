"""A sheet of a workbook is read like the same table as CSV."""

import gzip
import io
from collections.abc import Callable
from datetime import date, datetime, time
from pathlib import Path
from typing import Any

import numpy as np
import openpyxl
import polars as pl
import pytest

from tests.reading.reading_files import Write, refused, rows
from underdog.frames import FrameEncoder
from underdog.reading import column_names, read

TABLE = [["age", "town", "since"], [31, "Rome", date(2024, 1, 31)], [54.5, None, date(2023, 2, 1)]]
Book = Callable[..., Path]


@pytest.fixture
def book(tmp_path: Path) -> Book:
    def make(*tables: list[list[Any]], merged: tuple[str, ...] = (), **names: Any) -> Path:
        made = openpyxl.Workbook()
        made.remove(made.active)
        for number, table in enumerate(tables, 1):
            page = made.create_sheet(f"sheet {number}")
            for row in table:
                page.append(row)
            for cells in merged:
                page.merge_cells(cells)
        path = tmp_path / "data.xlsx"
        made.save(path)
        return path

    return make


def test_numbers_texts_and_dates(book: Book) -> None:
    found = read(book(TABLE))
    assert found.format == "xlsx"
    assert found.notes == ()
    assert rows(found) == [(31.0, "Rome", "2024-01-31"), (54.5, None, "2023-02-01")]
    assert {name: role.kind for name, role in FrameEncoder().fit(found.frame).roles_.items()} == {
        "age": "number", "town": "category", "since": "date",
    }  # fmt: skip


def test_cells_of_all_types(book: Book) -> None:
    values = [
        True, 3.0, 1e-7, datetime(2024, 1, 31, 12, 30, 5), time(8, 30), "007", "12", " ", "#DIV/0!",
        "two\nlines, and \"quotes\"",
    ]  # fmt: skip
    path = book([[f"c{place}" for place in range(len(values) + 1)], [*values, "x"], [*values, "y"]])
    first, *_ = rows(read(path))
    assert [each for each in first if each == each] == [  # without those that are missing, NaN
        "true", 3, 1e-7, "2024-01-31 12:30:05", "08:30:00", "007", 12,
        "two\nlines, and \"quotes\"", "x",
    ]  # fmt: skip
    found = read(path, verbatim=["c6"], columns=["c6", "c1"])
    assert rows(found)[0] == (3, "12")


def test_numbers_stored_as_text(book: Book) -> None:
    table = [["a", "b"], ["1", "1,234.5"], [2, "2,000,000.25"], ["3.5", "7"], ["NA", "8"]]
    found = read(book(table))
    assert rows(found)[:3] == [(1.0, 1234.5), (2.0, 2000000.25), (3.5, 7.0)]
    assert np.isnan(found.frame["a"][3])
    assert found.frame.dtypes == [pl.Float64, pl.Float64]
    assert found.read_options == {"commas": {"b": "thousands"}}


def test_empty_rows_and_columns(book: Book) -> None:
    table = [[], [None, *TABLE[0]], [], [None, *TABLE[1]], [], [], [None, *TABLE[2]], []]
    found = read(book(table))
    assert rows(found) == rows(read(book(TABLE)))
    assert found.notes == ("Empty rows were skipped: 3.",)


def test_a_title_above_the_table(book: Book) -> None:
    for merged in ((), ("A1:C1",)):
        found = read(book([["Clients 2024"], [], *TABLE], merged=merged))
        assert found.frame.columns == TABLE[0]
        assert len(found) == 2
        assert found.notes == ("'Clients 2024' above the table was skipped.",)
    assert read(book([["a"], [1], [2]])).frame.columns == ["a"]  # the only column


def test_merged_header_cells(book: Book) -> None:
    table = [
        ["id", "size", None, "age"],
        [None, "width", "height", None],
        [1, 2, 3, 4],
        [5, 6, 7, 8],
    ]
    found = read(book(table, merged=("A1:A2", "B1:C1", "D1:D2")))
    assert found.frame.columns == ["id", "size width", "size height", "age"]
    assert rows(found) == [(1, 2, 3, 4), (5, 6, 7, 8)]
    assert found.notes == ()


def test_merged_cells_below_the_header(book: Book) -> None:
    found = read(book([["area", "n"], ["north", 1], [None, 2], ["south", 3]], merged=("A2:A3",)))
    assert found.frame["area"].to_list() == ["north", "north", "south"]
    assert found.notes == (
        "Merged cells have their value in all rows and columns that they cover.",
    )


def test_without_a_header(book: Book) -> None:
    assert "The first row holds numbers" in read(book([[1, 2], [3, 4]])).notes[0]
    found = read(book([["x"], ["a", "b"], ["c", "d"]]), header=False)
    assert rows(found) == [("x", None), ("a", "b"), ("c", "d")]


def test_sheets(book: Book) -> None:
    path = book(TABLE, [["b"], [1], [2]])
    first = read(path)
    assert first.frame.columns == TABLE[0]
    assert first.notes == (
        "The first of 2 sheets, 'sheet 1', was read; --sheet chooses another: 'sheet 2'.",
    )
    second = read(path, sheet="sheet 2")
    assert rows(second) == [(1,), (2,)]
    assert second.notes == ()
    refused(path, ": there is no sheet 'sheet 3': did you mean 'sheet 2'.", sheet="sheet 3")
    refused(book([]), ": the sheet 'sheet 1' is empty: choose another by --sheet")
    hidden = openpyxl.load_workbook(book(TABLE, [["b"], [1], [2]]))
    hidden.worksheets[0].sheet_state = "hidden"
    hidden.save(path)
    assert read(path).frame.columns == ["b"]


def test_other_names_and_other_files(book: Book, write: Write) -> None:
    content = book(TABLE).read_bytes()
    for name, made in (("x.csv", content), ("x", content), ("x.xlsx.gz", gzip.compress(content))):
        path = write(made, name)
        assert len(read(path)) == 2
        assert column_names(str(path)) is None
    refused(write("a,b\n1,2\n", "y.xlsx"), r": this is not an Excel workbook \(.xlsx\), or it .*")
    cut = io.BytesIO(content[:-30])
    refused(write(cut.getvalue(), "z.xlsx"), ": this is a zip archive: unpack it .*")
    csv = write("a,b\n1,2\n", "c.csv")
    refused(csv, ": this is csv, but only Excel workbooks have sheets", sheet="a")
    assert column_names(str(csv), sheet="a") is None


def test_names_that_repeat(book: Book) -> None:
    refused(book([["a", "b", "a"], [1, 2, 3]]), ", line 1: columns 1 and 3 are both named 'a': .*")
