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
    r"""SoftBoost: the greatest soft margin, by weights that are as even as they can be.

    Each round takes the weights nearest to even ones, in relative entropy and within their bounds,
    under which no rule so far has an edge above :math:`\hat\gamma - tol`, :math:`\hat\gamma` being
    the least edge that a best rule had. When there are none the soft margin is within tol of the
    best, and a linear programme finds the coefficients. Needs :math:`O(\ln(1/\nu) / tol^2)` rounds.

    Parameters
    ----------
    nu : "auto" or float, default="auto"
        A number in (0, 1) is about the share of the examples that may lie below the margin; 1/m is
        TotalBoost. "auto" is found as for `LPBoostClassifier`.
    learner : default="disc.lp"
        The promises need a learner that maximises the edge: "discrete", "disc.mh" or "disc.lp".
    tol : float, default=0.01
        The soft margin is within this of the best when the run converges.

    See `LPBoostClassifier` for the other parameters and attributes.

    References
    ----------
    Warmuth, Glocer and Raetsch, "Boosting algorithms for maximizing the soft margin", NIPS 2007,
    algorithm 1 and theorem 1.

    Differs from the paper: nu is a share, not a number of examples; the coefficients after each
    round (`staged_predict`) are the normalised multipliers of the projection, those of the model
    come from the linear programme, as in the paper.

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
        return SoftMargin(self._number())

    def _make_combiner(self) -> Combiner:
        return EntropyProjection(self.tol)
