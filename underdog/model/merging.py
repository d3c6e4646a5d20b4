"""Equal rules as one rule."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from underdog.core import Member
from underdog.hypotheses import Tree
from underdog.hypotheses.rule import partition_key
from underdog.model.ensemble import Ensemble


def merged_members(members: list[Member]) -> list[Member]:
    """Rules that divide the rows in the same way become one, with the sum of their steps.

    They are in the order in which they were found, constants last. Steps are on the score grid, so
    that all scores stay the same bit for bit.
    """
    found: dict[object, Member] = {}
    for member in members:
        key = partition_key(member.hypothesis)
        same = found.get(key)
        found[key] = member if same is None else _sum(same, member)
    return sorted(found.values(), key=_is_constant)


def merged_rules(model: Ensemble) -> Ensemble:
    """The model with equal rules merged, and without those that add nothing."""
    members = [member for member in merged_members(list(model.members)) if member.size > 0.0]
    kept = members or list(model.members[:1])
    return Ensemble(kept, model.schema, model.n_labels, (), model.start, model.unit)


def _is_constant(member: Member) -> bool:
    return isinstance(member.hypothesis, Tree) and member.hypothesis.is_constant


def _sum(one: Member, other: Member) -> Member:
    steps = one.steps + other.steps
    tree = replace(one.hypothesis, values=steps)  # type: ignore[type-var]
    return Member(tree, 1.0, steps, float(np.abs(steps).max()))
