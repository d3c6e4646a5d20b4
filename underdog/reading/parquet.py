"""Parquet files."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, BinaryIO

from underdog.frames.errors import BadData
from underdog.reading.choice import select_columns
from underdog.reading.optional import polars


def read_parquet(file: BinaryIO, path: str, columns: Collection[str] | None) -> Any:
    """The frame. Columns of lists and objects are in it; they are refused where they are used."""
    pl = polars()
    try:
        schema = pl.read_parquet_schema(file)
        names = select_columns(list(schema), columns, path)
        file.seek(0)
        frame = pl.read_parquet(file, columns=names)
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError) as error:
        reason = str(error).partition("\n")[0]
        raise BadData(
            f"this is not a Parquet file, or it is damaged ({reason})", path=path
        ) from None
    if not len(frame):
        raise BadData("there are no rows", path=path)
    return frame
