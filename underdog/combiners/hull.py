"""Greedy boosting in the convex hull of scaled rules."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, cast

import numpy as np

from underdog.checks import as_float, check_positive
from underdog.combiners.stagewise import nothing_better
from underdog.core import (
    Combiner,
    Loss,
    Member,
    Move,
    Proposal,
    Question,
    Run,
    RunRecord,
    ShrinkingPath,
    Stop,
    with_coefficients,
)
from underdog.kernels import criteria
from underdog.losses.descent import Descent
from underdog.types import Floats

SHARES = 2.0**30
"""The share of a step is a multiple of 1 / SHARES, coarser than the last digits of its search."""
SMALLEST_GAP = 1e-10
"""A smaller gap, relative to the loss, is a rounding error."""
MINIMUM = "no rule leads to a lower loss: this is the minimum in the convex hull"
NOT_LOWER = "the last one does not lead to a lower loss"
TOO_SHORT = "the best step is below the resolution of the scores"


@dataclass
class HullMemory:
    """The radius in the scores of the run."""

    radius: float


class Hull(Combiner):
    r"""Moves towards a rule: :math:`f \leftarrow (1 - c) f + c R h`, with the c of the least loss.

    h votes, so f stays in the convex hull of rules times R, and the absolute coefficients have a
    sum of at most R. :math:`\langle -\nabla A(f), R h - f \rangle` is the gap: with the rule of the
    greatest edge, no function in the hull has a loss that is lower by more. A greedy learner may
    miss that rule, and then nothing follows from the gap.

    Parameters
    ----------
    radius : float, default=8.0
        R. For numbers in units of their standard deviation.
    learning_rate : float, default=1.0
        Share of the best step that is taken, at most 1.

    References
    ----------
    Zhang, "Sequential greedy approximation for certain convex optimization problems", IEEE
    Transactions on Information Theory 49, 2003.

    Examples
    --------
    >>> from underdog.combiners import Hull
    >>> Hull(radius=4.0)
    Hull(radius=4.0)
    """

    needs: ClassVar[tuple[str, ...]] = ("make_signal", "constant", "segment")
    such_as: ClassVar[str] = "Descent()"
    facts: ClassVar[tuple[str, ...]] = ("gap", "lower_bound", "share")

    def __init__(self, radius: float = 8.0, learning_rate: float = 1.0) -> None:
        self.radius: float = as_float(radius)
        self.learning_rate: float = as_float(learning_rate)

    def check(self) -> None:
        check_positive("radius", self.radius)
        check_positive("learning_rate", self.learning_rate)
        if self.learning_rate > 1.0:
            raise ValueError(
                f"learning_rate={self.learning_rate!r} must be at most 1: a longer step may leave "
                "the convex hull"
            )

    def start(self, run: Run) -> HullMemory:
        return HullMemory(self.radius * cast(Descent, run.parts.loss).spread(run.rows))

    def step(self, run: Run, question: Question, proposal: Proposal) -> Move | Stop:
        return self._towards(run, proposal)

    def make_move(
        self, run: Run, question: Question, proposal: Proposal, coefficient: float
    ) -> Move:
        loss = cast(Descent, run.parts.loss)
        now = loss.training_loss(run.rows)
        facts = {"edge": 0.0, "loss": now, "gap": 0.0, "lower_bound": now, "share": 0.0}
        return Move(0.0, np.zeros_like(proposal.hypothesis.values), 0.0, facts)

    def _towards(self, run: Run, proposal: Proposal) -> Move | Stop:
        radius = run.memory.radius
        loss = cast(Descent, run.parts.loss)
        now = loss.own_loss(run.rows, run.history.rows[-1]["loss"] if run.history.rows else None)
        segment = loss.segment(run, proposal, radius)
        slope, bend = segment.slopes(0.0)
        if not -slope > SMALLEST_GAP * now or radius == 0.0:
            exact = run.parts.criterion.maximises_edge and not run.parts.learner.greedy
            return Stop(MINIMUM if exact else f"{nothing_better(run)}: {NOT_LOWER}")
        share = round(self.learning_rate * segment.best(slope, bend) * SHARES) / SHARES
        reached = segment.value(share)
        while share > 0.0 and reached > now:  # only if the loss is not convex
            share = math.floor(0.5 * share * SHARES) / SHARES
            reached = segment.value(share)
        if share <= 0.0:
            return Stop(TOO_SHORT)
        coefficient, values = share * radius, proposal.hypothesis.values
        steps = np.empty_like(values)
        size = float(criteria.on_grid(values, coefficient, steps))
        facts = {
            "edge": proposal.edge(),
            "loss": loss.in_unit(reached, run.rows),
            "gap": loss.in_unit(-slope, run.rows),
            "lower_bound": loss.in_unit(now + slope, run.rows),
            "share": share,
        }
        return Move(coefficient, steps, size, facts, keep=1.0 - share)

    def resume(self, run: Run, members: Sequence[Member], path: Sequence[Floats]) -> None:
        known = cast(ShrinkingPath, path)
        joined = with_coefficients([member.hypothesis for member in members], known.joined)
        for member, keep in zip(joined, known.kept.tolist(), strict=True):
            unused = np.zeros((len(member.steps), 2, run.rows.n_labels), dtype=np.int64)
            run.state.apply(member, run.rows.place(member.hypothesis), [unused], keep)

    def after_last_round(self, run: Run) -> None:
        run.state.settle()

    def check_run(self, loss: Loss, record: RunRecord) -> None:
        super().check_run(loss, record)
        if not isinstance(record.path, ShrinkingPath):
            raise ValueError(f"the coefficients of the rounds of {type(self).__name__} are missing")
        own = record.path.joined.tolist()
        if record.history["coefficient"][: len(own)].tolist() != own:
            raise ValueError("the coefficients in the history differ from those of the rules")
