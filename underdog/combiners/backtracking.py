"""Steps that are halved until the loss does not rise."""

from __future__ import annotations

import math

from underdog.combiners.stagewise import Stagewise
from underdog.core import Move, Proposal, Question, Run

MAX_HALVINGS = 30
ROUNDING = 1e-15
"""A loss that is higher by this share is not: it is rounded."""


class Backtracking(Stagewise):
    """`Stagewise`, with half a step, a quarter, ... where a whole one would raise the loss.

    Newton's steps have no bound; with this the loss never rises.

    Parameters
    ----------
    learning_rate : float, default=1.0
        Share of the step that is tried first.

    Examples
    --------
    >>> from underdog.combiners import Backtracking
    >>> Backtracking(learning_rate=0.5)
    Backtracking(learning_rate=0.5)
    """

    def make_move(
        self, run: Run, question: Question, proposal: Proposal, coefficient: float
    ) -> Move:
        last = run.history.rows[-1]["loss"] if run.history.rows else math.inf
        move = super().make_move(run, question, proposal, coefficient)
        for _ in range(MAX_HALVINGS):
            if move.facts["loss"] <= last * (1.0 + ROUNDING):
                break
            coefficient *= 0.5
            move = super().make_move(run, question, proposal, coefficient)
        return move
