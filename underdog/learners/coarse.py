"""A signal in fewer bits, by which trees choose their tests."""

from __future__ import annotations

import numpy as np

from underdog.core import OfSignal, Reads, Rows, Shard, Signal, every_row
from underdog.types import Floats, Indices, Integers

BITS = 31
"""The total of a channel and label is below 2**31, so that two of them share an integer."""


def fine_amounts(signal: Signal, shard: Shard) -> Integers:
    """[channel, row, label]: the integer weights of all rows of a shard."""
    if hasattr(signal, "all_amounts"):
        found: Integers = signal.all_amounts(shard)
        return found
    n_rows = shard.encoded.n_rows
    every, shape = every_row(n_rows), (n_rows, shard.n_labels)
    channel_of = signal.channel_of(shard)
    fine = np.zeros((signal.n_channels, *shape), dtype=np.int64)
    if channel_of is None:
        for channel in range(signal.n_channels):
            signal.amounts(shard, every, 0, channel, fine[channel])
        return fine
    amounts = np.empty(shape, dtype=np.int64)
    signal.amounts(shard, every, 0, 0, amounts)
    for channel in range(signal.n_channels):
        np.copyto(fine[channel], amounts, where=channel_of == channel)
    return fine


def shifts(sizes: Integers, examples: int, reads: Reads) -> Integers:
    """[channel, label]: the fewest bits to leave out so that the total stays below 2**31.

    sizes[channel, label] are sums of absolute amounts; rounding adds at most 1/2 per example. A row
    that is counted in all labels, as one of a class is, is rounded to the same in all of them.
    """
    flat = [_shift(size, examples) for size in sizes.ravel().tolist()]
    if reads == "classes":
        flat = [max(flat)] * len(flat)
    return np.array(flat, dtype=np.int64).reshape(sizes.shape)


def _shift(size: int, examples: int) -> int:
    shift = max(0, size.bit_length() - BITS)
    while (size >> shift) + examples >= 1 << BITS:
        shift += 1
    return shift


def rounded(amount: int, shift: int) -> int:
    """An amount of one example without its last bits, as `tree_counts.pack` rounds it."""
    return (amount + ((1 << shift) >> 1)) >> shift


class CoarseSignal(OfSignal):
    """The amounts of a signal divided by a power of two and rounded, for each channel and label.

    The power is the smallest with which all examples together stay below 2**31. An example is
    rounded before it is repeated, so that weight 3 is three rows.

    Parameters
    ----------
    rows : Rows
    signal : Signal
    """

    def __init__(self, rows: Rows, signal: Signal) -> None:
        super().__init__(rows, signal)
        sizes = rows.total(lambda shard: np.abs(fine_amounts(signal, shard)).sum(axis=1))
        examples = int(rows.total(lambda shard: np.asarray(shard.target.repeats.sum())))
        self.shift = shifts(sizes, examples, signal.reads)

    def amounts(
        self, shard: Shard, rows: Indices, first_label: int, channel: int, out: Integers
    ) -> None:
        self.signal.amounts(shard, rows, first_label, channel, out)
        labels = slice(first_label, first_label + out.shape[1])
        found = self.signal.channel_of(shard)
        if found is None:
            shift = np.broadcast_to(self.shift[channel, labels], out.shape)
        else:
            shift = self.shift[found[rows, labels], np.arange(labels.start, labels.stop)]
        repeats = shard.target.repeats[rows, np.newaxis]
        half = np.where(shift > 0, np.int64(1) << np.maximum(shift - 1, 0), 0)
        out[:] = ((out // repeats + half) >> shift) * repeats

    def unit(self, totals: Integers, out: Floats) -> None:
        self.signal.unit(totals << self.shift, out)
        out *= 2.0**self.shift
