"""Integer sums of one signal over the cells of one shard, kept up to date.

If the signal knows its last change, only the changed rows are visited, so that a round costs only
what it changes. Whether sums were updated or counted from scratch makes no difference to callers:
the integers are the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from underdog.core.signals import Signal, chunks, every_row
from underdog.kernels import weights
from underdog.types import Codes, Flags, Floats, Indices, Integers
from underdog.workers.collective import ALONE, Collective, added

if TYPE_CHECKING:
    from underdog.core.rows import Shard


class Tally(NamedTuple):
    """Integer sums of one signal: cells[channel, cell, label] and totals[channel, label].

    They are valid until the next update.
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
        The rows to sum over; None for all.
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
        self._can_update = width == shard.n_labels  # deltas are known for all labels together
        self._together = signal.channel_of(shard) is None
        self._at_once = self._together and rows is None and self.cells.shape[::2] == (2, 1)
        self._at_once = self._at_once and self._can_update and hasattr(signal, "all_amounts")
        self._rows = every_row(shard.encoded.n_rows) if rows is None else rows
        self._member: Flags | None = None
        if rows is not None:
            self._member = np.zeros(shard.encoded.n_rows, dtype=bool)
            self._member[rows] = True

    def update(self) -> Tally:
        """Update the sums to the current version of the signal."""
        signal, change = self.signal, self.signal.change
        if signal.version == self._version:
            return self.tally
        if change is None or change.since != self._version or not self._can_update:
            self._count()
        else:
            for block, listed in change.blocks[self.shard.number].listed_blocks():
                rows = listed if self._member is None else listed[self._member[listed]]
                if len(rows):
                    self._follow(rows, change.step(block))
            if change.any_fresh:
                self._recount(change.fresh)
        self._version = signal.version
        return self.tally

    def skip(self) -> None:
        """Take note of a change that none of these rows is part of."""
        self._version = self.signal.version

    def _follow(self, rows: Indices, step: Floats) -> None:
        """Add what the last step has changed in the weights of rows."""
        for channel in range(self.signal.n_channels if self._together else 1):
            channels = self._channels(channel)
            for chunk in chunks(rows, len(step)):
                self._add(chunk, self._deltas(chunk, step, channel), channels, 0)

    def _deltas(self, rows: Indices, step: Floats, channel: int) -> Integers:
        """Changes of the weights of rows by the last step, which are added to the totals."""
        shard, signal = self.shard, self.signal
        delta = np.empty((len(rows), len(step)), dtype=np.int64)
        if shard.workers.count == 1:
            signal.deltas(shard, rows, step, channel, delta, self.totals)
            return delta
        sums = []

        def count(start: int, stop: int) -> None:
            own = np.zeros_like(self.totals)
            signal.deltas(shard, rows[start:stop], step, channel, delta[start:stop], own)
            sums.append(own)

        shard.workers.run(count, len(rows), delta.size * 8)
        for own in sums:
            self.totals += own
        return delta

    def _channels(self, channel: int) -> Codes:
        """(n, K) the channel of each row; `channel` if rows count in all channels."""
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
        if self._at_once:
            amounts: Integers = signal.all_amounts(self.shard)  # type: ignore[attr-defined]
            amounts.sum(axis=1, out=self.totals)
            for block in self.shard.encoded.blocks:
                block.sum_both(amounts, self.cells, self.shard.workers)
            return
        for channel in range(signal.n_channels if self._together else 1):
            channels = self._channels(channel)
            for rows in chunks(self._rows, width):
                amounts = np.empty((len(rows), width), dtype=np.int64)
                signal.amounts(self.shard, rows, self.first, channel, amounts)
                weights.block_sums(amounts, channels, rows, self.totals)
                self._add(rows, amounts, channels, 0)

    def _recount(self, fresh: Codes) -> None:
        """Count the labels and channels whose unit of weight has changed from scratch."""
        for channel, label in np.argwhere(fresh).tolist():
            channels = self._channels(channel)
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
        """One channel after the other, because storage handles only two with several labels."""
        shard, labels = self.shard, slice(first_label, first_label + delta.shape[1])
        own, first = channels[rows, labels], np.zeros_like(channels)
        for channel in range(len(self.cells)):
            cells = np.zeros((2, *self.cells.shape[1:]), dtype=np.int64)
            amounts = np.where(own == channel, delta, 0)
            for block in shard.encoded.blocks:
                block.add(rows, amounts, first, first_label, cells, shard.workers)
            self.cells[channel] += cells[0]


class KeptSums:
    """The sums over the same rows of all shards.

    Called, it returns them, updated with what has changed since its last call.
    """

    def __init__(self, counts: Sequence[Counts], collective: Collective = ALONE) -> None:
        self._counts, self._collective = counts, collective
        self._version, self._tally = -1, counts[0].tally

    def __call__(self) -> Tally:
        if self._collective is ALONE:
            return self._own()
        if self._version != self._counts[0].signal.version:
            cells, totals = self._own()
            both = np.concatenate([cells, totals[:, np.newaxis]], axis=1)
            both = added(self._collective, both)  # in one message
            cells, totals = map(np.ascontiguousarray, (both[:, :-1], both[:, -1]))
            self._version, self._tally = self._counts[0].signal.version, Tally(cells, totals)
        return self._tally

    def _own(self) -> Tally:
        """The sums of the shards of this process."""
        if len(self._counts) == 1:
            return self._counts[0].update()
        found = [counts.update() for counts in self._counts]
        cells = np.sum([tally.cells for tally in found], axis=0)
        return Tally(cells, np.sum([tally.totals for tally in found], axis=0))

    def skip(self) -> None:
        """Take note of a change that none of these rows is part of."""
        for counts in self._counts:
            counts.skip()
        self._version = self._counts[0].signal.version


def block_sums(signal: Signal, shard: Shard, rows: Indices) -> Integers:
    """[channel, label]: integer weights of some rows."""
    n_labels = shard.n_labels
    sums = np.zeros((signal.n_channels, n_labels), dtype=np.int64)
    for chunk, channels, amounts in each_amount(signal, shard, rows):
        weights.block_sums(amounts, channels, chunk, sums)
    return sums


def each_amount(
    signal: Signal, shard: Shard, rows: Indices
) -> Iterator[tuple[Indices, Codes, Integers]]:
    """Rows in chunks, with their channels and integer weights."""
    n_labels, found = shard.n_labels, signal.channel_of(shard)
    for channel in range(signal.n_channels if found is None else 1):
        channels = found
        if channels is None:
            channels = np.full((shard.encoded.n_rows, n_labels), channel, dtype=np.uint8)
        for chunk in chunks(rows, n_labels):
            amounts = np.empty((len(chunk), n_labels), dtype=np.int64)
            signal.amounts(shard, chunk, 0, channel, amounts)
            yield chunk, channels, amounts
