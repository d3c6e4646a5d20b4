"""Finished pairs of model and fold in a file, so that an interrupted comparison can go on."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator

from underdog.comparison.folds import Fold
from underdog.comparison.models import Entrant
from underdog.comparison.problem import Problem
from underdog.comparison.trial import Row
from underdog.data.columns import CategoryColumns, SparseColumns

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
        lines = [line for line in text.splitlines(keepends=True) if line.endswith("\n")]
        head = json.dumps({KEY: fingerprint}) + "\n"
        if text.strip() and (lines or [text])[0] != head:
            raise ValueError(
                f"checkpoint={str(path)!r} is not of this comparison (other data, folds, models or "
                "costs, or another kind of file): give another path, or delete the file"
            )
        self.rows: list[Row] = [json.loads(line) for line in lines[1:]]
        if not lines or len("".join(lines)) < len(text):  # new, or the last line was cut off
            self.path.write_text("".join(lines) or head, encoding="utf-8")

    def add(self, row: Row) -> None:
        """Keep a finished pair. One that failed is tried again the next time."""
        if not row["error"]:
            with self.path.open("a", encoding="utf-8") as file:
                file.write(json.dumps(row) + "\n")


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
