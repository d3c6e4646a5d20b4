"""Greedy boosting in the convex hull, for classes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from underdog.core import Loss
from underdog.estimators.support.binary import BinaryBooster
from underdog.estimators.support.hull import HullBooster
from underdog.losses import Descent, LogLoss


@dataclass(kw_only=True, eq=False, repr=False)
class HullBoostClassifier(HullBooster, BinaryBooster):
    r"""Greedy boosting of the log loss in the convex hull of rules, with a certificate.

    Minimises the mean :math:`A(f)` of :math:`u_i \ln(1 + e^{-y_i (b + f(x_i))})` over all f whose
    coefficients have absolute values with a sum of at most R; b are the log-odds of the classes. A
    round takes the rule h, -1 or 1, along which the loss falls fastest, and moves towards it,
    :math:`f \leftarrow (1 - c) f + c R h`, with the c in [0, 1] of the least loss. So complexity is
    bounded by the radius R, not by the number of rounds.

    Parameters
    ----------
    radius : float, optional
        R. By default one of 1, 2, 4, 8 and 16, the one with the least loss of left-out rows (three
        folds), which takes about ten times as long as one fit.
    learning_rate : float, default=1.0
        Share of the best step that is taken, at most 1. The rate is that of 1.
    learner : default="discrete"
        Every built-in learner votes, -1 or 1. See `AdaBoostClassifier`, also for the parameters and
        attributes not listed here; `smoothing` is not used.

    Attributes
    ----------
    radius_ : float
    history_ : dict of arrays
        edge, loss (after the round), gap (before it: no function in the hull has a loss that is
        lower by more), lower_bound (the loss before the round minus the gap), share (c),
        coefficient (c R, that of the new rule; later rounds shrink it), seconds.
    certificate_ : dict
        - bound: on the training error, the mean loss divided by ln 2;
        - training_error;
        - training_loss;
        - lower_bound: no function in the hull has a lower loss; minus infinity with trees and
          learners of other libraries, which may miss the best rule;
        - gap: training_loss - lower_bound;
        - rate: :math:`2 M / (k + 3)`, what theory promises for the excess loss after k rounds,
          with :math:`M = R^2`, the largest second derivative along a segment.

    References
    ----------
    Zhang, "Sequential greedy approximation for certain convex optimization problems", IEEE
    Transactions on Information Theory 49, 2003. Zhang and Yu, "Boosting with early stopping",
    Annals of Statistics 33, 2005.

    Differs from the paper: the rule is the one of the steepest descent, and the step is searched
    for this rule only. The rate holds all the same.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from underdog import HullBoostClassifier
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> model = HullBoostClassifier(radius=8.0, n_estimators=100).fit(X, y)
    >>> sum(member.size for member in model.model_.members) <= 8.0
    True
    >>> model.certificate_["gap"] < model.certificate_["rate"]
    True
    """

    _certified: ClassVar[tuple[str, ...]] = (*BinaryBooster._certified, *HullBooster._hull)

    def _make_loss(self) -> Loss:
        return Descent(LogLoss())

    def _smooth(self, examples: float, n_labels: int) -> float:
        return 0.0
