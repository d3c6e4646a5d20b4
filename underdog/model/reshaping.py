"""The step function of one column as numbers, and as stumps again."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from underdog.core import Member, Test
from underdog.data import Schema
from underdog.hypotheses import Tree
from underdog.types import Floats


def stumps_on(members: Sequence[Member], column: int) -> list[Member]:
    """The stumps on a column."""
    found = [member for member in members if isinstance(member.hypothesis, Tree)]
    return [each for each in found if _column_of(each) == column]


def _column_of(member: Member) -> int | None:
    tree = member.hypothesis
    return tree.test.column if isinstance(tree, Tree) and tree.test is not None else None


def bin_values(stumps: Sequence[Member], column: int, schema: Schema) -> Floats:
    """(bins + 1, K) what stumps on a column add in each bin, the last one for missing values."""
    n_bins = int(schema.bins[column])
    total = np.zeros((n_bins + 1, stumps[0].steps.shape[1]))
    for member in stumps:
        tree = member.hypothesis
        if isinstance(tree, Tree) and tree.test is not None:
            total += member.steps[tree.test.inside.astype(np.int64)]
    return total


def stumps_of(column: int, values: Floats, schema: Schema) -> list[Member]:
    """Stumps and a constant that add values[bin], which are on the score grid.

    Where no value was missing in training, a missing one is treated as the bin whose value is
    nearest.
    """
    last = len(values) - 1
    never = not schema.missing[column]
    nearest = int(np.abs(values[:last] - values[last]).sum(axis=1).argmin()) if never else last
    if column in schema.categories:
        return _of_levels(column, values, nearest)
    made = [_constant(values[0])] if values[0].any() else []
    cuts = schema.cuts_of(column)
    for cut in np.flatnonzero((values[1:last] != values[: last - 1]).any(axis=1)).tolist():
        inside = (np.arange(last + 1) > cut).astype(np.uint8)
        inside[last] = nearest > cut if never else 0
        made.append(_stump(Test(column, inside, float(cuts[cut])), values[cut + 1] - values[cut]))
    if not never and (values[last] != values[0]).any():
        inside = (np.arange(last + 1) == last).astype(np.uint8)
        made.append(_stump(Test(column, inside), values[last] - values[0]))
    return made


def _of_levels(column: int, values: Floats, missing: int) -> list[Member]:
    """A stump for each value, about the levels that have it."""
    values = values[[*range(len(values) - 1), missing]]
    distinct, which = np.unique(values, axis=0, return_inverse=True)
    base = int(np.bincount(which.ravel()).argmax())
    made = [_constant(distinct[base])] if distinct[base].any() else []
    for number in range(len(distinct)):
        if number != base:
            inside = (which.ravel() == number).astype(np.uint8)
            made.append(_stump(Test(column, inside), distinct[number] - distinct[base]))
    return made


def _constant(value: Floats) -> Member:
    return Member(Tree.constant(value[np.newaxis]), 1.0, value[np.newaxis], _size(value))


def _stump(test: Test, value: Floats) -> Member:
    steps = np.stack([np.zeros_like(value), value])
    return Member(Tree.stump(test, steps), 1.0, steps, _size(value))


def _size(steps: Floats) -> float:
    return float(np.abs(steps).max())
