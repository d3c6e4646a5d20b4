"""The mean score of some rows if one or two columns had other values: partial dependence.

A leaf of a tree is reached for a set of bins of these columns, and by those rows whose other values
lead to it. So all cells of a table follow from the number of rows that can reach each leaf, and
nothing is predicted cell by cell.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from underdog.data import Table
from underdog.kernels import attributions
from underdog.model.attributions import Attributions
from underdog.types import Codes, Floats, Integers
from underdog.workers import Workers


class Effects:
    """Partial dependence of the scores of a model on its columns, over some rows.

    Parameters
    ----------
    model : Attributions
    start : (K,)
        Scores before the first rule.
    table : Table
        The rows, of which there is at least one.
    workers : Workers

    References
    ----------
    Friedman, "Greedy function approximation: a gradient boosting machine", Annals of Statistics 29,
    2001, section 8.2. Friedman and Popescu, "Predictive learning via rule ensembles", Annals of
    Applied Statistics 2, 2008, section 8.1 (pairs of columns).
    """

    def __init__(self, model: Attributions, start: Floats, table: Table, workers: Workers) -> None:
        self.forest, self.start, self.n_rows = model.forest, start, len(table)
        self._place = {column: place for place, column in enumerate(self.forest.columns)}
        self._workers = workers
        runs = [codes for _, codes in self.forest.codes(table, workers)]
        self._codes = np.concatenate(runs)
        self._counts: dict[tuple[int, ...], Integers] = {}
        self._boxes: dict[int, Codes] = {}
        self._levels = 1 + max((len(path) for path in self.forest.paths), default=0)

    def bins(self, column: int) -> Integers:
        """(n,) in which bin of a column each row is; the last one is for missing values."""
        if column not in self._place:
            return np.zeros(self.n_rows, dtype=np.int64)
        return self._codes[:, self._place[column]].astype(np.int64)

    def mean_scores(self, columns: Sequence[int], trees: Integers | None = None) -> Floats:
        """(bins + 1, ..., K) mean score of the rows with each bin of one or two columns.

        With `trees` only of these, without the start.
        """
        leaves = np.arange(len(self.forest.steps))
        if trees is not None:
            leaves = np.flatnonzero(np.isin(self.forest.trees, trees))
        counts = self._reached(columns, trees)[leaves]
        weights = counts[:, np.newaxis] / self.n_rows * self.forest.steps[leaves]
        boxes = [self._boxes_of(column)[leaves].astype(np.float64) for column in columns]
        if len(boxes) == 2:
            result = np.stack([boxes[0].T @ (w[:, np.newaxis] * boxes[1]) for w in weights.T], -1)
        else:
            result = boxes[0].T @ weights if boxes else weights.sum(axis=0)
        return result + self.start if trees is None else result

    def interaction(self, columns: tuple[int, int], trees: Integers) -> Floats:
        """(K,) mean over the rows of |joint effect - both single effects|, of these trees.

        Every effect is the mean score at a row's own values less the mean score. Trees in which the
        columns are not on one path add nothing.
        """
        first, second = (self.bins(column) for column in columns)
        joint = self.mean_scores(columns, trees)[first, second]
        alone = self.mean_scores(columns[:1], trees)[first]
        other = self.mean_scores(columns[1:], trees)[second]
        both = joint - alone - other + self.mean_scores((), trees)
        result: Floats = np.abs(both).mean(axis=0)
        return result

    def _reached(self, columns: Sequence[int], trees: Integers | None) -> Integers:
        """(L,) rows that can reach each leaf, whatever the values of these columns are."""
        key = tuple(columns)
        if key in self._counts:
            return self._counts[key]
        forest = self.forest
        whole = trees is None or len(columns) < 2  # those of one column are asked for many times
        roots = forest.roots if whole else forest.roots[trees]
        free = np.zeros(len(forest.columns), dtype=np.uint8)
        free[[self._place[column] for column in columns if column in self._place]] = 1
        found: list[Integers] = []

        def reach(first: int, last: int) -> None:
            counts = np.zeros(len(forest.steps), dtype=np.int64)
            room = np.empty(self._levels, dtype=np.int64)
            attributions.reach(
                self._codes, roots, forest.nodes, forest.inside, free, first, last, room, counts
            )
            found.append(counts)

        self._workers.run(reach, self.n_rows, 20 * self.n_rows * len(roots))
        counts: Integers = np.sum(found, axis=0)
        if whole:
            self._counts[key] = counts
        return counts

    def _boxes_of(self, column: int) -> Codes:
        """(L, bins + 1) whether a leaf can be reached from each bin of a column."""
        if column not in self._boxes:
            bins = int(self.forest.schema.bins[column]) + 1
            boxes = np.ones((len(self.forest.paths), bins), dtype=np.uint8)
            for own, path in zip(boxes, self.forest.paths, strict=True):
                for test, answer in path:
                    if test.column == column:
                        own &= test.inside == answer
            self._boxes[column] = boxes
        return self._boxes[column]
