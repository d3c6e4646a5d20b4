"""Sentences about models that need no heavy imports."""

from __future__ import annotations

import math
from typing import Any

TITLES = {
    "cost": "mean cost",
    "precision": "precision",
    "recall": "recall",
    "f1": "F1",
    "average_precision": "average precision",
    "roc_auc": "ROC AUC",
    "brier": "Brier score",
    "accuracy": "accuracy",
}
"""Names of measures."""


def decision_text(decision: dict[str, Any], positive: str | None) -> str:
    """How a model predicts, in words."""
    if decision["by"] == "threshold":
        threshold = decision["threshold"]
        predicts = f"predicts {positive!r} if the score is above {threshold:.4g}"
        if math.isinf(threshold):
            predicts = f"{'never' if threshold > 0 else 'always'} predicts {positive!r}"
        chosen = f"threshold chosen by {decision['chosen by'].replace('f1', 'F1')}"
        remedy = "; --threshold chooses another" if math.isinf(threshold) else ""
        return f"{predicts} ({chosen} in cross-validation{remedy})"
    if "costs" in decision:
        return f"predicts the class with the least expected cost ({decision['costs']})"
    if positive is None:
        return "predicts the class with the highest score"
    return f"predicts {positive!r} if the score is above 0"


def threshold_text(found: dict[str, Any]) -> str:
    """Whether another threshold was better in cross-validation."""
    measure, own, chosen = TITLES[found["measure"]], found["own"], found["chosen"]
    noise = f"two standard errors ({2 * found['standard_error']:.2g})"
    title = measure[0].upper() + measure[1:]
    means = f"{title} in cross-validation: {own:.3f} with the default threshold, {chosen:.3f}"
    if found["moved"]:
        return f"{means} with the chosen one, a gain of {found['gain']:.2g}, more than {noise}."
    if found["gain"] <= 0:
        return f"{means} with a chosen one, which is not better."
    return f"{means} with a chosen one, a gain of {found['gain']:.2g}, not more than {noise}."
