"""The cost of DOOM II, which gives up examples with very negative margins."""

from __future__ import annotations

import math
from typing import ClassVar

import numpy as np

from underdog.core import Rows
from underdog.losses.newton import NewtonLoss
from underdog.types import Codes, Floats


class SigmoidCost(NewtonLoss):
    r"""The mean of :math:`1 - \tanh(y F(x))`, which is not convex and at least 1 for a mistake.

    In the convex hull of rules times R it is the cost of DOOM II with lambda = R: `Descent` makes
    the gradients weights of votes, and `Hull` finds the steps. So BoostingClassifier(
    loss=Descent(SigmoidCost()), combiner=Hull(R)) is DOOM II; with another decreasing cost of your
    own it is AnyBoost.L1.

    References
    ----------
    Mason, Baxter, Bartlett and Frean, "Boosting algorithms as gradient descent", NIPS 1999.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from underdog import BoostingClassifier
    >>> from underdog.combiners import Hull
    >>> from underdog.losses import Descent, SigmoidCost
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> doom = Descent(SigmoidCost())
    >>> model = BoostingClassifier(loss=doom, combiner=Hull(4.0), n_estimators=50).fit(X, y)
    >>> model.certificate_["training_error"] < model.certificate_["bound"] < 0.2
    True
    """

    decreasing: ClassVar[bool] = True

    def each(self, scores: Floats, sign: Codes) -> Floats:
        result: Floats = 1.0 - np.tanh(np.where(sign == 1, scores, -scores))
        return result

    def derivatives(self, scores: Floats, sign: Codes) -> tuple[Floats, Floats]:
        side = np.where(sign == 1, 1.0, -1.0)
        level = np.tanh(side * scores)
        fall = 1.0 - level**2
        return side * fall, np.maximum(2.0 * level * fall, 0.0)

    def log_bound(self, rows: Rows, costly: bool = False) -> float:
        loss = self.training_loss(rows, costly)
        return math.log(loss) if loss > 0.0 else -math.inf
