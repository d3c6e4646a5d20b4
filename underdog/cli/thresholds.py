"""Whether a chosen threshold is better than the booster's own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from underdog.cli.plan import CrossValidation
from underdog.comparison.paired import corrected_error
from underdog.costs import Costs

THRESHOLDS = {"f1": "f1", "accuracy": Costs(fn=1, fp=1)}
"""Measures, and how a threshold is chosen for them."""
ENOUGH = 2.0
"""Standard errors that a moved threshold must gain."""


@dataclass(frozen=True)
class Threshold:
    """What is gained by another threshold than the booster's own.

    Attributes
    ----------
    measure : str
    own, chosen : float
        Mean of the measure in the folds with the booster's own threshold, and with one that was
        chosen by the scores of the other folds.
    standard_error : float
        Of the difference, corrected for folds that share examples (see `corrected_t`).
    always : bool
        Whether the threshold is moved whatever is gained.
    """

    measure: str
    own: float
    chosen: float
    standard_error: float
    always: bool = False

    @classmethod
    def from_scores(
        cls, measure: str, own: CrossValidation, chosen: CrossValidation, always: bool = False
    ) -> Threshold:
        """Compare the two in each fold."""
        before, after = (
            np.array([fold[measure] for fold in each.by_fold]) for each in (own, chosen)
        )
        error = corrected_error(after - before, own.ratio)
        return cls(measure, float(before.mean()), float(after.mean()), error, always)

    @property
    def gain(self) -> float:
        """By how much the chosen threshold is better."""
        return self.chosen - self.own

    @property
    def moved(self) -> bool:
        """Whether the gain is more than noise, or does not matter."""
        return self.always or self.gain > ENOUGH * self.standard_error

    def to_dict(self) -> dict[str, Any]:
        """As plain values."""
        return {**vars(self), "gain": self.gain, "moved": self.moved}
