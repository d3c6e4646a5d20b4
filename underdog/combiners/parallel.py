"""Parallel updates: the rules of all columns under the same weights."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from underdog.combiners.stagewise import Stagewise, StagewiseMemory, no_edge
from underdog.core import (
    Learner,
    Loss,
    Move,
    Proposal,
    Question,
    Rows,
    Run,
    Signal,
    Stop,
)
from underdog.kernels import criteria
from underdog.learners.candidates import Candidates
from underdog.types import Integers


@dataclass
class ParallelMemory(StagewiseMemory):
    """The state of a parallel run, with the columns that can be split."""

    columns: list[int] = field(default_factory=list)


class Parallel(Stagewise):
    """Uses the best rule of every column under the same weights, each with a part of its step.

    With d columns that can be split, d rounds are one pass. The weights do not change within a
    pass. Each column in turn contributes its best rule with 1/d of the step that the rule would get
    alone, so the loss falls by at least the mean of the drops guaranteed for the single rules. With
    one column this is `Stagewise`.

    Parameters
    ----------
    learning_rate : float, default=1.0
        Factor by which each step is multiplied.

    References
    ----------
    Collins, Schapire and Singer, Machine Learning 48, 2002, the parallel-update algorithm.

    Examples
    --------
    >>> from underdog.combiners import Parallel
    >>> Parallel(learning_rate=0.5)
    Parallel(learning_rate=0.5)
    """

    needs: ClassVar[tuple[str, ...]] = (*Stagewise.needs, "guarantee", "freeze")
    such_as: ClassVar[str] = "Logistic()"

    def check_learner(self, learner: Learner) -> None:
        if not learner.knows_columns:
            raise ValueError(
                f"{self!r} needs the best rule of each column, which {learner!r} cannot find: use "
                "StumpLearner()"
            )

    def make_signals(self, loss: Loss, rows: Rows) -> tuple[Signal, ...]:
        return (loss.freeze(rows, max(len(_columns(rows)), 1)),)

    def start(self, run: Run) -> ParallelMemory:
        if run.least_block:
            raise ValueError(
                "min_weight_fraction_leaf is not supported with parallel updates, which use a rule "
                "of every column: leave it at 0"
            )
        if run.constraints.directions is not None:
            raise ValueError(
                "monotonic_cst is not supported with parallel updates, which use a rule of every "
                "column: leave it at None, or use update='sequential'"
            )
        return ParallelMemory(columns=_columns(run.rows).tolist())

    def ask(self, run: Run) -> Question:
        columns = run.memory.columns
        turn = columns[len(run.state.members) % len(columns)] if columns else None
        return Question(run.state.signals, column=turn)

    def step(self, run: Run, question: Question, proposal: Proposal) -> Move | Stop:
        count, loss = len(run.memory.columns), run.parts.loss
        whole = self.learning_rate
        if not run.parts.criterion.final:
            smooth = run.smooth / question.signals[0].mass
            whole *= loss.best_coefficient(proposal, smooth)
        move = self.make_move(run, question, proposal, whole / count)
        # The step of a column may be 0; if all steps of a pass are 0, the run is over.
        others = run.state.members[len(run.state.members) - (count - 1) :]
        least = run.parts.loss.min_step
        all_zero = all(member.size < least for member in others) and move.size < least
        if all_zero and len(others) == count - 1:
            return Stop(no_edge(run))
        steps = np.empty_like(move.steps)
        criteria.on_grid(proposal.hypothesis.values, whole, steps)
        guaranteed = loss.guarantee(run, proposal, steps) / count
        return move._replace(facts={**move.facts, "guaranteed_drop": guaranteed})


def _columns(rows: Rows) -> Integers:
    """Columns that can be split."""
    result: Integers = np.unique(Candidates(rows.layout).column)
    return result
