"""Growing a tree where the rows are, encoded: all of them in one place."""

from __future__ import annotations

from operator import is_not
from typing import Any, ClassVar

import numpy as np

from underdog.core import Constraints, Criterion, Rows, every_row
from underdog.hypotheses.splits import SplitPaths, Splits
from underdog.kernels import crew, gain_ratio, grown_tests, tree_counts, tree_rows, trees
from underdog.kernels.barrier import can_meet
from underdog.kernels.draws import wrapping
from underdog.kernels.lent import keep
from underdog.kernels.tree_arrays import (
    COLUMN,
    DONE,
    EXAMPLES,
    FREE,
    LEAF,
    NOTHING,
    SPLIT_SLOT,
    START,
    STATE,
    STOP,
    WORD,
    ColumnTests,
    Growing,
    GrowthRule,
    Storage,
)
from underdog.learners.codes import counted_codes
from underdog.learners.grown import Grown, Spans
from underdog.learners.growth_arrays import (
    column_tests,
    compact,
    examples_of_words,
    new_shared,
    only_used,
    room_for_nodes,
    storage_of,
)
from underdog.learners.limits import Limits
from underdog.learners.sampling import EVERYTHING, Sample
from underdog.types import Floats, Indices, Integers
from underdog.workers.collective import added, count
from underdog.workers.crew import Crew

FIXED = GrowthRule._fields.index("criterion")
"""The first part of the rule that is the same for all trees of a run."""
AHEAD_PER_THREAD = 4
"""Splits that a thread has made before it is their turn."""


class Grower:
    """Grows trees on the encoded rows of one shard.

    Parameters
    ----------
    rows : Rows
        Of one shard.
    limits : Limits
    constraints : Constraints
    by_class : bool, default=False
        Whether every row is of one class, and as negative in all other labels (`ClassVotes`).
    """

    min_work: ClassVar[int] = 1 << 14
    """Codes below which a second thread costs more than it saves."""
    may_stay: ClassVar[bool] = True
    """Whether its threads may wait for the next tree in compiled code."""

    def __init__(
        self, rows: Rows, limits: Limits, constraints: Constraints, by_class: bool = False
    ) -> None:
        shard = rows.shards[0]
        encoded = shard.encoded
        self.collective = rows.collective
        self.layout, self.workers = rows.layout, shard.workers
        self.repeats = shard.target.repeats
        self.examples = rows.n_examples
        self._every = every_row(encoded.n_rows)
        self._one_label = rows.n_labels == 1
        self._storage = storage_of(encoded, self.repeats, self._one_label)
        columns = column_tests(self.layout, constraints)
        columns = self._without_rare_words(columns, limits.min_samples)
        self._storage, self._columns = compact(self._storage, columns)
        self._leaves = max(1, min(limits.max_leaves, count(self.collective, encoded.n_rows)))
        work = encoded.n_rows * max(1, len(self._columns.used))
        self._threads = max(1, min(shard.workers.count, len(self._columns.used)))
        if work < self.min_work or not rows.in_one_place or not can_meet():
            self._threads = 1
        bins = int(self.layout.bins.max(initial=1)) + 2
        ahead = AHEAD_PER_THREAD * (self._threads - 1)
        self._nodes = room_for_nodes(self._leaves, self.layout, rows.n_labels, constraints, ahead)
        self._shared = new_shared(
            encoded, int(self._columns.first_cell[-1]), rows.n_labels, self._slots + ahead, bins,
            len(self._columns.used),
            self._threads,
            len(self._storage.columns) * int(tree_counts.CELLS) if self._one_label else 0,
            ahead,
        )  # fmt: skip
        self._unit = np.empty((2, rows.n_labels))
        self._team = Crew(self._shared.mail, self._shared.counter)
        self._last: Growing | None = None
        self._kept: Any = None
        if by_class:
            self._shared = self._shared._replace(numbers=shard.target.sign.argmax(axis=1))

    @property
    def _slots(self) -> int:
        """Nodes whose sums are kept at a time."""
        return self._leaves

    def _without_rare_words(self, columns: ColumnTests, min_samples: int) -> ColumnTests:
        """No words of which a leaf would always have too few examples, or too many."""
        is_word = columns.kind[columns.used] == WORD
        words = columns.used[is_word]
        if min_samples <= 1 or not len(words):
            return columns
        found = added(self.collective, examples_of_words(columns, self._storage, words))
        kept = ~is_word
        kept[is_word] = np.minimum(found, self.examples - found) >= min_samples
        return only_used(columns, columns.used[kept])

    def grow(
        self,
        fine: Integers,
        shift: Integers,
        unit: Floats,
        criterion: Criterion,
        smooth: float,
        limits: Limits,
        sample: Sample = EVERYTHING,
    ) -> Grown:
        """The tree for these amounts [channel, row, label]; unit is of the rounded ones."""
        shared, examples, repeated = self._shared, self.examples, self._storage.repeated
        storage, columns = self._only(sample.columns)
        self._unit[:] = unit
        shared.settings[:] = smooth, limits.min_mass
        rule = GrowthRule(
            smooth, limits.min_mass, self._unit, criterion.number, criterion.beta,
            limits.max_depth, self._leaves, limits.min_samples, limits.best_first, limits.counted,
        )  # fmt: skip

        def fill(first: int, last: int) -> None:
            tree_counts.pack(fine, self.repeats, repeated, shift, first, last, shared.packed)
            shared.order[first:last] = self._every[first:last]

        self.workers.run(fill, len(shared.order), fine.size)
        if sample.rows is not None:
            drawn = np.flatnonzero(sample.rows[0])
            shared = shared._replace(order=shared.order[: len(drawn)])
            shared.order[:] = drawn
            examples = int(self.repeats[drawn].sum())
        if sample.cuts is not None:
            columns = columns._replace(keys=sample.cuts)
        self._nodes.draws[0] = sample.start
        # After a sample the next tree has other arrays.
        free = self.may_stay and not self._team.in_the_way
        self._team.stays = free and sample is EVERYTHING
        size = self._split(Growing(storage, columns, rule, self._nodes, shared), examples)
        return self._read(size, shared.order, sample)

    def _split(self, growing: Growing, examples: int) -> int:
        """Grow the tree; returns how many nodes it has."""
        shared, team, sizes = self._shared, self._team, [0] * self._threads
        if not team.stays:
            self.workers.settle()
        shared.counter[0] = 0
        shared.ahead[:, STATE], shared.ahead[:, SPLIT_SLOT] = FREE, NOTHING
        shared.lowest.fill(np.inf)  # of columns that were not drawn
        given = self._given(growing)

        def task(thread: int) -> None:
            with wrapping():
                sizes[thread] = self._share(given, examples, thread)

        self.workers.together(task, self._threads, team)
        return sizes[0]

    def _given(self, growing: Growing) -> Any:
        """What the kernel is given: what the last tree was grown with, if it is the same."""
        last = self._last
        if (
            last is None
            or growing.rule[FIXED:] != last.rule[FIXED:]
            or any(map(is_not, growing[:2] + growing[3:], last[:2] + last[3:]))
        ):
            self.workers.settle()  # those who wait would grow the next tree by the last rule
            self._last, self._kept = growing, keep(growing)
        return self._kept

    def _share(self, given: Any, examples: int, thread: int) -> int:
        """A thread's share of growing a tree; returns how many nodes it has, for thread 0."""
        message = crew.PAUSE if self._team.stays else DONE
        return int(trees.grow(given, examples, thread, self._threads, message))

    def sum_leaves(self, fine: Integers, spans: Spans, equal: bool = False) -> Integers:
        """[leaf, channel, label]: the exact sums of amounts [channel, row, label].

        If they are `equal`, every example has the same one in the second channel.
        """
        same = int(fine[1, 0, 0]) if equal and not self._storage.repeated else 0
        parts: list[Integers] = []

        def task(first: int, last: int) -> None:
            own = np.empty((len(spans.starts), *fine.shape[::2]), dtype=np.int64)
            tree_counts.leaf_sums(fine, same, *spans, first, last, own)
            parts.append(own)

        self.workers.run(task, len(spans.order), fine.size)
        result: Integers = parts[0] if len(parts) == 1 else np.sum(parts, axis=0)
        return result

    def _only(self, drawn: Integers | None) -> tuple[Storage, ColumnTests]:
        """Where the rows are and which columns are searched, if only some columns are drawn."""
        storage, columns = self._storage, self._columns
        if drawn is None:
            return storage, columns
        places = storage.place[drawn]
        places = places[places >= 0]
        if 2 * len(places) <= len(storage.columns):  # else to copy codes takes longer than to count
            own = drawn[storage.place[drawn] >= 0]
            found = counted_codes(storage.columns[places], own, storage.stored, self._one_label)
            storage = storage._replace(**found._asdict())
        return storage, only_used(columns, drawn)

    def _read(self, size: int, order: Indices, sample: Sample) -> Grown:
        """What the kernel has left in its arrays."""
        places, splits = self._splits(size)
        leaves = SplitPaths(splits)
        facts = self._nodes.facts[places]
        spans = [Spans(order, facts[:, START].copy(), facts[:, STOP].copy())]
        examples = facts[:, EXAMPLES]
        if sample.rows is not None:
            spans.append(self._place(np.flatnonzero(~sample.rows[0]).astype(np.int32), places))
            counted = [self.repeats[spans[1].of_leaf(leaf)].sum() for leaf in range(len(leaves))]
            examples = examples + added(self.collective, np.array(counted, dtype=np.int64))
        others = spans[1] if len(spans) > 1 else None
        return Grown(leaves, spans[0], others, self._nodes.bounds[places], examples)

    def _place(self, rows: Indices, leaves: Integers) -> Spans:
        """The leaves of rows that the tree was not grown on; the rows are put in order."""
        nodes, shared = self._nodes, self._shared
        bounds, open_ = {}, [(0, 0, len(rows))]
        while open_:
            node, start, stop = open_.pop()
            split, false, true = nodes.children[node].tolist()
            if split == LEAF:
                bounds[node] = start, stop
                continue
            own, column, inside = rows[start:stop], nodes.facts[node, COLUMN], nodes.insides[split]
            middle = start + tree_rows.divide_rows(
                self._storage, self._columns, own, column, inside, shared.mark[0], shared.spare
            )  # fmt: skip
            open_ += [(false, start, middle), (true, middle, stop)]
        starts, stops = np.array(
            [bounds[leaf] for leaf in leaves.tolist()], dtype=np.int64
        ).T.copy()
        return Spans(rows, starts, stops)

    def _splits(self, size: int) -> tuple[Integers, Splits]:
        """The leaves among the nodes, false sides first, and the tests above them."""
        layout, nodes, schema = self.layout, self._nodes, self.layout.schema
        n_splits = (size - 1) // 2
        leaves, counts = np.empty((2, size), dtype=np.int64)
        parents, columns = np.empty((2, n_splits), dtype=np.int64)
        spans = np.empty((n_splits, 3), dtype=np.int64)
        starts = np.empty(n_splits + 1, dtype=np.int64)
        n_leaves = grown_tests.order_nodes(
            nodes.children, nodes.facts, layout.bins, size, counts, leaves, parents, columns,
            starts, spans,
        )  # fmt: skip
        cuts, inside = np.empty(n_splits), np.empty(starts[-1], dtype=np.uint8)
        grown_tests.read_tests(
            parents, nodes.children, nodes.facts, nodes.insides, layout.bins, layout.missing,
            layout.is_category, schema.cut_pointers, schema.cuts, cuts, inside,
        )  # fmt: skip
        return leaves[:n_leaves], Splits(columns, cuts, inside, starts, spans)


class DeepGrower(Grower):
    """Grows trees by gain ratio, with any number of leaves."""

    may_stay = False

    @property
    def _slots(self) -> int:
        return self._threads * (1 + len(self.repeats).bit_length())

    def _given(self, growing: Growing) -> Any:
        return growing

    def _share(self, given: Any, examples: int, thread: int) -> int:
        return int(gain_ratio.grow(*given, examples, thread, self._threads))
