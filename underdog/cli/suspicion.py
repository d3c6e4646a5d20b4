"""Columns that may give the target away, or that only identify the row."""

from __future__ import annotations

import re
import warnings
from dataclasses import replace
from shlex import quote
from typing import Any, NamedTuple

from sklearn.base import clone

from underdog.checks import UnderdogWarning
from underdog.cli.plan import CrossValidation, Plan
from underdog.cli.screen import Screen
from underdog.cli.task import Task
from underdog.cli.training import trials
from underdog.data.folds import Fold
from underdog.frames import FrameEncoder
from underdog.frames.roles import LEFT_OUT
from underdog.hypotheses import Tree

NEARLY = 0.01
"""Nearly perfect: at most this share of the mistakes, or of the squared error, of a constant."""
ROUNDS = 100
"""Of blended trees with one column."""
TRIED = 5
"""Columns that are tried alone, in the order in which the rules use them."""

SPLIT = "say how the rows were split"
DIVISION = {"split", "fold", "folds", "set", "subset", "partition", "dataset", "train", "kfold"}
NUMBERING = {"id", "ids", "uuid", "guid", "index", "idx", "row", "rowid", "rownum", "unnamed"}
LAST_WORDS = {"split", "fold", "folds", "partition", "id", "ids", "uuid", "guid", "idx"}
"""Also after other words, as in row_id and cvFold; a "body mass index" is something else."""

_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")


class Suspect(NamedTuple):
    """A column to check, how good it is alone, and how many columns the model uses."""

    column: Any
    value: float
    alone: bool
    columns: int


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


def suspect(
    plan: Plan,
    task: Task,
    booster: Any,
    result: CrossValidation,
    folds: list[Fold],
    screen: Screen,
) -> Suspect | None:
    """The column to check if the predictions are nearly perfect; else None.

    It is the first one that is as good alone, in the same folds, or else the best one.
    """
    own = plan.quality(task, result)
    if not own.nearly_perfect:
        return None
    columns = _columns_used(plan, booster)
    if len(columns) < 2:
        found = [(own, column) for column in columns]
    else:
        found = []
        with screen.progress("columns alone", min(TRIED, len(columns))) as bar:
            for column in columns[:TRIED]:
                quality = plan.quality(task, _alone(plan, task, column, folds))
                found.append((quality, column))
                bar.add("columns alone")
                if quality.nearly_perfect:
                    break
    if not found:
        return None
    best, column = max(found, key=lambda each: each[0])
    shown = f"x{column}" if plan.encoder is None else column
    return Suspect(shown, best.value, best.nearly_perfect, len(columns))


def message(found: dict[str, Any], rows: int, can_ignore: bool) -> str:
    """The suspect in words."""
    name, of_classes = found["column"], "mistakes" in found
    measure = f"accuracy {found['accuracy']:.3f}" if of_classes else f"R2 {found['column_r2']:.4f}"
    if found["columns"] == 1:
        what = f"Only column {name!r} is used"
    elif found["alone"]:
        what = f"Column {name!r} alone is as good ({measure})"
    else:
        what = f"No column alone is as good; the best is {name!r} ({measure})"
    remedy = f"leave it out with --ignore {quote(name)}" if can_ignore else "leave it out"
    if not of_classes:
        good = f"R2 is {found['r2']:.4f}"
    elif found["mistakes"]:
        good = f"only {found['mistakes']:,} of {rows:,} rows were predicted wrongly"
    else:
        good = f"none of the {rows:,} rows was predicted wrongly"
    known = "class" if of_classes else "target"
    return (
        f"This may be too good to be true: {good} in cross-validation. {what}. If it is not known "
        f"before the {known} is, {remedy}."
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


def _alone(plan: Plan, task: Task, column: Any, folds: list[Fold]) -> CrossValidation:
    """The same model with one column; a blend without its linear model, which would take long."""
    roles = {}
    if plan.encoder is not None:
        roles = {column: plan.encoder.roles_[column].kind}
    single = replace(task, X=task.X[:, [column]] if plan.encoder is None else task.X[[column]])
    booster = plan.booster
    if not booster._can_continue:  # rounds need not be chosen for one column
        rounds = min(booster.n_estimators, ROUNDS)
        booster = clone(booster).set_params(early_stopping=False, n_estimators=rounds)
    plan = replace(plan, booster=booster, baselines={})
    with warnings.catch_warnings():  # they are about one column, not about the model
        warnings.simplefilter("ignore", UnderdogWarning)
        done: CrossValidation = plan.validate(
            single, folds, list(trials(plan, single, roles, folds, set()))
        )
    return done
