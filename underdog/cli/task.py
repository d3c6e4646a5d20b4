"""The rows to train on, their classes, and which class is the positive one."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field, replace
from shlex import quote
from typing import Any

import numpy as np
import typer

from underdog.checks import to_python
from underdog.cli.opening import WHICH_TARGET
from underdog.costs import Costs
from underdog.frames import leaks
from underdog.frames.columns import (
    columns_of,
    holds_numbers,
    numbers_of,
    refuse_other_types,
)
from underdog.frames.errors import (
    BadData,
    counted,
    did_you_mean,
    listed,
    row_number,
    unknown_column,
)
from underdog.frames.roles import find_role
from underdog.frames.values import shown
from underdog.reading import Data

MAX_CLASSES = 1000
MANY_NUMBERS = 30
"""With more classes that are whole numbers, they may have been meant as quantities."""
SMALL = 1 << 26
"""Bytes of a frame up to which repeated rows are counted."""
RARE = 0.2
"""With a smaller share of the rows a class is rare, and therefore the positive one."""
POSITIVE = ("1", "1.0", "+1", "+", "true", "t", "yes", "y", "positive", "pos")
"""Names of the positive class, in upper or lower case."""

NO_CLASSES = (
    "the folder has no sub-folders: put the text files of each class into a sub-folder with the "
    "name of the class"
)


@dataclass(eq=False)
class Task:
    """Examples of a data file.

    Attributes
    ----------
    X : a frame, or a CSR matrix where the file is one
    y : (n,) labels
    source : the file, for messages
    target : name of the column of the labels; "" if the file has its own
    rows : (n,) positions of the rows in the file
    weights : (n,) or None
    read_options : what was found out about the file and holds for others, such as decimal commas
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

    def naming_file(self, work: Callable[[], Any]) -> Any:
        """The result of some work on all rows; errors in the data name the file and its row."""
        return naming_file(self.source, self.rows, work)


def naming_file(source: str, rows: Any, work: Callable[[], Any]) -> Any:
    """The result of some work on these rows of a file; errors name the file and its row."""
    try:
        return work()
    except BadData as error:
        raise error.in_file(source, rows) from None


def read_task(
    data: Data, target: str | None, ignored: Sequence[str] = (), weight: str | None = None
) -> tuple[Task, list[str]]:
    """Rows with a label, and notes for the user."""
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
        raise BadData("there is no column besides the target", path=data.source)
    lost = len(X) - len(rows)
    if lost:
        first = int(np.setdiff1d(np.arange(len(X)), rows)[0]) + 1
        notes.append(
            f"left out {counted(lost, 'row')} without a label; the first is {row_number(first)}"
        )
        X = X[rows]
    _check_classes(y, data.source, known)
    weights = None
    if weight is not None:
        series = dict(columns_of(frame.select(weight)))[weight]
        weights = naming_file(data.source, None, lambda: numbers_of(weight, series))[rows]
        _check_weights(weights, rows, data.source, weight)
    if y.dtype.kind in "iu" and (count := len(np.unique(y))) > MANY_NUMBERS:
        notes.append(
            f"{known or 'the target'} has {count:,} different whole numbers, and each of them is a "
            "class: regression is not supported yet"
        )
    notes += [
        f"column {name!r} determines the class of every row: if it is not known before the class "
        f"is, leave it out with --ignore {quote(name)}"
        for name in leaks(X, y)
    ]
    return Task(X, y, data.source, known or "", rows, weights, data.read_options), notes


def repeated_rows(data: Data) -> list[str]:
    """A note about rows that occur several times; they are not counted in a large file."""
    frame = data.frame
    if frame is None or frame.estimated_size() > SMALL:
        return []
    repeated = len(frame) - frame.n_unique()
    return [f"{repeated:,} of {len(frame):,} rows repeat an earlier row"] if repeated else []


def labels_of(data: Data, target: str | None) -> tuple[Any, Any]:
    """Labels of the rows that have one, and the positions of these rows."""
    if data.target is not None:
        if target is not None:
            raise BadData(
                f"{data.format} has its own classes: leave --target out", path=data.source
            )
        labels = np.asarray(data.target)
        return integers_as_such(labels), np.arange(len(labels))
    if data.format == "folder":
        raise BadData(NO_CLASSES, path=data.source)
    name = column_of(data.frame, target, data.source)
    nested = dict(columns_of(data.frame.select(name)))[name]
    naming_file(data.source, None, lambda: refuse_other_types(name, nested))
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
        raise _not_classes(count, series[0], series[1], data.source, name)
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
        raise BadData(f"{WHICH_TARGET}; the columns are {listed(columns)}", path=source)
    if name not in columns:
        raise unknown_column(name, columns, source)
    return name


def without_single_examples(task: Task) -> tuple[Task, str]:
    """Without the classes that have one row, if two others remain; and a note."""
    classes, places, counts = np.unique(task.y, return_inverse=True, return_counts=True)
    single = classes[counts == 1]
    if not len(single) or len(classes) - len(single) < 2:
        return task, ""
    kept = np.flatnonzero(counts[places] > 1)
    weights = None if task.weights is None else task.weights[kept]
    left_out = f"class {to_python(single[0])!r} has only one row and is left out"
    if len(single) > 1:
        names = listed([str(to_python(label)) for label in single])
        left_out = f"{len(single)} classes have only one row and are left out: {names}"
    return (
        replace(task, X=task.take(kept), y=task.y[kept], rows=task.rows[kept], weights=weights),
        f"{left_out} (cross-validation needs two; --cv 0 uses all)",
    )


def class_named(text: str, classes: Any) -> Any:
    """The class that is written like this."""
    for label in classes:
        if str(to_python(label)) == text:
            return label
    hint = did_you_mean(text, [str(to_python(label)) for label in classes], "classes")
    raise typer.BadParameter(f"there is no class {text!r}: {hint}")


def has_rare_class(task: Task) -> bool:
    """Whether the rarer of two classes has less than 20% of the rows."""
    return is_rare(task.counts().values())


def is_rare(counts: Collection[int]) -> bool:
    """The same, given the number of rows of each class."""
    return len(counts) == 2 and min(counts) < RARE * sum(counts)


def has_words(task: Task, given: dict[str, str]) -> bool:
    """Whether a column is text, or all of them are in a sparse matrix.

    Parameters
    ----------
    given : roles of columns that the user has given
    """
    if not task.is_frame:
        return True
    roles = (
        given[name] if name in given else find_role(name, column).kind
        for name, column in columns_of(task.X)
        if name in given or not holds_numbers(column)
    )
    return "text" in roles


def positive_of(task: Task, given: str | None) -> Any:
    """The positive of two classes: the one given, or a rare one, or one named 1, yes and so on.

    Otherwise it is the last in sorted order. Of more than two classes there is none.
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


def integers_as_such(labels: Any) -> Any:
    """Labels that are whole numbers as integers: a class is 1 and not 1.0."""
    if labels.dtype.kind != "f":
        return labels
    fit = (labels == np.rint(labels)) & (np.abs(labels) < 2.0**63)
    return labels.astype(np.int64) if bool(fit.all()) else labels


def _check_weights(weights: Any, rows: Any, source: str, column: str) -> None:
    wrong = np.flatnonzero(~(np.isfinite(weights) & (weights >= 0)))
    if len(wrong):
        weight = to_python(weights[wrong[0]])
        what = "the weight is missing" if weight != weight else f"the weight is {weight!r}"
        raise BadData(
            f"{what}: weights must be finite numbers, 0 or more",
            path=source, row=int(rows[wrong[0]]) + 1, column=column,
        )  # fmt: skip


def _check_classes(y: Any, source: str, column: str | None) -> None:
    classes = np.unique(y)
    if len(classes) == 1:
        label = to_python(classes[0])
        raise BadData(
            f"all {len(y):,} rows have the class {label!r}: at least two classes are needed",
            path=source, column=column,
        )  # fmt: skip
    if y.dtype.kind == "f" or len(classes) > MAX_CLASSES:
        # The last one, because infinity may be all that is wrong.
        one, other = to_python(classes[0]), to_python(classes[-1])
        raise _not_classes(len(classes), one, other, source, column)


def _not_classes(count: int, one: Any, other: Any, source: str, column: str | None) -> BadData:
    values = f"{count:,} different values, such as {shown(one)} and {shown(other)}, are not classes"
    if isinstance(one, str):
        return BadData(
            f"{values}: at most {MAX_CLASSES:,} are allowed. Is this the right column?",
            path=source,
            column=column,
        )
    return BadData(
        f"{values}: regression is not supported yet. To classify, bin them into a few classes, "
        "such as 'low' and 'high'",
        path=source,
        column=column,
    )
