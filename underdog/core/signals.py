"""Signals: integer weights of the examples, in channels, with which learners are asked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal, NamedTuple, Protocol

import numpy as np

from underdog.core.blocks import Blocks, Partition
from underdog.kernels import weights
from underdog.types import Codes, Floats, Indices, Integers

if TYPE_CHECKING:
    from underdog.core.rows import Rows, Shard

Reads = Literal["sides", "newton", "classes"]
"""The channels of a signal: weights of negatives and positives, gradients and curvatures, or
weights of each class."""


class Change(NamedTuple):
    """Between versions `since` and `since + 1`, `steps` were added to the scores of the blocks.

    Only the listed rows moved relative to the rest. If fresh[channel, label] is set, the unit of
    weight has changed as well, and that channel must be counted from scratch.
    """

    since: int
    blocks: tuple[Blocks, ...]
    """One for each shard."""
    steps: Floats
    fresh: Codes
    any_fresh: bool

    def step(self, block: int) -> Floats:
        """(K,) how far the rows of a block moved relative to the rest."""
        result: Floats = self.steps[block] - self.steps[self.blocks[0].rest]
        return result


class Signal(Protocol):
    """Integer weights that depend on the scores; the rows themselves are in the shards.

    A row has a weight in one channel for each label (`channel_of`), or in all channels: then
    `channel_of` is None, and `amounts` is called for every channel. The weight may be 0.
    """

    reads: Reads
    n_channels: int

    @property
    def version(self) -> int:
        """Increases when the weights change."""

    @property
    def change(self) -> Change | None:
        """The change to the current version; None if all rows must be counted from scratch."""

    @property
    def mass(self) -> float:
        """Total weight relative to the initial one, if smoothing depends on it; otherwise 1."""

    def channel_of(self, shard: Shard) -> Codes | None:
        """(n, K) the channel of each row."""

    def amounts(
        self, shard: Shard, rows: Indices, first_label: int, channel: int, out: Integers
    ) -> None:
        """Integer weights of rows for labels first_label, first_label + 1, ...

        `channel` matters only if rows count in all channels.
        """

    def deltas(
        self,
        shard: Shard,
        rows: Indices,
        step: Floats,
        channel: int,
        out: Integers,
        totals: Integers,
    ) -> None:
        """Changes of the weights of rows by a step, which are also added to totals.

        `channel` matters only if rows count in all channels.
        """

    def unit(self, totals: Integers, out: Floats) -> None:
        """Real weight of one unit by [channel, label], such that all weights sum to one."""

    def after_step(self, partition: tuple[Partition, ...], steps: Floats, sums: Integers) -> None:
        """Update after steps[block]; sums[block, channel, label] are those before the step."""

    def restart(self) -> None:
        """Update after any change of the scores."""


class CountedAnew:
    """Base class of signals whose weights all change in every round.

    If a weight depends on the scores of its own row only (`row_by_row`, with `amounts_at`), a rule
    whose rest abstains changes the weights of its listed rows only, and the change is known.
    """

    reads: Reads = "sides"
    n_channels = 2
    mass = 1.0
    row_by_row = False

    def __init__(self, rows: Rows) -> None:
        self.rows = rows
        self.version = 0
        self.change: Change | None = None

    def channel_of(self, shard: Shard) -> Codes | None:
        return shard.target.sign

    def amounts_at(
        self, shard: Shard, rows: Indices, scores: Floats, first: int, channel: int, out: Integers
    ) -> None:
        """Integer weights of rows with these (n, K) scores, for labels first, first + 1, ..."""
        raise ValueError("the last change is not known: count all rows")

    def amounts(
        self, shard: Shard, rows: Indices, first_label: int, channel: int, out: Integers
    ) -> None:
        self.amounts_at(shard, rows, shard.scores.of(rows), first_label, channel, out)

    def deltas(
        self,
        shard: Shard,
        rows: Indices,
        step: Floats,
        channel: int,
        out: Integers,
        totals: Integers,
    ) -> None:
        scores = shard.scores.of(rows)
        self.amounts_at(shard, rows, scores, 0, channel, out)
        before = np.empty_like(out)
        self.amounts_at(shard, rows, scores - step, 0, channel, before)  # exact: on the grid
        np.subtract(out, before, out=out)
        channels = self.channel_of(shard)
        if channels is None:
            totals[channel] += out.sum(axis=0)
        else:
            weights.block_sums(out, channels, rows, totals)

    def after_step(self, partition: tuple[Partition, ...], steps: Floats, sums: Integers) -> None:
        first = partition[0]
        self.restart()
        if self.row_by_row and isinstance(first, Blocks) and not steps[first.rest].any():
            blocks: tuple[Blocks, ...] = partition  # type: ignore[assignment]
            fresh = np.zeros((self.n_channels, steps.shape[1]), dtype=np.uint8)
            self.change = Change(self.version - 1, blocks, steps, fresh, any_fresh=False)

    def restart(self) -> None:
        self.change = None
        self.version += 1


class OfSignal(CountedAnew):
    """Base class of signals that change the amounts of another one."""

    def __init__(self, rows: Rows, signal: Signal) -> None:
        super().__init__(rows)
        self.signal, self.reads, self.mass = signal, signal.reads, signal.mass
        self.n_channels = signal.n_channels

    def channel_of(self, shard: Shard) -> Codes | None:
        return self.signal.channel_of(shard)

    def unit(self, totals: Integers, out: Floats) -> None:
        self.signal.unit(totals, out)


CHUNK = 1 << 17


def chunks(rows: Indices, n_labels: int) -> Sequence[Indices]:
    """Rows in chunks of about 130,000 entries, which keeps temporary arrays small."""
    size = max(1, CHUNK // n_labels)
    if len(rows) <= size:
        return (rows,)
    return [rows[start : start + size] for start in range(0, len(rows), size)]


def every_row(n_rows: int) -> Indices:
    """All row numbers, in the type of the kernels."""
    return np.arange(n_rows, dtype=np.int32)


def weight_per_unit(signal: Signal, totals: Integers) -> Floats:
    """Real weight of one unit by [channel, label], such that all weights sum to one."""
    unit = np.zeros(totals.shape)
    signal.unit(totals, unit)
    return unit
