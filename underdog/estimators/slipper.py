"""SLIPPER: boosted rules that abstain."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from underdog.codes import Labels
from underdog.core import Combiner, Learner, Parts
from underdog.estimators.support.classifier import Classifier
from underdog.estimators.support.columns import ColumnByColumn, ColumnLearner
from underdog.estimators.support.inputs import refuse_unused
from underdog.estimators.support.task import LabelledRows
from underdog.estimators.support.weights import Weighting
from underdog.learners import RuleLearner
from underdog.model import Ensemble, merged_rules


@dataclass(kw_only=True, eq=False, repr=False)
class SlipperClassifier(Classifier):
    r"""SLIPPER: a set of if-then rules, each with a confidence, found by boosting.

    Minimises the exponential loss :math:`\sum_i w_i \exp(-y_i f(x_i))`. The score f is the sum of
    the confidences of the rules whose conditions a row meets; a rule abstains on all other rows.
    In every round a rule is grown on two thirds of the rows and pruned on the others, or the
    default rule, which every row meets, is taken: whichever has the lesser :math:`Z = 1 -
    (\sqrt{W_+} - \sqrt{W_-})^2`. Its confidence is :math:`\frac12 \ln\frac{W_+ + e}{W_- + e}`,
    where W are the weights of the positive and negative examples that it covers. Rules speak for
    the positive class only; the default rule may speak against it. The training error is at most
    :math:`\prod_t Z_t`.

    With more than two classes there are rules for each class against all others, which take turns,
    and the class with the highest score is predicted.

    Parameters
    ----------
    max_conditions : int, optional
        Maximum number of conditions of a rule; None for no limit.
    max_rules : int, optional
        Maximum number of different rules of each class, without the default rule. As soon as there
        are so many, further rounds change their confidences only. None for no limit.
    learner : default="rules"
        "rules" for rules with the limits above, or another learner; see `AdaBoostClassifier`, also
        for the parameters and attributes not listed here. A learner object has limits of its own.
    n_estimators : int, default=100
        Maximum number of rounds, with more than two classes of each of them. Rounds that find a
        rule again add to its confidence, so there are fewer different rules.
    smoothing : float, optional
        e, by default 1/(2m), where m is the sum of the sample weights.
    pos_label : label, optional
        The class that rules speak for; by default `classes_[1]`. Rules for the rarer class are
        usually fewer.
    early_stopping : bool, default=False
        True chooses the number of rounds as the paper does: by the error of 5 folds, of all
        numbers up to `n_estimators`.
    cv : int, default=5
        Number of folds. With None a part of the rows is held out instead.
    scoring : str or callable, default="accuracy"
        The score that chooses the number of rounds.
    n_iter_no_change : int, default=100
        Number of rounds without improvement after which the search ends.
    random_state : int or RandomState, optional
        Seed of folds and of the rows that rules are grown on, which depend on this number (None is
        0) and on the contents of the rows.

    Notes
    -----
    `describe()` shows the rule set: equal rules are one rule with the sum of their confidences, and
    the default rule comes last. The scores of this set are those of `model_`, bit for bit.

    References
    ----------
    Cohen and Singer, "A simple, fast, and effective rule learner", AAAI 1999.

    Differs from the paper: rows are in six parts by their contents, and each round draws the two
    that it prunes by, instead of dividing the rows anew. The paper is about two classes only.
    Numbers are compared with at most `max_bins` - 1 cuts.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from underdog import SlipperClassifier
    >>> X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    >>> model = SlipperClassifier(max_rules=3, n_estimators=20, pos_label=0).fit(X, y)
    >>> print(*model.describe().splitlines()[1:], sep="\n")
       1. worst perimeter > 127.2         +6.410
       2. worst concave points > 0.14575  +2.244
       3. worst radius > 16.765           +1.806
       4. always                          -1.695
    training error: at most 0.3125 (measured 0.05624)
    """

    learner: Any = "rules"
    max_conditions: int | None = None
    max_rules: int | None = None
    cv: int | None = 5
    scoring: Any = "accuracy"
    n_iter_no_change: int = 100

    def _make_learner(self) -> Learner:
        if isinstance(self.learner, str) and self.learner == "rules":
            return RuleLearner(self.max_conditions, self.max_rules)
        refuse_unused(self, "learner", "rules", "max_conditions", "max_rules")
        return super()._make_learner()

    def _combiner_for(self, labels: Labels, combiner: Combiner) -> Combiner:
        return combiner if labels.n_labels == 1 else ColumnByColumn(self.learning_rate)

    def _adapt(self, parts: Parts, examples: LabelledRows, labels: Labels, own: Weighting) -> Parts:
        if labels.n_labels == 1:
            return parts
        smooth = (self._smooth(examples.counted.examples, 1),) * labels.n_labels
        turns = ColumnByColumn(self.learning_rate, self.n_estimators, smooth)
        return replace(parts, learner=ColumnLearner(parts.learner), combiner=turns)

    def _smooth(self, examples: float, n_labels: int) -> float:
        return super()._smooth(2.0 * examples, n_labels)

    def _turns(self, n_labels: int) -> int:
        return n_labels

    @property
    def _shown(self) -> Ensemble:
        return merged_rules(self.model_)


__all__ = ["SlipperClassifier"]
