"""How columns of the data divide its rows: into groups, by time, or into a held-out part."""

from __future__ import annotations

from dataclasses import replace
from shlex import quote
from typing import Any, NamedTuple

import numpy as np

from underdog.checks import to_python
from underdog.cli.options import RowDivision
from underdog.cli.target import CLASSES, check_classes, check_values, naming_file
from underdog.cli.task import Task, without_single_examples
from underdog.data.folds import group_numbers
from underdog.frames.columns import columns_of, holds_numbers, moments_of, numbers_of, texts_of
from underdog.frames.errors import BadData, counted, did_you_mean, listed
from underdog.frames.roles import find_role
from underdog.reading import Data
from underdog.types import Flags

MISSING = "the value is missing: fill it in, or remove the row"
TRAIN = ("train", "training", "learn", "learning")
VALID = ("valid", "validation", "val", "dev", "development")
TEST = ("test", "testing", "holdout", "hold-out", "held-out", "eval", "evaluation")


class DividedTask(NamedTuple):
    """A task whose rows are divided.

    Attributes
    ----------
    task : all rows, with their groups or times
    held_out : (n,) which rows are held out; None if none are
    which : which ones these are, in words
    notes : for the user
    """

    task: Task
    held_out: Flags | None
    which: str
    notes: list[str]


def divide(task: Task, data: Data, asked: RowDivision) -> DividedTask:
    """Read the columns that divide the rows."""
    if asked.group is not None:
        task = replace(task, groups=_groups(task, data, asked.group), fold_column=asked.group)
    if asked.time is not None:
        task = replace(task, time=_times(task, data, asked.time), fold_column=asked.time)
    if asked.split_column is None:
        return DividedTask(task, None, "", [])
    column, value = asked.split
    held_out, which, notes = _held_out(task, data, column, value)
    known = np.unique(task.y[~held_out])
    if task.kind == CLASSES:
        check_classes(task.y[~held_out], f"{data.source}, training part", task.target)
        unknown = held_out & ~np.isin(task.y, known)
        if unknown.any():
            notes.append(_left_out(task.y[unknown]))
            task, held_out = task.part(~unknown), held_out[~unknown]
            _refuse_empty(held_out, "no held-out row is left", data, column)
    else:
        check_values(task.y[~held_out], f"{data.source}, training part", task.target)
    if task.groups is not None:
        both = np.intersect1d(task.groups[held_out], task.groups[~held_out])
        if len(both):
            notes.append(
                f"{len(both):,} of the {len(np.unique(task.groups)):,} values of {asked.group!r} "
                "are in the training part and in the held-out part"
            )
    return DividedTask(task, held_out, which, notes)


def parts_of(divided: DividedTask, cross_validated: bool) -> tuple[Task, Task | None, list[str]]:
    """Rows to train on, held-out rows, and notes.

    For cross-validation, classes with one row to train on are left out.
    """
    task, held_out, _, notes = divided
    last = None if held_out is None else task.part(held_out)
    task = task if held_out is None else task.part(~held_out)
    if cross_validated and task.kind == CLASSES:
        task, note = without_single_examples(task)
        notes = [*notes, *([note] if note else [])]
        if last is not None and (lost := ~np.isin(last.y, task.y)).any():
            notes.append(_left_out(last.y[lost]))
            last = last.part(~lost)
    return task, last, notes


def _left_out(y: Any) -> str:
    names = [str(to_python(label)) for label in np.unique(y)]
    return (
        f"left out {counted(len(y), 'held-out row')} of classes that are not in the training "
        f"part: {listed(names)}"
    )


def _column(task: Task, data: Data, name: str) -> Any:
    """A column, of the rows of the task."""
    if data.frame is None:
        raise BadData(f"{data.format} has no column {name!r}, only features", path=data.source)
    return dict(columns_of(data.frame.select(name)[task.rows]))[name]


def _texts(task: Task, data: Data, name: str) -> list[str]:
    """The values of a column as texts; a missing one is an error."""
    values = texts_of(_column(task, data, name))
    for place, value in enumerate(values):
        if value is None:
            raise BadData(MISSING, position=place, column=name).in_file(data.source, task.rows)
    return [str(value) for value in values]


def _groups(task: Task, data: Data, name: str) -> Any:
    return group_numbers(_texts(task, data, name), len(task.y))


def _times(task: Task, data: Data, name: str) -> Any:
    """(n,) numbers or dates."""
    column = _column(task, data, name)

    def read() -> Any:
        role = find_role(name, column)
        if role.kind == "date":
            values = np.array(moments_of(name, column, role.form), dtype="datetime64[us]")
        elif holds_numbers(column) or role.kind == "number":
            values = numbers_of(name, column)
        else:
            raise BadData(
                f"this is {role.kind} ({role.reason}), but --time needs numbers or dates, such as "
                "2024-01-31", column=name,
            )  # fmt: skip
        missing = values != values  # NaN and NaT
        if missing.any():
            raise BadData(MISSING, position=int(missing.argmax()), column=name)
        return values

    return naming_file(data.source, task.rows, read)


def _held_out(task: Task, data: Data, name: str, value: str | None) -> tuple[Flags, str, list[str]]:
    """Which rows are held out, which ones these are in words, and notes."""
    texts = np.array(_texts(task, data, name), dtype=object)
    different = sorted(set(texts))
    if value is not None:
        if value not in different:
            hint = did_you_mean(value, different, "values")
            raise BadData(f"no row has the value {value!r}: {hint}", path=data.source, column=name)
        held_out: Flags = texts == value
        _refuse_empty(~held_out, f"all rows have the value {value!r}", data, name)
        return held_out, f"{name} = {value}", []
    parts = {text: _part(text) for text in different}
    if None in parts.values() or len(set(parts.values())) < len(parts):
        raise BadData(
            f"the values are {listed(different)}, but they must say which rows are for training: "
            "'train' and 'test', perhaps 'valid', too; or give the value of the rows to hold out, "
            f"as in --split-column {quote(name)}={quote(different[-1])}",
            path=data.source, column=name,
        )  # fmt: skip
    named = {part: text for text, part in parts.items()}
    if "train" not in named or len(named) < 2:
        lacking = "held out" if "train" in named else "for training"
        raise BadData(
            f"no row is {lacking}: the values are {listed(different)}",
            path=data.source, column=name,
        )  # fmt: skip
    last = named.get("test", named.get("valid", ""))
    notes = []
    if len(named) == 3:
        count = counted(int((texts == named["valid"]).sum()), "row")
        notes.append(
            f"{count} with {name} = {named['valid']} are used for training, too: the model is "
            "chosen by cross-validation"
        )
    return texts == last, f"{name} = {last}", notes


def _part(text: str) -> str | None:
    """What a value says about its rows; None if that is not known."""
    known = {"train": TRAIN, "valid": VALID, "test": TEST}
    plain = text.strip().lower().replace("_", "-")
    return next((part for part, names in known.items() if plain in names), None)


def _refuse_empty(rows: Flags, problem: str, data: Data, column: str) -> None:
    if not rows.any():
        raise BadData(problem, path=data.source, column=column)
