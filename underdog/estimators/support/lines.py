"""A straight line from margins to log-odds, by Platt's method."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from scipy.optimize import minimize

from underdog.types import Codes, Floats

MAX_SLOPE = 2.0**10


class PlattLine(NamedTuple):
    """Scores times a slope, plus a shift for each label."""

    slope: float
    shift: Floats

    def __call__(self, scores: Floats) -> Floats:
        """(n, K) log-odds."""
        result: Floats = self.slope * scores + self.shift
        return result


def fit_line(loss: Any, scores: Floats, sign: Codes, weight: Floats) -> PlattLine:
    """The line with the least loss of these rows.

    So that the slope stays finite if the rows are separated, a row of class c counts a little as
    one of another class, one part in n_c + 2 where n_c is the number of examples of its class. The
    sums do not depend on the order of the rows.

    Parameters
    ----------
    loss : LogLoss or SoftmaxLoss
    scores : (n, K)
    sign : (n, K)
    weight : (n,)
    """
    examples = weight[:, np.newaxis]
    total = math.fsum(weight.tolist())
    of_class = [math.fsum(own.tolist()) for own in (examples * sign).T]
    positives = np.array(of_class)
    mixed = np.where(sign == 1, 1.0 / (positives + 2.0), 1.0 / (total - positives + 2.0))
    if sign.shape[1] > 1:  # the classes of one row are not independent
        mixed = np.where(sign == 1, mixed, 0.0).sum(axis=1, keepdims=True)
    other = 1 - sign if sign.shape[1] == 1 else sign
    start = loss_start(positives, total)

    def objective(point: Floats) -> tuple[float, Floats]:
        moved = point[0] * scores + point[1:]
        each = (1.0 - mixed) * loss.each(moved, sign) + mixed * loss.each(moved, other)
        slopes = (1.0 - mixed) * loss.derivatives(moved, sign)[0]
        slopes = examples * (slopes + mixed * loss.derivatives(moved, other)[0])
        by_slope = math.fsum((slopes * scores).ravel().tolist())
        by_shift = [math.fsum(own.tolist()) for own in slopes.T]
        value = math.fsum((examples * each).ravel().tolist())
        return value / total, -np.array([by_slope, *by_shift]) / total

    result = minimize(
        objective,
        np.concatenate([[1.0], start]),
        jac=True,
        method="L-BFGS-B",
        bounds=[(0.0, MAX_SLOPE), *([(None, None)] * len(start))],
        options={"maxiter": 100},
    )
    return PlattLine(float(result.x[0]), result.x[1:].copy())


def loss_start(positives: Floats, total: float) -> Floats:
    """(K,) log-odds of one label, or logarithms of the shares of several."""
    share = np.clip(positives / total, 1e-9, 1.0 - 1e-9)
    return np.log(share) - (np.log1p(-share) if len(share) == 1 else 0.0)
