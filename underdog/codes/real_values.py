"""Real-valued targets: numbers, counts and quantiles."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from underdog.codes.base import Code
from underdog.files import Fields
from underdog.kernels.elementary import GRID, exp_each
from underdog.types import Floats

LARGEST = 15
"""Targets are below 2**15 units, so that scores stay below 2**16."""
SPREAD = 6
"""The range of the targets is below 2**7 units, which leaves room for the steps of all rounds."""
EXPONENTS = (-960, 995)
"""Of the unit. Outside of them the steps would overflow, or have too few bits."""


class RealValues(Code):
    """Numbers as they are, in a unit that is a power of two.

    With this unit targets, steps and residuals are multiples of 2**-36, so that their sums are
    exact. Predictions have the unit of the target again.

    Parameters
    ----------
    quantiles : tuple of float, optional
        One column for each of these quantiles; by default one column.
    log_link : bool, default=False
        Whether scores are logarithms of predictions. Then the unit is 1.

    Examples
    --------
    >>> import numpy as np
    >>> from underdog.codes import RealValues
    >>> labels = RealValues().fit(np.array([1000.0, 2000.0, 3000.0]))
    >>> labels.unit, labels.value(np.array([2000.0])).tolist()
    (16.0, [[125.0]])
    """

    def __init__(self, quantiles: tuple[float, ...] | None = None, log_link: bool = False) -> None:
        self.quantiles = quantiles
        self.log_link = log_link

    def fit(self, y: Any) -> RealLabels:
        exponent = 0 if self.log_link else _exponent(np.asarray(y, dtype=np.float64))
        return RealLabels(exponent, self.quantiles, self.log_link)


@dataclass(frozen=True)
class RealLabels:
    """A real-valued target, whose unit is 2**exponent."""

    exponent: int
    quantiles: tuple[float, ...] | None = None
    log_link: bool = False

    def _to_file(self) -> dict[str, Any]:
        return {
            "exponent": self.exponent,
            "quantiles": np.array(self.quantiles or ()),
            "log_link": self.log_link,
        }

    @classmethod
    def _from_file(cls, fields: Fields) -> RealLabels:
        given = fields.floats("quantiles", None)
        inside = bool(((given > 0.0) & (given < 1.0)).all())
        if not inside or not bool((np.diff(given) > 0.0).all()):
            raise fields.wrong("quantiles", "must be rising numbers between 0 and 1")
        quantiles = tuple(given.tolist()) or None
        return cls(fields.integer("exponent", *EXPONENTS), quantiles, fields.flag("log_link"))

    @property
    def n_labels(self) -> int:
        return 1 if self.quantiles is None else len(self.quantiles)

    @property
    def unit(self) -> float:
        """What a score of 1 is worth."""
        return math.ldexp(1.0, self.exponent)

    @property
    def names(self) -> list[str]:
        if self.quantiles is None:
            return ["prediction"]
        return [f"quantile {share:g}" for share in self.quantiles]

    @property
    def middle(self) -> int:
        """The number of the quantile that is closest to the median; 0 if there is one score."""
        if self.quantiles is None:
            return 0
        return int(np.argmin(np.abs(np.array(self.quantiles) - 0.5)))

    @property
    def noun(self) -> str:
        return "quantile"

    def check(self, y: Any, name: str) -> None:
        """Every finite number can be compared with predictions."""

    def value(self, y: Any) -> Floats:
        """(n, K) the target in this unit, on the score grid; as it is if scores are logarithms."""
        own = np.asarray(y, dtype=np.float64)
        if not self.log_link:
            own = np.rint(np.ldexp(own, -self.exponent) * GRID) / GRID
        return np.repeat(own[:, np.newaxis], self.n_labels, axis=1)

    def predict(self, scores: Floats) -> Any:
        """(n,) predictions; (n, K) quantiles, sorted in each row."""
        if self.quantiles is not None:
            return np.sort(scores, axis=1)
        if not self.log_link:
            return scores[:, 0]
        result = np.empty(len(scores))
        exp_each(np.ascontiguousarray(scores[:, 0]), result)
        return result

    def headline(self, names: Sequence[str]) -> str:
        if self.quantiles is not None:
            return f"scores are {', '.join(names)}"
        return "exp(score) is the prediction" if self.log_link else "score is the prediction"


def _exponent(y: Floats) -> int:
    """The exponent of the unit of these targets."""
    lowest, highest = float(y.min()), float(y.max())
    largest, spread = max(abs(lowest), abs(highest)), highest / 2.0 - lowest / 2.0
    if largest == 0.0:
        return 0
    exponent = math.frexp(largest)[1] - LARGEST
    if spread > 0.0:
        exponent = max(exponent, math.frexp(spread)[1] - SPREAD)
    if not EXPONENTS[0] <= exponent <= EXPONENTS[1]:
        size = "small" if exponent < 0 else "large"
        raise ValueError(
            f"y ranges from {lowest:g} to {highest:g}, which is too {size} for sums to be exact: "
            "multiply y by a constant, and divide the predictions by it"
        )
    return exponent
