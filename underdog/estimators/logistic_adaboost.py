"""Logistic AdaBoost: the logistic loss with AdaBoost's steps."""

from __future__ import annotations

from dataclasses import dataclass

from underdog.checks import check_choice
from underdog.combiners import Parallel, Stagewise
from underdog.core import Combiner, Loss
from underdog.estimators.support.classifier import Classifier
from underdog.losses import Logistic


@dataclass(kw_only=True, eq=False, repr=False)
class LogisticAdaBoostClassifier(Classifier):
    r"""Logistic regression on weak rules, fitted with the steps of AdaBoost.

    Minimises the mean of :math:`u_i \ln(1 + e^{-y_i f(x_i)})`. The weights are :math:`q_i = u_i /
    (1 + e^{y_i f(x_i)})`: unlike those of AdaBoost, none exceeds :math:`u_i`, however wrong the
    model is on the example. Tests, block values :math:`\frac12 \ln\frac{W_+ + e}{W_- + e}` and
    coefficients are those of AdaBoost under these weights. In each round the loss falls by at least
    :math:`\sum_b (\sqrt{W_+} - \sqrt{W_-})^2` (without smoothing). Probabilities are :math:`1 / (1
    + e^{-f})`.

    Parameters
    ----------
    learner : default="real"
        See `AdaBoostClassifier`, also for the parameters and attributes not listed here.
    smoothing : float, optional
        e, as a share of the initial weight of all examples; by default 1/(m K).
    update : {"sequential", "parallel"}, default="sequential"
        "sequential" adds one rule per round. "parallel" finds the best rule of every column under
        the same weights and takes a part of the step of each; it needs more rounds (see
        `Parallel`).

    Attributes
    ----------
    history_ : dict of arrays
        edge, loss, guaranteed_drop (a lower bound on the decrease of the loss), coefficient,
        seconds.
    certificate_ : dict
        The bound on the training error is the mean loss divided by ln 2.

    References
    ----------
    Collins, Schapire and Singer, "Logistic regression, AdaBoost and Bregman distances", Machine
    Learning 48, 2002.

    Differs from the paper: each round chooses its rule among all tests, or, with
    `update="parallel"`, among the tests of one column. Weights are smoothed. Codes handle several
    classes and labels. Ties and rounding are as in `AdaBoostClassifier`.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from underdog import LogisticAdaBoostClassifier
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> model = LogisticAdaBoostClassifier(n_estimators=50).fit(X, y)
    >>> model.history_["loss"][[0, 9, 49]].round(3).tolist()
    [0.348, 0.078, 0.015]
    """

    update: str = "sequential"

    def _make_loss(self) -> Loss:
        return Logistic()

    def _make_combiner(self) -> Combiner:
        check_choice("update", self.update, "sequential", "parallel")
        kind = Parallel if self.update == "parallel" else Stagewise
        return kind(self.learning_rate)
