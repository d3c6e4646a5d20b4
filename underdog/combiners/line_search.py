"""Steps of any rule with the best coefficient."""

from __future__ import annotations

from typing import ClassVar

from underdog.combiners.stagewise import Stagewise
from underdog.core import Move, Proposal, Question, Run, Stop


class LineSearch(Stagewise):
    """Adds every hypothesis with the coefficient that minimises the loss, whatever its values are.

    `Stagewise` does so only for votes, and takes real values as they are. Both are the same where
    these minimise the loss already.

    Parameters
    ----------
    learning_rate : float, default=1.0
        Factor by which each step is multiplied.

    Examples
    --------
    >>> from underdog.combiners import LineSearch
    >>> LineSearch(learning_rate=0.5)
    LineSearch(learning_rate=0.5)
    """

    needs: ClassVar[tuple[str, ...]] = (*Stagewise.needs, "best_coefficient")

    def step(self, run: Run, question: Question, proposal: Proposal) -> Move | Stop:
        smooth = run.smooth / question.signals[0].mass
        coefficient = run.parts.loss.best_coefficient(proposal, smooth)
        return self.finish(run, question, proposal, coefficient)
