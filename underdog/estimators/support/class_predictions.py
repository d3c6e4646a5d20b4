"""Predictions of a fitted classifier: labels, probabilities and decision values."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, cast

import numpy as np
from sklearn.base import ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from underdog.codes import Labels
from underdog.estimators.support.predictions import Predictions
from underdog.estimators.support.probabilities import if_log_odds
from underdog.estimators.support.readable import ClassRule
from underdog.types import Floats


class ClassPredictions(ClassifierMixin, Predictions):  # type: ignore[misc]
    """Labels and probabilities from the scores of an additive model."""

    classes_: np.ndarray[Any, Any]
    _rule = ClassRule
    _labels: Labels
    _log_class_weight: Floats
    _log_odds_shift: float | None

    def _probability(self, scores: Floats) -> Floats:
        scale = cast(float, self._link.probability_scale)
        shift = cast(float, self._log_odds_shift)
        return self._labels.probability(scores - shift, scale, self._log_class_weight)

    @property
    def estimator_errors_(self) -> Floats:
        """The weighted error of each rule in its round: (1 - edge) / 2.

        With several classes or labels it is the error over all pairs of an example and a label. It
        is NaN for rules that do not vote -1 or +1. If no rule votes, there is no such attribute.
        """
        check_is_fitted(self, "model_")
        members = self.model_.members
        votes = [bool((np.abs(member.hypothesis.values) == 1.0).all()) for member in members]
        if not any(votes):
            raise AttributeError(
                f"{type(self).__name__} has no estimator_errors_: its rules have real values, not "
                "votes of -1 or +1. Fit it with a learner that votes, such as 'discrete', or use "
                "history_['edge']"
            )
        return np.where(votes, (1.0 - self.history_["edge"][: len(members)]) / 2.0, np.nan)

    def decision_function(self, X: Any) -> Floats:
        """Scores: (n,) for two classes, positive for `classes_[1]`; otherwise a column per class.

        Parameters
        ----------
        X : array, sparse matrix, data frame or Table of shape (n, d)
        """
        scores = self._scores(X)
        return self._labels.decision(scores)

    def predict(self, X: Any) -> Any:
        """The class with the highest score; in multilabel problems, the labels above 0.

        Parameters
        ----------
        X : array, sparse matrix, data frame or Table of shape (n, d)
        """
        scores = self._scores(X)
        return self._labels.predict(scores)

    @if_log_odds
    def predict_proba(self, X: Any) -> Floats:
        """Probabilities by the link of the loss, corrected for class weights and costs.

        Parameters
        ----------
        X : array, sparse matrix, data frame or Table of shape (n, d)
        """
        return self._probability(self._scores(X))

    @if_log_odds
    def predict_log_proba(self, X: Any) -> Floats:
        """Logarithm of `predict_proba`."""
        with np.errstate(divide="ignore"):
            result: Floats = np.log(self.predict_proba(X))
        return result

    def staged_decision_function(self, X: Any) -> Iterator[Floats]:
        """`decision_function` after each round."""
        return (self._labels.decision(scores) for scores in self._staged_scores(X))

    def staged_predict(self, X: Any) -> Iterator[Any]:
        """`predict` after each round."""
        return (self._labels.predict(scores) for scores in self._staged_scores(X))

    @if_log_odds
    def staged_predict_proba(self, X: Any) -> Iterator[Floats]:
        """`predict_proba` after each round."""
        return (self._probability(scores) for scores in self._staged_scores(X))
