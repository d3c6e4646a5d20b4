"""An ensemble of tests under prediction nodes as one alternating decision tree."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from underdog.core import Member, Test
from underdog.data import Schema
from underdog.hypotheses import Tree, in_words
from underdog.hypotheses.alternating import PredictionNodes
from underdog.hypotheses.tree import answers_missing
from underdog.model.nested import Branch
from underdog.types import Floats


@dataclass
class DecisionNode:
    """A test under a prediction node."""

    rounds: list[int]
    """From 1; several if the same test was added again, whose values are added up."""
    test: Test
    children: tuple[int, int]
    """The prediction nodes where it is false and where it is true, by number."""
    takes_missing: bool
    """Whether rows with a missing value reach one of the children."""

    def words(self, schema: Schema, answer: int = 1) -> str:
        """The condition under which the test has this answer."""
        test = self.test if self.takes_missing else answers_missing(self.test, 1 - answer)
        return in_words(test, schema, answer)


@dataclass
class PredictionNode:
    """A value that is added to the score of all rows that reach this node."""

    value: Floats
    """(K,)."""
    tests: list[DecisionNode] = field(default_factory=list)


@dataclass
class AlternatingTree:
    """All prediction nodes, by number; the first is the root.

    The score of a row is the sum of the values of the nodes that it reaches.
    """

    nodes: list[PredictionNode]
    is_deep: bool = False
    """Whether there are tests under other nodes than the root, or abstentions; else the model is a
    list of stumps."""

    @classmethod
    def from_members(
        cls, members: Sequence[Member], start: Floats, rounds: int | None = None
    ) -> AlternatingTree | None:
        """The tree of the first rounds; None if members are not tests under prediction nodes."""
        paths, tree = PredictionNodes(), cls([PredictionNode(start.copy())])
        for number, member in enumerate(members, start=1):
            rule = member.hypothesis
            if not isinstance(rule, Tree):
                return None
            if rule.is_constant:
                if rounds is None or number <= rounds:
                    tree.nodes[0].value += member.steps[0]
                continue
            hung = paths.add(rule)
            if hung is None:
                return None
            tree.is_deep = tree.is_deep or rule.rest is not None
            if rounds is not None and number > rounds:
                continue
            node = tree.nodes[hung.node]
            if hung.is_new:
                sides = [PredictionNode(np.zeros_like(start)) for _ in range(2)]
                tree.nodes += sides
                node.tests.append(DecisionNode([], hung.test, hung.children, not hung.has_guard))
            found = next(each for each in node.tests if each.children == hung.children)
            found.rounds.append(number)
            for child, step in zip(found.children, member.steps[-2:], strict=True):
                tree.nodes[child].value += step
        return tree

    @property
    def leaves_out_missing(self) -> bool:
        """Whether rows with a missing value may reach neither child of a test."""
        return any(not test.takes_missing for node in self.nodes for test in node.tests)

    def groups(self, schema: Schema) -> list[tuple[int, list[Branch]]]:
        """For each test under the root its round, its sides, and below each side further tests."""
        rounds = [test.rounds[0] for node in self.nodes for test in node.tests]
        width = len(f"{max(rounds, default=0)}. ")
        return [
            (test.rounds[0], list(self._below(test, 0, width, schema)))
            for test in self.nodes[0].tests
        ]

    def _below(
        self, test: DecisionNode, depth: int, width: int, schema: Schema
    ) -> Iterator[Branch]:
        head = f"{test.rounds[0]}. ".rjust(width)
        for answer, child in enumerate(test.children):
            node = self.nodes[child]
            own = "" if not depth else " " * width if answer else head
            yield Branch(depth, test.words(schema, answer), node.value, own)
            for each in node.tests:
                yield from self._below(each, depth + 1, width, schema)


MISSING_LEFT_OUT = "rows with a missing value in the column of a test reach neither side of it"
