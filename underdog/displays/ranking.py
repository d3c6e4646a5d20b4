"""Scores of examples of two classes, and the threshold in use."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NoReturn

import numpy as np
from sklearn.utils import assert_all_finite
from sklearn.utils.validation import check_consistent_length, check_is_fitted

from underdog.checks import is_number, to_python
from underdog.codes.multi_label import MultiLabels
from underdog.decisions.out_of_fold import positive_scores, scoring_method
from underdog.decisions.thresholds import ThresholdClassifier
from underdog.estimators.support.inputs import checked_labels, refuse_regressor
from underdog.types import Flags, Floats

CUSTOMARY = {"decision_function": 0.0, "predict_proba": 0.5}
"""The threshold that an estimator has if nobody chose another."""


@dataclass(frozen=True, eq=False)
class Ranking:
    """Scores that are higher the more an example looks positive.

    Attributes
    ----------
    scores : (n,)
    positive : (n,) whether the example is
    classes : (2,)
    place : of the positive class among them
    threshold : above which an example is predicted positive; None if there is no single one
    method : that gave the scores; None if they were given
    """

    scores: Floats
    positive: Flags
    classes: np.ndarray[Any, Any]
    place: int
    threshold: float | None = None
    method: str | None = None

    @property
    def pos_label(self) -> Any:
        """The positive class."""
        return to_python(self.classes[self.place])


def of_predictions(y: Any, scores: Any, pos_label: Any, threshold: Any = None) -> Ranking:
    """The ranking by scores that are given, higher for the positive class."""
    y = _single_labels(y)
    classes = np.unique(y)
    _check_two(classes, "y has")
    scores = np.asarray(scores, dtype=np.float64)
    if scores.ndim != 1:
        raise ValueError(
            f"scores have the shape {scores.shape}: give one number for each example, the score or "
            "probability of the positive class"
        )
    check_consistent_length(y, scores)
    assert_all_finite(scores, input_name="scores")
    if threshold is not None and not is_number(threshold):
        raise ValueError(f"threshold={threshold!r} must be a number")
    place = _place(classes, pos_label, 1)
    return Ranking(scores, y == classes[place], classes, place, threshold)


def of_estimator(
    estimator: Any, X: Any, y: Any, pos_label: Any, methods: tuple[str, ...]
) -> Ranking:
    """The ranking by a fitted estimator, with the threshold of its predictions.

    Parameters
    ----------
    estimator : fitted classifier
    X, y : data to score
    pos_label : label, or None for the estimator's own positive class
    methods : that give scores, the best first
    """
    classes = classes_of(estimator)
    place = _place(classes, pos_label, getattr(_labels(estimator), "positive", 1))
    y = _single_labels(y)
    unknown = [to_python(label) for label in np.setdiff1d(y, classes)]
    if unknown:
        raise ValueError(
            f"y has the labels {unknown}, but {type(estimator).__name__} was fitted with "
            f"{classes.tolist()}: drop the rows with other labels"
        )
    _check_two(np.unique(y), "y has")
    decided = np.asarray(estimator.predict(X))
    if decided.ndim != 1:  # a booster of several labels can be inside a pipeline
        _refuse_several_labels(estimator)
    scorer, method, customary = _scorer(estimator, methods)
    scores = positive_scores(scorer, getattr(scorer, method)(X), place)
    check_consistent_length(y, scores)
    threshold = _in_use(scores, decided == classes[place], customary)
    return Ranking(scores, y == classes[place], classes, place, threshold, method)


def classes_of(estimator: Any) -> np.ndarray[Any, Any]:
    """The two classes of a fitted classifier."""
    check_is_fitted(estimator)
    refuse_regressor(
        estimator,
        "use ResidualDisplay, or QuantileCalibrationDisplay for quantiles",
    )
    classes = getattr(estimator, "classes_", None)
    if classes is None:
        raise ValueError(f"{type(estimator).__name__} has no classes_: give a fitted classifier")
    if isinstance(_labels(estimator), MultiLabels):  # its classes_ are the numbers of the labels
        _refuse_several_labels(estimator)
    array = np.asarray(classes)
    _check_two(array, f"{type(estimator).__name__} was fitted with")
    return array


def _refuse_several_labels(estimator: Any) -> NoReturn:
    raise ValueError(
        f"{type(estimator).__name__} was fitted with an indicator matrix of several labels, but "
        "the display is of two classes: draw one for each label, by from_predictions with its "
        "column of y and its column of the scores"
    )


def _labels(estimator: Any) -> Any:
    """How a classifier of this library codes its labels; None for others."""
    return getattr(estimator, "_labels", None)


def _single_labels(y: Any) -> Any:
    y = checked_labels(y)
    if y.ndim != 1:
        raise ValueError("y is an indicator matrix: draw one display for each of its columns")
    return y


def _check_two(classes: np.ndarray[Any, Any], who: str) -> None:
    names = classes.tolist()
    if len(names) < 2:
        raise ValueError(f"{who} only one class ({names}): give examples of two classes")
    if len(names) > 2:
        raise ValueError(
            f"{who} {len(names)} classes, but the display is of two: draw one for each class, with "
            "y == label"
        )


def _place(classes: np.ndarray[Any, Any], pos_label: Any, own: int) -> int:
    if pos_label is None:
        return own
    names: list[Any] = classes.tolist()
    if to_python(pos_label) not in names:
        raise ValueError(f"pos_label={pos_label!r} is not one of the classes {names}")
    return names.index(to_python(pos_label))


def _scorer(estimator: Any, methods: tuple[str, ...]) -> tuple[Any, str, float]:
    """Who gives scores, by which method, and the threshold that is to be expected on them."""
    if isinstance(estimator, ThresholdClassifier):
        method = scoring_method(estimator.estimator_)
        if method in methods:  # on the scale on which its threshold was chosen
            return estimator.estimator_, method, estimator.threshold_
    for method in methods:
        if hasattr(estimator, method):
            return estimator, method, CUSTOMARY[method]
    without = f"{type(estimator).__name__} has no {' and no '.join(methods)}"
    if "decision_function" in methods:
        raise ValueError(f"{without}: a curve over thresholds needs scores")
    raise ValueError(f"{without}: wrap it in sklearn.calibration.CalibratedClassifierCV")


def _in_use(scores: Floats, decided: Flags, customary: float) -> float | None:
    """The threshold that separates the predictions: the customary one if it does, else midway.

    With probabilities that are corrected for costs, for instance, the threshold is not one half.
    """
    clear = scores != customary  # who is on the threshold may be on either side
    if np.array_equal((scores > customary)[clear], decided[clear]):
        return customary
    below = float(scores[~decided].max(initial=-np.inf))
    above = float(scores[decided].min(initial=np.inf))
    if np.isinf(below) or np.isinf(above):  # all decisions are the same
        return below if np.isinf(below) else above
    return below / 2 + above / 2 if below < above else None
