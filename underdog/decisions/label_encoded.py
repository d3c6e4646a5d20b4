"""Classes by number outside, by name inside."""

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
    """For methods that exist if the estimator has them; its own message tells if it has not."""

    def check(numbered: LabelEncoded) -> bool:
        getattr(getattr(numbered, "estimator_", numbered.estimator), name)
        return True

    return check


class LabelEncoded(ClassifierMixin, MetaEstimatorMixin, BaseEstimator):  # type: ignore[misc]
    """A classifier that is given the numbers of classes and learns the classes themselves.

    scikit-learn numbers the classes before it fits models on folds, so that an estimator does not
    find the class that its `pos_label`, `class_weight` or `costs` name.

    Parameters
    ----------
    estimator : classifier
    classes : (K,), what the numbers stand for
    metadata : names of what fit is given beside X and y, all of it for the estimator
    """

    def __init__(self, estimator: Any, classes: Any, metadata: tuple[str, ...] = ()) -> None:
        self.estimator = estimator
        self.classes = classes
        self.metadata = metadata

    @classmethod
    def around(cls, fitted: Any, classes: Any) -> LabelEncoded:
        """Of a classifier that is fitted on the classes themselves."""
        made = cls(fitted, classes)
        made._keep(fitted)
        return made

    def fit(
        self, X: Any, y: Integers, sample_weight: Any = None, **fit_params: Any
    ) -> LabelEncoded:
        """Fit the estimator on the classes with these numbers."""
        if sample_weight is not None:
            if has_fit_parameter(self.estimator, "sample_weight"):
                fit_params["sample_weight"] = sample_weight
            else:
                name = type(self.estimator).__name__
                warnings.warn(f"{name} takes no sample_weight: only its calibration does",
                              stacklevel=2)  # fmt: skip
        self._keep(clone(self.estimator).fit(X, self.classes[y], **fit_params))
        return self

    def _keep(self, fitted: Any) -> None:
        self.estimator_ = fitted
        self.classes_ = np.searchsorted(self.classes, fitted.classes_)

    @available_if(_has("decision_function"))  # type: ignore[untyped-decorator]
    def decision_function(self, X: Any) -> Floats:
        """The estimator's."""
        scores: Floats = self.estimator_.decision_function(X)
        return scores

    @available_if(_has("predict_proba"))  # type: ignore[untyped-decorator]
    def predict_proba(self, X: Any) -> Floats:
        """The estimator's."""
        probabilities: Floats = self.estimator_.predict_proba(X)
        return probabilities

    def predict(self, X: Any) -> Integers:
        """Numbers of classes."""
        numbers: Integers = np.searchsorted(self.classes, self.estimator_.predict(X))
        return numbers

    def get_metadata_routing(self) -> MetadataRequest:
        """What fit asks for where scikit-learn routes metadata: all there is."""
        request = MetadataRequest(owner=type(self).__name__)
        for name in self.metadata:
            request.fit.add_request(param=name, alias=True)
        return request

    def __sklearn_tags__(self) -> Any:
        return get_tags(self.estimator)
