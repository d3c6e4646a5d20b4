"""Huber's loss: squared for small residuals, absolute for large ones."""

from __future__ import annotations

import math
from functools import partial
from typing import Any, ClassVar

import numpy as np

from underdog.checks import as_float, is_number
from underdog.core import Partition, Rows, Shard
from underdog.kernels.elementary import GRID
from underdog.losses.regression import (
    OfResidual,
    RegressionLoss,
    ResidualSignal,
    block_of_row,
    sums_by_block,
)
from underdog.types import Flags, Floats, Integers


class HuberLoss(RegressionLoss):
    """The mean of u_i r**2 / 2 where |r| <= d and of u_i d (|r| - d / 2) elsewhere, r = y - F(x).

    In every round d is the alpha-quantile of |r| over all rows. Trees are fitted to r, clipped to
    [-d, d]. A leaf says the median of its residuals plus the mean of the residuals around it,
    clipped in the same way: one step towards the minimum. Scores start from the median.

    Parameters
    ----------
    alpha : float, default=0.9
        The share of the residuals that count as they are.

    References
    ----------
    Friedman, "Greedy function approximation", Annals of Statistics 29, 2001, algorithm 4.

    Examples
    --------
    >>> from underdog.losses import HuberLoss
    >>> HuberLoss(alpha=0.95)
    HuberLoss(alpha=0.95)
    """

    degree: ClassVar[int] = 2

    def __init__(self, alpha: float = 0.9) -> None:
        self.alpha: float = as_float(alpha)

    def check(self) -> None:
        if not is_number(self.alpha) or not 0.0 < self.alpha < 1.0:
            raise ValueError(f"alpha={self.alpha!r} must be a number between 0 and 1")

    def each(self, scores: Any, y: Any, context: float = math.inf) -> Floats:
        size = np.abs(y - scores)
        inside = np.minimum(size, context)
        result: Floats = inside * (size - 0.5 * inside)
        return result

    def derivatives(
        self, scores: Floats, y: Any, context: float = math.inf
    ) -> tuple[Floats, Floats]:
        return np.clip(y - scores, -context, context), np.ones(scores.shape)

    def of_residual(self, context: float) -> OfResidual:
        return OfResidual(np.array([-context]), np.array([context]))

    def start(self, rows: Rows) -> Floats:
        signal = self.make_signal(rows)
        found = rows.select(signal.residuals, 0.5, weigh=signal.weights)
        result: Floats = found[0] / GRID
        return result

    def context(self, rows: Rows, signal: ResidualSignal) -> float:
        def sizes(shard: Shard) -> Integers:
            return np.abs(signal.residuals(shard))

        return float(rows.select(sizes, self.alpha, weigh=signal.weights)[0, 0]) / GRID

    def context_of(self, scores: Floats, y: Any, weight: Floats) -> float:
        size = np.abs(y - scores)[:, 0]
        order = np.argsort(size, kind="stable")
        reached = np.cumsum(weight[order]) >= self.alpha * weight.sum()
        return float(size[order][np.argmax(reached)])

    def leaf_values(
        self,
        signal: ResidualSignal,
        partition: tuple[Partition, ...],
        drawn: tuple[Flags, ...] | None,
        masses: Floats,
        values: Floats,
    ) -> Floats:
        rows, n_blocks = signal.rows, len(values)
        weigh = partial(signal.drawn_weights, drawn=drawn)
        median = rows.select(signal.residuals, 0.5, partition, n_blocks, weigh) / GRID
        bits = signal.room - math.frexp(signal.context)[1]

        def clipped(shard: Shard) -> Integers:
            block = block_of_row(partition[shard.number], shard)
            around = signal.residuals(shard)[:, 0] / GRID - median[block, 0]
            own = np.clip(around, -signal.context, signal.context) * signal.initial(shard)[:, 0]
            units = np.rint(np.ldexp(own, bits)).astype(np.int64) * shard.target.repeats
            if drawn is not None:
                units = np.where(drawn[shard.number], units, 0)
            return sums_by_block(units, block, n_blocks)

        def total(shard: Shard) -> Integers:
            return sums_by_block(
                weigh(shard), block_of_row(partition[shard.number], shard), n_blocks
            )

        sums = np.ldexp(rows.total(clipped).astype(np.float64), -bits)
        weight = np.ldexp(rows.total(total).astype(np.float64), -signal.room)
        mean = np.divide(sums, weight, out=np.zeros(n_blocks), where=weight > 0.0)
        result: Floats = median + mean[:, np.newaxis]
        return result
