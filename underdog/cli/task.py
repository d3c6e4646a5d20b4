"""What is to be learned: rows, their classes, and which class matters."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from shlex import quote
from typing import Any

import numpy as np
import typer

from underdog.checks import to_python
from underdog.costs import Costs
from underdog.frames import leaks
from underdog.frames.columns import columns_of, numbers_of, refuse_other_types
from underdog.frames.errors import BadData
from underdog.reading import Data

MAX_CLASSES = 1000
RARE = 0.2
"""With a smaller share of the rows a class is rare: it is the one that matters."""
POSITIVE = ("1", "1.0", "+1", "+", "true", "t", "yes", "y", "positive", "pos")
"""Names of the class that matters, in capitals or not."""
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
    rows : (n,) places of the rows in the file
    weights : (n,) or None
    read_options : what was guessed about the file and holds for others, such as decimal commas
    """

    X: Any
    y: Any
    source: str
    target: str
    rows: Any
    weights: Any = None
    read_options: dict[str, Any] = field(default_factory=dict)

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

    def naming_rows(self, work: Callable[[], Any]) -> Any:
        """The result of some work on all rows; errors in the data name the file and its row."""
        return naming_rows(self.source, self.rows, work)


def naming_rows(source: str, rows: Any, work: Callable[[], Any]) -> Any:
    """The result of some work on these rows of a file; errors name it and the row in it."""
    try:
        return work()
    except BadData as error:
        row = None if error.row is None else int(rows[error.row - 1]) + 1
        raise BadData(error.problem, path=source, row=row, column=error.column) from None


def read_task(
    data: Data, target: str | None, ignored: Sequence[str] = (), weight: str | None = None
) -> tuple[Task, list[str]]:
    """Rows with a label, and what the user should know about them."""
    y, rows = labels_of(data, target)
    if data.matrix is not None:
        _check_classes(y, data.source, None)
        return Task(data.matrix[rows], y, data.source, "", rows, None, data.read_options), []
    frame, notes = data.frame, []
    known = None if data.target is not None else target
    named = [name for name in (*ignored, weight) if name is not None]
    for name in named:
        column_of(frame, name, data.source)
    X = frame.drop([*named, *([] if known is None else [known])])
    if not X.columns:
        raise BadData("there is no column to learn from beside the target", path=data.source)
    lost = len(X) - len(rows)
    if lost:
        first = int(np.setdiff1d(np.arange(len(X)), rows)[0]) + 1
        notes.append(f"rows without a label are left out: {lost:,}, the first is row {first:,}")
        X = X[rows]
    _check_classes(y, data.source, known)
    weights = None
    if weight is not None:
        series = dict(columns_of(frame.select(weight)))[weight]
        weights = naming_rows(
            data.source, np.arange(len(frame)), lambda: numbers_of(weight, series)
        )[rows]
        _check_weights(weights, rows, data.source, weight)
    notes += [
        f"column {name!r} determines the class of every row: is it known before the class is? "
        f"Else leave it out with --ignore {quote(name)}"
        for name in leaks(X, y)
    ]
    return Task(X, y, data.source, known or "", rows, weights, data.read_options), notes


def labels_of(data: Data, target: str | None) -> tuple[Any, Any]:
    """Labels of the rows that have one, and the places of these rows."""
    if data.target is not None:
        if target is not None:
            raise BadData("it has its own classes: leave --target out", path=data.source)
        labels = np.asarray(data.target)
        return integers_as_such(labels), np.arange(len(labels))
    name = column_of(data.frame, target, data.source)
    nested = dict(columns_of(data.frame.select(name)))[name]
    naming_rows(data.source, None, lambda: refuse_other_types(name, nested))
    series = data.frame[name]
    missing = series.is_null()
    if series.dtype.is_float():
        missing |= series.is_nan().fill_null(True)
    elif not series.dtype.is_integer():
        series = series.cast(str)
        missing |= (series == "").fill_null(True)
    present = ~missing.to_numpy()
    if not present.any():
        raise BadData("no row has a label", path=data.source, column=name)
    series = series.filter(~missing)
    if not series.dtype.is_integer() and (count := series.n_unique()) > MAX_CLASSES:
        raise _quantity(count, series[0], series[1], data.source, name)
    if series.dtype.is_numeric():
        return integers_as_such(series.to_numpy()), np.flatnonzero(present)
    # By their numbers: a million strings of Python take more room than many columns.
    names = series.unique().sort().to_list()
    places = series.replace_strict(names, range(len(names))).to_numpy()
    return np.array(names, dtype=str)[places], np.flatnonzero(present)


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


def without_single_examples(task: Task) -> tuple[Task, str]:
    """Without the classes that have one example, where others are left; and a note."""
    classes, places, counts = np.unique(task.y, return_inverse=True, return_counts=True)
    single = classes[counts == 1]
    if not len(single) or len(classes) - len(single) < 2:
        return task, ""
    kept = np.flatnonzero(counts[places] > 1)
    weights = None if task.weights is None else task.weights[kept]
    left_out = f"class {to_python(single[0])!r} has a single example"
    if len(single) > 1:
        left_out = f"{len(single)} classes have a single example, such as {to_python(single[0])!r}"
    return (
        replace(task, X=task.take(kept), y=task.y[kept], rows=task.rows[kept], weights=weights),
        f"{left_out}, which cannot be both learned from and held out: left out (--cv 0 learns from "
        "all)",
    )


def class_named(text: str, classes: Any) -> Any:
    """The class that is written like this."""
    for label in classes:
        if str(to_python(label)) == text:
            return label
    names = _listed([str(to_python(label)) for label in classes])
    raise typer.BadParameter(f"there is no class {text!r}; the classes are {names}")


def has_rare_class(task: Task) -> bool:
    """Whether the rarer of two classes has so few rows that it is looked for."""
    _, counts = np.unique(task.y, return_counts=True)
    return len(counts) == 2 and bool(counts.min() < RARE * counts.sum())


def positive_of(task: Task, given: str | None) -> Any:
    """The class that matters of two: the one named, or a rare one, or one called 1, yes and so on.

    Else the last in order, as everywhere in the library. Of more than two classes there is none.
    """
    classes, counts = np.unique(task.y, return_counts=True)
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
    """Costs of what was named; other mistakes cost 1."""
    if named is None:
        return None
    try:
        if not all(":" in name for name in named):
            if len(classes) > 2:
                first, second = (to_python(label) for label in classes[:2])
                raise typer.BadParameter(
                    f"--cost {next(iter(named))} is for two classes, but there are {len(classes)}: "
                    f"name the true class and the decision, as in --cost {first}:{second}=5"
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


def integers_as_such(labels: Any) -> Any:
    """Labels that are whole numbers as such: a class is 1 and not 1.0."""
    if labels.dtype.kind != "f":
        return labels
    fit = (labels == np.rint(labels)) & (np.abs(labels) < 2.0**63)
    return labels.astype(np.int64) if bool(fit.all()) else labels


def _check_weights(weights: Any, rows: Any, source: str, column: str) -> None:
    wrong = np.flatnonzero(~(np.isfinite(weights) & (weights >= 0)))
    if len(wrong):
        weight = to_python(weights[wrong[0]])
        what = "there is no weight" if weight != weight else f"the weight is {weight!r}"
        raise BadData(
            f"{what}: give each row how many examples it is, 0 or more",
            path=source, row=int(rows[wrong[0]]) + 1, column=column,
        )  # fmt: skip


def _check_classes(y: Any, source: str, column: str | None) -> None:
    classes = np.unique(y)
    if len(classes) == 1:
        label = to_python(classes[0])
        raise BadData(
            f"all {len(y):,} rows have the class {label!r}: there is nothing to tell apart",
            path=source, column=column,
        )  # fmt: skip
    if y.dtype.kind == "f" or len(classes) > MAX_CLASSES:
        # The last one, because infinity may be all that is wrong.
        raise _quantity(len(classes), to_python(classes[0]), to_python(classes[-1]), source, column)


def _quantity(count: int, one: Any, other: Any, source: str, column: str | None) -> BadData:
    return BadData(
        f"{count:,} different values, such as {_short(one)} and {_short(other)}: a class is a name "
        "or a whole number that many rows share, and quantities are not learned here",
        path=source,
        column=column,
    )


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 40 else f"{text[:36]} ..."


def _listed(names: list[str], most: int = 10) -> str:
    shown = ", ".join(repr(name) for name in names[:most])
    return shown if len(names) <= most else f"{shown} and {len(names) - most:,} more"
