"""What is to be learned: rows, their classes, and which class matters."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from underdog.checks import plain
from underdog.frames import leaks
from underdog.frames.errors import BadData
from underdog.reading import Data

MOST_CLASSES = 1000
WHICH = "say which column is the class, as in --target label"


@dataclass(eq=False)
class Task:
    """Examples of a data file.

    Attributes
    ----------
    X : a frame, or a CSR matrix where the file is one
    y : (n,) labels
    source : the file, for messages
    target : name of the column of the labels; "" where the file has its own
    rows : (n,) numbers of the rows in the file, from 1
    weights : (n,) or None
    """

    X: Any
    y: Any
    source: str
    target: str
    rows: Any
    weights: Any = None

    @property
    def is_frame(self) -> bool:
        """Whether columns have names and kinds."""
        return hasattr(self.X, "columns")

    @property
    def classes(self) -> Any:
        """(K,) different labels."""
        return np.unique(self.y)

    def place_of(self, label: Any) -> int:
        """Place of a class among them."""
        return int(np.searchsorted(self.classes, label))

    def counts(self) -> dict[str, int]:
        """Examples of each class."""
        classes, counts = np.unique(self.y, return_counts=True)
        return {str(label): int(count) for label, count in zip(classes, counts, strict=True)}

    def forget_rows(self) -> None:
        """Let X go where nobody needs it any more, since it may be as large as all else."""
        self.X = self.X[:0] if self.is_frame else None

    def take(self, rows: Any) -> Any:
        """Some rows of X."""
        return self.X[rows]


def read_task(
    data: Data, target: str | None, ignored: Sequence[str] = (), weight: str | None = None
) -> tuple[Task, list[str]]:
    """Rows with a label, and what the user should know about them."""
    if data.matrix is not None:
        y, rows = labels_of(data, target)
        _check_classes(y, data.source, None)
        return Task(data.matrix[rows], y, data.source, "", rows + 1), []
    frame, notes = data.frame, []
    known = None if data.target is not None else column_of(frame, target, data.source)
    y, rows = labels_of(data, target)
    for name in ignored:
        column_of(frame, name, data.source)
    left_out = {*ignored, *([] if known is None else [known]), *([weight] if weight else [])}
    X = frame.drop(list(left_out))
    if not X.columns:
        raise BadData("there is no column to learn from beside the target", path=data.source)
    lost = len(X) - len(rows)
    if lost:
        first = int(np.setdiff1d(np.arange(len(X)), rows)[0]) + 1
        notes.append(f"{lost:,} rows have no label, first row {first:,}: left out")
    _check_classes(y, data.source, known)
    weights = None
    if weight is not None:
        weights = np.asarray(frame[column_of(frame, weight, data.source)].to_numpy())[rows]
    X = X[rows] if lost else X
    notes += [
        f"column {name!r} determines the class of every row: is it known before the class is? "
        f"Else leave it out with --ignore {name}"
        for name in leaks(X, y)
    ]
    return Task(X, y, data.source, known or "", rows + 1, weights), notes


def labels_of(data: Data, target: str | None) -> tuple[Any, Any]:
    """Labels of the rows that have one, and the places of these rows."""
    if data.target is not None:
        if target is not None:
            raise BadData("it has its own classes: leave --target out", path=data.source)
        labels = data.target
    else:
        labels = data.frame[column_of(data.frame, target, data.source)]
    values = labels.to_list() if hasattr(labels, "to_list") else np.asarray(labels).tolist()
    rows = np.array([i for i, label in enumerate(values) if label is not None and label == label])
    rows = rows.astype(np.intp)
    return whole(np.array([values[row] for row in rows])), rows


def column_of(frame: Any, name: str | None, source: str) -> str:
    """A column's name, checked."""
    columns = list(frame.columns)
    if name is None:
        raise BadData(f"{WHICH}; the columns are {_listed(columns)}", path=source)
    if name not in columns:
        near = difflib.get_close_matches(name, columns, 1)
        hint = f"; did you mean {near[0]!r}?" if near else f"; the columns are {_listed(columns)}"
        raise BadData(f"there is no column {name!r}{hint}", path=source)
    return name


def class_named(text: str, classes: Any) -> Any:
    """The class that is written like this."""
    for label in classes:
        if str(plain(label)) == text:
            return label
    names = _listed([str(plain(label)) for label in classes])
    raise ValueError(f"there is no class {text!r}; the classes are {names}")


def positive_of(task: Task, given: str | None) -> Any:
    """The class that matters: the one named, or the rarer of two."""
    classes, counts = np.unique(task.y, return_counts=True)
    if given is not None:
        if len(classes) > 2:
            raise ValueError(f"--positive is for two classes, but there are {len(classes)}")
        return class_named(given, classes)
    # Of two equally large classes the second, as everywhere in the library.
    return None if len(classes) > 2 else classes[int(counts[1] <= counts[0])]


def whole(labels: Any) -> Any:
    """Labels that are whole numbers as such: a class is 1 and not 1.0."""
    if labels.dtype.kind == "f" and bool((labels == np.rint(labels)).all()):
        return labels.astype(np.int64)
    return labels


def _check_classes(y: Any, source: str, column: str | None) -> None:
    if not len(y):
        raise BadData("no row has a label", path=source, column=column)
    classes = np.unique(y)
    if len(classes) == 1:
        label = plain(classes[0])
        raise BadData(
            f"all {len(y):,} rows have the class {label!r}: there is nothing to tell apart",
            path=source, column=column,
        )  # fmt: skip
    if y.dtype.kind == "f" or len(classes) > MOST_CLASSES:
        raise BadData(
            f"{len(classes):,} different values, such as {plain(classes[0])!r} and "
            f"{plain(classes[1])!r}: a class is a name or a whole number, and quantities are not "
            "learned here",
            path=source, column=column,
        )  # fmt: skip


def _listed(names: list[str], most: int = 10) -> str:
    shown = ", ".join(repr(name) for name in names[:most])
    return shown if len(names) <= most else f"{shown} and {len(names) - most:,} more"
