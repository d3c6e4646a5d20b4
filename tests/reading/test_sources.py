"""Compression, encodings and marks; standard input."""

import bz2
import gzip
import io
import lzma
import sys
from typing import Any

import pytest
from reading_files import Write, refused, rows

from underdog.reading import BadData, read, sources

CSV = "name,size\nZoë,1\nJürgen,2\n"
ROWS = [("Zoë", 1), ("Jürgen", 2)]


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, lzma.compress])
def test_compression_is_known_by_content(write: Write, pack: Any) -> None:
    assert rows(read(write(pack(CSV.encode())))) == ROWS
    packed = pack(CSV.encode() * 50)
    sentence = r": its (gzip|bzip2|xz) compression is broken \(.*\)"
    refused(write(packed[: len(packed) // 2]), sentence)


def test_zstd(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    path = write(pyarrow.compress(CSV.encode(), codec="zstd", asbytes=True), "data.csv.zst")
    assert rows(read(path)) == ROWS
    if sys.version_info < (3, 14):
        monkeypatch.setattr(sources, "find_spec", lambda _: None)
        refused(path, ": it is compressed with zstd: unpack it, or pip install zstandard")


def test_zip_is_refused(write: Write) -> None:
    refused(write(b"PK\x03\x04rest"), ": it is a zip archive: unpack it first")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32"])
def test_marks(write: Write, encoding: str) -> None:
    data = read(write(CSV.encode(encoding)))
    assert data.frame.columns == ["name", "size"]
    assert (rows(data), data.notes) == (ROWS, ())


def test_other_encodings_are_told(write: Write) -> None:
    data = read(write(CSV.encode("cp1252")))
    assert rows(data) == ROWS
    assert data.notes == ("It is not UTF-8 (line 2) and was read as Windows-1252.",)


def test_what_is_no_text(write: Write) -> None:
    refused(write(b"a,b\n1,\x81\n"), ", line 2: it is not UTF-8 or Windows-1252 text")
    refused(write(b"\xff\xfea\x00\n\x00\x00"), ", line 2: it is not UTF-16-LE, as its mark says")
    refused(write(b"a\n1\n\x002\n"), ", line 3: there is a NUL character: this is not a text file")


def test_the_line_is_right_in_later_blocks(
    write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sources, "BLOCK", 3)
    assert rows(read(write(CSV))) == ROWS  # a character may be cut by the end of a block
    data = read(write(b"abc,d\n1,2\n3,4\n5,\xe9\n"))
    assert data.notes[0] == "It is not UTF-8 (line 4) and was read as Windows-1252."


def test_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    def give(content: bytes) -> None:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))

    give(gzip.compress(CSV.encode()))
    data = read("-")
    assert (rows(data), data.source) == (ROWS, "standard input")
    give(b"a,b\n1\n")
    with pytest.raises(BadData, match=r"^standard input, row 1 \(line 2\): there are 1 values"):
        read("-")


def test_a_file_that_is_not_there(write: Write) -> None:
    path = write("").with_name("other.csv")
    refused(path, ": it cannot be opened: No such file or directory")
