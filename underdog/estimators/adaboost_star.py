"""AdaBoost*: a minimum margin within nu of the greatest possible one."""

from __future__ import annotations

from dataclasses import dataclass

from underdog.combiners import HardMargin
from underdog.core import Combiner
from underdog.estimators.support.hard_margin import HardMarginBooster


@dataclass(kw_only=True, eq=False, repr=False)
class AdaBoostStarClassifier(HardMarginBooster):
    r"""AdaBoost*: a minimum margin within nu of the greatest possible one, in few rounds.

    As `ArcGVClassifier`, with :math:`\rho_t = \min_{k \leq t} r_k - \nu`. The least edge so far is
    never below the greatest possible minimum margin :math:`\rho^*`. After :math:`2 \ln m / \nu^2`
    rounds with equal initial weights of m examples, the minimum margin is at least :math:`\rho^* -
    \nu`.

    Parameters
    ----------
    nu : float, default=0.1
        How far the minimum margin may be below the greatest possible one.
    n_estimators : int, default=1000
        Maximum number of rounds. The run ends when the minimum margin is within nu of the least
        edge.
    learner : default="discrete"
        The guarantee needs rules with the greatest
        edge, which trees and learners of other libraries may miss. See `AdaBoostClassifier` for the
        parameters and attributes that `ArcGVClassifier` does not list either.

    References
    ----------
    Rätsch and Warmuth, "Efficient margin maximizing with boosting", JMLR 6, 2005.

    Differs from the paper: it ends as soon as the margin is within nu of its bound.

    Examples
    --------
    >>> import numpy as np
    >>> from underdog import AdaBoostStarClassifier
    >>> X = np.array([[a, b, c] for a in (-1, 1) for b in (-1, 1) for c in (-1, 1)])
    >>> y = X.sum(axis=1) > 0
    >>> model = AdaBoostStarClassifier(nu=0.05).fit(X, y)
    >>> model.certificate_["minimum_margin"] >= model.certificate_["upper_bound"] - 0.05
    True
    """

    n_estimators: int = 1000
    nu: float = 0.1

    def _make_combiner(self) -> Combiner:
        return HardMargin(self.learning_rate, self.nu)
