"""How predicted numbers are judged: measures, coverage of quantiles, residuals by decile."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from underdog.comparison.intervals import MIN_ROWS, Estimate
from underdog.comparison.names import MEASURE_OF
from underdog.comparison.number_measures import (
    best_constant,
    center_of,
    number_intervals,
    number_measures,
)
from underdog.losses import AbsoluteError, PoissonLoss, QuantileLoss
from underdog.types import Floats

GROUPS = 10


@dataclass(frozen=True)
class NumberEvaluator:
    """How predicted numbers are measured.

    Attributes
    ----------
    main : the measure by which models are ranked
    quantiles : those that are predicted, or None
    counts : whether the target is counts, and predictions are their means
    """

    main: str = "rmse"
    quantiles: tuple[float, ...] | None = None
    counts: bool = False

    @classmethod
    def from_loss(cls, loss: str | None, quantiles: Sequence[float] | None) -> NumberEvaluator:
        """For the loss that was asked for, or none."""
        main = "rmse" if loss is None else MEASURE_OF[loss]
        shares = tuple(quantiles or (0.5,)) if main == "pinball" else None
        return cls(main, shares, main == "deviance")

    @classmethod
    def from_booster(cls, booster: Any) -> NumberEvaluator:
        """For the loss of a fitted booster."""
        loss = booster._link
        if isinstance(loss, QuantileLoss) and not isinstance(loss, AbsoluteError):
            return cls("pinball", loss.shares)
        return cls("deviance", None, True) if isinstance(loss, PoissonLoss) else cls()

    def measure(self, y: Floats, predicted: Floats) -> dict[str, float]:
        """The main measure first."""
        found = number_measures(y, predicted, self.quantiles, self.counts)
        return {name: found[name] for name in dict.fromkeys((self.main, *found))}

    def estimate(self, y: Floats, predicted: Floats) -> dict[str, Estimate]:
        """The measures with 95% confidence intervals, if there are at least 10 rows.

        That of the coverage is Wilson's, the others are found by drawing the rows again and again.
        """
        values = self.measure(y, predicted)
        found: dict[str, tuple[float, float]] = {}
        if len(y) >= MIN_ROWS:
            found = number_intervals(y, predicted, self.quantiles, self.counts)
        return {name: Estimate(value, *found.get(name, ())) for name, value in values.items()}

    def constant(self, y: Floats, weights: Any, rows: int) -> Floats:
        """The best prediction that is the same for so many rows, learned from these targets."""
        each = np.tile(best_constant(y, self.main, self.quantiles, weights), (rows, 1))
        return each if each.shape[1] > 1 else each[:, 0]

    def center(self, predicted: Floats) -> Floats:
        """(n,) the predictions; of several quantiles, those of the one closest to the median."""
        return center_of(predicted, self.quantiles)

    def below(self, y: Floats, predicted: Floats) -> list[dict[str, float]]:
        """For each quantile the share of rows at or below its prediction."""
        each = predicted.reshape(len(y), -1)
        return [
            {"quantile": share, "at_or_below": float(np.mean(y <= each[:, place]))}
            for place, share in enumerate(self.quantiles or ())
        ]

    def deciles(self, y: Floats, predicted: Floats) -> list[dict[str, float]]:
        """Residuals in ten groups of rows with similar predictions, from the lowest.

        The groups have about the same number of rows. Rows with the same prediction are in the same
        group, so there are fewer groups if there are few predictions.
        """
        center = self.center(predicted)
        ordered = np.sort(center)
        cuts = ordered[[len(y) * group // GROUPS for group in range(1, GROUPS)]]
        groups = np.searchsorted(np.unique(cuts), center, side="right")
        found = []
        for group in np.unique(groups):
            mine = groups == group
            residual = y[mine] - center[mine]
            found.append(
                {
                    "lowest": float(center[mine].min()),
                    "highest": float(center[mine].max()),
                    "rows": int(mine.sum()),
                    "mean_observed": float(y[mine].mean()),
                    "mean_residual": float(residual.mean()),
                    "median_absolute_residual": float(np.median(np.abs(residual))),
                }
            )
        return found
