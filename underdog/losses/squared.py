"""The squared error."""

from __future__ import annotations

import math
from typing import Any, ClassVar

import numpy as np

from underdog.core import Proposal, Rows
from underdog.losses.regression import OfResidual, RegressionLoss, ResidualSignal, on_grid
from underdog.types import Floats

UNCHANGED = OfResidual(np.full(1, -np.inf), np.full(1, np.inf), times_residual=True)


class SquaredError(RegressionLoss):
    """The mean of u_i (y_i - F(x_i))**2: trees are fitted to residuals, leaves say their mean.

    Scores start from the mean of the targets. With the penalty e a leaf says the sum of its
    weighted residuals divided by its weight plus e.

    References
    ----------
    Friedman, "Greedy function approximation", Annals of Statistics 29, 2001, algorithm 2.

    Examples
    --------
    >>> from underdog.losses import SquaredError
    >>> SquaredError().degree
    2
    """

    degree: ClassVar[int] = 2
    refits_leaves: ClassVar[bool] = False
    keeps_order: ClassVar[bool] = True

    def each(self, scores: Floats, y: Any, context: float = math.inf) -> Floats:
        result: Floats = (y - scores) ** 2
        return result

    def derivatives(
        self, scores: Floats, y: Any, context: float = math.inf
    ) -> tuple[Floats, Floats]:
        return y - scores, np.ones(scores.shape)

    def of_residual(self, context: float) -> OfResidual:
        return UNCHANGED

    def start(self, rows: Rows) -> Floats:
        return on_grid(mean_of_targets(rows))

    def best_coefficient(self, proposal: Proposal, smooth: float, signal: int = 0) -> float:
        """sum u r h / sum u h**2, r being the residuals."""
        product, square = moments(proposal, signal)
        return product / square if square > 0.0 else 0.0


def moments(proposal: Proposal, signal: int = 0) -> tuple[float, float]:
    """The weighted means of r h and of h**2 over the rows."""
    gradient, weight = proposal.masses(signal).transpose(1, 0, 2)
    values = proposal.hypothesis.values
    return float((gradient * values).sum()), float((weight * values**2).sum())


def mean_of_targets(rows: Rows) -> Floats:
    """(K,) the weighted mean of the targets, from scores of 0."""
    signal = ResidualSignal(SquaredError(), rows)
    totals = rows.totals(signal).astype(np.float64)
    scales = [math.ldexp(1.0, -signal.bits(channel)) for channel in range(2)]
    result: Floats = totals[0] * scales[0] / (totals[1] * scales[1])
    return result
