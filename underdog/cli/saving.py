"""Files that a command writes."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from underdog.files.container import write


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """Errors inside become a sentence about this file."""
    try:
        yield
    except OSError as error:
        # Errors of the library already are such sentences.
        why = f"{path} cannot be written: {error.strerror}" if error.strerror else str(error)
        raise ValueError(why) from None


def draw(display: Callable[[], Any], path: Path) -> None:
    """Write a picture in the format that the name ends with."""
    made = io.BytesIO()
    display().figure_.savefig(made, format=path.suffix[1:], bbox_inches="tight", dpi=150)
    with writing(path):
        write(path, made.getvalue())
