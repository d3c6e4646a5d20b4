"""Calibration with given out-of-fold scores."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn import config_context
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.calibration import CalibratedClassifierCV

from underdog.decisions.label_encoded import LabelEncoded
from underdog.types import Floats, Integers


class PrecomputedScores(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """A classifier whose input are its scores.

    Parameters
    ----------
    classes : (K,)
        (n,) scores are those of the second of two classes; (n, K) scores have a column per class.
    """

    def __init__(self, classes: Any) -> None:
        self.classes = classes

    @property
    def classes_(self) -> np.ndarray[Any, Any]:
        """The classes."""
        return np.asarray(self.classes)

    def __sklearn_is_fitted__(self) -> bool:
        return True

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> PrecomputedScores:
        """Do nothing."""
        return self

    def decision_function(self, X: Any) -> Floats:
        """The input."""
        return np.asarray(X, dtype=np.float64)

    def predict(self, X: Any) -> Any:
        """The class with the highest score."""
        scores = self.decision_function(X)
        return self.classes_[scores.argmax(axis=1) if scores.ndim == 2 else (scores > 0) * 1]


def calibrated_by_scores(
    fitted: Any, classes: Any, method: str, scores: Floats, numbers: Integers, weights: Any
) -> CalibratedClassifierCV:
    """A fitted estimator, calibrated with its out-of-fold scores.

    Parameters
    ----------
    fitted : classifier
    classes : (K,)
    method : "sigmoid" or "isotonic"
    scores : (n,) or (n, K) out-of-fold scores
    numbers : (n,) indices of the true classes
    weights : (n,), or None
    """
    calibrated = curves_by_scores(len(classes), method, scores, numbers, weights)
    calibrated.calibrated_classifiers_[0].estimator = LabelEncoded.around(fitted, classes)
    return calibrated


def curves_by_scores(
    n_classes: int, method: str, scores: Floats, numbers: Integers, weights: Any
) -> CalibratedClassifierCV:
    """Calibration curves learned from out-of-fold scores, without an estimator."""
    given = PrecomputedScores(np.arange(n_classes))
    # The folds do not matter, because nothing is fitted on them.
    calibrated = CalibratedClassifierCV(given, method=method, cv=2, ensemble=False)
    with config_context(enable_metadata_routing=False):  # the weights are for the curves only
        calibrated.fit(scores, numbers, sample_weight=weights)
    return calibrated
