"""Data that may not fit in memory: what does not fit is kept on disk while a model is trained."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import typer

from underdog.cli.screen import Screen
from underdog.memory import available, bytes_of, memory_limit
from underdog.reading.formats import COMPRESSED

GROWTH = {"": 3, ".parquet": 8, ".pq": 8, **dict.fromkeys(COMPRESSED, 12)}
"""About how many bytes a byte of a file becomes in memory, by its ending."""


def _size(given: str) -> int:
    try:
        return bytes_of(given)
    except ValueError:
        raise typer.BadParameter(
            f"--memory-limit {given} must be a size of at least 16MiB, such as 4GB"
        ) from None


@contextmanager
def within_memory(data: str, given: str | None, folder: Path, screen: Screen) -> Iterator[bool]:
    """Keep arrays beyond a limit on disk, if one is given or the data may need more than there is.

    Gives whether there is a limit.
    """
    path, most = Path(data), available()
    needed = 0
    if path.is_file():
        needed = path.stat().st_size * GROWTH.get(path.suffix.lower(), GROWTH[""])
    if given is None and needed <= most:
        yield False
        return
    limit = most // 2 if given is None else _size(given)
    if given is None:
        screen.note(
            f"{data} may need {needed / 1e9:,.1f} GB of memory, and {most / 1e9:,.1f} GB are free: "
            f"arrays beyond {limit / 1e9:,.1f} GB are kept on disk in {folder.resolve()}, and no "
            "other models are measured."
        )
    with memory_limit(limit, folder):
        yield True
