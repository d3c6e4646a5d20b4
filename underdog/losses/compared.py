"""Which rows are compared, and the weights that follow from their scores.

The weight of a pair is exp(F(below) - F(above)) times the weights u of both rows. It is the product
of a factor of each row. So the sum of the weights of all pairs that have a row above is its own
factor times the sum of the factors of the rows below it, which all rows of its query and grade
share: `GradedPairs` finds the weights of m rows in O(m), whatever the number of pairs.
`ListedPairs` has pairs that follow from no grades.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Protocol

import numpy as np

from underdog.core import Rows, Target
from underdog.kernels import pairs
from underdog.kernels.elementary import exp_each
from underdog.kernels.sums import log_sum_exp
from underdog.types import Floats, Integers
from underdog.workers import Workers

UNIT_BITS = 59
"""All weights of a side together are less than 2**59 units."""
PAIR_BITS = 52
"""All pairs together are 2**52 units."""


class Compared(Protocol):
    """The pairs of one shard, with the weights of the scores that were given last."""

    @property
    def log_totals(self) -> Floats:
        """ln of the weights of disjoint sets of pairs, which are all of them."""

    def weigh(self, scores: Floats) -> None:
        """Find the weights for these scores, (n,)."""

    def peaks(self) -> Floats:
        """[side]: ln of the largest weight of a row, or of its pairs; -inf if there is no pair."""

    def amounts(self, peaks: Floats) -> Integers:
        """[side, row]: integer weights of the rows as the lower and as the upper one of pairs.

        exp(peak) is 2**bits units. They are valid until the next call.
        """

    def block_pairs(self, blocks: Integers, n_blocks: int, log_total: float) -> Integers:
        """[j, k]: integer weight of the pairs with the lower row in block j, the upper in k.

        Rows of a negative block are left out. exp(log_total) is 2**52 units.
        """


class GradedPairs:
    """Two rows of one query with different grades are a pair, in O(m) for m rows.

    Parameters
    ----------
    target : Target
        With queries and grades.
    bits : int
        So many that 2**bits units for each example are less than 2**59.
    workers : Workers
    """

    def __init__(self, target: Target, bits: int, workers: Workers) -> None:
        self._order, self._starts, self._query_starts = target.segments()
        self._repeats, self._logs = target.repeats[self._order], target.log_prior[self._order]
        self._workers = workers
        self._unit = math.ldexp(1.0, bits)
        segments = len(self._starts) - 1
        self._factors = np.empty((2, len(self._order)))
        self._amounts: Integers = np.empty((2, len(self._order)), dtype=np.int64)
        self._peaks, self._others = np.empty((2, segments)), np.empty((2, segments))
        self.log_totals: Floats = np.empty(len(self._query_starts) - 1)
        """ln of the weight of all pairs of each query."""

    def _run(self, task: Callable[[int, int], object], size: int) -> None:
        self._workers.run(task, size, 16 * len(self._order))

    def weigh(self, scores: Floats) -> None:
        def weigh(first: int, last: int) -> None:
            pairs.weigh(
                self._order, self._starts, self._query_starts, scores, self._logs, self._repeats,
                self._unit, first, last, self._factors, self._peaks, self._others, self.log_totals,
            )  # fmt: skip

        self._run(weigh, len(self._query_starts) - 1)

    def peaks(self) -> Floats:
        found = np.empty(2)
        pairs.largest(self._peaks, self._others, found)
        return found

    def amounts(self, peaks: Floats) -> Integers:
        out = self._amounts  # used again in every round: new memory takes as long as the sums

        def fill(first: int, last: int) -> None:
            pairs.fill(
                self._order, self._starts, self._factors, self._peaks, self._others, peaks,
                self._unit, self._repeats, first, last, out,
            )  # fmt: skip

        self._run(fill, len(self._starts) - 1)
        return out

    def block_pairs(self, blocks: Integers, n_blocks: int, log_total: float) -> Integers:
        found = []

        def count(first: int, last: int) -> None:
            own = np.zeros((n_blocks, n_blocks), dtype=np.int64)
            pairs.block_pairs(
                self._order, self._starts, self._query_starts, self._factors, self._peaks, blocks,
                self._repeats, self._unit, log_total, 2.0**PAIR_BITS, first, last, own,
            )  # fmt: skip
            found.append(own)

        self._run(count, len(self._query_starts) - 1)
        result: Integers = sum(found[1:], found[0])
        return result


class ListedPairs:
    """Given pairs of rows, in O(P) for P pairs.

    Parameters
    ----------
    target : Target
        With pairs.
    bits : int
        So many that 2**bits units for each pair of examples are less than 2**59.
    """

    def __init__(self, target: Target, bits: int) -> None:
        if target.pairs is None:
            raise ValueError("this loss compares pairs of rows, but the target has none")
        self._above, self._below = target.pairs.T
        self._n_rows = len(target.sign)
        self._logs = target.log_prior[self._above] + target.log_prior[self._below]
        self._repeats = repeats_of_pairs(target)
        self._bits = bits
        self._weights: Floats = self._logs

    @property
    def log_totals(self) -> Floats:
        """ln of the weight of all pairs together."""
        return np.array([log_sum_exp(self._weights, self._repeats)])

    def weigh(self, scores: Floats) -> None:
        self._weights = self._logs + scores[self._below] - scores[self._above]

    def peaks(self) -> Floats:
        return np.full(2, self._weights.max(initial=-math.inf))

    def _units(self, reference: float, bits: int) -> Integers:
        units = np.rint(np.ldexp(exp_of(self._weights - reference), bits)).astype(np.int64)
        return self._repeats * units

    def amounts(self, peaks: Floats) -> Integers:
        out = np.zeros((2, self._n_rows), dtype=np.int64)
        units = self._units(float(peaks[0]), self._bits)
        np.add.at(out[pairs.BELOW], self._below, units)
        np.add.at(out[pairs.ABOVE], self._above, units)
        return out

    def block_pairs(self, blocks: Integers, n_blocks: int, log_total: float) -> Integers:
        out = np.zeros((n_blocks, n_blocks), dtype=np.int64)
        below, above = blocks[self._below], blocks[self._above]
        known = (below >= 0) & (above >= 0)
        units = self._units(log_total, PAIR_BITS)
        np.add.at(out, (below[known], above[known]), units[known])
        return out


def repeats_of_pairs(target: Target) -> Integers:
    """(P,) how many pairs of examples each pair of rows is."""
    if target.pairs is None:
        return np.zeros(0, dtype=np.int64)
    result: Integers = target.repeats[target.pairs].prod(axis=1)
    return result


def compared_rows(rows: Rows) -> list[Compared]:
    """The pairs of every shard. All rows of a query, and of a pair, must be on the same one."""
    shards = rows.shards
    if shards[0].target.pairs is not None:
        count = int(rows.total(lambda shard: np.asarray(repeats_of_pairs(shard.target).sum())))
        return [ListedPairs(shard.target, UNIT_BITS - count.bit_length()) for shard in shards]
    check_queries(rows)
    bits = UNIT_BITS - rows.n_examples.bit_length()
    return [GradedPairs(shard.target, bits, shard.workers) for shard in shards]


def check_queries(rows: Rows) -> None:
    """Refuse rows without queries, and queries with rows on several shards."""
    found = [shard.target.query for shard in rows.shards]
    if any(query is None for query in found):
        raise ValueError("this loss compares rows of one query, but the target has no queries")
    if len(found) == 1:
        return
    seen: Integers = np.concatenate([np.unique(np.asarray(query)) for query in found])
    if len(np.unique(seen)) < len(seen):
        raise ValueError(
            "a query has rows on several shards, so that they cannot be compared: put all rows of "
            "a query on one shard"
        )


def log_query_weights(target: Target) -> Floats:
    """(n,) ln of the weight of all pairs of the query of a row, before the first round."""
    found = GradedPairs(target, UNIT_BITS - int(target.repeats.sum()).bit_length(), Workers())
    found.weigh(np.zeros(len(target.sign)))
    number = np.unique(np.asarray(target.query), return_inverse=True)[1]
    result: Floats = found.log_totals[number]
    return result


def exp_of(values: Floats) -> Floats:
    """exp of each number of an array of any shape."""
    flat = np.ascontiguousarray(values).ravel()
    result = np.empty(len(flat))
    exp_each(flat, result)
    return result.reshape(values.shape)
