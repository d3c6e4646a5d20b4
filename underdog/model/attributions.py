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
from typing import NamedTuple

import numpy as np

from underdog.core import Member
from underdog.data import EncodedRows, Schema, Table
from underdog.hypotheses import Tree, WordWeights
from underdog.kernels import attributions
from underdog.model.forest import Forest, closed, cuts_asked
from underdog.types import Floats, Integers
from underdog.workers import Workers


def can_attribute(members: Sequence[Member]) -> bool:
    """Whether all rules are trees or weights of words, so that columns have credits."""
    rules = [member.hypothesis for member in members]
    return all(
        isinstance(rule, WordWeights) or (isinstance(rule, Tree) and rule.ends is not None)
        for rule in rules
    )


class Pair(NamedTuple):
    """Two columns that are on one path of a tree.

    `strength` is by how much the splits on one of them that are below a split on the other change
    the expected score: the mean absolute change over the training examples, a sum over all trees.
    """

    columns: tuple[int, int]
    trees: frozenset[int]
    strength: Floats
    """(K,)."""


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
    unit : float, default=1.0
        A power of two; steps are multiples of it on the score grid.

    Attributes
    ----------
    base : (K,)
        The expected score: `start` and the expected steps of all trees.
    columns : (U,)
        Columns that some tree asks about.
    forest : Forest
    """

    def __init__(
        self, members: Sequence[Member], schema: Schema, start: Floats, unit: float = 1.0
    ) -> None:
        rules = [member.hypothesis for member in members]
        self.words = [rule for rule in rules if isinstance(rule, WordWeights)]
        trees = [closed(each) for each in members if not isinstance(each.hypothesis, WordWeights)]
        self.forest = forest = Forest(trees, schema)
        asked = [np.array(forest.columns, dtype=np.int64)]
        asked += [rule.columns for rule in self.words]
        self.columns: list[int] = np.unique(np.concatenate(asked)).tolist()
        self._of_trees = np.searchsorted(self.columns, asked[0])
        self._unit = unit
        expected = np.empty((len(forest.nodes), forest.steps.shape[1]))
        totals = np.empty(len(forest.nodes))
        attributions.expect(forest.nodes, forest.steps / unit, forest.examples, totals, expected)
        expected *= unit
        # Leaves have negative numbers: -1 is the last row, and so on backwards.
        known = np.vstack([expected, forest.steps[::-1]])
        self.base: Floats = start + known[forest.roots].sum(axis=0)
        self.gains: Floats = known[forest.nodes[:, 2:]] - expected[:, np.newaxis]
        """(N, 2, K) from each node to where its test is false and true."""
        counts = np.concatenate([totals, forest.examples[::-1]])
        self.examples: Floats = counts[forest.nodes[:, 2:]]
        """(N, 2) training examples on either side."""

    def cuts(self) -> dict[int, Floats]:
        """The cuts of each column that some rule asks about."""
        schema = self.forest.schema
        of_words = {int(c): schema.cuts_of(int(c)) for rule in self.words for c in rule.columns}
        return of_words | cuts_asked(self.forest)

    def credits(self, table: Table, workers: Workers) -> Floats:
        """(n, U, K) what each column adds to the scores of the rows of a table."""
        forest = self.forest
        out = np.zeros((len(table), len(forest.columns), len(self.base)))
        for rows, codes in forest.codes(table, workers):
            own = out[rows]

            def credit(first: int, last: int, codes=codes, own=own) -> None:  # type: ignore[no-untyped-def]
                attributions.credit(
                    codes, forest.roots, forest.nodes, forest.inside, self.gains, first, last, own
                )

            workers.run(credit, len(own), 20 * len(own) * len(forest.roots))
        return self._with_words(out, table) if self.words else out

    def _with_words(self, of_trees: Floats, table: Table) -> Floats:
        """The same with the credits of words."""
        out = np.zeros((len(table), len(self.columns), len(self.base)))
        out[:, self._of_trees] = of_trees
        encoded = EncodedRows(table, self.forest.schema)
        for rule in self.words:
            documents, credits = rule.credits(encoded)
            row = np.repeat(np.arange(len(table)), np.diff(documents.pointers))
            place: Integers = np.searchsorted(self.columns, rule.columns).astype(np.int64)
            out[row, place[documents.words]] += credits
        return out

    def importances(self, drops: Floats) -> Floats:
        """(n_columns,) what each tree's rise or drop is due to, by column.

        A tree's share is divided among its splits by the variance that each of them explains: the
        sum of the squared changes of the expected steps over its training examples.
        """
        forest = self.forest
        grown = np.flatnonzero(forest.roots >= 0)
        owner = grown[np.searchsorted(forest.roots[grown], np.arange(len(self.gains)), "right") - 1]
        squares = (self.gains / self._unit) ** 2  # in the unit of the target they may overflow
        explained = (self.examples[:, :, np.newaxis] * squares).sum(axis=(1, 2))
        total = np.bincount(owner, explained, len(drops))[owner]
        share = np.divide(explained, total, out=np.zeros_like(total), where=total > 0.0)
        columns = np.array(forest.columns, dtype=np.int64)[forest.nodes[:, 0]]
        result: Floats = np.zeros(forest.schema.n_columns)
        np.add.at(result, columns, drops[owner] * share)
        return result

    def pairs(self) -> list[Pair]:
        """Columns that are on one path of a tree, the strongest first."""
        forest, found = self.forest, dict[tuple[int, int], Pair]()
        moved = (self.examples[:, :, np.newaxis] * np.abs(self.gains)).sum(axis=1)
        for tree, root in enumerate(forest.roots.tolist()):
            everything = self.examples[root].sum() if root >= 0 else 0.0
            waiting: list[tuple[int, frozenset[int]]] = [(root, frozenset())]
            while waiting:
                node, above = waiting.pop()
                if node < 0:
                    continue
                place, _, *below = forest.nodes[node].tolist()
                column = forest.columns[place]
                for other in above - {column}:
                    columns = min(column, other), max(column, other)
                    nothing = Pair(columns, frozenset(), np.zeros(len(self.base)))
                    _, trees, strength = found.get(columns, nothing)
                    strength = strength + moved[node] / max(everything, 1.0)
                    found[columns] = Pair(columns, trees | {tree}, strength)
                waiting += [(child, above | {column}) for child in below]
        return sorted(found.values(), key=lambda pair: (-pair.strength.max(), pair.columns))
