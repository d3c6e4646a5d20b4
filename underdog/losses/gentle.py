"""The exponential loss with Newton steps."""

from __future__ import annotations

import math
from typing import ClassVar

from underdog.core import ChoosesBy, Proposal
from underdog.losses.exponential import Exponential


class Gentle(Exponential):
    """The exponential loss with Newton steps, none of which is longer than 1.

    The sum of w_i exp(-y_i F(x_i)). The value of a block is v = (W_+ - W_-)/(W_+ + W_-), the tanh
    of that of real AdaBoost. Its weight W becomes W (cosh v - v sinh v) <= W, so the loss falls in
    every round without line search or smoothing. The coefficient of a voting rule is its edge.

    References
    ----------
    Friedman, Hastie and Tibshirani, "Additive logistic regression", Annals of Statistics 28, 2000,
    algorithm 4.

    Examples
    --------
    >>> from underdog.losses import Gentle
    >>> Gentle().probability_scale
    2.0
    """

    chooses_by: ClassVar[ChoosesBy] = "newton"

    def __init__(self) -> None:
        super().__init__(1.0)

    def best_coefficient(self, proposal: Proposal, smooth: float, signal: int = 0) -> float:
        return proposal.edge(signal)

    def perfect_steps(self, smooth: float) -> float:
        """The number of steps that add up to the step of real AdaBoost."""
        return 0.5 * math.log1p(1.0 / smooth) if smooth > 0.0 else math.inf
