"""Members in a file: one array for each fact about them, a row per member."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from underdog.core import MOST_SCORE, Hypothesis, Member
from underdog.data import Schema
from underdog.files import CannotStore, Fields
from underdog.hypotheses import Constant, Foreign, Stump
from underdog.kernels.elementary import GRID
from underdog.types import Codes, Floats

NO_COLUMN = -1
"""In place of the column of a rule that asks nothing."""


def state_of(members: Sequence[Member]) -> dict[str, Any]:
    """The arrays of some members: see docs/files.md."""
    rules = [member.hypothesis for member in members]
    for rule in rules:
        if not isinstance(rule, Stump | Constant):
            raise CannotStore(_refusal(rule))
    stumps = [rule for rule in rules if isinstance(rule, Stump)]
    thresholds = [getattr(rule, "threshold", None) for rule in rules]
    return {
        "columns": np.array([getattr(rule, "column", NO_COLUMN) for rule in rules], np.int32),
        "thresholds": np.array([np.nan if cut is None else cut for cut in thresholds]),
        "inside": np.concatenate([np.empty(0, np.uint8), *(stump.inside for stump in stumps)]),
        "values": np.stack([rule.values for rule in rules]),
        "coefficients": np.array([member.coefficient for member in members]),
        "steps": np.stack([member.steps for member in members]),
    }


def members_of(fields: Fields, schema: Schema) -> list[Member]:
    """Members whose tests are about columns and bins that the schema has."""
    columns = fields.array("columns", np.int32, None)
    count = len(columns)
    thresholds = fields.array("thresholds", np.float64, count)
    steps = fields.floats("steps", count, 2, None)
    values = fields.floats("values", *steps.shape)
    coefficients = fields.floats("coefficients", count)
    inside = fields.array("inside", np.uint8, None)
    if steps.size == 0:
        raise fields.wrong("steps", "are of no rule or no label")
    if columns.min() < NO_COLUMN or columns.max() >= schema.n_columns:
        raise fields.wrong("columns", f"are not all among the {schema.n_columns} of the schema")
    sizes = np.abs(steps).max(axis=(1, 2))
    if sizes.sum() >= MOST_SCORE or (np.rint(steps * GRID) != steps * GRID).any():
        raise fields.wrong("steps", "are too large, or not on the score grid")
    if not np.array_equal(steps, _steps(values, coefficients)):
        raise fields.wrong("steps", "are not the coefficients times the values, on the score grid")
    asks = columns != NO_COLUMN
    ends = np.cumsum(np.where(asks, schema.bins[columns] + 1, 0))
    if ends[-1] != len(inside) or inside.max(initial=0) > 1:
        raise fields.wrong("inside", "must have a 0 or a 1 for each bin of a rule's column")
    flags = np.split(inside, ends[:-1])
    members = []
    followed = coefficients.tolist()
    for number, column in enumerate(columns.tolist()):
        rule: Hypothesis = Constant(values[number])
        if column != NO_COLUMN:
            cut = None if np.isnan(thresholds[number]) else float(thresholds[number])
            if not _says_what_it_does(schema, column, flags[number], cut):
                raise fields.wrong("thresholds", "do not say where the rules are true")
            rule = Stump(column, flags[number], cut, values[number])
        size = float(sizes[number])
        members.append(Member(rule, followed[number], steps[number], size))
    return members


def path_of(fields: Fields, members: Sequence[Member]) -> list[Floats]:
    """Coefficients after each round, where they changed: one in the first, two in the second."""
    rounds = len(members)
    path = fields.floats("path", None)
    if not len(path):
        return []
    if len(path) != rounds * (rounds + 1) // 2:
        raise fields.wrong("path", f"must have coefficients for each of {rounds} rounds")
    largest = max(float(np.abs(member.hypothesis.values).max()) for member in members)
    if float(np.abs(path).max()) * largest * rounds >= MOST_SCORE:
        raise fields.wrong("path", "has coefficients that are too large")
    parts = np.split(path, np.cumsum(np.arange(1, rounds)))
    if parts[-1].tolist() != [member.coefficient for member in members]:
        raise fields.wrong("path", "does not end with the coefficients")
    return parts


def _says_what_it_does(schema: Schema, column: int, inside: Codes, cut: float | None) -> bool:
    """Whether a test is true above its threshold; without one, where the value is missing."""
    if column in schema.categories:
        return cut is None
    if cut is None:
        return not inside[:-1].any() and inside[-1] == 1
    cuts = schema.cuts_of(column)
    above = np.arange(len(cuts) + 1) > np.searchsorted(cuts, cut)
    return cut in cuts and np.array_equal(inside[:-1], above)


def _steps(values: Floats, coefficients: Floats) -> Floats:
    """What members add to the score: see `kernels.rules.on_grid`."""
    result: Floats = np.rint(coefficients[:, np.newaxis, np.newaxis] * values * GRID) / GRID
    return result


def _refusal(rule: Hypothesis) -> str:
    if not isinstance(rule, Foreign):
        return f"a rule of the class {type(rule).__name__} cannot be stored in a file"
    classifier = next(c for c in rule.classifiers if not isinstance(c, int))
    return (
        f"the rules of this model are {type(classifier).__module__}.{type(classifier).__name__} "
        "objects of another library, which a file without code cannot hold: use skops or pickle, "
        "or a learner of underdog"
    )
