"""Fitted models in another population, also inside of a pipeline."""

from __future__ import annotations

from copy import copy
from typing import Any

from sklearn.pipeline import Pipeline


def with_prevalence(model: Any, prevalence: Any, *, training_prevalence: Any = None) -> Any:
    """A copy of a fitted model for data in which classes have other shares than in training.

    Probabilities are corrected (prior shift), and predictions by costs and thresholds follow. The
    model is not fitted again, and its scores stay the same.

    Parameters
    ----------
    model : fitted classifier of this library, or Pipeline that ends with one
    prevalence : float, or mapping of classes to floats
        The share of the positive class where the model is used, or that of several classes. Classes
        that are not named have the rest, in the proportions of the training data.
    training_prevalence : optional
        The shares in the training data, if they are not those of the rows of `fit`.

    Returns
    -------
    model : of the same class

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from underdog import AdaBoostClassifier, with_prevalence
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> model = AdaBoostClassifier(n_estimators=20, pos_label=0).fit(X[::2], y[::2])
    >>> rare = with_prevalence(model, 0.01)  # 1% malignant
    >>> [round(float(each.predict_proba(X[40:41])[0, 0]), 3) for each in (model, rare)]
    [0.994, 0.753]
    """
    if isinstance(model, Pipeline):
        last = with_prevalence(model[-1], prevalence, training_prevalence=training_prevalence)
        return _with_last(model, last)
    if not hasattr(model, "with_prevalence"):
        raise TypeError(_refused(model, "with_prevalence"))
    return model.with_prevalence(prevalence, training_prevalence=training_prevalence)


def recalibrate(model: Any, X: Any, y: Any, sample_weight: Any = None) -> Any:
    """A copy of a fitted model with probabilities that are calibrated on new rows.

    The model is not fitted again: rules, scores and thresholds stay the same. The probabilities of
    a score are learned anew (Platt's method).

    Parameters
    ----------
    model : fitted classifier of this library, or Pipeline that ends with one
    X : input of the model
        Rows that it was not trained on: on the training rows scores are too confident.
    y : array of shape (n,), or an indicator matrix for a multilabel problem
    sample_weight : array of shape (n,), optional

    Returns
    -------
    model : of the same class

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from underdog import AdaBoostClassifier, recalibrate
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> model = AdaBoostClassifier(n_estimators=200).fit(X[::2], y[::2])
    >>> again = recalibrate(model, X[1::2], y[1::2])
    >>> [round(float(each.predict_proba(X[1::2]).max(axis=1).mean()), 3) for each in (model, again)]
    [0.999, 0.943]
    """
    if isinstance(model, Pipeline):
        last = recalibrate(model[-1], model[:-1].transform(X), y, sample_weight)
        return _with_last(model, last)
    if not hasattr(model, "recalibrate"):
        raise TypeError(_refused(model, "recalibrate"))
    return copy(model).recalibrate(X, y, sample_weight)


def _with_last(model: Pipeline, last: Any) -> Pipeline:
    """A copy of a pipeline that ends with another model."""
    made = copy(model)
    made.steps = [*model.steps[:-1], (model.steps[-1][0], last)]
    return made


def _refused(model: Any, name: str) -> str:
    return (
        f"{type(model).__name__} has no {name}: give a classifier of underdog, or a Pipeline that "
        "ends with one"
    )
