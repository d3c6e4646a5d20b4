"""The coefficients of members that all later rounds shrink."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from underdog.types import Floats


class ShrinkingPath(Sequence[Any]):
    """The coefficients of all members after each round, where a round multiplies all earlier ones.

    Two numbers a round say it all: the coefficient of the new member, and the factor for all
    earlier ones. So the path of T rounds takes O(T), not O(T**2).

    Parameters
    ----------
    joined : (T,)
        The coefficient that each member had in its first round.
    kept : (T,)
        The factor by which each round multiplied the coefficients of all earlier members.
    """

    def __init__(self, joined: Floats, kept: Floats) -> None:
        self.joined, self.kept = joined, kept

    def __len__(self) -> int:
        return len(self.joined)

    def __getitem__(self, number: Any) -> Any:
        if isinstance(number, slice):
            return [self[each] for each in range(*number.indices(len(self)))]
        last = range(len(self))[number]
        later = np.append(np.cumprod(self.kept[last:0:-1])[::-1], 1.0)
        result: Floats = self.joined[: last + 1] * later
        return result
