"""AdaBoost_Reg: AdaBoost with soft margins."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from underdog.combiners import Forgiving
from underdog.core import Combiner, Loss
from underdog.estimators.support.binary import BinaryBooster
from underdog.losses import SoftExponential


@dataclass(kw_only=True, eq=False, repr=False)
class SoftMarginAdaBoostClassifier(BinaryBooster):
    r"""AdaBoost_Reg: AdaBoost that forgives examples which stay heavy.

    The soft margin of an example is :math:`y_i f(x_i) + s_i`. The weights are :math:`D_i \propto
    \exp(-y_i f(x_i) - s_i)`. After a rule with the coefficient a, each example is forgiven
    :math:`a C m D_i` more, m being the number of examples: an example that is heavy round after
    round soon has as large a soft margin as the others. The coefficient minimises
    :math:`\sum_i D_i \exp(-a (y_i h(x_i) + C m D_i))`. C = 0 is AdaBoost.

    Parameters
    ----------
    C : float, default=0.1
        How much is forgiven, from 0.01 for few wrong labels to 0.9; choose it by folds. With equal
        weights at the start and 1 or more, every mistake is forgiven in the first round. The
        paper's C is m times as large.
    learner : default="discrete"
        See `AdaBoostClassifier`, also for the parameters and attributes not listed here. Rules with
        real values get a coefficient, too.

    Attributes
    ----------
    history_ : dict of arrays
        edge, z (by which the mean of :math:`\exp(-y f - s)` is multiplied, below 1), loss (this
        mean), coefficient, seconds.
    certificate_ : dict
        bound: the mean of :math:`\exp(-y f)`, on the training error. training_error.

    Notes
    -----
    If every mistake of the best rule is forgiven, the run ends: use a smaller C. Scores are margins
    and not log-odds, so there are no probabilities unless it is recalibrated.

    References
    ----------
    Rätsch, Onoda and Müller, "Soft margins for AdaBoost", Machine Learning 42, 2001.

    Differs from the paper, versions of which differ: the influence of an example is the sum of
    :math:`a_t D_t(i)`, neither squared nor divided by the sum of the coefficients. LPReg and QPReg
    of the same paper are `underdog.games.with_greatest_margin(model, X, y, nu=0.1)` and
    `underdog.games.with_quadratic_penalty(model, X, y)`.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from underdog import SoftMarginAdaBoostClassifier
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> model = SoftMarginAdaBoostClassifier(C=0.2, n_estimators=20).fit(X, y)
    >>> round(model.score(X, y), 3)
    0.97
    """

    learner: Any = "discrete"
    C: float = 0.1

    def _make_loss(self) -> Loss:
        return SoftExponential()

    def _make_combiner(self) -> Combiner:
        return Forgiving(self.learning_rate, self.C)
