"""Rules about the bins of one schema, as rules about the bins of another with all of its cuts."""

from __future__ import annotations

import numpy as np

from underdog.core import Member, Path, Test
from underdog.data import Schema
from underdog.hypotheses.tree import Tree


class Mover:
    """Moves trees from one schema to another, which has all cuts and levels of the first.

    Parameters
    ----------
    old, new : Schema
    """

    def __init__(self, old: Schema, new: Schema) -> None:
        self.old, self.new = old, new

    def member(self, member: Member) -> Member:
        """The same member with tests of the new schema."""
        assert isinstance(member.hypothesis, Tree)
        return member._replace(hypothesis=self.tree(member.hypothesis))

    def tree(self, tree: Tree) -> Tree:
        """The same tree with tests of the new schema."""
        moved = {id(test): self.test(test) for test in tree.tests}
        leaves = tuple(
            leaf if isinstance(leaf, str) else _with(leaf, moved) for leaf in tree.leaves
        )
        return Tree(leaves, tree.values, tree.examples)

    def test(self, test: Test) -> Test:
        """The same test; levels that the first schema does not know are unknown to it."""
        column, missing = test.column, int(test.inside[-1])
        if column in self.new.categories:
            levels = self.old.categories.get(column, ())
            answers = dict(zip(levels, test.inside.tolist(), strict=False))
            inside = [answers.get(level, missing) for level in self.new.categories[column]]
        elif test.threshold is None:
            inside = [0] * (len(self.new.cuts_of(column)) + 1)
        else:
            cuts = self.new.cuts_of(column)
            place = int(np.searchsorted(cuts, test.threshold))
            inside = [int(number > place) for number in range(len(cuts) + 1)]
        return Test(column, np.array([*inside, missing], dtype=np.uint8), test.threshold)


def _with(path: Path, moved: dict[int, Test]) -> Path:
    return tuple((moved[id(test)], answer) for test, answer in path)
