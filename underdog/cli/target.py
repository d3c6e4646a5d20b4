"""The target column: whether it holds classes or numbers, and its values."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import polars as pl

from underdog.checks import to_python
from underdog.cli.opening import WHICH_TARGET
from underdog.frames.columns import columns_of, numbers_of, refuse_other_types
from underdog.frames.errors import BadData, listed, unknown_column
from underdog.frames.values import is_absent, is_code, number_of, shown
from underdog.reading import Data
from underdog.types import Floats

CLASSES, NUMBERS, RANKS = "classification", "regression", "ranking"
TASKS = ("auto", CLASSES, NUMBERS)
MAX_CLASSES = 1000
MANY_NUMBERS = 30
"""With more different whole numbers, they are quantities and not classes."""
SOME_NUMBERS = 10
"""With more different whole numbers from 0 on, they are counts if one of them occurs only once."""
MOSTLY = 0.9
"""If so many of the values are numbers, others are mistakes."""

NO_CLASSES = (
    "the folder has no sub-folders: put the text files of each class into a sub-folder with the "
    "name of the class"
)


class Kind(NamedTuple):
    """What is to be predicted, and why, if that is worth a note."""

    task: str
    note: str = ""


def naming_file(source: str, rows: Any, work: Callable[[], Any]) -> Any:
    """The result of some work on these rows of a file; errors name the file and its row."""
    try:
        return work()
    except BadData as error:
        raise error.in_file(source, rows) from None


def find_kind(data: Data, target: str | None, asked: str = "auto") -> Kind:
    """Whether the target has classes or numbers.

    Numbers are quantities unless all of them are whole and at most 30 are different. More than ten
    whole numbers from 0 on are counts if one of them occurs only once, as hardly any class does.
    Anything else is a class.
    """
    if data.format == "folder" and asked == NUMBERS:
        raise BadData(
            "the classes of a folder are its sub-folders, which are not numbers: leave --task "
            "regression out", path=data.source,
        )  # fmt: skip
    if asked != "auto":
        return Kind(asked)
    values = _numbers_in(data, target)
    if values is None or not len(values):
        return Kind(CLASSES)
    different = np.unique(values)
    count, name = len(different), target or "the target"
    if not bool((different == np.floor(different)).all()):
        return Kind(NUMBERS, f"{name} has {count:,} different numbers: regression")
    if count <= MANY_NUMBERS:
        if count <= 2:
            return Kind(CLASSES)
        if count > SOME_NUMBERS and different[0] >= 0 and _has_single(data, target):
            return Kind(
                NUMBERS,
                f"{name} has {count} different whole numbers, of which some occur once, as counts "
                "do: regression; --loss poisson may be better; --task classification makes each of "
                "them a class",
            )
        return Kind(
            CLASSES,
            f"{name} has {count} different whole numbers, and each of them is a class; --task "
            "regression predicts numbers",
        )
    note = f"{name} has {count:,} different whole numbers: regression"
    if count <= MAX_CLASSES:
        note += "; --task classification makes each of them a class"
    if different[0] >= 0:
        note += "; if they are counts, --loss poisson may be better"
    return Kind(NUMBERS, note)


def _has_single(data: Data, target: str | None) -> bool:
    """Whether a value of the target occurs only once."""
    values = data.target if data.target is not None else _column(data, target).drop_nulls()
    return int(np.unique(values, return_counts=True)[1].min()) == 1


def _numbers_in(data: Data, target: str | None) -> Any:
    """The different finite numbers of a target; None if it is not numbers."""
    if data.format == "folder":
        return None
    if data.target is not None:
        values = np.asarray(data.target)
    else:
        series = _column(data, target)
        if series.dtype.is_numeric():
            values = series.unique().drop_nulls().to_numpy()  # few, if they are classes
        elif series.dtype == pl.String:
            return _numbers_in_texts(series, data, str(target))
        else:
            return None
    if values.dtype.kind not in "iuf":
        return None
    values = values.astype(np.float64)
    return values[np.isfinite(values)]


def _numbers_in_texts(series: Any, data: Data, name: str) -> Any:
    """Numbers in a column with words such as NA; real numbers among a few other words are refused.

    Then the words are mistakes, and not classes.
    """
    counts = dict(series.drop_nulls().value_counts(name="count").iter_rows())
    present = {text: count for text, count in counts.items() if not is_absent(text)}
    found = {text: number_of(text) for text in present}
    values = np.array([value for value in found.values() if value is not None])
    if not len(values) or any(map(is_code, present)):
        return None
    if len(values) == len(found):
        return values[np.isfinite(values)]
    share = sum(present[text] for text, value in found.items() if value is not None)
    quantities = len(values) > MANY_NUMBERS or bool((values != np.floor(values)).any())
    if quantities and share >= MOSTLY * sum(present.values()):
        wrong = next(text for text in series if text in found and found[text] is None)
        row = series.to_list().index(wrong)
        raise BadData(
            f"{shown(wrong)} is not a number, but {share:,} other values are: correct it, or give "
            "--task classification", path=data.source, row=row + 1, column=name,
        )  # fmt: skip
    return None


def labels_of(data: Data, target: str | None) -> tuple[Any, Any]:
    """Labels of the rows that have one, and the positions of these rows."""
    if data.target is not None:
        _refuse_name(data, target)
        labels = np.asarray(data.target)
        return integers_as_such(labels), np.arange(len(labels))
    series = _column(data, target)
    missing = series.is_null()
    if series.dtype.is_float():
        missing |= series.is_nan().fill_null(True)
    elif not series.dtype.is_integer():
        series = series.cast(str)
        missing |= (series == "").fill_null(True)
    present = ~missing.to_numpy()
    if not present.any():
        raise BadData("no row has a label", path=data.source, column=target)
    series = series.filter(~missing)
    if not series.dtype.is_integer() and (count := series.n_unique()) > MAX_CLASSES:
        raise _not_classes(count, series[0], series[1], data.source, target)
    if series.dtype.is_numeric():
        return integers_as_such(series.to_numpy()), np.flatnonzero(present)
    # By their numbers: a million strings of Python take more room than many columns.
    names = series.unique().sort().to_list()
    places = series.replace_strict(names, range(len(names))).to_numpy()
    return np.array(names, dtype=str)[places], np.flatnonzero(present)


def values_of(data: Data, target: str | None) -> tuple[Floats, Any]:
    """Finite numbers of the rows that have one, and the positions of these rows."""
    if data.target is not None:
        _refuse_name(data, target)
        values = np.asarray(data.target)
        if values.dtype.kind not in "biuf":
            raise BadData(
                f"the target has classes such as {shown(values[0])}, which are not numbers",
                path=data.source,
            )
    else:
        _column(data, target)
        name = str(target)
        column = dict(columns_of(data.frame.select(name)))[name]
        values = naming_file(data.source, None, lambda: numbers_of(name, column))
    numbers: Floats = values.astype(np.float64)
    rows = np.flatnonzero(~np.isnan(numbers))
    if not len(rows):
        raise BadData("no row has a value", path=data.source, column=target)
    wrong = rows[~np.isfinite(numbers[rows])]
    if len(wrong):
        raise BadData(
            f"the target is {to_python(numbers[wrong[0]])!r}: it must be a finite number; correct "
            "the row, or remove it", path=data.source, row=int(wrong[0]) + 1, column=target,
        )  # fmt: skip
    return numbers[rows], rows


def column_of(frame: Any, name: str | None, source: str) -> str:
    """A column's name, checked."""
    columns = list(frame.columns)
    if name is None:
        raise BadData(f"{WHICH_TARGET}; the columns are {listed(columns)}", path=source)
    if name not in columns:
        raise unknown_column(name, columns, source)
    return name


def integers_as_such(labels: Any) -> Any:
    """Labels that are whole numbers as integers: a class is 1 and not 1.0."""
    if labels.dtype.kind != "f":
        return labels
    fit = (labels == np.rint(labels)) & (np.abs(labels) < 2.0**63)
    return labels.astype(np.int64) if bool(fit.all()) else labels


def check_classes(y: Any, source: str, column: str | None) -> None:
    """Refuse one class, and labels that are not classes."""
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


def check_values(y: Floats, source: str, column: str | None) -> None:
    """Refuse numbers that nothing can be learned from."""
    if len(y) == 1:
        raise BadData(
            "there is only one row with a value: regression needs at least two",
            path=source, column=column,
        )  # fmt: skip
    if y.min() == y.max():
        raise BadData(
            f"all {len(y):,} rows have the value {to_python(y[0])!r}: there is nothing to predict",
            path=source, column=column,
        )  # fmt: skip


def _refuse_name(data: Data, target: str | None) -> None:
    if target is not None:
        raise BadData(f"{data.format} has its own target: leave --target out", path=data.source)


def _column(data: Data, target: str | None) -> Any:
    """The target as a column of the frame."""
    if data.format == "folder":
        raise BadData(NO_CLASSES, path=data.source)
    name = column_of(data.frame, target, data.source)
    nested = dict(columns_of(data.frame.select(name)))[name]
    naming_file(data.source, None, lambda: refuse_other_types(name, nested))
    return data.frame[name]


def _not_classes(count: int, one: Any, other: Any, source: str, column: str | None) -> BadData:
    values = f"{count:,} different values, such as {shown(one)} and {shown(other)}, are not classes"
    if isinstance(one, str):
        return BadData(
            f"{values}: at most {MAX_CLASSES:,} are allowed. Is this the right column?",
            path=source,
            column=column,
        )
    return BadData(
        f"{values}: give --task regression to predict numbers, or bin them into a few classes, "
        "such as 'low' and 'high'",
        path=source,
        column=column,
    )
