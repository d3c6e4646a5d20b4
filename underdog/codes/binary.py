"""Two classes, one column."""

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
    sigmoid,
    stored_classes,
    two_or_more,
)
from underdog.files import Fields
from underdog.kernels import prediction
from underdog.types import Codes, Floats, owned


class Binary(Code):
    """One column: +1 for the positive class.

    Parameters
    ----------
    pos_label : label, optional
        The positive class; by default the last of the two in sorted order.

    Examples
    --------
    >>> from underdog.codes import Binary
    >>> Binary().fit(["ham", "spam", "ham"]).sign(["spam", "ham"]).tolist()
    [[1], [0]]
    """

    def __init__(self, pos_label: Any = None) -> None:
        self.pos_label = pos_label

    def fit(self, y: Any) -> BinaryLabels:
        classes = two_or_more(y)
        if len(classes) > 2:
            raise ValueError(
                f"the code Binary is for two classes, but y has {len(classes)}: use OneOfK"
            )
        if self.pos_label is None:
            return BinaryLabels(classes, 1)
        found = np.flatnonzero(classes == self.pos_label)
        if len(found) == 0:
            hint = ""
            if isinstance(self.pos_label, str) and classes.tolist() == [0, 1]:
                hint = (
                    ". scikit-learn may replace labels by integers before fitting "
                    "(cross_val_predict, voting, stacking, CalibratedClassifierCV(ensemble=False))"
                    ": then give the integer"
                )
            raise ValueError(
                f"pos_label={self.pos_label!r} is not a class of y, whose classes are "
                f"{classes.tolist()}{hint}"
            )
        return BinaryLabels(classes, int(found[0]))


@dataclass(frozen=True)
class BinaryLabels(NamedClasses):
    """Two classes; `positive` is the index of the positive one."""

    classes: Classes
    positive: int
    n_labels: int = 1

    def _to_file(self) -> dict[str, Any]:
        return {"classes": self.classes, "positive": self.positive}

    @classmethod
    def _from_file(cls, fields: Fields) -> BinaryLabels:
        classes = stored_classes(fields)
        if len(classes) != 2:
            raise fields.wrong("classes", "must be two")
        return cls(classes, fields.integer("positive", 0, 1))

    def check(self, y: Any, name: str) -> None:
        check_known(self.classes, y, name)

    def sign(self, y: Any) -> Codes:
        positive: Codes = (np.asarray(y) == self.classes[self.positive]).astype(np.uint8)
        return positive[:, np.newaxis]

    def decision(self, scores: Floats) -> Floats:
        return scores[:, 0] if self.positive == 1 else -scores[:, 0]

    def predict(self, scores: Floats) -> Any:
        chosen = np.empty(len(scores), dtype=np.int64)
        prediction.above_zero(owned(scores, np.float64), 1.0 if self.positive else -1.0, chosen)
        return self.classes[chosen]

    def probability(self, scores: Floats, scale: float, log_weight: Floats) -> Floats:
        last = sigmoid(scale * self.decision(scores) - (log_weight[1] - log_weight[0]))
        return np.column_stack([1.0 - last, last])

    def calibrated(self, log_odds: Floats) -> Floats:
        return self.probability(log_odds, 1.0, np.zeros(2))

    def headline(self, names: Sequence[str]) -> str:
        return f"score > 0 means {names[self.positive]!r}, else {names[1 - self.positive]!r}"
