"""AdaBoost.MH: many labels in one run."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from underdog.estimators.support.base import Booster


@dataclass(kw_only=True, eq=False, repr=False)
class AdaBoostMHClassifier(Booster):
    r"""AdaBoost.MH: K yes/no questions answered by the same weak rules.

    Minimises :math:`\sum_i \sum_k w_i \exp(-Y_{ik} f_k(x_i))`, which bounds the Hamming loss: the
    share of wrong (example, label) pairs is at most :math:`\prod_t Z_t`. One test is chosen for all
    labels in each round; it answers each label with its own block values (`learner="real"`, e =
    1/(m K)) or signs with one coefficient for all (`learner="discrete"`). y is a vector of classes,
    or an indicator matrix when a row may have several labels or none. Two classes make one column,
    and the model is binary AdaBoost.

    Parameters
    ----------
    learner : default="real"
        See `AdaBoostClassifier`, as are the parameters that are not listed here. A scikit-learn
        classifier is cloned once per label column and round, with that column's weights.
    costs : Costs, optional
        With an indicator matrix, what mistakes about each label cost: Costs(fn, fp) for all, or
        `Costs.per_label`. Then :math:`\sum_i \sum_k w_i c(k, Y_{ik}) \exp(-Y_{ik} f_k(x_i))` is
        minimised, with c(k, +1) = fn_k - tp_k and c(k, -1) = fp_k - tn_k; the bound is on the share
        of the cost that falls on wrong pairs. Probabilities are corrected for it.

    References
    ----------
    Schapire and Singer, Machine Learning 37, 1999, section 7 and figure 3. Schapire and Singer,
    "BoosTexter", Machine Learning 39, 2000, sections 3 and 4.

    Examples
    --------
    >>> import numpy as np
    >>> from underdog import AdaBoostMHClassifier
    >>> X = np.array([[0.0, 1.0], [1.0, 1.0], [1.0, 0.0], [0.0, 0.0]])
    >>> Y = np.array([[0, 1], [1, 1], [1, 0], [0, 0]])
    >>> AdaBoostMHClassifier(n_estimators=4).fit(X, Y).predict(X).tolist()
    [[0, 1], [1, 1], [1, 0], [0, 0]]
    """

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags = replace(tags.classifier_tags, multi_label=True)
        tags.target_tags = replace(tags.target_tags, two_d_labels=False, multi_output=True)
        return tags
