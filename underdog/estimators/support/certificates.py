"""Bounds on the training error, computed from exact scores."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from functools import partial

import numpy as np

from underdog.codes.one_of_k import OneOfKLabels
from underdog.core import Rows, Run, Shard
from underdog.kernels import criteria
from underdog.kernels.sums import LARGEST_LOG, bounded_exp
from underdog.types import Floats

SAME = 1e-9
"""Smaller differences of log-losses are due to the rounding of the weights."""


def bound_of(run: Run) -> float:
    """The bound on the training error: the mean loss, weighted by the cost of the examples.

    NaN if the loss is not a bound, infinite if it overflows.
    """
    log_bound = run.parts.loss.log_bound(with_given_labels(run.rows), costly=True)
    return math.inf if log_bound > LARGEST_LOG else bounded_exp(log_bound)


def with_given_labels(rows: Rows) -> Rows:
    """The same rows and scores without soft labels, which no mistakes are counted by."""
    if all(shard.target.soft is None for shard in rows.shards):
        return rows
    shards = []
    for shard in rows.shards:
        target = replace(shard.target, soft=None)
        shards.append(Shard(shard.encoded, target, shard.workers, shard.number))
        shards[-1].scores = shard.scores
    return Rows(shards)


def misclassified(run: Run, labels: OneOfKLabels) -> float:
    """Share of the cost on rows for which another class than theirs is predicted."""
    highest = run.rows.largest(lambda shard: shard.target.log_weight(costly=True))

    def weights(shard: Shard, wrong: bool) -> Floats:
        own: Floats = np.exp(shard.target.log_weight(costly=True) - highest)
        if not wrong:
            return own
        best = labels.decision(shard.scores.full()).argmax(axis=1)
        return np.where(best != labels.class_numbers(shard.target), own, 0.0)

    return run.rows.exact_sum(partial(weights, wrong=True)) / run.rows.exact_sum(
        partial(weights, wrong=False)
    )


def correct_history(run: Run) -> None:
    """Recompute the loss of every round from exact scores if the sums of weights are not exact.

    The engine multiplies the factors by which each step changes the total weight. A weight below
    the resolution is missing from these sums, and very large steps may raise it again.
    """
    rows = run.history.rows[: len(run.history)]
    members = run.state.members[: len(rows)]
    if not rows or "log_loss" not in rows[-1]:
        return
    loss_of = run.parts.loss.log_bound
    difference = abs(loss_of(run.rows) - rows[-1]["log_loss"])
    if len(members) < len(run.state.members) or not difference >= SAME:  # NaN: nothing is known
        return
    replayed = _replayed(run, len(rows))
    at_start = next(replayed)
    last_loss, last_bound = loss_of(at_start), loss_of(at_start, costly=True)
    for row, at in zip(rows, replayed, strict=True):
        loss, bound = loss_of(at), loss_of(at, costly=True)
        z = max(bounded_exp(loss - last_loss), criteria.MIN_Z)
        row.update(log_loss=loss, loss=bounded_exp(loss), z=z)
        if "bound" in row:
            row.update(bound=bounded_exp(bound), ratio=bounded_exp(bound - last_bound))
        last_loss, last_bound = loss, bound


def _replayed(run: Run, rounds: int) -> Iterator[Rows]:
    """The rows with their scores at the start and after each round."""
    rows = Rows(
        [Shard(one.encoded, one.target, one.workers, one.number) for one in run.rows.shards]
    )
    rows.start_from(run.rows.start)
    yield rows
    for member in run.state.members[:rounds]:
        rows.move(rows.place(member.hypothesis), member.steps)
        yield rows
