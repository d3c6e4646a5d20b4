"""Gentle AdaBoost."""

from __future__ import annotations

from dataclasses import dataclass

from underdog.core import Loss
from underdog.estimators.support.base import Booster
from underdog.losses import Gentle


@dataclass(kw_only=True, eq=False, repr=False)
class GentleAdaBoostClassifier(Booster):
    r"""Gentle AdaBoost: the exponential loss by Newton's steps, which are never longer than 1.

    Minimises :math:`\sum_i w_i \exp(-y_i f(x_i))`, as AdaBoost does. A block with weights
    :math:`W_+` and :math:`W_-` says :math:`v = \frac{W_+ - W_-}{W_+ + W_-}`, tanh of what real
    AdaBoost says there, and the test with the greatest :math:`\sum_b \frac{(W_+ - W_-)^2}{W_+ +
    W_-}` is taken. A block's weight W becomes :math:`W (\cosh v - v \sinh v) \le W`, so the loss
    falls in every round, and the training error is at most :math:`\prod_t Z_t`. Pure blocks say
    -1 or 1 where AdaBoost's steps are long: that makes it milder where labels are wrong.

    Parameters
    ----------
    learner : default="real"
        "real" (the values above), or "discrete": votes, whose coefficient is their edge. See
        `AdaBoostClassifier`, as are the other parameters.

    References
    ----------
    Friedman, Hastie and Tibshirani, "Additive logistic regression: a statistical view of boosting",
    Annals of Statistics 28, 2000, algorithm 4.

    Differs from the paper: a first rule that makes no mistake is repeated only until its steps
    make one of real AdaBoost; with more than two classes the one-of-K code is used; ties and
    rounding as in `AdaBoostClassifier`.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from underdog import GentleAdaBoostClassifier
    >>> X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    >>> model = GentleAdaBoostClassifier(n_estimators=3).fit(X, y)
    >>> print(model.describe())
    GentleAdaBoostClassifier: 3 rules; score > 0 means '1', else '0' (all rounds done)
       1. worst area > 874.85            -0.903   else +0.812
       2. worst concave points > 0.1358  -0.845   else +0.761
       3. worst texture > 23.35          -0.409   else +0.795
    """

    def _make_loss(self) -> Loss:
        return Gentle()
