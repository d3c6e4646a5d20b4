"""The learner of alternating decision trees: the best test under any prediction node."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from underdog.checks import check_choice
from underdog.core import (
    Criterion,
    Hypothesis,
    Learner,
    Loss,
    Partition,
    Proposal,
    Question,
    Run,
    Signal,
    Stop,
    Test,
    every_row,
)
from underdog.hypotheses import Tree
from underdog.hypotheses.alternating import (
    PathKey,
    PredictionNodes,
    are_apart,
    key_of,
    missing_test,
    rule_under,
)
from underdog.kernels import criteria
from underdog.learners.abstaining import blocks_of, count_examples, proposal_of
from underdog.learners.candidates import Candidates
from underdog.learners.choice import Choice
from underdog.learners.known import KnownChoice
from underdog.learners.stump import NO_TEST, TOO_LIGHT, StumpLearner
from underdog.types import Floats, Indices, Integers

BUDGET = 1 << 30
"""Maximum bytes of the sums of all prediction nodes; those of further nodes are counted when they
are needed."""


class Best(NamedTuple):
    """The best test under a prediction node."""

    test: Test
    sums: Integers
    """[side, channel, label]: where it is false, and where it is true."""
    gain: float
    """By how much it lowers the score of the criterion, as a share of the weight of the node."""


@dataclass
class NodeSums:
    """A prediction node, with the sums of its rows."""

    key: PathKey
    rows: Sequence[Indices]
    """Of each shard."""
    choice: Choice | None
    """None above the memory budget."""
    totals: Integers | None = None
    """[channel, label]; None until they are counted."""
    best: Best | None = None
    has_tests: bool = False

    def share(self, unit: Floats, is_newton: bool) -> float:
        """Weight of the rows, if all weights sum to one; 1 for gradients."""
        return 1.0 if is_newton or self.totals is None else float((self.totals * unit).sum())

    def gain(self, unit: Floats, is_newton: bool) -> float:
        """By how much the best test lowers the score; -inf if there is no test."""
        return -np.inf if self.best is None else self.share(unit, is_newton) * self.best.gain


@dataclass
class AlternatingMemory:
    """The state of the learner in one run: all prediction nodes."""

    run: Run
    signal: Signal
    candidates: Candidates
    kind: type[Choice]
    paths: PredictionNodes = field(default_factory=PredictionNodes)
    nodes: list[NodeSums] = field(default_factory=list)
    moved: PathKey | None = None
    """The prediction node whose rows the last rule moved; None if it is not known."""
    version: int = -1
    """Of the signal, when the best tests were found."""
    bytes_kept: int = 0

    @property
    def criterion(self) -> Criterion:
        return self.run.parts.criterion

    @property
    def is_newton(self) -> bool:
        return self.criterion.reads == "newton"

    def add(self, number: int, rows: Sequence[Indices]) -> None:
        """Add a prediction node; its sums are kept if they fit the budget."""
        layout, signal = self.run.rows.layout, self.signal
        cells = signal.n_channels * layout.n_cells * self.run.rows.n_labels
        counted = sum(shard.encoded.n_rows for shard in self.run.rows.shards)
        size = 8 * (cells + len(self.candidates)) + counted + sum(own.nbytes for own in rows)
        node = NodeSums(key_of(self.paths.paths[number]), rows, None)
        if self.bytes_kept + size <= BUDGET or not self.nodes:
            node.choice = self.count(node)
            self.bytes_kept += size
        self.nodes.append(node)

    def count(self, node: NodeSums) -> Choice:
        """A choice among all tests under a node."""
        rows, run = node.rows if node.key else None, self.run
        return self.kind(run.rows, self.signal, self.candidates, run.workers, under=rows)

    def is_unchanged(self, node: NodeSums) -> bool:
        """Whether the last rule moved none of the rows of a node, and no unit of weight."""
        change = self.signal.change
        if self.signal.version == self.version:
            return True
        if change is None or change.since != self.version or change.any_fresh:
            return False
        if self.moved is None or change.steps[change.blocks[0].rest].any():
            return False
        return are_apart(node.key, self.moved)

    def admits(self, sums: Integers, unit: Floats) -> bool:
        """Whether both sides have the minimum share of the weight of all rows."""
        least = self.run.least_block
        if not least:
            return True
        masses = sums * unit
        if not self.is_newton:
            return bool(masses.sum(axis=(1, 2)).min() >= least)
        root = self.nodes[0].totals
        assert root is not None
        return bool(masses[:, 1].sum(axis=1).min() >= least * (root[1] * unit[1]).sum())


class AlternatingLearner(Learner):
    r"""Finds the best test under any prediction node of an alternating decision tree.

    A rule tests the rows that reach one prediction node, and abstains on all others. Its two sides
    are prediction nodes for later rounds. With the exponential loss it is the rule with the least
    :math:`Z = r + 2 \sum_b \sqrt{W_+ W_-}`, where b are the two sides and r is the weight of the
    rows that do not reach the node; the sides say :math:`\frac12 \ln\frac{W_+ + e}{W_- + e}`. With
    Newton steps it is the rule that gains most over the best constant for the rows of its node.

    Parameters
    ----------
    grow : {"all", "root", "singles"}, default="all"
        Under which prediction nodes tests are added: all of them, the root only, or the root and
        those that have no test yet.
    missing : {"side", "neither"}, default="side"
        Where rows with a missing value in the column of a test go: to the better side, or to
        neither of them. With "neither" no test may reach the rows that have most to gain, so a
        round may change the value of the root instead, unless steps are Newton's.

    Notes
    -----
    There are sums of weights for every prediction node, which are updated by the rows that a round
    moves. So a round takes time for the rows under its node, once for every prediction node that
    these rows reach. Sums of all nodes take up to 1 GiB; beyond that, the sums of further nodes are
    counted in the rounds in which they change. The model is the same.

    References
    ----------
    Freund and Mason, "The alternating decision tree learning algorithm", ICML 1999. Holmes,
    Pfahringer, Kirkby, Frank and Hall, "Multiclass alternating decision trees", ECML 2002.

    Examples
    --------
    >>> from underdog.learners import AlternatingLearner
    >>> AlternatingLearner(grow="root")
    AlternatingLearner(grow='root')
    """

    def __init__(self, grow: str = "all", missing: str = "side") -> None:
        self.grow = grow
        self.missing = missing

    def check(self) -> None:
        check_choice("grow", self.grow, "all", "root", "singles")
        check_choice("missing", self.missing, "side", "neither")

    def criterion(self, loss: Loss) -> Criterion:
        return StumpLearner().criterion(loss)

    def start(self, run: Run) -> AlternatingMemory:
        kind = Choice if self.missing == "side" else KnownChoice
        candidates = Candidates(run.rows.layout)
        memory = AlternatingMemory(run, run.state.signals[0], candidates, kind)
        memory.add(0, [every_row(shard.encoded.n_rows) for shard in run.rows.shards])
        for member in run.state.members:
            self.accepted(memory, member.hypothesis)
        return memory

    def accepted(self, memory: AlternatingMemory, hypothesis: Hypothesis) -> None:
        hung = memory.paths.add(hypothesis) if isinstance(hypothesis, Tree) else None
        memory.moved = None
        if hung is None:  # a constant, or a rule of another learner
            return
        node = memory.nodes[hung.node]
        memory.moved = node.key
        if not hung.is_new:
            return
        node.has_tests = True
        known = self.missing == "neither"
        sides = [_divide(memory, node, hung.test, number, known) for number in range(2)]
        for child, rows in zip(hung.children, sides, strict=True):
            if self.grow == "root":
                memory.nodes.append(NodeSums((), (), None, has_tests=True))
            else:
                memory.add(child, rows)
        if self.grow == "singles" and hung.node:
            node.choice = node.best = None

    def _open(self, memory: AlternatingMemory) -> list[NodeSums]:
        """The prediction nodes under which a test may be added, the root first."""
        root, *others = memory.nodes
        if self.grow == "root":
            return [root]
        return [root, *(node for node in others if self.grow == "all" or not node.has_tests)]

    def fit(self, memory: AlternatingMemory, question: Question) -> Proposal | Stop:
        if not len(memory.candidates):
            return Stop(NO_TEST)
        nodes = self._open(memory)
        unit, smooth = self._update(memory, nodes)
        gains = np.array([node.gain(unit, memory.is_newton) for node in nodes])
        if self._root_gain(memory, unit, smooth) > max(float(gains.max()), 0.0) + criteria.TIE:
            return self._propose_root_value(memory, question, unit, smooth)
        if gains.max() == -np.inf:
            return Stop(TOO_LIGHT)
        tie = criteria.TIE * (abs(float(gains.max())) if memory.is_newton else 1.0)
        node = nodes[int(np.flatnonzero(gains >= gains.max() - tie)[0])]
        return self._propose(memory, question, node, unit, smooth)

    def _update(self, memory: AlternatingMemory, nodes: Sequence[NodeSums]) -> tuple[Floats, float]:
        """Find the best test under each node; returns the unit of weight and the smoothing."""
        root, signal = memory.nodes[0], memory.signal
        assert root.choice is not None
        root.choice.update()
        root.totals = root.choice.totals.copy()
        unit = root.choice.unit.copy()
        smooth = memory.run.smooth / signal.mass
        for node in nodes:
            if memory.is_unchanged(node) and node.totals is not None:
                if node.choice is not None:
                    node.choice.skip()
                if node is not root or node.best is not None:
                    continue
            self._search(memory, node, unit, smooth)
        memory.version = signal.version
        return unit, smooth

    def _search(
        self, memory: AlternatingMemory, node: NodeSums, unit: Floats, smooth: float
    ) -> None:
        """Find the best test under a node."""
        choice = node.choice or memory.count(node)
        criterion = memory.criterion
        choice.update_sums()
        node.totals = choice.totals.copy()
        share = max(node.share(unit, memory.is_newton), np.finfo(float).tiny)
        np.divide(unit, share, out=choice.unit)
        smooth = smooth / share
        masses = node.totals * choice.unit
        nothing = np.zeros(masses.shape[-1])
        without = (
            criterion.score(masses, smooth)
            if memory.is_newton
            else criterion.score_at(masses, nothing, smooth)
        )
        node.best = None
        found = choice.best(criterion, smooth)
        others = iter(()) if found is None else choice.next_best()
        while found is not None:
            sums, score = choice.sums(found), choice.score
            if memory.admits(sums, unit):
                node.best = Best(found, sums, float(without) - score)
                return
            found = next(others, None)

    def _root_gain(self, memory: AlternatingMemory, unit: Floats, smooth: float) -> float:
        """By how much another value of the root lowers the score; never more than a test under the
        root that all rows take part in.
        """
        totals = memory.nodes[0].totals
        if self.missing == "side" or memory.is_newton or totals is None:
            return -np.inf
        masses, nothing = totals * unit, np.zeros(totals.shape[-1])
        own = memory.criterion
        return float(own.score_at(masses, nothing, smooth) - own.score(masses, smooth))

    def _propose_root_value(
        self, memory: AlternatingMemory, question: Question, unit: Floats, smooth: float
    ) -> Proposal:
        run, totals = memory.run, memory.nodes[0].totals
        assert totals is not None
        sums = totals[np.newaxis]
        partition = run.rows.place(Tree.constant(np.zeros((1, run.rows.n_labels))))
        values = _values(memory, sums, partition, unit, smooth)
        rule = Tree(((),), values, np.array([run.rows.n_examples]))
        return proposal_of(run, question, rule, partition, sums, unit)

    def _propose(
        self,
        memory: AlternatingMemory,
        question: Question,
        node: NodeSums,
        unit: Floats,
        smooth: float,
    ) -> Proposal:
        run, best, root = memory.run, node.best, memory.nodes[0]
        assert best is not None
        assert root.totals is not None
        test, known = best.test, self.missing == "neither"
        path = memory.paths.paths[memory.nodes.index(node)]
        guard = missing_test(test.column, run.rows.layout.schema) if known else None
        sides = [_divide(memory, node, test, number, known) for number in range(2)]
        counts = [count_examples(run, own) for own in sides]
        if known:
            test.inside[-1] = 0
        elif not run.rows.layout.missing[test.column]:  # never missing in training: the larger side
            test.inside[-1] = int(counts[1] > counts[0])
        rest = root.totals - best.sums.sum(axis=0)
        abstains = bool(path) or known
        sums = np.concatenate([rest[np.newaxis], best.sums]) if abstains else best.sums
        examples = np.array([run.rows.n_examples - sum(counts), *counts][not abstains :])
        partition: tuple[Partition, ...]
        if abstains:
            partition = tuple(blocks_of(*pair) for pair in zip(*sides, strict=True))
        else:
            partition = run.rows.place(Tree.stump(test, np.zeros((2, run.rows.n_labels))))
        values = _values(memory, sums, partition, unit, smooth)
        if abstains:
            values[0] = 0.0
        rule = rule_under(path, test, values, examples, guard)
        return proposal_of(run, question, rule, partition, sums, unit)


def _values(
    memory: AlternatingMemory,
    sums: Integers,
    partition: tuple[Partition, ...],
    unit: Floats,
    smooth: float,
) -> Floats:
    """(blocks, K) what a rule says, given sums[block, channel, label]."""
    values = np.empty((len(sums), sums.shape[2]))
    own, loss = memory.criterion, memory.run.parts.loss
    criteria.fill(own.number, sums, unit, smooth, own.beta, values)
    if loss.centred:
        values -= values.mean(axis=1, keepdims=True)
    if loss.refits_leaves:
        values = loss.leaf_values(memory.signal, partition, None, sums * unit, values)
    return values


def _divide(
    memory: AlternatingMemory, node: NodeSums, test: Test, answer: int, known: bool
) -> list[Indices]:
    """The rows of a node on one side of a test, for each shard.

    If `known`, rows with a missing value are on neither side.
    """
    side = test.inside == answer
    if known:
        side[-1] = False
    shards = memory.run.rows.shards
    return [
        rows[side[shard.encoded.bins_of_rows(test.column, rows)]]
        for shard, rows in zip(shards, node.rows, strict=True)
    ]
