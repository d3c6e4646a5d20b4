"""Predictions of a fitted regressor."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

import numpy as np
from sklearn.base import RegressorMixin

from underdog.codes.real_values import RealLabels
from underdog.estimators.support.lazy import from_scores
from underdog.estimators.support.predictions import Predictions
from underdog.estimators.support.readable import RealRule
from underdog.types import Floats


class RealPredictions(RegressorMixin, Predictions):  # type: ignore[misc]
    """Numbers from the scores of an additive model."""

    _rule: ClassVar[type[Any]] = RealRule
    _labels: RealLabels

    def predict(self, X: Any) -> Floats:
        """Predictions, (n,); (n, K) for several quantiles, sorted in each row.

        Parameters
        ----------
        X : array, sparse matrix, data frame or Table of shape (n, d)
        """
        self._check_fitted()
        result: Floats = from_scores(self, X, self._labels.predict)
        return result

    def staged_predict(self, X: Any) -> Iterator[Floats]:
        """`predict` after each round."""
        return (self._labels.predict(scores) for scores in self._staged_scores(X))

    def crossing(self, X: Any) -> float:
        """Share of the rows whose quantiles cross before `predict` sorts them.

        Parameters
        ----------
        X : array, sparse matrix, data frame or Table of shape (n, d)
        """
        scores = self._scores(X)
        return float((np.diff(scores, axis=1) < 0.0).any(axis=1).mean())
