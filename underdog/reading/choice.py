"""The columns to read."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from underdog.frames.errors import unknown_column


def select_columns(names: Sequence[str], columns: Collection[str] | None, path: str) -> list[str]:
    """The requested names in the order of the file; all of them if `columns` is None."""
    if columns is None:
        return list(names)
    known = set(names)
    for name in columns:
        if name not in known:
            raise unknown_column(name, names, path)
    return [name for name in names if name in columns]
