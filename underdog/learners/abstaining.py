"""Rules that abstain on most rows: their blocks, examples and sums."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from underdog.core import Blocks, Partition, Proposal, Question, Run
from underdog.hypotheses import Tree
from underdog.types import Floats, Indices, Integers


def proposal_of(
    run: Run,
    question: Question,
    rule: Tree,
    partition: tuple[Partition, ...],
    sums: Integers,
    unit: Floats,
) -> Proposal:
    """A rule with its sums of all signals."""
    others = [run.rows.sums(each, partition, len(sums)) for each in question.signals[1:]]
    units = [np.empty_like(unit) for _ in others]
    for each, all_, out in zip(question.signals[1:], others, units, strict=True):
        each.unit(all_.sum(axis=0), out)
    return Proposal(rule, partition, (sums, *others), (unit, *units))


def count_examples(run: Run, rows: Sequence[Indices]) -> int:
    """How many examples some rows of each shard are."""
    pairs = zip(run.rows.shards, rows, strict=True)
    return sum(int(shard.target.repeats[own].sum()) for shard, own in pairs)


def blocks_of(no: Indices, yes: Indices) -> Blocks:
    """The blocks of a rule that abstains on all other rows."""
    ends = np.array([0, len(no), len(no) + len(yes)])
    return Blocks(np.concatenate([no, yes]), ends, 0)
