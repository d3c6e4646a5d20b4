"""AdaBoost.R2: regression by reweighting, with a weighted median of rules."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from underdog.checks import check_choice
from underdog.core import Run
from underdog.estimators.support.median import MedianRegressor
from underdog.estimators.support.reweighting import (
    ONLY_ONE,
    PERFECT,
    TOO_WEAK,
    Judged,
    Reweighting,
    weighted_targets,
)
from underdog.kernels.elementary import exp_each, log
from underdog.types import Floats

LOSSES = ("linear", "square", "exponential")


@dataclass(kw_only=True, eq=False, repr=False)
class AdaBoostR2Regressor(MedianRegressor):
    r"""AdaBoost.R2: trees on reweighted rows, whose weighted median is the prediction.

    No loss of the median is minimised, and there is no bound on its error. In every round a tree h
    is fitted to y by least squares under the weights D, which sum to one. With
    :math:`e_i = |y_i - h(x_i)| / \max_j |y_j - h(x_j)|` the loss of a row is :math:`L_i = e_i`,
    :math:`e_i^2` or :math:`1 - \exp(-e_i)`, and

    .. math:: \bar L = \sum_i D_i L_i, \quad \beta = \bar L / (1 - \bar L), \quad
        D_i \leftarrow D_i \beta^{1 - L_i} / Z.

    The weight of the tree in the median is :math:`\ln(1 / \beta)`. The prediction is the smallest
    one at which the cumulated weights of the trees reach a half of all. Boosting stops before a
    tree with :math:`\bar L \ge 1/2`, and after a tree without any error.

    Parameters
    ----------
    loss : {"linear", "square", "exponential"}, default="linear"
    resample : bool, default=False
        False fits each tree with the weights. True fits it to rows drawn with replacement in
        proportion to the weights, as many as there are examples. The draw depends on `random_state`
        and on the contents of the rows, not on their order. `min_samples_leaf` counts all rows.
    n_estimators : int, default=100
    learning_rate : float, default=1.0
        Factor of :math:`\ln(1 / \beta)`, in the weights of trees and of rows.
    max_depth : int, optional, default=3
    max_leaf_nodes, min_samples_leaf, l2_regularization, subsample, max_features, cuts, bootstrap
        See `GradientBoostingRegressor`.
    learner : default="tree"
        "tree" for trees with the parameters above, "real" for stumps, a learner object such as
        `underdog.learners.TreeLearner`, or any scikit-learn regressor, which is cloned in every
        round. Such a model cannot be stored in an underdog file.
    interaction_cst : None
        Not supported.

    See `AdaBoostClassifier` for the parameters and attributes that are not listed here.

    Attributes
    ----------
    estimators_ : sequence
        The rules; each has a `predict` method.
    estimator_weights_ : array of shape (n_iter_,)
        The weight of each rule in the median.
    estimator_errors_ : array of shape (n_iter_,)
        The average loss of each rule in its round.
    history_ : dict of arrays
        loss (the average loss of the rule), largest_error, coefficient, seconds.
    certificate_ : dict
        training_loss: the mean squared error of the training rows.

    Notes
    -----
    One outlier sets the scale of all errors of a round. A median has no additive parts: there are
    no contributions of columns to a prediction, and no shapes of columns.

    References
    ----------
    Drucker, "Improving regressors using boosting techniques", ICML 1997.

    Differs from the paper: trees are fitted with weights unless `resample` is set, and the largest
    error is that of the rows with a positive weight. A rule without error has the weight 1, as in
    scikit-learn; so has a first rule with :math:`\bar L \ge 1/2`, which is kept as the only one.

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from underdog import AdaBoostR2Regressor
    >>> X, y = load_diabetes(return_X_y=True)
    >>> model = AdaBoostR2Regressor(n_estimators=20).fit(X, y)
    >>> round(model.score(X, y), 3)
    0.571
    """

    loss: str = "linear"
    resample: bool = False

    def _make_combiner(self) -> DruckerWeights:
        return DruckerWeights(self.learning_rate, self.resample, self.loss)


class DruckerWeights(Reweighting):
    """The weights of AdaBoost.R2: a row keeps the more of its weight, the larger its loss.

    Parameters
    ----------
    learning_rate, resample
        See `Reweighting`.
    loss : {"linear", "square", "exponential"}, default="linear"
    """

    facts: ClassVar[tuple[str, ...]] = ("largest_error",)

    def __init__(
        self, learning_rate: float = 1.0, resample: bool = False, loss: str = "linear"
    ) -> None:
        super().__init__(learning_rate, resample)
        self.loss = loss

    def check(self) -> None:
        super().check()
        check_choice("loss", self.loss, *LOSSES)

    def _losses(self, run: Run, predicted: Sequence[Floats]) -> tuple[list[Floats], float]:
        """(n,) the losses of the rows of each shard, and the largest error."""
        signal, shards = weighted_targets(run), run.rows.shards
        errors = [np.abs(shard.target.observed[:, 0] - predicted[shard.number]) for shard in shards]
        weighty = [own > 0.0 for own in signal.current]
        largest = run.rows.largest(lambda shard: errors[shard.number][weighty[shard.number]])
        if not largest > 0.0:
            return [np.zeros(len(own)) for own in errors], 0.0
        shares = [np.minimum(own / largest, 1.0) for own in errors]
        if self.loss == "square":
            return [own**2 for own in shares], largest
        if self.loss == "exponential":
            return [1.0 - _exp(-own) for own in shares], largest
        return shares, largest

    def judge(self, run: Run, predicted: Sequence[Floats]) -> Judged:
        losses, largest = self._losses(run, predicted)
        average = weighted_targets(run).mean(losses)
        unit = run.rows.shards[0].target.unit
        facts = {"loss": average, "largest_error": largest * unit}
        if not average > 0.0:
            return Judged(1.0, facts, PERFECT)
        if average >= 0.5:
            only = not run.state.members
            return Judged(1.0 if only else 0.0, facts, ONLY_ONE if only else TOO_WEAK)
        return Judged(self.learning_rate * float(log((1.0 - average) / average)), facts)

    def reweighed(
        self, run: Run, predicted: Sequence[Floats], coefficient: float
    ) -> Sequence[Floats]:
        losses, _ = self._losses(run, predicted)
        logs = weighted_targets(run).logs
        return [own - coefficient * (1.0 - loss) for own, loss in zip(logs, losses, strict=True)]


def _exp(values: Floats) -> Floats:
    result = np.empty(values.shape)
    exp_each(values, result)
    return result
