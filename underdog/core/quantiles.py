"""Exact weighted quantiles of integers.

In one place the rows of each block are searched directly (`kernels/selection.py`). Several shards
return only counts: how much weight of a block has given leading digits. Four rounds of 16 bits each
find the quantile. Both ways give the same number, whatever the order of the rows.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cache, partial
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from underdog.core.blocks import Blocks, Partition
from underdog.kernels import selection
from underdog.types import Integers

if TYPE_CHECKING:
    from underdog.core.rows import Rows, Shard

DIGIT = 16
"""Number of bits in one round."""
LAST_DIGIT = 2**DIGIT - 1
MOST = 1 << 63
"""Integers below it are added and multiplied by NumPy."""
EVERYTHING = Blocks(np.empty(0, dtype=np.int32), np.zeros(1, dtype=np.int64), 0)
"""All rows in one block."""
FLIP = np.uint64(1 << 63)
"""Maps the order of signed integers to that of unsigned ones."""

Measure = Callable[["Shard"], Integers]
"""An integer, or one for each label, of every row of a shard."""


def select(
    rows: Rows,
    measure: Measure,
    shares: float | Sequence[float],
    partition: Sequence[Partition] | None = None,
    n_blocks: int = 1,
    weigh: Measure | None = None,
) -> Integers:
    """[block, label]: the smallest number that at least this share of the weight does not exceed.

    A block without weight has 0.

    Parameters
    ----------
    rows : Rows
    measure : function of a shard
        (n, K) integers.
    shares : float in [0, 1], or one for each label
        Taken as they are written: 0.1 is one tenth.
    partition : one for each shard, optional
        The blocks of the rows; by default all rows are in one block.
    n_blocks : int
    weigh : function of a shard, optional
        (n,) integer weights; by default the number of examples of each row.
    """
    weigh = weigh or _repeats
    every = [shares] * rows.n_labels if isinstance(shares, float | int) else list(shares)
    for share in every:
        if not 0.0 <= share <= 1.0:
            raise ValueError(f"share={share!r} must be between 0 and 1")
    if rows.in_one_place:
        return _select_directly(rows.only, measure, every, partition, n_blocks, weigh)
    blocks = [_blocks(shard, partition) for shard in rows.shards]
    sizes = rows.total(lambda shard: _sizes(weigh(shard), blocks[shard.number], n_blocks))
    result = np.empty((n_blocks, rows.n_labels), dtype=np.int64)
    for label, share in enumerate(every):
        wanted = _wanted(share, sizes)
        result[:, label] = _find_by_digits(rows, measure, label, wanted, blocks, weigh)
    result[sizes == 0] = 0
    return result


def _select_directly(
    shard: Shard,
    measure: Measure,
    shares: Sequence[float],
    partition: Sequence[Partition] | None,
    n_blocks: int,
    weigh: Measure,
) -> Integers:
    """`select`, if all rows are in one place."""
    listed = EVERYTHING if partition is None else _listed(partition[shard.number])
    found, weights = measure(shard), weigh(shard)
    keys, of_keys = np.empty((2, len(weights) + 1), dtype=np.int64)
    stops, sizes = np.empty((2, n_blocks), dtype=np.int64)
    result = np.zeros((n_blocks, len(shares)), dtype=np.int64)
    for label, share in enumerate(shares):
        own, out = np.ascontiguousarray(found[:, label]), np.zeros(n_blocks, dtype=np.int64)
        equal = int(selection.gather(own, weights, *listed, keys, of_keys, stops, sizes))
        wanted = _wanted(share, sizes // equal if equal else sizes)
        selection.select(keys, of_keys, stops, wanted, equal, out)
        result[:, label] = out
    return result


def _wanted(share: float, sizes: Integers) -> Integers:
    """(B,) the least weight in each block that is this share of it, and above 0."""
    above, below = _as_written(float(share))
    if max(below, above * int(sizes.max(initial=0))) < MOST:
        least = -(-above * sizes // below)
    else:
        least = np.array([-(-above * size // below) for size in sizes.tolist()], dtype=np.int64)
    result: Integers = np.maximum(least, 1)
    return result


def _find_by_digits(
    rows: Rows,
    measure: Measure,
    label: int,
    wanted: Integers,
    blocks: Sequence[Integers],
    weigh: Measure,
) -> Integers:
    """(B,) the quantile of each block, from counts by digits."""
    found = np.zeros(len(wanted), dtype=np.uint64)
    before = np.zeros(len(wanted), dtype=np.int64)
    for shift in range(64 - DIGIT, -1, -DIGIT):
        count = partial(
            _count_digits, measure=measure, label=label, shift=shift, found=found,
            blocks=blocks, weigh=weigh,
        )  # fmt: skip
        sums = before[:, np.newaxis] + np.cumsum(rows.total(count), axis=1)
        digits = (sums < wanted[:, np.newaxis]).sum(axis=1).clip(0, LAST_DIGIT)
        positive = digits > 0
        before[positive] = sums[positive, digits[positive] - 1]
        found |= digits.astype(np.uint64) << np.uint64(shift)
    result: Integers = (found ^ FLIP).view(np.int64)
    return result


def _count_digits(
    shard: Shard,
    measure: Measure,
    label: int,
    shift: int,
    found: NDArray[np.uint64],
    blocks: Sequence[Integers],
    weigh: Measure,
) -> Integers:
    """[block, digit]: weight of the rows with the leading digits found so far, by next digit."""
    keys = measure(shard)[:, label].astype(np.int64).view(np.uint64) ^ FLIP
    block = blocks[shard.number]
    same = np.ones(len(keys), dtype=bool)
    if shift + DIGIT < 64:
        above = np.uint64(shift + DIGIT)
        same = keys >> above == found[block] >> above
    digit = (keys >> np.uint64(shift)) & np.uint64(LAST_DIGIT)
    counts = np.zeros((len(found), LAST_DIGIT + 1), dtype=np.int64)
    np.add.at(counts, (block[same], digit[same].astype(np.int64)), weigh(shard)[same])
    return counts


def _blocks(shard: Shard, partition: Sequence[Partition] | None) -> Integers:
    """(n,) the block of each row."""
    n_rows = shard.encoded.n_rows
    if partition is None:
        return np.zeros(n_rows, dtype=np.int64)
    return _listed(partition[shard.number]).of_row(n_rows)


def _listed(partition: Partition) -> Blocks:
    if not isinstance(partition, Blocks):
        raise TypeError("quantiles by block need blocks that are the same for all labels")
    return partition


def _sizes(weights: Integers, block: Integers, n_blocks: int) -> Integers:
    """(B,) weight of each block."""
    sizes = np.zeros(n_blocks, dtype=np.int64)
    selection.add_by_block(weights, block, sizes)
    return sizes


@cache
def _as_written(share: float) -> tuple[int, int]:
    """Numerator and denominator of a share: 0.1 is one tenth."""
    exact = Fraction(repr(share))
    return exact.numerator, exact.denominator


def _repeats(shard: Shard) -> Integers:
    return shard.target.repeats
