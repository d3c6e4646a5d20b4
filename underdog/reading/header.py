"""The names of the columns, from the first bytes of a file."""

from __future__ import annotations

import io
from contextlib import ExitStack
from pathlib import Path

from underdog.frames.errors import BadData
from underdog.reading.formats import SAMPLE, format_by_content, format_by_name
from underdog.reading.layout import lay_out
from underdog.reading.optional import polars
from underdog.reading.signatures import refuse_other_formats
from underdog.reading.sources import as_text, first_bytes


def column_names(
    path: str,
    *,
    format: str | None = None,
    separator: str | None = None,
    header: bool | None = None,
    sheet: str | None = None,
) -> list[str] | None:
    """The columns of a file, found without reading all of it, as `read` will name them.

    None if that is not possible: for standard input; for JSON, in which a key may come later; for
    Excel; for svmlight and folders, which have no column names; and if the first bytes leave a
    doubt.

    Parameters
    ----------
    path : str
    format, separator, header, sheet : optional
        As for `read`.

    Raises
    ------
    BadData
        The file cannot be opened, or is of another kind.
    """
    if path == "-" or format == "folder":
        return None
    file = Path(path)
    if file.is_dir() or (file.exists() and not file.is_file()):  # a pipe can be read once only
        return None
    start = first_bytes(path, SAMPLE)
    with file.open("rb") as whole:
        refuse_other_formats(whole, path)
    by_content = format_by_content(start)
    if by_content == "xlsx" or sheet is not None:
        return None
    format = format or format_by_name(path) or by_content
    if format == "parquet":
        return _parquet_names(path)
    if format not in ("csv", "tsv"):
        return None
    is_part = len(start) == SAMPLE
    if is_part:
        start = start[: start.rfind(b"\n") + 1]
    try:
        with ExitStack() as stack:
            text = as_text(io.BytesIO(start), path, stack)
            mark = "\t" if format == "tsv" and separator is None else separator
            records, _ = lay_out(text.file, path, mark, header)
    except BadData:  # what is wrong is known only when all of it was read
        return None
    # Whether quotes mean anything between tabs depends on the rest of the file.
    return None if is_part and records.separator == "\t" and b'"' in start else records.names


def _parquet_names(path: str) -> list[str] | None:
    pl = polars()
    try:
        return list(pl.read_parquet_schema(path))
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError):
        return None
