"""Growing a tree by asking for the sums of its paths.

The plain form of `kernels.trees`, which knows where the rows are. Here only sums are asked for, so
it serves any number of shards, and both give the same tree. The children of all leaves that may be
split are asked for together, because a message to other processes takes longer than the sums of a
child that is not needed in the end.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from underdog.core import (
    Constraints,
    CountedAnew,
    Criterion,
    Path,
    Rows,
    Shard,
    Signal,
    Tally,
    Test,
)
from underdog.kernels import criteria
from underdog.kernels.criteria import CLASS_ENTROPY, ENTROPY, TIE
from underdog.learners.candidates import Candidates
from underdog.learners.cuts import above_cuts, by_bin, inside_of_cuts, threshold_of
from underdog.learners.gain_ratio import ratio_scores
from underdog.learners.limits import Limits
from underdog.learners.sampling import EVERYTHING, Drawn, Sample, draw_of_path, drawn_cut
from underdog.types import Codes, Flags, Floats, Indices, Integers


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


class Bounds(NamedTuple):
    """The least and the most that may be said."""

    low: float = -np.inf
    high: float = np.inf


class Found(NamedTuple):
    """The best test of a node."""

    test: Test
    gain: float
    bounds: tuple[Bounds, Bounds]
    """Of what may be said where the test is false, and where it is true."""
    fewer: int
    """The answer of fewer examples."""


class Sums(NamedTuple):
    """The sums of a node: of the signal, and of the examples."""

    signal: Tally
    examples: Tally

    def without(self, other: Sums) -> Sums:
        """The sums of the rows that are not in the other node."""
        return Sums(
            *(
                Tally(mine.cells - theirs.cells, mine.totals - theirs.totals)
                for mine, theirs in zip(self, other, strict=True)
            )
        )


@dataclass
class Node:
    """A leaf of the tree so far."""

    path: Path
    bounds: Bounds
    found: Found | None = None
    sums: Sums | None = None
    children: list[Node] = field(default_factory=list)
    ready: list[Node] = field(default_factory=list)
    """What its children will be if it is split."""


class PathGrower:
    """Grows trees on the rows of a run, wherever they are.

    Parameters
    ----------
    rows : Rows
    constraints : Constraints
    """

    def __init__(self, rows: Rows, constraints: Constraints) -> None:
        self.rows, self.layout, self.constraints = rows, rows.layout, constraints
        self.candidates = Candidates(rows.layout)
        self._examples = Examples(rows)
        self._inside: dict[int, Codes] = {}

    def inside_of_cuts(self, j: int) -> Codes:
        """[test, bin]: where each test on an ordered column is true."""
        if j not in self._inside:
            self._inside[j] = inside_of_cuts(self.layout, j)
        return self._inside[j]

    def grow(
        self,
        signal: Signal,
        unit: Floats,
        criterion: Criterion,
        smooth: float,
        limits: Limits,
        sample: Sample = EVERYTHING,
    ) -> tuple[tuple[Path, ...], Floats]:
        """The paths to the leaves, the false side of every test first, and their bounds."""
        examples: Signal = self._examples
        if sample.rows is not None:
            signal = Drawn(self.rows, signal, sample.rows)
            examples = Drawn(self.rows, examples, sample.rows)
        columns = sample.columns
        if columns is None:
            columns = np.flatnonzero(np.diff(self.candidates.first) > 0)
        search = _Search(
            self, signal, examples, columns.tolist(), unit, criterion, smooth, limits, sample
        )
        root = Node((), Bounds())
        if limits.max_leaves > 1 and limits.max_depth > 0:
            root.sums = search.ask([()])[0]
            root.found = search.best(root)
        nodes, leaves = [root], 1
        while leaves < limits.max_leaves:
            chosen = _next(nodes, limits.best_first)
            if chosen is None or chosen.found is None:
                break
            leaves += 1
            if not chosen.ready:
                last = leaves == limits.max_leaves
                search.prepare([chosen] if last else [n for n in nodes if not n.ready], last)
            chosen.children, chosen.sums = chosen.ready, None
            nodes += chosen.children
        ends = list(_leaves(root))
        return tuple(leaf.path for leaf in ends), np.array([leaf.bounds for leaf in ends])


def _next(nodes: Sequence[Node], best_first: bool) -> Node | None:
    """The leaf to split: the first of those that gain most, or the first that gains anything."""
    open_ = [node for node in nodes if node.found is not None and not node.children]
    if not open_:
        return None
    gains = [node.found.gain for node in open_ if node.found is not None]
    least = max(gains) * (1.0 - TIE) if best_first else 0.0
    return next(node for node, gain in zip(open_, gains, strict=True) if gain >= least)


def _leaves(node: Node) -> Iterator[Node]:
    if not node.children:
        yield node
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
    signal: Signal
    examples: Signal
    columns: list[int]
    unit: Floats
    criterion: Criterion
    smooth: float
    limits: Limits
    sample: Sample

    def ask(self, paths: Sequence[Path]) -> list[Sums]:
        """The sums of several paths, in one message."""
        asked = [(signal, path) for path in paths for signal in (self.signal, self.examples)]
        found = iter(self.grower.rows.tallies(asked))
        return [Sums(*pair) for pair in zip(found, found, strict=True)]

    def prepare(self, nodes: Sequence[Node], last: bool) -> None:
        """Make the children of nodes; those that will not be split themselves need no sums."""
        parents = []
        for node in nodes:
            if node.found is None:
                continue
            found = node.found
            paths = [(*node.path, (found.test, answer)) for answer in range(2)]
            node.ready = [Node(*own) for own in zip(paths, found.bounds, strict=True)]
            if not last and len(node.path) + 1 < self.limits.max_depth:
                parents.append((node, node.ready[found.fewer], node.ready[1 - found.fewer]))
        if not parents:
            return
        for (node, few, many), sums in zip(
            parents, self.ask([few.path for _, few, _ in parents]), strict=True
        ):
            few.sums = sums
            many.sums = None if node.sums is None else node.sums.without(sums)
            few.found, many.found = self.best(few), self.best(many)

    def best(self, node: Node) -> Found | None:
        """The best test on the rows of a node; None if nothing is gained."""
        if node.sums is None:
            return None
        limits, path, bounds, layout = self.limits, node.path, node.bounds, self.grower.layout
        tally, counts = node.sums
        columns = self._columns(path)
        tests = {j: list(self._tests(j, tally, counts)) for j in columns}
        scores = {
            j: [self._scores(j, each, tally.totals, bounds) for each, _ in tests[j]]
            for j in columns
        }
        for j in columns:
            for score, (_, examples) in zip(scores[j], tests[j], strict=True):
                few = np.minimum(examples, counts.totals[0, 0] - examples) < limits.min_samples
                score[few] = np.inf
                score[self._not_drawn(j, path, len(score))] = np.inf
        before = float(self._within(tally.totals[np.newaxis], bounds)[1][0])
        if self.criterion.number in (ENTROPY, CLASS_ENTROPY):
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
                    test = Test(j, inside, threshold_of(layout, j, inside))
                    sides = self._sides(each, t, j, tally.totals, bounds)
                    fewer = int(2 * examples[t] < counts.totals[0, 0])
                    return Found(test, gain, sides, fewer)
        return None

    def _not_drawn(self, j: int, path: Path, n_tests: int) -> Flags:
        """Which tests on a column of a node are not on the cut that it draws."""
        if self.sample.cuts is None or not n_tests:
            return np.zeros(n_tests, dtype=bool)
        layout = self.grower.layout
        both = 2 if layout.missing[j] and not layout.is_category[j] else 1
        draw = draw_of_path(self.sample.start, [answer for _, answer in path])
        cut = drawn_cut(self.sample.cuts[j], draw, -(-n_tests // both))
        result: Flags = np.arange(n_tests) // both != cut
        return result

    def _columns(self, path: Path) -> list[int]:
        """The columns that are searched and may follow those of a path."""
        interactions = self.grower.constraints.interactions
        if interactions is None:
            return self.columns
        allowed = interactions.allowed(
            [test.column for test, _ in path], len(self.grower.layout.bins)
        )
        return [j for j in self.columns if allowed[j]]

    def _within(self, sums: Integers, bounds: Bounds) -> tuple[Floats, Floats]:
        """What blocks with these [block, channel, label] sums say between bounds; their scores."""
        values = np.empty((len(sums), sums.shape[2]))
        number, beta = self.criterion.number, self.criterion.beta
        criteria.fill(number, sums, self.unit, self.smooth, beta, values)
        score = self.criterion.score(sums * self.unit, self.smooth)
        said = np.clip(values, *bounds)
        if (said != values).any():
            clipped = self.criterion.score_at(sums * self.unit, said, self.smooth)
            score = np.where((said != values).any(axis=1), clipped, score)
        return said, score

    def _direction(self, j: int) -> int:
        directions = self.grower.constraints.directions
        return 0 if directions is None else int(directions[j])

    def _sides(
        self, tests: _Tests, t: int, j: int, totals: Integers, bounds: Bounds
    ) -> tuple[Bounds, Bounds]:
        """The bounds of both sides of a test: on a constrained column they meet in the middle."""
        direction, last = self._direction(j), int(self.grower.layout.bins[j])
        if not direction or not tests.inside[t, :last].any():
            return bounds, bounds
        sums = np.stack([totals - tests.true[t], tests.true[t]])
        (no,), (yes,) = self._within(sums, bounds)[0].tolist()
        middle = 0.5 * (no + yes)
        below, above = Bounds(bounds.low, middle), Bounds(middle, bounds.high)
        return (below, above) if direction > 0 else (above, below)

    def _scores(self, j: int, tests: _Tests, totals: Integers, bounds: Bounds) -> Floats:
        yes, score = self._within(tests.true, bounds)
        no, other = self._within(totals - tests.true, bounds)
        score += other
        if direction := self._direction(j):
            some = tests.inside[:, :-1].any(axis=1)  # not only missing values
            score[some & (direction * (yes - no) < 0.0).any(axis=1)] = np.inf
        light = np.zeros(len(tests.true), dtype=bool)
        for sums in (tests.true, totals - tests.true):
            masses = sums * self.unit
            own = masses[:, 1] if self.criterion.reads == "newton" else masses.sum(axis=1)
            light |= own.sum(axis=-1) < self.limits.min_mass
        score[light] = np.inf
        return score

    def _tests(self, j: int, tally: Tally, counts: Tally) -> Iterator[tuple[_Tests, Integers]]:
        """The tests on a column, and how many examples are on their true sides."""
        layout = self.grower.layout
        sums, examples = by_bin(layout, j, tally), by_bin(layout, j, counts)[:, 0, 0]
        if layout.is_category[j]:
            levels = int(self.grower.candidates.levels[j])
            for label in range(sums.shape[2]):
                order = self._level_order(sums[:levels, :, label], label)
                inside = np.zeros((levels - 1, len(sums)), dtype=np.uint8)
                for cut in range(levels - 1):
                    inside[cut, order[cut + 1 :]] = 1
                yield _Tests(_true_sums(inside, sums), inside), _true_sums(inside, examples)
            return
        inside = self.grower.inside_of_cuts(j)
        yield _Tests(above_cuts(layout, j, sums), inside), above_cuts(layout, j, examples)

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
