"""Predictions of a fitted classifier: labels, probabilities and decision values."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar, cast

import numpy as np
from sklearn.base import ClassifierMixin
from sklearn.utils.validation import check_consistent_length, check_is_fitted

from underdog.checks import notify
from underdog.codes import Labels
from underdog.codes.base import join_names
from underdog.codes.binary import BinaryLabels
from underdog.codes.calibration import Calibration, fit_calibration, levelled
from underdog.codes.multi_label import MultiLabels
from underdog.codes.one_of_k import OneOfKLabels
from underdog.estimators.support import inputs
from underdog.estimators.support.lazy import from_scores
from underdog.estimators.support.population import PriorShift, shares_of
from underdog.estimators.support.predictions import Predictions
from underdog.estimators.support.probabilities import if_log_odds
from underdog.estimators.support.readable import ClassRule
from underdog.estimators.support.weights import count_examples
from underdog.model.writing import counted as counted_text
from underdog.types import Codes, Floats


class ClassPredictions(PriorShift, ClassifierMixin, Predictions):  # type: ignore[misc]
    """Labels and probabilities from the scores of an additive model."""

    calibration_: Calibration | None = None
    """How scores become probabilities after `recalibrate`."""

    classes_: np.ndarray[Any, Any]
    _is_coded: ClassVar[bool] = False
    """Whether scores are those of the columns of an output code."""
    _rule = ClassRule
    _labels: Labels
    _log_class_weight: Floats
    _log_odds_shift: float | None

    def _probability(self, scores: Floats) -> Floats:
        labels = self._labels
        if self.calibration_ is not None:
            own = labels.calibrated(self.calibration_.apply(labels.margins(scores)))
        else:
            scale = cast(float, self._link.probability_scale)
            shift = cast(float, self._log_odds_shift)
            own = labels.probability(scores - shift, scale, self._log_class_weight)
        return self._shifted(own)

    def _decide(self, scores: Floats) -> Any:
        """Predicted labels; those of another prevalence by log-odds that have moved as much."""
        labels = self._labels
        if self.prevalence_ is None:
            return labels.predict(scores)
        if self.calibration_ is not None:
            own = labels.calibrated(self.calibration_.slopes * labels.margins(scores))
        else:
            scale = cast(float, self._link.probability_scale)
            own = labels.probability(scores, scale, np.zeros_like(self._log_class_weight))
        return labels.most_probable(self._shifted(own))

    def _check_shift(self) -> None:
        self._check_fitted()
        if not hasattr(self, "predict_proba"):
            raise ValueError(
                f"{type(self).__name__} has no probabilities, which a prevalence could change: "
                "recalibrate it first"
            )

    def recalibrate(self, X: Any, y: Any, sample_weight: Any = None) -> Any:
        """Learn from new rows how scores become probabilities; rules and scores stay the same.

        `predict_proba` is then sigmoid(slope score + intercept), a line for each class or label
        (Platt's method; of several classes the results are normalised to sum to 1). `predict` does
        not change: it depends on scores. Also gives probabilities to boosters that have none. The
        rows should be new: on the training rows scores are too confident.

        Parameters
        ----------
        X : array, sparse matrix, data frame or Table of shape (n, d)
        y : array of shape (n,), or an indicator matrix for a multilabel problem
            Every class must occur; of several labels, each must be present and absent.
        sample_weight : array of shape (n,), optional

        Returns
        -------
        self
        """
        self._check_fitted()
        y = inputs.checked_labels(y)
        self._labels.check(y, "y")
        scores = self._labels.margins(self._scores(X))
        check_consistent_length(scores, y)
        counted = count_examples(sample_weight, len(y))
        y, sign = y[counted.kept], self._labels.indicator(y[counted.kept])
        _check_both(self._labels, sign)
        weights = counted.weights()
        scores = scores[counted.kept]
        own = fit_calibration(scores, sign, weights)
        if isinstance(self._labels, OneOfKLabels):
            own = levelled(own, scores, sign, weights, self._labels.calibrated)
        self.calibration_ = own
        self.class_prior_ = shares_of(self._labels, y, weights, None)
        self.prevalence_ = None
        names = self._labels.names if len(sign.T) > 1 else ["the classes"]
        flat = [names[place] for place in np.flatnonzero(self.calibration_.slopes == 0)]
        if flat:
            notify(
                f"the scores do not separate {flat[0]!r} in these rows: its probability is its "
                "share for every row"
            )
        return self

    def _notes(self) -> list[str]:
        notes = []
        if (own := self.calibration_) is not None:
            how = f"recalibrated on {counted_text(own.rows, 'row')}"
            if len(own.slopes) == 1:
                line = f"{own.slopes[0]:.4g} score {own.intercepts[0]:+.4g}"
                how += f": 1 / (1 + exp(-({line})))"
            notes.append(f"probabilities are {how}")
        if self.prevalence_ is not None and self.class_prior_ is not None:
            shares = [
                f"{name} {new:.3g} (training {old:.3g})"
                for name, new, old in zip(
                    self._labels.names, self.prevalence_, self.class_prior_, strict=True
                )
            ]
            notes.append(f"probabilities are for these shares: {join_names(shares)}")
        return notes

    @property
    def estimator_errors_(self) -> Floats:
        """The weighted error of each rule in its round: (1 - edge) / 2.

        With several classes or labels it is the error over all pairs of an example and a label. It
        is NaN for rules that do not vote -1 or +1. If no rule votes, there is no such attribute.
        """
        check_is_fitted(self, "model_")
        members = self.model_.members
        if self.edits_:
            raise AttributeError("an edited model has no estimator_errors_: no round measured it")
        votes = [bool((np.abs(member.hypothesis.values) == 1.0).all()) for member in members]
        if not any(votes):
            raise AttributeError(
                f"{type(self).__name__} has no estimator_errors_: its rules have real values, not "
                "votes of -1 or +1. Fit it with a learner that votes, such as 'discrete', or use "
                "history_['edge']"
            )
        known, edges = np.full(self.model_.n_known, np.nan), self.history_["edge"]
        errors = np.concatenate([known, (1.0 - edges[: len(self.model_.found)]) / 2.0])
        return np.where(votes, errors, np.nan)

    def decision_function(self, X: Any) -> Floats:
        """Scores: (n,) for two classes, positive for `classes_[1]`; otherwise a column per class.

        Parameters
        ----------
        X : array, sparse matrix, data frame or Table of shape (n, d)
        """
        self._check_fitted()
        result: Floats = from_scores(self, X, self._labels.decision)
        return result

    def predict(self, X: Any) -> Any:
        """The class with the highest score; in multilabel problems, the labels above 0.

        Parameters
        ----------
        X : array, sparse matrix, data frame or Table of shape (n, d)
        """
        return from_scores(self, X, self._decide)

    @if_log_odds
    def predict_proba(self, X: Any) -> Floats:
        """Probabilities by the link of the loss, corrected for class weights and costs.

        Parameters
        ----------
        X : array, sparse matrix, data frame or Table of shape (n, d)
        """
        result: Floats = from_scores(self, X, self._probability)
        return result

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
        return (self._decide(scores) for scores in self._staged_scores(X))

    @if_log_odds
    def staged_predict_proba(self, X: Any) -> Iterator[Floats]:
        """`predict_proba` after each round."""
        return (self._probability(scores) for scores in self._staged_scores(X))


def _check_both(labels: Labels, sign: Codes) -> None:
    """Refuse rows in which a class does not occur, or a label is always or never present."""
    positives = sign.sum(axis=0)
    for place in np.flatnonzero((positives == 0) | (positives == len(sign))).tolist():
        if isinstance(labels, BinaryLabels):
            place = labels.positive if positives[0] == 0 else 1 - labels.positive
        is_missing = isinstance(labels, BinaryLabels) or positives[place] == 0
        noun = "label" if isinstance(labels, MultiLabels) else "class"
        which = "no row has" if is_missing else "every row has"
        raise ValueError(
            f"{which} the {noun} {labels.names[place]!r}, so its probability cannot be "
            "calibrated: give rows with and without it"
        )
