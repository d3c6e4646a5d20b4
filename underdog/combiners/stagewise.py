"""Stagewise combination: coefficients are chosen once and never changed."""

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

NO_EDGE = "the best rule has no edge left: its coefficient is 0"
NO_CHANGE = "the best rule does not change the scores: all its values are 0"
NO_UNEVEN_EDGE = (
    "the best rule gains nothing under the uneven loss (its coefficient is 0): use a learner that "
    "chooses by that loss, 'real', 'discrete' or 'real.u'"
)
PERFECT = "one rule makes no mistake on the training data: more rounds would repeat it"


@dataclass
class StagewiseMemory:
    """The state of a stagewise run in addition to its scores."""

    perfect: bool = False
    """Whether the first rule makes no mistake, so that further rounds would repeat it."""


class Stagewise(Combiner):
    """Adds each hypothesis with the coefficient that minimises the loss; earlier ones stay fixed.

    A real-valued hypothesis, whose values already minimise the loss, has coefficient 1. A voting
    hypothesis gets the coefficient with the least loss.

    Parameters
    ----------
    learning_rate : float, default=1.0
        Factor by which each step is multiplied. If the first rule makes no mistake it would be
        found in every round; it is repeated only until the steps add up to a whole one.

    Examples
    --------
    >>> from underdog.combiners import Stagewise
    >>> Stagewise(learning_rate=0.5)
    Stagewise(learning_rate=0.5)
    """

    takes_parts: ClassVar[bool] = True

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
        run.memory.perfect = is_perfect(run, first, sums)
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
        """The step times the learning rate, or a reason to stop if it is 0."""
        if run.constraints.directions is not None:  # less than 0 would turn the order of values
            coefficient = max(coefficient, 0.0)
        move = self.make_move(run, question, proposal, coefficient * self.learning_rate)
        if move.size < run.parts.loss.min_step:
            if run.parts.loss.reads == "newton":
                return Stop(NO_CHANGE)
            return Stop(no_edge(run) if run.parts.loss.beta == 1.0 else NO_UNEVEN_EDGE)
        taken = len(run.state.members)
        if not taken:
            run.memory.perfect = is_perfect(run, proposal.hypothesis, proposal.sums[0])
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
        if "z" in history and not bool((history["z"] > 0.0).all()):
            raise ValueError("the history has a z that is not above 0")
        self.check_path(record)

    def check_path(self, record: RunRecord) -> None:
        """Refuse coefficients that differ from those of the rounds."""
        record.check_unchanged(type(self).__name__)


def no_edge(run: Run) -> str:
    """Why a run ends whose rule has no edge: a greedy learner may have missed another one."""
    if not run.parts.learner.greedy:
        return NO_EDGE
    return f"{nothing_better(run)}: the last one has no edge left, its coefficient is 0"


def nothing_better(run: Run) -> str:
    """What to say where the learner may have missed a better rule."""
    return f"no better {getattr(run.parts.learner, 'noun', 'rule')} was found"


def is_perfect(run: Run, hypothesis: Hypothesis, sums: Integers) -> bool:
    """Whether the hypothesis is right on all examples; where its value is 0, it is not."""
    if run.weightless:
        return False
    values = hypothesis.values
    right = np.where(values[:, np.newaxis, :] > 0, 1, 0) == np.arange(2)[np.newaxis, :, np.newaxis]
    abstains = values[:, np.newaxis, :] == 0
    return not bool(np.where(right & ~abstains, 0, sums).any())


def check_votes(combiner: Combiner, loss: Loss) -> None:
    """Refuse a loss whose rules may have any values."""
    if loss.chooses_by != "votes":
        raise ValueError(
            f"{combiner!r} needs rules that vote, but those for {loss!r} may have any values: use "
            f"a loss such as {combiner.such_as}"
        )
