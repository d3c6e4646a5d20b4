"""TotalBoost: the hard margin by entropy projection."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from underdog.codes import Labels
from underdog.combiners import EntropyProjection
from underdog.core import Combiner
from underdog.estimators.support.corrective import CorrectiveBooster
from underdog.estimators.support.task import LabelledRows
from underdog.estimators.support.weights import FitArguments, Weighting
from underdog.losses import SoftMargin


@dataclass(kw_only=True, eq=False, repr=False)
class TotalBoostClassifier(CorrectiveBooster):
    r"""TotalBoost: the greatest minimum margin, with few rules.

    This is SoftBoost with nu = 1/m: the weights are bounded only by their sum (class weights and
    fractional sample weights bound them in proportion). Each round minimises the relative entropy
    between the weights and uniform weights, such that no rule so far has an edge above
    :math:`\hat\gamma - tol`. It is meant for separable data; otherwise the margin is 0 or negative,
    and there is a warning.

    Parameters
    ----------
    learner : default="disc.lp"
        The guarantees need a learner that maximises the edge: "discrete", "disc.mh" or "disc.lp".
    tol : float, default=0.01
        When the run converges, the minimum margin is within tol of the optimum.

    See `LPBoostClassifier` for the other parameters and the attributes.

    References
    ----------
    Warmuth, Liao and Raetsch, "Totally corrective boosting algorithms that maximize the margin",
    ICML 2006, algorithm 1 and theorem 1.

    Differs from the paper: as `SoftBoostClassifier` does.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from underdog import TotalBoostClassifier
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> model = TotalBoostClassifier(tol=0.02).fit(X, y)
    >>> model.score(X, y), round(model.certificate_["minimum_margin"], 2)
    (1.0, 0.14)
    """

    _advice = "Rules of this kind may not separate the classes: try SoftBoostClassifier"
    _learns: ClassVar[dict[str, Any]] = CorrectiveBooster._learns | {"_hard_nu": float}

    learner: Any = "disc.lp"

    def _make_loss(self) -> SoftMargin:
        return SoftMargin(getattr(self, "_hard_nu", 0.5))

    def _make_combiner(self) -> Combiner:
        return EntropyProjection(self.tol)

    def _make_weighting(
        self, examples: LabelledRows, labels: Labels, given: FitArguments
    ) -> Weighting:
        # Not the sum of the weights: small ones would make the margin soft.
        self._hard_nu = 1.0 / max(int(examples.counted.repeats.sum()), 2)
        return super()._make_weighting(examples, labels, given)
