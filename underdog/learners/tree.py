"""Trees of tests as weak rules."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, cast

import numpy as np

from underdog.checks import check_choice, check_flag, check_integer, is_number
from underdog.core import (
    Blocks,
    Criterion,
    Learner,
    Loss,
    Partition,
    Path,
    Proposal,
    Question,
    Run,
    Signal,
    Stop,
    weight_per_unit,
)
from underdog.hypotheses import Tree
from underdog.kernels import criteria, tree_counts
from underdog.learners.coarse import CoarseSignal, fine_amounts, rounded, shifts
from underdog.learners.criteria import ClassVote, Newton, Vote, criterion
from underdog.learners.grower import Grower
from underdog.learners.grown import Grown, Spans
from underdog.learners.joint import JointGrower
from underdog.learners.limits import Limits
from underdog.learners.paths import PathGrower
from underdog.learners.sampling import (
    EVERYTHING,
    MAX_WEIGHT,
    Drawn,
    Sample,
    Sampler,
    Weighted,
    check_sampling,
    weigh,
)
from underdog.learners.stump import kept_within
from underdog.learners.tree_memory import ANY_MASS, MIN_CURVATURE, Memory
from underdog.types import Flags, Floats, Integers
from underdog.workers.collective import ALONE, added


class TreeLearner(Learner):
    """Grow a tree of tests in every round.

    A node is split by the test with the least sum of its blocks' criterion; see `StumpLearner` for
    tests and criteria. With ``growth="best"`` the leaf that gains most is split next, with "depth"
    one level after the other. A tree is greedy: another tree may be better.

    Parameters
    ----------
    kind : {"real", "discrete"}, default="real"
        Leaf values: real numbers, or votes. Both are grown by the criterion of "real".
    max_depth : int, optional, default=3
        Maximum depth; None for no limit, then set `max_leaf_nodes`.
    max_leaf_nodes : int, optional
        Maximum number of leaves; None for no limit but `max_depth`.
    min_samples_leaf : int, default=1
        Minimum number of examples in a leaf.
    min_weight_fraction_leaf : float, default=0.0
        Minimum share of the weight in a leaf; for losses with Newton steps, of the curvature.
    growth : {"best", "depth"}, default="best"
    split_criterion : {"loss", "squared_error"}, default="loss"
        How splits are chosen: by the criterion of the loss, or by least squares on its gradients,
        which the loss must have. Leaf values do not depend on it.
    subsample : float, default=1.0
        Share of the rows that each tree is grown on.
    max_features : int, float, "sqrt", "log2" or None, default=None
        How many columns are drawn for each tree: their number, their share, its square root or its
        logarithm, of the columns on which there are any tests. None for all.
    cuts : {"all", "random"}, default="all"
        "random" draws one cut of each column in every node, and the node is split by the best of
        them. Boosted trees with random cuts average out, as extremely randomised trees do.
    bootstrap : bool, default=False
        Whether tests are chosen by weighted rows. Every tree draws the weights anew: -ln of numbers
        that are uniform between 0 and 1 (the Bayesian bootstrap). Leaf values are not weighted.

    Notes
    -----
    Tests are chosen by sums of amounts that are rounded so that all examples together have less
    than 2**31 units, about 14 bits for each of 200,000 examples. Leaf values are computed from
    the exact sums. Equal rows, repeated or weighted, are always in the same leaf.

    For losses with Newton steps, each leaf has a curvature of at least 0.001, where the curvatures
    are multiplied by weights whose mean over the examples is 1. So a common factor of all sample
    weights changes nothing, unless they are whole numbers, which are numbers of examples. For the
    Poisson loss, whose curvatures are rates, it is 0.001 times the mean rate if that is below 1.

    A row is drawn by a hash of the booster's `random_state` (None is 0), the number of the tree and
    the bins of the row, not by its labels. So the drawn rows depend neither on the order and the
    storage of the data nor on threads, and a warm start goes on with the draws of a longer run.
    Equal rows are drawn together, and a row of weight 3 as three rows. Columns are drawn by their
    contents in the same way. `min_samples_leaf` counts drawn rows, and leaf values are computed
    from them (of AdaBoost.A with initial weights and other costs, from the costs of all rows, so
    that no rule costs more than it gains); the scores of all rows follow. Where no test on the
    drawn rows, columns and cuts is better than a constant, the tree is grown on all of them.

    A random cut is drawn by a hash of the seed, the number of the tree, the path to the node and
    the contents of the column. All cuts of a column are equally likely, whatever the rows of the
    node. Of a category, the levels are sorted as for all cuts, and one place between two of them is
    drawn. Weights are drawn by the contents of a row, as rows are.

    Where the booster's `monotonic_cst` constrains a column, a test on it must have its values in
    that order, and all that is said below it stays on its side of the middle of the two values: the
    "basic" method of LightGBM, and that of scikit-learn. A value that is clipped is scored by the
    loss that it leaves. `interaction_cst` limits the columns that a node may test by those above.

    Differs from stumps: a tree of depth one with real values is the stump of "real", but trees that
    vote are grown by real values, too, and stumps that vote are chosen by the edge. So with
    kind="discrete", and for the boosters whose rules always vote (LPBoost, LPUBoost, ERLPBoost,
    SoftBoost, TotalBoost, arc-gv, AdaBoost*, HullBoost, boost by majority), a tree of depth one may
    have a smaller edge than the best stump. A run with trees ends where no test is better than a
    constant; a stump is also taken where it is not.

    Examples
    --------
    >>> from underdog.learners import TreeLearner
    >>> TreeLearner(max_depth=2)
    TreeLearner(max_depth=2)
    """

    takes_parts: ClassVar[bool] = True

    greedy = True
    noun: ClassVar[str] = "tree"
    """What it finds, for messages."""
    keeps_constraints = True

    def __init__(
        self,
        kind: str = "real",
        max_depth: int | None = 3,
        max_leaf_nodes: int | None = None,
        min_samples_leaf: int = 1,
        min_weight_fraction_leaf: float = 0.0,
        growth: str = "best",
        split_criterion: str = "loss",
        subsample: float = 1.0,
        max_features: Any = None,
        cuts: str = "all",
        bootstrap: bool = False,
    ) -> None:
        self.kind = kind
        self.max_depth = max_depth
        self.max_leaf_nodes = max_leaf_nodes
        self.min_samples_leaf = min_samples_leaf
        self.min_weight_fraction_leaf = min_weight_fraction_leaf
        self.growth = growth
        self.split_criterion = split_criterion
        self.subsample = subsample
        self.max_features = max_features
        self.cuts = cuts
        self.bootstrap = bootstrap

    def check(self) -> None:
        check_choice("kind", self.kind, "real", "discrete")
        check_choice("growth", self.growth, "best", "depth")
        check_choice("split_criterion", self.split_criterion, "loss", "squared_error")
        check_sampling(self.subsample, self.max_features)
        check_choice("cuts", self.cuts, "all", "random")
        check_flag("bootstrap", self.bootstrap)
        if self.max_depth is not None:
            check_integer("max_depth", self.max_depth, 1)
        if self.max_leaf_nodes is not None:
            check_integer("max_leaf_nodes", self.max_leaf_nodes, 2)
        if self.max_depth is None and self.max_leaf_nodes is None:
            raise ValueError(
                "max_depth=None and max_leaf_nodes=None leave the size of trees without a limit: "
                "set one of them, for example max_leaf_nodes=31 for trees of any depth"
            )
        check_integer("min_samples_leaf", self.min_samples_leaf, 1)
        share = self.min_weight_fraction_leaf
        if not is_number(share) or not 0.0 <= share <= 0.5:
            raise ValueError(f"min_weight_fraction_leaf={share!r} must be a number from 0 to 0.5")

    def criterion(self, loss: Loss) -> Criterion:
        if self.split_criterion == "squared_error" and "least_squares_signal" not in loss.gives:
            raise ValueError(
                f"split_criterion='squared_error' needs a loss with gradients, which {loss!r} does "
                "not have: use split_criterion='loss', or a loss such as LogLoss()"
            )
        if loss.reads == "newton":
            return Newton()
        if loss.reads == "classes" and self.kind == "discrete":
            return ClassVote()
        votes = self.kind == "discrete" or loss.chooses_by == "votes"
        return Vote() if votes else criterion("real", loss.beta, loss.chooses_by)

    def start(self, run: Run) -> Memory:
        loss = run.parts.loss
        own = run.parts.criterion
        growth = own if own.final else criterion("real", loss.beta, "z")
        limits, rows = self._limits(run), run.rows
        by_squares = self.split_criterion == "squared_error"
        if run.constraints.directions is not None and (by_squares or len(run.state.signals) > 1):
            raise ValueError(
                "monotonic_cst is not supported for trees that are grown by one measure and speak "
                "by another (split_criterion='squared_error', or initial weights and other costs): "
                "use split_criterion='loss', stumps (learner='real' or 'discrete'), or one of both "
                "weightings"
            )
        by_class = loss.reads == "classes"
        if len(rows) > 1:
            grower: Grower | PathGrower = PathGrower(rows, run.constraints)
        elif rows.in_one_place:
            grower = Grower(rows, limits, run.constraints, by_class)
        else:
            grower = JointGrower(rows, limits, run.constraints, by_class)
        growth_signal = loss.least_squares_signal(rows) if by_squares else None
        sampler = Sampler(run, self.subsample, self.max_features, self.cuts, self.bootstrap)
        return Memory(run, grower, growth, limits, growth_signal, sampler)

    def _limits(self, run: Run) -> Limits:
        share, curvature = max(float(self.min_weight_fraction_leaf), run.least_block), 0.0
        if run.parts.loss.reads == "newton":
            by_loss = self.split_criterion == "loss"
            curvature = MIN_CURVATURE / run.rows.n_examples if by_loss else ANY_MASS
        depth = 1 << 20 if self.max_depth is None else self.max_depth
        leaves = self.max_leaf_nodes or 1 << min(depth, 20)
        leaves = min(leaves, 1 << min(depth, 20))
        best_first = self.growth == "best"
        return Limits(depth, leaves, self.min_samples_leaf, share, curvature, best_first)

    def fit(self, memory: Memory, question: Question) -> Proposal | Stop:
        asked, apart = question, memory.growth_signal
        if apart is not None:
            asked = question._replace(signals=(apart, *question.signals))
        sample = memory.sampler.draw(len(memory.run.state.members))
        found = self._grow(memory, asked, sample)
        if isinstance(found, Stop) and sample is not EVERYTHING:
            found = self._grow(memory, asked, EVERYTHING)
        if isinstance(found, Stop) or apart is None:
            return found
        return found._replace(sums=found.sums[1:], unit=found.unit[1:])

    def _grow(self, memory: Memory, question: Question, sample: Sample) -> Proposal | Stop:
        """A tree that is grown by the first signal, and whose leaves speak by the last."""
        if isinstance(memory.grower, PathGrower):
            return self._by_paths(memory, memory.grower, question, sample)
        return self._in_place(memory, memory.grower, question, sample)

    def _in_place(
        self, memory: Memory, grower: Grower, question: Question, sample: Sample
    ) -> Proposal | Stop:
        run, shard, collective = memory.run, memory.run.rows.shards[0], grower.collective
        fine = [fine_amounts(signal, shard) for signal in question.signals]
        both = np.empty((2, len(fine), *fine[0].shape[::2]), dtype=np.int64)
        for own, total, size in zip(fine, *both, strict=True):
            tree_counts.sum_amounts(own, total, size)
        totals, sizes = added(collective, both)
        units = tuple(map(weight_per_unit, question.signals, totals))
        growth, unit = fine[0], units[0]
        if sample.weights is not None:
            growth, unit = weigh(growth, shard.target.repeats, sample.weights[0]), unit * MAX_WEIGHT
            tree_counts.sum_amounts(growth, np.empty_like(totals[0]), sizes[0])
            sizes[0] = added(collective, sizes[0])
        shift = shifts(sizes[0], grower.examples, question.signals[0].reads)
        coarse = np.ldexp(unit, shift.astype(np.int32))
        smooth = run.smooth / question.signals[0].mass
        limits = memory.limits_for(totals[0], units[0])
        if sample.weights is None and _are_equal(question.signals[0]):
            one = int(growth[1, 0, 0]) // int(shard.target.repeats[0])
            limits = limits.by_mass(rounded(one, int(shift[1, 0])) * float(coarse[1, 0]))

        def grow(limits: Limits) -> Grown:
            return grower.grow(growth, shift, coarse, memory.growth, smooth, limits, sample)

        grown = grow(limits)
        if not memory.is_answer(len(grown.leaves)):
            return memory.stop(sample, limits, lambda other: len(grow(other).leaves))
        equal = [_are_equal(signal) for signal in question.signals]
        sums = self._sums(grower, fine, equal, grown.drawn)
        pruned = self._pruned(run, grown.leaves, sums[0] * units[0])
        if pruned is not None:
            grown = grown.joined(*pruned)
            sums = tuple(np.add.reduceat(own, pruned[1]) for own in sums)
        blocks = (grown.blocks(),)
        by, drawn = sums[-1], sample.rows
        if grown.others is not None:
            sums = tuple(map(np.add, sums, self._sums(grower, fine, equal, grown.others)))
        if memory.pays:
            by, drawn = sums[-1], None
        values = self._values(run, question, by, units[-1], grown.bounds, blocks, drawn)
        return Proposal(Tree(grown.leaves, values, grown.examples), blocks, sums, units)

    def _sums(
        self, grower: Grower, fine: Sequence[Integers], equal: Sequence[bool], spans: Spans
    ) -> tuple[Integers, ...]:
        """[leaf, channel, label]: the exact sums of the rows of all processes, for each signal."""
        pairs = zip(fine, equal, strict=True)
        own = tuple(grower.sum_leaves(each, spans, same) for each, same in pairs)
        return own if grower.collective is ALONE else tuple(added(grower.collective, np.stack(own)))

    def _by_paths(
        self, memory: Memory, grower: PathGrower, question: Question, sample: Sample
    ) -> Proposal | Stop:
        run, rows = memory.run, memory.run.rows
        totals = [rows.totals(signal) for signal in question.signals]
        units = tuple(map(weight_per_unit, question.signals, totals))
        limits = memory.limits_for(totals[0], units[0])
        growth, unit = question.signals[0], units[0]
        if sample.weights is not None:
            growth, unit = Weighted(rows, growth, sample.weights), unit * MAX_WEIGHT
        signal = CoarseSignal(rows, growth)
        coarse = np.ldexp(unit, signal.shift.astype(np.int32))
        smooth = run.smooth / signal.mass

        def grow(limits: Limits) -> tuple[Sequence[Path], Floats]:
            return grower.grow(signal, coarse, memory.growth, smooth, limits, sample)

        leaves, bounds = grow(limits)
        if not memory.is_answer(len(leaves)):
            return memory.stop(sample, limits, lambda other: len(grow(other)[0]))
        partition = rows.place(Tree(leaves, np.zeros((len(leaves), rows.n_labels))))
        sums = tuple(rows.sums(each, partition, len(leaves)) for each in question.signals)
        pruned = self._pruned(run, leaves, sums[0] * units[0])
        if pruned is not None:
            leaves, first = pruned
            partition = rows.place(Tree(leaves, np.zeros((len(leaves), rows.n_labels))))
            sums, bounds = tuple(np.add.reduceat(own, first) for own in sums), bounds[first]
        by, drawn = sums[-1], None if memory.pays else sample.rows
        if drawn is not None:
            by = rows.sums(Drawn(rows, question.signals[-1], drawn), partition, len(leaves))
        pairs = zip(cast(Sequence[Blocks], partition), rows.shards, strict=True)
        own = np.sum([one.examples(shard.target.repeats) for one, shard in pairs], axis=0)
        examples = added(rows.collective, own)
        values = self._values(run, question, by, units[-1], bounds, partition, drawn)
        return Proposal(Tree(leaves, values, examples), partition, sums, units)

    def _pruned(
        self, run: Run, leaves: Sequence[Path], masses: Floats
    ) -> tuple[Sequence[Path], list[int]] | None:
        """The leaves after pruning, and the first old leaf of each; None if nothing is pruned."""
        return None

    def _values(
        self,
        run: Run,
        question: Question,
        sums: Integers,
        unit: Floats,
        bounds: Floats,
        partition: tuple[Partition, ...],
        drawn: tuple[Flags, ...] | None,
    ) -> Floats:
        """What leaves say, by the weights of the last signal: of two, the one that is paid for."""
        own, loss, signal = run.parts.criterion, run.parts.loss, question.signals[-1]
        values = np.empty((len(sums), sums.shape[2]))
        criteria.fill(own.number, sums, unit, run.smooth / signal.mass, own.beta, values)
        if loss.centred:
            values -= values.mean(axis=1, keepdims=True)
        limited = run.constraints.directions is not None
        if limited:  # a vote keeps the bounds by its sign
            np.clip(values.T, *(bounds if own.final else np.sign(bounds)).T, out=values.T)
        if loss.refits_leaves:
            values = loss.leaf_values(signal, partition, drawn, sums * unit, values)
            if limited:
                values = kept_within(loss, values, bounds)
        return values


def _are_equal(signal: Signal) -> bool:
    """Whether every example has the same curvature."""
    return bool(getattr(signal, "equal_curvatures", False))
