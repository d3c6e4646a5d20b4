"""The columns that were asked for."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from underdog.frames.errors import BadData

SHOWN = 10


def chosen(names: Sequence[str], columns: Collection[str] | None, path: str) -> list[str]:
    """The names that were asked for, in the order of the file; all if none were."""
    if columns is None:
        return list(names)
    known = set(names)
    for name in columns:
        if name not in known:
            listed = ", ".join(map(repr, names[:SHOWN])) + (", ..." if len(names) > SHOWN else "")
            raise BadData(f"there is no such column; there are {listed}", path=path, column=name)
    return [name for name in names if name in columns]
