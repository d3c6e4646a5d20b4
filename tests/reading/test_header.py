"""Names of columns without reading the file."""

import gzip
import io
from pathlib import Path

import polars as pl
import pytest

from tests.reading.reading_files import Write
from underdog.reading import BadData, column_names, read
from underdog.reading.formats import SAMPLE

LONG = "".join(f"{number},x\n" for number in range(20_000))
assert len(LONG) > 2 * SAMPLE


@pytest.mark.parametrize(
    ("content", "options"),
    [
        ("a,b\n1,x\n", {}),
        (f"a,b\n{LONG}", {}),
        (gzip.compress(f"a,b\n{LONG}".encode()), {}),
        (LONG, {}),
        (LONG, {"header": True}),
        ("Zoë;b\n1;2\n".encode("cp1252"), {}),
        ("Zoë;b\n1;2\n".encode("utf-16"), {}),
        ("a|b\n1|2\n", {"separator": "|"}),
        ('"a,b",c\n1,2\n', {}),
        ("\n\n,b\n1,2\n", {}),
        ("a b\n1 2\n", {"header": False, "separator": " "}),
        ('a\tb\n"x"\t"y\n', {"format": "tsv"}),
    ],
)
def test_they_are_those_that_reading_gives(write: Write, content, options) -> None:
    path = write(content, "data")
    assert column_names(str(path), **options) == read(path, **options).frame.columns


def test_parquet(write: Write) -> None:
    made = io.BytesIO()
    pl.DataFrame({"a": [1], "b": [2]}).write_parquet(made)
    assert column_names(str(write(made.getvalue(), "x.parquet"))) == ["a", "b"]


@pytest.mark.parametrize(
    ("content", "name"),
    [
        ('{"a": 1}\n', "x.jsonl"),
        ("1 1:2\n", "x.svm"),
        ("", "x.csv"),
        ('a,"b\n1,2\n', "x.csv"),
        ("a,a\n1,2\n", "x.csv"),
        (",".join(f"a column with a long name {n}" for n in range(5_000)) + "\n", "x.csv"),
        (b"PAR1 and no more", "x.parquet"),
        (f'"a"\tb\n{LONG.replace(",", chr(9))}', "x.tsv"),
    ],
)
def test_where_they_are_not_known(write: Write, content, name: str) -> None:
    assert column_names(str(write(content, name))) is None


def test_standard_input_and_folders(tmp_path: Path) -> None:
    assert column_names("-") is None
    assert column_names(str(tmp_path)) is None
    assert column_names("anything", format="folder") is None


def test_a_missing_file() -> None:
    with pytest.raises(BadData, match=r"^no.csv: cannot be opened: No such file or directory$"):
        column_names("no.csv")
