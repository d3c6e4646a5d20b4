"""LPUBoost: the uneven soft margin, by linear programming."""

from __future__ import annotations

from dataclasses import dataclass

from underdog.estimators.lpboost import LPBoostClassifier
from underdog.estimators.support.uneven import Uneven
from underdog.losses import SoftMargin


@dataclass(kw_only=True, eq=False, repr=False)
class LPUBoostClassifier(Uneven, LPBoostClassifier):
    r"""LPUBoost: the greatest soft margin, where each positive counts as beta negatives.

    Minimises :math:`-\rho + \frac{1}{m \nu} (\beta \sum_+ \xi_i + \sum_- \xi_i)` as
    `LPBoostClassifier` does: the weight of a positive may be beta times that of a negative. With
    beta = 1 and no lower bound it is LPBoost.

    Parameters
    ----------
    nu : "auto" or float, default="auto"
        A number in (0, 1). Above 2 beta n_+ / m a constant prediction already has a positive
        margin; there is a warning. "auto" chooses nu as `LPBoostClassifier` does, from the smaller
        of beta n_+ / m and n_- / m. It starts with a larger nu if the lower bounds would use more
        than half of the weight.
    beta : float, default=2.0
        Number of negatives that one positive counts for.
    lower_bound_ratio : float, default=0.0
        D_LB of the paper: every weight is at least its upper bound divided by this number. 0 means
        no lower bound.

    See `LPBoostClassifier` for the other parameters and the attributes.

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
        return SoftMargin(self._nu_value(), self._unevenness(), self.lower_bound_ratio)
