"""ERLPBoost: entropy-regularised LPBoost."""

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

    Reaches the minimum of LPBoost up to tol, by adding :math:`\frac{1}{\eta}` times the relative
    entropy of the weights to the linear programme, :math:`\eta = 2 \ln(1/\nu) / tol`. LPBoost may
    move between very different weights for hundreds of rounds without progress. ERLPBoost cannot:
    it needs at most :math:`O(\ln(1/\nu) / tol^2)` rounds. Use it where LPBoost stalls.

    Parameters
    ----------
    nu : "auto" or float, default="auto"
        A number in (0, 1): approximately the share of the examples that may lie below the margin.
        "auto" chooses it as `LPBoostClassifier` does, from the smaller of beta n_+ / m and n_- / m.
    beta : float, default=1.0
        Number of negatives that one positive counts for, as in `LPUBoostClassifier`.
    learner : default="disc.lp"
        The bound on the number of rounds and the upper bound in `certificate_` need a learner that
        maximises the edge: "discrete", "disc.mh" or "disc.lp".
    tol : float, default=0.01
        When the run converges, the soft margin is within tol of the optimum. Values below 1e-5 are
        replaced by 1e-5; for more precision use `LPBoostClassifier`.

    See `LPBoostClassifier` for the other parameters and the attributes.

    Notes
    -----
    If a class has very few examples, the model can separate the training data and still be no
    better than a constant prediction on new data. Check it with cross-validation, as `underdog
    train` does.

    References
    ----------
    Warmuth, Glocer and Vishwanathan, "Entropy regularized LPBoost", ALT 2008, algorithm 1 and
    theorem 1.

    Differs from the paper: the bounds on the weights may be uneven (beta), and the relative entropy
    is measured from weights proportional to them. Each master problem is solved to full precision,
    by Newton's method on groups of examples.

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
    _advice = "Try a larger nu"

    beta: float = 1.0

    def _make_loss(self) -> SoftMargin:
        return SoftMargin(self._nu_value(), self._unevenness())

    def _make_combiner(self) -> Combiner:
        return EntropyRegularised(self.tol)
