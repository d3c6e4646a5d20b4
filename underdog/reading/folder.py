"""A folder of texts: each sub-folder is a class, each file in it a text."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import Any

from underdog.frames.errors import BadData
from underdog.reading.optional import polars
from underdog.reading.sources import as_text, opened

TEXT = "text"


def read_folder(path: str) -> tuple[Any, Any, list[str]]:
    """The frame with a column "text", the class of each row, and notes.

    A folder without sub-folders has no classes: it holds texts to predict. Hidden files are
    skipped.
    """
    inside = _visible(Path(path))
    classes = [entry for entry in inside if entry.is_dir()]
    loose = [entry for entry in inside if entry.is_file()]
    if classes and loose:
        raise BadData(
            f"the sub-folders are the classes, but {loose[0].name!r} is in none of them: move it "
            "into one, or out of the folder",
            path=path,
        )
    if not inside:
        raise BadData("the folder is empty", path=path)
    texts, labels, notes = [], [], []
    empty = 0
    for entry in classes or [Path(path)]:
        for file in _files(entry):
            text, own_notes = _text(file)
            texts.append(text)
            labels.append(entry.name)
            notes += [f"{file}: {note}" for note in own_notes]
            empty += not text.strip()
    if not texts:
        raise BadData("the sub-folders have no files", path=path)
    if empty:
        notes.append(f"Empty files: {empty:,}.")
    frame = polars().DataFrame({TEXT: texts})
    return frame, labels if classes else None, notes


def _visible(folder: Path) -> list[Path]:
    return sorted(entry for entry in folder.iterdir() if not entry.name.startswith("."))


def _files(folder: Path) -> list[Path]:
    found = []
    for entry in _visible(folder):
        found += _files(entry) if entry.is_dir() else [entry]
    return found


def _text(path: Path) -> tuple[str, tuple[str, ...]]:
    with ExitStack() as stack:
        file = stack.enter_context(opened(str(path)))
        text = as_text(file, str(path), stack)
        return text.file.read().decode(), text.notes
