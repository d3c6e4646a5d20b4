"""The rows of a fit, on one or several shards, which return only sums of integers and maxima.

The loop, the learners and the combiners do not see rows. They ask `Rows`, which asks its shards and
adds up the results. Sums of integers do not depend on the order, so any number of shards gives the
same model to the last bit. In one process there is one shard. If a fit has several processes, each
has its own `Rows`, and their sums are added by the collective.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, cast

import numpy as np

from underdog.core.blocks import Blocks, LabelBlocks, Partition
from underdog.core.counts import Counts, KeptSums, Tally, block_sums, each_amount
from underdog.core.quantiles import select
from underdog.core.scores import Scores, Target
from underdog.core.signals import Signal, every_row
from underdog.kernels import elementary, sums
from underdog.types import Floats, Indices, Integers
from underdog.workers import Workers
from underdog.workers.collective import ALONE, added, count, largest

if TYPE_CHECKING:
    from underdog.core.messages import Hypothesis, Path
    from underdog.data import EncodedRows, Layout


class Shard:
    """A part of the rows: encoded, with their target and scores.

    Parameters
    ----------
    encoded : EncodedRows
    target : Target or int
        The target, or only the number of labels.
    workers : Workers, optional
    number : int
        The index of this shard.
    """

    def __init__(
        self,
        encoded: EncodedRows,
        target: Target | int,
        workers: Workers | None = None,
        number: int = 0,
    ) -> None:
        self.encoded, self.number = encoded, number
        self.workers = workers or Workers()
        self.n_labels = target if isinstance(target, int) else target.n_labels
        self.target = cast(Target, None if isinstance(target, int) else target)
        """None if only the number of labels was given."""
        self.scores = Scores.zero(encoded.n_rows, self.n_labels)
        self._after: Scores | None = None
        """The scores after a step that was tried, and then an older state, to write to."""
        self._tried: tuple[Partition, Floats] | None = None

    @property
    def known(self) -> Floats | None:
        """(n, K) what is known of the rows before the first round, if anything is."""
        return None if self.target is None else self.target.known

    def rows_of(self, path: Path) -> Indices | None:
        """Rows on a path; None for all rows."""
        if not path:
            return None
        (first, answer), *others = path
        rows = np.flatnonzero(first.answers(self.encoded) == answer).astype(np.int32)
        for test, answer in others:  # of ever fewer rows
            rows = rows[test.inside[self.encoded.bins_of_rows(test.column, rows)] == answer]
        return rows

    def after(self, partition: Partition, steps: Floats) -> Scores:
        """What a step would make of the scores; until then they must not change otherwise.

        They are kept: to take the step, `move` need not go through the rows again.
        """
        if self._after is None:
            self._after = Scores.zero(*self.scores.relative.shape)
        self._after.copy_from(self.scores)
        partition.move(self._after, steps)
        self._tried = partition, steps
        return self._after

    def move(self, partition: Partition, steps: Floats) -> None:
        """Add steps[block, label] to the scores."""
        tried, self._tried = self._tried, None
        if tried is not None and tried[0] is partition and tried[1] is steps:
            self.scores.swap(cast(Scores, self._after))
        else:
            partition.move(self.scores, steps)

    def shrink(self, keep: float, start: Floats) -> None:
        """Multiply what was added to the start, (K,), by a factor."""
        self._tried = None
        self.scores.shrink(keep, start)

    def restart(self, start: Floats) -> None:
        """Give all rows the scores from which a run starts."""
        self._tried = None
        self.scores.restart(start, self.known)

    def listed_sums(self, signal: Signal, blocks: Blocks, n_blocks: int) -> Integers:
        """[block, channel, label]: integer weights of the listed rows."""
        result = np.zeros((n_blocks, signal.n_channels, self.n_labels), dtype=np.int64)
        for block, rows in blocks.listed_blocks():
            result[block] = block_sums(signal, self, rows)
        return result

    def sums(self, signal: Signal, partition: Partition, n_blocks: int) -> Integers:
        """[block, channel, label]: integer weights, counted from scratch."""
        every = every_row(self.encoded.n_rows)
        result = np.zeros((n_blocks, signal.n_channels, self.n_labels), dtype=np.int64)
        if isinstance(partition, LabelBlocks):
            for rows, channels, amounts in each_amount(signal, self, every):
                for block, channel in np.ndindex(result.shape[:2]):
                    here = (partition.block[rows] == block) & (channels[rows] == channel)
                    result[block, channel] += np.where(here, amounts, 0).sum(axis=0)
        elif isinstance(partition, Blocks):
            result = self.listed_sums(signal, partition, n_blocks)
            result[partition.rest] = block_sums(signal, self, every) - result.sum(axis=0)
        return result


class Rows:
    """All rows of a fit, on one shard or on several.

    Parameters
    ----------
    shards : sequence of Shard
    """

    def __init__(self, shards: Sequence[Shard]) -> None:
        self.shards = tuple(shards)
        self.layout: Layout = self.shards[0].encoded.layout
        self.n_labels = self.shards[0].n_labels
        self.collective = self.shards[0].workers.collective
        self._placed: tuple[tuple[Partition, ...], int] = (), 0
        """The last partition, and the number of examples in its listed rows."""
        self.start: Floats = np.zeros(self.n_labels)
        """(K,) the scores of all rows before the first round, without what is known of each."""

    @property
    def only(self) -> Shard:
        """The only shard, for master problems and other libraries, which need all rows."""
        if self.collective is not ALONE:
            raise ValueError("this needs all rows in one place, but they are in several processes")
        if len(self.shards) > 1:
            raise ValueError(f"this needs all rows in one place, but there are {len(self)} shards")
        return self.shards[0]

    @property
    def in_one_place(self) -> bool:
        """Whether there is no other shard, here or elsewhere."""
        return len(self.shards) == 1 and self.collective is ALONE

    def __len__(self) -> int:
        return len(self.shards)

    @property
    def n_examples(self) -> int:
        """How many examples the rows are, as `min_samples_leaf` counts them.

        Integer sample weights are counted. Other weights are relative to each other, and each row
        is one example: a common factor changes nothing.
        """
        return int(self.total(lambda shard: np.asarray(shard.target.repeats.sum())))

    @property
    def n_pairs(self) -> int:
        """How many pairs of an example and a label count."""

        def count(shard: Shard) -> Integers:
            target = shard.target
            own = target.n_labels if target.mask is None else target.mask.sum(axis=1)
            return np.asarray((target.repeats * own).sum())

        return int(self.total(count))

    @property
    def base(self) -> Floats:
        """(K,) the part of the scores that all rows share."""
        return self.shards[0].scores.base

    def tally(
        self, signal: Signal, path: Path = (), labels: tuple[int, int] | None = None
    ) -> Tally:
        """Sums over every cell of the rows on a path; see `keep`."""
        return self.keep(signal, path, labels)()

    def keep(
        self,
        signal: Signal,
        path: Path = (),
        labels: tuple[int, int] | None = None,
        rows: Sequence[Indices] | None = None,
    ) -> KeptSums:
        """The sums over every cell of the rows on a path, kept up to date.

        Parameters
        ----------
        signal : Signal
        path : tests and answers; () is every row
        labels : (first, last), optional
            Only labels first, ..., last - 1.
        rows : row numbers of each shard, optional
            The rows on the path, if they are known.
        """
        found = [shard.rows_of(path) for shard in self.shards] if rows is None else rows
        pairs = zip(self.shards, found, strict=True)
        counts = [Counts(shard, signal, own, labels) for shard, own in pairs]
        return KeptSums(counts, self.collective)

    def tallies(self, asked: Sequence[tuple[Signal, Path]]) -> list[Tally]:
        """The sums of several signals and paths, which all shards return in one message."""
        own: list[Tally] = []
        last: Path | None = None
        found: tuple[Indices | None, ...] = ()
        for signal, path in asked:
            if path is not last:  # several signals may ask for the same path
                last, found = path, tuple(shard.rows_of(path) for shard in self.shards)
            pairs = zip(self.shards, found, strict=True)
            own.append(KeptSums([Counts(shard, signal, rows) for shard, rows in pairs])())
        if self.collective is ALONE:
            return own
        parts = [part for each in own for part in each]
        flat = added(self.collective, np.concatenate([part.ravel() for part in parts]))
        pieces = np.split(flat, np.cumsum([part.size for part in parts])[:-1])
        shaped = iter([new.reshape(old.shape) for new, old in zip(pieces, parts, strict=True)])
        return [Tally(cells, totals) for cells, totals in zip(shaped, shaped, strict=True)]

    def place(self, hypothesis: Hypothesis) -> tuple[Partition, ...]:
        """The rows of each block, for each shard; the rest is the same block on all shards.

        It is the block where the hypothesis abstains, if there is one, else the largest.
        """
        if self.in_one_place:
            return (hypothesis.partition(self.shards[0].encoded),)
        rest = getattr(hypothesis, "abstaining", None)
        if rest is not None:
            return tuple(hypothesis.partition(shard.encoded, rest) for shard in self.shards)
        found = [hypothesis.partition(shard.encoded) for shard in self.shards]
        sizes = np.zeros(len(hypothesis.values), dtype=np.int64)
        for shard, partition in zip(self.shards, found, strict=True):
            if isinstance(partition, Blocks):
                sizes += _sizes(shard.encoded, partition, len(sizes))
        sizes = added(self.collective, sizes)
        rest = int(sizes.argmax())
        placed = tuple(hypothesis.partition(shard.encoded, rest) for shard in self.shards)
        self._placed = placed, int(sizes.sum() - sizes[rest])
        return placed

    def n_listed(self, partition: tuple[Blocks, ...]) -> int:
        """Number of examples in the listed rows of a partition."""
        if partition is self._placed[0]:
            return self._placed[1]
        found = 0
        for shard, own in zip(self.shards, partition, strict=True):
            repeats = shard.encoded.repeats
            found += len(own.rows) if repeats is None else int(repeats[own.rows].sum())
        return found if self.collective is ALONE else count(self.collective, found)

    def sums(
        self,
        signal: Signal,
        partition: Sequence[Partition],
        n_blocks: int,
        totals: Integers | None = None,
    ) -> Integers:
        """[block, channel, label]: integer weights of the blocks, counted from scratch.

        Given the totals[channel, label] of all rows, only listed rows are visited.
        """
        pairs = zip(self.shards, partition, strict=True)
        if totals is not None and isinstance(partition[0], Blocks):
            own = cast("list[tuple[Shard, Blocks]]", list(pairs))
            listed = _sum([shard.listed_sums(signal, each, n_blocks) for shard, each in own])
            found = added(self.collective, listed)
            found[partition[0].rest] = totals - found.sum(axis=0)
            return found
        return added(self.collective, _sum([shard.sums(signal, o, n_blocks) for shard, o in pairs]))

    def totals(self, signal: Signal) -> Integers:
        """[channel, label]: integer weights of all rows."""

        def count(shard: Shard) -> Integers:
            if hasattr(signal, "all_amounts"):
                found: Integers = signal.all_amounts(shard).sum(axis=1)
                return found
            return block_sums(signal, shard, every_row(shard.encoded.n_rows))

        return self.total(count)

    def move(self, partition: Sequence[Partition], steps: Floats) -> None:
        """Add steps[block, label] to the scores."""
        for shard, own in zip(self.shards, partition, strict=True):
            shard.move(own, steps)

    def shrink(self, keep: float) -> None:
        """Multiply what was added to the scores since the start by a factor."""
        for shard in self.shards:
            shard.shrink(keep, self.start)

    @property
    def largest_start(self) -> float:
        """The largest absolute score before the first round."""
        known = [shard.known for shard in self.shards]
        highest = max(0.0 if own is None else float(np.abs(own).max(initial=0.0)) for own in known)
        return float(np.abs(self.start).max(initial=0.0)) + highest

    def start_from(self, start: Floats) -> None:
        """Give all rows the scores from which a run starts, (K,) on the score grid."""
        self.start = start
        self.restart()

    def restart(self) -> None:
        """Give all rows the scores from which the run started."""
        for shard in self.shards:
            shard.restart(self.start)

    def total(self, count: Callable[[Shard], Integers]) -> Integers:
        """The sum of the counts of all shards."""
        return added(self.collective, _sum([count(shard) for shard in self.shards]))

    def largest(self, measure: Callable[[Shard], Floats]) -> float:
        """The largest number on any shard; -inf if there is none."""
        own = max(float(measure(shard).max(initial=-math.inf)) for shard in self.shards)
        return own if self.collective is ALONE else largest(self.collective, own)

    def select(
        self,
        measure: Callable[[Shard], Integers],
        shares: float | Sequence[float],
        partition: Sequence[Partition] | None = None,
        n_blocks: int = 1,
        weigh: Callable[[Shard], Integers] | None = None,
    ) -> Integers:
        """[block, label]: the exact weighted quantile of an integer per row."""
        return select(self, measure, shares, partition, n_blocks, weigh)

    def exact_sum(self, measure: Callable[[Shard], Floats]) -> float:
        """Sum of a non-negative number over the examples, independent of their order."""
        return self._exact_sum([measure(shard) for shard in self.shards])

    def _exact_sum(self, measured: Sequence[Floats]) -> float:
        """The sum of the numbers of all shards, from a maximum and two integers of each."""
        if self.in_one_place:
            return sums.exact_sum(measured[0], self.only.target.repeats)
        highest = max(float(values.max(initial=0.0)) for values in measured)
        highest = largest(self.collective, highest)
        if highest == 0.0:
            return 0.0
        exponent = math.frexp(highest)[1]
        pairs = zip(measured, self.shards, strict=True)
        halves = [sums.halves(values, shard.target.repeats, exponent) for values, shard in pairs]
        both = np.array([sum(each) for each in zip(*halves, strict=True)], dtype=np.int64)
        upper, lower = added(self.collective, both).tolist()
        return sums.from_halves(upper, lower, exponent)

    def log_sum_exp(self, measure: Callable[[Shard], Floats]) -> float:
        """ln of the sum over the examples of exp(measure)."""
        measured = [measure(shard) for shard in self.shards]
        highest = max(float(logs.max(initial=-math.inf)) for logs in measured)
        highest = largest(self.collective, highest)
        if highest == -math.inf:
            return highest
        if self.in_one_place and bool((measured[0] == highest).all()):  # as where weights are equal
            return highest + float(elementary.log(float(self.n_examples)))
        for number, logs in enumerate(measured):  # in place: there may be many rows
            measured[number] = terms = logs - highest
            elementary.exp_each(terms, terms)
        return highest + float(elementary.log(self._exact_sum(measured)))


def _sizes(encoded: EncodedRows, blocks: Blocks, n_blocks: int) -> Integers:
    """(B,) number of examples of each block."""
    sizes = np.zeros(n_blocks, dtype=np.int64)
    for block, rows in blocks.listed_blocks():
        sizes[block] = len(rows) if encoded.repeats is None else int(encoded.repeats[rows].sum())
    sizes[blocks.rest] = encoded.n_examples - sizes.sum()
    return sizes


def _sum(found: Sequence[Integers]) -> Integers:
    if len(found) == 1:
        return found[0]
    result: Integers = np.sum(np.stack(found), axis=0)
    return result
