"""Columns to look at twice: those that give the class away, and those that only number the rows."""

from __future__ import annotations

import re
import warnings
from dataclasses import replace
from shlex import quote
from typing import Any

import numpy as np

from underdog.checks import UnderdogWarning
from underdog.cli.screen import Screen
from underdog.cli.task import Task
from underdog.cli.training import CrossValidation, Plan, trials, validate
from underdog.comparison.folds import Fold
from underdog.frames import FrameEncoder
from underdog.frames.roles import LEFT_OUT
from underdog.hypotheses import Tree
from underdog.types import Integers

NEARLY = 0.01
"""Nearly perfect: so many of the mistakes that the most frequent class alone would make."""
TRIED = 5
"""Columns that are tried alone, in the order in which the rules use them."""

DIVISION = {"split", "fold", "folds", "set", "subset", "partition", "dataset", "train", "kfold"}
NUMBERING = {"id", "ids", "uuid", "guid", "index", "idx", "row", "rowid", "rownum", "unnamed"}
LAST_WORDS = {"split", "fold", "folds", "partition", "id", "ids", "uuid", "guid", "idx"}
"""Also after other words, as in row_id and cvFold; a "body mass index" is something else."""

_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")


def questions(encoder: FrameEncoder) -> list[str]:
    """Notes about columns that are learned from though their names say that they should not be."""
    used = [name for name, role in encoder.roles_.items() if role.kind not in LEFT_OUT]
    return [
        f"column {name!r} is used. By its name it may {what}: if so, leave it out with "
        f"--ignore {quote(name)}"
        for name in used
        if (what := meaning(name))
    ]


def meaning(name: str) -> str:
    """What a column of this name may do that has nothing to do with the class; else nothing.

    Examples
    --------
    >>> from underdog.cli.suspicion import meaning
    >>> meaning("Split"), meaning("rowId"), meaning("body mass index"), meaning("grid")
    ('say how the rows were divided', 'say which row it is', '', '')
    """
    words = [word.lower() for word in _WORD.findall(name)]
    if not words:
        return ""
    alone = len(words) == 1 or words[0] in ("row", "is")
    key = words[0] if words[0] == "row" else words[-1]
    if key in DIVISION and (alone or key in LAST_WORDS):
        return "say how the rows were divided"
    if key in NUMBERING and (alone or key in LAST_WORDS):
        return "say which row it is"
    return ""


def nearly_perfect(true: Integers, decided: Integers) -> bool:
    """Whether hardly any of the mistakes is left that the most frequent class would make."""
    others = len(true) - np.bincount(true).max()
    return bool(np.sum(true != decided) <= NEARLY * others)


def suspect(
    plan: Plan,
    task: Task,
    booster: Any,
    name: str,
    result: CrossValidation,
    folds: list[Fold],
    screen: Screen,
) -> dict[str, Any] | None:
    """The column to look at if nearly all rows are decided rightly; else None.

    It is the first one that gives such a result alone, in the same folds, or else the one that
    comes nearest to it.
    """
    true = np.searchsorted(plan.judge.classes, task.y)
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
    """A suspect in words."""
    name, right = found["column"], f"accuracy {found['accuracy']:.3f}"
    if found["columns"] == 1:
        what = f"only column {name!r} is used"
    elif found["alone"]:
        what = f"column {name!r} alone does as well ({right})"
    else:
        what = f"no column alone does as well; {name!r} comes nearest ({right})"
    rest = f"leave it out with --ignore {quote(name)}" if can_ignore else "leave it out"
    return (
        f"in the folds {found['mistakes']:,} of {rows:,} rows are decided wrongly, which may be "
        f"too good: {what}. If it is known only after the class, {rest}"
    )


def _columns_used(plan: Plan, booster: Any) -> list[Any]:
    """Columns of the data in the order in which the rules use them."""
    rules = (member.hypothesis for member in booster.model_.members)
    trees = (rule for rule in rules if isinstance(rule, Tree))
    places = dict.fromkeys(test.column for tree in trees for test in tree.tests)
    if plan.encoder is None:
        return [int(place) for place in places]
    sources = plan.encoder.sources()
    return list(dict.fromkeys(sources[place] for place in places))


def _alone(plan: Plan, task: Task, name: str, column: Any, folds: list[Fold]) -> CrossValidation:
    """The same candidate with one column."""
    roles = {}
    if plan.encoder is not None:
        roles = {column: plan.encoder.roles_[column].kind}
    single = replace(task, X=task.X[:, [column]] if plan.encoder is None else task.X[[column]])
    plan = replace(plan, boosters={name: plan.boosters[name]})
    with warnings.catch_warnings():  # what is wrong with one column is not wrong with the model
        warnings.simplefilter("ignore", UnderdogWarning)
        return validate(plan, single, folds, list(trials(plan, single, roles, folds, set())))
