"""AdaBoost.MR: labels in order."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from underdog.codes import Code, Ranked
from underdog.estimators.support.label_ranking import RankingBooster
from underdog.estimators.support.weights import Counted
from underdog.losses.label_ranking import NO_PAIR
from underdog.workers.collective import ALONE, Collective


@dataclass(kw_only=True, eq=False, repr=False)
class AdaBoostMRClassifier(RankingBooster):
    r"""AdaBoost.MR: the labels that a row has above those that it has not.

    Minimises :math:`\sum_i w_i \frac{1}{|Y_i| |\bar Y_i|} \sum_{l_0 \notin Y_i, l_1 \in Y_i}
    \exp(\frac12 (f_{l_0}(x_i) - f_{l_1}(x_i)))`, a bound on the ranking loss: of the pairs of a
    label that a row has and one that it has not, the share in the wrong order, as the mean over the
    rows. A tie is wrong. The learner sees the weight d(i, l) of the pairs that a label is in; its
    rules are those of AdaBoost.MH under these weights. The ranking loss is at most :math:`\prod_t
    Z_t`. With one class per row, so is the share of wrong predictions divided by K - 1.

    y is a vector of classes, or an indicator matrix if a row may have several labels. Rows with all
    labels or none have no pair: they are left out, as if their weight were 0. With two classes
    there is one pair per row, and the model is that of binary AdaBoost.

    Scores put the labels of a row in order. They are not log-odds, so there is no `predict_proba`
    before `recalibrate`.

    Parameters
    ----------
    learner : default="real"
        See `AdaBoostClassifier`, also for the parameters and attributes not listed here. A
        scikit-learn classifier is cloned for every label in every round.
    cut : float, default=0.0
        With an indicator matrix, `predict` gives the labels with scores above `cut`. The rules
        weigh what a row has and what it has not equally, so that 0 is between the two.
        `decision_function` is the score minus the cut.
    costs : Costs, optional
        Costs of mistakes. With one class per row they become the weights of the rows. With an
        indicator matrix, a pair in the wrong order costs :math:`\sqrt{c(l_0) c(l_1)}`, where
        :math:`c(l_0)` is the cost of a false positive and :math:`c(l_1)` of a false negative.

    Attributes
    ----------
    certificate_ : dict
        ranking_bound and ranking_loss: the proved bound on the ranking loss of the training rows,
        and this loss. bound and training_error: the same for wrong predictions, if there is one
        class per row; otherwise the same numbers again.

    References
    ----------
    Schapire and Singer, "Improved boosting algorithms using confidence-rated predictions", Machine
    Learning 37, 1999, section 8 and figure 6. Schapire and Singer, "BoosTexter", Machine Learning
    39, 2000, section 3.2.

    Differs from the paper: rules with real values (`learner="real"`) minimise a bound on Z, by
    convexity; figure 6 has one coefficient for values in [-1, 1], as with `learner="discrete"`.
    Smoothing, ties and rounding are as in `AdaBoostClassifier`.

    Examples
    --------
    >>> import numpy as np
    >>> from underdog import AdaBoostMRClassifier
    >>> X = np.array([[0.0, 1.0], [1.0, 1.0], [1.0, 0.0], [0.0, 0.0]])
    >>> Y = np.array([[0, 1, 0], [1, 1, 0], [1, 0, 0], [0, 0, 1]])
    >>> model = AdaBoostMRClassifier(n_estimators=8).fit(X, Y)
    >>> model.predict(X).tolist()
    [[0, 1, 0], [1, 1, 0], [1, 0, 0], [0, 0, 1]]
    >>> model.predict_ranking(X)[:, 0].tolist()
    [1, 1, 0, 2]
    """

    cut: float = 0.0

    def _make_code(self, y: Any) -> Code:
        code = super()._make_code(y)
        return Ranked(self.cut) if y.ndim == 2 else code

    def _count_examples(
        self, sample_weight: Any, y: Any, collective: Collective = ALONE
    ) -> Counted:
        counted = super()._count_examples(sample_weight, y, collective)
        if y.ndim == 1:
            return counted
        ranked = (y.min(axis=1) == 0) & (y.max(axis=1) == 1)
        if not ranked[counted.kept].any():
            raise ValueError(NO_PAIR)
        weight = np.ones(len(y)) if sample_weight is None else np.asarray(sample_weight)
        return super()._count_examples(np.where(ranked, weight, 0), y, collective)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags = replace(tags.classifier_tags, multi_label=True)
        tags.target_tags = replace(tags.target_tags, two_d_labels=False, multi_output=True)
        return tags
