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

    def mean_scores(self, columns: Sequence[int]) -> Floats:
        """(bins + 1, ..., K) mean score of the rows with each bin of up to two columns."""
        weights = self._weights(columns)
        boxes = [self._boxes_of(column).astype(np.float64) for column in columns]
        if len(boxes) == 2:
            result: Floats = np.stack(
                [boxes[0].T @ (w[:, np.newaxis] * boxes[1]) for w in weights.T], -1
            )
        else:
            result = boxes[0].T @ weights if boxes else weights.sum(axis=0)
        result += self.start
        return result

    def interaction(self, columns: tuple[int, int], trees: Integers) -> Floats:
        """(K,) mean over the rows of |joint effect - both single effects|.

        Every effect is the mean score at a row's own values less the mean score. Only the trees
        with both columns on a path matter, and of these only the leaves of such paths: for all
        others the joint effect is the sum of both.
        """
        pair = [self._boxes_of(column) for column in columns]
        leaves = np.flatnonzero(~pair[0].all(axis=1) & ~pair[1].all(axis=1))
        boxes, places = [], []
        for column, own in zip(columns, pair, strict=True):
            first_alike, kind = _alike(own[leaves])
            boxes.append(own[leaves][:, first_alike].T.astype(np.float64))
            places.append(kind[self.bins(column)])
        joint = self._weights(columns, trees)[leaves]
        first, second = (self._weights((column,))[leaves] for column in columns)
        nothing = self._weights(())[leaves].sum(axis=0)
        result = np.empty(joint.shape[1])
        for k in range(len(result)):
            table = (boxes[0] * joint[:, k]) @ boxes[1].T + nothing[k]
            table -= (boxes[0] @ first[:, k])[:, np.newaxis] + boxes[1] @ second[:, k]
            result[k] = np.abs(table[tuple(places)]).mean()
        return result

    def _weights(self, columns: Sequence[int], trees: Integers | None = None) -> Floats:
        """(L, K) what leaves add to the mean score where they can be reached."""
        counts = self._reached(columns, trees)
        result: Floats = counts[:, np.newaxis] / self.n_rows * self.forest.steps
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


def _alike(boxes: Codes) -> tuple[list[int], Integers]:
    """The first of all columns that are equal, and for each column which of these it equals."""
    found: dict[bytes, int] = {}
    columns = [column.tobytes() for column in np.packbits(boxes, axis=0).T]
    kind = np.array([found.setdefault(column, len(found)) for column in columns])
    return [columns.index(column) for column in found], kind
