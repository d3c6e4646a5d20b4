"""Probabilities, and the decision with the least expected cost."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.calibration import CalibratedClassifierCV

from underdog.checks import check_choice
from underdog.costs import Costs
from underdog.decisions import stored
from underdog.decisions.base import Decider
from underdog.decisions.label_encoded import LabelEncoded
from underdog.decisions.order import keep_order
from underdog.decisions.out_of_fold import folds
from underdog.decisions.precomputed import calibrated_by_scores
from underdog.decisions.rows import FitRows
from underdog.estimators.support import inputs
from underdog.files import Fields
from underdog.types import Floats

INSTEAD = "give more of its examples, or set calibration=None to do without calibration"


class CostSensitiveClassifier(Decider):
    r"""Decides for the class with the least expected cost.

    With P(j | x) from a calibrated classifier and the cost C(j, i) of deciding for i where j is
    true it decides for :math:`\arg\min_i \sum_j P(j \mid x) C(j, i)`. Training does not see the
    costs, so they may change afterwards, or be different for each example.

    Parameters
    ----------
    estimator : classifier, optional
        By default `AdaBoostClassifier()`.
    costs : Costs, optional
        By default all mistakes cost the same. Costs of single examples are for `predict`.
    calibration : "sigmoid", "isotonic" or None, default="sigmoid"
        How scores become probabilities, learned from out-of-fold scores by scikit-learn's
        `CalibratedClassifierCV(ensemble=False)`; None for the estimator's own `predict_proba`.
        "isotonic" wants about a thousand examples of the rare class or more. Neither turns the
        order of the scores round: where they say nothing about a class, its probability is its
        share, with a warning.
    cv : int, splitter or iterable, default=5
        Folds of the calibration; a number of them is reduced, with a warning, to the size of the
        smallest class.
    pos_label : label, optional
        The positive of two classes, for costs by fn and fp; by default `classes_[1]`.
    n_jobs : int, optional
        Processes for the folds.

    Attributes
    ----------
    classes_ : array
    estimator_ : the estimator, fitted on all data
    calibrated_ : what has the probabilities: the fitted CalibratedClassifierCV, or `estimator_`

    References
    ----------
    Elkan, "The foundations of cost-sensitive learning", IJCAI 2001, equation 1. Platt,
    "Probabilistic outputs for support vector machines", 1999 (sigmoid). Zadrozny and Elkan,
    "Transforming classifier scores into accurate multiclass probability estimates", KDD 2002
    (isotonic; more than two classes).

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from underdog import AdaBoostClassifier, CostSensitiveClassifier, Costs
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> costs = Costs(fn=20, fp=1)  # malignant is 0
    >>> model = CostSensitiveClassifier(AdaBoostClassifier(n_estimators=20), costs, pos_label=0)
    >>> decided = model.fit(X[::2], y[::2]).predict(X[1::2])
    >>> [int(((y[1::2] == true) & (decided != true)).sum()) for true in model.classes_]
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
        X : what the estimator takes
        y : array of shape (n,)
        sample_weight : array of shape (n,), optional
            For the estimator and its calibration. A row of weight 0 is none.
        **fit_params
            For the estimator's fit; those with a value per row are cut to the rows of each fold.
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
        """As `fit`, around an estimator that is fitted and whose out-of-fold scores are known.

        Parameters
        ----------
        fitted : classifier, fitted on all data
        scores : array of shape (n,) or (n, K)
            What its `decision_function` says of each example when fitted without it.
        y : array of shape (n,)
        sample_weight : array of shape (n,), optional
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
        """Parameters and data, of which the rows that count are returned."""
        rows = self._check_rows(X, y, sample_weight, params)
        check_choice("calibration", self.calibration, "sigmoid", "isotonic", None)
        if self.costs is not None and self._checked(self.costs).n_examples is not None:
            raise ValueError(
                f"costs={self.costs!r} are of single examples: give predict those of the examples "
                "that it is to decide about"
            )
        if self.calibration is None:
            _check_probabilities(estimator)
        return rows

    def predict_proba(self, X: Any) -> Floats:
        """(n, K) probabilities; the costs do not touch them."""
        self._check_fitted()
        probabilities: Floats = self.calibrated_.predict_proba(X)
        return probabilities

    def expected_cost(self, X: Any, costs: Costs | None = None) -> Floats:
        """(n, K) expected cost of deciding for each class; see `predict` for `costs`."""
        probabilities = self.predict_proba(X)
        return self._costs(costs).expected(probabilities, self.classes_, self._positive)

    def predict(self, X: Any, *, costs: Costs | None = None) -> Any:
        """The class with the least expected cost; of equals, the more probable one.

        Parameters
        ----------
        X : what the estimator takes
        costs : Costs, optional
            In place of those of the constructor; may have costs for each row of X.
        """
        probabilities = self.predict_proba(X)
        decided = self._costs(costs).decide(probabilities, self.classes_, self._positive)
        return self.classes_[decided]

    def decision_function(self, X: Any) -> Floats:
        """By how much `classes_[1]` is expected to cost less than `classes_[0]`.

        With more than two classes (n, K), minus the expected cost of each.
        """
        expected = self.expected_cost(X)
        if len(self.classes_) == 2:
            return np.asarray(expected[:, 0] - expected[:, 1], dtype=np.float64)
        return -expected

    def _learned(self) -> dict[str, Any]:
        own = self.calibrated_ is not self.estimator_
        curves = stored.state_of(self.calibrated_) if own else None
        return {**super()._learned(), "calibration": curves}

    def _restore(self, fields: Fields) -> None:
        super()._restore(fields)
        if self.costs is not None:
            self._checked(self.costs)
        # The curves say what was fitted; the parameter may have been changed since.
        curves = fields.get("calibration")
        if curves is None:
            _check_probabilities(self.estimator_)
            self.calibrated_ = self.estimator_
        else:
            self.calibrated_ = stored.calibrated_of(curves, self.estimator_, self.classes_, self.cv)

    def _costs(self, given: Costs | None) -> Costs:
        """The costs given, those of the constructor, or the same one for all mistakes."""
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
            f"{type(estimator).__name__} has no probabilities of its own: set "
            "calibration='sigmoid' or 'isotonic' to have some"
        )
