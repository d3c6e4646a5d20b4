"""A sum of stumps as one step function per column.

Prediction time does not grow with the number of rounds, and the sums are the staged ones bit for
bit, because every step lies on the score grid.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeGuard

import numpy as np

from underdog.core import Hypothesis, Member
from underdog.data import Schema, Table
from underdog.data.columns import CategoryColumns, Columns, NumberColumns, SparseColumns
from underdog.hypotheses import Tree
from underdog.kernels import prediction
from underdog.types import Floats, Integers, owned
from underdog.workers import Workers

CHUNK = 1 << 16
MAX_GAINS = 1 << 24
"""Entries of a table of gains per column and label, up to which it is worth making."""


def compiles(members: Sequence[Member]) -> bool:
    """Whether these members are stumps and constants only."""
    return all(is_simple(member.hypothesis) for member in members)


def is_simple(hypothesis: Hypothesis) -> TypeGuard[Tree]:
    """Whether this is a stump or a constant."""
    if not isinstance(hypothesis, Tree):
        return False
    return hypothesis.is_constant or hypothesis.test is not None


class Compiled:
    """Step functions: for ordered column u, cuts and the values between them.

    Attributes
    ----------
    base : (K,)
        Scores before the first rule, and of the rules that ask nothing.
    columns : (U,)
        The ordered columns that the model uses.
    cuts, pointers : step positions of column u are cuts[pointers[u]:pointers[u + 1]]
    table : values of column u are rows pointers[u] + u, ... (one more than cuts)
    missing : (U, K)
    categories : column -> (levels + 1, K), the last row for missing and unseen levels
    """

    def __init__(self, members: Sequence[Member], schema: Schema, start: Floats) -> None:
        self.schema = schema
        self.base = start.copy()
        n_labels = len(start)
        bins = schema.bins
        sums: dict[int, Floats] = {}
        for member in members:
            hypothesis = member.hypothesis
            if not is_simple(hypothesis):
                continue
            test = hypothesis.test
            if test is None:
                self.base += member.steps[0]
            else:
                if test.column not in sums:
                    sums[test.column] = np.zeros((int(bins[test.column]) + 1, n_labels))
                sums[test.column] += member.steps[test.inside]
        self.categories = {c: sums.pop(c) for c in list(sums) if c in schema.categories}
        self.columns = np.array(sorted(sums), dtype=np.int64)
        cuts, table, self.missing = [], [], np.zeros((len(sums), n_labels))
        for u, column in enumerate(self.columns.tolist()):
            values = sums[column]
            self.missing[u] = values[-1]
            steps = np.flatnonzero((values[1:-1] != values[:-2]).any(axis=1))
            cuts.append(schema.cuts_of(column)[steps])
            table.append(values[np.concatenate([steps, [len(values) - 2]])])
        self.pointers = np.concatenate([[0], np.cumsum([len(c) for c in cuts])]).astype(np.int64)
        self.cuts = np.concatenate(cuts) if cuts else np.empty(0)
        self.table = np.concatenate(table) if table else np.empty((0, n_labels))
        self._gains: tuple[float, Floats, Floats] | None = None

    def scores(self, table: Table, workers: Workers) -> Floats:
        """(n, K) scores of the rows of a table."""
        out = np.empty((len(table), len(self.base)))
        first = table.groups[0]
        if isinstance(first, SparseColumns) and self._is_one_value(first):
            self._fill_by_one_value(first, out, workers)
            return out
        out[:] = self.base
        for group in table.groups:
            self._add_group(group, out, workers)
        return out

    def _add_group(self, group: Columns, out: Floats, workers: Workers) -> None:
        if isinstance(group, CategoryColumns):
            for c, position in enumerate(group.positions.tolist()):
                if position in self.categories:
                    codes = self.schema.codes_of(position, group.given[c])
                    prediction.predict_codes(codes, self.categories[position], 0, len(codes), out)
            return
        place = np.full(self.schema.n_columns, -1, dtype=np.int64)
        place[group.positions] = np.arange(group.n_columns)
        used = np.flatnonzero(place[self.columns] >= 0)
        if not len(used):
            return
        steps = self._only(used)
        if isinstance(group, NumberColumns):
            _add_dense(group.matrix, place[self.columns[used]], steps, out, workers)
        else:
            _add_sparse(group, place[self.columns[used]], steps, out, workers)

    def _is_one_value(self, group: SparseColumns) -> bool:
        """Whether the group has all columns and stores one number only, as words do."""
        wanted = self.schema.n_columns
        small = wanted * len(self.base) <= MAX_GAINS
        return group.value is not None and group.n_columns == wanted and small

    def _fill_by_one_value(self, group: SparseColumns, out: Floats, workers: Workers) -> None:
        empty, gains = self._gains_of(float(group.value or 0.0))
        indptr = owned(group.matrix.indptr, np.int32)  # a table has fewer entries than 2**31
        indices = owned(group.matrix.indices, np.int32)

        def fill(start: int, stop: int) -> None:
            prediction.predict_constant(indptr, indices, empty, gains, start, stop, out)

        workers.run(fill, len(out), len(indices) * len(self.base))

    def _gains_of(self, value: float) -> tuple[Floats, Floats]:
        """Score of an empty row, and what storing this value adds to it.

        That of column j for label k is at j * K + k. Kept for the next call: making them takes as
        long as scoring thousands of rows.
        """
        kept = self._gains  # once: another thread may put others in its place
        if kept is None or kept[0] != value:
            rows = np.empty((2, len(self.columns)), dtype=np.int64)
            for row, number in zip(rows, (0.0, value), strict=True):
                prediction.rows_of_value(number, self.cuts, self.pointers, row)
            empty, full = self.table[rows]
            gains = np.zeros((self.schema.n_columns, len(self.base)))
            gains[self.columns] = full - empty
            self._gains = kept = value, self.base + empty.sum(axis=0), gains.ravel()
        return kept[1:]

    def _only(self, used: Integers) -> tuple[Integers, Floats, Floats, Floats]:
        """(pointers, cuts, table, missing) of these compiled columns."""
        if len(used) == len(self.columns):
            return self.pointers, self.cuts, self.table, self.missing
        runs = [np.arange(self.pointers[u], self.pointers[u + 1]) for u in used]
        rows = [np.arange(self.pointers[u] + u, self.pointers[u + 1] + u + 1) for u in used]
        pointers = np.concatenate([[0], np.cumsum([len(run) for run in runs])]).astype(np.int64)
        return (
            pointers,
            self.cuts[np.concatenate(runs)],
            self.table[np.concatenate(rows)],
            self.missing[used],
        )


Steps = tuple[Integers, Floats, Floats, Floats]


def _add_dense(
    matrix: np.ndarray[Any, Any], columns: Integers, steps: Steps, out: Floats, workers: Workers
) -> None:
    pointers, cuts, table, missing = steps
    direct = matrix.dtype == np.float64 and matrix.flags.c_contiguous and matrix.flags.writeable
    every = np.arange(len(columns), dtype=np.int64)

    def add(start: int, stop: int) -> None:
        if direct:
            prediction.predict_dense(
                matrix, columns, pointers, cuts, table, missing, start, stop, out
            )
            return
        for first in range(start, stop, CHUNK):
            last = min(first + CHUNK, stop)
            some = np.ascontiguousarray(matrix[first:last][:, columns], dtype=np.float64)
            prediction.predict_dense(
                some, every, pointers, cuts, table, missing, 0, last - first, out[first:last]
            )

    workers.run(add, len(out), len(out) * len(columns) * 5)


def _add_sparse(
    group: SparseColumns, columns: Integers, steps: Steps, out: Floats, workers: Workers
) -> None:
    pointers, cuts, table, missing = steps
    matrix, n_labels = group.matrix, out.shape[1]
    zero_row = np.empty(len(columns), dtype=np.int64)
    prediction.rows_of_value(0.0, cuts, pointers, zero_row)
    out += table[zero_row].sum(axis=0)
    indptr, indices = owned(matrix.indptr, np.int32), owned(matrix.indices, np.int32)
    compiled = np.full(matrix.shape[1], -1, dtype=np.int64)
    compiled[columns] = np.arange(len(columns))
    data = owned(matrix.data, np.float64)

    def add(start: int, stop: int) -> None:
        prediction.predict_sparse(
            indptr,
            indices,
            data,
            compiled,
            pointers,
            cuts,
            table,
            missing,
            zero_row,
            start,
            stop,
            out,
        )

    workers.run(add, len(out), matrix.nnz * n_labels)
