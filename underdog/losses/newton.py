"""Losses whose weak rules are fitted to gradients and curvatures."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, cast

import numpy as np

from underdog.core import (
    MAX_SCORE,
    ChoosesBy,
    CountedAnew,
    Loss,
    Measured,
    Member,
    Partition,
    Proposal,
    Reads,
    Rows,
    Run,
    Scores,
    Shard,
    Target,
    every_row,
    not_defined,
)
from underdog.kernels import criteria
from underdog.kernels.elementary import exp_each
from underdog.types import Floats, Indices, Integers
from underdog.workers.collective import ALONE, Collective, exact_sum, signed_sum

UNIT_BITS = 59
"""All gradients together are less than 2**59 units."""


class NewtonLoss(Loss):
    """The mean of u_i l(y_i, F(x_i)); rules are fitted to its gradients and curvatures.

    With g = -dl/dF and h = d2l/dF2 a block says G / (H + e), G and H being the sums of u g and u h
    over its examples: Newton's step for the loss with the penalty e v**2 / 2 on what is said. A
    test is chosen by the greatest sum of G**2 / (H + e). Such a loss defines `each` and
    `derivatives`. All gradients change in every round, so they are counted anew.
    """

    takes_parts: ClassVar[bool] = True

    chooses_by: ClassVar[ChoosesBy] = "newton"
    reads: ClassVar[Reads] = "newton"
    facts: ClassVar[tuple[str, ...]] = ("loss", "gain")
    decreasing: ClassVar[bool] = False
    """Whether the loss falls with y F wherever that is, so that minus its gradient has the sign of
    y."""
    bounded: ClassVar[bool] = True
    """Whether gradients are at most 1, curvatures at most 2; else the signal has its own unit."""

    def each(self, scores: Floats, sign: Any) -> Floats:
        """(n, K): the loss of examples with these scores; its sum over labels is theirs."""
        raise not_defined(self, "each")

    def derivatives(self, scores: Floats, sign: Any) -> tuple[Floats, Floats]:
        """(n, K) minus the gradient, in [-1, 1], and the curvature, in [0, 2] if `bounded`."""
        raise not_defined(self, "derivatives")

    def perfect_steps(self, smooth: float) -> float:
        return math.inf

    def make_signal(self, rows: Rows, costly: bool = False) -> NewtonSignal:
        return NewtonSignal(self, rows, costly)

    def least_squares_signal(self, rows: Rows) -> LeastSquaresSignal:
        return LeastSquaresSignal(self, rows)

    def constant(self, sums: Integers, unit: Floats, smooth: float) -> Floats:
        values = np.empty((1, sums.shape[2]))
        criteria.fill(criteria.NEWTON, sums, unit, smooth, 1.0, values)
        return values

    def measure(self, run: Run, proposal: Proposal, coefficient: float) -> Measured:
        values = proposal.hypothesis.values
        steps = np.empty_like(values)
        size = criteria.on_grid(values, coefficient, steps)
        signal = cast(NewtonSignal, run.state.signals[0])
        loss = signal.mean_loss(proposal.partition, steps) if run.records_loss else math.nan
        gradient, curvature = proposal.masses().transpose(1, 0, 2)
        gain = 0.5 * float((gradient * values).sum())
        if run.constraints.directions is not None:  # values may have been clipped
            penalty = run.smooth / signal.mass
            gain = float((gradient * values - 0.5 * (curvature + penalty) * values**2).sum())
        return Measured(steps, size, {"loss": loss, "gain": gain})

    def soft_derivatives(self, scores: Floats, sign: Any, soft: Floats | None) -> Any:
        """`derivatives`, or with soft labels their mean over both signs."""
        if soft is None:
            return self.derivatives(scores, sign)
        no, yes = (self.derivatives(scores, np.full_like(sign, side)) for side in range(2))
        return [(1.0 - soft) * a + soft * b for a, b in zip(no, yes, strict=True)]

    def fill_amounts(self, shard: Shard, weight: Floats, bits: int, out: Integers) -> None:
        """out[channel, row, label] = integer gradients and curvatures of all rows."""
        target = shard.target
        found = self.soft_derivatives(shard.scores.full(), target.observed, target.soft)
        for own, place in zip(found, out, strict=True):
            units = np.rint(np.ldexp(own * weight, bits)).astype(np.int64)
            np.multiply(shard.target.repeats[:, np.newaxis], units, out=place)

    def row_losses(self, scores: Scores, shard: Shard, weight: Floats) -> Floats:
        """(n,) the loss of each row at these scores, times its weight."""
        target, full = shard.target, scores.full()
        if target.soft is None:
            each = self.each(full, target.observed)
        else:
            no, yes = (self.each(full, np.full_like(target.sign, side)) for side in range(2))
            each = (1.0 - target.soft) * no + target.soft * yes
        own: Floats = (weight * each).sum(axis=1)
        return own

    def training_loss(self, rows: Rows, costly: bool = False) -> float:
        """Mean loss of the rows."""
        return NewtonSignal(self, rows, costly).mean_loss()

    def mean(
        self, scores: Floats, sign: Any, weight: Floats, collective: Collective = ALONE
    ) -> float:
        each = weight if weight.ndim == 2 else weight[:, np.newaxis]
        total = exact_sum(collective, np.ascontiguousarray(np.broadcast_to(each, sign.shape)[:, 0]))
        return signed_sum(collective, each * self.each(scores, sign)) / total

    def example_weights(self, scores: Floats, target: Target) -> Floats:
        highest = float(target.log_weight(False).max())
        gradient, _ = self.derivatives(scores, target.observed)
        own = target.repeats[:, np.newaxis] * weights(target, False, highest) * np.abs(gradient)
        result: Floats = own / max(float(own.sum()), np.finfo(float).tiny)
        return result

    def gains(self, history: Mapping[str, Floats], members: Sequence[Member]) -> Floats:
        """By how much each step was to lower the loss."""
        return history["gain"][: len(members)]


class NewtonSignal(CountedAnew):
    """Integer gradients and curvatures, rint(2**k u g) and rint(2**k u h).

    Parameters
    ----------
    loss : NewtonLoss
    rows : Rows
    costly : bool, default=False
        Whether examples start with their cost, and not with their prior weight.
    """

    reads: Reads = "newton"
    row_by_row = True

    def __init__(self, loss: NewtonLoss, rows: Rows, costly: bool = False) -> None:
        super().__init__(rows)
        self.loss = loss
        highest = rows.largest(lambda shard: shard.target.log_weight(costly))
        self._weights = [weights(shard.target, costly, highest) for shard in rows.shards]
        self._bits = UNIT_BITS - rows.n_examples.bit_length()
        self._total = rows.exact_sum(lambda shard: self._weights[shard.number][:, 0])
        self._unit = math.ldexp(1.0, -self._bits) / self._total

    def channel_of(self, shard: Shard) -> None:
        return None

    def amounts_at(
        self, shard: Shard, rows: Indices, scores: Floats, first: int, channel: int, out: Integers
    ) -> None:
        labels, target = slice(first, first + out.shape[1]), shard.target
        soft = None if target.soft is None else target.soft[rows]
        own = self.loss.soft_derivatives(scores, target.observed[rows], soft)[channel][:, labels]
        weight = self._weights[shard.number][rows]
        own = own * (weight if weight.shape[1] == 1 else weight[:, labels])
        units = np.rint(np.ldexp(own, self._bits)).astype(np.int64)
        np.multiply(shard.target.repeats[rows, np.newaxis], units, out=out)

    def all_amounts(self, shard: Shard) -> Integers:
        """[channel, row, label] of all rows, in one pass."""
        out = np.empty((2, shard.encoded.n_rows, shard.n_labels), dtype=np.int64)
        self.loss.fill_amounts(shard, self._weights[shard.number], self._bits, out)
        return out

    def mean_loss(
        self, partition: tuple[Partition, ...] | None = None, steps: Floats | None = None
    ) -> float:
        """Mean loss of the rows, or what steps would make of it; infinite if they are too long."""
        if steps is not None and not float(np.abs(steps).max()) < MAX_SCORE:
            return math.inf

        def losses(shard: Shard) -> Floats:
            scores = shard.scores
            if partition is not None and steps is not None:
                scores = shard.after(partition[shard.number], steps)
            return self._row_losses(scores, shard)

        try:
            return self.rows.exact_sum(losses) / self._total
        except OverflowError:  # only scores of a damaged file are so long
            return math.inf

    def _row_losses(self, scores: Scores, shard: Shard) -> Floats:
        return self.loss.row_losses(scores, shard, self._weights[shard.number])

    def unit(self, totals: Integers, out: Floats) -> None:
        out[:] = self._unit


class LeastSquaresSignal(NewtonSignal):
    """Gradients, with the weight u of an example in the place of its curvature u h.

    Newton's step for the squared error of the gradients is their mean: so what Newton's gain
    becomes, G**2 / (U + e), is by how much the mean of a block lowers that error.
    """

    row_by_row = False

    def amounts(
        self, shard: Shard, rows: Indices, first_label: int, channel: int, out: Integers
    ) -> None:
        if channel == 0:
            super().amounts(shard, rows, first_label, channel, out)
            return
        own = self._weights[shard.number][rows]
        own = own if own.shape[1] == 1 else own[:, first_label : first_label + out.shape[1]]
        units = np.rint(np.ldexp(own, self._bits)).astype(np.int64)
        np.multiply(shard.target.repeats[rows, np.newaxis], units, out=out)

    def all_amounts(self, shard: Shard) -> Integers:
        out = super().all_amounts(shard)
        self.amounts(shard, every_row(shard.encoded.n_rows), 0, 1, out[1])
        return out


def weights(target: Target, costly: bool, highest: float) -> Floats:
    """(n, 1) or (n, K) initial weights of an example, that of the heaviest being 1."""
    logs = target.log_weight(costly) - highest
    own = np.empty((len(logs), 1))
    exp_each(logs, own[:, 0])
    if target.log_label is None:
        return own
    result: Floats = own * np.exp(target.log_label[target.sign, np.arange(target.n_labels)])
    return result
