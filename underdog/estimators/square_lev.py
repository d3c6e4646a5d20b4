"""SquareLev: regression by rules that correlate with the residuals."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from underdog.combiners import LineSearch
from underdog.core import Combiner, Learner, Run
from underdog.estimators.support.regressor import Regressor
from underdog.estimators.support.trees import TreeParameters
from underdog.losses import RegressionLoss, ResidualVariance
from underdog.losses.variance import variance_of_targets


@dataclass(kw_only=True, eq=False, repr=False)
class SquareLevRegressor(TreeParameters, Regressor):
    r"""SquareLev.R: each rule is added with the step that its correlation with the residuals gives.

    Minimises the variance of the residuals :math:`r_i = y_i - F(x_i)`. In every round a tree h is
    fitted to them by least squares. With the correlation :math:`\epsilon` of h and r over the rows,

    .. math:: F \leftarrow F + \alpha (h - \bar h), \quad
        \alpha = \epsilon \, \mathrm{sd}(r) / \mathrm{sd}(h),

    which multiplies the variance by exactly :math:`1 - \epsilon^2`. F starts from the mean of y.

    Parameters
    ----------
    n_estimators : int, default=100
    learning_rate : float, default=1.0
        Factor v of the steps. Then the variance is multiplied by :math:`1 - v (2 - v) \epsilon^2`.
    max_depth : int, optional, default=3
    max_leaf_nodes, min_samples_leaf, l2_regularization, subsample, max_features, cuts, bootstrap
        See `GradientBoostingRegressor`.
    learner : default="tree"
        "tree" for trees with the parameters above, "real" for stumps, or a learner object such as
        `underdog.learners.TreeLearner`, which has limits of its own: those above are not used.

    See `AdaBoostClassifier` for the parameters and attributes that are not listed here.

    Attributes
    ----------
    history_ : dict of arrays
        loss (the variance), correlation, gain, coefficient, seconds.
    certificate_ : dict
        training_loss: the mean squared error, which is the variance of the residuals. bound: the
        variance of y times the product of the factors above, which is the same up to rounding.

    Notes
    -----
    Where leaves say the mean of their residuals, h is the projection of r, and :math:`\alpha` is 1:
    this is `GradientBoostingRegressor` with ``learning_rate=1``. With `subsample`,
    `l2_regularization`, `monotonic_cst` or a learner of your own it is not.

    References
    ----------
    Duffy and Helmbold, "Boosting methods for regression", Machine Learning 47, 2002, section 3.

    Differs from the paper: the mean of the residuals, which the paper adds at the end, is taken off
    every rule. The sum is the same.

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from underdog import SquareLevRegressor
    >>> X, y = load_diabetes(return_X_y=True)
    >>> model = SquareLevRegressor(n_estimators=20, max_depth=1).fit(X, y)
    >>> model.history_["correlation"][:2].round(3)
    array([0.54 , 0.414])
    >>> round(model.score(X, y), 3)
    0.585
    """

    learning_rate: float = 1.0

    _certified: ClassVar[tuple[str, ...]] = ("training_loss", "bound")

    def _make_regression_loss(self) -> RegressionLoss:
        return ResidualVariance()

    def _make_learner(self) -> Learner:
        return self._tree_or(super()._make_learner)

    def _make_combiner(self) -> Combiner:
        return LineSearch(self.learning_rate)

    def _certify(self, run: Run) -> dict[str, Any]:
        rows, rate = run.history.rows[: len(run.state.members)], self.learning_rate
        factors = [1.0 - rate * (2.0 - rate) * row["correlation"] ** 2 for row in rows]
        loss: Any = run.parts.loss
        bound = variance_of_targets(run.rows) * float(np.prod(factors))
        in_unit = loss.in_unit(bound, run.rows.shards[0].target.unit)
        return {**super()._certify(run), "bound": in_unit}
