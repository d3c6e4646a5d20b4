"""The absolute error, and the quantile loss of one or several quantiles."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np

from underdog.checks import is_number
from underdog.core import Partition, Rows
from underdog.kernels.elementary import GRID
from underdog.losses.regression import OfResidual, RegressionLoss, ResidualSignal
from underdog.types import Flags, Floats


class QuantileLoss(RegressionLoss):
    """The mean of u_i a (y_i - F(x_i)) where F is too low, and of u_i (1 - a) (F - y) elsewhere.

    It is least at the a-quantile of y given x. Trees are fitted to the gradients, a where F is at
    most y and a - 1 elsewhere, and leaves say the a-quantile of their residuals: the smallest one
    at which the cumulated weight reaches a. Scores start from the a-quantile of the targets. With
    several quantiles each has a score of its own, and all share the trees.

    Parameters
    ----------
    quantiles : float or sequence of float, default=0.5
        Between 0 and 1.

    References
    ----------
    Friedman, "Greedy function approximation", Annals of Statistics 29, 2001, section 4.2.

    Examples
    --------
    >>> from underdog.losses import QuantileLoss
    >>> QuantileLoss((0.1, 0.9)).each([[0.0, 0.0]], [[1.0, 1.0]]).tolist()
    [[0.1, 0.9]]
    """

    def __init__(self, quantiles: Any = 0.5) -> None:
        self.quantiles = quantiles

    @property
    def several(self) -> tuple[float, ...] | None:
        """The quantiles, if several were given."""
        return None if is_number(self.quantiles) else self.shares

    @property
    def shares(self) -> tuple[float, ...]:
        """The quantiles as a tuple."""
        return (self.quantiles,) if is_number(self.quantiles) else tuple(self.quantiles)

    def check(self) -> None:
        check_quantiles("quantiles", self.quantiles)

    def _factors(self) -> tuple[Floats, Floats]:
        """(K,) the gradients where a score is too low, and where it is too high."""
        above = np.array(self.shares, dtype=np.float64)
        return above, above - 1.0

    def each(self, scores: Any, y: Any, context: float = math.inf) -> Floats:
        residual = np.asarray(y) - np.asarray(scores)
        low, high = self._factors()
        result: Floats = np.where(residual >= 0.0, low * residual, high * residual)
        return result

    def derivatives(
        self, scores: Floats, y: Any, context: float = math.inf
    ) -> tuple[Floats, Floats]:
        low, high = self._factors()
        return np.where(y >= scores, low, high), np.ones(scores.shape)

    def of_residual(self, context: float) -> OfResidual:
        low, high = self._factors()
        return OfResidual(high, low, by_sign=True, times_residual=True)

    def start(self, rows: Rows) -> Floats:
        signal = self.make_signal(rows)
        found = rows.select(signal.residuals, self.shares, weigh=signal.weights)
        result: Floats = found[0] / GRID
        return result

    def leaf_values(
        self,
        signal: ResidualSignal,
        partition: tuple[Partition, ...],
        drawn: tuple[Flags, ...] | None,
        masses: Floats,
        values: Floats,
    ) -> Floats:
        weigh = partial(signal.drawn_weights, drawn=drawn)
        found = signal.rows.select(signal.residuals, self.shares, partition, len(values), weigh)
        result: Floats = found / GRID
        return result


class AbsoluteError(QuantileLoss):
    """The mean of u_i |y_i - F(x_i)|: leaves say the median of their residuals.

    This is `QuantileLoss` for the quantile 0.5, times 2.

    References
    ----------
    Friedman, "Greedy function approximation", Annals of Statistics 29, 2001, algorithm 3.

    Examples
    --------
    >>> from underdog.losses import AbsoluteError
    >>> AbsoluteError().each([[1.0]], [[3.0]]).tolist()
    [[2.0]]
    """

    def __init__(self) -> None:
        super().__init__(0.5)

    def _factors(self) -> tuple[Floats, Floats]:
        return np.ones(1), -np.ones(1)


def d2_pinball(y: Any, predicted: Floats, quantiles: Sequence[float], weight: Any = None) -> float:
    """The mean over the quantiles of `sklearn.metrics.d2_pinball_score`.

    1 minus the quantile loss divided by that of the quantiles of y: 1 is perfect, 0 is a constant.

    Parameters
    ----------
    y : (n,)
    predicted : (n, K) for these quantiles
    quantiles : K numbers between 0 and 1
    weight : (n,) weights of the rows, optional
    """
    from sklearn.metrics import d2_pinball_score  # slow to import

    found = [
        d2_pinball_score(y, own, sample_weight=weight, alpha=share)
        for own, share in zip(np.asarray(predicted).T, quantiles, strict=True)
    ]
    return float(np.mean(found))


def check_quantiles(name: str, given: Any) -> None:
    """Refuse anything but a number between 0 and 1, or several that rise."""
    try:
        shares = [given] if is_number(given) else list(given)
    except TypeError:
        shares = []
    if not shares or not all(is_number(each) and 0.0 < each < 1.0 for each in shares):
        raise ValueError(
            f"{name}={given!r} must be a number between 0 and 1, or several such as [0.1, 0.5, 0.9]"
        )
    if any(after <= before for before, after in pairwise(shares)):
        raise ValueError(f"{name}={given!r} must rise: sort them, and give each one once")
