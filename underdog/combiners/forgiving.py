"""Steps that forgive examples which stay heavy: AdaBoost_Reg."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import ClassVar, NamedTuple, cast

import numpy as np

from underdog.checks import as_float, check_positive
from underdog.combiners.clock_path import toward
from underdog.combiners.stagewise import Stagewise, is_perfect, no_edge
from underdog.core import Member, Move, Partition, Proposal, Question, Rows, Run, Stop
from underdog.kernels import criteria, tilted
from underdog.kernels.elementary import log
from underdog.kernels.sums import bounded_exp
from underdog.losses.soft_exponential import STEPS, SoftExponentialSignal
from underdog.types import Floats

FORGIVEN = "every mistake is forgiven, so a longer step is always better: use a smaller C"
UNIT_BITS = 60
"""All terms of a sum together are less than 2**60 units."""
MOST_PASSES = 100
CLOSE = 1e-13
"""The line search ends when a step changes by less."""


class Forgiving(Stagewise):
    r"""Adds each hypothesis with the best coefficient of soft margins.

    With the weights D of the round, m examples, a hypothesis with the largest value 1 and
    :math:`q_i = y_i h(x_i) + C m D_i`, the coefficient a minimises the convex function
    :math:`\sum_i D_i e^{-a q_i}`. Then each example is forgiven :math:`a C m D_i` more. Other
    hypotheses are scaled. The correct and the wrong weight are at least e / 2, as in `Stagewise`.

    Parameters
    ----------
    learning_rate : float, default=1.0
        Factor by which each step is multiplied.
    C : float, default=0.1
        How much the weight of an example counts for its soft margin. 0 is `Stagewise` for votes.

    References
    ----------
    Rätsch, Onoda and Müller, "Soft margins for AdaBoost", Machine Learning 42, 2001.

    Examples
    --------
    >>> from underdog.combiners import Forgiving
    >>> Forgiving(C=0.5)
    Forgiving(C=0.5)
    """

    takes_parts: ClassVar[bool] = False

    needs: ClassVar[tuple[str, ...]] = (*Stagewise.needs, "forgiven")
    such_as: ClassVar[str] = "SoftExponential()"

    def __init__(self, learning_rate: float = 1.0, C: float = 0.1) -> None:
        super().__init__(learning_rate)
        self.C: float = as_float(C)

    def check(self) -> None:
        super().check()
        check_positive("C", self.C, zero=True)

    def step(self, run: Run, question: Question, proposal: Proposal) -> Move | Stop:
        line = self._line(run, proposal.partition, proposal.hypothesis.values)
        if line.mistakes and not line.against:
            return Stop(FORGIVEN)
        if proposal.edge() <= run.parts.loss.min_step:
            return Stop(no_edge(run))
        best = line.best(proposal.edge(), run.smooth)
        coefficient = round(best * STEPS) / STEPS  # without the last digits of the weights
        return self.finish(run, question, proposal, coefficient)

    def make_move(
        self, run: Run, question: Question, proposal: Proposal, coefficient: float
    ) -> Move:
        line = self._line(run, proposal.partition, proposal.hypothesis.values)
        steps, size, facts = run.parts.loss.measure(run, proposal, coefficient)
        value = line.at(coefficient)
        z = bounded_exp(value.log_total)
        facts |= {"z": z, "loss": run.history.last("loss", 1.0) * z}
        signal = cast(SoftExponentialSignal, run.state.signals[0])
        signal.forgive(line.forgiven(coefficient))
        return Move(coefficient, steps, size, facts)

    def _line(self, run: Run, partition: tuple[Partition, ...], values: Floats) -> SoftLine:
        """The examples along a hypothesis."""
        signal = cast(SoftExponentialSignal, run.state.signals[0])
        return SoftLine(run.rows, signal, partition, values, self.C)

    def resume(self, run: Run, members: Sequence[Member], path: Sequence[Floats]) -> None:
        signal = cast(SoftExponentialSignal, run.state.signals[0])
        for number, member in enumerate(members):
            partition = run.rows.place(member.hypothesis)
            sums = run.rows.sums(signal, partition, len(member.steps))
            if not number:
                run.memory.perfect = is_perfect(run, member.hypothesis, sums)
            line = self._line(run, partition, member.hypothesis.values)
            signal.forgive(line.forgiven(member.coefficient))
            run.state.apply(member, partition, [sums])


class TiltedSums(NamedTuple):
    """Logarithm of the sum of D exp(-a q), and the mean and mean square of q under it."""

    log_total: float
    mean: float
    square: float


class SoftLine:
    """The examples along one hypothesis: weights D, sides y h, and q = y h + C m D max |h|."""

    def __init__(
        self,
        rows: Rows,
        signal: SoftExponentialSignal,
        partition: tuple[Partition, ...],
        values: Floats,
        C: float,
    ) -> None:
        self.rows = rows
        examples = int(rows.total(lambda shard: np.asarray(shard.target.repeats.sum())))
        total = int(rows.totals(signal).sum())
        self._unit = math.ldexp(1.0, UNIT_BITS - examples.bit_length())
        self._logs = [signal.log_weights(shard)[:, 0] for shard in rows.shards]
        shares = [signal.units(shard)[:, 0] / total for shard in rows.shards]
        size = float(np.abs(values).max()) or 1.0
        self._pulls = [C * size * (examples * share) for share in shares]
        sides = [toward(rows, shard.number, partition, values) for shard in rows.shards]
        self._slopes = [side + pull for side, pull in zip(sides, self._pulls, strict=True)]
        self._scale = max(float(np.abs(slope).max(initial=0.0)) for slope in self._slopes) or 1.0
        self._start = 0.0
        self._start = self.at(0.0).log_total
        self.mistakes, self.against = (
            any(
                bool((own[share > 0.0] < 0.0).any())
                for own, share in zip(each, shares, strict=True)
            )
            for each in (sides, self._slopes)
        )

    def forgiven(self, coefficient: float) -> list[Floats]:
        """What the examples of each shard are forgiven by a step."""
        return [coefficient * pull for pull in self._pulls]

    def at(self, step: float) -> TiltedSums:
        """One pass over the rows."""
        pairs = list(zip(self._logs, self._slopes, strict=True))
        highest = max(float(tilted.highest_tilt(*pair, step)) for pair in pairs)
        sums = np.zeros(3, dtype=np.int64)
        for pair, shard in zip(pairs, self.rows.shards, strict=True):
            tilted.add_tilted(
                *pair, shard.target.repeats, step, highest, self._scale, self._unit, sums
            )
        zeroth, first, second = (int(each) for each in sums)
        log_total = highest + float(log(zeroth / self._unit)) - self._start
        scale = self._scale
        return TiltedSums(log_total, first / zeroth * scale, second / zeroth * scale * scale)

    def best(self, edge: float, smooth: float) -> float:
        """The a > 0 with the least sum of D exp(-a q), both sides being at least e / 2."""
        floor = max(0.5 * smooth, criteria.MIN_WEIGHT)
        lacking = max(floor - 0.5 * (1.0 - edge), 0.0)
        low, high = 0.0, math.inf
        step = 0.5 * float(log(max(1.0 + edge, floor)) - log(max(1.0 - edge, 2.0 * floor)))
        for _ in range(MOST_PASSES):
            found = self.at(step)
            total, wrong = bounded_exp(found.log_total), lacking * bounded_exp(step)
            slope = total * found.mean - wrong
            bend = total * found.square + wrong
            low, high = (step, high) if slope > 0.0 else (low, step)
            following = step + slope / bend
            if not low < following < high:
                following = 0.5 * (low + high) if high < math.inf else 2.0 * low + 1.0
            if abs(following - step) <= CLOSE * max(step, 1.0):
                return following
            step = following
        return step
