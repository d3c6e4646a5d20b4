"""Rows in parts that are drawn by their contents, each with sums of its own."""

from __future__ import annotations

import numpy as np

from underdog.core import Change, Reads, Rows, Run, Shard, Signal
from underdog.data.draws import seed_of
from underdog.data.hashing import STEP, Keys, mix
from underdog.data.keys import row_and_column_keys
from underdog.kernels import weights
from underdog.types import Codes, Flags, Floats, Indices, Integers


class Parted:
    """A signal with the channels of another one for every part of the rows.

    Channel p C + c counts the rows of part p in channel c of C. So the sums of all parts are kept
    up to date together, and a round visits the rows that it changes only, whichever parts it asks
    for. Where rows are counted in all channels, there can be no parts.

    Parameters
    ----------
    rows : Rows
    signal : Signal
    part_of : (n,) for each shard
    n_parts : int
    """

    def __init__(
        self, rows: Rows, signal: Signal, part_of: tuple[Codes, ...], n_parts: int
    ) -> None:
        self.signal = signal
        self.reads: Reads = signal.reads
        self.n_parts = n_parts
        self.n_channels = n_parts * signal.n_channels
        self._channels: list[Codes] = []
        for shard, parts in zip(rows.shards, part_of, strict=True):
            own = signal.channel_of(shard)
            if own is None:
                raise ValueError("rows that are counted in all channels cannot be in parts")
            self._channels.append(own + (parts * np.uint8(signal.n_channels))[:, np.newaxis])

    @property
    def version(self) -> int:
        return self.signal.version

    @property
    def change(self) -> Change | None:
        own = self.signal.change
        if own is None:
            return None
        return own._replace(fresh=np.tile(own.fresh, (self.n_parts, 1)))

    @property
    def mass(self) -> float:
        return self.signal.mass

    def channel_of(self, shard: Shard) -> Codes:
        return self._channels[shard.number]

    def amounts(
        self, shard: Shard, rows: Indices, first_label: int, channel: int, out: Integers
    ) -> None:
        self.signal.amounts(shard, rows, first_label, channel % self.signal.n_channels, out)

    def deltas(
        self,
        shard: Shard,
        rows: Indices,
        step: Floats,
        channel: int,
        out: Integers,
        totals: Integers,
    ) -> None:
        own = np.zeros((self.signal.n_channels, totals.shape[1]), dtype=np.int64)
        self.signal.deltas(shard, rows, step, channel % self.signal.n_channels, out, own)
        weights.block_sums(out, self._channels[shard.number], rows, totals)

    def unit(self, totals: Integers, out: Floats) -> None:
        shape = self.n_parts, self.signal.n_channels, totals.shape[1]
        own = np.zeros(shape[1:])
        self.signal.unit(totals.reshape(shape).sum(axis=0), own)
        out[:] = np.tile(own, (self.n_parts, 1))

    def after_step(self, partition: object, steps: Floats, sums: Integers) -> None:
        """The signal itself is told."""

    def restart(self) -> None:
        """The signal itself is told."""


class PartsDraw:
    """Parts of the rows by a hash of their bins, and parts drawn for one round after the other.

    Equal rows, repeated or weighted, are in the same part, whatever their labels. Neither the
    order and the storage of rows nor the draws before matter.

    Parameters
    ----------
    run : Run
    n_parts : int
    """

    def __init__(self, run: Run, n_parts: int) -> None:
        self._start, self.n_parts = np.uint64(seed_of(run.random_state) % 2**63), n_parts
        shards = [
            (shard.encoded, shard.target.sign, shard.target.repeats) for shard in run.rows.shards
        ]
        keys, _ = row_and_column_keys(shards)
        self.part_of = tuple(self._parts(own) for own in keys)

    def _parts(self, keys: Keys) -> Codes:
        return (mix(keys + self._start) % np.uint64(self.n_parts)).astype(np.uint8)

    def draw(self, number: int, count: int) -> Flags:
        """(P,) which `count` parts are drawn for the round with this number."""
        first = (int(self._start) + (number + 1) * STEP) % 2**64
        keys = mix(np.arange(self.n_parts, dtype=np.uint64) + np.uint64(first))
        drawn = np.zeros(self.n_parts, dtype=bool)
        drawn[np.argsort(keys, kind="stable")[:count]] = True
        return drawn
