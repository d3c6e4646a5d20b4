"""Out-of-fold scores: each example is scored by a model that was fitted without it."""

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
    """`cv` for scikit-learn, with fewer folds if a class is too small.

    Parameters
    ----------
    cv : int, splitter or iterable of splits
        An int stands for stratified folds without shuffling.
    y : array of labels
    instead : str
        What to do if a class has a single example, for the message.
    """
    splits = hasattr(cv, "split") or isinstance(cv, Iterable)
    if splits and not isinstance(cv, str):
        return cv
    check_integer("cv", cv, 2)
    classes, counts = np.unique(y, return_counts=True)
    label, least = to_python(classes[np.argmin(counts)]), int(counts.min())
    if least < 2:
        raise ValueError(
            f"class {label!r} has a single example, which cannot be in both training and test "
            f"folds: {instead}"
        )
    if least < cv:
        notify(f"class {label!r} has {least} examples: cv={cv} is reduced to {least} folds")
    return min(cv, least)


def scoring_method(estimator: Any) -> str:
    """Name of the method that returns scores."""
    for name in ("decision_function", "predict_proba"):
        if hasattr(estimator, name):
            return name
    raise ValueError(
        f"{type(estimator).__name__} has neither decision_function nor predict_proba, but a "
        "threshold needs scores: use an estimator that has one of them"
    )


def positive_scores(estimator: Any, answers: Floats, positive: int) -> Floats:
    """(n,) scores of the positive class."""
    scores = answers[:, positive] if answers.ndim == 2 else (2 * positive - 1) * answers
    scores = scores.astype(np.float64)  # midpoints of neighbours need more than single precision
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
    """(n,) out-of-fold `positive_scores`."""
    method = scoring_method(estimator)
    classes, numbers = np.unique(y, return_inverse=True)
    encoded = LabelEncoded(estimator, classes, tuple(params))
    answers = cross_val_predict(
        encoded, X, numbers, cv=cv, method=method, n_jobs=n_jobs, params=params
    )
    return positive_scores(estimator, answers, positive)
