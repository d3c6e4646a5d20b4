"""Scores of examples by models that have not seen them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from sklearn.model_selection import cross_val_predict
from sklearn.utils import assert_all_finite

from underdog.checks import check_integer, notify, to_python
from underdog.decisions.label_encoded import LabelEncoded
from underdog.types import Floats


def folds(cv: Any, y: Any, instead: str) -> Any:
    """`cv` as scikit-learn takes it, with fewer folds where a class is too small for them.

    Parameters
    ----------
    cv : int, splitter or iterable of splits
        Of a number the folds are stratified, without shuffling.
    y : array of labels
    instead : what to do if a class has a single example, for the message
    """
    splits = hasattr(cv, "split") or isinstance(cv, Iterable)
    if splits and not isinstance(cv, str):
        return cv
    check_integer("cv", cv, 2)
    classes, counts = np.unique(y, return_counts=True)
    label, least = to_python(classes[np.argmin(counts)]), int(counts.min())
    if least < 2:
        raise ValueError(
            f"class {label!r} has a single example, which cannot be both learned from and held out"
            f": {instead}"
        )
    if least < cv:
        notify(f"class {label!r} has {least} examples: cv={cv} is reduced to {least} folds")
    return min(cv, least)


def scoring_method(estimator: Any) -> str:
    """The method that gives scores."""
    for name in ("decision_function", "predict_proba"):
        if hasattr(estimator, name):
            return name
    raise ValueError(
        f"{type(estimator).__name__} has neither decision_function nor predict_proba: a threshold "
        "needs scores"
    )


def positive_scores(estimator: Any, answers: Floats, positive: int) -> Floats:
    """(n,) scores that are higher the more an example looks positive."""
    scores = answers[:, positive] if answers.ndim == 2 else (2 * positive - 1) * answers
    scores = scores.astype(np.float64)  # single precision has no room between neighbours
    assert_all_finite(scores, input_name=f"the scores of {type(estimator).__name__}")
    return scores


def out_of_fold_scores(
    estimator: Any,
    X: Any,
    y: Any,
    positive: int,
    *,
    cv: Any,
    n_jobs: int | None,
    params: dict[str, Any],
) -> Floats:
    """(n,) `positive_scores` of each example by a model that was fitted without its fold."""
    method = scoring_method(estimator)
    classes, numbers = np.unique(y, return_inverse=True)
    numbered = LabelEncoded(estimator, classes, tuple(params))
    answers = cross_val_predict(
        numbered, X, numbers, cv=cv, method=method, n_jobs=n_jobs, params=params
    )
    return positive_scores(estimator, answers, positive)
