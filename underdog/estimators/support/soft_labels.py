"""Soft labels: what prior knowledge makes of the labels of the training rows."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from underdog.core import Constraints, Loss, Member, Rows, Target
from underdog.estimators.support.constraints import refuse_broken
from underdog.estimators.support.task import Known
from underdog.hypotheses import Tree
from underdog.hypotheses.moving import Mover
from underdog.kernels.elementary import sigmoid_each
from underdog.losses import SoftmaxLoss
from underdog.types import Floats


def soften(target: Target, known: Known | None, loss: Loss) -> Target:
    """The target with what is known of the rows.

    A row with label y and the prior probability p counts as (1 + weight) rows with the soft label
    (y + weight p) / (1 + weight). The common factor is left out: weights are relative.
    """
    if known is None:
        return target
    p = probabilities(known.scores, loss)
    soft = (target.sign + known.weight * p) / (1.0 + known.weight)
    return replace(target, soft=soft, known=known.scores)


def probabilities(scores: Floats, loss: Loss) -> Floats:
    """(n, K) the probability of each label at these scores."""
    if isinstance(loss, SoftmaxLoss):
        return loss.probabilities(scores)
    flat = np.empty(scores.size)
    scale = loss.probability_scale
    assert scale is not None
    sigmoid_each(scale * scores.ravel(), flat)
    return flat.reshape(scores.shape)


def members_in(known: Known | None, rows: Rows, constraints: Constraints) -> tuple[Member, ...]:
    """The rules that are known, as rules about these rows, whose examples are counted."""
    if known is None or known.schema is None:
        return ()
    mover = Mover(known.schema, rows.layout.schema)
    found = tuple(_counted(mover.member(member), rows) for member in known.members)
    refuse_broken(constraints, found)
    return found


def _counted(member: Member, rows: Rows) -> Member:
    """The member with the number of training examples in each block, unless it is known."""
    tree = member.hypothesis
    assert isinstance(tree, Tree)
    if tree.examples is not None:
        return member
    pairs = zip(rows.place(tree), rows.shards, strict=True)
    examples = sum(blocks.examples(shard.target.repeats) for blocks, shard in pairs)  # type: ignore[attr-defined]
    return member._replace(hypothesis=Tree(tree.leaves, tree.values, np.asarray(examples)))
