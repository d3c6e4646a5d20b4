"""Losses of real-valued targets, and the integer gradients that follow from them."""

from __future__ import annotations

import math
import sys
from functools import partial
from typing import Any, ClassVar, NamedTuple

import numpy as np

from underdog.core import (
    Blocks,
    Measured,
    Partition,
    Proposal,
    Rows,
    Run,
    Scores,
    Shard,
    not_defined,
)
from underdog.kernels import criteria, residuals, selection
from underdog.kernels.elementary import GRID
from underdog.losses.newton import NewtonLoss, NewtonSignal
from underdog.types import Flags, Floats, Indices, Integers
from underdog.workers.collective import ALONE, Collective, exact_sum, signed_sum

UNIT_BITS = 61
"""All gradients together are less than 2**61 units."""


class OfResidual(NamedTuple):
    """How a gradient follows from the residual r = y - F, for each label.

    It is r, clipped to [low, high]. With `by_sign` it is high where r >= 0, and low elsewhere.
    With `times_residual` the loss is the gradient times the residual, and nothing is clipped.
    """

    low: Floats
    high: Floats
    by_sign: bool = False
    times_residual: bool = False


class RegressionLoss(NewtonLoss):
    """The mean of u_i l(y_i, F(x_i)) for real-valued y; trees are fitted to its gradients.

    A tree is grown by least squares on g = -dl/dF: a test is chosen by the greatest sum of G**2 /
    (U + e), G and U being the sums of u g and u in a block. Then `leaf_values` gives each leaf the
    value that minimises the loss, which is not the mean of the gradients unless the loss is
    squared. Scores and targets are in the unit of the target's code.
    """

    code: ClassVar[str | None] = "RealValues"
    degree: ClassVar[int] = 1
    """The loss of targets times c is that of the targets times c**degree, if scores follow."""
    log_link: ClassVar[bool] = False
    """Whether scores are logarithms of predictions."""
    min_step: ClassVar[float] = 1.0 / GRID
    refits_leaves: ClassVar[bool] = True
    keeps_order: ClassVar[bool] = False
    """Whether leaf values have the order of the Newton steps, so that bounds on these suffice."""
    at_least: ClassVar[float] = -math.inf
    """The least target that it is defined for."""

    @property
    def several(self) -> tuple[float, ...] | None:
        """The quantiles that have a score each; None if there is one score."""
        return None

    def each(self, scores: Floats, y: Any, context: float = math.inf) -> Floats:
        """(n, K): the loss of examples with these scores, at least 0."""
        raise not_defined(self, "each")

    def derivatives(
        self, scores: Floats, y: Any, context: float = math.inf
    ) -> tuple[Floats, Floats]:
        """(n, K) minus the gradient, and the curvature or what stands for it."""
        raise not_defined(self, "derivatives")

    def of_residual(self, context: float) -> OfResidual | None:
        """The gradient as a function of the residual, if a kernel can compute it.

        `derivatives`, and `each` where it follows, must have the same bits. All curvatures are 1.
        """
        return None

    def start(self, rows: Rows) -> Floats:
        raise not_defined(self, "start")

    def context(self, rows: Rows, signal: ResidualSignal) -> float:
        """What the loss must know of all rows in a round, such as the d of Huber's loss."""
        return math.inf

    def make_signal(self, rows: Rows, costly: bool = False) -> ResidualSignal:
        return ResidualSignal(self, rows, costly)

    def least_squares_signal(self, rows: Rows) -> Any:
        raise not_defined(self, "least_squares_signal")

    @property
    def gives(self) -> frozenset[str]:
        return super().gives - {"least_squares_signal"}

    def constant(self, sums: Integers, unit: Floats, smooth: float) -> Floats:
        """0: scores start from the best constant."""
        return np.zeros((1, sums.shape[2]))

    def within(self, values: Floats, bounds: Floats) -> Floats:
        """What `leaf_values` has given, kept in the (B, 2) bounds of the Newton steps.

        Of a loss that keeps their order; nothing is to do where values follow from the steps alone.
        """
        return values

    def measure(self, run: Run, proposal: Proposal, coefficient: float) -> Measured:
        steps = np.empty_like(proposal.hypothesis.values)
        size = criteria.on_grid(proposal.hypothesis.values, coefficient, steps)
        signal: Any = run.state.signals[0]
        loss = signal.mean_loss(proposal.partition, steps)
        newton = np.empty_like(steps)
        smooth = run.smooth / signal.mass
        criteria.fill(criteria.NEWTON, proposal.sums[0], proposal.unit[0], smooth, 1.0, newton)
        gain = 0.5 * float((proposal.masses()[:, 0] * newton).sum())
        unit = run.rows.shards[0].target.unit
        facts = {"loss": self.in_unit(loss, unit), "gain": self.in_unit(gain, unit)}
        return Measured(steps, size, facts)

    def in_unit(self, loss: float, unit: float) -> float:
        """A loss in the unit of the target; the largest float if it overflows."""
        try:
            return min(loss * unit**self.degree, sys.float_info.max)
        except OverflowError:
            return sys.float_info.max

    def training_loss(self, rows: Rows, costly: bool = False) -> float:
        unit = rows.shards[0].target.unit
        return self.in_unit(self.make_signal(rows, costly).mean_loss(), unit)

    def mean(self, scores: Floats, y: Any, weight: Floats, collective: Collective = ALONE) -> float:
        """The mean loss of rows with these predictions, both in the unit of y."""
        return self.mean_in(self.context_of(scores, y, weight), scores, y, weight, collective)

    def mean_in(
        self,
        context: float,
        scores: Floats,
        y: Any,
        weight: Floats,
        collective: Collective = ALONE,
    ) -> float:
        """The same, given the context, so that several models can be compared."""
        losses = weight[:, np.newaxis] * self.each(scores, y, context)
        return signed_sum(collective, losses) / exact_sum(collective, weight)

    def context_of(self, scores: Floats, y: Any, weight: Floats) -> float:
        """As `context`, for rows that are not of the run."""
        return math.inf

    def example_weights(self, scores: Floats, target: Any) -> Floats:
        raise not_defined(self, "example_weights")


NOTHING_KNOWN = np.empty(0), -1, 0.0


class ResidualSignal(NewtonSignal):
    """Integer gradients rint(2**k u g), with a power of two for the gradients of each round.

    The power is the greatest with which all gradients together are less than 2**61 units, so
    residuals, which are multiples of 2**-36, are exact as soon as there is room. The other channel
    has the weights u, or curvatures u h.
    """

    loss: RegressionLoss
    row_by_row = False

    def __init__(self, loss: RegressionLoss, rows: Rows, costly: bool = False) -> None:
        super().__init__(loss, rows, costly)
        examples = int(rows.total(lambda shard: np.asarray(shard.target.repeats.sum())))
        self.room = UNIT_BITS - examples.bit_length()
        """Bits of the largest amount."""
        self._use_weights(self._weights)
        self._of_residual: OfResidual | None = None
        self._known = -1
        self._exponents = (0, 0)
        self._context = math.inf
        self._largest_known: dict[int, tuple[Floats, int, float]] = {}
        """The largest residual of each shard, with its scores and the version that has them."""

    def _use_weights(self, weights: list[Floats]) -> None:
        """Set the weights u of the rows of each shard; that of the heaviest example is 1."""
        self._weights = weights
        self._equal = self.rows.in_one_place and bool((weights[0] == 1.0).all())
        self._integers: dict[int, Integers] = {}

    def update(self) -> None:
        """Find the range of the gradients of this round."""
        if self._known == self.version:
            return
        self._context = self.loss.context(self.rows, self)
        how = self._of_residual = self.loss.of_residual(self._context)
        largest = self._largest() if how is None else self._largest_of_residual(how)
        first, second = (math.frexp(size)[1] if size > 0.0 else 0 for size in largest)
        self._exponents = first, second
        self._known = self.version

    def _largest(self) -> tuple[float, float]:
        """The largest absolute gradient and the largest curvature."""
        rows, context, derivatives = self.rows, self._context, self.loss.derivatives

        def sizes(shard: Shard, channel: int) -> Floats:
            found = derivatives(shard.scores.full(), shard.target.observed, context)
            return np.abs(found[channel])

        return rows.largest(partial(sizes, channel=0)), rows.largest(partial(sizes, channel=1))

    def _largest_of_residual(self, how: OfResidual) -> tuple[float, float]:
        """The same, where gradients follow from residuals."""
        low, high, by_sign = how[:3]
        bound = max(map(abs, (*low.tolist(), *high.tolist())))

        def size(shard: Shard) -> Floats:
            found, scores = np.zeros(1), shard.scores
            array, version, known = self._largest_known.get(shard.number, NOTHING_KNOWN)
            if array is scores.relative and version == self.version:
                found[0] = known
                return found
            residuals.largest(shard.target.value, scores.relative, scores.base, found)
            return found

        return (bound if by_sign else min(bound, self.rows.largest(size))), 1.0

    @property
    def total(self) -> float:
        """The weight of all examples; that of the heaviest is 1."""
        return self._total

    @property
    def context(self) -> float:
        """What the loss must know of all rows in this round."""
        self.update()
        return self._context

    def bits(self, channel: int) -> int:
        """k: one unit of this channel is 2**-k."""
        self.update()
        return self.room - self._exponents[channel]

    @property
    def equal_curvatures(self) -> bool:
        """Whether the second channel is the same for every example, and there is one label."""
        self.update()
        return self._equal and self._of_residual is not None and self.rows.n_labels == 1

    def initial(self, shard: Shard) -> Floats:
        """(n, 1) initial weights u; that of the heaviest example is 1."""
        own: Floats = self._weights[shard.number]
        return own

    def weights(self, shard: Shard) -> Integers:
        """(n,) integer weights of the rows, which do not change."""
        if shard.number not in self._integers:
            units = np.rint(np.ldexp(self.initial(shard)[:, 0], self.room)).astype(np.int64)
            self._integers[shard.number] = shard.target.repeats * units
        return self._integers[shard.number]

    def drawn_weights(self, shard: Shard, drawn: tuple[Flags, ...] | None) -> Integers:
        """(n,) integer weights, 0 of rows that were not drawn."""
        own = self.weights(shard)
        return own if drawn is None else np.where(drawn[shard.number], own, 0)

    def residuals(self, shard: Shard) -> Integers:
        """(n, K) y - F as multiples of 2**-36."""
        target, scores = shard.target, shard.scores
        out = np.empty(scores.relative.shape, dtype=np.int64)
        residuals.on_grid(target.value, scores.relative, scores.base, out)
        return out

    def amounts(
        self, shard: Shard, rows: Indices, first_label: int, channel: int, out: Integers
    ) -> None:
        bits = self.bits(channel)
        labels = slice(first_label, first_label + out.shape[1])
        scores = shard.scores.relative[rows] + shard.scores.base
        y = shard.target.observed[rows]
        own = self.loss.derivatives(scores, y, self._context)[channel][:, labels]
        units = np.rint(np.ldexp(own * self.initial(shard)[rows], bits)).astype(np.int64)
        np.multiply(shard.target.repeats[rows, np.newaxis], units, out=out)

    def all_amounts(self, shard: Shard) -> Integers:
        bits = self.bits(0), self.bits(1)
        out = np.empty((2, shard.encoded.n_rows, shard.n_labels), dtype=np.int64)
        if self._of_residual is not None:
            self._fill(shard, self._of_residual, bits, out)
            return out
        found = self.loss.derivatives(shard.scores.full(), shard.target.observed, self._context)
        for own, own_bits, place in zip(found, bits, out, strict=True):
            units = np.rint(np.ldexp(own * self.initial(shard), own_bits)).astype(np.int64)
            np.multiply(shard.target.repeats[:, np.newaxis], units, out=place)
        return out

    def _fill(self, shard: Shard, how: OfResidual, bits: tuple[int, int], out: Integers) -> None:
        """The amounts of all rows, by a kernel."""
        target, scores, scales = shard.target, shard.scores, np.ldexp(1.0, np.array(bits))

        def fill(first: int, last: int) -> None:
            residuals.amounts(
                target.value, scores.relative, scores.base, self.initial(shard), target.repeats,
                how.low, how.high, how.by_sign, scales, first, last, out,
            )  # fmt: skip

        shard.workers.run(fill, len(scores.relative), 4 * scores.relative.size)

    def _row_losses(self, scores: Scores, shard: Shard) -> Floats:
        self.update()
        how, target, weight = self._of_residual, shard.target, self.initial(shard)
        if how is not None and how.times_residual and shard.n_labels == 1:
            out = np.empty(len(scores.relative))
            largest = residuals.losses(
                target.value, scores.relative, scores.base, weight, how.low, how.high, how.by_sign,
                out,
            )  # fmt: skip
            taken = self.version if scores is shard.scores else self.version + 1
            self._largest_known[shard.number] = scores.relative, taken, float(largest)
            return out
        each = self.loss.each(scores.full(), target.observed, self._context)
        own: Floats = (weight * each).sum(axis=1)
        return own

    def unit(self, totals: Integers, out: Floats) -> None:
        for channel in range(2):
            out[channel] = math.ldexp(1.0, -self.bits(channel)) / self._total


def on_grid(scores: Floats) -> Floats:
    """Scores rounded to the score grid."""
    result: Floats = np.rint(scores * GRID) / GRID
    return result


def block_of_row(partition: Partition, shard: Shard) -> Integers:
    """(n,) the block of each row."""
    if not isinstance(partition, Blocks):
        raise TypeError("leaf values need blocks that are the same for all labels")
    return partition.of_row(shard.encoded.n_rows)


def sums_by_block(amounts: Integers, block: Integers, n_blocks: int) -> Integers:
    """(B,) the sum of the amounts of each block."""
    sums = np.zeros(n_blocks, dtype=np.int64)
    selection.add_by_block(amounts, block, sums)
    return sums
