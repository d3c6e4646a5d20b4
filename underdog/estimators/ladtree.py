"""LADTree: alternating decision trees for several classes by LogitBoost."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from underdog.estimators.logitboost import LogitBoostClassifier
from underdog.estimators.support.alternating import AlternatingParameters


@dataclass(kw_only=True, eq=False, repr=False)
class LADTreeClassifier(AlternatingParameters, LogitBoostClassifier):
    r"""LADTree: one alternating decision tree for all classes, by the steps of LogitBoost.

    Minimises the log loss of the softmax of K scores. A round adds a test under a prediction node,
    and its two children b have a value for each class: with :math:`G_k = \sum (y^*_k - p_k)` and
    :math:`H_k = \sum p_k (1 - p_k)` over their rows, :math:`f_k = G_k / H_k`, the value is
    :math:`\frac{K-1}{K} (f_k - \bar f)`. The test is the one with the greatest gain over the best
    values of its node, :math:`\sum_b \sum_k G_k^2 / H_k` minus the same sum of the node. Scores
    start at 0.

    Parameters
    ----------
    n_estimators : int, default=20
        Number of tests.
    grow : {"all", "root", "singles"}, default="all"
        Under which prediction nodes tests are added; with "root" this is `LogitBoostClassifier`
        with stumps.
    missing : {"side", "neither"}, default="side"
        Where rows with a missing value in the column of a test go: to the better child, or to
        neither of them.
    learner : default="alternating"
        Any learner of `LogitBoostClassifier`.
    early_stopping : bool, default=False
        True chooses the number of tests, at most `n_estimators`, by 5 folds: give a larger number,
        such as 100, with it.
    cv : int, default=5
        Number of folds. With None a part of the rows is held out instead.
    scoring : str or callable, default="ranking"
        The score that chooses the number of tests. With "loss" it is usually 1 or 2: few held-out
        rows that are wrong with a large score dominate the loss.
    n_iter_no_change : int, default=20
        Number of tests without improvement after which the search ends.

    See `AdaBoostClassifier` for the parameters and attributes that are not listed here, and
    `LogitBoostClassifier` for z_max and `history_`.

    References
    ----------
    Holmes, Pfahringer, Kirkby, Frank and Hall, "Multiclass alternating decision trees", ECML 2002.

    Differs from the paper: missing values go to the better child by default. The bound on working
    responses, and the step that is halved if it would increase the loss, are those of
    `LogitBoostClassifier`.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from underdog import LADTreeClassifier
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> model = LADTreeClassifier(n_estimators=2).fit(X, y)
    >>> print(model.describe())
    LADTreeClassifier: 2 rules; one score per class, the highest wins: 0, 1, 2 (all rounds done)
       1. petal length (cm) <= 2.45
              0  +2.000
              1  -1.000
              2  -1.000
          petal length (cm) > 2.45
              0  -1.000
              1  +0.500
              2  +0.500
            2. petal width (cm) <= 1.75
                   0  -0.584
                   1  +1.390
                   2  -0.805
               petal width (cm) > 1.75
                   0  -0.584
                   1  -0.996
                   2  +1.580
    training error: at most 0.2879 (measured 0.02667)
    """

    _takes_parts: ClassVar[bool] = False
