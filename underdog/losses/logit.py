"""The log loss as LogitBoost takes it: from scores of 0, with bounded working responses."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from underdog.checks import as_float
from underdog.core import Rows
from underdog.losses.log_loss import LogLoss, SoftmaxLoss, bounded, check_z_max
from underdog.losses.newton import NewtonLoss
from underdog.types import Codes, Floats


class _Bounded(NewtonLoss):
    """What both forms share: where scores start, and the bound on working responses."""

    def __init__(self, z_max: float = 3.0) -> None:
        self.z_max: float = as_float(z_max)

    def check(self) -> None:
        check_z_max(self.z_max)

    def start(self, rows: Rows) -> Floats:
        return np.zeros(rows.n_labels)


class Logit(_Bounded, LogLoss):
    """The logistic loss of LogitBoost, ln(1 + exp(-2 y F)), for two classes or several labels.

    With p = 1 / (1 + exp(-2 F)) a block says sum(y* - p) / (2 sum w). The weight w is p (1 - p), or
    |y* - p| / z_max where that is more: so the working response z = (y* - p) / w is at most z_max
    in size, and w z is still the exact gradient.

    Parameters
    ----------
    z_max : float, default=3.0

    References
    ----------
    Friedman, Hastie and Tibshirani, "Additive logistic regression", Annals of Statistics 28, 2000,
    algorithm 3.

    Examples
    --------
    >>> from underdog.losses import Logit
    >>> Logit().probability_scale
    2.0
    """

    @property
    def probability_scale(self) -> float:
        return 2.0

    # Of `LogLoss` these are kernels for scores that are log-odds.
    fill_amounts = NewtonLoss.fill_amounts
    row_losses = NewtonLoss.row_losses

    def each(self, scores: Floats, sign: Codes) -> Floats:
        return super().each(2.0 * scores, sign)

    def derivatives(self, scores: Floats, sign: Codes) -> tuple[Floats, Floats]:
        gradient, curvature = super().derivatives(2.0 * scores, sign)
        return gradient, 2.0 * bounded(gradient, curvature, self.z_max)


class SoftmaxLogit(_Bounded, SoftmaxLoss):
    """The log loss of LogitBoost for one class of K: scores sum to 0.

    With p = softmax(F) a block finds f_k = sum(y*_k - p_k) / sum w_k for each class and says
    (K - 1)/K (f_k - mean f). The weights are those of `Logit`, which this is with K = 2.

    Parameters
    ----------
    z_max : float, default=3.0

    References
    ----------
    Friedman, Hastie and Tibshirani, "Additive logistic regression", Annals of Statistics 28, 2000,
    algorithm 6.
    """

    centred: ClassVar[bool] = True
