"""The rows that a decider learns from: one of weight 0 is none."""

from __future__ import annotations

from dataclasses import dataclass
from numbers import Integral
from typing import Any

import numpy as np

from underdog.data.conversion import take_rows
from underdog.estimators.support.weights import relative_weight
from underdog.types import Floats, Integers


@dataclass(frozen=True)
class FitRows:
    """Rows that count.

    Attributes
    ----------
    X, y : of these rows
    weights : (n,), or None if none were given
    params : for the estimator's fit, with the weights; those with a value per row are of these rows
    kept : their places among the rows that fit was given
    n_given : how many rows these were
    """

    X: Any
    y: Any
    weights: Floats | None
    params: dict[str, Any]
    kept: Integers
    n_given: int

    @classmethod
    def from_arguments(cls, X: Any, y: Any, sample_weight: Any, params: dict[str, Any]) -> FitRows:
        """Those of all rows that have a weight."""
        if sample_weight is None:
            return cls(X, y, None, params, np.arange(len(y)), len(y))
        weights = relative_weight("sample_weight", sample_weight, len(y))
        params = {**params, "sample_weight": weights}
        kept = np.flatnonzero(weights)
        if not len(kept):
            raise ValueError(
                "sample_weight is 0 for every row: weights must contain at least one non-zero "
                "number"
            )
        if len(kept) == len(y):
            return cls(X, y, weights, params, kept, len(y))
        cut = {
            name: take_rows(value, kept) if _is_per_row(value, len(y)) else value
            for name, value in params.items()
        }
        return cls(take_rows(X, kept), y[kept], weights[kept], cut, kept, len(y))

    def cut(self, cv: Any, X: Any, y: Any) -> Any:
        """`cv` for these rows, where X and y are all that fit was given; a number stays as it is.

        Splits, and splitters such as PredefinedSplit, know rows by their places among all of them.
        """
        if len(self.kept) == self.n_given or isinstance(cv, Integral):
            return cv
        place = np.full(self.n_given, -1)
        place[self.kept] = np.arange(len(self.kept))
        splits = cv.split(X, y) if hasattr(cv, "split") else cv
        cut = [[part[part >= 0] for part in (place[train], place[test])] for train, test in splits]
        return [(train, test) for train, test in cut if len(test)]


def _is_per_row(value: Any, n_rows: int) -> bool:
    """Whether there is a value for each row."""
    if isinstance(value, list | tuple):
        return len(value) == n_rows
    shape: tuple[int, ...] = getattr(value, "shape", ())
    return len(shape) > 0 and shape[0] == n_rows
