"""Finished pairs of model and fold in a file, so that an interrupted comparison can go on."""

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

from underdog.comparison.folds import Fold
from underdog.comparison.models import Entrant
from underdog.comparison.problem import Problem
from underdog.comparison.trial import Row
from underdog.data.columns import CategoryColumns, SparseColumns
from underdog.files.container import write

KEY = "underdog comparison"
ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+")
"""Where an object lies in memory, which is another place in the next process."""


class Checkpoint:
    """A JSON lines file: first the fingerprint of the comparison, then a row per finished pair.

    Parameters
    ----------
    path : str or Path
    fingerprint : str
        A file with another one is refused.
    """

    def __init__(self, path: str | Path, fingerprint: str) -> None:
        self.path = Path(path)
        text = self.path.read_text(encoding="utf-8") if self.path.exists() else ""
        lines = _whole_lines(text)
        head = json.dumps({KEY: fingerprint}) + "\n"
        if text.strip() and not head.startswith(text) and lines[:1] != [head]:
            raise ValueError(
                f"checkpoint={str(path)!r} is not of this comparison (other data, folds, models or "
                "costs, or another kind of file): give another path, or delete the file"
            )
        self.rows: list[Row] = [json.loads(line) for line in lines[1:]]
        if not lines or len("".join(lines)) < len(text):  # new, or the last line was cut off
            with _named(self.path):  # all or nothing: a full disk must not take what is finished
                write(self.path, ("".join(lines) or head).encode())

    def add(self, row: Row) -> None:
        """Keep a finished pair. One that failed is tried again the next time."""
        if not row["error"]:
            with _named(self.path), self.path.open("a", encoding="utf-8") as file:
                file.write(json.dumps(row) + "\n")


def finished_in(path: Path) -> int | None:
    """How many finished pairs a file keeps; None if it is not one of these files, or not there.

    A file that holds nothing, or no more than a part of its first line, is one with 0 of them.
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
    """The error of a full disk with the file, which Python leaves out."""
    try:
        yield
    except OSError as error:
        if error.strerror is None:  # a sentence of our own
            raise
        raise OSError(error.errno, error.strerror, str(path)) from None


def _whole_lines(text: str) -> list[str]:
    """Without the last one if it was cut off."""
    return [line for line in text.splitlines(keepends=True) if line.endswith("\n")]


def fingerprint_of(problem: Problem, folds: Sequence[Fold], models: Mapping[str, Entrant]) -> str:
    """Of everything on which the results depend."""
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
    add(problem.table.shape, problem.table.names, problem.classes.tolist(), problem.true)
    add(problem.positive, *(rows for fold in folds for rows in fold))
    if problem.costs is not None:
        add(problem.costs.table(problem.classes, problem.positive))
    for name, entrant in models.items():
        add(name, _in_full(entrant.model))
    return digest.hexdigest()


def _in_full(model: Any) -> str:
    """The model's repr, which scikit-learn would shorten."""
    long = isinstance(model, BaseEstimator)
    return ADDRESS.sub("", model.__repr__(N_CHAR_MAX=1_000_000) if long else repr(model))
