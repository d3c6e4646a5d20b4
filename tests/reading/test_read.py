"""Which format it is, Parquet, and any bytes at all."""

import gzip
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from tests.reading.reading_files import Write, refused, rows
from underdog.reading import FORMATS, BadData, Data, read


def parquet(path: Path, frame: pl.DataFrame) -> Path:
    frame.write_parquet(path)
    return path


def test_parquet(tmp_path: Path) -> None:
    frame = pl.DataFrame({"a": [1, 2], "b": ["x", None]})
    path = parquet(tmp_path / "x.parquet", frame)
    assert read(path).frame.equals(frame)
    assert read(parquet(tmp_path / "nameless", frame)).format == "parquet"
    assert rows(read(path, columns=["b"])) == [("x",), (None,)]
    refused(path, ": there is no column 'c': the columns are 'a', 'b'", columns=["c"])
    refused(parquet(path, frame.head(0)), ": there are no rows")
    nested = pl.DataFrame({"a": [[1], [2]], "b": [1, 2]})
    assert read(parquet(path, nested)).frame.equals(nested)
    path.write_bytes(b"PAR1 and no more")
    refused(path, r": this is not a Parquet file, or it is damaged \(.*\)")


@pytest.mark.parametrize(
    ("name", "content", "form"),
    [
        ("x.CSV", "a\n1\n", "csv"),
        ("x.tsv.gz", "a\tb\n1\t2\n", "tsv"),
        ("x.tab", "a\n1\n", "tsv"),
        ("x", ' {"a": 1}\n', "jsonl"),
        ("x.txt", "a;b\n1;2\n", "csv"),
    ],
)
def test_format_by_name_then_by_content(write: Write, name: str, content: str, form: str) -> None:
    assert read(write(content, name)).format == form


def test_a_format_can_be_given(write: Write) -> None:
    assert read(write('{"a": 1}\n', "x.csv"), format="jsonl").format == "jsonl"
    with pytest.raises(ValueError, match=r"format='xls' must be 'csv' or"):
        read(write("a\n1\n"), format="xls")


def test_polars_is_an_extra(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "polars", None)
    with pytest.raises(ImportError, match=r'pip install "underdog\[cli\]"'):
        read(write("a\n1\n"))


PIECES = st.sampled_from(
    [b"a", b"1", b"-", b".5", b",", b",", b";", b"\t", b"\n", b"\n", b"\r\n", b"\r", b'"', b'""',
     b" ", b"\xe9", "é".encode(), b"\x00", b"{", b"}", b'{"a":', b"[", b"1:2 ", b"#", b"NA", b"007",
     b"1e400", b"9" * 20, b"\xef\xbb\xbf", b"\xff\xfe", b"\x1f\x8b", b"PAR1", b"BZh9", b"nan"]
)  # fmt: skip
CONTENT = st.one_of(st.binary(max_size=200), st.lists(PIECES, max_size=40).map(b"".join))


@pytest.fixture(scope="module")
def attempt(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., None]:
    path = tmp_path_factory.mktemp("any") / "data"

    def read_or_refuse(content: bytes, form: str | None) -> None:
        path.write_bytes(content)
        message = str(path)
        try:
            data: Data | None = read(path, format=form)
        except BadData as error:
            data, message = None, str(error)
        assert data is None or len(data) > 0
        assert message.startswith(str(path))
        assert "\n" not in message

    return read_or_refuse


@settings(max_examples=500, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@example(b"\x1f\x8b\x08\x00", None)
@example(b"PAR1\x00\x00\x00\x00\xff\xff\xff\x7fPAR1", "parquet")
@example(gzip.compress(b"\x00"), None)
@example(b'a\n"', "csv")
@example(b"{}", None)
@given(content=CONTENT, form=st.sampled_from([None, None, *FORMATS[:-1]]))
def test_any_bytes_are_read_or_refused(attempt: Any, content: bytes, form: str | None) -> None:
    attempt(content, form)
