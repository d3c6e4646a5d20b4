"""How well probabilities are calibrated."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Self

import numpy as np
from scipy.stats import binomtest

from underdog.checks import check_choice, check_integer, is_number
from underdog.displays.axes import HINT, of_class, verbatim
from underdog.displays.base import CurveDisplay, name_of
from underdog.displays.ranking import Ranking, of_estimator, of_predictions
from underdog.inspection.parameters import documented
from underdog.types import Floats, Integers

PARTS = 25
"""Parts of the same width into which the histogram divides 0 to 1."""

RARE = 50
"""From so many times the median on, the largest number calls for a logarithmic scale."""


@documented
@dataclass(eq=False, repr=False)
class ReliabilityDisplay(CurveDisplay):
    """The share of positives by predicted probability, in bins, with intervals.

    Create it with `from_estimator` or `from_predictions`. Calibrated probabilities are on the
    diagonal; Wilson's intervals show how far off they may be by chance. Bins without examples are
    left out. The histogram below shows the distribution of the probabilities, on a logarithmic
    scale if most of them are in a few bins.

    Parameters
    ----------
    predicted : (B,) mean probability of each bin
    shares : (B,) of positives
    intervals : (B, 2) of the shares
    counts : (B,) examples
    histogram : array
        Number of examples by probability, in parts of equal width from 0 to 1.
    pos_label : label, optional
        The positive class.
    name

    Attributes
    ----------
    ax_, figure_
    line_ : the curve
    counts_ax_ : where the histogram is; None if there is none

    References
    ----------
    Murphy and Winkler, "Reliability of subjective probability forecasts of precipitation and
    temperature", Applied Statistics 26, 1977. Wilson, "Probable inference, the law of succession,
    and statistical inference", JASA 22, 1927.

    Examples
    --------
    >>> from underdog import ReliabilityDisplay
    >>> y, probabilities = [0, 0, 1, 0, 1, 1], [0.1, 0.2, 0.3, 0.6, 0.8, 1.0]
    >>> display = ReliabilityDisplay.from_predictions(y, probabilities, n_bins=2)
    >>> display
    ReliabilityDisplay(2 bins of 6 examples)
    >>> display.predicted.round(3).tolist(), display.shares.round(3).tolist()
    ([0.2, 0.8], [0.333, 0.667])
    >>> display.intervals.round(2).tolist()
    [[0.06, 0.79], [0.21, 0.94]]
    """

    predicted: Floats
    shares: Floats
    intervals: Floats
    counts: Integers
    histogram: Integers
    pos_label: Any = None
    name: str | None = None
    counts_ax_: Any = field(init=False)

    @classmethod
    @documented
    def from_estimator(
        cls,
        estimator: Any,
        X: Any,
        y: Any,
        *,
        n_bins: int = 10,
        strategy: str = "quantile",
        confidence: float = 0.95,
        pos_label: Any = None,
        name: str | None = None,
        ax: Any = None,
        **kwargs: Any,
    ) -> Self:
        """Draw the reliability of a fitted classifier's probabilities.

        Parameters
        ----------
        estimator : fitted classifier of two classes with `predict_proba`
        X, y : data that it has not seen
        n_bins, strategy, confidence
            See `from_predictions`.
        pos_label, name, ax, **kwargs
        """
        ranking = of_estimator(estimator, X, y, pos_label, ("predict_proba",))
        name = name_of(estimator, name)
        return cls._of_ranking(ranking, n_bins, strategy, confidence, name).plot(ax, **kwargs)

    @classmethod
    @documented
    def from_predictions(
        cls,
        y: Any,
        scores: Any,
        *,
        n_bins: int = 10,
        strategy: str = "quantile",
        confidence: float = 0.95,
        pos_label: Any = None,
        name: str | None = None,
        ax: Any = None,
        **kwargs: Any,
    ) -> Self:
        """Draw the reliability of given probabilities.

        Parameters
        ----------
        y
        scores : (n,) probabilities of the positive class
        n_bins : int, default=10
        strategy : {"quantile", "uniform"}, default="quantile"
            Bins with as many examples each, or of the same width; as in scikit-learn's
            `calibration_curve`.
        confidence : float, default=0.95
            Of the intervals.
        pos_label, name, ax, **kwargs
        """
        ranking = of_predictions(y, scores, pos_label)
        return cls._of_ranking(ranking, n_bins, strategy, confidence, name).plot(ax, **kwargs)

    @classmethod
    def _of_ranking(
        cls, ranking: Ranking, n_bins: int, strategy: str, confidence: float, name: str | None
    ) -> Self:
        check_integer("n_bins", n_bins, 1)
        check_choice("strategy", strategy, "quantile", "uniform")
        if not is_number(confidence) or not 0.0 < confidence < 1.0:
            raise ValueError(f"confidence={confidence!r} must be a number between 0 and 1")
        probabilities = ranking.scores
        if probabilities.min() < 0.0 or probabilities.max() > 1.0:
            raise ValueError(
                f"scores are from {probabilities.min():.3g} to {probabilities.max():.3g}, but "
                "probabilities are between 0 and 1"
            )
        # calibration_curve has the same bins, but does not say how many examples they have.
        cuts = np.linspace(0.0, 1.0, n_bins + 1)
        if strategy == "quantile":
            cuts = np.quantile(probabilities, cuts)
        bins = np.searchsorted(cuts[1:-1], probabilities)
        counts = np.bincount(bins, minlength=n_bins)
        filled = counts > 0
        counts = counts[filled]
        hits = np.bincount(bins, weights=ranking.positive, minlength=n_bins)[filled]
        sums = np.bincount(bins, weights=probabilities, minlength=n_bins)[filled]
        intervals = [
            binomtest(int(hit), int(count)).proportion_ci(confidence, "wilson")
            for hit, count in zip(hits, counts, strict=True)
        ]
        return cls(
            sums / counts, hits / counts, np.array(intervals), counts,
            np.histogram(probabilities, PARTS, (0.0, 1.0))[0], ranking.pos_label, name,
        )  # fmt: skip

    @documented
    def plot(
        self, ax: Any = None, *, name: str | None = None, bars: bool = True, **kwargs: Any
    ) -> Self:
        """Draw it.

        Parameters
        ----------
        ax, name
        bars : bool, default=True
            Whether to give the lower part of the place of `ax` to the histogram. Only the first of
            several displays in the same axes should.
        **kwargs : for matplotlib's `errorbar` of the curve
        """
        super().plot(ax, name=name, **kwargs)
        self.counts_ax_ = self._draw_histogram() if bars else None
        lowest = self.counts_ax_ or self.ax_
        if lowest.xaxis.get_tick_params().get("labelbottom", True):  # else other axes are below
            lowest.set_xlabel(f"probability{of_class(self.pos_label)}")
        return self

    def _summary(self) -> str:
        return f"{len(self.counts)} bins of {self.counts.sum():,} examples"

    def _draw(self, ax: Any, name: str | None, style: dict[str, Any]) -> None:
        label = None if name is None else verbatim(name)
        below, above = self.shares - self.intervals[:, 0], self.intervals[:, 1] - self.shares
        # Rounding can put an end of the interval beyond a share of 0 or 1.
        reach = np.maximum([below, above], 0.0)
        own = {"fmt": "o-", "markersize": 4.0, "elinewidth": 1.0, "capsize": 2.0, "label": label}
        self.line_ = ax.errorbar(self.predicted, self.shares, yerr=reach, **own | style).lines[0]
        if not any(line.get_label() == "perfect" for line in ax.lines):
            ax.plot([0.0, 1.0], [0.0, 1.0], linestyle="--", label="perfect", zorder=1.0, **HINT)
        ax.set(ylabel=f"share{of_class(self.pos_label)}", xlim=(-0.02, 1.02), ylim=(-0.02, 1.02))

    def _draw_histogram(self) -> Any:
        place = self.ax_.get_subplotspec()
        if place is None:
            raise ValueError(
                "ax was not created by subplots, so the histogram cannot be placed below it: set "
                "bars=False"
            )
        upper, lower = place.subgridspec(2, 1, height_ratios=(3, 1))
        self.ax_.set_subplotspec(upper)
        below = self.figure_.add_subplot(lower, sharex=self.ax_)
        edges = np.linspace(0.0, 1.0, PARTS + 1)
        filled = self.histogram[self.histogram > 0]
        below.stairs(self.histogram, edges, fill=True, color=self.line_.get_color(), alpha=0.5)
        if filled.max() > RARE * np.median(filled):  # else the small ones could not be seen
            below.set_yscale("log")
            below.set_ylim(bottom=0.7)
        below.set_ylabel("examples")
        self.ax_.tick_params(labelbottom=False)
        return below
