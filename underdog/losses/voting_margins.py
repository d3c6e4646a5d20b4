"""The exponential loss for boosters that maximise a margin."""

from __future__ import annotations

from typing import ClassVar

from underdog.core import ChoosesBy
from underdog.losses.exponential import Exponential


class VotingMargins(Exponential):
    """The exponential loss with rules that vote, whose scores are margins and not log-odds.

    Weights are those of AdaBoost, but steps do not minimise the loss. All named learners choose the
    rule with the greatest edge, and their rules say -1 or 1.

    Examples
    --------
    >>> from underdog.losses import VotingMargins
    >>> VotingMargins().probability_scale is None
    True
    """

    chooses_by: ClassVar[ChoosesBy] = "votes"

    def __init__(self) -> None:
        super().__init__()

    @property
    def probability_scale(self) -> None:  # type: ignore[override]
        """Scores are margins."""
        return None
