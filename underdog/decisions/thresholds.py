"""A threshold that is chosen on examples the model has not seen."""

from __future__ import annotations

from typing import Any

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
"""Of `curve_` in a file: enough for a picture, however many rows there were."""


def _has_probabilities(decider: ThresholdClassifier) -> bool:
    """Whether the estimator has some; its own message tells if it has none."""
    estimator = getattr(decider, "estimator_", None)
    getattr(decider._make_estimator() if estimator is None else estimator, "predict_proba")  # noqa: B009
    return True


class ThresholdClassifier(Decider):
    """Decides for the positive class where the score is above a threshold.

    The threshold is chosen on out-of-fold scores: each example is scored by a model that was fitted
    without its fold. The scores of the training data themselves look better than those of new
    examples will. The final model is fitted on all data; its scores must be on the scale of those
    of the folds, as they are where the estimator's parameters do not depend on the data's size.

    Parameters
    ----------
    estimator : classifier, optional
        By default `AdaBoostClassifier()`. Its `decision_function` is used, or else the positive
        class's column of `predict_proba`.
    choose : default="f1"
        Which threshold, by what it does on the out-of-fold scores:

        - "f1" or ("fbeta", b): the largest F-measure; recall counts b times as much as precision.
        - ("precision", p): the largest recall with a precision of at least p. If there is none, the
          best precision there is, with a warning.
        - ("recall", r): the largest precision with a recall of at least r.
        - ("alarms", k): as many alarms as possible, but at most k among as many examples as were
          trained on; a k that is no whole number is a share of them.
        - Costs: the least total cost; may have a cost for each training example.

        Of equally good thresholds it is the highest, with the fewest alarms.
    cv : int, splitter or iterable, default=5
        Folds; a number of them is reduced, with a warning, to the size of the smallest class.
    pos_label : label, optional
        The positive class; by default `classes_[1]`.
    n_jobs : int, optional
        Processes for the folds.

    Attributes
    ----------
    classes_ : array
    estimator_ : the estimator, fitted on all data
    threshold_ : float
        On the scores of the positive class. Midway between two neighbouring out-of-fold scores;
        infinite where no example, or minus infinite where every one, is best decided to be
        positive, with a warning.
    curve_ : dict of arrays
        For each threshold, from the highest to the lowest: threshold, tp, fp, fn, tn, alarms,
        precision, recall and, where costs choose, cost; all out of fold, and weighted by
        sample_weight. The precision of no alarms is NaN. A file keeps at most 500 of the
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
        X : what the estimator takes
        y : array of shape (n,)
            Of two classes.
        sample_weight : array of shape (n,), optional
            How many examples each row stands for, to the estimator and to the threshold. A row of
            weight 0 is none.
        **fit_params
            For the estimator's fit; those with a value per row are cut to the rows of each fold.
        """
        check_choice_of_threshold(self.choose)
        estimator = self._check_estimator()
        rows = self._check_rows(X, y, sample_weight, fit_params)
        scores = out_of_fold_scores(
            estimator,
            rows.X,
            rows.y,
            self._positive,
            cv=rows.cut(folds(self.cv, rows.y, "give more of its examples"), X, y),
            n_jobs=self.n_jobs,
            params=rows.params,
        )
        self._choose(scores, rows)
        self.estimator_ = clone(estimator).fit(rows.X, rows.y, **rows.params)
        return self

    def fit_from_scores(
        self, fitted: Any, scores: Floats, y: Any, sample_weight: Any = None
    ) -> Any:
        """As `fit`, around an estimator that is fitted and whose out-of-fold scores are known.

        Parameters
        ----------
        fitted : classifier, fitted on all data
        scores : array of shape (n,) or (n, 2)
            What its `decision_function` or `predict_proba` says of each example when fitted
            without it.
        y : array of shape (n,)
        sample_weight : array of shape (n,), optional
        """
        check_choice_of_threshold(self.choose)
        rows = self._check_rows(scores, y, sample_weight, {})
        self._choose(positive_scores(fitted, rows.X, self._positive), rows)
        self.estimator_ = fitted
        return self

    def _choose(self, scores: Floats, rows: FitRows) -> None:
        """The curve of all thresholds, and the best of them."""
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
                "Only binary classification is supported. The type of the target is multiclass. A "
                "threshold parts two classes; for more of them use CostSensitiveClassifier"
            )
        return rows

    def _costs(self, rows: FitRows) -> tuple[Floats, Floats] | None:
        """What no alarm and an alarm cost for each example, if costs choose."""
        if not isinstance(self.choose, Costs):
            return None
        self.choose.check_difference()
        if self.choose.n_examples not in (None, rows.n_given):
            raise ValueError(
                f"choose has costs for {self.choose.n_examples} examples, but fit is given "
                f"{rows.n_given}: they must be of the same rows. Folds of a search or a "
                "cross-validation have others: choose by costs that all examples share, or use "
                "CostSensitiveClassifier, whose predict takes the costs of each example"
            )
        costs = self.choose.take(rows.kept)
        true, positive = np.searchsorted(self.classes_, rows.y), self._positive
        quiet, alarm = (
            costs.each(true, np.full(len(true), decided), self.classes_, positive)
            for decided in (1 - positive, positive)
        )
        return quiet, alarm

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
            share = "no" if self.threshold_ > 0 else "every"
            notify(f"choose={self.choose!r} makes {label!r} the decision for {share} example")

    def _margin(self, X: Any) -> Floats:
        """(n, 1) scores less the threshold; an infinite threshold leaves the largest numbers."""
        self._check_fitted()
        answers = getattr(self.estimator_, scoring_method(self.estimator_))(X)
        scores = positive_scores(self.estimator_, answers, self._positive)
        margin: Floats = np.nan_to_num(scores - self.threshold_)[:, np.newaxis]
        return margin

    def decision_function(self, X: Any) -> Floats:
        """(n,) distance of the score from the threshold, above 0 for `classes_[1]`."""
        margin = self._margin(X)
        return self._labels.decision(margin)

    def predict(self, X: Any) -> Any:
        """The class on whose side of the threshold the score is; on it, `classes_[0]`."""
        margin = self._margin(X)
        return self._labels.predict(margin)

    @available_if(_has_probabilities)  # type: ignore[untyped-decorator]
    def predict_proba(self, X: Any) -> Floats:
        """(n, 2) the estimator's own probabilities; the threshold does not touch them."""
        self._check_fitted()
        probabilities: Floats = self.estimator_.predict_proba(X)
        return probabilities

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        return tags
