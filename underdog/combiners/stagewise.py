"""One hypothesis after the other, none taken back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from underdog.checks import as_float, check_positive
from underdog.core import (
    Combiner,
    Hypothesis,
    Loss,
    Member,
    Move,
    Proposal,
    Question,
    Run,
    RunRecord,
    Stop,
)
from underdog.types import Floats, Integers

MIN_STEP = 1e-9
"""A coefficient below this is zero: it is the rounding of the step before."""

NO_EDGE = "the best rule has no edge left: its coefficient is 0"
NO_UNEVEN_EDGE = (
    "the best rule gains nothing under the uneven loss (its coefficient is 0): use a learner that "
    "chooses by that loss, 'real', 'discrete' or 'real.u'"
)
PERFECT = "one rule makes no mistake on the training data: more rounds would repeat it"


@dataclass
class StagewiseMemory:
    """What is known of a run beside its scores."""

    perfect: bool = False
    """Whether the first rule makes no mistake, so that the others repeat it."""


class Stagewise(Combiner):
    """Take each hypothesis with the coefficient that makes the loss least, and leave the rest.

    A hypothesis whose values are final (real-valued leaves) has coefficient 1. One that only votes
    gets the coefficient that the loss finds best.

    Parameters
    ----------
    learning_rate : float, default=1.0
        Share of the step that is taken. Of a first rule that makes no mistake, which would come
        back for ever, as many shares are taken as make a whole step.

    Examples
    --------
    >>> Stagewise(learning_rate=0.5)
    Stagewise(learning_rate=0.5)
    """

    needs: ClassVar[tuple[str, ...]] = ("make_signal", "measure", "constant")
    such_as: ClassVar[str] = "Exponential()"

    def __init__(self, learning_rate: float = 1.0) -> None:
        self.learning_rate: float = as_float(learning_rate)

    def check(self) -> None:
        check_positive("learning_rate", self.learning_rate)

    def start(self, run: Run) -> StagewiseMemory:
        return StagewiseMemory()

    def resume(self, run: Run, members: Sequence[Member], path: Sequence[Floats]) -> None:
        first = members[0].hypothesis
        partition = run.rows.place(first)
        sums = run.rows.sums(run.state.signals[0], partition, len(first.values))
        run.memory.perfect = _is_perfect(run, first, sums)
        super().resume(run, members, path)

    def step(self, run: Run, question: Question, proposal: Proposal) -> Move | Stop:
        coefficient = 1.0
        if not run.parts.criterion.final:
            smooth = run.smooth / question.signals[0].mass
            coefficient = run.parts.loss.best_coefficient(proposal, smooth)
        return self.finish(run, question, proposal, coefficient)

    def finish(
        self, run: Run, question: Question, proposal: Proposal, coefficient: float
    ) -> Move | Stop:
        """Shrink the step, and refuse one that does nothing."""
        move = self.make_move(run, question, proposal, coefficient * self.learning_rate)
        if move.size < MIN_STEP:
            return Stop(NO_EDGE if run.parts.loss.beta == 1.0 else NO_UNEVEN_EDGE)
        taken = len(run.state.members)
        if not taken:
            run.memory.perfect = _is_perfect(run, proposal.hypothesis, proposal.sums[0])
        if run.memory.perfect:
            whole = run.parts.loss.perfect_steps(run.smooth)
            if (taken + 1) * self.learning_rate >= whole:
                return move._replace(last=PERFECT)
        return move

    def make_move(
        self, run: Run, question: Question, proposal: Proposal, coefficient: float
    ) -> Move:
        return Move(coefficient, *run.parts.loss.measure(run, proposal, coefficient))

    def check_run(self, loss: Loss, record: RunRecord) -> None:
        super().check_run(loss, record)
        history = record.history
        if record.path:
            raise ValueError(
                f"there is a path of coefficients, but {type(self).__name__} never changes one"
            )
        if "z" in history and not bool((history["z"] > 0.0).all()):
            raise ValueError("the history has a z that is not above 0")
        taken = [member.coefficient for member in record.members]
        if history["coefficient"][: len(taken)].tolist() != taken:
            raise ValueError("the history has other coefficients than the rules")


def _is_perfect(run: Run, hypothesis: Hypothesis, sums: Integers) -> bool:
    """Whether no weight is on the wrong side of the hypothesis, nor where it says nothing."""
    if run.weightless:
        return False
    values = hypothesis.values
    right = np.where(values[:, np.newaxis, :] > 0, 1, 0) == np.arange(2)[np.newaxis, :, np.newaxis]
    silent = values[:, np.newaxis, :] == 0
    return not bool(np.where(right & ~silent, 0, sums).any())
