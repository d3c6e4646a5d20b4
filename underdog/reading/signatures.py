"""Files of other kinds, recognised by their first bytes: what they are, and what to do."""

from __future__ import annotations

import zipfile
from typing import BinaryIO

from underdog.frames.errors import BadData
from underdog.reading.formats import ZIP

BYTES = 64
"""How many first bytes are enough to recognise a file."""

SAVE_AS = "save it as an Excel workbook (.xlsx) or the sheet as CSV (File > Save As)"
SIGNATURES = (
    (b"\xd0\xcf\x11\xe0", "an old Excel file (.xls), or one with a password", SAVE_AS),
    (b"ARROW1", "an Arrow or Feather file", "save it as Parquet or CSV"),
    (b"\x89HDF", "an HDF5 file", "save the table as Parquet or CSV"),
    (b"SQLite format 3", "an SQLite database", "export the table as CSV"),
    (b"%PDF", "a PDF document", "give the table or the texts as CSV or JSON lines"),
    (b"\x80\x04", "a Python pickle", "save the table as Parquet or CSV"),
    (b"\x80\x05", "a Python pickle", "save the table as Parquet or CSV"),
)
WORKBOOK = "xl/workbook.xml"
"""Inside a workbook of Excel, which is a zip archive."""
OTHER_SHEETS = ("xl/workbook.bin", "content.xml")
"""Inside a binary workbook of Excel, and one of LibreOffice."""
MODEL = b'{"__metadata__":{"underdog"'
"""After the eight bytes of a size, how a model file begins."""


def refuse_other_formats(file: BinaryIO, name: str) -> None:
    """Raise BadData for a file of a known kind that cannot be read."""
    start = file.read(BYTES)
    file.seek(0)
    if is_model(start):
        raise BadData("this is an underdog model, not data: give a data file", path=name)
    if start.startswith(ZIP):
        _refuse_archive(file, name)
    for signature, what, remedy in SIGNATURES:
        if start.startswith(signature):
            raise BadData(f"this is {what}, which cannot be read: {remedy}", path=name)


def is_model(start: bytes) -> bool:
    """Whether a file with these first bytes is a model that underdog has saved."""
    return start[8:].startswith(MODEL)


def _refuse_archive(file: BinaryIO, name: str) -> None:
    """Raise BadData unless a zip archive is a workbook that can be read."""
    try:
        with zipfile.ZipFile(file) as archive:
            names = set(archive.namelist())
    except zipfile.BadZipFile:
        names = set()
    finally:
        file.seek(0)
    if WORKBOOK in names:
        return
    if names & set(OTHER_SHEETS):
        what = "a binary Excel workbook or one of LibreOffice, which cannot be read"
        raise BadData(f"this is {what}: {SAVE_AS}", path=name)
    raise BadData("this is a zip archive: unpack it and give one of its files", path=name)
