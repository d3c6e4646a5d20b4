"""Logistic AdaBoost: the logistic loss with AdaBoost's steps."""

from __future__ import annotations

from dataclasses import dataclass

from underdog.checks import check_choice
from underdog.combiners import Parallel, Stagewise
from underdog.core import Combiner, Loss
from underdog.estimators.support.base import Booster
from underdog.losses import Logistic


@dataclass(kw_only=True, eq=False, repr=False)
class LogisticAdaBoostClassifier(Booster):
    r"""Logistic regression on weak rules, by AdaBoost's steps.

    Minimises the mean of :math:`u_i \ln(1 + e^{-y_i f(x_i)})`. Weights are :math:`q_i = u_i / (1 +
    e^{y_i f(x_i)})`: unlike AdaBoost's, none is larger than :math:`u_i`, however wrong its example.
    Test, block values :math:`\frac12 \ln\frac{W_+ + e}{W_- + e}` and coefficients are AdaBoost's
    under these weights, and the loss falls by at least :math:`\sum_b (\sqrt{W_+} - \sqrt{W_-})^2` a
    round (without smoothing). Probabilities are :math:`1 / (1 + e^{-f})`.

    Parameters
    ----------
    learner : default="real"
        See `AdaBoostClassifier`, as are the parameters that are not listed here.
    smoothing : float, optional
        e, a share of the weight that all examples have at the start; by default 1/(m K).
    update : {"sequential", "parallel"}, default="sequential"
        One rule a round, or the best rule of every column under the same weights, each followed for
        its share of a step: slower, see `Parallel`.

    Attributes
    ----------
    history_ : dict of arrays
        edge, loss, guaranteed_drop (by how much the loss falls at least), coefficient, seconds.
    certificate_ : dict
        The bound on the training error is the mean loss divided by ln 2.

    References
    ----------
    Collins, Schapire and Singer, "Logistic regression, AdaBoost and Bregman distances", Machine
    Learning 48, 2002.

    Differs from the paper: the rules are chosen, in each round, from all tests; in the parallel
    form that of each column; smoothing; several classes and labels by codes; ties and rounding as
    in `AdaBoostClassifier`.

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
