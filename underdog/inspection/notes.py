"""How the models around a booster use its scores, in words."""

from __future__ import annotations

from typing import Any

from sklearn.calibration import CalibratedClassifierCV
from sklearn.compose import TransformedTargetRegressor
from sklearn.frozen import FrozenEstimator
from sklearn.model_selection import FixedThresholdClassifier
from sklearn.pipeline import Pipeline

from underdog.decisions.cost_sensitive import CostSensitiveClassifier
from underdog.decisions.out_of_fold import scoring_method
from underdog.decisions.thresholds import ThresholdClassifier
from underdog.estimators.support.predictions import Predictions
from underdog.model.writing import rounded


def changes_target(model: Any) -> bool:
    """Whether a model transforms y."""
    return isinstance(model, TransformedTargetRegressor)


def note(model: Any, booster: Predictions) -> str | None:
    """How a model uses the scores of the booster inside."""
    name = type(model).__name__
    if isinstance(model, ThresholdClassifier):
        return f"{name}: {_threshold(model, booster)}"
    if isinstance(model, CostSensitiveClassifier):
        costs = "all mistakes cost the same" if model.costs is None else repr(model.costs)
        how = "the booster's own"
        if model.calibration is not None:
            how = f"computed from scores by {model.calibration} calibration"
        rule = f"predicts the class with the least expected cost ({costs})"
        return f"{name}: {rule}; probabilities are {how}"
    if isinstance(model, CalibratedClassifierCV):
        return f"{name}: probabilities are computed from scores by {model.method} calibration"
    if changes_target(model):
        return f"{name}: scores are of the transformed target, predictions of the target itself"
    if isinstance(model, FixedThresholdClassifier):
        threshold = None if model.threshold == "auto" else model.threshold
    else:
        threshold = getattr(model, "best_threshold_", None)
    return (
        None
        if threshold is None
        else f"{name}: predicts with a threshold of {rounded(float(threshold))}"
    )


def _threshold(model: ThresholdClassifier, booster: Predictions) -> str:
    """When the positive class is predicted, by the booster's score if the threshold is on it."""
    label, threshold = str(model.classes_[model._positive]), float(model.threshold_)
    scorer = model.estimator_
    while isinstance(scorer, Pipeline | FrozenEstimator):
        scorer = scorer[-1] if isinstance(scorer, Pipeline) else scorer.estimator
    if scorer is not booster:
        what = "score" if scoring_method(scorer) == "decision_function" else "probability"
        where = f"its {what} by {type(scorer).__name__} is above {rounded(threshold)}"
    elif booster._labels.positive == model._positive:
        where = f"its score is above {rounded(threshold)}"
    else:
        other = str(model.classes_[1 - model._positive])
        where = f"the score for {other!r} is below {rounded(-threshold)}"
    return f"predicts {label!r} if {where}"
