"""A classifier with integer labels around one with the original labels."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, MetaEstimatorMixin, clone
from sklearn.utils import get_tags
from sklearn.utils.metadata_routing import MetadataRequest
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import has_fit_parameter

from underdog.types import Floats, Integers


def _has(name: str) -> Any:
    """A condition for methods that exist if the estimator has them; else its error is raised."""

    def check(encoded: LabelEncoded) -> bool:
        getattr(getattr(encoded, "estimator_", encoded.estimator), name)
        return True

    return check


class LabelEncoded(ClassifierMixin, MetaEstimatorMixin, BaseEstimator):  # type: ignore[misc]
    """A classifier whose labels are integers, around one that is fitted with the original labels.

    scikit-learn replaces the labels by integers before it fits models on folds. Without this class
    an estimator would not find the class named in its `pos_label`, `class_weight` or `costs`.

    Parameters
    ----------
    estimator : classifier
    classes : (K,), the original label of each integer
    metadata : names of the other arguments of fit, which are passed to the estimator
    """

    def __init__(self, estimator: Any, classes: Any, metadata: tuple[str, ...] = ()) -> None:
        self.estimator = estimator
        self.classes = classes
        self.metadata = metadata

    @classmethod
    def around(cls, fitted: Any, classes: Any) -> LabelEncoded:
        """Wrap a classifier that is already fitted with the original labels."""
        made = cls(fitted, classes)
        made._keep(fitted)
        return made

    def fit(
        self, X: Any, y: Integers, sample_weight: Any = None, **fit_params: Any
    ) -> LabelEncoded:
        """Fit the estimator with the original labels."""
        if sample_weight is not None:
            if has_fit_parameter(self.estimator, "sample_weight"):
                fit_params["sample_weight"] = sample_weight
            else:
                name = type(self.estimator).__name__
                warnings.warn(f"{name} does not support sample_weight: the weights are only used "
                              "for its calibration", stacklevel=2)  # fmt: skip
        self._keep(clone(self.estimator).fit(X, self.classes[y], **fit_params))
        return self

    def _keep(self, fitted: Any) -> None:
        self.estimator_ = fitted
        self.classes_ = np.searchsorted(self.classes, fitted.classes_)

    @available_if(_has("decision_function"))  # type: ignore[untyped-decorator]
    def decision_function(self, X: Any) -> Floats:
        """Scores of the estimator."""
        scores: Floats = self.estimator_.decision_function(X)
        return scores

    @available_if(_has("predict_proba"))  # type: ignore[untyped-decorator]
    def predict_proba(self, X: Any) -> Floats:
        """Probabilities of the estimator."""
        probabilities: Floats = self.estimator_.predict_proba(X)
        return probabilities

    def predict(self, X: Any) -> Integers:
        """Predicted labels as integers."""
        numbers: Integers = np.searchsorted(self.classes, self.estimator_.predict(X))
        return numbers

    def get_metadata_routing(self) -> MetadataRequest:
        """Request all metadata for fit, if metadata routing is enabled."""
        request = MetadataRequest(owner=type(self).__name__)
        for name in self.metadata:
            request.fit.add_request(param=name, alias=True)
        return request

    def __sklearn_tags__(self) -> Any:
        return get_tags(self.estimator)
