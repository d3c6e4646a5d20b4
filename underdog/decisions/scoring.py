"""A scorer for the mean cost of predictions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from sklearn.utils.validation import check_consistent_length

from underdog.codes import choose_code
from underdog.costs import Costs
from underdog.estimators.support import inputs
from underdog.estimators.support.weights import relative_weight

Scorer = Callable[..., float]


def cost_scorer(costs: Costs, *, pos_label: Any = None) -> Scorer:
    """Make a scorer that returns minus the mean cost of a model's predictions.

    For `scoring=` of `GridSearchCV`, `cross_val_score` and similar functions. The predictions are
    those of the model's `predict`. A booster predicts by the sign of its score; to predict by
    expected cost wrap it in a `CostSensitiveClassifier`.

    Parameters
    ----------
    costs : Costs
        The same for all examples, because a scorer does not know the indices of its rows.
    pos_label : label, optional
        The positive class for Costs(fn, fp); by default `classes_[1]` of the model.

    Returns
    -------
    scorer : callable
        scorer(model, X, y, sample_weight=None) -> float

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.model_selection import GridSearchCV
    >>> from underdog import AdaBoostClassifier, Costs, cost_scorer
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> costs = Costs(fn=20, fp=1)
    >>> booster = AdaBoostClassifier(pos_label=0, n_estimators=20)
    >>> grid, scorer = {"costs": [None, costs]}, cost_scorer(costs, pos_label=0)
    >>> GridSearchCV(booster, grid, scoring=scorer).fit(X, y).best_params_
    {'costs': Costs(fn=20, fp=1)}
    """
    return CostScorer(costs, pos_label)


class CostScorer:
    """The scorer of `cost_scorer`; a class, so that it can be pickled."""

    def __init__(self, costs: Costs, pos_label: Any) -> None:
        if not isinstance(costs, Costs):
            raise TypeError(f"costs={costs!r} must be a Costs object, such as Costs(fn=20, fp=1)")
        if costs.n_examples is not None:
            raise ValueError(
                f"{costs!r} are costs per example, but a scorer does not know the indices of its "
                "rows: give the same costs for all examples, or use underdog.compare"
            )
        costs.check_difference()
        self.costs = costs
        self.pos_label = pos_label

    def __repr__(self) -> str:
        named = "" if self.pos_label is None else f", pos_label={self.pos_label!r}"
        return f"cost_scorer({self.costs!r}{named})"

    def __call__(self, model: Any, X: Any, y: Any, sample_weight: Any = None) -> float:
        inputs.refuse_regressor(
            model,
            "Costs are for wrong classes. Use a scorer of numbers, such as "
            "'neg_mean_absolute_error', or sklearn.metrics.mean_pinball_loss with make_scorer",
        )
        y = inputs.checked_labels(y)
        if y.ndim != 1:
            raise ValueError(
                "y is an indicator matrix, but costs are for one class per row: score each label "
                "separately"
            )
        decided = np.asarray(model.predict(X))
        if decided.ndim != 1:
            raise ValueError(
                f"predict of {type(model).__name__} returns the shape {decided.shape}, but costs "
                "are for one class per row: use one model per label"
            )
        # A class may be missing from the training fold or from the test fold.
        classes = np.union1d(model.classes_, y)
        labels = choose_code(classes, self.pos_label).fit(classes)
        check_consistent_length(decided, y)
        weights = np.ones(len(y))
        if sample_weight is not None:
            weights = relative_weight("sample_weight", sample_weight, len(y))
        each = self.costs.each(
            np.searchsorted(classes, y),
            np.searchsorted(classes, decided),
            classes,
            getattr(labels, "positive", 1),
        )
        return -float(np.average(each, weights=weights))
