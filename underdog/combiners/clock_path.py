"""The path of a step on which the mean potential stays the same while the clock runs."""

from __future__ import annotations

import math
from typing import NamedTuple, cast

import numpy as np

from underdog.core import Blocks, LabelBlocks, Partition, Proposal, Rows
from underdog.kernels import potentials
from underdog.kernels.elementary import GRID, exp, log
from underdog.losses.log_weights import exp_of
from underdog.losses.potentials import PotentialLoss, margins_of
from underdog.types import Floats, Integers

UNIT_BITS = 59
"""All terms of a sum together are less than 2**62 units."""
SLOPE = 2.0 / math.sqrt(math.pi)
"""erfc'(x) = -SLOPE exp(-x**2)."""
LOOSE, NEAR, TIGHT = 1e-2, 1e-7, 1e-12
"""By how much the logarithm of the potential may differ from what it was: on the way, at a root,
and after the step."""
CONSERVED = 1e-10
"""The same where rounding the step moves the end of the clock."""
ENOUGH = 8
"""Looks for a time, after which `CONSERVED` will do."""
ROOT = 1e-10
"""An edge below this is 0."""
FIRST_STRIDE, GROWTH = 0.5, 1.5
"""The longest first step in widths of the potential, and by what strides grow."""
FARTHEST = 64.0
"""A step of so many widths decides all examples: they are beyond doubt, or given up."""
FINE, COARSE = 1e-6, 1e-2
"""Where the edge jumps, the place is found to this share of the width; and where time does."""
TIMES = 16
"""In how many parts the time is searched where the potential does not grow with it."""


class PathPoint(NamedTuple):
    """Step and time, and what a pass over the rows finds there."""

    step: float
    time: float
    excess: float
    """Logarithm of the potential minus that before the step."""
    excess_by_step: float
    excess_by_time: float
    edge: float
    lean: float
    """artanh of the edge, which is almost linear in the step."""
    lean_by_step: float
    lean_by_time: float
    log_potential: float

    @property
    def time_by_step(self) -> float:
        """How fast the clock runs on the path; NaN where time does not raise the potential."""
        if not self.excess_by_time > 0.0:
            return math.nan
        return -self.excess_by_step / self.excess_by_time

    @property
    def lean_on_path(self) -> float:
        """`lean` at the time at which the potential is what it was, if both were linear."""
        if not self.excess_by_time > 0.0:
            return self.lean
        return self.lean - self.lean_by_time * self.excess / self.excess_by_time

    @property
    def newton(self) -> float:
        """The step at which the edge is 0 on the path, if it were straight."""
        slope = self.lean_by_step + self.lean_by_time * self.time_by_step
        return self.step - self.lean_on_path / slope if slope < 0.0 else math.nan

    def time_at(self, step: float) -> float:
        """The time of another step on the path, if it were straight."""
        if not self.excess_by_time > 0.0:
            return self.time
        back = self.excess / self.excess_by_time
        return self.time - back + self.time_by_step * (step - self.step)


class ClockPath:
    """The rows along one hypothesis h: margins y F + a y h at a time, with the same mean potential.

    `first_root` finds the first a > 0 at which the edge of h is 0 under the weights of that place,
    or at which the clock runs out. There may be others farther on, where all weights have vanished.
    So the path is walked: from the last point with an edge, a step goes to Newton's point but not
    farther than a stride, and a later root is never looked for once a sign has changed.

    Parameters
    ----------
    loss : PotentialLoss
        At the time before the step.
    rows : Rows
    proposal : Proposal
    """

    def __init__(self, loss: PotentialLoss, rows: Rows, proposal: Proposal) -> None:
        self.loss, self.rows = loss, rows
        self.passes = 0
        self.size = float(np.abs(proposal.hypothesis.values).max()) or 1.0
        self._margins = [margins_of(shard) for shard in rows.shards]
        self._partition, self._numbers = proposal.partition, range(len(rows.shards))
        scaled = proposal.hypothesis.values / self.size
        self._toward = [toward(rows, n, self._partition, scaled) for n in self._numbers]
        highest = rows.largest(lambda shard: shard.target.log_prior)
        self._logs = [shard.target.log_prior - highest for shard in rows.shards]
        examples = rows.total(lambda shard: np.asarray(shard.target.repeats.sum()))
        self._unit = math.ldexp(1.0, UNIT_BITS - int(examples).bit_length())
        self._total = rows.exact_sum(lambda shard: exp_of(self._logs[shard.number]))
        self._before = 0.0
        self.start = self.look(0.0, loss.time)
        self._before = self.start.log_potential
        self.start = self.start._replace(excess=0.0)

    def look(self, step: float, time: float) -> PathPoint:
        """One pass over the rows."""
        self.passes += 1
        place, held = self.loss.place(time), self.loss.held
        tops = np.array([-math.inf, -math.inf])
        for number in self._numbers:
            own = np.empty(2)
            potentials.find_highest(
                *self._arrays(number), step, place.centre, place.width, held, own
            )
            tops = np.maximum(tops, own)
        highest, heaviest = float(tops[0]), float(tops[1])
        scale = math.sqrt(max(1.0, -heaviest)) if math.isfinite(heaviest) else 1.0
        sums = np.zeros(potentials.MOMENTS, dtype=np.int64)
        for number, shard in enumerate(self.rows.shards):
            potentials.add_moments(
                *self._arrays(number), shard.target.repeats, step, place.centre, place.width, held,
                highest, heaviest, scale, self._unit, sums,
            )  # fmt: skip
        return self._point(step, time, sums, highest, heaviest, scale)

    def _arrays(self, number: int) -> tuple[Floats, Floats, Floats]:
        return self._margins[number], self._toward[number], self._logs[number]

    def _point(
        self, step: float, time: float, sums: Integers, highest: float, heaviest: float, s: float
    ) -> PathPoint:
        """What the sums say; s is the scale of x in them."""
        place = self.loss.place(time)
        potential = int(sums[0]) / self._unit
        log_potential = highest + float(log(potential / self._total))
        w, wx, wxx, wt, wxt, wxxt, wxtt = (sums[1:] / (2.0 * self._unit)).tolist()
        wx, wxx, wxt, wxxt, wxtt = wx * s, wxx * s * s, wxt * s, wxxt * s * s, wxtt * s
        excess = log_potential - self._before
        if not w > 0.0:
            return PathPoint(step, time, excess, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, log_potential)
        m, v, width = place.centre_speed, place.width_speed, place.width
        fall = SLOPE * float(exp(heaviest - highest)) / potential / width
        edge = wt / w
        inner = max(1.0 - edge * edge, 1e-15)
        # Derivatives of sum w t and of sum w, from those of w = exp(-x**2).
        by_step = -2.0 * (wxtt - edge * wxt) / width / w
        by_time = 2.0 * ((m * wxt + v * wxxt) - edge * (m * wx + v * wxx)) / width / w
        return PathPoint(
            step, time, excess, -fall * wt, fall * (m * w + v * wx), edge,
            0.5 * float(log(max(1.0 + edge, 1e-15)) - log(max(1.0 - edge, 1e-15))), by_step / inner,
            by_time / inner, log_potential,
        )  # fmt: skip

    def on_path(self, step: float, guess: float, tolerance: float) -> PathPoint:
        """The first point with this step at which the potential is what it was.

        It is at the end of the clock, with a lower potential, if there is none before.
        """
        first, end = self.start.time, self.loss.end
        low, high, crest = first, math.inf, math.inf
        looks = self.passes
        point = self.look(step, min(max(guess, first), end))
        while True:
            rises, over = point.excess_by_time > 0.0, point.excess > 0.0
            if self.passes - looks > ENOUGH:
                tolerance = max(tolerance, CONSERVED)  # integers have no more digits
            if abs(point.excess) <= tolerance and (rises or over):
                return point
            if over:
                if point.time <= first:
                    return point  # the step is too long for any time
                high = point.time
            elif rises:
                low = max(low, point.time)
            elif point.time > low:
                crest = min(crest, point.time)  # there may be a maximum before
            last = min(high, crest, end)
            time = point.time - point.excess / point.excess_by_time if rises else math.nan
            if not low < time < last:
                time = end if high == crest == math.inf and rises else 0.5 * (low + last)
            if crest < high and crest - low <= COARSE * end:
                return self._leap(step, point)
            if time == point.time:
                return point
            point = self.look(step, time)

    def _leap(self, step: float, point: PathPoint) -> PathPoint:
        """Where the potential is back after it has fallen with time, or the end of the clock."""
        end = self.loss.end
        stride = (end - self.start.time) / TIMES
        while point.excess < 0.0 and point.time < end:
            point = self.look(step, min(point.time + stride, end))
        return point

    def first_root(self) -> PathPoint:
        """The first point without an edge on the path, or that at which the clock runs out."""
        last = self.start
        if not last.excess_by_time > 0.0:  # time goes on by itself
            last = self._leap(0.0, self.look(0.0, last.time + FINE * self.loss.end))
            if self._is_over(last):
                return last
        width, high = self.loss.place(last.time).width, math.inf
        stride, farthest = FIRST_STRIDE * width, last.step + FARTHEST * width
        if last.edge >= 1.0 - 1e-12:  # no mistakes: nothing but the clock ends the step
            stride, farthest = self.loss.end + stride, math.inf
        tried, point = 0, last
        while True:
            tried += 1
            step = self._next_step(point, last, high, stride, tried)
            point = self.on_path(step, point.time_at(step), LOOSE)
            if self._is_root(point):
                return point
            over = self._is_over(point)
            if over or point.lean_on_path <= 0.0 or point.excess > LOOSE:
                high = step
            else:
                last = point
                stride *= GROWTH
            leaps = over and not point.excess_by_time > 0.0
            near = (COARSE if leaps else FINE) * width
            if high - last.step <= max(near, 2.0 / GRID) or step >= farthest:
                return point

    def _is_over(self, point: PathPoint) -> bool:
        return point.time >= self.loss.end and point.excess <= 0.0

    def _is_root(self, point: PathPoint) -> bool:
        """Whether the rule has no edge there, or the clock runs out."""
        if point.time >= self.loss.end:
            return abs(point.excess) <= CONSERVED
        return abs(point.excess) <= NEAR and abs(point.lean_on_path) <= ROOT

    def _next_step(
        self, point: PathPoint, last: PathPoint, high: float, stride: float, tried: int
    ) -> float:
        """Newton's step from the last point, within what is known of the first root."""
        step = math.nan if self._is_over(point) else point.newton
        if point.excess_by_time > 0.0 and point.excess_by_step < 0.0:
            # But not beyond the step with which the clock runs out.
            left = point.excess_by_time * (self.loss.end - point.time)
            at_end = point.step - (point.excess + left) / point.excess_by_step
            step = min(step, at_end) if step > last.step else at_end
        if high == math.inf:
            limit = last.step + stride
            return step if last.step < step <= limit else limit
        if not last.step < step < high or tried % 8 == 0:
            return 0.5 * (last.step + high)
        return step

    def settle(self, steps: Floats, guess: float) -> PathPoint:
        """The point of these steps[block, label], which are on the score grid."""
        self._toward = [toward(self.rows, n, self._partition, steps) for n in self._numbers]
        if guess >= self.loss.end:
            point = self.look(1.0, self.loss.end)
            if point.excess <= CONSERVED:
                return point
        return self.on_path(1.0, guess, TIGHT)


def toward(rows: Rows, number: int, partitions: tuple[Partition, ...], values: Floats) -> Floats:
    """(n,) y h for the rows of a shard, with these values of the blocks."""
    own: Floats = values[blocks_of_rows(rows, number, partitions), 0]
    return np.where(rows.shards[number].target.sign[:, 0] == 1, own, -own)


def blocks_of_rows(rows: Rows, number: int, partitions: tuple[Partition, ...]) -> Integers:
    """(n,) the block of each row of a shard."""
    partition = partitions[number]
    if isinstance(partition, LabelBlocks):
        return partition.block[:, 0].astype(np.int64)
    return cast(Blocks, partition).of_row(rows.shards[number].encoded.n_rows)
