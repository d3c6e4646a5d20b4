"""LPUBoost: the uneven soft margin, by linear programming."""

from __future__ import annotations

from dataclasses import dataclass

from underdog.estimators.lpboost import LPBoostClassifier
from underdog.estimators.support.uneven import Uneven
from underdog.losses import SoftMargin


@dataclass(kw_only=True, eq=False, repr=False)
class LPUBoostClassifier(Uneven, LPBoostClassifier):
    r"""LPUBoost: the greatest soft margin where every positive counts beta negatives.

    Minimises :math:`-\rho + \frac{1}{m \nu} (\beta \sum_+ \xi_i + \sum_- \xi_i)` as
    `LPBoostClassifier` does: the weight of a positive may be beta times that of a negative. With
    beta = 1 and no lower bound it is LPBoost.

    Parameters
    ----------
    nu : "auto" or float, default="auto"
        A number in (0, 1). Above 2 beta n_+ / m a constant already has a positive margin; a warning
        says so. "auto" is found as for `LPBoostClassifier`, the share being beta n_+ / m or
        n_- / m, whichever is less; it begins with more where lower bounds would take more than half
        of the weight.
    beta : float, default=2.0
        How many negatives one positive counts.
    lower_bound_ratio : float, default=0.0
        The paper's D_LB: every weight is at least its upper bound divided by this. 0 means no lower
        bound.

    See `LPBoostClassifier` for the other parameters and attributes.

    References
    ----------
    Leskovec and Shawe-Taylor, "Linear Programming Boosting for Uneven Datasets", ICML 2003,
    eqs. (2) to (7) and algorithm 1.

    Differs from the paper: as `LPBoostClassifier` does.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from underdog import LPUBoostClassifier
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> model = LPUBoostClassifier(nu=0.1, beta=4.0, pos_label=0, learner="disc.lp", tol=0.01)
    >>> round(model.fit(X, y).certificate_["soft_margin"], 2)
    0.14
    """

    beta: float = 2.0
    lower_bound_ratio: float = 0.0

    def _make_loss(self) -> SoftMargin:
        return SoftMargin(self._number(), self._unevenness(), self.lower_bound_ratio)
