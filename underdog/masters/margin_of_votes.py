"""The linear programme of LPBoost for hypotheses that are all known."""

from __future__ import annotations

import numpy as np

from underdog.data.hashing import mix
from underdog.masters.groups import Box, Groups
from underdog.masters.linear import LinearMaster, Solution
from underdog.masters.votes import Votes


def greatest_soft_margin(votes: Votes, nu: float) -> Solution:
    """The coefficients with the greatest soft margin, and the weights of its dual.

    Parameters
    ----------
    votes : Votes
        With different hypotheses.
    nu : float
        Approximately the share of the examples that may lie below the margin.

    Examples
    --------
    >>> import numpy as np
    >>> from underdog.masters.margin_of_votes import greatest_soft_margin
    >>> from underdog.masters.votes import Votes
    >>> answers = np.array([[1.0, 1.0, -1.0], [1.0, -1.0, 1.0], [-1.0, 1.0, 1.0]])
    >>> votes = Votes(np.ones(3, dtype=np.uint8), np.full(3, 1.0 / 3.0), answers)
    >>> round(greatest_soft_margin(votes, 0.1).margin, 6)
    0.333333
    """
    groups = Groups(votes.sign, votes.share, Box(np.zeros(2), np.full(2, 1.0 / nu)))
    for number, answers in enumerate(votes.answers.T):
        values, block = np.unique(answers, return_inverse=True)
        sizes = np.bincount(block)
        rest = int(sizes.argmax())
        listed = np.argsort(block, kind="stable")
        rows = listed[block[listed] != rest].astype(np.int32)
        sizes[rest] = 0
        keys = mix(np.arange(len(values), dtype=np.uint64) + np.uint64(number << 20))
        groups.split(rows, np.cumsum(sizes), rest, values, keys)
    return LinearMaster.from_groups(groups, groups.n_hypotheses).solve()
