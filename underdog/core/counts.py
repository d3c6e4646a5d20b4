"""Integer sums of one signal over the cells of one shard, kept up to date.

A round costs only what it changes: where a signal knows what its last version did, only those rows
are visited. Nobody else knows whether sums were updated or counted anew; the integers are the same.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from underdog.core.signals import Signal, chunks, every_row
from underdog.kernels import weights
from underdog.types import Codes, Flags, Floats, Indices, Integers

if TYPE_CHECKING:
    from underdog.core.rows import Shard


class Tally(NamedTuple):
    """Integer sums of one signal: cells[channel, cell, label] and totals[channel, label].

    They are good until they are asked for again.
    """

    cells: Integers
    totals: Integers


class Counts:
    """The sums of one signal over some rows of a shard.

    Parameters
    ----------
    shard : Shard
    signal : Signal
    rows : row numbers, optional
        Those that count; None for all.
    labels : (first, last), optional
        Only labels first, ..., last - 1; None for all.
    """

    def __init__(
        self,
        shard: Shard,
        signal: Signal,
        rows: Indices | None = None,
        labels: tuple[int, int] | None = None,
    ) -> None:
        self.shard, self.signal = shard, signal
        self.first, self.last = labels or (0, shard.n_labels)
        width = self.last - self.first
        self.cells = np.zeros((signal.n_channels, shard.encoded.n_cells, width), dtype=np.int64)
        self.totals = np.zeros((signal.n_channels, width), dtype=np.int64)
        self.tally = Tally(self.cells, self.totals)
        self._version = -1
        self._one_by_one = signal.n_channels > 2 and width > 1
        # What a change did is told of all labels together, and in one channel of each.
        self._follows = width == shard.n_labels and signal.channel_of(shard) is not None
        self._rows = every_row(shard.encoded.n_rows) if rows is None else rows
        self._member: Flags | None = None
        if rows is not None:
            self._member = np.zeros(shard.encoded.n_rows, dtype=bool)
            self._member[rows] = True

    def update(self) -> Tally:
        """Bring the sums up to the signal's version."""
        signal, change = self.signal, self.signal.change
        if signal.version == self._version:
            return self.tally
        if change is None or change.since != self._version or not self._follows:
            self._count()
        else:
            channels: Codes = signal.channel_of(self.shard)  # type: ignore[assignment]
            for block, listed in change.blocks[self.shard.number].listed_blocks():
                step = change.step(block)
                rows = listed if self._member is None else listed[self._member[listed]]
                for some in chunks(rows, len(step)):
                    self._add(some, self._deltas(some, step), channels, 0)
            if change.any_fresh:
                self._recount(change.fresh)
        self._version = signal.version
        return self.tally

    def _deltas(self, rows: Indices, step: Floats) -> Integers:
        """What the last change did to the weights of rows, which is added to the totals."""
        shard, signal = self.shard, self.signal
        delta = np.empty((len(rows), len(step)), dtype=np.int64)
        if shard.workers.count == 1:
            signal.deltas(shard, rows, step, delta, self.totals)
            return delta
        sums = []

        def count(start: int, stop: int) -> None:
            own = np.zeros_like(self.totals)
            signal.deltas(shard, rows[start:stop], step, delta[start:stop], own)
            sums.append(own)

        shard.workers.run(count, len(rows), delta.size * 8)
        for own in sums:
            self.totals += own
        return delta

    def _channels(self, channel: int) -> Codes:
        """(n, K) the channel in which rows count; `channel` if they count in all."""
        found = self.signal.channel_of(self.shard)
        if found is None:
            shape = self.shard.encoded.n_rows, self.last - self.first
            return np.full(shape, channel, dtype=np.uint8)
        if found.shape[1] == self.last - self.first:
            return found
        return np.ascontiguousarray(found[:, self.first : self.last])

    def _count(self) -> None:
        self.cells[:] = 0
        self.totals[:] = 0
        signal, width = self.signal, self.last - self.first
        together = signal.channel_of(self.shard) is None
        for channel in range(signal.n_channels if together else 1):
            channels = self._channels(channel)
            for rows in chunks(self._rows, width):
                amounts = np.empty((len(rows), width), dtype=np.int64)
                signal.amounts(self.shard, rows, self.first, channel, amounts)
                weights.block_sums(amounts, channels, rows, self.totals)
                self._add(rows, amounts, channels, 0)

    def _recount(self, fresh: Codes) -> None:
        """Count anew the labels and channels whose unit of weight has changed."""
        channels = self._channels(0)
        for channel, label in np.argwhere(fresh).tolist():
            self.cells[channel, :, label] = 0
            rows = self._rows[channels[self._rows, label] == channel]
            amounts = np.empty((len(rows), 1), dtype=np.int64)
            self.signal.amounts(self.shard, rows, label, channel, amounts)
            self.totals[channel, label] = amounts.sum()
            self._add(rows, amounts, channels, label)

    def _add(self, rows: Indices, delta: Integers, channels: Codes, first_label: int) -> None:
        if self._one_by_one:
            self._add_by_channel(rows, delta, channels, first_label)
            return
        shard = self.shard
        for block in shard.encoded.blocks:
            block.add(rows, delta, channels, first_label, self.cells, shard.workers)

    def _add_by_channel(
        self, rows: Indices, delta: Integers, channels: Codes, first_label: int
    ) -> None:
        """One channel after the other: with several labels storage knows two of them."""
        shard, labels = self.shard, slice(first_label, first_label + delta.shape[1])
        own, first = channels[rows, labels], np.zeros_like(channels)
        for channel in range(len(self.cells)):
            cells = np.zeros((2, *self.cells.shape[1:]), dtype=np.int64)
            amounts = np.where(own == channel, delta, 0)
            for block in shard.encoded.blocks:
                block.add(rows, amounts, first, first_label, cells, shard.workers)
            self.cells[channel] += cells[0]


def block_sums(signal: Signal, shard: Shard, rows: Indices) -> Integers:
    """[channel, label]: integer weights of some rows."""
    n_labels = shard.n_labels
    sums = np.zeros((signal.n_channels, n_labels), dtype=np.int64)
    for some, channels, amounts in each_amount(signal, shard, rows):
        weights.block_sums(amounts, channels, some, sums)
    return sums


def each_amount(
    signal: Signal, shard: Shard, rows: Indices
) -> Iterator[tuple[Indices, Codes, Integers]]:
    """Rows in runs, the channels in which they count, and their integer weights there."""
    n_labels, found = shard.n_labels, signal.channel_of(shard)
    for channel in range(signal.n_channels if found is None else 1):
        channels = found
        if channels is None:
            channels = np.full((shard.encoded.n_rows, n_labels), channel, dtype=np.uint8)
        for some in chunks(rows, n_labels):
            amounts = np.empty((len(some), n_labels), dtype=np.int64)
            signal.amounts(shard, some, 0, channel, amounts)
            yield some, channels, amounts
