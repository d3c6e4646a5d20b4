"""What learners are asked with: integer weights of the examples, in channels."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal, NamedTuple, Protocol

import numpy as np

from underdog.core.blocks import Blocks, Partition
from underdog.types import Codes, Floats, Indices, Integers

if TYPE_CHECKING:
    from underdog.core.rows import Rows, Shard

Reads = Literal["sides", "newton", "classes"]
"""What the channels of a signal are: weights of negatives and of positives; gradient and curvature;
or weights of each class."""


class Change(NamedTuple):
    """Between versions `since` and `since + 1` the scores of the blocks moved by `steps`.

    Only the listed rows moved against the rest. Where fresh[channel, label] is set the unit of
    weight changed too, and that channel is to be counted anew.
    """

    since: int
    blocks: tuple[Blocks, ...]
    """One for each shard."""
    steps: Floats
    fresh: Codes
    any_fresh: bool

    def step(self, block: int) -> Floats:
        """(K,) how far the rows of a block moved against the rest."""
        result: Floats = self.steps[block] - self.steps[self.blocks[0].rest]
        return result


class Signal(Protocol):
    """Integer weights that follow the scores; it holds no rows, and asks a shard for them.

    A row counts in one channel for each label (`channel_of`), or in all of them at once: then
    `channel_of` is None, and there are amounts for every channel. One that counts in none has the
    amount 0.
    """

    reads: Reads
    n_channels: int
    version: int
    change: Change | None
    """What the last version did; None: count anew."""
    mass: float
    """The weight of all examples beside that at the start, if that matters to smoothing; else 1."""

    def channel_of(self, shard: Shard) -> Codes | None:
        """(n, K) the channel in which each row counts."""

    def amounts(
        self, shard: Shard, rows: Indices, first_label: int, channel: int, out: Integers
    ) -> None:
        """Integer weights of rows for labels first_label, first_label + 1, ...

        `channel` matters only where rows count in all of them.
        """

    def deltas(
        self, shard: Shard, rows: Indices, step: Floats, out: Integers, totals: Integers
    ) -> None:
        """What moving by step did to the weights of rows; added to totals[channel, label]."""

    def unit(self, totals: Integers, out: Floats) -> None:
        """Real weight of one unit by [channel, label], such that all weights sum to one."""

    def after_step(self, partition: tuple[Partition, ...], steps: Floats, sums: Integers) -> None:
        """Scores have moved by steps[block]; sums[block, channel, label] are from before."""

    def restart(self) -> None:
        """Every score may have moved."""


class CountedAnew:
    """What signals share whose weights all change in every round."""

    reads: Reads = "sides"
    n_channels = 2
    mass = 1.0

    def __init__(self, rows: Rows) -> None:
        self.rows = rows
        self.version = 0
        self.change: Change | None = None

    def channel_of(self, shard: Shard) -> Codes | None:
        return shard.target.sign

    def deltas(
        self, shard: Shard, rows: Indices, step: Floats, out: Integers, totals: Integers
    ) -> None:
        raise ValueError("nothing is known of the last change: count anew")

    def after_step(self, partition: tuple[Partition, ...], steps: Floats, sums: Integers) -> None:
        self.restart()

    def restart(self) -> None:
        self.version += 1


CHUNK = 1 << 17


def chunks(rows: Indices, n_labels: int) -> Sequence[Indices]:
    """Rows in runs of about 130,000 entries, so that scratch arrays stay small."""
    size = max(1, CHUNK // n_labels)
    if len(rows) <= size:
        return (rows,)
    return [rows[start : start + size] for start in range(0, len(rows), size)]


def every_row(n_rows: int) -> Indices:
    """Row numbers as kernels take them."""
    return np.arange(n_rows, dtype=np.int32)


def weight_per_unit(signal: Signal, totals: Integers) -> Floats:
    """Real weight of one unit by [channel, label], such that all weights sum to one."""
    unit = np.zeros(totals.shape)
    signal.unit(totals, unit)
    return unit
