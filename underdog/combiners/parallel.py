"""The rules of all columns at once."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from underdog.candidates import Candidates
from underdog.combiners.stagewise import LEAST_STEP, NO_EDGE, Stagewise
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
from underdog.kernels import rules
from underdog.types import Integers


class Parallel(Stagewise):
    """Take the best rule of every column under the same weights, each with its share of a step.

    With d columns that can be split, every d rounds are one pass: the weights stay as they are, and
    each column in turn gives a rule, which is followed for 1/d of its own step. What the rules say
    is then at most 1 in sum, and the loss falls by the mean of what they promise. With one column
    it is `Stagewise`.

    Parameters
    ----------
    learning_rate : float, default=1.0

    References
    ----------
    Collins, Schapire and Singer, Machine Learning 48, 2002, the parallel-update algorithm.

    Examples
    --------
    >>> Parallel(learning_rate=0.5)
    Parallel(learning_rate=0.5)
    """

    needs: ClassVar[tuple[str, ...]] = (*Stagewise.needs, "guarantee", "freeze")
    such_as: ClassVar[str] = "Logistic()"

    def check_learner(self, learner: Learner) -> None:
        if not learner.knows_columns:
            raise ValueError(
                f"{self!r} asks for the best rule on each column, which {learner!r} does not know: "
                "use a StumpLearner()"
            )

    def make_signals(self, loss: Loss, rows: Rows) -> tuple[Signal, ...]:
        return (loss.freeze(rows, max(len(_columns(rows)), 1)),)

    def ask(self, run: Run) -> Question:
        columns = _columns(run.rows)
        if not len(columns):
            return super().ask(run)
        return Question(run.state.signals, column=int(columns[self._turn(run, columns)]))

    def _turn(self, run: Run, columns: Integers) -> int:
        return len(run.state.members) % len(columns)

    def step(self, run: Run, question: Question, proposal: Proposal) -> Move | Stop:
        columns = _columns(run.rows)
        if run.least_block:
            raise ValueError(
                "min_weight_fraction_leaf has no meaning where every column gives a rule: leave it "
                "at 0"
            )
        whole = 1.0
        if not run.parts.criterion.final:
            smooth = run.smooth / question.signals[0].mass
            whole = run.parts.loss.best_coefficient(proposal, smooth)
        whole *= self.learning_rate
        move = self.make_move(run, question, proposal, whole / len(columns))
        steps = np.empty_like(move.steps)
        rules.on_grid(proposal.hypothesis.values, whole, steps)
        promised = run.parts.loss.guarantee(run, proposal, steps) / len(columns)
        # A column may have nothing to say; if none has, the run is over.
        recent = [member.size for member in run.state.members[-len(columns) + 1 :]]
        if len(columns) == 1:
            recent = []
        if len(recent) == len(columns) - 1 and max([move.size, *recent]) < LEAST_STEP:
            return Stop(NO_EDGE)
        return move._replace(facts={**move.facts, "guaranteed_drop": promised})


def _columns(rows: Rows) -> Integers:
    """Columns that can be split."""
    result: Integers = np.unique(Candidates(rows.layout).column)
    return result
