"""The residuals of a regressor."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from underdog.displays.axes import GREY, HINT
from underdog.displays.base import CurveDisplay, name_of, with_name
from underdog.displays.numbers import check_regressor, check_values, equal_bins, some_rows
from underdog.inspection.parameters import documented
from underdog.types import Floats

BAND = (0.1, 0.5, 0.9)
"""The quantiles of the residuals: the band, and the line within it."""


@documented
@dataclass(eq=False, repr=False)
class ResidualDisplay(CurveDisplay):
    """Residuals against predictions, with their median and 10-90 % band by bins of the prediction.

    A residual is the observed minus the predicted value, in the unit of the target. A median that
    is not near 0 shows where predictions are too low or too high. A band that widens shows where
    they are less certain. Create it with `from_estimator` or `from_predictions`.

    Parameters
    ----------
    predicted, residuals : (n,)
    n_bins : int, default=10
        Bins with about the same number of rows.
    name

    Attributes
    ----------
    ax_, figure_
    line_ : the medians

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from underdog import GradientBoostingRegressor, ResidualDisplay
    >>> X, y = load_diabetes(return_X_y=True)
    >>> model = GradientBoostingRegressor(n_estimators=50).fit(X[::2], y[::2])
    >>> display = ResidualDisplay.from_estimator(model, X[1::2], y[1::2])
    >>> display
    ResidualDisplay(221 residuals, median -14)
    >>> display.bands.shape
    (10, 3)
    """

    predicted: Floats
    residuals: Floats
    n_bins: int = 10
    name: str | None = None

    @classmethod
    @documented
    def from_estimator(
        cls,
        estimator: Any,
        X: Any,
        y: Any,
        *,
        n_bins: int = 10,
        name: str | None = None,
        ax: Any = None,
        **kwargs: Any,
    ) -> Self:
        """Draw the residuals of a fitted regressor.

        Parameters
        ----------
        estimator : fitted regressor, of this library or another
        X, y : data that it has not seen
        n_bins : int, default=10
        name, ax, **kwargs
        """
        check_regressor(estimator, cls.__name__)
        made = cls._of(y, estimator.predict(X), n_bins, name_of(estimator, name))
        return made.plot(ax, **kwargs)

    @classmethod
    @documented
    def from_predictions(
        cls,
        y: Any,
        predicted: Any,
        *,
        n_bins: int = 10,
        name: str | None = None,
        ax: Any = None,
        **kwargs: Any,
    ) -> Self:
        """Draw the residuals of given predictions.

        Parameters
        ----------
        y : (n,) the observed values
        predicted : (n,)
        n_bins : int, default=10
        name, ax, **kwargs
        """
        return cls._of(y, predicted, n_bins, name).plot(ax, **kwargs)

    @classmethod
    def _of(cls, y: Any, predicted: Any, n_bins: int, name: str | None) -> Self:
        y, predicted = check_values(y, predicted)
        return cls(predicted, y - predicted, n_bins, name)

    @property
    def _bins(self) -> list[Any]:
        """The rows of each bin."""
        bins = equal_bins(self.predicted, self.n_bins)
        return [bins == number for number in range(int(bins.max()) + 1)]

    @property
    def places(self) -> Floats:
        """(B,) the mean prediction in each bin."""
        return np.array([self.predicted[rows].mean() for rows in self._bins])

    @property
    def bands(self) -> Floats:
        """(B, 3) the 10 %, 50 % and 90 % quantiles of the residuals in each bin."""
        return np.array([np.quantile(self.residuals[rows], BAND) for rows in self._bins])

    def _summary(self) -> str:
        return f"{len(self.residuals):,} residuals, median {np.median(self.residuals):.3g}"

    def _draw(self, ax: Any, name: str | None, style: dict[str, Any]) -> None:
        shown = some_rows(len(self.residuals))
        points = self.predicted[shown], self.residuals[shown]
        ax.plot(*points, ".", color=GREY, markersize=2.0, alpha=0.4, rasterized=True, zorder=0.5)
        low, middle, high = self.bands.T
        label = with_name(name, f"median, {len(middle)} bins")
        own = {"marker": "o", "markersize": 4.0, "label": label}
        (self.line_,) = ax.plot(self.places, middle, **own | style)
        color = self.line_.get_color()
        ax.fill_between(self.places, low, high, color=color, alpha=0.2, label="10-90 %", zorder=1.5)
        ax.axhline(0.0, zorder=1.0, **HINT)
        ax.set(xlabel="prediction", ylabel="residual: observed - predicted")
