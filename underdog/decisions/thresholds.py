"""A threshold chosen on out-of-fold scores."""

from __future__ import annotations

from typing import Any, cast

import numpy as np
from sklearn.base import clone
from sklearn.utils.metaestimators import available_if

from underdog.checks import notify, to_python
from underdog.costs import Costs
from underdog.decisions.base import Decider
from underdog.decisions.out_of_fold import (
    folds,
    out_of_fold_scores,
    positive_scores,
    scoring_method,
)
from underdog.decisions.population import recalibrate
from underdog.decisions.rows import FitRows
from underdog.decisions.rules import (
    Curve,
    best_threshold,
    check_choice_of_threshold,
    thinned,
    trace,
)
from underdog.decisions.stored import stored_curve
from underdog.files import Fields
from underdog.types import Floats

STORED_THRESHOLDS = 500
"""Of `curve_` in a file: enough for a plot, however many rows there were."""


def _has_probabilities(decider: ThresholdClassifier) -> bool:
    """Whether the estimator has predict_proba; if not, its own AttributeError is raised."""
    estimator = getattr(decider, "estimator_", None)
    getattr(decider._make_estimator() if estimator is None else estimator, "predict_proba")  # noqa: B009
    return True


class ThresholdClassifier(Decider):
    """Predicts the positive class if the score is above a threshold chosen by cross-validation.

    The threshold is chosen on out-of-fold scores: each example is scored by a model that was fitted
    without its fold. Scores of training examples would be too optimistic. The final model is fitted
    on all data. Its scores must have the same scale as those of the folds, which is the case if the
    estimator's parameters do not depend on the size of the data.

    Parameters
    ----------
    estimator : classifier, optional
        By default `AdaBoostClassifier()`. Its `decision_function` is used if there is one,
        otherwise the column of the positive class of `predict_proba`.
    choose : default="f1"
        How to choose the threshold on the out-of-fold scores:

        - "f1" or ("fbeta", b): the largest F-measure; recall counts b times as much as precision.
        - ("precision", p): the largest recall with a precision of at least p. If no threshold
          reaches it, the largest precision, with a warning.
        - ("recall", r): the largest precision with a recall of at least r.
        - ("alarms", k): as many alarms as possible, but at most k among as many examples as in the
          training data. A float k is a share of the examples.
        - Costs: the least total cost. May have a cost for each training example.

        Of equally good thresholds the highest is chosen, which has the fewest alarms.
    cv : int, splitter or iterable, default=5
        Folds. A number larger than the smallest class is reduced to its size, with a warning.
    pos_label : label, optional
        The positive class; by default `classes_[1]`.
    n_jobs : int, optional
        Number of processes for the folds.

    Attributes
    ----------
    classes_ : array
        The class labels.
    estimator_ : classifier
        The estimator, fitted on all data.
    threshold_ : float
        Threshold on the scores of the positive class, midway between two neighbouring out-of-fold
        scores. inf if it is best to predict no example positive, -inf if it is best to predict
        every example positive; both with a warning.
    curve_ : dict of arrays
        For each threshold, from the highest to the lowest: threshold, tp, fp, fn, tn, alarms,
        precision, recall and, if `choose` is Costs, cost. All are out-of-fold and weighted by
        sample_weight. Without alarms the precision is NaN. A file keeps at most 500 of the
        thresholds.

    References
    ----------
    Provost and Fawcett, "Robust classification for imprecise environments", Machine Learning 42,
    2001, section 2 (one ranking, many operating points). van Rijsbergen, "Information retrieval",
    1979, chapter 7 (F-measure).

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from underdog import AdaBoostClassifier, ThresholdClassifier
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> model = ThresholdClassifier(
    ...     AdaBoostClassifier(n_estimators=20), ("recall", 0.99), pos_label=0
    ... ).fit(X, y)
    >>> chosen = list(model.curve_["threshold"]).index(model.threshold_)
    >>> [round(float(model.curve_[name][chosen]), 3) for name in ("recall", "precision")]
    [0.991, 0.761]
    """

    threshold_: float
    curve_: Curve

    def __init__(
        self,
        estimator: Any = None,
        choose: Any = "f1",
        *,
        cv: Any = 5,
        pos_label: Any = None,
        n_jobs: int | None = None,
    ) -> None:
        self.estimator = estimator
        self.choose = choose
        self.cv = cv
        self.pos_label = pos_label
        self.n_jobs = n_jobs

    def fit(self, X: Any, y: Any, sample_weight: Any = None, **fit_params: Any) -> Any:
        """Choose the threshold and fit the estimator.

        Parameters
        ----------
        X : input of the estimator
        y : array of shape (n,)
            Labels of two classes.
        sample_weight : array of shape (n,), optional
            How many examples each row stands for, both for the estimator and for the threshold.
            Rows of weight 0 are dropped.
        **fit_params
            Passed to the estimator's fit. Arrays with a value per row are cut to the rows of each
            fold.

        Returns
        -------
        self
        """
        check_choice_of_threshold(self.choose)
        estimator = self._check_estimator()
        rows = self._check_rows(X, y, sample_weight, fit_params)
        scores = out_of_fold_scores(
            estimator,
            rows.X,
            rows.y,
            self._positive,
            cv=rows.cut(folds(self.cv, rows.y, "add examples of this class"), X, y),
            n_jobs=self.n_jobs,
            params=rows.params,
        )
        self._choose(scores, rows)
        self.estimator_ = clone(estimator).fit(rows.X, rows.y, **rows.params)
        return self

    def fit_from_scores(
        self, fitted: Any, scores: Floats, y: Any, sample_weight: Any = None
    ) -> Any:
        """Like `fit`, with a fitted estimator and given out-of-fold scores.

        Parameters
        ----------
        fitted : classifier, fitted on all data
        scores : array of shape (n,) or (n, 2)
            Out-of-fold values of its `decision_function` or `predict_proba`.
        y : array of shape (n,)
        sample_weight : array of shape (n,), optional

        Returns
        -------
        self
        """
        check_choice_of_threshold(self.choose)
        rows = self._check_rows(scores, y, sample_weight, {})
        self._choose(positive_scores(fitted, rows.X, self._positive), rows)
        self.estimator_ = fitted
        return self

    def _choose(self, scores: Floats, rows: FitRows) -> None:
        """Set the curve of all thresholds, and the best threshold."""
        weights = np.ones(len(rows.y)) if rows.weights is None else rows.weights
        positive = rows.y == self.classes_[self._positive]
        self.curve_ = trace(scores, positive, weights, self._costs(rows))
        chosen = best_threshold(self.choose, self.curve_)
        self.threshold_ = float(self.curve_["threshold"][chosen])
        self._warn_if_infinite()

    def _check_rows(self, X: Any, y: Any, sample_weight: Any, params: dict[str, Any]) -> FitRows:
        rows = super()._check_rows(X, y, sample_weight, params)
        if len(self.classes_) > 2:
            raise ValueError(
                "Only binary classification is supported. The type of the target is multiclass. "
                "For more than two classes use CostSensitiveClassifier"
            )
        return rows

    def _costs(self, rows: FitRows) -> tuple[Floats, Floats] | None:
        """The cost of no alarm and of an alarm for each example, if `choose` is Costs."""
        if not isinstance(self.choose, Costs):
            return None
        self.choose.check_difference()
        if self.choose.n_examples not in (None, rows.n_given):
            raise ValueError(
                f"choose has costs for {self.choose.n_examples} examples, but X has {rows.n_given} "
                "rows: they must be the same rows. In a search or a cross-validation they are not: "
                "use the same costs for all examples, or CostSensitiveClassifier, whose predict "
                "takes costs per example"
            )
        costs = self.choose.take(rows.kept)
        true, positive = np.searchsorted(self.classes_, rows.y), self._positive
        no_alarm, alarm = (
            costs.each(true, np.full(len(true), decided), self.classes_, positive)
            for decided in (1 - positive, positive)
        )
        return no_alarm, alarm

    def _learned(self) -> dict[str, Any]:
        curve = thinned(self.curve_, self.threshold_, STORED_THRESHOLDS)
        return {**super()._learned(), "threshold": self.threshold_, "curve": curve}

    def _restore(self, fields: Fields) -> None:
        super()._restore(fields)
        if len(self.classes_) > 2:
            raise fields.wrong("labels", "are more than two")
        check_choice_of_threshold(self.choose)
        scoring_method(self.estimator_)
        self.threshold_ = fields.number("threshold")
        self.curve_ = stored_curve(Fields("curve", fields.mapping("curve")))

    def _warn_if_infinite(self) -> None:
        if np.isinf(self.threshold_):
            label = to_python(self.classes_[self._positive])
            share = "no example" if self.threshold_ > 0 else "every example"
            notify(f"with choose={self.choose!r}, {share} is predicted to be {label!r}")

    def _margin(self, X: Any) -> Floats:
        """(n, 1) scores minus the threshold; the largest float if the threshold is infinite."""
        self._check_fitted()
        answers = getattr(self.estimator_, scoring_method(self.estimator_))(X)
        scores = positive_scores(self.estimator_, answers, self._positive)
        margin: Floats = np.nan_to_num(scores - self.threshold_)[:, np.newaxis]
        return margin

    def decision_function(self, X: Any) -> Floats:
        """(n,) score minus threshold, with the sign such that above 0 means `classes_[1]`."""
        margin = self._margin(X)
        return self._labels.decision(margin)

    def predict(self, X: Any) -> Any:
        """The predicted class; a score equal to the threshold gives `classes_[0]`."""
        margin = self._margin(X)
        return self._labels.predict(margin)

    @available_if(_has_probabilities)  # type: ignore[untyped-decorator]
    def predict_proba(self, X: Any) -> Floats:
        """(n, 2) probabilities of the estimator, which do not depend on the threshold."""
        self._check_fitted()
        return self._shifted(self.estimator_.predict_proba(X))

    def recalibrate(self, X: Any, y: Any, sample_weight: Any = None) -> Any:
        """Learn from new rows how scores become probabilities; see `underdog.recalibrate`.

        Scores and threshold stay the same, and so do predictions.

        Parameters
        ----------
        X : input of the estimator
            Rows that it was not trained on.
        y : array of shape (n,)
            Both classes must occur.
        sample_weight : array of shape (n,), optional

        Returns
        -------
        self
        """
        self._check_fitted()
        if scoring_method(self.estimator_) != "decision_function":
            raise TypeError(
                f"{type(self.estimator_).__name__} has no scores besides its probabilities, on "
                "which the threshold is: use CostSensitiveClassifier"
            )
        rows = self._check_new_rows(X, y, sample_weight)
        self.estimator_ = recalibrate(self.estimator_, rows.X, rows.y, rows.weights)
        return self

    def _follow_prevalence(self, before: ThresholdClassifier) -> None:
        """Choose the threshold again, on the curve with other numbers of the two classes."""
        if isinstance(self.choose, Costs) and self.choose.n_examples is not None:
            raise ValueError(
                "the threshold was chosen by costs of each example, which are not known for "
                "another prevalence: use CostSensitiveClassifier"
            )
        new, old = cast(Floats, self.prevalence_), cast(Floats, self.class_prior_)
        if before.prevalence_ is not None:
            old = before.prevalence_  # what the curve is for
        ratio = new / old
        positive, negative = ratio[self._positive], ratio[1 - self._positive]
        curve = dict(self.curve_)
        for name, times in (("tp", positive), ("fn", positive), ("fp", negative), ("tn", negative)):
            curve[name] = times * curve[name]
        alarms = curve["alarms"] = curve["tp"] + curve["fp"]
        curve["precision"] = np.full(len(alarms), np.nan)
        np.divide(curve["tp"], alarms, out=curve["precision"], where=alarms > 0)
        if isinstance(self.choose, Costs):
            table = self.choose.table(self.classes_, self._positive)
            at, other = self._positive, 1 - self._positive
            curve["cost"] = (
                table[at, at] * curve["tp"] + table[at, other] * curve["fn"]
                + table[other, at] * curve["fp"] + table[other, other] * curve["tn"]
            )  # fmt: skip
        self.curve_ = curve
        self.threshold_ = float(curve["threshold"][best_threshold(self.choose, curve)])
        self._warn_if_infinite()

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        return tags
