"""Measures of predicted numbers and quantiles on test rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from scipy.special import kl_div

from underdog.comparison.intervals import drawn_means, percentiles, wilson
from underdog.comparison.measures import OF_NUMBERS
from underdog.comparison.problem import NumberProblem
from underdog.types import Floats, Integers

MEDIAN = 0.5


def center_of(predicted: Floats, quantiles: Sequence[float] | None) -> Floats:
    """(n,) the predictions; of several quantiles, those of the one closest to the median."""
    if predicted.ndim == 1:
        return predicted
    result: Floats = predicted[:, int(np.argmin(np.abs(np.array(quantiles) - MEDIAN)))]
    return result


def number_measures(
    y: Floats, predicted: Floats, quantiles: Sequence[float] | None = None, counts: bool = False
) -> dict[str, float]:
    """RMSE, MAE and R2; the deviance of counts; pinball loss and coverage of quantiles.

    Parameters
    ----------
    y : (n,)
    predicted : (n,), or (n, K) for several quantiles
    quantiles : those that are predicted, or None. RMSE, MAE and R2 are of the median, if it is one
        of them. The pinball loss is the mean over the quantiles. The coverage is the share of rows
        between the lowest and the highest quantile, or at most at the only one
    counts : whether the predictions are means of counts

    Examples
    --------
    >>> import numpy as np
    >>> from underdog.comparison.number_measures import number_measures
    >>> number_measures(np.array([1.0, 3.0]), np.array([1.0, 2.0]))
    {'rmse': 0.7071067811865476, 'mae': 0.5, 'r2': 0.5}
    """
    each = _each(y, predicted, quantiles, counts)
    values = {name: float(np.mean(every)) for name, every in each.items()}
    if "rmse" in values:
        squares, spread = values["rmse"], float(np.mean((y - y.mean()) ** 2))
        values["rmse"] = float(np.sqrt(squares))
        if spread > 0.0:
            values["r2"] = 1.0 - squares / spread
    return {name: values[name] for name in OF_NUMBERS if name in values}


def _each(
    y: Floats, predicted: Floats, quantiles: Sequence[float] | None, counts: bool
) -> dict[str, Floats]:
    """(n,) what the measures are means of; of RMSE, squares."""
    found: dict[str, Floats] = {}
    if quantiles is None or MEDIAN in quantiles:
        residual = y - center_of(predicted, quantiles)
        found["rmse"], found["mae"] = residual**2, np.abs(residual)
    if counts:
        # Twice the divergence; infinite where 0 is predicted, but something happened.
        found["deviance"] = 2.0 * kl_div(y, predicted)
    if quantiles is not None:
        each = predicted.reshape(len(y), -1)
        residual = y[:, np.newaxis] - each
        shares = np.array(quantiles)
        losses = np.maximum(shares * residual, (shares - 1.0) * residual)
        found["pinball"] = losses.mean(axis=1)
        inside = y <= each[:, -1]
        if len(quantiles) > 1:
            inside &= y >= each[:, 0]
        found["coverage"] = inside.astype(np.float64)
    return found


def number_intervals(
    y: Floats, predicted: Floats, quantiles: Sequence[float] | None = None, counts: bool = False
) -> dict[str, tuple[float, float]]:
    """95% intervals of `number_measures`."""
    each = _each(y, predicted, quantiles, counts)
    away = y - y.mean()
    means = drawn_means(np.column_stack([away, away**2, *each.values()]))
    drawn = dict(zip(each, means.T[2:], strict=True))
    found = {}
    if "rmse" in each:
        spread = means[:, 1] - means[:, 0] ** 2
        with np.errstate(divide="ignore", invalid="ignore"):
            found["r2"] = percentiles(1.0 - drawn["rmse"] / spread)
        drawn["rmse"] = np.sqrt(drawn["rmse"])
    found |= {name: percentiles(values) for name, values in drawn.items()}
    if "coverage" in each:
        found["coverage"] = wilson(float(each["coverage"].sum()), len(y))
    return found


def number_quality(
    _model: Any, _X: Any, predicted: Any, rows: Integers, problem: NumberProblem, _train: Integers
) -> dict[str, float]:
    """The measures of a fitted model on test rows."""
    counts = problem.main == "deviance"
    return number_measures(
        problem.y[rows], np.asarray(predicted, dtype=np.float64), problem.quantiles, counts
    )


def best_constant(
    y: Floats, measure: str, quantiles: Sequence[float] | None, weights: Any = None
) -> Floats:
    """(1,) or (K,) the best prediction that is the same for every row."""
    if measure in ("pinball", "mae"):
        return np.array([_quantile(y, share, weights) for share in quantiles or (MEDIAN,)])
    return np.array([np.average(y, weights=weights)])


def _quantile(y: Floats, share: float, weights: Any) -> float:
    """The smallest number at which the cumulated weight reaches the share."""
    order = np.argsort(y, kind="stable")
    reached = np.cumsum(np.ones(len(y)) if weights is None else weights[order])
    place = int(np.searchsorted(reached, share * reached[-1]))
    return float(y[order][min(place, len(y) - 1)])
