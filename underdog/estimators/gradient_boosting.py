"""Gradient boosting: trees fitted to the gradient of the log loss."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from underdog.checks import check_choice
from underdog.core import Learner
from underdog.estimators.support.informed import Informed
from underdog.estimators.support.log_loss import LogLossBooster
from underdog.estimators.support.trees import TreeParameters


@dataclass(kw_only=True, eq=False, repr=False)
class GradientBoostingClassifier(TreeParameters, Informed, LogLossBooster):
    r"""Boosted trees for the log loss.

    Minimises the mean of :math:`u_i \ln(1 + e^{-y_i f(x_i)})`. With K classes it minimises the mean
    of :math:`-u_i \ln p_{y_i}(x_i)`, where p is the softmax of K scores. With several labels it
    minimises the sum over the labels. Scores start from the log-odds of the classes. A tree is
    grown to maximise :math:`\sum_b G_b^2 / (H_b + \lambda)`, where G and H are the sums of :math:`u
    (y^* - p)` and :math:`u p (1 - p)` in a leaf. A leaf predicts :math:`G / (H + \lambda)`, times
    `learning_rate`. Probabilities are :math:`1 / (1 + e^{-f})`, or the softmax.

    Parameters
    ----------
    n_estimators : int, default=100
    learning_rate : float, default=0.1
        Factor by which each step is multiplied.
    max_depth : int, optional, default=3
    max_leaf_nodes : int, optional
    min_samples_leaf : int, default=1
        See `TreeLearner`.
    criterion : {"newton", "squared_error"}, default="newton"
        How splits are chosen: by the gain above, or by least squares on the gradients,
        :math:`\sum_b G_b^2 / (U_b + \lambda)` with the sum U of the weights u, as scikit-learn
        does. Leaf values are computed the same way.
    l2_regularization : float, default=0.0
        lambda.
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
        `underdog.learners.TreeLearner(growth="depth")`. A learner object has limits of its own, and
        those above are then refused.
    prior_knowledge, prior_weight
        See `LogisticAdaBoostClassifier`. The loss has the relative entropy between the prior
        probabilities and p more, and scores start from those of the prior.

    See `AdaBoostClassifier` for the parameters and attributes that are not listed here; `smoothing`
    is not used.

    Attributes
    ----------
    history_ : dict of arrays
        loss (mean over the training rows), gain (the decrease that a Newton step predicts),
        coefficient, seconds.
    certificate_ : dict
        The bound on the training error is the mean loss divided by ln 2.

    References
    ----------
    Friedman, "Greedy function approximation: a gradient boosting machine", Annals of Statistics 29,
    2001.

    Schapire, Rochery, Rahim and Gupta, "Incorporating prior knowledge into boosting", ICML 2002
    (`prior_knowledge`).

    Differs from the paper: by default trees are chosen by the gain of a Newton step, not by least
    squares on the gradient. With K classes one tree has K values in each leaf; the paper, and
    scikit-learn, grow K trees. Also with K classes, a step changes no score by more than 4: where
    it would, the curvature of the examples is increased as in LogitBoost. With two classes,
    `criterion="squared_error"` and at most `max_bins` values in each column, the scores are those
    of scikit-learn's `GradientBoostingClassifier` up to rounding, unless several tests are equally
    good.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from underdog import GradientBoostingClassifier
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> model = GradientBoostingClassifier(n_estimators=50).fit(X, y)
    >>> model.history_["loss"][[0, 9, 49]].round(3).tolist()
    [0.575, 0.221, 0.015]
    """

    _takes_parts: ClassVar[bool] = True

    criterion: str = "newton"

    def _make_learner(self) -> Learner:
        check_choice("criterion", self.criterion, "newton", "squared_error")
        criterion = "loss" if self.criterion == "newton" else self.criterion
        return self._tree_or(super()._make_learner, criterion, "criterion")
