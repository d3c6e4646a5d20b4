"""K classes as K columns, each one class against the rest, as in AdaBoost.MH."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from underdog.codes.base import (
    Classes,
    Code,
    NamedClasses,
    check_known,
    join_names,
    stored_classes,
    two_or_more,
)
from underdog.core import Target
from underdog.files import Fields
from underdog.types import Codes, Floats, Integers


class OneOfK(Code):
    """One column per class: +1 for the class itself, -1 for all others.

    Examples
    --------
    >>> from underdog.codes import OneOfK
    >>> OneOfK().fit([0, 1, 2]).sign([1]).tolist()
    [[0, 1, 0]]
    """

    def fit(self, y: Any) -> OneOfKLabels:
        classes = two_or_more(y)
        return OneOfKLabels(classes, len(classes))


@dataclass(frozen=True)
class OneOfKLabels(NamedClasses):
    """Classes with one column each."""

    classes: Classes
    n_labels: int

    def _to_file(self) -> dict[str, Any]:
        return {"classes": self.classes}

    @classmethod
    def _from_file(cls, fields: Fields) -> OneOfKLabels:
        classes = stored_classes(fields)
        return cls(classes, len(classes))

    def check(self, y: Any, name: str) -> None:
        check_known(self.classes, y, name)

    def sign(self, y: Any) -> Codes:
        own: Codes = (np.asarray(y)[:, np.newaxis] == self.classes).astype(np.uint8)
        return own

    def class_numbers(self, target: Target) -> Integers:
        """(n,) the place of the class of each row among all classes."""
        result: Integers = target.sign.argmax(axis=1)
        return result

    def decision(self, scores: Floats) -> Floats:
        return scores

    def predict(self, scores: Floats) -> Any:
        return self.classes[np.argmax(scores, axis=1)]

    def probability(self, scores: Floats, scale: float, log_weight: Floats) -> Floats:
        """Probabilities of the columns, corrected for class weights and normalised to sum to 1."""
        return normalised(-np.logaddexp(0.0, -scale * scores) - log_weight)

    def calibrated(self, log_odds: Floats) -> Floats:
        return normalised(-np.logaddexp(0.0, -log_odds))

    def headline(self, names: Sequence[str]) -> str:
        return f"one score per class, the highest wins: {join_names(names)}"


def normalised(logarithms: Floats) -> Floats:
    """(n, K) probabilities that sum to 1."""
    result: Floats = np.exp(logarithms - logarithms.max(axis=1, keepdims=True))
    result /= result.sum(axis=1, keepdims=True)
    return result
