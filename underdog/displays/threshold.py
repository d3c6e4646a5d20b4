"""The threshold of a model on the scores of the booster inside."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np

from underdog.codes.binary import BinaryLabels
from underdog.inspection.unwrap import UnwrappedModel
from underdog.types import Flags, Floats

POINTS, ROUNDS = 1001, 4
"""Scores that are tried at once, and how often between the last two: to 1e-12 of all scores."""


def score_threshold(explained: UnwrappedModel) -> float | None:
    """The score at which the prediction changes; None if there is not exactly one such score.

    With a threshold, costs or a calibration around a booster, predictions depend on its score
    alone. So the model predicts for scores from the lowest possible one to the highest.
    """
    labels = explained.booster._labels
    if not isinstance(labels, BinaryLabels):
        return None
    model, positive = _on_scores(explained), labels.classes[labels.positive]
    high = sum(member.size for member in explained.booster.model_.members) + 1.0
    low = -high
    for _ in range(ROUNDS):
        scores: Floats = np.linspace(low, high, POINTS)
        decided: Flags = np.asarray(model.predict(scores[:, np.newaxis])) == positive
        changes = np.flatnonzero(decided[1:] != decided[:-1])
        if len(changes) != 1:
            return None
        low, high = scores[changes[0]], scores[changes[0] + 1]
    return float(low)


def _on_scores(explained: UnwrappedModel) -> Any:
    """The same model, but for rows that are scores of the booster: nothing comes before them."""
    booster = copy.copy(explained.booster)
    booster.__dict__["_scores"] = lambda scores, *_: scores
    instead: dict[int, Any] = {id(explained.booster): booster}
    for transform in explained.transforms:
        steps = (step for _, step in transform.steps if hasattr(step, "transform"))
        instead |= {id(step): "passthrough" for step in steps}
    return copy.deepcopy(explained.model, instead)
