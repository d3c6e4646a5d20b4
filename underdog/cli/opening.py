"""Reading a data file as the options say."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, NamedTuple

from underdog.cli.screen import Screen
from underdog.reading import Data, read

WRITTEN = {"tab": "\t", "\\t": "\t", "space": " "}
"""Separators that are hard to write in a shell."""


class FileLayout(NamedTuple):
    """How a file is laid out, where the user says it; else it is worked out."""

    format: str | None
    separator: str | None
    header: bool | None


def open_data(
    path: str,
    layout: FileLayout,
    screen: Screen,
    verbatim: Collection[str] = (),
    read_options: Mapping[str, Any] | None = None,
) -> Data:
    """The rows of a file, and what was noticed on the screen.

    `verbatim` are columns to be left as they are written, so that "1.50" does not become 1.5;
    `read_options` is how the file of the training was read.
    """
    separator = layout.separator
    data = read(
        path,
        format=layout.format,
        separator=None if separator is None else WRITTEN.get(separator, separator),
        header=layout.header,
        verbatim=verbatim,
        read_options=read_options,
    )
    for note in data.notes:
        screen.note(note)
    return data
