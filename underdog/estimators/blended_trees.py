"""Boosted trees with random cuts, blended with a linear model."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from underdog.estimators.gradient_boosting import GradientBoostingClassifier
from underdog.estimators.support.blended import Blended


@dataclass(kw_only=True, eq=False, repr=False)
class BlendedTreesClassifier(Blended, GradientBoostingClassifier):
    r"""Boosted trees with random cuts and a linear model, blended on left-out rows.

    The score is :math:`(1 - w) f(x) + w g(x)`. The trees f minimise the log loss by Newton steps,
    as in `GradientBoostingClassifier`. The linear model g minimises the mean log loss plus
    :math:`|c|^2 / (2 C m)`, where c are its weights and m is the number of examples. If there are
    words (see below), g minimises `ModifiedHuber` instead, and Platt's method turns its margins
    into log-odds.

    Three numbers are chosen by the log loss of left-out rows, where each row is scored by models
    that have not seen its fold: the number of rounds, C (0.003, 0.03, 0.3 or 3; 0.5 with words) and
    w (0, 0.1, ..., 0.9). Then f and g are fitted on all rows.

    A tree splits a node by the best of one random cut per column, and chooses it by rows with
    random weights. Such a tree is worse than one with the best cuts, but the sum of many varies
    less from one sample of rows to another.

    The linear model sees numbers, standardised, rounded to at most 63 values and at most four
    standard deviations from the mean; an indicator for each level of a category, and for missing
    values; and words. Words are columns with one value besides zero, which at most a quarter of the
    rows have, if there are 50 such columns or more. A word counts by its inverse document
    frequency, divided by the length of the document.

    Parameters
    ----------
    n_estimators : int, default=1000
        The most rounds. 0 is a linear model without trees, whose penalty is chosen on left-out
        rows.
        Maximum number of rounds.
    learning_rate : float, default=0.05
    max_depth : int, optional, default=4
    l2_regularization : float, default=1.0
    cuts : {"all", "random"}, default="random"
    bootstrap : bool, default=True
        See `TreeLearner`.
    linear : bool, default=True
        Whether to blend the trees with a linear model. There is none with `monotonic_cst`.
    alternatives : list of dict, default=()
        Other parameters of the trees to try, such as ``[{"cuts": "all", "max_depth": 6}]``. The
        trees with the lowest loss of left-out rows are used. `learning_rate`, `n_estimators`,
        `max_depth`, `max_leaf_nodes`, `min_samples_leaf`, `subsample`, `max_features`, `cuts` and
        `bootstrap` may differ.
    early_stopping : bool, default=True
        Whether rounds and weights are chosen; otherwise all rounds are done, and there is no linear
        model.
    cv : int or None, default=5
        Number of folds. They are drawn by the contents of the rows. With None, only
        `validation_fraction` of the rows is left out, once, unless it has fewer than 50 examples of
        a class.
    validation_fraction : float, default=0.2
    time_budget : float, optional
        Seconds for the whole fit: when three quarters of them are over, no more rounds are tried.
        The model then depends on the speed of the machine. ``blend_["rounds_tried"]`` as
        `n_estimators`, without a budget, gives the same model (without `alternatives`).

    See `GradientBoostingClassifier` for the other parameters. `warm_start` is not supported, and
    `scoring`, `n_iter_no_change` and `tol` are used only if X_val and y_val are passed to `fit`.
    Then the number of rounds is chosen on these rows, and there is no linear model.

    Attributes
    ----------
    blend_ : dict
        rounds, rounds_tried, weight (w), strength (C), trees: the alternative that was chosen, or
        an empty dictionary, and left_out_loss: the mean log loss of left-out rows of the blend, of
        the trees alone, of the linear model alone, and of the best blend with other trees. Empty
        if no row was left out.
    left_out_scores_ : (n, K) array or None
        Scores of the training rows by models that have not seen them, NaN for rows that were never
        left out. Rows of weight 0 have none. They are not saved.

    See `AdaBoostClassifier` for the other attributes. `n_iter_`, `history_` and `certificate_` are
    those of the trees.

    References
    ----------
    Friedman, "Greedy function approximation: a gradient boosting machine", Annals of Statistics 29,
    2001. Geurts, Ernst and Wehenkel, "Extremely randomized trees", Machine Learning 63, 2006
    (random cuts). Rubin, "The Bayesian bootstrap", Annals of Statistics 9, 1981 (random weights).
    Wolpert, "Stacked generalization", Neural Networks 5, 1992 (left-out scores).

    Differs from the papers: in extremely randomised trees a cut is uniform between the smallest and
    the largest value of the node; here all bins of the column are equally likely. The weight w is
    one of ten, not found by another learner as in stacking.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from underdog import BlendedTreesClassifier
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> model = BlendedTreesClassifier(n_estimators=50, cv=3).fit(X, y)
    >>> model.blend_["rounds"], model.blend_["weight"]
    (50, 0.7)
    """

    _learns: ClassVar[dict[str, Any]] = Blended._learns | GradientBoostingClassifier._learns

    def _check_parameters(self) -> None:
        super()._check_parameters()
        if self._is_informed:
            raise ValueError(
                "BlendedTreesClassifier takes no prior_knowledge: use GradientBoostingClassifier, "
                "LogitBoostClassifier or LogisticAdaBoostClassifier"
            )
