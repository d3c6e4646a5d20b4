"""Logistic AdaBoost: the logistic loss with AdaBoost's steps."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from underdog.checks import check_choice
from underdog.combiners import Parallel, Stagewise
from underdog.core import Combiner, Loss
from underdog.estimators.support.informed import Informed
from underdog.losses import Logistic


@dataclass(kw_only=True, eq=False, repr=False)
class LogisticAdaBoostClassifier(Informed):
    r"""Logistic regression on weak rules, fitted with the steps of AdaBoost.

    Minimises the mean of :math:`u_i \ln(1 + e^{-y_i f(x_i)})`. The weights are :math:`q_i = u_i /
    (1 + e^{y_i f(x_i)})`: unlike those of AdaBoost, none exceeds :math:`u_i`, however wrong the
    model is on the example. Tests, block values :math:`\frac12 \ln\frac{W_+ + e}{W_- + e}` and
    coefficients are those of AdaBoost under these weights. In each round the loss falls by at least
    :math:`\sum_b (\sqrt{W_+} - \sqrt{W_-})^2` (without smoothing). Probabilities are :math:`1 / (1
    + e^{-f})`. With prior probabilities :math:`p_i` of weight :math:`\eta` the sum has
    :math:`\eta u_i \mathrm{RE}(p_i \| 1 / (1 + e^{-f(x_i)}))` more for each example, and f starts
    from :math:`\ln(p / (1 - p))`: as if each row were there twice more, with both labels and the
    weights :math:`\eta u_i p_i` and :math:`\eta u_i (1 - p_i)`.

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
    prior_knowledge : optional
        What is known before training: rules in words, such as ``["if 'won' in text: spam 0.9",
        "if age > 60: ham 0.7", "else: spam 0.2"]``, or a fitted model of underdog; both become the
        first members of the model. Also a function of X or a fitted classifier of another library,
        which are needed for predictions and are no part of the model, or an array of the
        probabilities of the training rows: then `predict` needs those of new rows.
    prior_weight : float or "folds", default=1.0
        How many examples the knowledge of a row counts for. "folds" chooses from 0, 0.1, 0.3, 1, 3
        and 10 by the loss of left-out rows; 0 is the booster without knowledge.

    Attributes
    ----------
    history_ : dict of arrays
        edge, loss, guaranteed_drop (a lower bound on the decrease of the loss), coefficient,
        seconds.
    certificate_ : dict
        The bound on the training error is the mean loss of the given labels divided by ln 2.
    prior_weight_, knowledge_ : float and str, or None
        The weight of prior knowledge, and what it came from: "rules", "model", "function",
        "estimator" or "array".

    References
    ----------
    Collins, Schapire and Singer, "Logistic regression, AdaBoost and Bregman distances", Machine
    Learning 48, 2002.

    Schapire, Rochery, Rahim and Gupta, "Incorporating prior knowledge into boosting", ICML 2002
    (`prior_knowledge`).

    Differs from the paper: each round chooses its rule among all tests, or, with
    `update="parallel"`, among the tests of one column. Weights are smoothed. Codes handle several
    classes and labels. Ties and rounding are as in `AdaBoostClassifier`. The first rule in words
    that is true of a row gives its prior probability, between 1e-6 and 1 - 1e-6; where none is,
    all classes are equally probable.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from underdog import LogisticAdaBoostClassifier
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> model = LogisticAdaBoostClassifier(n_estimators=50).fit(X, y)
    >>> model.history_["loss"][[0, 9, 49]].round(3).tolist()
    [0.348, 0.078, 0.015]
    """

    _takes_parts: ClassVar[bool] = True

    update: str = "sequential"

    def _make_loss(self) -> Loss:
        return Logistic()

    def _make_combiner(self) -> Combiner:
        check_choice("update", self.update, "sequential", "parallel")
        kind = Parallel if self.update == "parallel" else Stagewise
        return kind(self.learning_rate)
