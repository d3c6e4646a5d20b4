"""The parameters `monotonic_cst` and `interaction_cst`, checked against the data."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from underdog.checks import is_number
from underdog.codes.real_values import RealLabels
from underdog.core import Constraints, InteractionSets, Loss, Member, Parts
from underdog.data import Schema
from underdog.hypotheses import Tree
from underdog.hypotheses.tree import Ends
from underdog.types import Integers

if TYPE_CHECKING:
    from underdog.codes import Outputs
    from underdog.estimators.support.base import Booster

MOST = {"no_interactions": 1, "pairwise": 2}
"""How many columns a path may have, by the name of the constraint."""


def constraints_of(booster: Booster, parts: Parts, schema: Schema, labels: Outputs) -> Constraints:
    """The constraints that a booster asks for, on the columns of this schema."""
    learner, loss = parts.learner, parts.loss
    for name in ("monotonic_cst", "interaction_cst"):
        if getattr(booster, name) is not None and not learner.keeps_constraints:
            raise ValueError(
                f"{name} needs a StumpLearner or a TreeLearner, but the learner is {learner!r}: "
                f"use learner='real' or learner='tree', or leave {name} at None"
            )
    directions = None
    if booster.monotonic_cst is not None:
        _check_order(loss)
        directions = _directions(booster.monotonic_cst, schema, labels)
    interactions = None
    if booster.interaction_cst is not None:
        interactions = _interactions(booster.interaction_cst, schema)
    found = Constraints(directions, interactions)
    if booster.warm_start and hasattr(booster, "model_"):
        for number, member in enumerate(booster.model_.members, 1):
            if broken := _broken(member, found):
                raise ValueError(
                    f"warm_start: rule {number} of the fitted model breaks {broken}, and a warm "
                    "start keeps all rules. Use the constraints of the first fit, or set "
                    "warm_start=False"
                )
    return found


def refuse_broken(constraints: Constraints, knowledge: Sequence[Member]) -> None:
    """Refuse prior knowledge that breaks the constraints: it is part of the model."""
    for member in knowledge:
        if broken := _broken(member, constraints):
            raise ValueError(
                f"prior_knowledge breaks {broken}, which all rules of the model must keep: change "
                f"one of them, or leave {broken} at None"
            )


def _broken(member: Member, constraints: Constraints) -> str | None:
    """The constraint that a rule breaks, if there is one."""
    directions, interactions = constraints.directions, constraints.interactions
    if directions is not None and not _keeps_order(member, directions):
        return "monotonic_cst"
    if interactions is not None and not _keeps_apart(member, interactions):
        return "interaction_cst"
    return None


def _ends(member: Member) -> Ends | None:
    return member.hypothesis.ends if isinstance(member.hypothesis, Tree) else None


def _keeps_order(member: Member, directions: Integers) -> bool:
    """Whether all that a tree says above a cut of a constrained column is in order with the rest.

    Rules that were learned under the constraint are in order in this way.
    """
    ends = _ends(member)
    sides: dict[int, tuple[list[float], list[float]]] = {}
    direction_of: dict[int, int] = {}
    for path, block in ends or ():
        for test, answer in path:
            if test.threshold is not None and directions[test.column]:
                direction_of[id(test)] = int(directions[test.column])
                own = sides.setdefault(id(test), ([], []))
                own[answer].append(float(member.steps[block, 0]))
    return ends is not None and all(
        min(direction * step for step in above) >= max(direction * step for step in below)
        for (below, above), direction in zip(sides.values(), direction_of.values(), strict=True)
        if below and above
    )


def _keeps_apart(member: Member, interactions: InteractionSets) -> bool:
    ends = _ends(member)
    paths = [[test.column for test, _ in path] for path, _ in ends or ()]
    return ends is not None and all(map(interactions.permit, paths))


def _check_order(loss: Loss) -> None:
    """Refuse a loss whose leaves say something else than what their bounds are computed from."""
    if loss.refits_leaves and not getattr(loss, "keeps_order", False):
        raise ValueError(
            f"monotonic_cst is not supported for {loss!r}: its leaf values are found after "
            "the tree is grown, and need not be in the order that the tree keeps. Use "
            "loss='squared' or 'poisson', or leave monotonic_cst at None"
        )


def _directions(given: Any, schema: Schema, labels: Outputs) -> Integers | None:
    if labels.n_labels > 1 and not isinstance(labels, RealLabels):
        raise ValueError(
            "monotonic_cst is for models with one score, such as those of two classes, but here "
            f"each of {labels.n_labels} classes, labels or quantiles has a score of its own: leave "
            "it at None, or fit a model for each"
        )
    result = np.zeros(schema.n_columns, dtype=np.int64)
    for column, direction in _by_column(given, schema):
        if not is_number(direction) or direction not in (-1, 0, 1):
            raise ValueError(
                f"monotonic_cst has {direction!r} for column {schema.name(column)!r}: use 1 for "
                "a score that must not fall with the value, -1 for one that must not rise, 0 for "
                "no constraint"
            )
        result[column] = direction
    for column in np.flatnonzero(result).tolist():
        if column in schema.categories:
            raise ValueError(
                f"monotonic_cst constrains column {schema.name(column)!r}, whose categories have "
                "no order: give it 0, or numbers instead of categories"
            )
    return result if result.any() else None


def _by_column(given: Any, schema: Schema) -> Iterable[tuple[int, Any]]:
    """Positions of columns, and what is given for each."""
    if isinstance(given, dict):
        if schema.names is None:
            raise ValueError(
                "monotonic_cst is a dict, but the columns of X have no names: give X as a data "
                "frame, or monotonic_cst as one number per column"
            )
        return [(_position("monotonic_cst", name, schema), value) for name, value in given.items()]
    values = given.tolist() if hasattr(given, "tolist") else given
    if isinstance(values, str) or not isinstance(values, Sequence):
        raise ValueError(
            f"monotonic_cst={given!r} must be one of -1, 0 and 1 for each column, or a dict of "
            "column names"
        )
    if len(values) != schema.n_columns:
        raise ValueError(
            f"monotonic_cst has {len(values)} values, but X has {schema.n_columns} columns: give "
            "one of -1, 0 and 1 for each column"
        )
    return enumerate(values)


def _interactions(given: Any, schema: Schema) -> InteractionSets:
    if isinstance(given, str) and given in MOST:
        return InteractionSets.up_to(MOST[given])
    several = isinstance(given, Iterable) and not isinstance(given, str | dict)
    groups = list(given) if several else [given]
    if any(isinstance(group, str | dict) or not isinstance(group, Iterable) for group in groups):
        raise ValueError(
            f"interaction_cst={given!r} must be 'pairwise', 'no_interactions', or a list of sets "
            "of columns"
        )
    positions = [[_position("interaction_cst", one, schema) for one in each] for each in groups]
    return InteractionSets.of_groups(positions, schema.n_columns)


def _position(parameter: str, column: Any, schema: Schema) -> int:
    """The position of a column that is given by its position or name."""
    if schema.names is not None and column in schema.names:
        return schema.names.index(column)
    by_place = parameter == "interaction_cst" and isinstance(column, int | np.integer)
    if by_place and 0 <= column < schema.n_columns:
        return int(column)
    columns = f"it has {schema.n_columns} columns"
    if schema.names is not None:
        more = ", ..." if len(schema.names) > 10 else ""
        columns = f"columns: {', '.join(map(str, schema.names[:10]))}{more}"
    raise ValueError(f"{parameter} names {column!r}, which is not a column of X ({columns})")
