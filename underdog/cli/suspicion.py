"""Columns that may give the class away, or that only identify the row."""

from __future__ import annotations

import re
import warnings
from dataclasses import replace
from shlex import quote
from typing import TYPE_CHECKING, Any

import numpy as np

from underdog.checks import UnderdogWarning
from underdog.cli.screen import Screen
from underdog.cli.task import Task
from underdog.cli.training import trials
from underdog.comparison.folds import Fold
from underdog.frames import FrameEncoder
from underdog.frames.roles import LEFT_OUT
from underdog.hypotheses import Tree
from underdog.types import Integers

if TYPE_CHECKING:
    from underdog.cli.class_plan import ClassPlan, ClassValidation

NEARLY = 0.01
"""Nearly perfect: at most this share of the mistakes of predicting the most frequent class."""
TRIED = 5
"""Columns that are tried alone, in the order in which the rules use them."""

SPLIT = "say how the rows were split"
DIVISION = {"split", "fold", "folds", "set", "subset", "partition", "dataset", "train", "kfold"}
NUMBERING = {"id", "ids", "uuid", "guid", "index", "idx", "row", "rowid", "rownum", "unnamed"}
LAST_WORDS = {"split", "fold", "folds", "partition", "id", "ids", "uuid", "guid", "idx"}
"""Also after other words, as in row_id and cvFold; a "body mass index" is something else."""

_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")


def questions(encoder: FrameEncoder) -> list[str]:
    """Notes about columns that are used although their names suggest to leave them out."""
    used = [name for name, role in encoder.roles_.items() if role.kind not in LEFT_OUT]
    return [
        f"column {name!r} is used, but its name suggests that it may {what}: if so, "
        f"{f'give --split-column {quote(name)}, or ' if what == SPLIT else ''}leave it out with "
        f"--ignore {quote(name)}"
        for name in used
        if (what := meaning(name))
    ]


def meaning(name: str) -> str:
    """What a column of this name may be, if it should be left out; else an empty string.

    Examples
    --------
    >>> from underdog.cli.suspicion import meaning
    >>> meaning("Split"), meaning("rowId"), meaning("body mass index"), meaning("grid")
    ('say how the rows were split', 'identify the row', '', '')
    """
    words = [word.lower() for word in _WORD.findall(name)]
    if not words:
        return ""
    alone = len(words) == 1 or words[0] in ("row", "is")
    key = words[0] if words[0] == "row" else words[-1]
    if key in DIVISION and (alone or key in LAST_WORDS):
        return SPLIT
    if key in NUMBERING and (alone or key in LAST_WORDS):
        return "identify the row"
    return ""


def nearly_perfect(true: Integers, decided: Integers) -> bool:
    """Whether there are hardly any mistakes, compared with predicting the most frequent class."""
    others = len(true) - np.bincount(true).max()
    return bool(np.sum(true != decided) <= NEARLY * others)


def suspect(
    plan: ClassPlan,
    task: Task,
    booster: Any,
    name: str,
    result: ClassValidation,
    folds: list[Fold],
    screen: Screen,
) -> dict[str, Any] | None:
    """The column to check if nearly all rows are predicted correctly; else None.

    It is the first one that is as good alone, in the same folds, or else the best one.
    """
    true = np.searchsorted(plan.judge.classes, task.y[result.rows])
    if not nearly_perfect(true, result.decided):
        return None
    columns = _columns_used(plan, booster)
    if len(columns) < 2:
        found = [(float(np.mean(true == result.decided)), True, column) for column in columns]
    else:
        found = []
        with screen.progress("columns alone", min(TRIED, len(columns))) as bar:
            for column in columns[:TRIED]:
                decided = _alone(plan, task, name, column, folds).decided
                right, enough = float(np.mean(true == decided)), nearly_perfect(true, decided)
                found.append((right, enough, column))
                bar.add("columns alone")
                if enough:
                    break
    if not found:
        return None
    right, enough, column = max(found, key=lambda each: each[:2])
    shown = f"x{column}" if plan.encoder is None else column
    mistakes = int(np.sum(true != result.decided))
    return {
        "mistakes": mistakes, "column": shown, "accuracy": right, "alone": enough,
        "columns": len(columns),
    }  # fmt: skip


def message(found: dict[str, Any], rows: int, can_ignore: bool) -> str:
    """The suspect in words."""
    name, accuracy = found["column"], f"accuracy {found['accuracy']:.3f}"
    if found["columns"] == 1:
        what = f"Only column {name!r} is used"
    elif found["alone"]:
        what = f"Column {name!r} alone is as good ({accuracy})"
    else:
        what = f"No column alone is as good; the best is {name!r} ({accuracy})"
    remedy = f"leave it out with --ignore {quote(name)}" if can_ignore else "leave it out"
    wrong = f"only {found['mistakes']:,} of {rows:,} rows were"
    if not found["mistakes"]:
        wrong = f"none of the {rows:,} rows was"
    return (
        f"This may be too good to be true: {wrong} "
        f"predicted wrongly in cross-validation. {what}. If it is not known before the class is, "
        f"{remedy}."
    )


def _columns_used(plan: ClassPlan, booster: Any) -> list[Any]:
    """Columns of the data in the order in which the rules use them."""
    rules = (member.hypothesis for member in booster.model_.members)
    trees = (rule for rule in rules if isinstance(rule, Tree))
    places = dict.fromkeys(test.column for tree in trees for test in tree.tests)
    if plan.encoder is None:
        return [int(place) for place in places]
    sources = plan.encoder.sources()
    return list(dict.fromkeys(sources[place] for place in places))


def _alone(
    plan: ClassPlan, task: Task, name: str, column: Any, folds: list[Fold]
) -> ClassValidation:
    """The same candidate with one column."""
    roles = {}
    if plan.encoder is not None:
        roles = {column: plan.encoder.roles_[column].kind}
    single = replace(task, X=task.X[:, [column]] if plan.encoder is None else task.X[[column]])
    plan = replace(plan, boosters={name: plan.boosters[name]})
    with warnings.catch_warnings():  # they are about one column, not about the model
        warnings.simplefilter("ignore", UnderdogWarning)
        return plan.validate(single, folds, list(trials(plan, single, roles, folds, set())))
