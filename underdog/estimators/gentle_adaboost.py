"""Gentle AdaBoost."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from underdog.core import Loss
from underdog.estimators.support.classifier import Classifier
from underdog.losses import Gentle


@dataclass(kw_only=True, eq=False, repr=False)
class GentleAdaBoostClassifier(Classifier):
    r"""Gentle AdaBoost: the exponential loss by Newton steps, none of which is longer than 1.

    Minimises :math:`\sum_i w_i \exp(-y_i f(x_i))`, as AdaBoost does. In a block whose positive and
    negative examples weigh :math:`W_+` and :math:`W_-` a rule predicts :math:`v = \frac{W_+ -
    W_-}{W_+ + W_-}`, the tanh of what real AdaBoost predicts there. The test with the greatest
    :math:`\sum_b \frac{(W_+ - W_-)^2}{W_+ + W_-}` is chosen. The weight W of a block becomes
    :math:`W (\cosh v - v \sinh v) \le W`, so the loss falls in every round, and the training error
    is at most :math:`\prod_t Z_t`. In pure blocks a rule predicts -1 or 1, where AdaBoost takes
    long steps; this makes the model less sensitive to wrong labels.

    Parameters
    ----------
    learner : default="real"
        "real" uses the values above; "discrete" votes, and the coefficient of a vote is its edge.
        See `AdaBoostClassifier`, also for the other parameters and the attributes.

    References
    ----------
    Friedman, Hastie and Tibshirani, "Additive logistic regression: a statistical view of boosting",
    Annals of Statistics 28, 2000, algorithm 4.

    Differs from the paper: if the first rule makes no mistake, it is repeated only until its steps
    add up to one step of real AdaBoost. With more than two classes the one-of-K code is used. Ties
    and rounding are as in `AdaBoostClassifier`.

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
    training error: at most 0.2974 (measured 0.03515)
    """

    _takes_parts: ClassVar[bool] = True

    def _make_loss(self) -> Loss:
        return Gentle()
