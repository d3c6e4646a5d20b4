"""Prediction intervals of some rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from underdog.checks import check_integer
from underdog.displays.axes import BLUE, GREY, ORANGE
from underdog.displays.base import AxesDisplay
from underdog.displays.numbers import (
    check_quantiles,
    check_regressor,
    check_values,
    middle_of,
    quantiles_of,
    some_rows,
)
from underdog.inspection.parameters import documented
from underdog.types import Flags, Floats

SIZE = (7.0, 4.0)
"""Width and height of a new figure in inches."""


@documented
@dataclass(eq=False, repr=False)
class IntervalDisplay(AxesDisplay):
    """The interval between the lowest and the highest quantile, and the observed value, row by row.

    Rows are in the order of the predicted median, or of the quantile closest to it, which is a
    short line. Observed values outside of their interval have another colour. Create it with
    `from_estimator` or `from_predictions`.

    Parameters
    ----------
    y : (n,) the observed values
    predicted : (n, K) the quantiles
    quantiles : (K,) nominal
    max_display : int, default=100
        Rows that are drawn; of more, some at even distances. The title is about all of them.

    Attributes
    ----------
    ax_, figure_

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from underdog import GradientBoostingRegressor, IntervalDisplay
    >>> X, y = load_diabetes(return_X_y=True)
    >>> model = GradientBoostingRegressor(loss="quantile", quantiles=[0.1, 0.5, 0.9])
    >>> model = model.set_params(n_estimators=50).fit(X[::2], y[::2])
    >>> IntervalDisplay.from_estimator(model, X[1::2], y[1::2])
    IntervalDisplay(62.9% of 221 rows inside, nominal 80%)
    """

    y: Floats
    predicted: Floats
    quantiles: Floats
    max_display: int = 100

    @classmethod
    @documented
    def from_estimator(
        cls, estimator: Any, X: Any, y: Any, *, max_display: int = 100, ax: Any = None
    ) -> Self:
        """Draw the intervals of a fitted model with several quantiles.

        Parameters
        ----------
        estimator : fitted regressor with ``loss="quantile"``, or what contains one
        X, y : data that it has not seen
        max_display : int, default=100
        ax
        """
        check_regressor(estimator, cls.__name__)
        quantiles = quantiles_of(estimator, at_least=2)
        return cls._of(y, estimator.predict(X), quantiles, max_display).plot(ax)

    @classmethod
    @documented
    def from_predictions(
        cls, y: Any, predicted: Any, quantiles: Any, *, max_display: int = 100, ax: Any = None
    ) -> Self:
        """Draw given intervals.

        Parameters
        ----------
        y : (n,) the observed values
        predicted : (n, K)
        quantiles : (K,)
            Nominal, rising, at least two.
        max_display : int, default=100
        ax
        """
        given = check_quantiles(quantiles, at_least=2)
        return cls._of(y, predicted, given, max_display).plot(ax)

    @classmethod
    def _of(cls, y: Any, predicted: Any, quantiles: Floats, max_display: int) -> Self:
        y, predicted = check_values(y, predicted, len(quantiles))
        return cls(y, predicted, quantiles, max_display)

    @property
    def inside(self) -> Flags:
        """(n,) whether the observed value is in the interval, ends included."""
        result: Flags = (self.predicted[:, 0] <= self.y) & (self.y <= self.predicted[:, -1])
        return result

    @property
    def nominal(self) -> float:
        """The share of the rows that should be inside."""
        return float(self.quantiles[-1] - self.quantiles[0])

    def _summary(self) -> str:
        share = float(self.inside.mean())
        return f"{share:.1%} of {len(self.y):,} rows inside, nominal {self.nominal:.0%}"

    @documented
    def plot(self, ax: Any = None) -> Self:
        """Draw it.

        Parameters
        ----------
        ax
        """
        check_integer("max_display", self.max_display, 1)
        ax = self._open(ax, SIZE)
        number = middle_of(self.quantiles)
        middle = self.predicted[:, number]
        order = np.argsort(middle, kind="stable")
        rows = order[some_rows(len(order), self.max_display)]
        places, inside = np.arange(len(rows)), self.inside[rows]
        low, high = self.predicted[rows, 0], self.predicted[rows, -1]
        ends = f"{self.quantiles[0]:g} to {self.quantiles[-1]:g}"
        ax.vlines(
            places, low, high, color=GREY, linewidth=1.2, alpha=0.6, label=f"quantiles {ends}"
        )
        if len(self.quantiles) > 2:
            ax.plot(places, middle[rows], "_", color=GREY, markersize=4.0)
        for flags, color, label in (
            (inside, BLUE, "observed, inside"),
            (~inside, ORANGE, "observed, outside"),
        ):
            ax.plot(
                places[flags], self.y[rows][flags], ".", color=color, markersize=5.0, label=label
            )
        of_all = "" if len(rows) == len(self.y) else f"{len(rows)} of {len(self.y):,} "
        ax.set(
            xlabel=f"{of_all}rows, by predicted quantile {self.quantiles[number]:g}",
            ylabel="target",
        )
        share = float(self.inside.mean())
        ax.set_title(f"{share:.1%} are inside, nominal {self.nominal:.0%}", fontsize="medium")
        ax.legend(loc="best", fontsize="small")
        return self
