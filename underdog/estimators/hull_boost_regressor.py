"""Greedy boosting in the convex hull, for numbers."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, ClassVar

from underdog.codes.real_values import RealLabels
from underdog.core import Loss, Parts
from underdog.estimators.support.hull import HullBooster
from underdog.estimators.support.regressor import RegressionScore, Regressor
from underdog.estimators.support.task import LabelledRows
from underdog.estimators.support.weights import Weighting
from underdog.losses import Descent, RegressionLoss, SquaredError


@dataclass(kw_only=True, eq=False, repr=False)
class HullBoostRegressor(HullBooster, Regressor):
    r"""Greedy boosting of the squared error in the convex hull of rules, with a certificate.

    Minimises the mean :math:`A(f)` of :math:`u_i (y_i - \bar y - f(x_i))^2 / 2` over all f whose
    coefficients have absolute values with a sum of at most R standard deviations of y. See
    `HullBoostClassifier` for the algorithm.

    Parameters
    ----------
    radius : float, optional
        R, in standard deviations of y. By default one of 1, 2, 4, 8 and 16, the one with the least
        error of left-out rows (three folds), which takes about ten times as long as one fit.
    learning_rate : float, default=1.0
        Share of the best step that is taken, at most 1. The rate is that of 1.
    learner : default="discrete"
        Every learner finds rules that say -1 or 1. See `GradientBoostingRegressor` for the
        parameters and attributes that are not listed here.

    Attributes
    ----------
    radius_ : float
    history_, certificate_
        As in `HullBoostClassifier`, without bound and training_error; loss and training_loss are
        half the mean squared error, and M is four times the square of R standard deviations.

    References
    ----------
    Zhang, "Sequential greedy approximation for certain convex optimization problems", IEEE
    Transactions on Information Theory 49, 2003.

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from underdog import HullBoostRegressor
    >>> X, y = load_diabetes(return_X_y=True)
    >>> model = HullBoostRegressor(radius=2.0, n_estimators=200).fit(X, y)
    >>> round(model.score(X, y), 2)
    0.58
    """

    _certified: ClassVar[tuple[str, ...]] = HullBooster._hull

    def _make_regression_loss(self) -> RegressionLoss:
        return SquaredError()

    def _make_loss(self) -> Loss:
        return Descent(self._make_regression_loss())

    def _make_score(
        self,
        parts: Parts,
        held_out: LabelledRows,
        labels: RealLabels,
        weighting: Weighting,
        scoring: Any,
    ) -> RegressionScore:
        own = replace(parts, loss=self._make_regression_loss())
        return super()._make_score(own, held_out, labels, weighting, scoring)
