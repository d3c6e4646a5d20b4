"""One hypothesis after the other, none taken back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from underdog.checks import as_float, check_positive
from underdog.core import (
    Combiner,
    Hypothesis,
    Member,
    Move,
    Proposal,
    Question,
    Run,
    Stop,
)
from underdog.kernels import rules
from underdog.kernels.elementary import log
from underdog.kernels.sums import bounded_exp
from underdog.types import Floats, Integers

LEAST_STEP = 1e-9
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
    gets the minimiser of Z(a) = sum D exp(-a b y h): 1/2 ln((1 + r)/(1 - r)) for the even loss,
    r = sum D y h, else the one root of Z'(a). In both, right and wrong weight count as e / 2 at
    least (1 + r and 1 - r as e), so that the coefficient of a perfect hypothesis stays finite.

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

    facts: ClassVar[tuple[str, ...]] = ("edge", "z", "loss", "log_loss")

    def __init__(self, learning_rate: float = 1.0) -> None:
        self.learning_rate: float = as_float(learning_rate)

    def check(self) -> None:
        check_positive("learning_rate", self.learning_rate)

    def start(self, run: Run) -> StagewiseMemory:
        return StagewiseMemory()

    def resume(self, run: Run, members: Sequence[Member], path: Sequence[Floats]) -> None:
        first = members[0].hypothesis
        sums = first.partition(run.part).sums(run.state.signals[0])
        run.memory.perfect = _is_perfect(run, first, sums)
        super().resume(run, members, path)

    def step(self, run: Run, question: Question, proposal: Proposal) -> Move | Stop:
        coefficient = 1.0
        if run.confidence == "coefficient":
            coefficient = best_coefficient(proposal, question.signals[0].rate, run.smooth)
        return self.finish(run, question, proposal, coefficient)

    def finish(
        self, run: Run, question: Question, proposal: Proposal, coefficient: float
    ) -> Move | Stop:
        """Shrink the step, and refuse one that does nothing."""
        move = self.take(run, question, proposal, coefficient * self.learning_rate)
        if move.size < LEAST_STEP:
            rate = question.signals[0].rate
            return Stop(NO_EDGE if rate[0] == rate[1] else NO_UNEVEN_EDGE)
        taken = len(run.state.members)
        if not taken:
            run.memory.perfect = _is_perfect(run, proposal.hypothesis, proposal.sums[0])
        if run.memory.perfect and (taken + 1) * self.learning_rate >= 1.0:
            return move._replace(last=PERFECT)
        return move

    def take(self, run: Run, question: Question, proposal: Proposal, coefficient: float) -> Move:
        values, rate = proposal.hypothesis.values, question.signals[0].rate
        steps = np.empty_like(values)
        size, z, log_z, edge = rules.measure(
            values, coefficient, proposal.sums[0], proposal.unit[0], rate, steps
        )
        log_loss = run.history.last("log_loss", 0.0) + log_z
        facts = {"edge": edge, "z": z, "loss": bounded_exp(log_loss), "log_loss": log_loss}
        return Move(coefficient, steps, size, facts)

    def check_run(
        self, members: Sequence[Member], path: Sequence[Floats], history: Mapping[str, Floats]
    ) -> None:
        super().check_run(members, path, history)
        if path:
            raise ValueError(
                f"there is a path of coefficients, but {type(self).__name__} never changes one"
            )
        if not bool((history["z"] > 0.0).all()):
            raise ValueError("the history has a z that is not above 0")
        taken = [member.coefficient for member in members]
        if history["coefficient"][: len(taken)].tolist() != taken:
            raise ValueError("the history has other coefficients than the rules")


def normaliser(question: Question, proposal: Proposal, steps: Floats, signal: int = 0) -> float:
    """Z: what these steps make of the weights of one of the question's signals."""
    rate = question.signals[signal].rate
    return float(rules.normaliser(steps, proposal.sums[signal], proposal.unit[signal], rate))


def best_coefficient(proposal: Proposal, rate: Floats, smooth: float, signal: int = 0) -> float:
    """The a that minimises sum D exp(-a rate y h) under one of the proposal's signals."""
    values = proposal.hypothesis.values
    if rate[0] == rate[1] and bool((np.abs(values) == 1.0).all()):
        edge = proposal.edge(signal)
        # Twice the least weight that integers resolve, where there is no smoothing.
        floor = max(smooth, 2.0 * rules.LEAST_WEIGHT)
        return 0.5 * float(log(max(1.0 + edge, floor)) - log(max(1.0 - edge, floor)))
    return _root(proposal.masses(signal), values, rate, smooth)


def _root(masses: Floats, values: Floats, rate: Floats, smooth: float) -> float:
    """Minimiser over masses[block, sign, label]; neither right nor wrong weighs less than e / 2."""
    side = np.array([-1.0, 1.0])[np.newaxis, :, np.newaxis]
    slope = side * rate[np.newaxis, :, np.newaxis] * values[:, np.newaxis, :]
    room = np.zeros(2)
    mass, slopes = (np.concatenate([each.ravel(), room]) for each in (masses, slope))
    return float(rules.floored_minimiser(mass, slopes, smooth))


def _is_perfect(run: Run, hypothesis: Hypothesis, sums: Integers) -> bool:
    """Whether no weight is on the wrong side of the hypothesis, nor where it says nothing."""
    if run.weightless:
        return False
    values = hypothesis.values
    right = np.where(values[:, np.newaxis, :] > 0, 1, 0) == np.arange(2)[np.newaxis, :, np.newaxis]
    silent = values[:, np.newaxis, :] == 0
    return not bool(np.where(right & ~silent, 0, sums).any())
