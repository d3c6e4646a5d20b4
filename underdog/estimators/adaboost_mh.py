"""AdaBoost.MH: several classes or labels in one model."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, ClassVar

from underdog.estimators.support.classifier import Classifier


@dataclass(kw_only=True, eq=False, repr=False)
class AdaBoostMHClassifier(Classifier):
    r"""AdaBoost.MH: several classes or labels with the same weak rules for all of them.

    Minimises :math:`\sum_i \sum_k w_i \exp(-Y_{ik} f_k(x_i))`, a bound on the Hamming loss: the
    share of wrong (example, label) pairs is at most :math:`\prod_t Z_t`. Each round chooses one
    test for all labels. The rule has its own values for each label (`learner="real"`, e = 1/(m K)),
    or votes for each label with one coefficient for all (`learner="discrete"`).

    y is a vector of classes, or an indicator matrix if a row may have several labels or none. With
    two classes there is one column, and the model is that of binary AdaBoost.

    Parameters
    ----------
    learner : default="real"
        See `AdaBoostClassifier`, also for the parameters and attributes not listed here. A
        scikit-learn classifier is cloned for every label column in every round and fitted with the
        weights of that column.
    costs : Costs, optional
        With an indicator matrix, the costs of mistakes for each label: Costs(fn, fp) for all
        labels, or `Costs.per_label`. Then :math:`\sum_i \sum_k w_i c(k, Y_{ik}) \exp(-Y_{ik}
        f_k(x_i))` is minimised, with c(k, +1) = fn_k - tp_k and c(k, -1) = fp_k - tn_k, and the
        bound holds for the share of the cost on wrong pairs. Probabilities are corrected for the
        costs.

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

    _takes_parts: ClassVar[bool] = True

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags = replace(tags.classifier_tags, multi_label=True)
        tags.target_tags = replace(tags.target_tags, two_d_labels=False, multi_output=True)
        return tags
