"""The variance of the residuals."""

from __future__ import annotations

import math
from typing import Any, ClassVar

import numpy as np

from underdog.core import Measured, Partition, Proposal, Rows, Run, Shard
from underdog.losses.regression import ResidualSignal
from underdog.losses.squared import SquaredError, moments
from underdog.types import Flags, Floats


class ResidualVariance(SquaredError):  # noqa: N818 - the base is a loss, not an exception
    """The variance of y - F(x), which no constant changes: rules are centred.

    Scores start from the mean of the targets, and the mean of every rule over the training rows is
    0. So the mean of the residuals stays 0, and the variance is the mean squared error. A step with
    the coefficient a = e sd(r) / sd(h), e being the correlation of rule and residuals, multiplies
    it by 1 - e**2.

    References
    ----------
    Duffy and Helmbold, "Boosting methods for regression", Machine Learning 47, 2002, section 3.

    Examples
    --------
    >>> from underdog.losses import ResidualVariance
    >>> ResidualVariance().facts
    ('loss', 'gain', 'correlation')
    """

    facts: ClassVar[tuple[str, ...]] = (*SquaredError.facts, "correlation")
    refits_leaves: ClassVar[bool] = True

    def leaf_values(
        self,
        signal: ResidualSignal,
        partition: tuple[Partition, ...],
        drawn: tuple[Flags, ...] | None,
        masses: Floats,
        values: Floats,
    ) -> Floats:
        if drawn is None:
            weights = masses[:, 1]
        else:
            weights = signal.rows.sums(signal, partition, len(values))[:, 1].astype(np.float64)
        centred: Floats = values - (weights * values).sum(axis=0) / weights.sum(axis=0)
        return centred

    def measure(self, run: Run, proposal: Proposal, coefficient: float) -> Measured:
        measured = super().measure(run, proposal, coefficient)
        signal: Any = run.state.signals[0]
        product, square = moments(proposal)
        product /= math.sqrt(square * signal.mean_loss()) if square > 0.0 else math.inf
        measured.facts["correlation"] = min(max(product, -1.0), 1.0)
        return measured


def variance_of_targets(rows: Rows) -> float:
    """The mean of the squared distance of the targets from the start of the scores."""
    signal = ResidualSignal(SquaredError(), rows)
    start = rows.start

    def squares(shard: Shard) -> Floats:
        own: Floats = (signal.initial(shard) * (shard.target.observed - start) ** 2)[:, 0]
        return own

    return rows.exact_sum(squares) / rows.exact_sum(lambda shard: signal.initial(shard)[:, 0])
