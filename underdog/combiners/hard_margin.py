"""Steps that aim at the greatest minimum margin: arc-gv and AdaBoost*."""

from __future__ import annotations

import math
from typing import ClassVar

from underdog.checks import as_float, is_number
from underdog.combiners.stagewise import Stagewise, check_votes, nothing_better
from underdog.core import Loss, Move, Proposal, Question, Rows, Run, Stop
from underdog.kernels.elementary import log
from underdog.losses.pointwise import margins

GREATEST = "the edge of the best rule is not above the least margin: no vote has a greater one"
MISSED = (
    "the edge of the rule that was found is not above the least margin, but the learner may have "
    "missed a better one"
)
NOT_ABOVE = "the edge of the last one is not above the least margin"
CLOSE_ENOUGH = "the least margin is within nu of the greatest edge, which no vote can exceed"
CLOSE_TO_FOUND = "the least margin is within nu of the least edge so far"


class HardMargin(Stagewise):
    """Steps of AdaBoost, shortened as if examples with a margin of rho were just right.

    With the edge r of a rule that votes the coefficient is artanh(r) - artanh(rho), so that a rule
    with the edge rho has none. A margin is y F(x) / (sum of the largest steps).

    Parameters
    ----------
    learning_rate : float, default=1.0
        Factor by which each step is multiplied.
    nu : float, optional
        Without it rho is the least margin of the rules so far, or 0 as long as that is negative
        (arc-gv). With it rho is the least edge so far minus nu (AdaBoost*). The least edge is at
        least the greatest possible margin; once the least margin is within nu of it the run ends,
        if the learner maximises the edge.

    References
    ----------
    Breiman, "Prediction games and arcing algorithms", Neural Computation 11, 1999. Rätsch and
    Warmuth, "Efficient margin maximizing with boosting", JMLR 6, 2005.

    Examples
    --------
    >>> from underdog.combiners import HardMargin
    >>> HardMargin(nu=0.05)
    HardMargin(nu=0.05)
    """

    takes_parts: ClassVar[bool] = False

    needs: ClassVar[tuple[str, ...]] = (*Stagewise.needs, "best_coefficient")
    such_as: ClassVar[str] = "VotingMargins()"
    facts: ClassVar[tuple[str, ...]] = ("margin",)

    def __init__(self, learning_rate: float = 1.0, nu: float | None = None) -> None:
        super().__init__(learning_rate)
        self.nu: float | None = as_float(nu)

    def check(self) -> None:
        super().check()
        if self.nu is not None and not (is_number(self.nu) and 0.0 < self.nu < 1.0):
            raise ValueError(f"nu={self.nu!r} must be between 0 and 1: margins are at most 1")

    def check_loss(self, loss: Loss) -> None:
        super().check_loss(loss)
        check_votes(self, loss)

    def goal(self, run: Run, edge: float) -> float:
        """rho for a rule with this edge."""
        if self.nu is None:
            return max(run.history.last("margin", 0.0), 0.0)
        return min(least_edge(run), edge) - self.nu

    def step(self, run: Run, question: Question, proposal: Proposal) -> Move | Stop:
        edge = proposal.edge()
        rho = self.goal(run, edge)
        if edge <= rho:
            if run.parts.learner.greedy:
                return Stop(f"{nothing_better(run)}: {NOT_ABOVE}")
            return Stop(GREATEST if run.parts.criterion.maximises_edge else MISSED)
        whole = run.parts.loss.best_coefficient(proposal, 0.0)  # finite also for an edge of 1
        shorter = 0.5 * float(log(1.0 + rho) - log(1.0 - rho))
        move = self.finish(run, question, proposal, whole - shorter)
        if isinstance(move, Stop) or self.nu is None or not run.parts.criterion.maximises_edge:
            return move
        close = move.facts["margin"] >= min(least_edge(run), edge) - self.nu
        if not close:
            return move
        if run.parts.learner.greedy:
            return move._replace(last=move.last or f"{nothing_better(run)}: {CLOSE_TO_FOUND}")
        return move._replace(last=move.last or CLOSE_ENOUGH)

    def make_move(
        self, run: Run, question: Question, proposal: Proposal, coefficient: float
    ) -> Move:
        move = super().make_move(run, question, proposal, coefficient)
        run.rows.move(proposal.partition, move.steps)
        least = least_margin(run.rows, run.state.score_bound + move.size)
        run.rows.move(proposal.partition, -move.steps)
        return move._replace(facts={**move.facts, "margin": least})


def least_margin(rows: Rows, reach: float) -> float:
    """The least y F(x), divided by the largest score that the rules allow."""
    least = -rows.largest(lambda shard: -margins(shard.scores.full(), shard.target.sign))
    return least / reach if reach > 0.0 else 0.0


def least_edge(run: Run) -> float:
    """The least edge of the rules so far; infinite if there is none."""
    return min((row["edge"] for row in run.history.rows), default=math.inf)
