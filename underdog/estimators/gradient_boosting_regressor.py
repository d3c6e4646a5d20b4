"""Gradient boosting for real-valued targets."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from underdog.checks import check_choice, is_number
from underdog.core import Learner
from underdog.estimators.support.regressor import Regressor
from underdog.estimators.support.trees import TreeParameters
from underdog.losses import (
    AbsoluteError,
    HuberLoss,
    PoissonLoss,
    QuantileLoss,
    RegressionLoss,
    SquaredError,
)

LOSSES = ("squared", "absolute", "huber", "quantile", "poisson")

MEDIAN, ALPHA = 0.5, 0.9
"""Defaults of parameters that only one loss uses."""


@dataclass(kw_only=True, eq=False, repr=False)
class GradientBoostingRegressor(TreeParameters, Regressor):
    r"""Boosted trees for real-valued targets, counts and quantiles.

    Minimises the mean of :math:`u_i l(y_i, F(x_i))`. In every round a tree is grown by least
    squares on the negative gradients of the loss, its leaves get the values in the table, and
    `learning_rate` times the tree is added to F.

    | loss | l(y, F), r = y - F | start | value of a leaf |
    |---|---|---|---|
    | squared | :math:`r^2` | mean | mean of r |
    | absolute | :math:`|r|` | median | median of r |
    | huber | :math:`r^2/2`, linear beyond d | median | median, corrected by the clipped mean |
    | quantile | :math:`a r` if r >= 0, else :math:`(a - 1) r` | a-quantile | a-quantile of r |
    | poisson | :math:`y \ln(y / e^F) - y + e^F` | log of mean | log of sum y / sum :math:`e^F` |

    Huber's d is the `alpha`-quantile of :math:`|r|` over all rows, in every round. With "poisson"
    trees are grown by the gain of a Newton step, and predictions are :math:`e^F`.

    Parameters
    ----------
    loss : {"squared", "absolute", "huber", "quantile", "poisson"}, default="squared"
    quantiles : float or sequence of float, default=0.5
        For ``loss="quantile"``. Several quantiles, such as [0.1, 0.5, 0.9], share the trees, and
        `predict` returns one column for each, sorted in each row; see `crossing`. Then `score` is
        the mean of their `sklearn.metrics.d2_pinball_score`.
    alpha : float, default=0.9
        For ``loss="huber"``: the share of the residuals that count as they are. Unlike
        scikit-learn's it is not the quantile, which is `quantiles`.
    n_estimators : int, default=100
    learning_rate : float, default=0.1
        Factor by which each step is multiplied.
    max_depth : int, optional, default=3
    max_leaf_nodes : int, optional
    min_samples_leaf : int, default=1
        See `TreeLearner`.
    l2_regularization : float, default=0.0
        Added to the weight of a leaf. With "absolute", "huber" and "quantile" it changes only which
        tests are chosen.
    subsample : float, default=1.0
        Share of the rows that each tree is grown on. They depend on `random_state` and on the
        contents of the rows, not on their order; equal rows are drawn together.
    max_features : int, float, "sqrt", "log2" or None, default=None
        How many columns are drawn for each tree, or their share.
    cuts : {"all", "random"}, default="all"
        "random" draws one cut of each column in every node.
    bootstrap : bool, default=False
        Whether tests are chosen by rows with random weights. See `TreeLearner` for these four.
    learner : default="tree"
        "tree" for trees with the parameters above, "real" for stumps, or a learner object such as
        `underdog.learners.TreeLearner`, which has limits of its own: those above are not used.
    monotonic_cst : optional
        For "squared" and "poisson" only.

    See `AdaBoostClassifier` for the parameters and attributes that are not listed here.

    Attributes
    ----------
    history_ : dict of arrays
        loss (mean over the training rows), gain (by how much the tree lowers the squared error of
        the gradients), coefficient, seconds.
    certificate_ : dict
        training_loss: the mean loss of the training rows.

    Notes
    -----
    Targets are rounded to multiples of 2**-42 of their range. So the residuals are integers, and
    their sums, medians and quantiles are exact. A quantile is the smallest residual at which the
    cumulated weight reaches the share: weight 3 is three rows.

    Early stopping does not depend on the unit of y: where a validation score has the unit of y, or
    its square, `tol` is in the power of two above the mean distance of the held-out targets from
    their mean (of a scorer that is a function, and of a custom loss, as it is).

    References
    ----------
    Friedman, "Greedy function approximation: a gradient boosting machine", Annals of Statistics 29,
    2001.

    Differs from the paper: the quantile and Poisson losses are not in it. With at most `max_bins`
    values in each column predictions are those of scikit-learn's `GradientBoostingRegressor` up to
    rounding, unless several tests are equally good. Its start for quantiles interpolates, and it
    may split a leaf whose gradients are all equal, because of rounding.

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from underdog import GradientBoostingRegressor
    >>> X, y = load_diabetes(return_X_y=True)
    >>> model = GradientBoostingRegressor(n_estimators=50).fit(X, y)
    >>> round(model.score(X, y), 3)
    0.721
    """

    _takes_parts: ClassVar[bool] = True

    loss: str = "squared"
    quantiles: Any = MEDIAN
    alpha: float = ALPHA

    def _make_regression_loss(self) -> RegressionLoss:
        check_choice("loss", self.loss, *LOSSES)
        self._refuse_ignored()
        if self.loss == "huber":
            return HuberLoss(self.alpha)
        if self.loss == "quantile":
            return QuantileLoss(self.quantiles)
        plain = {"squared": SquaredError, "absolute": AbsoluteError, "poisson": PoissonLoss}
        return plain[self.loss]()

    def _refuse_ignored(self) -> None:
        """Refuse a quantile that would have no effect.

        Other losses ignore alpha, as those of scikit-learn do, whose tests set it.
        """
        alpha, quantiles = self.alpha, self.quantiles
        if self.loss == "quantile" and not (is_number(alpha) and alpha == ALPHA):
            raise ValueError(
                f"alpha={alpha!r} would be ignored, because it is for loss='huber', and "
                f"loss='quantile' was given: set quantiles={alpha!r}, and leave alpha out"
            )
        if self.loss != "quantile" and not (is_number(quantiles) and quantiles == MEDIAN):
            raise ValueError(
                f"quantiles={quantiles!r} would be ignored, because it is for loss='quantile', and "
                f"loss={self.loss!r} was given: set loss='quantile', or leave quantiles out"
            )

    def _make_learner(self) -> Learner:
        return self._tree_or(super()._make_learner)
