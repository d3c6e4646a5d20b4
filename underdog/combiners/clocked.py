"""Steps on which the mean potential stays the same while a clock runs: BrownBoost, RobustBoost."""

from __future__ import annotations

from typing import ClassVar, cast

import numpy as np

from underdog.checks import as_float, check_positive
from underdog.combiners.clock_path import ClockPath
from underdog.combiners.timed import Timed
from underdog.core import (
    Loss,
    Move,
    Proposal,
    Question,
    Run,
    RunRecord,
    Stop,
)
from underdog.kernels import criteria
from underdog.kernels.sums import bounded_exp
from underdog.losses.potentials import PotentialLoss, TimedSignal

LEAST_EDGE = 1e-9
"""A smaller edge is a rounding error of the step before."""
WAITING, PROGRESS = 20, 1e-6
"""The run ends after so many rounds in which the clock moved by less than this share each."""
CLOCK_ENDED = "the clock has run out"
GIVEN_UP = "no example has any weight left: each is beyond doubt or given up"


class Clocked(Timed):
    """Moves the margins and a clock such that the mean potential stays the same.

    With a coefficient a and a time t the margins are y (F + a h). For every a there is one t at
    which the mean potential is what it was before. The coefficient is the first a > 0 at which the
    hypothesis has no edge left under the weights at that time, or at which the clock runs out.

    Parameters
    ----------
    learning_rate : float, default=1.0
        Share of that coefficient which is taken, at most 1. The clock then moves less, too.

    Examples
    --------
    >>> from underdog.combiners import Clocked
    >>> Clocked(learning_rate=0.5)
    Clocked(learning_rate=0.5)
    """

    needs: ClassVar[tuple[str, ...]] = ("make_signal", "constant", "place")
    such_as: ClassVar[str] = "BrownPotential()"
    facts: ClassVar[tuple[str, ...]] = ("time", "potential", "passes")

    def __init__(self, learning_rate: float = 1.0) -> None:
        self.learning_rate: float = as_float(learning_rate)

    def check(self) -> None:
        check_positive("learning_rate", self.learning_rate)
        if self.learning_rate > 1.0:
            raise ValueError(
                f"learning_rate={self.learning_rate!r} must be at most 1: beyond the step that was "
                "found, no time may keep the potential"
            )

    def step(self, run: Run, question: Question, proposal: Proposal) -> Move | Stop:
        signal = cast(TimedSignal, run.state.signals[0])
        left = signal.loss.end - signal.loss.time
        if not proposal.sums[0].any():
            return Stop(GIVEN_UP)
        if proposal.edge() <= LEAST_EDGE:
            return Stop(f"the best rule has no edge left; {_left(left, signal.loss)}")
        if self._waits(run, signal.loss):
            return Stop(
                f"the clock hardly moved in the last {WAITING} rounds; {_left(left, signal.loss)}"
            )
        path = ClockPath(signal.loss, run.rows, proposal)
        root = path.first_root()
        if not root.step > 0.0 and not root.time > signal.loss.time:
            return Stop(f"the best rule has no edge left; {_left(left, signal.loss)}")
        rate = self.learning_rate
        time = path.start.time + min(rate, 1.0) * (root.time - path.start.time)
        return self._move(run, proposal, path, rate * root.step, time)

    def make_move(
        self, run: Run, question: Question, proposal: Proposal, coefficient: float
    ) -> Move:
        signal = cast(TimedSignal, run.state.signals[0])
        path = ClockPath(signal.loss, run.rows, proposal)
        return self._move(run, proposal, path, coefficient * path.size, path.start.time)

    def _move(
        self, run: Run, proposal: Proposal, path: ClockPath, step: float, guess: float
    ) -> Move:
        """The step on the score grid, and the time at which the potential is what it was."""
        values = proposal.hypothesis.values
        coefficient = step / path.size
        steps = np.empty_like(values)
        size = float(criteria.on_grid(values, coefficient, steps))
        point = path.settle(steps, guess)
        signal = cast(TimedSignal, run.state.signals[0])
        last = path.look(1.0, signal.loss.end)
        facts = {
            "edge": proposal.edge(),
            "loss": bounded_exp(last.log_potential),
            "time": point.time,
            "potential": bounded_exp(point.log_potential),
            "passes": float(path.passes),
        }
        signal.loss = signal.loss.at(point.time)  # for the weights of the next round
        over = point.time >= signal.loss.end
        return Move(coefficient, steps, size, facts, CLOCK_ENDED if over else None)

    @staticmethod
    def _waits(run: Run, loss: PotentialLoss) -> bool:
        """Whether the clock has hardly moved for some rounds."""
        times = [row["time"] for row in run.history.rows[-WAITING - 1 :]]
        return len(times) > WAITING and times[-1] - times[0] < WAITING * PROGRESS * loss.end

    def time_after(self, run: Run, rounds: int) -> float:
        return run.history.rows[rounds - 1]["time"]

    def check_run(self, loss: Loss, record: RunRecord) -> None:
        super().check_run(loss, record)
        times = record.history["time"]
        if bool((np.diff(times, prepend=0.0) < 0.0).any()):
            raise ValueError("the history has a time that goes back")
        if times[-1] > cast(PotentialLoss, loss).end:
            raise ValueError("the history has a time after the end of the clock")


def _left(left: float, loss: PotentialLoss) -> str:
    share = left / loss.end
    return f"{share:.0%} of the time is left" if share >= 0.01 else "hardly any time is left"
