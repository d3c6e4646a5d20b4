"""Alternating decision trees as a sequence of rules, each a test under a prediction node.

A prediction node is a path: the rows that reach it. A rule has the blocks REST, no and yes: it says
nothing to rows that do not reach its prediction node, and its two other blocks are new prediction
nodes. The score of a row is the sum of all rules, which is the sum of the values of all prediction
nodes that it reaches.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from underdog.core import Path, Test
from underdog.data import Schema
from underdog.hypotheses.tree import REST, Leaf, Tree, is_guard
from underdog.types import Floats, Integers

PathKey = tuple[tuple[int, bytes, int], ...]


class Hung(NamedTuple):
    """Where the test of a rule hangs, and the prediction nodes of its answers, by number."""

    node: int
    test: Test
    children: tuple[int, int]
    """Where the test is false, and where it is true."""
    is_new: bool
    """Whether the test was not yet below this node."""
    has_guard: bool
    """Whether rows with a missing value reach neither child."""


class PredictionNodes:
    """All prediction nodes of the rules that were added, numbered in the order of the rounds.

    Node 0 is the root, which all rows reach.
    """

    def __init__(self) -> None:
        self.paths: list[Path] = [()]
        self._number: dict[PathKey, int] = {(): 0}

    def __len__(self) -> int:
        return len(self.paths)

    def add(self, tree: Tree) -> Hung | None:
        """Take note of a rule; None if it is not a test under one of the nodes."""
        sides = [leaf for leaf in tree.leaves if not isinstance(leaf, str)]
        if len(sides) != 2 or len(tree.leaves) != 2 + (tree.rest is not None):
            return None
        no, yes = sides
        if not no or not yes or key_of(no[:-1]) != key_of(yes[:-1]) or no[-1][0] is not yes[-1][0]:
            return None
        test, place = no[-1][0], self._number.get(key_of(no[:-1]))
        if place is None and len(no) > 1 and is_guard(no[-2], test):
            place = self._number.get(key_of(no[:-2]))
        if place is None or (no[-1][1], yes[-1][1]) != (0, 1):
            return None
        before = len(self.paths)
        children = self._number_of(no), self._number_of(yes)
        has_guard = any(is_guard(step, test) for step in no[:-1])
        return Hung(place, test, children, len(self.paths) > before, has_guard)

    def _number_of(self, path: Path) -> int:
        key = key_of(path)
        if key not in self._number:
            self._number[key] = len(self.paths)
            self.paths.append(path)
        return self._number[key]


def rule_under(
    path: Path, test: Test, values: Floats, examples: Integers, known: Test | None = None
) -> Tree:
    """The rule with a test under a prediction node.

    With `known`, the test for a missing value in its column, rows in which the value is missing
    reach neither side. The values are those of REST, if there is one, no and yes.
    """
    guard: Path = ()
    if known is not None and not any(is_guard(step, test) for step in path):
        guard = ((known, 0),)
    before: Path = (*path, *guard)
    sides: tuple[Leaf, ...] = ((*before, (test, 0)), (*before, (test, 1)))
    return Tree((REST, *sides) if before else sides, values, examples)


def missing_test(column: int, schema: Schema) -> Test:
    """The test for a missing value."""
    inside = np.zeros(int(schema.bins[column]) + 1, dtype=np.uint8)
    inside[-1] = 1
    return Test(column, inside)


def key_of(path: Path) -> PathKey:
    """A path by what its tests are true for, not by which objects they are."""
    return tuple((test.column, test.inside.tobytes(), answer) for test, answer in path)


def are_apart(one: PathKey, other: PathKey) -> bool:
    """Whether no row is on both paths, because they have different answers to a test."""
    opposite = {(column, inside, 1 - answer) for column, inside, answer in other}
    return not opposite.isdisjoint(one)
