"""The step of AdaBoost.M1, which needs rules that are right more often than not."""

from __future__ import annotations

from typing import ClassVar

from underdog.combiners.stagewise import PERFECT, Stagewise, is_perfect
from underdog.core import Move, Proposal, Question, Run, Stop

TOO_WEAK = (
    "the rule of round {round} has a weighted error of {error:.4g}, not below 1/2, which "
    "AdaBoost.M1 needs: use AdaBoostM2Classifier or AdaBoostMHClassifier, whose rules need only be "
    "better than chance, or a stronger learner such as 'c4.5-like'"
)


class ErrorBelowHalf(Stagewise):
    """`Stagewise`, until a rule has an error of 1/2 or more, or makes no mistake.

    A rule with such an error is not kept. If it is the first one, it is kept alone, with
    coefficient 1: with several classes it may still be better than chance. After a rule without
    mistakes all later ones would be the same; it is kept with the finite coefficient of its
    smoothed error.

    Parameters
    ----------
    learning_rate : float, default=1.0
        Factor by which each step is multiplied.

    Examples
    --------
    >>> from underdog.combiners import ErrorBelowHalf
    >>> ErrorBelowHalf(learning_rate=0.5)
    ErrorBelowHalf(learning_rate=0.5)
    """

    needs: ClassVar[tuple[str, ...]] = (*Stagewise.needs, "best_coefficient")

    def step(self, run: Run, question: Question, proposal: Proposal) -> Move | Stop:
        loss, taken = run.parts.loss, len(run.state.members)
        coefficient = loss.best_coefficient(proposal, run.smooth / question.signals[0].mass)
        if not coefficient >= loss.min_step:
            move = self.make_move(run, question, proposal, 1.0)
            error = 0.5 * (1.0 - move.facts["edge"])
            reason = TOO_WEAK.format(round=taken + 1, error=error)
            return Stop(reason) if taken else move._replace(last=reason)
        answer = self.finish(run, question, proposal, coefficient)
        if isinstance(answer, Stop) or answer.last is not None or not taken:
            return answer
        perfect = is_perfect(run, proposal.hypothesis, proposal.sums[0])
        return answer._replace(last=PERFECT) if perfect else answer
