"""Compression, encodings and marks; standard input."""

import bz2
import gzip
import io
import lzma
import os
import sys
import tempfile
import threading
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from tests.reading.reading_files import Write, refused, rows
from underdog import AdaBoostClassifier
from underdog.files.store import to_bytes
from underdog.reading import BadData, column_names, read, sources

CSV = "name,size\nZoë,1\nJürgen,2\n"
ROWS = [("Zoë", 1), ("Jürgen", 2)]


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, lzma.compress])
def test_compression_is_known_by_content(write: Write, pack: Any) -> None:
    assert rows(read(write(pack(CSV.encode())))) == ROWS
    packed = pack(CSV.encode() * 50)
    sentence = r": the file is damaged \(.*\)"
    refused(write(packed[: len(packed) // 2]), sentence)


def test_zstd(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    path = write(pyarrow.compress(CSV.encode(), codec="zstd", asbytes=True), "data.csv.zst")
    assert rows(read(path)) == ROWS
    if sys.version_info < (3, 14):
        monkeypatch.setattr(sources, "find_spec", lambda _: None)
        refused(path, ": compressed with zstd: unpack it, or pip install zstandard")


def zipped(*names: str) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        for name in names:
            archive.writestr(name, "content " * 20_000)
    return made.getvalue()


def model_file() -> bytes:
    return to_bytes(AdaBoostClassifier(n_estimators=1).fit([[0], [1]], [0, 1]))[0]


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (lambda: b"PK\x03\x04rest", ": this is a zip archive: unpack it and give one of .*"),
        (lambda: zipped("a.csv", "b.csv"), ": this is a zip archive: unpack it and .*"),
        (
            lambda: zipped("[Content_Types].xml", "xl/workbook.bin"),
            r": this is a binary Excel workbook or .*: save it as an Excel workbook \(.xlsx\) .*",
        ),
        (
            lambda: b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",
            r": this is an old Excel file \(.xls\), or one with a password, .*: save it as .*",
        ),
        (model_file, ": this is an underdog model, not data: give a data file"),
        (lambda: gzip.compress(model_file()), ": this is an underdog model, .*"),
    ],
)
@pytest.mark.parametrize("name", ["data.csv", "data.xlsx", "data.parquet"])
def test_files_of_other_kinds_are_told_what_they_are(
    write: Write, content: Callable[[], bytes], sentence: str, name: str
) -> None:
    path = write(content(), name)
    refused(path, sentence)
    if content()[:2] != b"\x1f\x8b":
        with pytest.raises(BadData, match=r"this is an? "):
            column_names(str(path))


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32"])
def test_marks(write: Write, encoding: str) -> None:
    data = read(write(CSV.encode(encoding)))
    assert data.frame.columns == ["name", "size"]
    assert (rows(data), data.notes) == (ROWS, ())


def test_other_encodings_are_told(write: Write) -> None:
    data = read(write(CSV.encode("cp1252")))
    assert rows(data) == ROWS
    assert data.notes == ("Line 2 is not UTF-8: the file was read as Windows-1252.",)


def test_what_is_no_text(write: Write) -> None:
    refused(write(b"a,b\n1,\x81\n"), ", line 2: this is not UTF-8 or Windows-1252 text")
    sentence = ", line 2: this is not UTF-16-LE, although its byte-order mark says so"
    refused(write(b"\xff\xfea\x00\n\x00\x00"), sentence)
    refused(write(b"a\n1\n\x002\n"), ", line 3: this is not a text file: there is a NUL character")


def test_the_line_is_right_in_later_blocks(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sources, "BLOCK", 3)
    assert rows(read(write(CSV))) == ROWS  # a character may be cut by the end of a block
    data = read(write(b"abc,d\n1,2\n3,4\n5,\xe9\n"))
    assert data.notes[0] == "Line 4 is not UTF-8: the file was read as Windows-1252."


def test_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    def give(content: bytes) -> None:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))

    give(gzip.compress(CSV.encode()))
    data = read("-")
    assert (rows(data), data.source) == (ROWS, "standard input")
    give(b"a,b\n1\n")
    with pytest.raises(BadData, match=r"^standard input, row 1 \(line 2\): 1 value for"):
        read("-")


@contextmanager
def pipe(content: bytes) -> Iterator[str]:
    """What a shell makes of <(cat file)."""
    ours, theirs = os.pipe()

    def feed() -> None:
        with os.fdopen(theirs, "wb") as file:
            file.write(content)

    feeder = threading.Thread(target=feed)
    feeder.start()
    try:
        yield f"/dev/fd/{ours}"
    finally:
        os.close(ours)
        feeder.join()


def packed(form: str) -> bytes:
    """The same rows in each form that can be read."""
    frame = pl.DataFrame({"name": ["Zoë", "Jürgen"], "size": [1, 2]})
    made = io.BytesIO()
    if form == "parquet":
        frame.write_parquet(made)
        return made.getvalue()
    if form == "jsonl":
        return frame.write_ndjson().encode()
    text = CSV.replace(",", "\t") if form == "tsv" else CSV
    return text.encode("utf-16" if form == "utf-16" else "utf-8")


@pytest.mark.skipif(not Path("/dev/fd").exists(), reason="there are no names for pipes")
@pytest.mark.parametrize("pack", [bytes, gzip.compress, lzma.compress])
@pytest.mark.parametrize("form", ["csv", "tsv", "jsonl", "parquet", "utf-16"])
def test_a_pipe(form: str, pack: Callable[[bytes], bytes]) -> None:
    with pipe(pack(packed(form))) as path:
        data = read(path)
    assert (rows(data), data.source) == (ROWS, path)


@pytest.mark.skipif(not Path("/dev/fd").exists(), reason="there are no names for pipes")
def test_a_sparse_matrix_from_a_pipe() -> None:
    with pipe(b"1 1:0.5 3:2\n0 2:1\n") as path:
        data = read(path)
    assert data.matrix.toarray().tolist() == [[0.5, 0, 2], [0, 1, 0]]


@pytest.mark.parametrize("pack", [gzip.compress, lambda text: text.decode().encode("utf-16")])
def test_no_room_for_a_copy(write: Write, monkeypatch: pytest.MonkeyPatch, pack: Any) -> None:
    class Full(io.FileIO):
        def write(self, _: Any) -> int:
            raise OSError(28, "No space left on device")

    path = write(pack(CSV.encode()))
    full = write(b"", "copy")
    monkeypatch.setattr(tempfile, "TemporaryFile", lambda **_: Full(full, "r+"))
    refused(path, r": no space for a temporary copy in .* \(No space left on device\): free .*")


def test_a_file_that_is_not_there(write: Write) -> None:
    path = write("").with_name("other.csv")
    refused(path, ": cannot be opened: No such file or directory")
