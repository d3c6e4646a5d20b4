"""The base class of boosters that minimise the log loss."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from underdog.codes import Code, Labels, OneOfK, Softmax
from underdog.codes.softmax import SoftmaxLabels
from underdog.core import Loss
from underdog.estimators.support.classifier import Classifier
from underdog.losses import LogLoss, SoftmaxLoss

LONGEST_STEP = 4.0
"""By how much a rule may change the score of a class of several, a log-odds.

A whole step of Newton has no bound, and from two such steps in a row scores do not come back.
Friedman, Hastie and Tibshirani bound working responses by 2 to 4.
"""


@dataclass(kw_only=True, eq=False, repr=False)
class LogLossBooster(Classifier):
    """A booster with one loss for two classes or several labels, and another for one class of K."""

    def _make_loss(self) -> Loss:
        return LogLoss()

    def _make_softmax_loss(self) -> Loss:
        """The loss for more than two classes, whose probabilities are the softmax of the scores."""
        return SoftmaxLoss(max(LONGEST_STEP / self.learning_rate, 2.0))

    def _make_code(self, y: Any) -> Code:
        code = super()._make_code(y)
        return Softmax() if isinstance(code, OneOfK) else code

    def _loss_for(self, labels: Labels, loss: Loss) -> Loss:
        return self._make_softmax_loss() if isinstance(labels, SoftmaxLabels) else loss
