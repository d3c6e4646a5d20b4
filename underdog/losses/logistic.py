"""The logistic loss with the steps of AdaBoost."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import ClassVar

import numpy as np

from underdog.core import Measured, Member, Proposal, Run
from underdog.kernels import criteria
from underdog.kernels.elementary import sigmoid_each, softplus_each
from underdog.losses.exponential import least_z_coefficient, rate_of
from underdog.losses.pointwise import PointwiseLoss
from underdog.types import Floats, Integers


class Logistic(PointwiseLoss):
    """Logistic loss with the steps of AdaBoost, which minimise an upper bound on it.

    The mean of u_i ln(1 + exp(-y_i F(x_i))). Weights are q_i = u_i / (1 + exp(y_i F)). If a step h
    has sum q exp(-y h) = Z sum q, it lowers the total loss by at least (1 - Z) sum q, because
    ln(1 - p + p exp(-z)) <= p (exp(-z) - 1).

    References
    ----------
    Collins, Schapire and Singer, "Logistic regression, AdaBoost and Bregman distances", Machine
    Learning 48, 2002.

    Examples
    --------
    >>> from underdog.losses import Logistic
    >>> Logistic().probability_scale
    1.0
    """

    facts: ClassVar[tuple[str, ...]] = ("edge", "loss", "guaranteed_drop")

    @property
    def probability_scale(self) -> float:
        return 1.0

    def perfect_steps(self, smooth: float) -> float:
        return math.inf

    def phi(self, margin: Floats) -> Floats:
        result = np.empty(margin.size)
        softplus_each(-margin.ravel(), result)
        return result.reshape(margin.shape)

    def fall(self, margin: Floats) -> Floats:
        result = np.empty(margin.size)
        sigmoid_each(-margin.ravel(), result)
        return result.reshape(margin.shape)

    def best_coefficient(self, proposal: Proposal, smooth: float, signal: int = 0) -> float:
        return least_z_coefficient(proposal, smooth, signal)

    def constant(self, sums: Integers, unit: Floats, smooth: float) -> Floats:
        values = np.empty((1, sums.shape[2]))
        criteria.fill(criteria.REAL_Z, sums, unit, smooth, 1.0, values)
        return 2.0 * values  # log-odds

    def measure(self, run: Run, proposal: Proposal, coefficient: float) -> Measured:
        values = proposal.hypothesis.values
        steps = np.empty_like(values)
        size = criteria.on_grid(values, coefficient, steps)
        loss = self.training_loss(run.rows, proposal.partition, steps)
        drop = self.guarantee(run, proposal, steps)
        facts = {"edge": proposal.edge(), "loss": loss, "guaranteed_drop": drop}
        return Measured(steps, size, facts)

    def guarantee(self, run: Run, proposal: Proposal, steps: Floats) -> float:
        z = float(criteria.normaliser(steps, proposal.sums[0], proposal.unit[0], rate_of(1.0)))
        return 0.5 * run.state.signals[0].mass * (1.0 - z)  # initial weights are 1/2

    def gains(self, history: Mapping[str, Floats], members: Sequence[Member]) -> Floats:
        """The decrease of the loss in each round."""
        result: Floats = -np.diff(history["loss"], prepend=math.log(2.0))
        return result
