"""Every rule has one vote: boosting by majority."""

from __future__ import annotations

from typing import ClassVar, cast

import numpy as np

from underdog.combiners.timed import Timed
from underdog.core import Learner, Move, Proposal, Question, Run, Stop
from underdog.losses.majority import MajorityVotes
from underdog.losses.potentials import TimedSignal

DECIDED = "no vote can change the decision about any example"
ALL_VOTES = "all votes are cast"


class MajorityVote(Timed):
    """Adds each hypothesis with coefficient 1, as long as its edge is at least 2 gamma.

    Examples
    --------
    >>> from underdog.combiners import MajorityVote
    >>> MajorityVote()
    MajorityVote()
    """

    needs: ClassVar[tuple[str, ...]] = ("make_signal", "constant", "log_chances")
    such_as: ClassVar[str] = "MajorityVotes()"

    def check_learner(self, learner: Learner) -> None:
        own = learner.criterion(MajorityVotes())
        if own.final and own.reads == "sides":
            raise ValueError(
                f"{learner!r} finds rules with real values, but here every rule has one vote: use "
                "a learner that votes, such as 'discrete' or 'tree'"
            )

    def step(self, run: Run, question: Question, proposal: Proposal) -> Move | Stop:
        loss = cast(MajorityVotes, run.parts.loss)
        edge, least = proposal.edge(), 2.0 * loss.gamma
        if loss.time + len(run.state.members) >= loss.end:
            return Stop(ALL_VOTES)
        if not proposal.sums[0].any():
            return Stop(DECIDED)
        if edge < least:
            return Stop(
                f"the edge of the best rule is {edge:.4g}, less than 2 gamma = {least:g}, so "
                "there is no bound on the training error: use a smaller gamma"
            )
        return self.make_move(run, question, proposal, 1.0)

    def make_move(
        self, run: Run, question: Question, proposal: Proposal, coefficient: float
    ) -> Move:
        signal = cast(TimedSignal, run.state.signals[0])
        steps = proposal.hypothesis.values.copy()
        votes = self.time_after(run, len(run.state.members) + 1)
        signal.loss = after = signal.loss.at(votes)
        run.rows.move(proposal.partition, steps)
        potential = after.training_potential(run.rows)
        run.rows.move(proposal.partition, -steps)
        facts = {"edge": proposal.edge(), "loss": potential}
        last = ALL_VOTES if votes >= after.end else None
        return Move(1.0, steps, float(np.abs(steps).max()), facts, last)

    def time_after(self, run: Run, rounds: int) -> float:
        loss = cast(MajorityVotes, run.parts.loss)
        return min(loss.time + rounds, loss.end)
