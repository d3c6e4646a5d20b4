"""Several labels in order: those above a cut are predicted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from underdog.checks import as_float, is_number
from underdog.codes.base import join_names
from underdog.codes.multi_label import MultiLabel, MultiLabels
from underdog.files import Fields
from underdog.types import Floats


class Ranked(MultiLabel):
    """`MultiLabel`, but the labels with a score above `cut` are predicted.

    Parameters
    ----------
    cut : float, default=0.0

    Examples
    --------
    >>> import numpy as np
    >>> from underdog.codes.ranked import Ranked
    >>> labels = Ranked(cut=0.5).fit(np.array([[1, 0], [1, 1]]))
    >>> labels.predict(np.array([[0.7, 0.2]])).tolist()
    [[1, 0]]
    """

    def __init__(self, cut: float = 0.0) -> None:
        self.cut: float = as_float(cut)

    def check(self) -> None:
        if not is_number(self.cut):
            raise ValueError(f"cut={self.cut!r} must be a number: labels above it are predicted")

    def fit(self, y: Any) -> RankedLabels:
        own = super().fit(y)
        return RankedLabels(own.classes, own.n_labels, self.cut)


@dataclass(frozen=True)
class RankedLabels(MultiLabels):
    """The numbers of the label columns, and the score above which a label is predicted."""

    cut: float = 0.0

    def _to_file(self) -> dict[str, Any]:
        return {**super()._to_file(), "cut": self.cut}

    @classmethod
    def _from_file(cls, fields: Fields) -> RankedLabels:
        own = MultiLabels._from_file(fields)
        return cls(own.classes, own.n_labels, fields.number("cut"))

    def decision(self, scores: Floats) -> Floats:
        return scores - self.cut

    def predict(self, scores: Floats) -> Any:
        return (scores > self.cut).astype(np.int64)

    def headline(self, names: Sequence[str]) -> str:
        rule = f"a label is predicted if its score is above {self.cut:g}"
        return f"one score per label; {rule}: {join_names(names)}"
