"""What a model's decisions cost, as scikit-learn's model selection wants to be told."""

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
    """Minus the mean cost of a model's decisions: the larger, the better.

    For `scoring=` of `GridSearchCV`, `cross_val_score` and the like. The decisions are those of the
    model's own `predict`. A booster decides by the sign of its score, so put one that is to decide
    by expected cost into a `CostSensitiveClassifier`.

    Parameters
    ----------
    costs : Costs
        That all examples share: a scorer is not told which examples it is given.
    pos_label : label, optional
        The positive of two classes, for costs by fn and fp; by default the model's `classes_[1]`.

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
    """See `cost_scorer`; a class, so that it can be pickled for other processes."""

    def __init__(self, costs: Costs, pos_label: Any) -> None:
        if not isinstance(costs, Costs):
            raise TypeError(f"costs={costs!r} must be a Costs, such as Costs(fn=20, fp=1)")
        if costs.n_examples is not None:
            raise ValueError(
                f"{costs!r} are of single examples, but a scorer is not told which examples it is "
                "given: give costs that all examples share, or use underdog.compare"
            )
        costs.check_difference()
        self.costs = costs
        self.pos_label = pos_label

    def __repr__(self) -> str:
        named = "" if self.pos_label is None else f", pos_label={self.pos_label!r}"
        return f"cost_scorer({self.costs!r}{named})"

    def __call__(self, model: Any, X: Any, y: Any, sample_weight: Any = None) -> float:
        y = inputs.checked_target(y)
        if y.ndim != 1:
            raise ValueError("costs are of one class per row, but y is an indicator matrix")
        decided = np.asarray(model.predict(X))
        if decided.ndim != 1:
            raise ValueError(
                f"costs are of one class per row, but predict of {type(model).__name__} answers "
                f"with the shape {decided.shape}: score each label by a model of its own"
            )
        # A class may be missing from the fold that the model has seen, or from the one it is given.
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
