"""Trees of tests as weak rules."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from underdog.checks import check_choice, check_integer, is_number
from underdog.core import (
    Criterion,
    Learner,
    Loss,
    Path,
    Proposal,
    Question,
    Run,
    Stop,
    weight_per_unit,
)
from underdog.hypotheses import Tree
from underdog.kernels import criteria, tree_counts
from underdog.learners.candidates import Candidates
from underdog.learners.coarse import CoarseSignal, fine_amounts, shifts
from underdog.learners.criteria import Newton, SignEdge, criterion
from underdog.learners.grower import Grower
from underdog.learners.limits import Limits
from underdog.learners.paths import PathGrower
from underdog.learners.stump import NO_TEST
from underdog.types import Floats, Integers

NO_SPLIT = "no test makes a tree better than a constant any more"
NO_LARGE_SPLIT = (
    "no test makes a tree better than a constant and leaves min_weight_fraction_leaf of the weight "
    "on both sides"
)
MIN_CURVATURE = 1e-3
"""Of a leaf of Newton's steps, in examples of curvature 1."""


class Vote(SignEdge):
    """The sign of the heavier side, of trees that were grown by another criterion."""

    maximises_edge = False


@dataclass
class Memory:
    """What a tree learner keeps during a run."""

    run: Run
    grower: Grower | PathGrower
    growth: Criterion
    limits: Limits
    no_large_split: str = NO_LARGE_SPLIT

    def stop(self) -> Stop:
        """Why there is no tree."""
        if not len(Candidates(self.run.rows.layout)):
            return Stop(NO_TEST)
        large = self.limits.min_mass > 0.0 and self.growth.reads != "newton"
        return Stop(self.no_large_split if large else NO_SPLIT)


class TreeLearner(Learner):
    """Grow a tree of tests in every round.

    A node is split by the test with the least sum of its blocks' criterion; see `StumpLearner` for
    tests and criteria. With `best_first` the leaf that gains most is split next, else one level
    after the other. A tree is greedy: another tree may be better.

    Parameters
    ----------
    kind : {"real", "discrete"}, default="real"
        What leaves say: real values, or votes. Both are grown by the criterion of "real".
    max_depth : int, optional, default=3
        The most tests from the root to a leaf; None for no limit.
    max_leaf_nodes : int, optional
        The most leaves; None for no limit but `max_depth`.
    min_samples_leaf : int, default=1
        Examples that each leaf must have at least.
    min_weight_fraction_leaf : float, default=0.0
        Share of the weight that each leaf must have at least.
    growth : {"best", "depth"}, default="best"

    Notes
    -----
    Tests are chosen by sums of amounts that are rounded so that all examples together have less
    than 2**31 units, about 14 bits for each of 200,000 examples. What leaves say is computed from
    the exact sums. Equal rows, repeated or weighted, are always in the same leaf.

    Examples
    --------
    >>> from underdog.learners import TreeLearner
    >>> TreeLearner(max_depth=2)
    TreeLearner(max_depth=2)
    """

    greedy = True

    def __init__(
        self,
        kind: str = "real",
        max_depth: int | None = 3,
        max_leaf_nodes: int | None = None,
        min_samples_leaf: int = 1,
        min_weight_fraction_leaf: float = 0.0,
        growth: str = "best",
    ) -> None:
        self.kind = kind
        self.max_depth = max_depth
        self.max_leaf_nodes = max_leaf_nodes
        self.min_samples_leaf = min_samples_leaf
        self.min_weight_fraction_leaf = min_weight_fraction_leaf
        self.growth = growth

    def check(self) -> None:
        check_choice("kind", self.kind, "real", "discrete")
        check_choice("growth", self.growth, "best", "depth")
        if self.max_depth is not None:
            check_integer("max_depth", self.max_depth, 1)
        if self.max_leaf_nodes is not None:
            check_integer("max_leaf_nodes", self.max_leaf_nodes, 2)
        if self.max_depth is None and self.max_leaf_nodes is None:
            raise ValueError(
                "max_depth and max_leaf_nodes are both None, which limits nothing: set one of them"
            )
        check_integer("min_samples_leaf", self.min_samples_leaf, 1)
        share = self.min_weight_fraction_leaf
        if not is_number(share) or not 0.0 <= share <= 0.5:
            raise ValueError(f"min_weight_fraction_leaf={share!r} must be a number from 0 to 0.5")

    def criterion(self, loss: Loss) -> Criterion:
        if loss.reads == "newton":
            return Newton()
        return Vote() if self.kind == "discrete" else criterion("real", loss.beta, loss.chooses_by)

    def start(self, run: Run) -> Memory:
        loss = run.parts.loss
        own = run.parts.criterion
        growth = own if own.final else criterion("real", loss.beta, "z")
        limits = self._limits(run)
        if len(run.rows) > 1:
            return Memory(run, PathGrower(run.rows), growth, limits)
        return Memory(run, Grower(run.rows, limits), growth, limits)

    def _limits(self, run: Run) -> Limits:
        share = max(float(self.min_weight_fraction_leaf), run.least_block)
        if run.parts.loss.reads == "newton":
            share = max(share, MIN_CURVATURE / float(run.rows.shards[0].target.examples))
        depth = 1 << 20 if self.max_depth is None else self.max_depth
        leaves = self.max_leaf_nodes or 1 << min(depth, 20)
        leaves = min(leaves, 1 << min(depth, 20))
        return Limits(depth, leaves, self.min_samples_leaf, share, self.growth == "best")

    def fit(self, memory: Memory, question: Question) -> Proposal | Stop:
        if isinstance(memory.grower, PathGrower):
            return self._by_paths(memory, memory.grower, question)
        return self._in_place(memory, memory.grower, question)

    def _in_place(self, memory: Memory, grower: Grower, question: Question) -> Proposal | Stop:
        run = memory.run
        shard = run.rows.only
        fine = [fine_amounts(signal, shard) for signal in question.signals]
        totals, sizes = np.empty((2, len(fine), *fine[0].shape[::2]), dtype=np.int64)
        for own, total, size in zip(fine, totals, sizes, strict=True):
            tree_counts.sum_amounts(own, 0, own.shape[1], total, size)
        units = tuple(map(weight_per_unit, question.signals, totals))
        shift = shifts(sizes[0], shard.encoded.n_examples)
        coarse = np.ldexp(units[0], shift.astype(np.int32))
        smooth = run.smooth / question.signals[0].mass
        grown = grower.grow(fine[0], shift, coarse, memory.growth, smooth)
        if len(grown.leaves) == 1:
            return memory.stop()
        sums = tuple(np.empty((len(grown.leaves), *own.shape[::2]), dtype=np.int64) for own in fine)
        for own, out in zip(fine, sums, strict=True):
            grower.sum_leaves(own, grown, out)
        pruned = self._pruned(run, grown.leaves, sums[0] * units[0])
        if pruned is not None:
            grown = grown.joined(*pruned)
            sums = tuple(np.add.reduceat(own, pruned[1]) for own in sums)
        tree = Tree(grown.leaves, self._values(run, question, sums, units))
        return Proposal(tree, (grown.blocks,), sums, units)

    def _by_paths(self, memory: Memory, grower: PathGrower, question: Question) -> Proposal | Stop:
        run, rows = memory.run, memory.run.rows
        units = tuple(weight_per_unit(signal, rows.totals(signal)) for signal in question.signals)
        signal = CoarseSignal(rows, question.signals[0])
        coarse = np.ldexp(units[0], signal.shift.astype(np.int32))
        smooth = run.smooth / signal.mass
        leaves = grower.grow(signal, coarse, memory.growth, smooth, memory.limits)
        if len(leaves) == 1:
            return memory.stop()
        partition = rows.place(Tree(leaves, np.zeros((len(leaves), rows.n_labels))))
        sums = tuple(rows.sums(each, partition, len(leaves)) for each in question.signals)
        pruned = self._pruned(run, leaves, sums[0] * units[0])
        if pruned is not None:
            leaves = pruned[0]
            partition = rows.place(Tree(leaves, np.zeros((len(leaves), rows.n_labels))))
            sums = tuple(np.add.reduceat(own, pruned[1]) for own in sums)
        return Proposal(
            Tree(leaves, self._values(run, question, sums, units)), partition, sums, units
        )

    def _pruned(
        self, run: Run, leaves: tuple[Path, ...], masses: Floats
    ) -> tuple[tuple[Path, ...], list[int]] | None:
        """The leaves after pruning, and the first old leaf of each; None if nothing is pruned."""
        return None

    def _values(
        self,
        run: Run,
        question: Question,
        sums: tuple[Integers, ...],
        units: tuple[Floats, ...],
    ) -> Floats:
        """What leaves say, by the weights of the last signal: of two, the one that is paid for."""
        own = run.parts.criterion
        smooth = run.smooth / question.signals[-1].mass
        values = np.empty((len(sums[-1]), sums[-1].shape[2]))
        criteria.fill(own.number, sums[-1], units[-1], smooth, own.beta, values)
        if run.parts.loss.centred:
            values -= values.mean(axis=1, keepdims=True)
        return values
