"""A file of finished fits, so that an interrupted comparison can be continued."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator

from underdog.comparison.models import Entrant
from underdog.comparison.problem import ComparedRows
from underdog.comparison.trial import Row
from underdog.data.columns import CategoryColumns, SparseColumns
from underdog.data.folds import Fold
from underdog.files.container import write

KEY = "underdog comparison"
ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+")
"""The memory address in a repr, which differs between processes."""


class Checkpoint:
    """A JSON lines file: the fingerprint of the comparison, then a row per finished fit.

    Parameters
    ----------
    path : str or Path
    fingerprint : str
        A file with another fingerprint is refused.
    """

    def __init__(self, path: str | Path, fingerprint: str) -> None:
        self.path = Path(path)
        text = self.path.read_text(encoding="utf-8") if self.path.exists() else ""
        lines = _whole_lines(text)
        head = json.dumps({KEY: fingerprint}) + "\n"
        if text.strip() and not head.startswith(text) and lines[:1] != [head]:
            raise ValueError(
                f"checkpoint={str(path)!r} does not belong to this comparison (other data, folds, "
                "models or costs, or another kind of file): give another path, or delete the file"
            )
        self.rows: list[Row] = [json.loads(line) for line in lines[1:]]
        if not lines or len("".join(lines)) < len(text):  # new, or the last line was cut off
            with _named(self.path):  # atomic: a full disk must not destroy finished rows
                write(self.path, ("".join(lines) or head).encode())

    def add(self, row: Row) -> None:
        """Store a finished fit. Failed fits are not stored, and tried again the next time."""
        if not row["error"]:
            with _named(self.path), self.path.open("a", encoding="utf-8") as file:
                file.write(json.dumps(row) + "\n")


def finished_in(path: Path) -> int | None:
    """Number of finished fits in a checkpoint; None if there is no file or it is another kind.

    An empty file, or one with an incomplete first line, is a checkpoint with 0 fits.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return None
    start = json.dumps({KEY: ""})[:-2]
    if not (text.startswith(start) or start.startswith(text)):
        return None
    return max(0, len(_whole_lines(text)) - 1)


@contextmanager
def _named(path: Path) -> Iterator[None]:
    """Add the path to errors such as a full disk, which Python omits."""
    try:
        yield
    except OSError as error:
        if error.strerror is None:  # has its own message
            raise
        raise OSError(error.errno, error.strerror, str(path)) from None


def _whole_lines(text: str) -> list[str]:
    """All lines except an incomplete last one."""
    return [line for line in text.splitlines(keepends=True) if line.endswith("\n")]


def fingerprint_of(
    problem: ComparedRows, folds: Sequence[Fold], models: Mapping[str, Entrant]
) -> str:
    """A hash of everything that affects the results."""
    digest = hashlib.sha256()

    def add(*things: Any) -> None:
        for thing in things:
            if isinstance(thing, np.ndarray) and thing.dtype.kind in "biuf":
                digest.update(f"{thing.dtype}{thing.shape}".encode())
                digest.update(np.ascontiguousarray(thing).tobytes())
            else:
                digest.update(repr(thing).encode())

    for group in problem.table.groups:
        add(group.positions)
        if isinstance(group, CategoryColumns):
            add(*(values.tolist() for values in group.values))
        elif isinstance(group, SparseColumns):
            add(group.matrix.data, group.matrix.indices, group.matrix.indptr)
        else:
            add(group.matrix)
    add(problem.table.shape, problem.table.names, *problem.identity)
    add(*(rows for fold in folds for rows in fold))
    for name, entrant in models.items():
        add(name, _in_full(entrant.model))
    return digest.hexdigest()


def _in_full(model: Any) -> str:
    """The complete repr of a model, which scikit-learn would shorten."""
    long = isinstance(model, BaseEstimator)
    return ADDRESS.sub("", model.__repr__(N_CHAR_MAX=1_000_000) if long else repr(model))
