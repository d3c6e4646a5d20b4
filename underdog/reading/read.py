"""Any of the usual data files to a frame."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from contextlib import ExitStack
from os import PathLike, fspath
from pathlib import Path
from typing import Any, BinaryIO

from underdog.checks import check_choice
from underdog.frames.errors import BadData
from underdog.reading.data import Data
from underdog.reading.delimited import read_delimited
from underdog.reading.excel import sheet_as_csv
from underdog.reading.folder import read_folder
from underdog.reading.formats import FORMATS, SAMPLE, format_by_content, format_by_name
from underdog.reading.jsonlines import read_json
from underdog.reading.parquet import read_parquet
from underdog.reading.sources import as_text, opened, source_name
from underdog.reading.svmlight import read_svmlight


def read(
    path: str | PathLike[str],
    *,
    format: str | None = None,
    separator: str | None = None,
    header: bool | None = None,
    sheet: str | None = None,
    columns: Collection[str] | None = None,
    verbatim: Collection[str] = (),
    read_options: Mapping[str, Any] | None = None,
) -> Data:
    """Read a data file.

    CSV, TSV, JSON (an object on each line, or an array of objects), Excel, Parquet, svmlight, or a
    folder of texts with a sub-folder for each class; compressed with gzip, bzip2, xz or zstd, or
    not. The format is found from the name, else from the content.

    A column of a delimited file or a sheet is numbers if all of its values are, but for those that
    are missing ("", "NA", "?" and the like). It is text if a number begins with zeros, such as 007.

    Parameters
    ----------
    path : str or path
        "-" is standard input.
    format : {"csv", "tsv", "jsonl", "json", "xlsx", "parquet", "svmlight", "folder"}, optional
    separator : str, optional
        One character; by default a comma, tab, semicolon or bar, whichever fits the first lines
        best.
    header : bool, optional
        Whether the first row of a delimited file is its header; by default it is, unless it holds
        a number or looks like data.
    sheet : str, optional
        The sheet of an Excel workbook; by default the first.
    columns : collection of str, optional
        The columns to read, all by default.
    verbatim : collection of str
        Columns of a delimited file or a sheet to read as text even if they hold numbers only.
    read_options : dict, optional
        The `read_options` of data that were read before: what was found out about them is used
        here too. One file may have 2,985,800, and another only 250,000, which could be 250.

    Returns
    -------
    Data

    Raises
    ------
    BadData
        The file cannot be used; the message says why, and in which row and column.
    """
    _check_layout(format, separator)
    path = fspath(path)
    zero_based, known_commas = _known(read_options or {})
    name = source_name(path)
    if format == "folder" or (format is None and path != "-" and Path(path).is_dir()):
        return _read_folder(path, name)
    commas: dict[str, str] = {}
    with ExitStack() as stack:
        file = stack.enter_context(opened(path))
        format = format or _find_format(file, path)
        if sheet is not None and format != "xlsx":
            raise BadData(f"this is {format}, but only Excel workbooks have sheets", path=name)
        if format == "parquet":
            return Data(read_parquet(file, name, columns), None, None, name, format)
        if format == "xlsx":
            text = sheet_as_csv(file, name, sheet, header)
        else:
            text = as_text(file, name, stack)
        if format == "svmlight":
            matrix, labels, zero = read_svmlight(text.file, name, zero_based)
            return Data(None, matrix, labels, name, format, text.notes, {"zero_based": zero})
        if format in ("jsonl", "json"):
            frame, notes = read_json(text.file, name, columns)
        else:
            mark = {"tsv": separator or "\t", "xlsx": ","}.get(format, separator)
            frame, notes, commas = read_delimited(
                text, name, mark, header, columns, verbatim, known_commas
            )
    options = {"commas": commas} if commas else {}
    return Data(frame, None, None, name, format, (*text.notes, *notes), options)


def _read_folder(path: str, name: str) -> Data:
    if not Path(path).is_dir():
        raise BadData("this is not a folder", path=name)
    frame, labels, notes = read_folder(path)
    return Data(frame, None, labels, name, "folder", tuple(notes))


def _find_format(file: BinaryIO, path: str) -> str:
    by_content = format_by_content(file.read(SAMPLE))
    file.seek(0)
    # A workbook is one whatever it is called.
    return by_content if by_content == "xlsx" else format_by_name(path) or by_content


def _check_layout(format: str | None, separator: str | None) -> None:
    if format is not None:
        check_choice("format", format, *FORMATS)
    if separator is not None and not re.fullmatch(r"[\x01-\x7f]", separator.strip('"\r\n')):
        raise ValueError(
            f"separator={separator!r} must be one character, other than a quote or a newline"
        )


def _known(read_options: Any) -> tuple[bool | None, dict[str, str]]:
    """What is in read_options, which may come from a file."""
    known = read_options if isinstance(read_options, Mapping) else {"commas": None}
    zero_based, commas = known.get("zero_based"), known.get("commas", {})
    if zero_based not in (None, True, False) or not isinstance(commas, dict):
        raise ValueError(
            f"read_options={read_options!r} must be the read_options of data that were read"
        )
    return zero_based, commas
