"""The base class of combiners whose loss changes with time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

import numpy as np

from underdog.core import Combiner, Loss, Member, Run, RunRecord
from underdog.losses.potentials import TimedLoss, TimedSignal
from underdog.types import Floats


class Timed(Combiner):
    """Moves the time of the loss, which the signal keeps; coefficients never change.

    A subclass defines `time_after`, the time after some rounds.
    """

    def time_after(self, run: Run, rounds: int) -> float:
        """The time after some rounds of a run."""
        raise TypeError(f"{type(self).__name__} does not define time_after()")

    def resume(self, run: Run, members: Sequence[Member], path: Sequence[Floats]) -> None:
        signal = cast(TimedSignal, run.state.signals[0])
        for member in members:
            unused = np.zeros((len(member.steps), 2, 1), dtype=np.int64)
            run.state.apply(member, run.rows.place(member.hypothesis), [unused])
        signal.loss = signal.loss.at(self.time_after(run, len(members)))
        signal.restart()

    def final_loss(self, run: Run, rounds: int) -> Loss:
        loss = cast(TimedLoss, run.parts.loss)
        return loss.at(self.time_after(run, rounds)) if rounds else loss

    def check_run(self, loss: Loss, record: RunRecord) -> None:
        super().check_run(loss, record)
        record.check_unchanged(type(self).__name__)
