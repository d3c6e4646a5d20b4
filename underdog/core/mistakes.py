"""Shares of mistakes in the training rows."""

from __future__ import annotations

from functools import partial

import numpy as np

from underdog.core.rows import Rows, Shard
from underdog.types import Floats


def share_of_mistakes(rows: Rows, beta: float) -> float:
    """Share of the cost (by default the initial weight) on misclassified rows and labels."""
    highest = rows.largest(lambda shard: shard.target.log_weight(costly=True))
    wrong = everything = 0.0
    for label in range(rows.n_labels):
        weights = partial(_weights, label=label, beta=beta, highest=highest)
        wrong += rows.exact_sum(partial(weights, missed=True))
        everything += rows.exact_sum(weights)
    return wrong / everything


def share_not_first(rows: Rows) -> float:
    """Share of the cost on rows whose class does not have the highest score; a tie is wrong."""
    highest = rows.largest(lambda shard: shard.target.log_weight(costly=True))

    def cost(shard: Shard) -> Floats:
        own: Floats = np.exp(shard.target.log_weight(costly=True) - highest)
        return own

    def missed(shard: Shard) -> Floats:
        has, scores = shard.target.sign == 1, shard.scores.full()
        right = scores[has] > np.where(has, -np.inf, scores).max(axis=1)
        return np.where(right, 0.0, cost(shard))

    return rows.exact_sum(missed) / rows.exact_sum(cost)


def _weights(shard: Shard, label: int, beta: float, highest: float, missed: bool = False) -> Floats:
    """(n,) the cost of each row for one label; with `missed`, 0 for correctly classified rows."""
    target, scores = shard.target, shard.scores
    start = np.ones((2, target.n_labels))
    start[1] = beta
    if target.log_label is not None:
        start *= np.exp(target.log_label)
    sign = target.sign[:, label]
    own: Floats = np.exp(target.log_weight(costly=True) - highest) * start[sign, label]
    if target.mask is not None:
        own = np.where(target.mask[:, label], own, 0.0)
    if not missed:
        return own
    predicted = scores.relative[:, label] + scores.base[label] > 0
    return np.where(predicted != (sign == 1), own, 0.0)
