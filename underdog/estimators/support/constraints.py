"""The parameter `interaction_cst`, checked against the data."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from underdog.core import Constraints, Interactions, Learner
from underdog.data import Schema

if TYPE_CHECKING:
    from underdog.estimators.support.base import Booster

MOST = {"no_interactions": 1, "pairwise": 2}
"""How many columns a path may have, by the name of the constraint."""


def constraints_of(booster: Booster, learner: Learner, schema: Schema) -> Constraints:
    """The constraints that a booster asks for, on the columns of this schema."""
    for name in ("interaction_cst",):
        if getattr(booster, name) is not None and not learner.keeps_constraints:
            raise ValueError(
                f"{name} needs stumps or trees of this library, but the learner is {learner!r}: "
                f"use learner='real' or learner='tree', or leave {name} at None"
            )
    interactions = None
    if booster.interaction_cst is not None:
        interactions = _interactions(booster.interaction_cst, schema)
    return Constraints(interactions=interactions)


def _interactions(given: Any, schema: Schema) -> Interactions:
    if isinstance(given, str) and given in MOST:
        return Interactions.up_to(MOST[given])
    groups = given if isinstance(given, Iterable) and not isinstance(given, str | dict) else [given]
    if any(isinstance(group, str) or not isinstance(group, Iterable) for group in groups):
        raise ValueError(
            f"interaction_cst={given!r} must be 'pairwise', 'no_interactions', or a list of sets "
            "of columns"
        )
    positions = [[_position("interaction_cst", one, schema) for one in each] for each in groups]
    return Interactions.of_groups(positions, schema.n_columns)


def _position(parameter: str, column: Any, schema: Schema) -> int:
    """The position of a column that is given by its position or name."""
    if schema.names is not None and column in schema.names:
        return schema.names.index(column)
    by_place = parameter == "interaction_cst" and isinstance(column, int | np.integer)
    if by_place and 0 <= column < schema.n_columns:
        return int(column)
    columns = f"{schema.n_columns} columns" + ("" if schema.names is None else " with other names")
    raise ValueError(
        f"{parameter} has the column {column!r}, but X has {columns}: give columns of X"
    )
