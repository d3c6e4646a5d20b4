"""JSON lines: keys are columns, and each line is an object."""

import polars as pl
import pytest

from tests.reading.reading_files import Write, refused, rows
from underdog.reading import jsonlines, read


@pytest.fixture(params=[1, 20_000], ids=["small pieces", "one piece"], autouse=True)
def pieces(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jsonlines, "ROWS", request.param)


def test_types_and_keys_that_are_missing(write: Write) -> None:
    data = read(
        write('{"a": 1, "b": "x"}\n\n{"a": 2.5, "c": true}\r\n{"b": null, "a": null}\n', "x.jsonl")
    )
    assert data.frame.schema == {"a": pl.Float64, "b": pl.String, "c": pl.Boolean}
    assert rows(data) == [(1.0, "x", None), (2.5, None, True), (None, None, None)]
    assert data.format == "jsonl"


def test_whole_numbers_and_numbers(write: Write) -> None:
    assert read(write('{"a": 1}\n{"a": 2}\n', "x.ndjson")).frame.dtypes == [pl.Int64]
    assert rows(read(write('{"a": 1}\n{"a": 1e999}\n', "x.json"))) == [(1.0,), (float("inf"),)]
    assert rows(read(write('{"a": 1}\n{"a": ' + "9" * 30 + "}\n"), format="jsonl"))[1][0] == 1e30


def test_mixed_types_are_told(write: Write) -> None:
    data = read(write('{"a": 1}\n{"a": "x"}\n{"a": true}\n{"a": 2.0}\n', "x.jsonl"))
    assert data.frame["a"].to_list() == ["1", "x", "true", "2"]
    assert data.notes == (
        "Column 'a' was read as text, because it holds numbers ('1' in row 1), text ('x' in row "
        "2), true or false ('True' in row 3); the first data row is 1.",
    )


def test_columns(write: Write) -> None:
    path = write('{"a": 1, "b": [2]}\n', "x.jsonl")
    assert rows(read(path, columns=["a"])) == [(1,)]
    refused(path, ": there is no column 'z': the columns are 'a', 'b'", columns=["z"])
    for empty in ("{}\n{}\n", "[{}]"):
        refused(write(empty, "x.jsonl"), ": there are no columns, because no object has a key")


def test_nested_columns_are_for_those_who_do_not_use_them(write: Write) -> None:
    data = read(write('{"a": 1, "b": 2}\n{"a": 2, "b": [{"c": 3}]}\n{"a": 3}\n', "x.jsonl"))
    assert data.frame["a"].to_list() == [1, 2, 3]
    assert data.frame["b"].dtype == pl.Struct
    assert data.notes == (
        "Column 'b' cannot be used, because it holds lists or objects ('[{\"c\": 3}]' in row 2 "
        "(the first data row is 1)).",
    )


def test_both_halves_are_a_character(write: Write) -> None:
    assert rows(read(write('{"a": "\\ud83d\\ude00"}\n', "x.jsonl"))) == [("\U0001f600",)]


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ('{"a": 1}\n{"a": "b\\ud83d"}\n', r", row 2 \(line 2\), column 'a': '\\ud83d' is half .*"),
        ('{"\\uDE00": 1}\n', r", row 1 \(line 1\), column '\\ude00': '\\ude00' is half .*"),
        (
            '{"a": 1}\n{"a": \n',
            r", row 2 \(line 2\): this line is not JSON \(Expecting value\): .*",
        ),
        ('{"a": ' + "[" * 100_000, r", row 1 \(line 1\): this line is not JSON \(.*\): .*"),
        ('{"a": 1}\n7\n', r", row 2 \(line 2\): this line is '7', which is not an object: .*"),
        ("\n\n", ": there are no rows"),
        ("", ": there are no rows"),
    ],
)
def test_what_is_refused(write: Write, content: str, sentence: str) -> None:
    refused(write(content, "x.jsonl"), sentence)
