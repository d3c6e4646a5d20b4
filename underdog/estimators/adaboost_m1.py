"""AdaBoost.M1: several classes by rules that answer with a class."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from underdog.codes import Code, Labels
from underdog.codes.binary import BinaryLabels
from underdog.combiners import ErrorBelowHalf
from underdog.core import Combiner, Learner, Loss, Parts
from underdog.estimators.support.classifier import Classifier
from underdog.learners import TreeLearner, make_learner
from underdog.losses import ClassVotes, Exponential, LabelRanking


@dataclass(kw_only=True, eq=False, repr=False)
class AdaBoostM1Classifier(Classifier):
    r"""AdaBoost.M1: a weighted vote of rules that answer with a class, such as large trees.

    Minimises :math:`\sum_i w_i \exp(-\sum_t a_t (2 [h_t(x_i) = y_i] - 1))`. The learner sees one
    weight per row and answers with a rule of a weighted error :math:`\epsilon_t`, ideally the
    least. It gets :math:`a_t = \frac12 \ln\frac{1 - \epsilon_t}{\epsilon_t}` votes for its class,
    and the class with most votes is predicted. The training error is at most :math:`\prod_t Z_t =
    \prod_t 2 \sqrt{\epsilon_t (1 - \epsilon_t)}`.

    Every rule must be right more often than not, which stumps are not if there are many classes:
    at an error of 1/2 the run stops, and `stop_reason_` says so. Then use `AdaBoostM2Classifier` or
    `AdaBoostMHClassifier`, or a stronger learner. A rule without mistakes ends the run, too. With
    two classes the model is that of binary AdaBoost with the same learner.

    Scores are votes for a class minus votes for all others. They are not log-odds, so there is no
    `predict_proba` before `recalibrate`.

    Parameters
    ----------
    learner : default="c4.5-like"
        A learner that answers with a class: "c4.5-like", "discrete" (the stump with the least
        error), "tree" (`TreeLearner(kind="discrete")`), a learner object that votes, or a
        scikit-learn classifier, which is cloned in every round. See `AdaBoostClassifier` for the
        parameters and attributes not listed here.
    smoothing : float, optional
        e: the weights of right and wrong answers are at least e / 2 in the coefficient of a rule.
        By default 1/m, where m is the sum of the sample weights.
    costs : Costs, optional
        Costs of mistakes, which become the initial weights of the rows.

    Attributes
    ----------
    certificate_ : dict
        The proved bound on the training error, and this error; a tie for the highest score is an
        error.

    References
    ----------
    Freund and Schapire, "A decision-theoretic generalization of on-line learning and an application
    to boosting", JCSS 55, 1997, figure 3. Freund and Schapire, "Experiments with a new boosting
    algorithm", ICML 1996, figure 1.

    Differs from the paper: a coefficient is half of ln(1 / beta), because votes are -1 and 1
    instead of 0 and 1. The coefficient of a rule without mistakes is finite. A first rule with an
    error of 1/2 or more is kept alone. scikit-learn's `AdaBoostClassifier` is another algorithm,
    SAMME: it adds ln(K - 1) to ln(1 / beta) and goes on up to an error of 1 - 1/K.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from underdog import AdaBoostM1Classifier
    >>> X, y = load_wine(return_X_y=True)
    >>> model = AdaBoostM1Classifier(n_estimators=3).fit(X, y)
    >>> model.estimator_errors_.round(3)
    array([0.011, 0.009, 0.011])
    """

    learner: Any = "c4.5-like"

    def _make_learner(self) -> Learner:
        if isinstance(self.learner, str) and self.learner == "tree":
            return TreeLearner(kind="discrete")
        return make_learner(self.learner)

    def _make_loss(self) -> Loss:
        return ClassVotes()

    def _make_combiner(self) -> Combiner:
        return ErrorBelowHalf(self.learning_rate)

    def _make_parts(self) -> Parts:
        parts = super()._make_parts()
        own = parts.learner.criterion(Exponential())
        if own.final:
            raise ValueError(
                f"learner={self.learner!r} gives real values, but AdaBoost.M1 needs rules that "
                "answer with a class: use 'c4.5-like', 'discrete', 'tree', a learner with "
                "kind='discrete' or a scikit-learn classifier, or AdaBoostMHClassifier"
            )
        return parts

    def _make_code(self, y: Any) -> Code:
        if y.ndim == 2:
            raise ValueError(
                f"y has {y.shape[1]} columns, but AdaBoost.M1 is for one class per row: use "
                "AdaBoostMHClassifier or AdaBoostMRClassifier"
            )
        return super()._make_code(y)

    def _loss_for(self, labels: Labels, loss: Loss) -> Loss:
        # A single column is one pair of classes: the loss of AdaBoost, without probabilities.
        return LabelRanking() if isinstance(labels, BinaryLabels) else loss

    def _smooth(self, examples: float, n_labels: int) -> float:
        return super()._smooth(examples, 1)
