"""The rows to train on, their targets, and which class is the positive one."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field, replace
from shlex import quote
from typing import Any

import numpy as np
import typer

from underdog.checks import to_python
from underdog.cli.target import (
    CLASSES,
    NUMBERS,
    check_classes,
    check_values,
    column_of,
    find_kind,
    labels_of,
    naming_file,
    values_of,
)
from underdog.costs import Costs
from underdog.frames import leaks
from underdog.frames.columns import columns_of, numbers_of
from underdog.frames.errors import BadData, counted, did_you_mean, listed, row_number
from underdog.reading import Data

SMALL = 1 << 26
"""Bytes of a frame up to which repeated rows are counted."""
RARE = 0.2
"""With a smaller share of the rows a class is rare, and therefore the positive one."""
POSITIVE = ("1", "1.0", "+1", "+", "true", "t", "yes", "y", "positive", "pos")
"""Names of the positive class, in upper or lower case."""


@dataclass(eq=False)
class Task:
    """Examples of a data file.

    Attributes
    ----------
    X : a frame, or a CSR matrix where the file is one
    y : (n,) labels or numbers
    source : the file, for messages
    target : name of the column of the labels; "" if the file has its own
    rows : (n,) positions of the rows in the file
    weights : (n,) or None
    read_options : what was found out about the file and holds for others, such as decimal commas
    kind : "classification" or "regression"
    groups : (n,) numbers of groups, whose rows are in the same fold; or None
    time : (n,) numbers or dates, for folds forward in time; or None
    fold_column : the column of the groups or times, or None
    """

    X: Any
    y: Any
    source: str
    target: str
    rows: Any
    weights: Any = None
    read_options: dict[str, Any] = field(default_factory=dict)
    kind: str = CLASSES
    groups: Any = None
    time: Any = None
    fold_column: str | None = None

    @property
    def is_frame(self) -> bool:
        """Whether the columns have names and types."""
        return hasattr(self.X, "columns")

    @property
    def classes(self) -> Any:
        """(K,) different labels."""
        return np.unique(self.y)

    def place_of(self, label: Any) -> int:
        """Position of a class among them."""
        return int(np.searchsorted(self.classes, label))

    def counts(self) -> dict[str, int]:
        """Rows of each class."""
        classes, counts = np.unique(self.y, return_counts=True)
        return {str(label): int(count) for label, count in zip(classes, counts, strict=True)}

    def forget_rows(self) -> None:
        """Free the memory of X, which may be as large as everything else."""
        self.X = self.X[:0] if self.is_frame else None

    def take(self, rows: Any) -> Any:
        """Some rows of X."""
        return self.X[rows]

    def part(self, rows: Any) -> Task:
        """The task of some rows, given by a mask or positions."""
        rows = np.arange(len(self.y))[rows]  # a mask would select columns of a frame
        own = {name: getattr(self, name) for name in ("y", "rows", "weights", "groups", "time")}
        taken: dict[str, Any] = {
            name: None if each is None else each[rows] for name, each in own.items()
        }
        return replace(self, X=self.take(rows), **taken)

    def weights_of(self, rows: Any) -> Any:
        """The weights of some rows, or None."""
        return None if self.weights is None else self.weights[rows]

    def naming_file(self, work: Callable[[], Any]) -> Any:
        """The result of some work on all rows; errors in the data name the file and its row."""
        return naming_file(self.source, self.rows, work)


def read_task(
    data: Data,
    target: str | None,
    ignored: Sequence[str] = (),
    weight: str | None = None,
    asked: str = "auto",
) -> tuple[Task, list[str]]:
    """Rows with a label or a number, and notes for the user.

    `asked` is "classification", "regression", or "auto" to find out.
    """
    kind, note = find_kind(data, target, asked)
    notes = [note] if note else []
    numeric = kind == NUMBERS
    found: tuple[Any, Any] = (values_of if numeric else labels_of)(data, target)
    y, rows = found
    known = None if data.matrix is not None or data.target is not None else target
    if data.matrix is not None:
        _check(y, data.source, None, numeric)
        X = data.matrix[rows]
        return Task(X, y, data.source, "", rows, None, data.read_options, kind), notes
    frame = data.frame
    named = [name for name in (*ignored, weight) if name is not None]
    for name in named:
        column_of(frame, name, data.source)
    X = frame.drop([*named, *([] if known is None else [known])])
    if not X.columns:
        raise BadData("there is no column besides the target", path=data.source)
    lost = len(X) - len(rows)
    if lost:
        first = int(np.setdiff1d(np.arange(len(X)), rows)[0]) + 1
        what = "a value of the target" if numeric else "a label"
        notes.append(
            f"left out {counted(lost, 'row')} without {what}; the first is {row_number(first)}"
        )
        X = X[rows]
    _check(y, data.source, known, numeric)
    weights = None
    if weight is not None:
        series = dict(columns_of(frame.select(weight)))[weight]
        weights = naming_file(data.source, None, lambda: numbers_of(weight, series))[rows]
        _check_weights(weights, rows, data.source, weight)
    if not numeric:
        notes += [
            f"column {name!r} determines the class of every row: if it is not known before the "
            f"class is, leave it out with --ignore {quote(name)}"
            for name in leaks(X, y)
        ]
    return Task(X, y, data.source, known or "", rows, weights, data.read_options, kind), notes


def _check(y: Any, source: str, column: str | None, numeric: bool) -> None:
    (check_values if numeric else check_classes)(y, source, column)


def repeated_rows(data: Data) -> list[str]:
    """A note about rows that occur several times; they are not counted in a large file."""
    frame = data.frame
    if frame is None or frame.estimated_size() > SMALL:
        return []
    repeated = len(frame) - frame.n_unique()
    return [f"{repeated:,} of {len(frame):,} rows repeat an earlier row"] if repeated else []


def without_single_examples(task: Task) -> tuple[Task, str]:
    """Without the classes that have one row, if two others remain; and a note."""
    classes, places, counts = np.unique(task.y, return_inverse=True, return_counts=True)
    single = classes[counts == 1]
    if not len(single) or len(classes) - len(single) < 2:
        return task, ""
    kept = np.flatnonzero(counts[places] > 1)
    left_out = f"class {to_python(single[0])!r} has only one row and is left out"
    if len(single) > 1:
        names = listed([str(to_python(label)) for label in single])
        left_out = f"{len(single)} classes have only one row and are left out: {names}"
    return task.part(kept), f"{left_out} (cross-validation needs two; --cv 0 uses all)"


def class_named(text: str, classes: Any) -> Any:
    """The class that is written like this."""
    for label in classes:
        if str(to_python(label)) == text:
            return label
    hint = did_you_mean(text, [str(to_python(label)) for label in classes], "classes")
    raise typer.BadParameter(f"there is no class {text!r}: {hint}")


def has_rare_class(task: Task) -> bool:
    """Whether the rarer of two classes has less than 20% of the rows, as they are weighted."""
    return is_rare(_weights_of_classes(task)[1].tolist())


def _weights_of_classes(task: Task) -> tuple[Any, Any]:
    """The classes, and how many rows of each there are, or their weight."""
    classes, places = np.unique(task.y, return_inverse=True)
    return classes, np.bincount(places, task.weights)


def is_rare(counts: Collection[float]) -> bool:
    """The same, given the number of rows of each class."""
    return len(counts) == 2 and min(counts) < RARE * sum(counts)


def positive_of(task: Task, given: str | None) -> Any:
    """The positive of two classes: the one given, or a rare one, or one named 1, yes and so on.

    Otherwise it is the last in sorted order. Of more than two classes there is none.
    """
    classes, counts = _weights_of_classes(task)
    if given is not None:
        if len(classes) > 2:
            raise typer.BadParameter(f"--positive is for two classes, but there are {len(classes)}")
        return class_named(given, classes)
    if len(classes) > 2:
        return None
    if has_rare_class(task):
        return classes[counts.argmin()]
    called = [str(to_python(label)).strip().lower() in POSITIVE for label in classes]
    return classes[called.index(True) if sum(called) == 1 else 1]


def costs_of(named: dict[str, float] | None, classes: Any, positive: int) -> Costs | None:
    """The costs given; other mistakes cost 1."""
    if named is None:
        return None
    try:
        if not all(":" in name for name in named):
            if len(classes) > 2:
                first, second = (to_python(label) for label in classes[:2])
                raise typer.BadParameter(
                    f"--cost {next(iter(named))} is for two classes, but there are {len(classes)}: "
                    f"give the true and the predicted class, as in --cost {first}:{second}=5"
                )
            return Costs(**{"fn": 1.0, "fp": 1.0, **named})
        table = 1.0 - np.eye(len(classes))
        places = {to_python(label): place for place, label in enumerate(classes)}
        for name, cost in named.items():
            true, _, decided = name.partition(":")
            row, column = (
                places[to_python(class_named(each, classes))] for each in (true, decided)
            )
            table[row, column] = cost
        if len(classes) > 2:
            return Costs.matrix(table, classes)
        (tn, fp), (fn, tp) = table if positive == 1 else table[::-1, ::-1]
        return Costs(fn, fp, tn, tp)
    except ValueError as error:
        raise typer.BadParameter(f"--cost: {error}") from None


def _check_weights(weights: Any, rows: Any, source: str, column: str) -> None:
    wrong = np.flatnonzero(~(np.isfinite(weights) & (weights >= 0)))
    if len(wrong):
        weight = to_python(weights[wrong[0]])
        what = "the weight is missing" if weight != weight else f"the weight is {weight!r}"
        raise BadData(
            f"{what}: weights must be finite numbers, 0 or more",
            path=source, row=int(rows[wrong[0]]) + 1, column=column,
        )  # fmt: skip
