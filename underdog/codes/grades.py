"""Rankings: scores that are compared with each other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from underdog.codes.base import Code
from underdog.files import Fields
from underdog.types import Floats


class Grades(Code):
    """Grades of rows: one column of scores, of which only the order matters.

    Examples
    --------
    >>> import numpy as np
    >>> from underdog.codes import Grades
    >>> Grades().fit(np.array([0.0, 2.0])).predict(np.array([[0.5], [-1.0]]))
    array([ 0.5, -1. ])
    """

    def fit(self, y: Any) -> GradeLabels:
        return GradeLabels()


@dataclass(frozen=True)
class GradeLabels:
    """What the score of a ranking means."""

    def _to_file(self) -> dict[str, Any]:
        return {}

    @classmethod
    def _from_file(cls, _: Fields) -> GradeLabels:
        return cls()

    @property
    def n_labels(self) -> int:
        return 1

    @property
    def names(self) -> list[str]:
        return ["score"]

    @property
    def quantiles(self) -> None:
        """There is one score."""

    @property
    def log_link(self) -> bool:
        """Scores are what is predicted."""
        return False

    @property
    def middle(self) -> int:
        return 0

    @property
    def noun(self) -> str:
        return "score"

    def check(self, y: Any, name: str) -> None:
        """All grades can be compared."""

    def predict(self, scores: Floats) -> Floats:
        """(n,) the scores themselves."""
        return scores[:, 0]

    def headline(self, names: Sequence[str]) -> str:
        return "a higher score stands before a lower one"
