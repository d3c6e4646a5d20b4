"""What the user asks of every rule: which columns may meet, and in which order values must be."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from itertools import chain
from typing import NamedTuple

import numpy as np

from underdog.types import Flags, Integers


class InteractionSets(NamedTuple):
    """Which columns may be tested on the same path of a tree.

    Attributes
    ----------
    most : int
        The number of different columns that a path may have; 0 if the groups decide.
    pointers : (G + 1,)
        Where the columns of each group begin. The columns of a path must be in one group.
    columns : array of int
        The columns of all groups, one group after the other.
    """

    most: int
    pointers: Integers
    columns: Integers

    @classmethod
    def up_to(cls, most: int) -> InteractionSets:
        """Any columns, but only so many on a path."""
        return cls(most, np.zeros(1, dtype=np.int64), np.zeros(0, dtype=np.int64))

    @classmethod
    def of_groups(cls, groups: Iterable[Collection[int]], n_columns: int) -> InteractionSets:
        """Columns of one group; those that no group has are one more group."""
        given = [sorted(set(group)) for group in groups]
        rest = sorted(set(range(n_columns)).difference(*given))
        parts = [*given, rest] if rest else given
        pointers = np.cumsum([0, *map(len, parts)]).astype(np.int64)
        return cls(0, pointers, np.array(list(chain(*parts)), dtype=np.int64))

    def allowed(self, path: Collection[int], n_columns: int) -> Flags:
        """(d,): the columns that may follow those of a path."""
        result = np.zeros(n_columns, dtype=bool)
        on_path = sorted(set(path))
        if self.most:
            result[on_path if len(on_path) == self.most else slice(None)] = True
            return result
        for group in np.split(self.columns, self.pointers[1:-1]):
            if np.isin(on_path, group).all():
                result[group] = True
        return result

    def permit(self, path: Collection[int]) -> bool:
        """Whether these columns may be on one path."""
        if self.most:
            return len(set(path)) <= self.most
        groups = np.split(self.columns, self.pointers[1:-1])
        return any(set(path) <= set(group.tolist()) for group in groups)


@dataclass(frozen=True)
class Constraints:
    """The constraints of one fit; by default there are none.

    Attributes
    ----------
    directions : (d,), optional
        1 where the score must not fall with the value of a column, -1 where it must not rise, 0 for
        any other column. None if no column is constrained. Missing values are not constrained.
    interactions : InteractionSets, optional
    """

    directions: Integers | None = None
    interactions: InteractionSets | None = None


FREE = Constraints()
"""No constraints."""
