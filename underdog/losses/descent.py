"""The steepest descent of a smooth loss by rules that vote."""

from __future__ import annotations

import math
import sys
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np

from underdog.core import (
    ChoosesBy,
    Loss,
    Member,
    OfSignal,
    Proposal,
    Rows,
    Run,
    Scores,
    Shard,
    Target,
)
from underdog.losses.log_loss import LogLoss
from underdog.losses.newton import NewtonLoss, NewtonSignal
from underdog.losses.regression import RegressionLoss
from underdog.losses.squared import SquaredError
from underdog.types import Codes, Floats, Indices, Integers
from underdog.workers.collective import ALONE, Collective

UNIT_BITS = 60
"""All terms of a sum together are less than 2**60 units."""
MOST_PASSES = 60
SMALLEST = 2.0**-960
"""A smaller loss may have lost bits."""
CLOSE = 2.0**-34
"""The line search ends when the share of a step changes by less."""


class Descent(Loss):
    """A smooth loss whose gradients are the weights of votes.

    An example has the weight |g|, g being minus the gradient of its loss, and counts as positive
    where g > 0. So the rule with the greatest edge is the one along which the loss falls fastest.

    Parameters
    ----------
    loss : NewtonLoss, default=LogLoss()
        The squared error is halved here, so that g is the residual.

    Examples
    --------
    >>> from underdog.losses import Descent, SquaredError
    >>> Descent(SquaredError()).most_curved
    1.0
    """

    chooses_by: ClassVar[ChoosesBy] = "votes"
    facts: ClassVar[tuple[str, ...]] = ("edge", "loss")

    def __init__(self, loss: NewtonLoss | None = None) -> None:
        self.loss = loss

    @property
    def own(self) -> NewtonLoss:
        return LogLoss() if self.loss is None else self.loss

    def check(self) -> None:
        if not isinstance(self.own, NewtonLoss):
            raise ValueError(
                f"loss={self.loss!r} has no gradients: use a loss such as LogLoss() or "
                "SquaredError()"
            )
        if isinstance(self.own, RegressionLoss) and not isinstance(self.own, SquaredError):
            raise ValueError(
                f"loss={self.loss!r} is not smooth or changes from round to round: use "
                "SquaredError()"
            )

    @property
    def code(self) -> str | None:  # type: ignore[override]
        return self.own.code

    @property
    def at_least(self) -> float:
        """The least target that it is defined for."""
        return float(getattr(self.own, "at_least", -math.inf))

    @property
    def factor(self) -> float:
        """What the loss is multiplied by, such that g is minus its gradient."""
        return 0.5 if isinstance(self.own, SquaredError) else 1.0

    @property
    def most_curved(self) -> float:
        """The largest second derivative of the loss of an example; NaN if it is not known."""
        known = {SquaredError: 1.0, LogLoss: 0.25}
        return known.get(type(self.own), math.nan)

    @property
    def probability_scale(self) -> float | None:
        return self.own.probability_scale

    def start(self, rows: Rows) -> Floats:
        return self.own.start(rows)

    def make_signal(self, rows: Rows, costly: bool = False) -> DescentSignal:
        return DescentSignal(rows, self.own.make_signal(rows, costly))

    def constant(self, sums: Integers, unit: Floats, smooth: float) -> Floats:
        """0: scores start from the best constant."""
        return np.zeros((1, sums.shape[2]))

    def each(self, scores: Floats, y: Any, context: float = math.inf) -> Floats:
        """(n, K): the loss of examples with these scores."""
        return self.own.each(scores, y)

    def context_of(self, scores: Floats, y: Any, weight: Floats) -> float:
        """What the loss must know of all rows: nothing."""
        return math.inf

    def mean(
        self, scores: Floats, sign: Codes, weight: Floats, collective: Collective = ALONE
    ) -> float:
        return self.own.mean(scores, sign, weight)

    def log_bound(self, rows: Rows, costly: bool = False) -> float:
        return self.own.log_bound(rows, costly)

    def training_loss(self, rows: Rows) -> float:
        """Mean loss of the rows, in the unit of the target."""
        return self.factor * self.own.training_loss(rows)

    def example_weights(self, scores: Floats, target: Target) -> Floats:
        return self.own.example_weights(scores, target)

    def gains(self, history: Mapping[str, Floats], members: Sequence[Member]) -> Floats:
        """The decrease of the loss; that of the first round counts as that of the second."""
        losses = history["loss"][: len(members)]
        drops = -np.diff(losses)
        return np.append(drops[:1] if len(drops) else np.ones(1), drops)[: len(losses)]

    def exponent(self, rows: Rows) -> int:
        """What a loss of 1 in the scores of a run is worth, as a power of two."""
        own = self.own
        if not isinstance(own, RegressionLoss):
            return 0
        return own.degree * (math.frexp(rows.shards[0].target.unit)[1] - 1)

    def in_unit(self, value: float, rows: Rows) -> float:
        """A loss of a run in the unit of the target; the largest float if it overflows."""
        return times_power(value, self.exponent(rows))

    def own_loss(self, rows: Rows, known: float | None = None) -> float:
        """Mean loss of the rows in the scores of the run, from that in the unit of the target.

        Where it is not known, or has over- or underflowed there, it is computed.
        """
        if not isinstance(self.own, RegressionLoss):
            return self.training_loss(rows) if known is None else known
        if known is not None and SMALLEST <= known < sys.float_info.max:
            return math.ldexp(known, -self.exponent(rows))
        return self.factor * NewtonSignal.mean_loss(self.own.make_signal(rows))

    def spread(self, rows: Rows) -> float:
        """The standard deviation of numbers around the start, in the scores of a run; else 1."""
        if not isinstance(self.own, RegressionLoss):
            return 1.0
        return math.sqrt(NewtonSignal.mean_loss(self.own.make_signal(rows)))

    def segment(self, run: Run, proposal: Proposal, radius: float) -> LossAlong:
        """The loss between the scores and a rule times the radius: at f + c (R h - f)."""
        return LossAlong(self, run, proposal, radius, kept=False)

    def ray(self, run: Run, proposal: Proposal) -> LossAlong:
        """The loss of the scores and a rule times any coefficient: at f + c h."""
        return LossAlong(self, run, proposal, 1.0, kept=True)


class DescentSignal(OfSignal):
    """The positive and the negative gradients of another signal, as two sides."""

    def __init__(self, rows: Rows, signal: NewtonSignal) -> None:
        super().__init__(rows, signal)
        self.reads = "sides"
        known = all(shard.target.soft is None for shard in rows.shards)
        self._by_sign = signal.loss.decreasing and known

    def channel_of(self, shard: Shard) -> Codes | None:
        return shard.target.sign if self._by_sign else None

    def amounts(
        self, shard: Shard, rows: Indices, first_label: int, channel: int, out: Integers
    ) -> None:
        self.signal.amounts(shard, rows, first_label, 0, out)
        if self._by_sign:
            np.abs(out, out=out)
            return
        if channel == 0:
            np.negative(out, out=out)
        np.maximum(out, 0, out=out)

    def all_amounts(self, shard: Shard) -> Integers:
        """[channel, row, label] of all rows, in one pass."""
        both: Integers = self.signal.all_amounts(shard)  # type: ignore[attr-defined]
        np.maximum(both[0], 0, out=both[1])
        np.subtract(both[1], both[0], out=both[0])
        return both

    def unit(self, totals: Integers, out: Floats) -> None:
        out[:] = 1.0 / max(int(totals.sum()), 1)

    def restart(self) -> None:
        super().restart()
        self.signal.restart()


class LossAlong:
    """The mean loss from f, what was added to the start, to a rule h, for c of at least 0.

    At f + c R h if f is kept, else at f + c (R h - f). Targets have the unit of the scores.
    """

    def __init__(
        self, loss: Descent, run: Run, proposal: Proposal, radius: float, kept: bool
    ) -> None:
        self.loss, self.rows = loss, run.rows
        inner: Any = run.state.signals[0].signal  # type: ignore[attr-defined]
        self._weights, self._total = inner._weights, inner._total
        self._scores, self._ways = [], []
        for shard, partition in zip(run.rows.shards, proposal.partition, strict=True):
            rule = Scores.zero(shard.encoded.n_rows, shard.n_labels)
            partition.move(rule, radius * proposal.hypothesis.values)
            scores = shard.scores.full()
            self._scores.append(scores)
            way = rule.full()
            self._ways.append(way if kept else way - (scores - run.rows.start))

    def slopes(self, share: float) -> tuple[float, float]:
        """The first and the second derivative at c."""
        first, second = [], []
        for shard, scores, way in zip(self.rows.shards, self._scores, self._ways, strict=True):
            at = scores + share * way
            gradient, curvature = self.loss.own.derivatives(at, shard.target.observed)
            own = self._weights[shard.number] * way
            first.append(_by_row(-gradient * own))
            second.append(_by_row(curvature * own * way))
        scale = 1.0 / self._total
        return self._sum(first) * scale, self._sum(second) * scale

    def value(self, share: float) -> float:
        """The mean loss at c."""
        found = []
        for shard, scores, way in zip(self.rows.shards, self._scores, self._ways, strict=True):
            each = self.loss.own.each(scores + share * way, shard.target.observed)
            found.append(_by_row(self._weights[shard.number] * each))
        return self.loss.factor * self._sum(found) / float(self._total)

    def at(self, share: float) -> list[Floats]:
        """The scores at c, of each shard."""
        return [own + share * way for own, way in zip(self._scores, self._ways, strict=True)]

    def best(self, slope: float, bend: float, most: float = 1.0) -> float:
        """The c up to `most` with the least loss, given both derivatives at 0: guarded Newton."""
        low, high, share = 0.0, most, 0.0
        for _ in range(MOST_PASSES):
            following = share - slope / bend if bend > 0.0 else 2.0 * most
            if low > 0.0 or high < most or following > most:
                following = min(following, most) if high == most else following
                if not low <= following <= high:
                    following = 0.5 * (low + high)
            if abs(following - share) <= CLOSE * most:
                return following
            share = following
            slope, bend = self.slopes(share)
            if share == most and slope <= 0.0:
                return most
            low, high = (share, high) if slope < 0.0 else (low, share)
        return share

    def _sum(self, terms: list[Floats]) -> float:
        """The sum over all examples of a number per row, independent of their order."""
        largest = max(float(np.abs(own).max(initial=0.0)) for own in terms)
        if largest == 0.0:
            return 0.0
        bits = UNIT_BITS - self.rows.n_examples.bit_length() - math.frexp(largest)[1]

        def total(shard: Shard) -> Integers:
            units = np.rint(np.ldexp(terms[shard.number], bits)).astype(np.int64)
            return np.asarray((units * shard.target.repeats).sum())

        return math.ldexp(float(self.rows.total(total)), -bits)


def times_power(value: float, exponent: int) -> float:
    """The value times 2**exponent; the largest float of its sign if it overflows."""
    try:
        return math.ldexp(value, exponent)
    except OverflowError:
        return math.copysign(sys.float_info.max, value)


def _by_row(each: Floats) -> Floats:
    """(n,) the sums over the labels."""
    result: Floats = each[:, 0] if each.shape[1] == 1 else each.sum(axis=1)
    return result
