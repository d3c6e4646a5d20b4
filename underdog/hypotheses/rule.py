"""Rules: trees of which a single block speaks, where all conditions of its path are met."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from underdog.core import Hypothesis, Path
from underdog.hypotheses.tree import REST, Leaf, Tree

Key = frozenset[tuple[int, bytes]]
"""The columns of a rule and the bins in which it is met, in any order."""


class Conjunction(NamedTuple):
    """The path of the only block of a tree that speaks, and the number of this block."""

    path: Path
    block: int

    @classmethod
    def of(cls, tree: Hypothesis) -> Conjunction | None:
        """A tree as a rule; None if several of its blocks speak, or if it has no paths.

        A constant is a rule without conditions.
        """
        if not isinstance(tree, Tree):
            return None
        speaking = np.flatnonzero(tree.values.any(axis=1)).tolist()
        if len(speaking) != 1 or tree.leaves[speaking[0]] == REST:
            return None
        path = tree.leaves[speaking[0]]
        return None if isinstance(path, str) else cls(path, speaking[0])

    @property
    def key(self) -> Key:
        """Equal for rules that are met by the same bins of the same columns."""
        return path_key(self.path)


def path_key(path: Path) -> Key:
    """Equal for paths that are met by the same bins of the same columns."""
    columns = dict.fromkeys(test.column for test, _ in path)
    return frozenset((column, met_bins(path, column)) for column in columns)


def partition_key(rule: Hypothesis) -> object:
    """Equal for trees that divide all rows into the same blocks, in the same order."""
    if not isinstance(rule, Tree):
        return id(rule)
    return tuple(leaf if isinstance(leaf, str) else path_key(leaf) for leaf in rule.leaves)


def met_bins(path: Path, column: int) -> bytes:
    """A flag for each bin of a column: whether it meets all conditions of a path on the column."""
    own = [test.inside == answer for test, answer in path if test.column == column]
    return bytes(np.logical_and.reduce(own).astype(np.uint8))


def simplified(path: Path) -> Path:
    """The same conditions without those that follow from others."""
    kept = list(path)
    for condition in path:
        column = condition[0].column
        others = tuple(each for each in kept if each is not condition)
        shared = any(test.column == column for test, _ in others)
        if shared and met_bins(others, column) == met_bins(tuple(kept), column):
            kept = list(others)
    return tuple(kept)


def leaves_of(path: Path) -> tuple[Sequence[Leaf], int]:
    """The leaves of a tree that speaks on one path, and the block of this path.

    With one condition it is a stump, without any a constant.
    """
    if not path:
        return ((),), 0
    if len(path) == 1:
        test, answer = path[0]
        return (((test, 0),), ((test, 1),)), answer
    return (REST, path), 1
