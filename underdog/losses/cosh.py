"""The hyperbolic cosine of the residuals: the exponential loss of errors to either side."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar, NamedTuple

import numpy as np

from underdog.checks import as_float, check_positive
from underdog.core import (
    ChoosesBy,
    CountedAnew,
    Measured,
    Member,
    Partition,
    Proposal,
    Reads,
    Rows,
    Run,
    Scores,
    Shard,
)
from underdog.kernels import criteria
from underdog.kernels.elementary import exp_each
from underdog.kernels.sums import bounded_exp
from underdog.losses.exponential import least_z_coefficient
from underdog.losses.regression import RegressionLoss, ResidualSignal, on_grid
from underdog.losses.squared import mean_of_targets
from underdog.types import Flags, Floats, Indices, Integers

UNIT_BITS = 58
"""All weights of a side together are less than 2**58 units."""
LARGEST = 700.0
"""The exponential of a larger number may overflow in a sum."""
SMALL = 1e-3
"""Below it sinh(h) is h + h**3 / 6 to the last bits, and a difference of exponentials is not."""


class CoshLoss(RegressionLoss):
    """The mean of u_i cosh((y_i - F(x_i)) / scale): the exponential loss of errors to either side.

    Every row has two weights, u exp((y - F) / scale) for scores that are too low and u exp((F - y)
    / scale) for scores that are too high: the weights that AdaBoost gives to a positive and a
    negative example with the score F / scale. So its learners choose as if a row were these two. A
    block says `scale` / 2 ln((W_+ + e) / (W_- + e)).

    Parameters
    ----------
    scale : float, default=1.0
        Errors count in multiples of it.
    unit : float, default=1.0
        What a score of 1 of the run is worth, in the unit of `scale`.

    References
    ----------
    Duffy and Helmbold, "Boosting methods for regression", Machine Learning 47, 2002, section 4.

    Examples
    --------
    >>> from underdog.losses import CoshLoss
    >>> CoshLoss(scale=2.0).each([[0.0]], [[1.0]]).round(4).tolist()
    [[1.1276]]
    """

    takes_parts: ClassVar[bool] = False

    reads: ClassVar[Reads] = "sides"
    chooses_by: ClassVar[ChoosesBy] = "z"
    facts: ClassVar[tuple[str, ...]] = ("edge", "z", "loss", "bound")
    degree: ClassVar[int] = 0
    keeps_order: ClassVar[bool] = True

    def __init__(self, scale: float = 1.0, unit: float = 1.0) -> None:
        self.scale: float = as_float(scale)
        self.unit: float = as_float(unit)

    def check(self) -> None:
        check_positive("scale", self.scale)
        check_positive("unit", self.unit)

    @property
    def rate(self) -> float:
        """What a score of 1 is worth in the exponent."""
        return self.unit / self.scale

    def each(self, scores: Any, y: Any, context: float = math.inf) -> Floats:
        error = (np.asarray(y) - np.asarray(scores)) / self.scale
        result: Floats = np.cosh(np.clip(error, -LARGEST, LARGEST))
        return result

    def derivatives(
        self, scores: Floats, y: Any, context: float = math.inf
    ) -> tuple[Floats, Floats]:
        error = np.clip((y - scores) / self.scale, -LARGEST, LARGEST)
        return np.sinh(error) / self.scale, np.cosh(error) / self.scale**2

    def start(self, rows: Rows) -> Floats:
        return on_grid(mean_of_targets(rows))

    def make_signal(self, rows: Rows, costly: bool = False) -> Any:
        return CoshSignal(self.rate, rows, costly)

    def constant(self, sums: Integers, unit: Floats, smooth: float) -> Floats:
        values = np.empty((1, sums.shape[2]))
        criteria.fill(criteria.REAL_Z, sums, unit, smooth, 1.0, values)
        return values / self.rate

    def leaf_values(
        self,
        signal: ResidualSignal,
        partition: tuple[Partition, ...],
        drawn: tuple[Flags, ...] | None,
        masses: Floats,
        values: Floats,
    ) -> Floats:
        """What AdaBoost's leaves say, in the unit of the scores."""
        return values / self.rate

    def best_coefficient(self, proposal: Proposal, smooth: float, signal: int = 0) -> float:
        values = proposal.hypothesis.values * self.rate
        votes = np.rint(values)
        if bool((np.abs(values - votes) < 1e-12).all()):
            values = votes
        rule: Any = proposal.hypothesis
        as_adaboost = proposal._replace(hypothesis=replace(rule, values=values))
        return least_z_coefficient(as_adaboost, smooth, signal)

    def measure(self, run: Run, proposal: Proposal, coefficient: float) -> Measured:
        values = proposal.hypothesis.values
        steps, rates = np.empty_like(values), np.full(2, self.rate)
        size, z, _, edge = criteria.measure(
            values, coefficient, proposal.sums[0], proposal.unit[0], rates, steps
        )
        signal: Any = run.state.signals[0]
        after = signal.total(proposal.partition, steps)
        facts = {"edge": edge * self.rate, "z": z, "loss": after.mean}
        return Measured(steps, size, {**facts, "bound": after.bound * self.scale})

    def training_loss(self, rows: Rows, costly: bool = False) -> float:
        return self.total(rows, costly).mean

    def total(self, rows: Rows, costly: bool = False) -> CoshTotal:
        """The loss of all rows at their scores."""
        return CoshSignal(self.rate, rows, costly).total()

    def gains(self, history: Mapping[str, Floats], members: Sequence[Member]) -> Floats:
        """The drop of ln Z."""
        result: Floats = -np.log(history["z"])
        return result


class CoshTotal(NamedTuple):
    """The mean of cosh(x), and a bound on every |x| that follows from it.

    Each of m equal weights has cosh(x) >= 1. So the sum P/2 of all is at least cosh(x) + m - 1 for
    every x, and |x| <= arccosh(P/2 - m + 1). With other weights it is arccosh(1 + (P/2 - M) / u), M
    being their sum and u the least of them.
    """

    mean: float
    bound: float


class CoshSignal(CountedAnew):
    """Integer weights rint(2**k u exp(-x)) and rint(2**k u exp(x)), x = rate (y - F).

    Every row has both: channel 0 is the weight of scores that are too high, 1 of those too low. The
    greatest weight of a round is 2**k.

    Parameters
    ----------
    rate : float
    rows : Rows
    costly : bool, default=False
    """

    reads: Reads = "sides"

    def __init__(self, rate: float, rows: Rows, costly: bool = False) -> None:
        super().__init__(rows)
        self.rate = rate
        highest = rows.largest(lambda shard: shard.target.log_weight(costly))
        self._logs = [shard.target.log_weight(costly) - highest for shard in rows.shards]
        examples = int(rows.total(lambda shard: np.asarray(shard.target.repeats.sum())))
        self._bits = UNIT_BITS - examples.bit_length()
        self._known, self._highest = -1, 0.0

    def channel_of(self, shard: Shard) -> None:
        return None

    def _exponents(self, shard: Shard, scores: Scores | None = None) -> Floats:
        """(n,) x = rate (y - F)."""
        own = shard.scores if scores is None else scores
        result: Floats = self.rate * (shard.target.observed - own.full())[:, 0]
        return result

    def _peak(self) -> float:
        """The logarithm of the greatest weight."""
        if self._known != self.version:
            self._highest = self.rows.largest(
                lambda shard: np.abs(self._exponents(shard)) + self._logs[shard.number]
            )
            self._known = self.version
        return self._highest

    def amounts(
        self, shard: Shard, rows: Indices, first_label: int, channel: int, out: Integers
    ) -> None:
        side = self.rate if channel == 1 else -self.rate
        scores = shard.scores.relative[rows, 0] + shard.scores.base[0]
        own = side * (shard.target.observed[rows, 0] - scores)
        weights = _exp(own + self._logs[shard.number][rows] - self._peak())
        units = np.rint(np.ldexp(weights, self._bits)).astype(np.int64)
        np.multiply(shard.target.repeats[rows], units, out=out[:, 0])

    def unit(self, totals: Integers, out: Floats) -> None:
        out[:] = 1.0 / float(totals.sum())

    def total(
        self, partition: tuple[Partition, ...] | None = None, steps: Floats | None = None
    ) -> CoshTotal:
        """The loss of all rows, or what steps would make of it."""

        def moved(shard: Shard) -> Floats:
            scores = shard.scores
            if partition is not None and steps is not None:
                scores = shard.after(partition[shard.number], steps)
            return np.abs(self._exponents(shard, scores))

        rows, logs = self.rows, self._logs
        sizes = [moved(shard) for shard in rows.shards]
        everything = rows.exact_sum(lambda shard: _exp(logs[shard.number]))
        log_least = -rows.largest(lambda shard: -logs[shard.number])
        if rows.largest(lambda shard: sizes[shard.number]) > LARGEST:
            log_sum = rows.log_sum_exp(lambda shard: sizes[shard.number] + logs[shard.number])
            return CoshTotal(bounded_exp(log_sum - math.log(2.0 * everything)), log_sum - log_least)
        excess = rows.exact_sum(
            lambda shard: _exp(logs[shard.number]) * _cosh_minus_1(sizes[shard.number])
        )
        over = excess * math.exp(-log_least)  # arccosh(1 + over), exact also for small numbers
        return CoshTotal(1.0 + excess / everything, math.log1p(over + math.sqrt(over * (over + 2))))


def _cosh_minus_1(x: Floats) -> Floats:
    """cosh(x) - 1 = 2 sinh(x / 2)**2 of x >= 0."""
    half = 0.5 * x
    growth = _exp(half)
    sinh = np.where(half < SMALL, half * (1.0 + half * half / 6.0), 0.5 * (growth - 1.0 / growth))
    result: Floats = 2.0 * sinh * sinh
    return result


def _exp(values: Floats) -> Floats:
    result = np.empty(len(values))
    exp_each(np.ascontiguousarray(values), result)
    return result
