"""Growing a tree by asking for the sums of one path after the other.

The plain form of `kernels.trees`, which knows where the rows are. Here only sums are asked for, so
it serves any number of shards, and both give the same tree.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from underdog.core import CountedAnew, Criterion, Path, Rows, Shard, Tally, Test
from underdog.data import Layout
from underdog.kernels.criteria import ENTROPY, TIE
from underdog.learners.candidates import Candidates
from underdog.learners.coarse import CoarseSignal
from underdog.learners.gain_ratio import ratio_scores
from underdog.learners.limits import Limits
from underdog.types import Codes, Floats, Indices, Integers


class Examples(CountedAnew):
    """Counts examples: every row in channel 0, as often as it is repeated."""

    def channel_of(self, shard: Shard) -> Codes:
        return np.zeros((shard.encoded.n_rows, shard.n_labels), dtype=np.uint8)

    def amounts(
        self, shard: Shard, rows: Indices, first_label: int, channel: int, out: Integers
    ) -> None:
        out[:] = shard.target.repeats[rows, np.newaxis]

    def unit(self, totals: Integers, out: Floats) -> None:
        out[:] = 1.0


class Found(NamedTuple):
    """The best test of a node."""

    test: Test
    gain: float


@dataclass
class Node:
    """A leaf of the tree so far."""

    path: Path
    found: Found | None
    children: list[Node] = field(default_factory=list)


class PathGrower:
    """Grows trees on the rows of a run, wherever they are.

    Parameters
    ----------
    rows : Rows
    """

    def __init__(self, rows: Rows) -> None:
        self.rows, self.layout = rows, rows.layout
        self.candidates = Candidates(rows.layout)
        self._examples = Examples(rows)

    def grow(
        self,
        signal: CoarseSignal,
        unit: Floats,
        criterion: Criterion,
        smooth: float,
        limits: Limits,
    ) -> tuple[Path, ...]:
        """The paths to the leaves, the false side of every test first."""
        search = _Search(self, signal, unit, criterion, smooth, limits)
        root = Node((), search.best(()))
        nodes, leaves = [root], 1
        while leaves < limits.max_leaves:
            chosen = _next(nodes, limits.best_first)
            if chosen is None or chosen.found is None:
                break
            leaves += 1
            deep = len(chosen.path) + 1 < limits.max_depth and leaves < limits.max_leaves
            for answer in range(2):
                path = (*chosen.path, (chosen.found.test, answer))
                chosen.children.append(Node(path, search.best(path) if deep else None))
            nodes += chosen.children
        return tuple(_leaves(root))


def _next(nodes: Sequence[Node], best_first: bool) -> Node | None:
    """The leaf to split: the first of those that gain most, or the first that gains anything."""
    open_ = [node for node in nodes if node.found is not None and not node.children]
    if not open_:
        return None
    gains = [node.found.gain for node in open_ if node.found is not None]
    least = max(gains) * (1.0 - TIE) if best_first else 0.0
    return next(node for node, gain in zip(open_, gains, strict=True) if gain >= least)


def _leaves(node: Node) -> Iterator[Path]:
    if not node.children:
        yield node.path
    for child in node.children:
        yield from _leaves(child)


class _Tests(NamedTuple):
    """All tests on one column of a node: sums where they are true, and their bins."""

    true: Integers
    """[test, channel, label]"""
    inside: Codes
    """[test, bin], the last bin for missing values"""


@dataclass(frozen=True)
class _Search:
    grower: PathGrower
    signal: CoarseSignal
    unit: Floats
    criterion: Criterion
    smooth: float
    limits: Limits

    def best(self, path: Path) -> Found | None:
        """The best test on the rows of a path; None if nothing is gained."""
        limits = self.limits
        if limits.max_leaves < 2 or len(path) >= limits.max_depth:
            return None
        rows, layout = self.grower.rows, self.grower.layout
        tally = rows.tally(self.signal, path)
        counts = rows.tally(self.grower._examples, path)
        columns = np.flatnonzero(np.diff(self.grower.candidates.first) > 0).tolist()
        tests = {j: list(self._tests(j, tally, counts)) for j in columns}
        scores = {j: [self._scores(each, tally.totals) for each, _ in tests[j]] for j in columns}
        for j in columns:
            for score, (_, examples) in zip(scores[j], tests[j], strict=True):
                few = np.minimum(examples, counts.totals[0, 0] - examples) < limits.min_samples
                score[few] = np.inf
        before = float(self.criterion.score(tally.totals * self.unit, self.smooth))
        if self.criterion.number == ENTROPY:
            true = {j: [_mass(each.true * self.unit) for each, _ in tests[j]] for j in columns}
            scores = ratio_scores(scores, true, before, float(_mass(tally.totals * self.unit)))
            before = 0.0
        lowest = min(
            (own.min(initial=np.inf) for j in columns for own in scores[j]), default=np.inf
        )
        gain = before - lowest
        if not gain > TIE * (abs(before) + abs(lowest)):
            return None
        limit = lowest + TIE * abs(lowest)
        for j in columns:
            for score, (each, examples) in zip(scores[j], tests[j], strict=True):
                for t in np.flatnonzero(score <= limit)[:1].tolist():
                    inside = each.inside[t].copy()
                    if not layout.missing[j]:  # never in training: as most examples do
                        inside[-1] = 2 * examples[t] > counts.totals[0, 0]
                    return Found(Test(j, inside, threshold_of(layout, j, inside)), gain)
        return None

    def _scores(self, tests: _Tests, totals: Integers) -> Floats:
        score = np.zeros(len(tests.true))
        light = np.zeros(len(tests.true), dtype=bool)
        for sums in (tests.true, totals - tests.true):
            masses = sums * self.unit
            score += self.criterion.score(masses, self.smooth)
            own = masses[:, 1] if self.criterion.reads == "newton" else masses.sum(axis=1)
            light |= own.sum(axis=-1) < self.limits.min_mass
        score[light] = np.inf
        return score

    def _tests(self, j: int, tally: Tally, counts: Tally) -> Iterator[tuple[_Tests, Integers]]:
        """The tests on a column, and how many examples are on their true sides."""
        layout = self.grower.layout
        sums, examples = _by_bin(layout, j, tally), _by_bin(layout, j, counts)[:, 0, 0]
        if layout.is_category[j]:
            levels = int(self.grower.candidates.levels[j])
            for label in range(sums.shape[2]):
                order = self._level_order(sums[:levels, :, label], label)
                inside = np.zeros((levels - 1, len(sums)), dtype=np.uint8)
                for cut in range(levels - 1):
                    inside[cut, order[cut + 1 :]] = 1
                yield _Tests(_true_sums(inside, sums), inside), _true_sums(inside, examples)
            return
        inside = inside_of_cuts(layout, j)
        yield _Tests(_true_sums(inside, sums), inside), _true_sums(inside, examples)

    def _level_order(self, sums: Integers, label: int) -> Integers:
        upper, lower = (sums * self.unit[:, label]).T
        if self.criterion.reads == "newton":
            below = np.where(lower > 0.0, lower + self.smooth, 1.0)
            key = np.where(lower > 0.0, upper / below, -np.inf)
        else:
            both = upper + lower
            share = np.rint(lower / np.where(both > 0.0, both, 1.0) * 2.0**36) * 2.0**-36
            key = np.where(both > 0.0, share, -1.0)
        return np.argsort(key, kind="stable")


def _mass(masses: Floats) -> Floats:
    """(...): the weights of [..., channel, label]."""
    result: Floats = masses.sum(axis=(-2, -1))
    return result


def _true_sums(inside: Codes, sums: Integers) -> Integers:
    """[test, ...]: integer sums over the bins where each test is true."""
    result: Integers = np.tensordot(inside.astype(np.int64), sums, axes=1)
    return result


def _by_bin(layout: Layout, j: int, tally: Tally) -> Integers:
    """[bin, channel, label], the last one for missing values; what is not stored is the rest."""
    first, bins, implicit = int(layout.first_cell[j]), int(layout.bins[j]), int(layout.implicit[j])
    own = tally.cells[:, first : first + int(layout.stored[j])].transpose(1, 0, 2)
    result = np.zeros((bins + 1, *tally.totals.shape), dtype=np.int64)
    stored = np.delete(np.arange(bins), implicit) if implicit >= 0 else np.arange(bins)
    result[stored] = own[: len(stored)]
    if layout.missing[j]:
        result[bins] = own[-1]
    if implicit >= 0:
        result[implicit] = tally.totals - result.sum(axis=0)
    return result


def inside_of_cuts(layout: Layout, j: int) -> Codes:
    """[test, bin]: where each test on an ordered column is true, as `Candidates` numbers them."""
    bins = int(layout.bins[j])
    above = np.zeros((max(bins - 1, 0), bins + 1), dtype=np.uint8)
    for cut in range(bins - 1):
        above[cut, cut + 1 : bins] = 1
    if layout.missing[j]:
        above = np.repeat(above, 2, axis=0)
        above[1::2, bins] = 1
    if layout.schema.missing[j]:
        alone = np.zeros((1, bins + 1), dtype=np.uint8)
        alone[0, bins] = 1
        above = np.concatenate([above, alone])
    return above


def threshold_of(layout: Layout, j: int, inside: Codes) -> float | None:
    """The cut below the first bin that is inside, if the column is ordered."""
    bins = int(layout.bins[j])
    if layout.is_category[j] or not inside[:bins].any():
        return None
    cut = int(np.argmax(inside[:bins])) - 1
    return float(layout.schema.cuts[int(layout.schema.cut_pointers[j]) + cut])
