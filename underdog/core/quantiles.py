"""Exact weighted quantiles of integers on several shards.

Shards return only counts: how many examples of a block have given leading digits. Four rounds of 16
bits each find the quantile. The result does not depend on the order of the rows.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from underdog.core.blocks import Blocks, Partition
from underdog.types import Integers

if TYPE_CHECKING:
    from underdog.core.rows import Rows, Shard

DIGIT = 16
"""Number of bits in one round."""
LAST_DIGIT = 2**DIGIT - 1
FLIP = np.uint64(1 << 63)
"""Maps the order of signed integers to that of unsigned ones."""


def select(
    rows: Rows,
    measure: Callable[[Shard], Integers],
    share: float,
    partition: Sequence[Partition] | None = None,
    n_blocks: int = 1,
) -> Integers:
    """[block, label]: the smallest number that at least this share of the examples do not exceed.

    A row counts as many times as its number of examples. A block without examples has 0.

    Parameters
    ----------
    rows : Rows
    measure : function of a shard
        (n, K) integers.
    share : float in [0, 1]
    partition : one for each shard, optional
        The blocks of the rows; by default all rows are in one block.
    n_blocks : int
    """
    if not 0.0 <= share <= 1.0:
        raise ValueError(f"share={share!r} must be between 0 and 1")
    sizes = rows.total(lambda shard: _count(shard, _blocks(shard, partition), n_blocks))
    wanted = np.array([max(math.ceil(Fraction(share) * int(size)), 1) for size in sizes])
    result = np.empty((n_blocks, rows.n_labels), dtype=np.int64)
    for label in range(rows.n_labels):
        found = np.zeros(n_blocks, dtype=np.uint64)
        before = np.zeros(n_blocks, dtype=np.int64)
        for shift in range(64 - DIGIT, -1, -DIGIT):
            count = partial(
                _count_digits, measure=measure, label=label, shift=shift, found=found,
                partition=partition,
            )  # fmt: skip
            sums = before[:, np.newaxis] + np.cumsum(rows.total(count), axis=1)
            digits = (sums < wanted[:, np.newaxis]).sum(axis=1).clip(0, LAST_DIGIT)
            positive = digits > 0
            before[positive] = sums[positive, digits[positive] - 1]
            found |= digits.astype(np.uint64) << np.uint64(shift)
        result[:, label] = (found ^ FLIP).view(np.int64)
    result[sizes == 0] = 0
    return result


def _count_digits(
    shard: Shard,
    measure: Callable[[Shard], Integers],
    label: int,
    shift: int,
    found: NDArray[np.uint64],
    partition: Sequence[Partition] | None,
) -> Integers:
    """[block, digit]: number of examples with the leading digits found so far, by next digit."""
    keys = measure(shard)[:, label].astype(np.int64).view(np.uint64) ^ FLIP
    block = _blocks(shard, partition)
    same = np.ones(len(keys), dtype=bool)
    if shift + DIGIT < 64:
        above = np.uint64(shift + DIGIT)
        same = keys >> above == found[block] >> above
    digit = (keys >> np.uint64(shift)) & np.uint64(LAST_DIGIT)
    counts = np.zeros((len(found), LAST_DIGIT + 1), dtype=np.int64)
    np.add.at(counts, (block[same], digit[same].astype(np.int64)), shard.target.repeats[same])
    return counts


def _blocks(shard: Shard, partition: Sequence[Partition] | None) -> Integers:
    """(n,) the block of each row."""
    n_rows = shard.encoded.n_rows
    if partition is None:
        return np.zeros(n_rows, dtype=np.int64)
    own = partition[shard.number]
    if not isinstance(own, Blocks):
        raise TypeError("quantiles by block need blocks that are the same for all labels")
    return own.of_row(n_rows)


def _count(shard: Shard, block: Integers, n_blocks: int) -> Integers:
    """(B,) number of examples of each block."""
    counts = np.zeros(n_blocks, dtype=np.int64)
    np.add.at(counts, block, shard.target.repeats)
    return counts
