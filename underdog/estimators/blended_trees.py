"""Boosted trees with random cuts, blended with a linear model."""

from __future__ import annotations

from dataclasses import dataclass

from underdog.estimators.gradient_boosting import GradientBoostingClassifier
from underdog.estimators.support.blended import Blended


@dataclass(kw_only=True, eq=False, repr=False)
class BlendedTreesClassifier(Blended, GradientBoostingClassifier):
    r"""Boosted trees with random cuts and a linear model, blended on left-out rows.

    The score is :math:`(1 - w) f(x) + w g(x)`. Both f and g minimise the log loss: f is a sum of
    trees, as in `GradientBoostingClassifier`, and g is linear, with the penalty :math:`|c|^2 / 2C`
    on its weights c. The number of rounds, C and the weight w are those with the least log loss of
    left-out rows: each row is scored by a model that has not seen its fold. Then the trees and the
    linear model are fitted on all rows.

    Trees split by the best of one random cut per column, chosen by rows with random weights. Single
    trees are worse than those with the best cuts, but their sum varies less with the data: on small
    tables with a rare class it is better.

    The linear model sees standardised numbers, in steps and at most four standard deviations from
    the mean, indicators of levels and of missing values, and, if there are many columns that are
    mostly zero, words with their inverse document frequencies in documents of unit length.

    Parameters
    ----------
    n_estimators : int, default=1000
        Maximum number of rounds.
    learning_rate : float, default=0.05
    max_depth : int, optional, default=4
    l2_regularization : float, default=1.0
    cuts : {"all", "random"}, default="random"
    bootstrap : bool, default=True
        See `TreeLearner`.
    linear : bool, default=True
        Whether to blend the trees with a linear model.
    early_stopping : bool, default=True
        Whether rounds and weights are chosen; otherwise all rounds are done without a linear model.
    cv : int or None, default=5
        Number of folds. They are drawn by the contents of the rows. With None, only
        `validation_fraction` of the rows is left out, once, unless it has fewer than 50 examples of
        a class.
    validation_fraction : float, default=0.2
    time_budget : float, optional
        Seconds for the whole fit: when three quarters of them are over, no more rounds are tried.
        The model then depends on the speed of the machine. ``blend_["rounds_tried"]`` as
        `n_estimators`, without a budget, gives the same model.

    See `GradientBoostingClassifier` for the other parameters; `warm_start` is not supported.

    Attributes
    ----------
    blend_ : dict
        rounds, rounds_tried, weight (w), strength (C), and left_out_loss: the mean log loss of
        left-out rows of the blend, of the trees alone and of the linear model alone. Empty if no
        row could be left out.
    left_out_scores_ : (n, K) array or None
        Scores of the training rows by models that have not seen them, NaN for rows that were never
        left out. Rows of weight 0 have none. They are not saved.

    See `GradientBoostingClassifier` for the other attributes. `history_` and `certificate_` are
    those of the trees.

    References
    ----------
    Friedman, "Greedy function approximation: a gradient boosting machine", Annals of Statistics 29,
    2001. Geurts, Ernst and Wehenkel, "Extremely randomized trees", Machine Learning 63, 2006
    (random cuts). Wolpert, "Stacked generalization", Neural Networks 5, 1992 (left-out scores).

    Differs from the papers: in extremely randomised trees a cut is uniform between the smallest and
    the largest value of the node; here all bins of the column are equally likely.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from underdog import BlendedTreesClassifier
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> model = BlendedTreesClassifier(n_estimators=50, cv=3).fit(X, y)
    >>> model.blend_["rounds"], model.blend_["weight"]
    (50, 0.7)
    """
