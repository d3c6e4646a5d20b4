"""How a class is predicted, in one sentence."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from underdog.checks import to_python
from underdog.codes.multi_label import MultiLabels
from underdog.decisions.cost_sensitive import CostSensitiveClassifier
from underdog.decisions.thresholds import ThresholdClassifier

CERTAIN = 1e-9
"""Nearer to 0 or 1 than this, or if probabilities do not rise with scores, a limit is a score."""


def about_decision(decider: Any) -> str:
    """The sentence about a fitted booster, or about what decides by its scores."""
    if isinstance(decider, CostSensitiveClassifier):
        return "The class with the least expected cost is predicted."
    if not isinstance(decider, ThresholdClassifier):
        if isinstance(decider._labels, MultiLabels):
            return "Every label with a probability above 0.5 is predicted."
        return "The most probable class is predicted."
    curve = decider.curve_
    place = int(np.flatnonzero(curve["threshold"] == decider.threshold_)[0])
    tp, fp, fn = (float(curve[part][place]) for part in ("tp", "fp", "fn"))
    f1 = 2 * tp / max(2 * tp + fp + fn, 1e-300)
    rows = "left-out rows"
    if decider.prevalence_ is not None:
        rows += f", weighted for a share of {decider.prevalence_[decider._positive]:.3g}"
    return (
        f"{_limit(decider)}, chosen by {decider.choose!r} on {rows}: F1 {f1:.3f}, precision "
        f"{tp / max(tp + fp, 1e-300):.3f}, recall {tp / max(tp + fn, 1e-300):.3f}."
    )


def _limit(decider: ThresholdClassifier) -> str:
    """From where on the positive class is predicted."""
    name = repr(to_python(decider.classes_[decider._positive]))
    threshold = float(decider.threshold_)
    if math.isinf(threshold):
        return f"{name} is predicted for {'no row' if threshold > 0.0 else 'every row'}"
    probability, higher = (_probability_at(decider, threshold + more) for more in (0.0, 1.0))
    if higher <= probability or not CERTAIN < probability < 1.0 - CERTAIN:
        return f"{name} is predicted if its score is above {threshold:.4g}"
    return f"{name} is predicted if its probability is above {written(probability)}"


def _probability_at(decider: ThresholdClassifier, threshold: float) -> float:
    """The probability of the positive class where its score is the threshold."""
    booster, place = decider.estimator_, decider._positive
    same = booster._labels.positive == place
    own = booster._probability(np.array([[threshold if same else -threshold]]))
    return float(decider._shifted(own)[0, place])


def written(probability: float) -> str:
    """A probability, with three digits of it or of what it lacks to 1.

    Examples
    --------
    >>> from underdog.automatic.decision import written
    >>> written(0.4), written(0.12345), written(0.000123456), written(0.999876)
    ('0.4', '0.123', '0.000123', '0.999876')
    """
    rest = 1.0 - probability
    if rest > 0.01:
        return f"{probability:.3g}"
    return f"{probability:.{2 - math.floor(math.log10(rest))}f}".rstrip("0")
