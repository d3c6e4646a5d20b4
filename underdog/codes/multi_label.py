"""Multilabel targets: one column per label."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from underdog.codes.base import Classes, Code, NamedClasses, join_names, sigmoid
from underdog.files import Fields
from underdog.types import Codes, Floats


class MultiLabel(Code):
    """The columns of an indicator matrix, for multilabel problems.

    Examples
    --------
    >>> import numpy as np
    >>> from underdog.codes import MultiLabel
    >>> MultiLabel().fit(np.array([[1, 0], [1, 1]])).n_labels
    2
    """

    def fit(self, y: Any) -> MultiLabels:
        if np.ndim(y) != 2:
            raise ValueError(
                "the code MultiLabel needs a column of 0 and 1 per label, but y has one label per "
                "row: use Binary or OneOfK"
            )
        return MultiLabels(np.arange(y.shape[1]), int(y.shape[1]))


@dataclass(frozen=True)
class MultiLabels(NamedClasses):
    """The numbers of the label columns."""

    classes: Classes
    n_labels: int
    exclusive: ClassVar[bool] = False

    def _to_file(self) -> dict[str, Any]:
        return {"classes": self.classes}

    @classmethod
    def _from_file(cls, fields: Fields) -> MultiLabels:
        classes = fields.array("classes", np.int64, None)
        if not len(classes) or not np.array_equal(classes, np.arange(len(classes))):
            raise fields.wrong("classes", "must be the numbers of the labels")
        return cls(classes, len(classes))

    def check(self, y: Any, name: str) -> None:
        if y.ndim != 2 or y.shape[1] != self.n_labels:
            raise ValueError(
                f"{name} has the shape {y.shape}, but the model was trained with {self.n_labels} "
                "label columns"
            )

    def sign(self, y: Any) -> Codes:
        return np.ascontiguousarray(y).astype(np.uint8)

    def decision(self, scores: Floats) -> Floats:
        return scores

    def predict(self, scores: Floats) -> Any:
        return (scores > 0).astype(np.int64)

    def probability(self, scores: Floats, scale: float, log_weight: Floats) -> Floats:
        return sigmoid(scale * scores - (log_weight[1] - log_weight[0]))

    def calibrated(self, log_odds: Floats) -> Floats:
        return sigmoid(log_odds)

    def most_probable(self, probabilities: Floats) -> Any:
        return (probabilities > 0.5).astype(np.int64)

    def headline(self, names: Sequence[str]) -> str:
        rule = "a label is predicted if its score is above 0"
        return f"one score per label; {rule}: {join_names(names)}"
