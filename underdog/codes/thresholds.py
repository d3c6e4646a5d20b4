"""Real-valued targets as yes/no columns: is y above a threshold?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from numbers import Integral
from typing import Any, ClassVar

import numpy as np

from underdog.checks import check_integer, is_number
from underdog.codes.base import Code, join_names
from underdog.files import Fields
from underdog.types import Codes, Floats, Integers


class ThresholdColumns(Code):
    """A column for each threshold s, with the label y > s.

    Parameters
    ----------
    thresholds : int or sequence of float, default=15
        How many quantiles of y are thresholds, or the thresholds themselves.

    Examples
    --------
    >>> import numpy as np
    >>> from underdog.codes import ThresholdColumns
    >>> labels = ThresholdColumns(3).fit(np.arange(8.0))
    >>> labels.thresholds.tolist(), labels.ends
    ([1.0, 3.0, 5.0], (0.0, 6.0))
    >>> labels.between.tolist()
    [[2.0, 3.0], [4.0, 5.0]]
    >>> labels.predict(np.array([[2.0, 1.0, -3.0], [-1.0, -1.0, -1.0]])).tolist()
    [4.25, 0.0]
    """

    def __init__(self, thresholds: Any = 15) -> None:
        self.thresholds = thresholds

    def check(self) -> None:
        given = self.thresholds
        if is_number(given):
            check_integer("thresholds", given, 1)
            return
        values = [] if isinstance(given, str) or not np.iterable(given) else list(given)
        known = all(is_number(value) and np.isfinite(value) for value in values)
        if not values or not known or len(set(values)) < len(values):
            raise ValueError(
                f"thresholds={given!r:.60} must be a number of quantiles such as 15, or different "
                "numbers such as [10.0, 20.0]"
            )

    def fit(self, y: Any, weights: Integers | None = None) -> ThresholdLabels:
        """Learn the thresholds.

        Parameters
        ----------
        y : (n,)
        weights : (n,) integers, optional
            By default all are 1.
        """
        values = np.asarray(y, dtype=np.float64)
        own = np.ones(len(values), dtype=np.int64) if weights is None else weights
        if isinstance(self.thresholds, Integral):
            shares = [(g + 1, int(self.thresholds) + 1) for g in range(int(self.thresholds))]
            found = np.unique(quantiles(values, own, shares))
            found = found[found < values.max()]
            if not len(found):
                found = np.array([values.min()])
        else:
            found = np.sort(np.array(list(self.thresholds), dtype=np.float64))
        below, above = values <= found[0], values > found[-1]
        ends = tuple(
            float(quantiles(values[side], own[side], [(1, 2)])[0]) if side.any() else float(end)
            for side, end in ((below, found[0]), (above, found[-1]))
        )
        inner = np.sort(values[(values > found[0]) & (values <= found[-1])])
        first = np.searchsorted(inner, found[:-1], side="right")
        stop = np.searchsorted(inner, found[1:], side="right")
        between = np.column_stack([found[:-1], found[1:]])
        any_ = first < stop
        between[any_] = np.column_stack([inner[first[any_]], inner[stop[any_] - 1]])
        return ThresholdLabels(found, (ends[0], ends[1]), between)


@dataclass(frozen=True)
class ThresholdLabels:
    """Rising thresholds, and what is predicted below, between and above them.

    `between` has the least and the largest target between two thresholds; where there are none, the
    thresholds themselves.
    """

    thresholds: Floats
    ends: tuple[float, float]
    between: Floats
    unit: float = 1.0
    noun: ClassVar[str] = "threshold"
    """What a column of the scores is for."""

    def _to_file(self) -> dict[str, Any]:
        return {
            "thresholds": self.thresholds,
            "ends": np.array(self.ends),
            "between": self.between,
        }

    @classmethod
    def _from_file(cls, fields: Fields) -> ThresholdLabels:
        thresholds = fields.floats("thresholds", None)
        if not len(thresholds) or not bool((np.diff(thresholds) > 0.0).all()):
            raise fields.wrong("thresholds", "must be rising numbers")
        low, high = fields.floats("ends", 2).tolist()
        if low > thresholds[0] or high < thresholds[-1]:
            raise fields.wrong("ends", "must be outside the thresholds")
        between = np.column_stack([thresholds[:-1], thresholds[1:]])
        if "between" in fields:  # files of earlier versions have none
            between = fields.floats("between", len(thresholds) - 1, 2)
        lowest, highest = between.T
        right = (thresholds[:-1] <= lowest) & (lowest <= highest) & (highest <= thresholds[1:])
        if not bool(right.all()):
            raise fields.wrong("between", "must be between the thresholds")
        return cls(thresholds, (low, high), between)

    @property
    def n_labels(self) -> int:
        return len(self.thresholds)

    @property
    def names(self) -> list[str]:
        return [f"> {value:g}" for value in self.thresholds]

    def check(self, y: Any, name: str) -> None:
        """Every finite number can be compared with predictions."""

    def sign(self, y: Any) -> Codes:
        """(n, K) 1 where y is above the threshold."""
        own = np.asarray(y, dtype=np.float64)[:, np.newaxis]
        return np.ascontiguousarray(own > self.thresholds).astype(np.uint8)

    def predict(self, scores: Floats) -> Floats:
        """(n,) where the scores, sorted in each row so that they fall, change their sign.

        Between two thresholds the place is interpolated, from the least target there to the
        largest: whole numbers are not drawn towards a threshold below which there is none.
        """
        falling = -np.sort(-scores, axis=1)
        above = (falling > 0.0).sum(axis=1)
        last = self.n_labels - 1
        rows = np.arange(len(scores))
        before, after = falling[rows, (above - 1).clip(0)], falling[rows, above.clip(None, last)]
        inner = (above > 0) & (above <= last)
        share = np.divide(before, before - after, out=np.zeros(len(rows)), where=inner)
        place = np.where(inner, above - 1, 0)
        low, high = self.between[place].T if last else np.zeros((2, len(rows)))
        inside = np.where(low == high, low, (1.0 - share) * low + share * high)
        result: Floats = np.where(above == 0, self.ends[0], np.where(inner, inside, self.ends[1]))
        return result

    def headline(self, names: Sequence[str]) -> str:
        return f"the prediction is where the scores change sign: {join_names(names)}"


def quantiles(values: Floats, weights: Integers, shares: Sequence[tuple[int, int]]) -> Floats:
    """The smallest values at which the cumulated weight reaches p/q of all, for pairs (p, q)."""
    order = np.argsort(values, kind="stable")
    reached, total = np.cumsum(weights[order]), int(weights.sum())
    places = [np.searchsorted(reached, -(-p * total // q)) for p, q in shares]
    result: Floats = values[order][places]
    return result
