"""What columns add to a score in trees: by how much their splits change the expected score.

Walking from the root of a tree to a leaf, the expected step of the leaves below changes at every
split, and the change is the credit of the split's column. The expected step of a node is the mean
of its leaves' steps, weighted by the training examples in them.

References
----------
Saabas, "Interpreting random forests", 2014 (blog.datadive.net). Kuz'min, Polishchuk, Artemenko and
Andronati, "Interpretation of QSAR models based on random forest methods", Molecular Informatics 30,
2011.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from underdog.core import Member, Path
from underdog.data import Schema, Table
from underdog.hypotheses import Tree
from underdog.kernels import attributions
from underdog.model.forest import Forest
from underdog.types import Floats
from underdog.workers import Workers

Ends = list[tuple[Path, int]]
"""Paths, and the block of the rows at the end of each."""


def can_attribute(members: Sequence[Member]) -> bool:
    """Whether all rules are trees, so that columns have credits."""
    return all(_ends(member) is not None for member in members)


class Attributions:
    """The credits of columns in all rules of a model.

    All numbers are on the score grid: `base` and the credits of a row add up to its score, bit for
    bit.

    Parameters
    ----------
    members : sequence of Member
        For which `can_attribute`. Stumps and constants are trees, too.
    schema : Schema
    start : (K,)
        Scores before the first rule.

    Attributes
    ----------
    base : (K,)
        The expected score: `start` and the expected steps of all trees.
    columns : (U,)
        Columns that some tree asks about.
    forest : Forest
    """

    def __init__(self, members: Sequence[Member], schema: Schema, start: Floats) -> None:
        self.forest = forest = Forest([_closed(member) for member in members], schema)
        self.columns = forest.columns
        expected = np.empty((len(forest.nodes), forest.steps.shape[1]))
        totals = np.empty(len(forest.nodes))
        attributions.expect(forest.nodes, forest.steps, forest.examples, totals, expected)
        # Leaves have negative numbers: -1 is the last row, and so on backwards.
        known = np.vstack([expected, forest.steps[::-1]])
        self.base: Floats = start + known[forest.roots].sum(axis=0)
        self.gains: Floats = known[forest.nodes[:, 2:]] - expected[:, np.newaxis]
        """(N, 2, K) from each node to where its test is false and true."""
        counts = np.concatenate([totals, forest.examples[::-1]])
        self.examples: Floats = counts[forest.nodes[:, 2:]]
        """(N, 2) training examples on either side."""

    def credits(self, table: Table, workers: Workers) -> Floats:
        """(n, U, K) what each column adds to the scores of the rows of a table."""
        forest = self.forest
        out = np.zeros((len(table), len(self.columns), len(self.base)))
        for rows, codes in forest.codes(table, workers):
            own = out[rows]

            def credit(first: int, last: int, codes=codes, own=own) -> None:  # type: ignore[no-untyped-def]
                attributions.credit(
                    codes, forest.roots, forest.nodes, forest.inside, self.gains, first, last, own
                )

            workers.run(credit, len(own), 20 * len(own) * len(forest.roots))
        return out


def _closed(member: Member) -> Member:
    """The same rule with a path for every block; the ends of the rest have the same weight."""
    tree, ends = member.hypothesis, _ends(member)
    assert isinstance(tree, Tree)
    assert ends is not None
    if tree.rest is None:
        return member
    blocks = np.array([block for _, block in ends])
    ends_of = np.bincount(blocks)  # several for the rest, and one for all others
    examples = None
    if tree.examples is not None:  # all times the same number, so that they stay integers
        examples = (tree.examples * ends_of[tree.rest] // ends_of)[blocks]
    closed = Tree(tuple(path for path, _ in ends), tree.values[blocks], examples)
    return member._replace(hypothesis=closed, steps=member.steps[blocks])


def _ends(member: Member) -> Ends | None:
    """All paths of a rule, also those that lead to the rest; None if they form no tree."""
    tree = member.hypothesis
    if not isinstance(tree, Tree):
        return None
    paths = [(leaf, b) for b, leaf in enumerate(tree.leaves) if not isinstance(leaf, str)]
    return _below(paths, (), tree.rest)


def _below(paths: Ends, way: Path, rest: int | None) -> Ends | None:
    """The paths that begin with `way`; rows on none of them are at its end."""
    depth = len(way)
    if not paths:
        return None if rest is None else [(way, rest)]
    if len(paths) == 1 and len(paths[0][0]) == depth:
        return paths
    if any(len(path) <= depth for path, _ in paths):
        return None
    test = paths[0][0][depth][0]
    if any(path[depth][0] is not test for path, _ in paths):
        return None
    found: Ends = []
    for answer in range(2):
        side = [(path, block) for path, block in paths if path[depth][1] == answer]
        below = _below(side, (*way, (test, answer)), rest)
        if below is None:
            return None
        found += below
    return found
