"""The exponential loss for rules whose coefficients are computed again after the last round."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from underdog.core import Member
from underdog.losses.voting_margins import VotingMargins
from underdog.types import Floats


class RefittedVotes(VotingMargins):
    """The exponential loss that finds rules, whose last coefficients minimise another one.

    The improvement by a rule is therefore its last coefficient, not what it gained in its round.

    Examples
    --------
    >>> from underdog.losses import RefittedVotes
    >>> RefittedVotes().probability_scale is None
    True
    """

    def gains(self, history: Mapping[str, Floats], members: Sequence[Member]) -> Floats:
        """The largest step of each member."""
        return np.array([member.size for member in members])
