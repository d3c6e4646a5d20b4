"""How well predicted quantiles are calibrated."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Self

import numpy as np

from underdog.displays.axes import BLUE, GREEN, GREY, HINT, ORANGE, PINK
from underdog.displays.base import Display
from underdog.displays.numbers import (
    check_quantiles,
    check_regressor,
    check_values,
    equal_bins,
    middle_of,
    quantiles_of,
    share_intervals,
)
from underdog.inspection.parameters import documented
from underdog.model.writing import counted
from underdog.types import Floats, Integers

SIZE = (9.0, 4.2)
"""Width and height of a new figure in inches."""
COLORS = (BLUE, ORANGE, GREEN, PINK, GREY)
"""Of the quantiles; they repeat."""


@documented
@dataclass(eq=False, repr=False)
class QuantileCalibrationDisplay(Display):
    """The share of targets at or below each predicted quantile, with intervals.

    Of a calibrated quantile of 0.9, 90 % of the targets are at or below the prediction. The left
    panel shows all rows: calibrated quantiles are on the diagonal. The right panel shows bins of
    the predicted median (or the quantile closest to it) with about the same number of rows; dashed
    lines are the nominal shares. Wilson's intervals show how far off the shares may be by chance.
    Create it with `from_estimator` or `from_predictions`.

    Parameters
    ----------
    quantiles : (K,) nominal
    counts : (B,) rows of each bin
    places : (B,) mean of the predicted median in each bin
    below : (B, K) rows whose target is at most the quantile
    confidence : float, default=0.95

    Attributes
    ----------
    axes_ : list of the two axes
    figure_ : figure in which it was drawn last

    References
    ----------
    Wilson, "Probable inference, the law of succession, and statistical inference", JASA 22, 1927.

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from underdog import GradientBoostingRegressor, QuantileCalibrationDisplay
    >>> X, y = load_diabetes(return_X_y=True)
    >>> model = GradientBoostingRegressor(loss="quantile", quantiles=[0.1, 0.5, 0.9])
    >>> model = model.set_params(n_estimators=50).fit(X[::2], y[::2])
    >>> display = QuantileCalibrationDisplay.from_estimator(model, X[1::2], y[1::2], n_bins=5)
    >>> display
    QuantileCalibrationDisplay(3 quantiles of 221 rows, off by at most 0.140)
    >>> display.shares.round(2).tolist()
    [0.24, 0.57, 0.87]
    """

    quantiles: Floats
    counts: Integers
    places: Floats
    below: Integers
    confidence: float = 0.95
    axes_: list[Any] = field(init=False)

    @classmethod
    @documented
    def from_estimator(
        cls,
        estimator: Any,
        X: Any,
        y: Any,
        *,
        n_bins: int = 10,
        confidence: float = 0.95,
        figure: Any = None,
    ) -> Self:
        """Draw the calibration of the quantiles of a fitted model.

        Parameters
        ----------
        estimator : fitted regressor with ``loss="quantile"``, or what contains one
        X, y : data that it has not seen
        n_bins, confidence, figure
            See `from_predictions`.
        """
        check_regressor(estimator, cls.__name__)
        return cls.from_predictions(
            y, estimator.predict(X), quantiles_of(estimator),
            n_bins=n_bins, confidence=confidence, figure=figure,
        )  # fmt: skip

    @classmethod
    @documented
    def from_predictions(
        cls,
        y: Any,
        predicted: Any,
        quantiles: Any,
        *,
        n_bins: int = 10,
        confidence: float = 0.95,
        figure: Any = None,
    ) -> Self:
        """Draw the calibration of given quantiles.

        Parameters
        ----------
        y : (n,) the observed values
        predicted : (n, K), or (n,) for one quantile
        quantiles : float or (K,)
            Nominal, rising.
        n_bins : int, default=10
        confidence : float, default=0.95
            Of the intervals.
        figure
            See `plot`.
        """
        given = check_quantiles(quantiles)
        y, predicted = check_values(y, predicted, len(given))
        middle = predicted[:, middle_of(given)]
        bins = equal_bins(middle, n_bins)
        counts = np.bincount(bins)
        below = np.zeros((len(counts), len(given)), dtype=np.int64)
        np.add.at(below, bins, y[:, np.newaxis] <= predicted)
        places = np.bincount(bins, weights=middle) / counts
        return cls(given, counts, places, below, confidence).plot(figure)

    @property
    def shares(self) -> Floats:
        """(K,) of the targets that are at most the quantile."""
        result: Floats = self.below.sum(axis=0) / self.counts.sum()
        return result

    @property
    def largest_difference(self) -> float:
        """Between a share and its nominal value."""
        return float(np.abs(self.shares - self.quantiles).max())

    @property
    def intervals(self) -> Floats:
        """(K, 2) of the shares."""
        total = np.full(len(self.quantiles), self.counts.sum())
        return share_intervals(self.below.sum(axis=0), total, self.confidence)

    @property
    def bin_shares(self) -> Floats:
        """(B, K) the shares in each bin."""
        result: Floats = self.below / self.counts[:, np.newaxis]
        return result

    @property
    def bin_intervals(self) -> Floats:
        """(B, K, 2) of the shares in each bin."""
        counts = np.broadcast_to(self.counts[:, np.newaxis], self.below.shape)
        return share_intervals(self.below, counts, self.confidence)

    def _summary(self) -> str:
        count, rows = counted(len(self.quantiles), "quantile"), f"{self.counts.sum():,} rows"
        return f"{count} of {rows}, off by at most {self.largest_difference:.3f}"

    def plot(self, figure: Any = None) -> Self:
        """Draw it.

        Parameters
        ----------
        figure : matplotlib figure or subfigure, optional
            By default a new one.
        """
        intervals, by_bin = self.intervals, self.bin_intervals
        self.figure_ = self._open_figure(SIZE) if figure is None else figure
        left, right = self.axes_ = list(self.figure_.subplots(1, 2))
        left.plot([0.0, 1.0], [0.0, 1.0], linestyle="--", label="perfect", zorder=1.0, **HINT)
        for k, nominal in enumerate(self.quantiles.tolist()):
            color = COLORS[k % len(COLORS)]
            style = {"color": color, "marker": "o", "markersize": 4.0, "capsize": 2.0}
            reach = _reach(self.shares[k : k + 1], intervals[k : k + 1])
            left.errorbar([nominal], self.shares[k : k + 1], yerr=reach, **style)
            reach = _reach(self.bin_shares[:, k], by_bin[:, k])
            own = {"label": f"quantile {nominal:g}", "elinewidth": 1.0, "linewidth": 1.2}
            right.errorbar(self.places, self.bin_shares[:, k], yerr=reach, **style, **own)
            right.axhline(nominal, linestyle="--", linewidth=1.0, color=color, zorder=1.0)
        left.set(xlabel="nominal quantile", ylabel="share of targets at or below it")
        left.legend(loc="upper left", fontsize="small")
        right.set(xlabel=self._middle, ylabel="share of targets at or below it")
        self.figure_.legend(
            *right.get_legend_handles_labels(),
            loc="outside upper center",
            ncols=5,
            fontsize="small",
        )
        for ax in self.axes_:
            ax.set_ylim(-0.02, 1.02)
        left.set_xlim(-0.02, 1.02)
        return self

    @property
    def _middle(self) -> str:
        """What the bins of the right panel are of."""
        return f"predicted quantile {self.quantiles[middle_of(self.quantiles)]:g}"


def _reach(shares: Floats, intervals: Floats) -> Floats:
    """(2, n) how far the intervals reach below and above; rounding can make it negative."""
    return np.maximum([shares - intervals[:, 0], intervals[:, 1] - shares], 0.0)
