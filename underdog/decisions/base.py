"""The base class of classifiers that predict from the scores of another classifier."""

from __future__ import annotations

from copy import copy
from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, MetaEstimatorMixin
from sklearn.utils import get_tags
from sklearn.utils.validation import check_consistent_length, check_is_fitted

from underdog.checks import check_integer, to_python
from underdog.codes import Labels, choose_code
from underdog.codes.binary import BinaryLabels
from underdog.codes.one_of_k import OneOfKLabels
from underdog.decisions.rows import FitRows
from underdog.estimators.adaboost import AdaBoostClassifier
from underdog.estimators.support import inputs
from underdog.estimators.support.population import PriorShift, shares_of
from underdog.files import Fields, Parameters, Savable


class Decider(PriorShift, Savable, ClassifierMixin, MetaEstimatorMixin, BaseEstimator):  # type: ignore[misc]
    """A classifier around another one, by default AdaBoost."""

    estimator: Any
    pos_label: Any
    n_jobs: int | None
    estimator_: Any
    classes_: np.ndarray[Any, Any]
    _labels: Labels

    def _make_estimator(self) -> Any:
        return AdaBoostClassifier() if self.estimator is None else self.estimator

    def _check_estimator(self) -> Any:
        estimator = self._make_estimator()
        if isinstance(estimator, type) or not hasattr(estimator, "fit"):
            raise ValueError(
                f"estimator={estimator!r} must be a classifier object with a fit method"
            )
        inputs.refuse_regressor(
            estimator,
            f"{type(self).__name__} needs a classifier. If predictions that are too low cost c "
            "times as much as those that are too high, use GradientBoostingRegressor with "
            "loss='quantile' and quantiles=c / (c + 1)",
        )
        if self.n_jobs is not None:
            check_integer("n_jobs", self.n_jobs, -(2**31))
        return estimator

    def _check_rows(self, X: Any, y: Any, sample_weight: Any, params: dict[str, Any]) -> FitRows:
        """The rows with a weight above 0; sets the classes."""
        y = inputs.checked_labels(y)
        if y.ndim != 1:
            raise ValueError(
                f"{type(self).__name__} predicts one class per row, but y is an indicator matrix: "
                "use one classifier per label"
            )
        check_consistent_length(X, y)
        if len(y) == 0:
            raise ValueError("Found array with 0 sample(s), while a minimum of 1 is required.")
        rows = FitRows.from_arguments(X, y, sample_weight, params)
        self._labels = choose_code(rows.y, self.pos_label).fit(rows.y)
        self.classes_ = self._labels.classes
        self.class_prior_ = shares_of(self._labels, rows.y, rows.weights, None)
        self.prevalence_ = None
        return rows

    def _check_new_rows(self, X: Any, y: Any, sample_weight: Any) -> FitRows:
        """New rows with a weight above 0 that have every class."""
        self._check_fitted()
        y = inputs.checked_labels(y)
        self._labels.check(y, "y")
        rows = FitRows.from_arguments(X, y, sample_weight, {})
        missing = np.setdiff1d(self.classes_, rows.y)
        if len(missing):
            raise ValueError(
                f"no row has the class {to_python(missing[0])!r}, so its probability cannot be "
                "calibrated: give rows of every class"
            )
        self.class_prior_ = shares_of(self._labels, rows.y, rows.weights, None)
        self.prevalence_ = None
        return rows

    def _check_shift(self) -> None:
        self._check_fitted()
        if not hasattr(self, "predict_proba"):
            raise ValueError(
                f"{type(self).__name__} has no probabilities, which a prevalence could change"
            )

    @property
    def _positive(self) -> int:
        """Index of the positive class in `classes_`; 1 if there are more than two classes."""
        return getattr(self._labels, "positive", 1)

    def deciding(self, scorer: Any) -> Self:
        """A copy that predicts from the scores of another fitted classifier of the same classes."""
        made = copy(self)
        made.estimator_ = scorer
        return made

    def _check_fitted(self) -> None:
        check_is_fitted(self, "estimator_")

    @property
    def n_features_in_(self) -> int:
        """Number of columns of the training data."""
        count: int = self.estimator_.n_features_in_
        return count

    @property
    def feature_names_in_(self) -> np.ndarray[Any, Any]:
        """Names of the columns of the training data, if there were any."""
        names: np.ndarray[Any, Any] = self.estimator_.feature_names_in_
        return names

    def _to_file(self) -> dict[str, Any]:
        parameters = {"parameters": Parameters.from_estimator(self)}
        return parameters | self._learned() if hasattr(self, "estimator_") else parameters

    def _learned(self) -> dict[str, Any]:
        """The learned state, for a file."""
        return {"labels": self._labels, "estimator": self.estimator_, **self._shares_to_file()}

    @classmethod
    def _from_file(cls, fields: Fields) -> Any:
        made = cls(**fields.parameters(cls))
        if "estimator" in fields:
            made._restore(fields)
        return made

    def _restore(self, fields: Fields) -> None:
        """Restore from a file what `_learned` returned."""
        self._labels = fields.one_of("labels", BinaryLabels, OneOfKLabels)
        self.classes_ = self._labels.classes
        if isinstance(self._labels, BinaryLabels) != (len(self.classes_) == 2):
            raise fields.wrong("labels", "of two classes must be BinaryLabels")
        self._restore_shares(fields)
        self.estimator_ = fields.get("estimator")
        check_is_fitted(self.estimator_)
        if not np.array_equal(self.estimator_.classes_, self.classes_):
            raise fields.wrong("estimator", "has other classes than the labels")
        self._check_estimator()

    def __sklearn_tags__(self) -> Any:
        tags, inner = super().__sklearn_tags__(), get_tags(self._make_estimator())
        tags.input_tags = inner.input_tags
        if inner.classifier_tags is not None:
            tags.classifier_tags.multi_class = inner.classifier_tags.multi_class
        return tags
