"""Trees that ask about one column each, as stumps: what the linear model of a blend consists of."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from underdog.core import Member, Test
from underdog.hypotheses import Tree
from underdog.model import Ensemble, used
from underdog.model.compiled import is_simple


def asks_one_column(members: Sequence[Member]) -> bool:
    """Whether no rule that adds something asks about more than one column."""
    return all(_has_one_column(member) for member in used(members))


def _has_one_column(member: Member) -> bool:
    rule = member.hypothesis
    if is_simple(rule):
        return True
    if not isinstance(rule, Tree) or rule.rest is not None:
        return False
    return len({test.column for test in rule.tests}) == 1


def as_stumps(model: Ensemble) -> Ensemble:
    """The same model, bit for bit: steps are on the score grid, so that any sum of them is exact.

    A leaf of a tree is a stump on the bins that reach it. The stumps of a tree count as one rule:
    only the first has a size.
    """
    members: list[Member] = []
    for member in used(model.members):
        members += [member] if is_simple(member.hypothesis) else _leaves(member)
    return Ensemble(members, model.schema, model.n_labels, (), model.start, model.unit)


def _leaves(member: Member) -> list[Member]:
    tree = member.hypothesis
    assert isinstance(tree, Tree)
    first = tree.tests[0]
    stumps: list[Member] = []
    for path, own in zip(tree.leaves, member.steps, strict=True):
        assert not isinstance(path, str)
        inside = np.ones_like(first.inside)
        for test, answer in path:
            inside &= (test.inside == answer).astype(inside.dtype)
        steps = np.vstack([np.zeros_like(own), own])
        rule = Tree.stump(Test(first.column, inside), steps)
        stumps.append(Member(rule, 1.0, steps, 0.0 if stumps else member.size))
    return stumps
