"""The step of AdaBoost.A: learn under one weighting, choose the coefficient under another."""

from __future__ import annotations

import math
from typing import ClassVar

from underdog.checks import check_choice
from underdog.combiners.stagewise import Stagewise
from underdog.core import Loss, Move, Proposal, Question, Rows, Run, Signal, Stop

STALLED = (
    "the best rule gains nothing under the cost (A = 1/2): initial weighting and cost disagree; "
    "use the cost as initial weighting, or stall='skip'"
)


class CostWeighted(Stagewise):
    """Steps that minimise sum p exp(-y f), while the learner sees the weights w exp(-y f).

    Let A be the share of the p-weight on mistakes. A voting hypothesis gets the coefficient
    1/2 ln((1 - A)/A), and the bound is multiplied by R = 2 sqrt(A (1 - A)). For a real-valued
    hypothesis the coefficient is found numerically, and R is measured. In the coefficient A and
    1 - A are at least e / 2, as in `Stagewise`.

    Parameters
    ----------
    learning_rate : float, default=1.0
        Factor by which each step is multiplied.
    stall : {"skip", "stop"}, default="skip"
        A rule with an edge under w but none under p would be found again in every round. "skip"
        uses the best rule that reduces the loss under both; "stop" ends the run, as the algorithm
        of the paper does in effect.

    References
    ----------
    Duarte and Milidiu, "Generalized Boosting Learning", Monografias em Ciencia da Computacao 15/07,
    PUC-Rio, 2007, algorithm 1.

    Examples
    --------
    >>> from underdog.combiners import CostWeighted
    >>> CostWeighted(stall="stop")
    CostWeighted(stall='stop')
    """

    needs: ClassVar[tuple[str, ...]] = (*Stagewise.needs, "ratio", "best_coefficient")
    facts: ClassVar[tuple[str, ...]] = ("wrong_share", "ratio", "bound")
    not_always_finite: ClassVar[tuple[str, ...]] = ("wrong_share", "ratio", "bound")

    def __init__(self, learning_rate: float = 1.0, stall: str = "skip") -> None:
        super().__init__(learning_rate)
        self.stall = stall

    def check(self) -> None:
        super().check()
        check_choice("stall", self.stall, "skip", "stop")

    def make_signals(self, loss: Loss, rows: Rows) -> tuple[Signal, ...]:
        first = super().make_signals(loss, rows)
        if rows.shards[0].target.log_cost is None:
            return first
        return *first, loss.make_signal(rows, costly=True)

    def ask(self, run: Run) -> Question:
        signals = run.state.signals
        return Question(signals, len(signals) > 1 and self.stall == "skip")

    def step(self, run: Run, question: Question, proposal: Proposal) -> Move | Stop:
        cost = len(question.signals) - 1  # 0 if cost and initial weights are proportional
        coefficient = 1.0
        if cost > 0 or not run.parts.criterion.final:
            smooth = run.smooth / question.signals[cost].mass
            coefficient = run.parts.loss.best_coefficient(proposal, smooth, cost)
        answer = self.finish(run, question, proposal, coefficient)
        return Stop(STALLED) if cost and isinstance(answer, Stop) else answer

    def make_move(
        self, run: Run, question: Question, proposal: Proposal, coefficient: float
    ) -> Move:
        move = super().make_move(run, question, proposal, coefficient)
        cost = len(question.signals) - 1
        votes = not run.parts.criterion.final
        ratio = run.parts.loss.ratio(proposal, move.steps, cost)
        facts = {
            **move.facts,
            "wrong_share": (1.0 - proposal.edge(cost)) / 2.0 if votes else math.nan,
            "ratio": ratio,
            "bound": run.history.last("bound", 1.0) * ratio,
        }
        return move._replace(facts=facts)
