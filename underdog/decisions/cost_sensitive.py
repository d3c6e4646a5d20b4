"""Predictions of least expected cost."""

from __future__ import annotations

from copy import copy
from typing import Any, Self

import numpy as np
from sklearn.base import clone
from sklearn.calibration import CalibratedClassifierCV

from underdog.checks import check_choice
from underdog.costs import Costs
from underdog.decisions import stored
from underdog.decisions.base import Decider
from underdog.decisions.label_encoded import LabelEncoded
from underdog.decisions.order import keep_order
from underdog.decisions.out_of_fold import folds, scoring_method
from underdog.decisions.precomputed import calibrated_by_scores
from underdog.decisions.rows import FitRows
from underdog.estimators.support import inputs
from underdog.files import Fields
from underdog.types import Floats

INSTEAD = "add examples of this class, or set calibration=None"


class CostSensitiveClassifier(Decider):
    r"""Predicts the class with the least expected cost.

    With the probabilities P(j | x) of a calibrated classifier and the cost C(j, i) of predicting i
    for an example of class j, it predicts :math:`\arg\min_i \sum_j P(j \mid x) C(j, i)`. The costs
    are not used in training, so they can be changed afterwards, and can differ between examples.

    Parameters
    ----------
    estimator : classifier, optional
        By default `AdaBoostClassifier()`.
    costs : Costs, optional
        By default all mistakes cost the same. Costs per example are passed to `predict`.
    calibration : "sigmoid", "isotonic" or None, default="sigmoid"
        How scores become probabilities: learned from out-of-fold scores by scikit-learn's
        `CalibratedClassifierCV(ensemble=False)`, or, with None, the estimator's own
        `predict_proba`. "isotonic" needs about a thousand examples of the rare class or more.
        Calibration never reverses the order of the scores: if the scores do not separate a class,
        its probability is its share, with a warning.
    cv : int, splitter or iterable, default=5
        Folds of the calibration. A number larger than the smallest class is reduced to its size,
        with a warning.
    pos_label : label, optional
        The positive class for Costs(fn, fp); by default `classes_[1]`.
    n_jobs : int, optional
        Number of processes for the folds.

    Attributes
    ----------
    classes_ : array
        The class labels.
    estimator_ : classifier
        The estimator, fitted on all data.
    calibrated_ : classifier
        The source of the probabilities: the fitted CalibratedClassifierCV, or `estimator_`.

    References
    ----------
    Elkan, "The foundations of cost-sensitive learning", IJCAI 2001, equation 1. Platt,
    "Probabilistic outputs for support vector machines", 1999 (sigmoid). Zadrozny and Elkan,
    "Transforming classifier scores into accurate multiclass probability estimates", KDD 2002
    (isotonic; more than two classes).

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from underdog import AdaBoostClassifier, Costs, CostSensitiveClassifier
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> costs = Costs(fn=20, fp=1)  # malignant is 0
    >>> model = CostSensitiveClassifier(AdaBoostClassifier(n_estimators=20), costs, pos_label=0)
    >>> predicted = model.fit(X[::2], y[::2]).predict(X[1::2])
    >>> [int(((y[1::2] == true) & (predicted != true)).sum()) for true in model.classes_]
    [2, 45]
    >>> even = model.predict(X[1::2], costs=Costs(fn=1, fp=1))
    >>> [int(((y[1::2] == true) & (even != true)).sum()) for true in model.classes_]
    [10, 4]
    """

    calibrated_: Any

    def __init__(
        self,
        estimator: Any = None,
        costs: Costs | None = None,
        *,
        calibration: str | None = "sigmoid",
        cv: Any = 5,
        pos_label: Any = None,
        n_jobs: int | None = None,
    ) -> None:
        self.estimator = estimator
        self.costs = costs
        self.calibration = calibration
        self.cv = cv
        self.pos_label = pos_label
        self.n_jobs = n_jobs

    def fit(self, X: Any, y: Any, sample_weight: Any = None, **fit_params: Any) -> Any:
        """Fit the estimator and its calibration.

        Parameters
        ----------
        X : input of the estimator
        y : array of shape (n,)
        sample_weight : array of shape (n,), optional
            For the estimator and its calibration. Rows of weight 0 are dropped.
        **fit_params
            Passed to the estimator's fit. Arrays with a value per row are cut to the rows of each
            fold.

        Returns
        -------
        self
        """
        estimator = self._check_estimator()
        rows = self._check_all(X, y, estimator, sample_weight, fit_params)
        if self.calibration is None:
            self.calibrated_ = self.estimator_ = clone(estimator).fit(rows.X, rows.y, **rows.params)
            return self
        numbers = np.searchsorted(self.classes_, rows.y)
        self.calibrated_ = CalibratedClassifierCV(
            LabelEncoded(estimator, self.classes_, tuple(rows.params)),
            method=self.calibration,
            cv=rows.cut(folds(self.cv, rows.y, INSTEAD), X, y),
            n_jobs=self.n_jobs,
            ensemble=False,
        ).fit(rows.X, numbers, **rows.params)
        keep_order(self.calibrated_, self.classes_, numbers, rows.weights)
        self.estimator_ = self.calibrated_.calibrated_classifiers_[0].estimator.estimator_
        return self

    def fit_from_scores(
        self, fitted: Any, scores: Floats, y: Any, sample_weight: Any = None
    ) -> Any:
        """Like `fit`, with a fitted estimator and given out-of-fold scores.

        Parameters
        ----------
        fitted : classifier, fitted on all data
        scores : array of shape (n,) or (n, K)
            Out-of-fold values of its `decision_function`.
        y : array of shape (n,)
        sample_weight : array of shape (n,), optional

        Returns
        -------
        self
        """
        rows = self._check_all(scores, y, fitted, sample_weight, {})
        self.calibrated_ = self.estimator_ = fitted
        if self.calibration is not None:
            numbers = np.searchsorted(self.classes_, rows.y)
            self.calibrated_ = calibrated_by_scores(
                fitted, self.classes_, self.calibration, rows.X, numbers, rows.weights
            )
            keep_order(self.calibrated_, self.classes_, numbers, rows.weights)
        return self

    def _check_all(
        self, X: Any, y: Any, estimator: Any, sample_weight: Any, params: dict[str, Any]
    ) -> FitRows:
        """Check parameters and data; returns the rows with a weight above 0."""
        rows = self._check_rows(X, y, sample_weight, params)
        check_choice("calibration", self.calibration, "sigmoid", "isotonic", None)
        if self.costs is not None and self._checked(self.costs).n_examples is not None:
            raise ValueError(
                f"costs={self.costs!r} are costs per example: pass the costs of the rows to "
                "predict instead"
            )
        if self.calibration is None:
            _check_probabilities(estimator)
        return rows

    def predict_proba(self, X: Any) -> Floats:
        """(n, K) probabilities, which do not depend on the costs."""
        self._check_fitted()
        return self._shifted(self.calibrated_.predict_proba(X))

    def recalibrate(self, X: Any, y: Any, sample_weight: Any = None) -> Any:
        """Learn from new rows how scores become probabilities; the estimator stays the same.

        By the method of `calibration`, or "sigmoid". Predictions follow the probabilities.

        Parameters
        ----------
        X : input of the estimator
            Rows that it was not trained on.
        y : array of shape (n,)
            Every class must occur.
        sample_weight : array of shape (n,), optional

        Returns
        -------
        self
        """
        rows = self._check_new_rows(X, y, sample_weight)
        scores = getattr(self.estimator_, scoring_method(self.estimator_))(rows.X)
        if scores.ndim == 2 and len(self.classes_) == 2:
            scores = scores[:, 1]
        numbers = np.searchsorted(self.classes_, rows.y)
        self.calibrated_ = calibrated_by_scores(
            self.estimator_, self.classes_, self.calibration or "sigmoid", scores, numbers,
            rows.weights,
        )  # fmt: skip
        keep_order(self.calibrated_, self.classes_, numbers, rows.weights)
        return self

    def expected_cost(self, X: Any, costs: Costs | None = None) -> Floats:
        """(n, K) expected cost of predicting each class; see `predict` for `costs`."""
        probabilities = self.predict_proba(X)
        return self._costs(costs).expected(probabilities, self.classes_, self._positive)

    def predict(self, X: Any, *, costs: Costs | None = None) -> Any:
        """The class with the least expected cost; of several, the more probable one.

        Parameters
        ----------
        X : input of the estimator
        costs : Costs, optional
            Replaces the costs of the constructor. May have costs for each row of X.
        """
        probabilities = self.predict_proba(X)
        decided = self._costs(costs).decide(probabilities, self.classes_, self._positive)
        return self.classes_[decided]

    def decision_function(self, X: Any) -> Floats:
        """(n,) expected cost of `classes_[0]` minus that of `classes_[1]`.

        With more than two classes (n, K), minus the expected cost of each class.
        """
        expected = self.expected_cost(X)
        if len(self.classes_) == 2:
            return np.asarray(expected[:, 0] - expected[:, 1], dtype=np.float64)
        return -expected

    def deciding(self, scorer: Any) -> Self:
        """A copy that predicts from the scores of another fitted classifier of the same classes."""
        made = super().deciding(scorer)
        made.calibrated_ = scorer
        if self.calibrated_ is not self.estimator_:
            made.calibrated_ = copy(self.calibrated_)
            only = copy(self.calibrated_.calibrated_classifiers_[0])
            only.estimator = LabelEncoded.around(scorer, self.classes_)
            made.calibrated_.calibrated_classifiers_ = [only]
        return made

    def _learned(self) -> dict[str, Any]:
        own = self.calibrated_ is not self.estimator_
        curves = stored.state_of(self.calibrated_) if own else None
        return {**super()._learned(), "calibration": curves}

    def _restore(self, fields: Fields) -> None:
        super()._restore(fields)
        if self.costs is not None:
            self._checked(self.costs)
        # The parameter may have been changed since fit, so the stored curves decide.
        curves = fields.get("calibration")
        if curves is None:
            _check_probabilities(self.estimator_)
            self.calibrated_ = self.estimator_
        else:
            self.calibrated_ = stored.calibrated_of(curves, self.estimator_, self.classes_, self.cv)

    def _costs(self, given: Costs | None) -> Costs:
        """The given costs, those of the constructor, or 1 for every mistake."""
        costs = self.costs if given is None else given
        if costs is None:
            return Costs.matrix(1.0 - np.eye(len(self.classes_)), self.classes_)
        return self._checked(costs)

    def _checked(self, costs: Any) -> Costs:
        inputs.check_costs(costs)
        checked: Costs = costs
        checked.table(self.classes_, self._positive)
        return checked


def _check_probabilities(estimator: Any) -> None:
    if not hasattr(estimator, "predict_proba"):
        raise ValueError(
            f"{type(estimator).__name__} has no predict_proba: set calibration='sigmoid' or "
            "'isotonic'"
        )
