"""LogitBoost: additive logistic regression by Newton's steps."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from underdog.combiners import Backtracking
from underdog.core import Combiner, Loss
from underdog.estimators.support.informed import Informed
from underdog.estimators.support.log_loss import LogLossBooster
from underdog.losses import Logit, SoftmaxLogit


@dataclass(kw_only=True, eq=False, repr=False)
class LogitBoostClassifier(Informed, LogLossBooster):
    r"""LogitBoost, for two classes, more classes, or several labels.

    Minimises the mean of :math:`u_i \ln(1 + e^{-2 y_i f(x_i)})`. With :math:`p = 1 / (1 + e^{-2
    f})`, working responses :math:`z = (y^* - p)/w` and weights :math:`w = p (1 - p)`, each rule is
    fitted to z by weighted least squares, and half of it is added to f. With K classes p is the
    softmax of K scores, and each rule adds :math:`\frac{K-1}{K} (f_k - \bar f)` to them. Scores
    start at 0. A step that would increase the loss is halved.

    Parameters
    ----------
    learner : default="real"
        "real" for stumps, "tree", or a `TreeLearner`.
    z_max : float, default=3.0
        Bound on the absolute value of z. Where z would exceed it, w is increased, and w z stays the
        exact gradient.
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

    References
    ----------
    Friedman, Hastie and Tibshirani, "Additive logistic regression: a statistical view of boosting",
    Annals of Statistics 28, 2000, algorithms 3 and 6.

    Schapire, Rochery, Rahim and Gupta, "Incorporating prior knowledge into boosting", ICML 2002
    (`prior_knowledge`).

    Differs from the paper: with K classes one rule is shared by all of them. The paper bounds z
    itself; here w is increased, as in Weka. Steps that would increase the loss are halved.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from underdog import LogitBoostClassifier
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> model = LogitBoostClassifier(n_estimators=50).fit(X, y)
    >>> model.history_["loss"][[0, 9, 49]].round(3).tolist()
    [0.302, 0.059, 0.003]
    """

    _takes_parts: ClassVar[bool] = True

    z_max: float = 3.0

    def _make_loss(self) -> Loss:
        return Logit(self.z_max)

    def _make_softmax_loss(self) -> Loss:
        return SoftmaxLogit(self.z_max)

    def _make_combiner(self) -> Combiner:
        return Backtracking(self.learning_rate)

    def _smooth(self, examples: float, n_labels: int) -> float:
        return 0.0
