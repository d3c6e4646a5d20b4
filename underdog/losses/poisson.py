"""The Poisson deviance of counts."""

from __future__ import annotations

import math
from typing import Any, ClassVar

import numpy as np

from underdog.core import Partition, Rows
from underdog.kernels.elementary import exp_each, log, log1p, log_each
from underdog.losses.regression import RegressionLoss, ResidualSignal, on_grid
from underdog.losses.squared import mean_of_targets
from underdog.types import Flags, Floats

NO_COUNT = 1e-9
"""A smaller share of the expected counts is a rounding error."""

LARGEST = 1e-90, 1e90
"""What the largest target may be: the scores of tests have cubes of their sums."""


class PoissonLoss(RegressionLoss):
    """The mean of u_i (y_i ln(y_i / m_i) - y_i + m_i), m = exp(F): half the Poisson deviance.

    Trees are grown by the gain of a Newton step, with gradients y - m and curvatures m. A leaf says
    ln(sum u y / sum u m), which minimises the loss. A leaf without any count would say minus
    infinity: there one example with the mean of all targets is added to both sums, as far as
    `monotonic_cst` permits it. Scores start from the logarithm of the mean.

    References
    ----------
    Friedman, "Greedy function approximation", Annals of Statistics 29, 2001, section 4.

    Examples
    --------
    >>> from underdog.losses import PoissonLoss
    >>> PoissonLoss().log_link
    True
    """

    log_link: ClassVar[bool] = True
    keeps_order: ClassVar[bool] = True
    at_least: ClassVar[float] = 0.0

    def each(self, scores: Floats, y: Any, context: float = math.inf) -> Floats:
        counts = np.broadcast_to(y, scores.shape)
        logs = np.zeros(counts.shape)
        positive = counts > 0.0
        found = np.empty(int(positive.sum()))
        log_each(counts[positive], found)
        logs[positive] = found
        result: Floats = np.maximum(counts * (logs - scores) - counts + _exp(scores), 0.0)
        return result

    def derivatives(
        self, scores: Floats, y: Any, context: float = math.inf
    ) -> tuple[Floats, Floats]:
        mean = _exp(scores)
        return y - mean, mean

    def start(self, rows: Rows) -> Floats:
        most = rows.largest(lambda shard: np.asarray(shard.target.observed, dtype=np.float64))
        if most == 0.0:
            raise ValueError(
                "all targets are 0, whose logarithm is not finite: give at least one count above "
                "0, or use loss='squared'"
            )
        if not LARGEST[0] <= most <= LARGEST[1]:
            size = "small" if most < 1.0 else "large"
            raise ValueError(
                f"the largest y is {most:g}, which is too {size} for the cubes of sums: multiply y "
                "by a constant, and divide the predictions by it"
            )
        mean = mean_of_targets(rows)
        return on_grid(np.array([float(log(value)) for value in mean.tolist()]))

    def leaf_values(
        self,
        signal: ResidualSignal,
        partition: tuple[Partition, ...],
        drawn: tuple[Flags, ...] | None,
        masses: Floats,
        values: Floats,
    ) -> Floats:
        """ln(1 + G / (H + e)); G + H is the sum of the counts, H that of the means."""
        gradient, expected = masses[:, 0], masses[:, 1]
        one = float((gradient + expected).sum()) / signal.total
        none = gradient <= -(1.0 - NO_COUNT) * expected
        own = np.where(none, one / (expected + one) - 1.0, values)
        return _log1p(own)

    def within(self, values: Floats, bounds: Floats) -> Floats:
        """A leaf without any count says what follows from more than its own sums."""
        low, high = np.maximum(bounds, NO_COUNT - 1.0).T
        result: Floats = np.clip(values.T, _log1p(low), _log1p(high)).T
        return result


def _log1p(numbers: Floats) -> Floats:
    flat = [math.inf if each == math.inf else float(log1p(each)) for each in numbers.ravel()]
    return np.array(flat).reshape(numbers.shape)


def _exp(scores: Floats) -> Floats:
    result = np.empty(scores.size)
    exp_each(np.ascontiguousarray(scores).ravel(), result)
    return result.reshape(scores.shape)
