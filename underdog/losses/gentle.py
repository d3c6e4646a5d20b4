"""The exponential loss, made small by Newton's steps."""

from __future__ import annotations

import math
from typing import ClassVar

from underdog.core import ChoosesBy, Proposal
from underdog.losses.exponential import Exponential


class Gentle(Exponential):
    """The exponential loss with Newton's steps, which are never longer than 1.

    Minimises the sum of w_i exp(-y_i F(x_i)). A block says (W_+ - W_-)/(W_+ + W_-), which is tanh
    of what real AdaBoost says there, and its weight W becomes W (cosh v - v sinh v) <= W: the loss
    falls in every round without a line search or smoothing. The coefficient of a rule that votes is
    its edge.

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
        """As many as make the step of real AdaBoost."""
        return 0.5 * math.log1p(1.0 / smooth) if smooth > 0.0 else math.inf
