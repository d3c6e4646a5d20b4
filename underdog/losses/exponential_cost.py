"""The exponential loss as a cost whose gradients are weights."""

from __future__ import annotations

import math
from typing import ClassVar

import numpy as np

from underdog.core import Partition, Rows, Shard
from underdog.losses.newton import UNIT_BITS, NewtonLoss, NewtonSignal
from underdog.types import Codes, Floats, Integers

STEEPEST = 600.0
"""Margins below -600 count as -600: exp must not overflow."""


class ExponentialCost(NewtonLoss):
    r"""The mean of :math:`\exp(-y F(x))`, for steepest descent by votes.

    `Descent` makes its gradients the weights of votes. BoostingClassifier(
    loss=Descent(ExponentialCost()), combiner=SteepestDescent()) is AdaBoost as AnyBoost derives it,
    and with the combiner `Barrier` it is barrier boosting. For AdaBoost itself `Exponential` is
    faster: its weights are products, and a round costs only what it changes.

    References
    ----------
    Mason, Baxter, Bartlett and Frean, "Boosting algorithms as gradient descent", NIPS 1999.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from underdog import AdaBoostClassifier, BoostingClassifier
    >>> from underdog.combiners import SteepestDescent
    >>> from underdog.losses import Descent, ExponentialCost
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> cost, steps = Descent(ExponentialCost()), SteepestDescent()
    >>> model = BoostingClassifier(loss=cost, combiner=steps, n_estimators=10).fit(X, y)
    >>> ada = AdaBoostClassifier(learner="discrete", n_estimators=10, smoothing=0.0).fit(X, y)
    >>> bool(abs(model.decision_function(X) - ada.decision_function(X)).max() < 1e-6)
    True
    """

    decreasing: ClassVar[bool] = True
    bounded: ClassVar[bool] = False

    def make_signal(self, rows: Rows, costly: bool = False) -> SteepSignal:
        return SteepSignal(self, rows, costly)

    def start(self, rows: Rows) -> Floats:
        return np.zeros(rows.n_labels)

    def each(self, scores: Floats, sign: Codes) -> Floats:
        result: Floats = np.exp(np.minimum(-np.where(sign == 1, scores, -scores), STEEPEST))
        return result

    def derivatives(self, scores: Floats, sign: Codes) -> tuple[Floats, Floats]:
        loss = self.each(scores, sign)
        return np.where(sign == 1, loss, -loss), loss

    def log_bound(self, rows: Rows, costly: bool = False) -> float:
        loss = self.training_loss(rows, costly)
        return math.log(loss) if loss > 0.0 else -math.inf


class SteepSignal(NewtonSignal):
    """Gradients and curvatures in units of the largest: all weights are counted anew."""

    row_by_row = False

    def __init__(self, loss: NewtonLoss, rows: Rows, costly: bool = False) -> None:
        super().__init__(loss, rows, costly)
        self._rescale()

    def after_step(self, partition: tuple[Partition, ...], steps: Floats, sums: Integers) -> None:
        super().after_step(partition, steps, sums)
        self._rescale()

    def restart(self) -> None:
        super().restart()
        self._rescale()

    def _rescale(self) -> None:
        def each(shard: Shard) -> Floats:
            return self.loss.each(shard.scores.full(), shard.target.sign)

        exponent = math.frexp(self.rows.largest(each))[1]
        self._bits = UNIT_BITS - 1 - self.rows.n_examples.bit_length() - exponent
        self._unit = math.ldexp(1.0, -self._bits) / self._total
