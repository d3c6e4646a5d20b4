"""Predicted numbers and quantiles, and the observed ones."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.stats import binomtest
from sklearn.base import is_classifier
from sklearn.utils import assert_all_finite
from sklearn.utils.validation import check_consistent_length, check_is_fitted

from underdog.checks import check_integer, is_number
from underdog.estimators.support.inputs import checked_numbers
from underdog.inspection.unwrap import unwrap
from underdog.losses import QuantileLoss
from underdog.types import Floats, Integers

MAX_POINTS = 5000
"""Rows that are drawn as points; of more, some at even distances."""


def check_regressor(estimator: Any, display: str) -> None:
    """Refuse what is not a fitted regressor."""
    if is_classifier(estimator):
        raise ValueError(
            f"{display} is of numbers, but {type(estimator).__name__} predicts classes: use "
            "ReliabilityDisplay for its probabilities"
        )
    check_is_fitted(estimator)


def check_values(y: Any, predicted: Any, n_columns: int | None = None) -> tuple[Floats, Floats]:
    """y and predictions as arrays of the same length; (n, K) if a number of columns is given."""
    y, values = checked_numbers(y), np.asarray(predicted, dtype=np.float64)
    if n_columns is None:
        if values.ndim == 2 and values.shape[1] > 1:
            raise ValueError(
                f"the predictions have {values.shape[1]} columns: give one of them to "
                "from_predictions, or draw quantiles with QuantileCalibrationDisplay"
            )
        values = values.ravel()
    else:
        values = values[:, np.newaxis] if values.ndim == 1 else values
        if values.ndim != 2 or values.shape[1] != n_columns:
            raise ValueError(
                f"the predictions have the shape {values.shape}: give a column for each of the "
                f"{n_columns} quantiles"
            )
    check_consistent_length(y, values)
    assert_all_finite(values, input_name="the predictions")
    return y, values


def quantiles_of(estimator: Any, at_least: int = 1) -> Floats:
    """(K,) the quantiles that a fitted model predicts."""
    booster = unwrap(estimator).booster
    loss = booster._link
    if not isinstance(loss, QuantileLoss) or len(loss.shares) < at_least:
        wanted = "quantiles=[0.1, 0.5, 0.9]" if at_least > 1 else "quantiles=0.9"
        raise ValueError(
            f"this {type(booster).__name__} predicts {_what(loss)}: fit it with loss='quantile' "
            f"and, for example, {wanted}"
        )
    return np.array(loss.shares, dtype=np.float64)


def _what(loss: Any) -> str:
    return "one quantile" if isinstance(loss, QuantileLoss) else "no quantiles"


def check_quantiles(quantiles: Any, at_least: int = 1) -> Floats:
    """(K,) rising numbers between 0 and 1."""
    given: Floats = np.atleast_1d(np.asarray(quantiles, dtype=np.float64))
    inside = given.ndim == 1 and bool(((given > 0.0) & (given < 1.0)).all())
    if not inside or bool((np.diff(given) <= 0.0).any()) or len(given) < at_least:
        raise ValueError(
            f"quantiles={quantiles!r} must be {'two or more ' if at_least > 1 else ''}rising "
            "numbers between 0 and 1"
        )
    return given


def middle_of(quantiles: Floats) -> int:
    """The number of the quantile that is closest to the median."""
    return int(np.argmin(np.abs(quantiles - 0.5)))


def equal_bins(values: Floats, n_bins: int) -> Integers:
    """(n,) the bin of each value, with about as many values in each; equal values are together."""
    check_integer("n_bins", n_bins, 1)
    cuts = np.quantile(values, np.linspace(0.0, 1.0, n_bins + 1)[1:-1])
    bins = np.searchsorted(cuts, values)
    filled: Integers = np.unique(bins, return_inverse=True)[1].astype(np.int64)
    return filled


def share_intervals(below: Integers, counts: Integers, confidence: float) -> Floats:
    """(..., 2) Wilson's intervals of shares."""
    if not is_number(confidence) or not 0.0 < confidence < 1.0:
        raise ValueError(f"confidence={confidence!r} must be a number between 0 and 1")
    found = [
        binomtest(int(hit), int(count)).proportion_ci(confidence, "wilson")
        for hit, count in zip(below.ravel(), counts.ravel(), strict=True)
    ]
    return np.array(found).reshape(*below.shape, 2)


def some_rows(count: int, most: int = MAX_POINTS) -> Integers:
    """At most so many of the rows, at even distances."""
    return np.unique(np.linspace(0, count - 1, min(count, most)).round().astype(np.int64))
