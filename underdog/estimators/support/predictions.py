"""Predictions of a fitted booster: scores, labels, probabilities and rules."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, cast

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from underdog.checks import check_max_display, check_names
from underdog.codes import Labels
from underdog.core import Learner, Loss, not_defined
from underdog.estimators.support import inputs
from underdog.estimators.support.probabilities import if_log_odds
from underdog.estimators.support.readable import Readable
from underdog.files import Savable
from underdog.model import Ensemble, describe, describe_columns, describe_labels, used
from underdog.types import Floats
from underdog.workers import Workers


class Predictions(Savable, Readable, ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Predictions and descriptions of an additive model."""

    n_jobs: int | None
    n_features_in_: int
    model_: Ensemble
    classes_: np.ndarray[Any, Any]
    history_: dict[str, Floats]
    stop_reason_: str
    n_iter_: int
    converged_: bool
    certificate_: dict[str, Any]
    _labels: Labels
    _link: Loss
    _log_class_weight: Floats
    _log_odds_shift: float | None

    def _make_learner(self) -> Learner:
        raise not_defined(self, "_make_learner")

    def _make_loss(self) -> Loss:
        raise not_defined(self, "_make_loss")

    def _check_fitted(self) -> None:
        if not hasattr(self, "model_"):  # scikit-learn's own check takes longer than a prediction
            check_is_fitted(self, "model_")

    def _scores(self, X: Any) -> Floats:
        self._check_fitted()
        table = inputs.prediction_table(self, X)
        with Workers(self.n_jobs) as workers:
            return self.model_.scores(table, workers)

    def _staged_scores(self, X: Any) -> Iterator[Floats]:
        self._check_fitted()
        return self.model_.staged(inputs.prediction_table(self, X))

    def _probability(self, scores: Floats) -> Floats:
        scale = cast(float, self._link.probability_scale)
        shift = cast(float, self._log_odds_shift)
        return self._labels.probability(scores - shift, scale, self._log_class_weight)

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

    @property
    def feature_importances_(self) -> Floats:
        """Share of each column in the improvement by the rules."""
        self._check_fitted()
        gains = self._link.gains(self.history_, self.model_.members)
        return self.model_.importances(gains, self.n_features_in_)

    def describe(
        self,
        max_display: int | None = 20,
        *,
        merged: bool = False,
        by_label: bool = False,
        feature_names: Sequence[str] | None = None,
        label_names: Sequence[str] | None = None,
    ) -> str:
        """The rules as readable text.

        Parameters
        ----------
        max_display : int, optional
            How many rules to show, in the order in which they were found; None for all.
        merged : bool, default=False
            Merge all rules on the same column or term into one entry, and show the entries with
            the largest effect on the score first, at most `max_display` of them.
        by_label : bool, default=False
            List the rules (or merged entries) of each label separately, those with the largest
            effect first, at most `max_display` per label.
        feature_names : sequence of str, optional
            Names of the columns, if the training data had none (such as a matrix of terms).
        label_names : sequence of str, optional
            Names of the labels, if y was an indicator matrix.

        Returns
        -------
        str
        """
        self._check_fitted()
        check_max_display(max_display)
        schema = self.model_.schema
        names = [str(label) for label in self.classes_]
        if label_names is not None:
            names = check_names("label_names", label_names, len(names))
        if feature_names is not None:
            columns = check_names("feature_names", feature_names, schema.n_columns)
            schema = replace(schema, names=tuple(columns))
        if merged:
            rules = describe_columns(self.model_, schema, names, max_display, by_label)
        else:
            listed = describe_labels if by_label else describe
            rules = listed(self.model_, schema, names, max_display)
        head = self._labels.headline(names)
        rounds = len(used(self.model_.members))
        count = "1 rule" if rounds == 1 else f"{rounds} rules"
        return f"{type(self).__name__}: {count}; {head} ({self.stop_reason_})\n{rules}"
