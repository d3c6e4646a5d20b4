"""ERLPBoost: the soft margin without stalling."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from underdog.combiners import EntropyRegularised
from underdog.core import Combiner
from underdog.estimators.support.corrective import SoftMarginBooster
from underdog.estimators.support.uneven import Uneven
from underdog.losses import SoftMargin


@dataclass(kw_only=True, eq=False, repr=False)
class ERLPBoostClassifier(Uneven, SoftMarginBooster):
    r"""ERLPBoost: the soft margin of LPBoost, with weights that change smoothly.

    Minimises what LPBoost minimises up to tol, by adding :math:`\frac{1}{\eta}` times the relative
    entropy of the weights to the programme, :math:`\eta = 2 \ln(1/\nu) / tol`. LPBoost may jump
    from one set of weights to another for hundreds of rounds without gaining; this cannot, and it
    is bounded by :math:`O(\ln(1/\nu) / tol^2)` rounds. Take it where LPBoost stalls.

    Parameters
    ----------
    nu : "auto" or float, default="auto"
        A number in (0, 1) is about the share of the examples that may lie below the margin. "auto"
        is found as for `LPBoostClassifier`, the share being beta n_+ / m or n_- / m, whichever is
        less.
    beta : float, default=1.0
        How many negatives one positive counts, as in `LPUBoostClassifier`.
    learner : default="disc.lp"
        The bound on the number of rounds, and the upper bound in `certificate_`, need a learner
        that maximises the edge: "discrete", "disc.mh" or "disc.lp".
    tol : float, default=0.01
        The soft margin is within this of the best when the run converges. Less than 1e-5 is taken
        as 1e-5; where you need more, take LPBoost.

    See `LPBoostClassifier` for the other parameters and attributes.

    References
    ----------
    Warmuth, Glocer and Vishwanathan, "Entropy regularized LPBoost", ALT 2008, algorithm 1 and
    theorem 1.

    Differs from the paper: bounds may be uneven (beta), and the divergence is measured from weights
    in proportion to them; each master problem is solved to the last digits, by Newton's method on
    groups of examples.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from underdog import ERLPBoostClassifier
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> model = ERLPBoostClassifier(nu=0.1).fit(X, y)
    >>> model.converged_, round(model.certificate_["soft_margin"], 2)
    (True, 0.17)
    """

    learner: Any = "disc.lp"
    _remedy = "Try a larger nu"

    beta: float = 1.0

    def _make_loss(self) -> SoftMargin:
        return SoftMargin(self._number(), self._unevenness())

    def _make_combiner(self) -> Combiner:
        return EntropyRegularised(self.tol)
