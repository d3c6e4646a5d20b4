"""Significance of differences over folds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy import stats

from underdog.types import Floats

LEVEL = 0.05


@dataclass(frozen=True)
class Difference:
    """The difference of two models in one measure; `better` has the better mean.

    Attributes
    ----------
    better, other, measure : str
    amount : float
        Mean difference over folds.
    low, high : float
        95% confidence interval of the amount, for this pair alone.
    p_value : float
        Of the corrected resampled t-test, adjusted for the number of pairs by Holm's method.
    larger_than_noise : bool
        Whether p_value is below 0.05.
    """

    better: str
    other: str
    measure: str
    amount: float
    low: float
    high: float
    p_value: float
    larger_than_noise: bool


def two_digits(value: float) -> str:
    """A difference with two digits, or as a whole number.

    Examples
    --------
    >>> from underdog.comparison.paired import two_digits
    >>> [two_digits(value) for value in (0.0123, 5.68, 20345.6)]
    ['0.012', '5.7', '20,346']
    """
    return f"{value:.2g}" if abs(value) < 99.5 else f"{value:,.0f}"


def corrected_error(differences: Floats, ratio: float) -> float:
    """Standard error of the mean of paired differences over folds; see `corrected_t`.

    Examples
    --------
    >>> import numpy as np
    >>> from underdog.comparison.paired import corrected_error
    >>> round(corrected_error(np.array([0.1, 0.2, 0.3]), 0.5), 4)
    0.0913
    """
    return float(np.sqrt(differences.var(ddof=1) * (1.0 / len(differences) + ratio)))


def corrected_t(differences: Floats, ratio: float) -> tuple[float, float, float, float]:
    """Mean, 95% confidence interval and p-value of paired differences; NaN for fewer than two.

    Folds share training examples, so the usual variance of the mean is too small. The variance of
    the differences is therefore multiplied by 1/k + n_test/n_train instead of 1/k.

    Parameters
    ----------
    differences : (k,) one per fold
    ratio : n_test/n_train

    References
    ----------
    Nadeau and Bengio, "Inference for the generalization error", Machine Learning 52, 2003.

    Examples
    --------
    >>> import numpy as np
    >>> from underdog.comparison.paired import corrected_t
    >>> [round(x, 4) for x in corrected_t(np.array([0.1, 0.2, 0.3]), 0.5)]
    [0.2, -0.1928, 0.5928, 0.1598]
    """
    count = len(differences)
    if count < 2:
        return np.nan, np.nan, np.nan, np.nan
    mean, error = float(differences.mean()), corrected_error(differences, ratio)
    if error == 0.0:
        return mean, mean, mean, 1.0 if mean == 0.0 else 0.0
    half = float(stats.t.ppf(1.0 - LEVEL / 2.0, count - 1)) * error
    p_value = 2.0 * float(stats.t.sf(abs(mean) / error, count - 1))
    return mean, mean - half, mean + half, p_value


def holm(p_values: Sequence[float]) -> list[float]:
    """p-values adjusted for multiple testing by Holm's method; NaN is ignored and kept.

    References
    ----------
    Holm, "A simple sequentially rejective multiple test procedure", Scandinavian Journal of
    Statistics 6, 1979.

    Examples
    --------
    >>> from underdog.comparison.paired import holm
    >>> [round(p, 3) for p in holm([0.01, 0.04, 0.03])]
    [0.03, 0.06, 0.06]
    """
    adjusted = np.array(p_values, dtype=np.float64)
    known = np.flatnonzero(~np.isnan(adjusted))
    order = known[np.argsort(adjusted[known], kind="stable")]
    times = np.arange(len(order), 0, -1)
    adjusted[order] = np.minimum(np.maximum.accumulate(adjusted[order] * times), 1.0)
    result: list[float] = adjusted.tolist()
    return result


def interval(values: Floats) -> tuple[float, float]:
    """Mean and half the width of its 95% confidence interval (Student's t), without NaN."""
    values = values[~np.isnan(values)]
    if len(values) == 0:
        return np.nan, np.nan
    if len(values) == 1:
        return float(values[0]), np.nan
    error = float(values.std(ddof=1)) / np.sqrt(len(values))
    return float(values.mean()), float(stats.t.ppf(1.0 - LEVEL / 2.0, len(values) - 1) * error)
