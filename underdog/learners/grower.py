"""Growing a tree where the rows are, encoded: all of them in one place."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from underdog.core import Constraints, Criterion, InteractionSets, Rows, every_row
from underdog.data import EncodedRows, Layout
from underdog.data.storage import DenseBlock, SparseBlock
from underdog.hypotheses.splits import SplitPaths, Splits
from underdog.kernels import binning, crew, gain_ratio, grown_tests, tree_counts, tree_rows, trees
from underdog.kernels.barrier import can_meet, release
from underdog.kernels.tree_arrays import (
    ANY,
    CATEGORY,
    COLUMN,
    DONE,
    EXAMPLES,
    FREE,
    IDLE,
    LEAF,
    LINE,
    N_FACTS,
    N_JOB,
    NODES_AHEAD,
    NOTHING,
    PLAIN,
    SPLIT_SLOT,
    START,
    STATE,
    STOP,
    WORD,
    ColumnTests,
    GrowthRule,
    Nodes,
    Shared,
    Storage,
    Together,
)
from underdog.learners.candidates import Candidates
from underdog.learners.codes import counted_codes
from underdog.learners.grown import Grown, Spans
from underdog.learners.limits import Limits
from underdog.learners.sampling import EVERYTHING, Sample
from underdog.types import Codes, Floats, Indices, Integers
from underdog.workers import Team
from underdog.workers.collective import added, count

WORDS = 513
"""Words that are scored at once, and one."""
MOST_KEPT = 0.75
"""Share of the cells above which it is not worth it to drop those that are never searched."""
AHEAD_PER_THREAD = 4
"""Splits that a thread has made before it is their turn."""


class Growers(Team):
    """The threads that grow a tree; between two trees they may stay in compiled code.

    Parameters
    ----------
    shared : Shared
    """

    def __init__(self, shared: Shared) -> None:
        self.mail, self.counter = shared.mail, shared.counter
        self.stays = False
        """Whether the threads wait for the next tree after this one."""
        self.in_the_way = False
        """Whether they were sent home because their threads were needed between two trees."""

    def start(self) -> None:
        self.mail.fill(IDLE)

    def call(self) -> bool:
        return self.stays and bool(crew.call(self.mail, IDLE))

    def dismiss(self) -> None:
        crew.dismiss(self.mail)
        self.in_the_way = True

    def release(self) -> None:
        release(self.counter)


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
        self._storage = _storage_of(encoded, self.repeats, self._one_label)
        columns = _columns_of(self.layout, constraints)
        columns = self._without_rare_words(columns, limits.min_samples)
        self._storage, self._columns = _compact(self._storage, columns)
        self._leaves = max(1, min(limits.max_leaves, count(self.collective, encoded.n_rows)))
        work = encoded.n_rows * max(1, len(self._columns.used))
        self._threads = max(1, min(shard.workers.count, len(self._columns.used)))
        if work < self.min_work or not rows.in_one_place or not can_meet():
            self._threads = 1
        bins = int(self.layout.bins.max(initial=1)) + 2
        ahead = AHEAD_PER_THREAD * (self._threads - 1)
        self._nodes = room_for_nodes(self._leaves, self.layout, rows.n_labels, constraints, ahead)
        self._shared = _new_shared(
            encoded, int(self._columns.first_cell[-1]), rows.n_labels, self._slots + ahead, bins,
            len(self._columns.used),
            self._threads,
            len(self._storage.columns) * int(tree_counts.CELLS) if self._one_label else 0,
            ahead,
        )  # fmt: skip
        self._unit = np.empty((2, rows.n_labels))
        self._team = Growers(self._shared)
        if by_class:
            self._shared = self._shared._replace(numbers=shard.target.sign.argmax(axis=1))

    @property
    def _slots(self) -> int:
        """Nodes whose sums are kept at a time."""
        return self._leaves

    def _without_rare_words(self, columns: ColumnTests, min_samples: int) -> ColumnTests:
        """No words of which a leaf would always have too few examples, or too many."""
        words = columns.used[columns.kind[columns.used] == WORD]
        if min_samples <= 1 or not len(words):
            return columns
        found = added(self.collective, _examples_of_words(columns, self._storage, words))
        rare = np.minimum(found, self.examples - found) < min_samples
        return _only_used(columns, np.setdiff1d(columns.used, words[rare]))

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
            criterion.number, smooth, criterion.beta, self._unit, limits.max_depth, self._leaves,
            limits.min_samples, limits.min_mass, limits.best_first, limits.counted,
        )  # fmt: skip

        def fill(first: int, last: int) -> None:
            tree_counts.pack(fine, self.repeats, repeated, shift, first, last, shared.packed)
            shared.order[first:last] = self._every[first:last]

        self.workers.run(fill, len(shared.order), 4 * fine.size)
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
        size = self._split((storage, columns, rule, self._nodes, shared), examples)
        return self._read(size, shared.order, sample)

    def _split(self, given: tuple[Any, ...], examples: int) -> int:
        """Grow the tree; returns how many nodes it has."""
        shared, team, sizes = self._shared, self._team, [0] * self._threads
        if not team.stays:
            self.workers.settle()
        shared.counter[0] = 0
        shared.ahead[:, STATE], shared.ahead[:, SPLIT_SLOT] = FREE, NOTHING
        shared.lowest.fill(np.inf)  # of columns that were not drawn

        def task(thread: int) -> None:
            with np.errstate(over="ignore"):  # of hashes, without the compiler
                sizes[thread] = self._share(given, examples, thread)

        self.workers.together(task, self._threads, team)
        return sizes[0]

    def _share(self, given: tuple[Any, ...], examples: int, thread: int) -> int:
        """A thread's share of growing a tree; returns how many nodes it has, for thread 0."""
        message = crew.PAUSE if self._team.stays else DONE
        return int(trees.grow(*given, examples, thread, self._threads, message))

    def sum_leaves(self, fine: Integers, spans: Spans) -> Integers:
        """[leaf, channel, label]: the exact sums of amounts [channel, row, label]."""
        parts: list[Integers] = []

        def task(first: int, last: int) -> None:
            own = np.empty((len(spans.starts), *fine.shape[::2]), dtype=np.int64)
            tree_counts.leaf_sums(fine, *spans, first, last, own)
            parts.append(own)

        self.workers.run(task, len(spans.order), 2 * fine.size)
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
        return storage, _only_used(columns, drawn)

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

    def _share(self, given: tuple[Any, ...], examples: int, thread: int) -> int:
        return int(gain_ratio.grow(*given, examples, thread, self._threads))


def _columns_of(layout: Layout, constraints: Constraints) -> ColumnTests:
    candidates = Candidates(layout)
    n_tests = np.diff(candidates.first)
    together, directions = constraints.interactions, constraints.directions
    if directions is None:
        directions = np.zeros(len(layout.bins), dtype=np.int64)
    every = ColumnTests(
        layout.first_cell,
        layout.bins,
        layout.implicit,
        layout.missing.astype(np.uint8),
        layout.schema.missing.astype(np.uint8),
        layout.is_category.astype(np.uint8),
        candidates.levels,
        np.where(directions == 0, _kinds(layout, n_tests), ANY),
        np.empty(0),
        np.empty(0),
        Together(*(InteractionSets.up_to(0) if together is None else together)),
        directions,
        np.empty(0, dtype=np.uint64),
    )
    return _only_used(every, np.flatnonzero(n_tests > 0))


def _kinds(layout: Layout, n_tests: Integers) -> Integers:
    """WORD, PLAIN, CATEGORY or ANY for each column."""
    numbers = ~(layout.is_category | layout.missing | layout.schema.missing).astype(bool)
    word = numbers & (n_tests == 1) & (layout.stored == 1) & (layout.implicit >= 0)
    return np.select([word, numbers, layout.is_category], [WORD, PLAIN, CATEGORY], ANY)


def _only_used(columns: ColumnTests, used: Integers) -> ColumnTests:
    """The same with other columns that are searched, in runs of words and of others."""
    word = columns.kind[used] == WORD
    ends = np.append(np.flatnonzero(word[1:] != word[:-1]) + 1, len(used))
    run_end = ends[np.searchsorted(ends, np.arange(len(used)), side="right")]
    return columns._replace(used=used, run_end=run_end)


def _examples_of_words(columns: ColumnTests, storage: Storage, words: Integers) -> Integers:
    """How many examples have the only stored cell of some columns."""
    cells, ends = columns.first_cell[words] - storage.base, storage.cell_pointers
    if storage.repeated:
        ends = np.concatenate([[0], np.cumsum(storage.repeats[storage.cell_rows])])[ends]
    result: Integers = ends[cells + 1] - ends[cells]
    return result


def _compact(storage: Storage, columns: ColumnTests) -> tuple[Storage, ColumnTests]:
    """The same without the cells of sparse columns that are never searched, if these are many.

    Most words of a text are rare. Without them, the sums of a node stay in the fastest cache.
    """
    before = columns.first_cell
    sizes = np.diff(before)
    sizes[np.setdiff1d(np.flatnonzero(storage.place < 0), columns.used)] = 0
    first_cell = np.concatenate([[0], np.cumsum(sizes)])
    if first_cell[-1] > MOST_KEPT * before[-1]:
        return storage, columns
    kept = np.repeat(sizes > 0, np.diff(before))
    number = np.where(kept, np.cumsum(kept) - 1, -1).astype(storage.cells.dtype)
    pointers, cells = np.empty_like(storage.pointers), np.empty_like(storage.cells)
    size = binning.gather_cells(storage.pointers, number[storage.cells], pointers, cells)
    counts = np.zeros(before[-1], dtype=np.int64)
    found = np.diff(storage.cell_pointers)
    counts[storage.base : storage.base + len(found)] = found
    cell_rows = storage.cell_rows[np.repeat(kept, counts)]
    cell_pointers = np.concatenate([[0], np.cumsum(counts[kept])])
    return storage._replace(
        pointers=pointers, cells=cells[:size], cell_pointers=cell_pointers, cell_rows=cell_rows,
        base=0,
    ), columns._replace(first_cell=first_cell)  # fmt: skip


def room_for_nodes(
    leaves: int, layout: Layout, n_labels: int, constraints: Constraints, ahead: int
) -> Nodes:
    """Room for a tree with so many leaves, and for splits that are made before it is their turn."""
    count, bins = 2 * leaves - 1 + NODES_AHEAD * ahead, int(layout.bins.max(initial=1)) + 2
    width = 0 if constraints.interactions is None else len(layout.bins)  # all columns, or none
    return Nodes(
        np.empty((count, N_FACTS), dtype=np.int64),
        np.empty(count),
        np.empty((count, n_labels), dtype=np.int64),
        np.empty((count, 3), dtype=np.int64),
        np.empty((leaves + ahead, bins), dtype=np.uint8),
        np.empty((count, 2)),
        np.empty((count, width), dtype=np.uint8),
        np.empty((count, width), dtype=np.uint8),
        np.zeros(count, dtype=np.uint64),
    )


def _new_shared(
    encoded: EncodedRows, n_cells: int, n_labels: int, slots: int, bins: int, used: int,
    threads: int, n_sums: int, ahead: int,
) -> Shared:  # fmt: skip
    n_rows = encoded.n_rows
    sparse = any(isinstance(block, SparseBlock) for block in encoded.blocks)
    n_bins, bins = bins, max(bins, WORDS)
    return Shared(
        packed=np.empty((n_rows, n_labels), dtype=np.int64),
        numbers=np.empty(0, dtype=np.int64),
        order=np.empty(n_rows, dtype=np.int32),
        spare=np.empty(n_rows, dtype=np.int32),
        side=np.empty(n_rows, dtype=np.uint8),
        hists=np.zeros((slots, n_cells, n_labels), dtype=np.int64),
        lowest=np.empty((slots, used)),
        job=np.empty(N_JOB, dtype=np.int64),
        ahead=np.zeros((ahead, LINE), dtype=np.int64),
        settings=np.empty(2),
        made=np.zeros(LINE, dtype=np.int64),
        busy=np.zeros(LINE, dtype=np.int64),
        counter=np.zeros(1, dtype=np.int64),
        mail=np.zeros((threads, LINE), dtype=np.int64),
        turn=np.zeros((threads, LINE), dtype=np.int64),
        last=np.zeros((threads, LINE), dtype=np.int64),
        last_inside=np.empty((threads, n_bins), dtype=np.uint8),
        mark=np.zeros((threads, n_rows if sparse else 0), dtype=np.uint8),
        true=np.zeros((threads, LINE), dtype=np.int64),
        sums=np.zeros((threads, n_sums), dtype=np.int64),
        prefix=np.empty((threads, bins), dtype=np.int64),
        scores=np.empty((threads, 2 * bins)),
        masses=np.empty((threads, 2, 2 * bins)),
    )


def _storage_of(encoded: EncodedRows, repeats: Integers, share: bool) -> Storage:
    """Codes row by row for counting and column by column for splitting, cells of sparse columns."""
    n_columns, n_rows = encoded.schema.n_columns, encoded.n_rows
    place = np.full(n_columns, -1, dtype=np.int64)
    columns: Codes = np.empty((0, n_rows), dtype=np.uint8)
    dense: Integers = np.empty(0, dtype=np.int64)
    sparse = [block for block in encoded.blocks if isinstance(block, SparseBlock)]
    for block in encoded.blocks:
        if isinstance(block, DenseBlock):  # there is one at most
            place[block.columns] = np.arange(len(block.columns))
            columns, dense = block.codes, block.columns.astype(np.int64)
    pointers, cells = _merged(sparse, n_rows)
    if len(sparse) == 1:
        cell_pointers, cell_rows = sparse[0].cell_pointers, sparse[0].cell_rows
        base = sparse[0].base
    else:
        base, cell_pointers = 0, np.zeros(encoded.n_cells + 1, dtype=np.int64)
        cell_rows = np.empty(len(cells), dtype=np.int32)
        if len(cells):
            binning.invert(pointers, cells, base, cell_pointers, cell_rows)
    return Storage(
        **counted_codes(columns, dense, encoded.stored, share)._asdict(),
        pointers=pointers,
        cells=cells,
        place=place,
        columns=columns,
        cell_pointers=cell_pointers,
        cell_rows=cell_rows,
        base=base,
        stored=encoded.stored,
        repeats=repeats,
        repeated=bool((repeats != 1).any()),
        examples=np.empty(0, dtype=np.int64),
    )


def _merged(blocks: list[SparseBlock], n_rows: int) -> tuple[Integers, Any]:
    """The stored cells of each row, of all blocks together."""
    if len(blocks) == 1:
        return blocks[0].pointers, blocks[0].cell_of_entry
    if not blocks:
        return np.zeros(n_rows + 1, dtype=np.int64), np.empty(0, dtype=np.int32)
    row = np.concatenate([np.repeat(np.arange(n_rows), np.diff(each.pointers)) for each in blocks])
    cells = np.concatenate([each.cell_of_entry for each in blocks])
    pointers = np.concatenate([[0], np.cumsum(np.bincount(row, minlength=n_rows))])
    return pointers.astype(np.int64), cells[np.argsort(row, kind="stable")]
