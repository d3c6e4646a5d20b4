"""Data files: a first check, which needs no heavy imports, and reading as the options say."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from pathlib import Path
from typing import Any

import typer

from underdog.cli.options import FileLayout
from underdog.cli.screen import Screen
from underdog.files import BadFile, inspect
from underdog.frames.errors import BadData, listed, unknown_column
from underdog.reading import Data, column_names, read
from underdog.reading.signatures import BYTES, is_model

WHICH_TARGET = "which column is the class? Give its name, as in --target label"


def check_columns(
    path: str, layout: FileLayout, names: Iterable[str | None], needs_all: bool = False
) -> None:
    """Refuse a file that cannot be opened or lacks one of these columns, without reading all of it.

    None stands for a target that the user has not given; it is refused if `needs_all`.
    """
    known = column_names(path, **layout.options)
    if known is None:
        return
    for name in names:
        if name is None and needs_all:
            raise BadData(f"{WHICH_TARGET}; the columns are {listed(known)}", path=path)
        if name is not None and name not in known:
            raise unknown_column(name, known, path)


def named_columns(path: str, layout: FileLayout, given: Iterable[str]) -> list[str]:
    """Columns that were given one by one or with commas; a name may have a comma itself."""
    known = column_names(path, **layout.options) or []
    names = [
        name
        for each in given
        for name in ([each] if each in known else filter(None, map(str.strip, each.split(","))))
    ]
    return list(dict.fromkeys(names))


def check_output(path: Path, *inputs: str | Path) -> None:
    """Refuse a file that cannot be written, as far as its name tells, or that is an input."""
    if not path.parent.is_dir():
        raise typer.BadParameter(f"--output {path}: there is no folder {path.parent}")
    if path.is_dir():
        raise typer.BadParameter(f"--output {path} is a folder: give the name of a file")
    for each in map(Path, inputs):
        if path.is_file() and each.is_file() and path.samefile(each):
            raise typer.BadParameter(f"--output {path} is also an input: give another name")


def check_model_output(path: Path, data: str) -> None:
    """Refuse a model file that cannot be written, or that would replace anything but a model."""
    check_output(path, data)
    if path.is_file() and path.stat().st_size and not _is_model(path):
        raise typer.BadParameter(f"--output {path} exists and is not a model: give another name")


def check_new_model(path: Path, force: bool, *data: str) -> None:
    """Refuse a model file that cannot be written, is an input, or exists without `force`."""
    for each in data or ("",):
        check_model_output(path, each)
    if path.exists() and not force:
        raise typer.BadParameter(f"--output {path} exists: give --force to replace it")


def check_model(path: Path, data: str | None = None) -> dict[str, Any]:
    """The header of a model file; refuse any other file."""
    try:
        return inspect(path)
    except OSError as error:
        raise BadFile(f"{path}: {error.strerror or error}") from None
    except BadFile:
        if data is not None and _is_model(Path(data)):
            raise typer.BadParameter(
                f"{data} is a model and {path} is not: give the model first, then the data"
            ) from None
        if not _is_model(path):
            raise BadFile(
                f"{path} is not an underdog model: give a file that underdog train wrote"
            ) from None
        raise


def _is_model(path: Path) -> bool:
    if not path.is_file():
        return False
    with path.open("rb") as file:
        return is_model(file.read(BYTES))


def open_data(
    path: str,
    layout: FileLayout,
    screen: Screen,
    verbatim: Collection[str] = (),
    read_options: Mapping[str, Any] | None = None,
) -> Data:
    """The rows of a file; notes about it are printed.

    `verbatim` are columns to leave as they are written, so that "1.50" does not become 1.5;
    `read_options` is how the training file was read.
    """
    data = read(path, verbatim=verbatim, read_options=read_options, **layout.options)
    for note in data.notes:
        screen.note(note)
    return data
