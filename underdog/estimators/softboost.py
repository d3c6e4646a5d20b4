"""SoftBoost: the soft margin by entropy projection."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from underdog.combiners import EntropyProjection
from underdog.core import Combiner
from underdog.estimators.support.corrective import SoftMarginBooster
from underdog.losses import SoftMargin


@dataclass(kw_only=True, eq=False, repr=False)
class SoftBoostClassifier(SoftMarginBooster):
    r"""SoftBoost: the greatest soft margin, with weights as even as possible.

    Each round minimises the relative entropy between the weights and uniform weights, subject to
    their bounds and to the constraint that no rule so far has an edge above :math:`\hat\gamma -
    tol`, where :math:`\hat\gamma` is the smallest edge that a best rule had. If no weights satisfy
    the constraints, the soft margin is within tol of the optimum, and a linear programme finds the
    coefficients. Needs :math:`O(\ln(1/\nu) / tol^2)` rounds.

    Parameters
    ----------
    nu : "auto" or float, default="auto"
        A number in (0, 1): approximately the share of the examples that may lie below the margin.
        1/m is TotalBoost. "auto" chooses it as `LPBoostClassifier` does.
    learner : default="disc.lp"
        The guarantees need a learner that maximises the edge: "discrete", "disc.mh" or "disc.lp".
    tol : float, default=0.01
        When the run converges, the soft margin is within tol of the optimum.

    See `LPBoostClassifier` for the other parameters and the attributes.

    Notes
    -----
    If a class has very few examples, the model can separate the training data and still be no
    better than a constant prediction on new data. Check it with cross-validation, as `underdog
    train` does.

    References
    ----------
    Warmuth, Glocer and Raetsch, "Boosting algorithms for maximizing the soft margin", NIPS 2007,
    algorithm 1 and theorem 1.

    Differs from the paper: nu is a share, not a number of examples. The coefficients after each
    round (`staged_predict`) are the normalised multipliers of the projection; those of the final
    model come from the linear programme, as in the paper.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from underdog import SoftBoostClassifier
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> model = SoftBoostClassifier(nu=0.1, tol=0.02).fit(X, y)
    >>> model.converged_, round(model.certificate_["soft_margin"], 2)
    (True, 0.17)
    """

    learner: Any = "disc.lp"

    def _make_loss(self) -> SoftMargin:
        return SoftMargin(self._nu_value())

    def _make_combiner(self) -> Combiner:
        return EntropyProjection(self.tol)
