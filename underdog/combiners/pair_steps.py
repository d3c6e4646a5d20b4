"""Steps whose coefficient follows from all pairs of rows."""

from __future__ import annotations

from typing import Any, ClassVar

from underdog.combiners.stagewise import Stagewise
from underdog.core import Move, Proposal, Question, Run, Stop


class PairSteps(Stagewise):
    """`Stagewise` for losses of pairs: the coefficient is that of the least loss of all pairs.

    Parameters
    ----------
    learning_rate : float, default=1.0
        Factor by which each step is multiplied.
    line_search : bool, default=False
        Whether rules that do not vote have a coefficient, too. Otherwise they are taken as they
        are.

    Examples
    --------
    >>> from underdog.combiners import PairSteps
    >>> PairSteps(line_search=True)
    PairSteps(line_search=True)
    """

    takes_parts: ClassVar[bool] = False

    needs: ClassVar[tuple[str, ...]] = (*Stagewise.needs, "pair_coefficient")
    such_as: ClassVar[str] = "PairwiseExponential()"

    def __init__(self, learning_rate: float = 1.0, line_search: bool = False) -> None:
        super().__init__(learning_rate)
        self.line_search = line_search

    def step(self, run: Run, question: Question, proposal: Proposal) -> Move | Stop:
        coefficient, signal = 1.0, question.signals[0]
        if self.line_search or not run.parts.criterion.final:
            loss: Any = run.parts.loss
            coefficient = loss.pair_coefficient(signal, proposal, run.smooth)
        return self.finish(run, question, proposal, coefficient)
