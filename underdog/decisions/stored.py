"""How calibrations and threshold curves are written to files and read from them."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.isotonic import IsotonicRegression

from underdog.decisions.label_encoded import LabelEncoded
from underdog.decisions.precomputed import curves_by_scores
from underdog.decisions.rules import Curve
from underdog.files import Fields


def state_of(calibrated: CalibratedClassifierCV) -> list[dict[str, Any]]:
    """The numbers of each calibration curve: one curve for two classes, else one per class."""
    (only,) = calibrated.calibrated_classifiers_
    if only.method == "sigmoid":
        return [{"a": float(curve.a_), "b": float(curve.b_)} for curve in only.calibrators]
    return [
        {
            "scores": np.asarray(curve.X_thresholds_, dtype=np.float64),
            "probabilities": np.asarray(curve.y_thresholds_, dtype=np.float64),
        }
        for curve in only.calibrators
    ]


def calibrated_of(curves: list[Any], fitted: Any, names: Any, cv: Any) -> CalibratedClassifierCV:
    """The calibrated classifier around a fitted estimator."""
    if len(curves) != (1 if len(names) == 2 else len(names)):
        raise ValueError("the calibration has not as many curves as there are classes")
    method = "sigmoid" if all("a" in curve for curve in curves) else "isotonic"
    # scikit-learn has no public way to make one without fitting: it is fitted to a few scores of
    # two classes, and then given the estimator, the classes and the curves of the file.
    toy = np.array([0, 1, 0, 1])
    made = curves_by_scores(2, method, toy.astype(np.float64), toy, None)
    (only,) = made.calibrated_classifiers_
    only.estimator = LabelEncoded.around(fitted, names)
    read = _read_sigmoid if method == "sigmoid" else _read_isotonic
    only.calibrators = [
        read(clone(only.calibrators[0]), Fields("calibration", curve)) for curve in curves
    ]
    only.classes = made.classes_ = np.arange(len(names))
    made.set_params(estimator=only.estimator, cv=cv)
    return made


def _read_sigmoid(curve: Any, fields: Fields) -> Any:
    curve.a_, curve.b_ = fields.number("a"), fields.number("b")
    fields.done()
    if not np.isfinite([curve.a_, curve.b_]).all():
        raise fields.wrong("a", "and b must be finite")
    return curve


def _read_isotonic(curve: IsotonicRegression, fields: Fields) -> IsotonicRegression:
    scores = fields.floats("scores", None)
    probabilities = fields.floats("probabilities", len(scores))
    fields.done()
    if not len(scores) or (np.diff(scores) <= 0).any() or (np.diff(probabilities) < 0).any():
        raise fields.wrong("scores", "and probabilities do not increase")
    if probabilities[0] < 0.0 or probabilities[-1] > 1.0:
        raise fields.wrong("probabilities", "are not between 0 and 1")
    slopes = np.diff(probabilities) / np.diff(scores)
    if not np.isfinite([*slopes, scores[-1] - scores[0]]).all():
        raise fields.wrong("scores", "are too close or too far apart to interpolate")
    learned = {
        "X_thresholds_": scores,
        "y_thresholds_": probabilities,
        "X_min_": scores[0],
        "X_max_": scores[-1],
        "increasing_": True,
    }
    curve.__setstate__({**curve.__getstate__(), **learned})  # builds the interpolation as well
    return curve


def stored_curve(fields: Fields) -> Curve:
    """The curve of `rules.trace` from a file."""
    thresholds = fields.array("threshold", np.float64, None)
    count = len(thresholds)
    if count < 2 or thresholds[0] != np.inf or thresholds[-1] != -np.inf:
        raise fields.wrong("threshold", "must begin with inf and end with -inf")
    if not (np.diff(thresholds) <= 0.0).all():
        raise fields.wrong("threshold", "must decrease")
    curve = {"threshold": thresholds}
    for name in ("tp", "fp", "fn", "tn", "alarms"):
        curve[name] = fields.floats(name, count)
        if (curve[name] < 0.0).any():
            raise fields.wrong(name, "has a negative count")
    for name in ("recall", "precision"):
        curve[name] = fields.array(name, np.float64, count)
        known = curve[name][curve["alarms"] > 0.0] if name == "precision" else curve[name]
        if not ((known >= 0.0) & (known <= 1.0)).all():
            raise fields.wrong(name, "is not between 0 and 1")
    if "cost" in fields:
        curve["cost"] = fields.floats("cost", count)
    fields.done()
    return curve
