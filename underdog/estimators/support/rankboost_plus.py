"""RankBoost+: a rule that ties the rows of a pair has a cost, too.

The objective is the mean over pairs of the product over rules r of exp(-eta_r d), d = h_r(above) -
h_r(below), or of cosh(eta_r) where d = 0. Here eta_r is the sum of all coefficients of the rule, so
a rule can be corrected. The factors of ties are no products of factors of rows: pairs are listed.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, cast

import numpy as np

from underdog.combiners.stagewise import Stagewise, StagewiseMemory
from underdog.core import (
    Blocks,
    Criterion,
    Loss,
    Measured,
    Member,
    Move,
    Partition,
    Proposal,
    Question,
    Rows,
    Run,
    Shard,
    Stop,
    Target,
    Test,
)
from underdog.data import Layout
from underdog.kernels import criteria
from underdog.kernels.elementary import log
from underdog.kernels.sums import bounded_exp
from underdog.learners.criteria import SignEdge
from underdog.learners.stump import NO_TEST, StumpLearner, StumpMemory
from underdog.losses.compared import UNIT_BITS, ListedPairs, repeats_of_pairs
from underdog.losses.pairwise import PairSignal, PairwiseExponential
from underdog.types import Floats, Integers

MAX_PAIRS = 1 << 25
"""With more pairs than this their list would take gigabytes."""
LEAST_FALL = 1e-12
"""Sums over many pairs, rounded to 2**-52, differ by some hundredths of it."""
NO_FALL = "a step along the best rule does not lower the loss by more than rounding"
TOO_HIGH = 2.0
"""At this learning rate a step goes twice as far as the best one, and may lower nothing."""


def key_of(test: Test, layout: Layout) -> tuple[int, bytes]:
    """What tells a rule from others: on which side the values of a column are that occur."""
    inside = test.inside if layout.missing[test.column] else test.inside[:-1]
    return test.column, inside.tobytes()


@dataclass
class PlusMemory(StagewiseMemory):
    """The sum of the coefficients of each rule so far, and its test."""

    eta: dict[tuple[int, bytes], float] = field(default_factory=dict)
    tests: dict[tuple[int, bytes], Test] = field(default_factory=dict)


class PlusPairs(ListedPairs):
    """Listed pairs, with the factors of ties."""

    def tie(self, tied: Any, change: float) -> None:
        """Multiply the weights of tied pairs by exp(change)."""
        self._logs = self._logs + np.where(tied, change, 0.0)

    def tied(self, blocks: Integers) -> Any:
        """(P,) whether both rows of a pair are in one block."""
        return blocks[self._above] == blocks[self._below]


class PlusSignal(PairSignal):
    """The weights of RankBoost+, which depend on the ties of all rules, too."""

    def _compare(self, rows: Rows) -> list[Any]:
        targets = [_listed(shard.target) for shard in rows.shards]
        count = int(sum(int(repeats_of_pairs(target).sum()) for target in targets))
        return [PlusPairs(target, UNIT_BITS - count.bit_length()) for target in targets]

    def tie(self, partition: tuple[Partition, ...], change: float) -> None:
        """A rule with these blocks changes the factor of its ties by exp(change)."""
        for shard, compared, own in zip(self.rows.shards, self._compared, partition, strict=True):
            pairs = cast(PlusPairs, compared)
            pairs.tie(pairs.tied(_blocks(shard, own)), change)


def _blocks(shard: Shard, partition: Partition) -> Integers:
    return cast(Blocks, partition).of_row(shard.encoded.n_rows)


def _listed(target: Target) -> Target:
    """The target with a list of all its pairs."""
    if target.pairs is not None:
        return target
    order, starts, query_starts = target.segments()
    ends = starts[query_starts]
    after = np.repeat(ends[1:], np.diff(ends))
    last = np.repeat(starts[1:], np.diff(starts))  # where the next grade starts, of each place
    counts = after - last
    if counts.sum() > MAX_PAIRS:
        raise ValueError(
            f"step='plus' lists all pairs, and there are {int(counts.sum()):,}, more than "
            f"{MAX_PAIRS:,}: use step='best', which lists none"
        )
    below = np.repeat(np.arange(len(order)), counts)
    offset = np.arange(len(below)) - np.repeat(np.cumsum(counts) - counts, counts)
    above = last[below] + offset
    return replace(target, pairs=np.stack([order[above], order[below]], axis=1).astype(np.int64))


class Sides:
    """W+, W- and W0: the weights of pairs that a rule raises, lowers and ties."""

    def __init__(self, between: Floats, eta: float) -> None:
        self.right, self.wrong = float(between[0, 1]), float(between[1, 0])
        self.tied, self.eta = float(between[0, 0] + between[1, 1]), eta

    @property
    def slope(self) -> float:
        """How fast the objective falls with eta."""
        return self.right - self.wrong - self.tied * math.tanh(self.eta)

    def step(self, smooth: float) -> float:
        """The change of eta with the least objective."""
        e = max(smooth, criteria.MIN_WEIGHT)
        falls = self.tied / (1.0 + math.exp(2.0 * self.eta))
        rises = self.tied / (1.0 + math.exp(-2.0 * self.eta))
        return 0.5 * float(log(self.right + falls + e) - log(self.wrong + rises + e))

    def factor(self, change: float) -> float:
        """What a change of eta multiplies the objective by."""
        ties = self.tied * math.exp(log_cosh(self.eta + change) - log_cosh(self.eta))
        return self.right * math.exp(-change) + self.wrong * math.exp(change) + ties


def log_cosh(x: float) -> float:
    """ln cosh(x), for numbers of any size."""
    return abs(x) + math.log1p(math.exp(-2.0 * abs(x))) - math.log(2.0)


class PairwisePlus(PairwiseExponential):
    """The objective of RankBoost+."""

    def make_signal(self, rows: Rows, costly: bool = False) -> PlusSignal:
        return PlusSignal(rows)

    def measure(self, run: Run, proposal: Proposal, coefficient: float) -> Measured:
        rule: Any = proposal.hypothesis
        if rule.test is None:  # a constant, because there is nothing to learn
            return super().measure(run, proposal, coefficient)
        steps = np.empty_like(rule.values)
        size = criteria.on_grid(rule.values, coefficient, steps)
        signal: Any = run.state.signals[0]
        sides = Sides(
            signal.block_pairs(proposal.partition, 2),
            run.memory.eta.get(key_of(rule.test, run.rows.layout), 0.0),
        )
        z = max(sides.factor(float(steps[1, 0] - steps[0, 0])), criteria.MIN_Z)
        loss = bounded_exp(signal.log_loss + float(log(z)))
        return Measured(steps, size, {"edge": sides.slope, "z": z, "loss": loss})


class PlusSteps(Stagewise):
    """The coefficients of RankBoost+."""

    def start(self, run: Run) -> PlusMemory:
        return PlusMemory()

    def step(self, run: Run, question: Question, proposal: Proposal) -> Move | Stop:
        signal: Any = question.signals[0]
        rule: Any = proposal.hypothesis
        eta = run.memory.eta.get(key_of(rule.test, run.rows.layout), 0.0)
        change = Sides(signal.block_pairs(proposal.partition, 2), eta).step(run.smooth)
        answer = self.finish(run, question, proposal, 0.5 * change)
        if isinstance(answer, Move):
            if answer.facts["z"] > 1.0 - LEAST_FALL:
                high = f": use a learning_rate below {TOO_HIGH:g}"
                return Stop(NO_FALL + (high if self.learning_rate >= TOO_HIGH else ""))
            self._remember(run, rule.test, proposal.partition, answer.steps)
        return answer

    def _remember(
        self, run: Run, test: Test, partition: tuple[Partition, ...], steps: Floats
    ) -> None:
        """Add a step to the coefficient of its rule, and to the factors of its ties."""
        key, memory = key_of(test, run.rows.layout), run.memory
        signal = cast(Any, run.state.signals[0])
        before = memory.eta.get(key, 0.0)
        memory.eta[key] = before + float(steps[1, 0] - steps[0, 0])
        memory.tests[key] = test
        signal.tie(partition, log_cosh(memory.eta[key]) - log_cosh(before))

    def resume(self, run: Run, members: Sequence[Member], path: Sequence[Floats]) -> None:
        super().resume(run, members, path)
        for member in members:
            rule: Any = member.hypothesis
            if rule.test is not None:
                self._remember(run, rule.test, run.rows.place(rule), member.steps)
        run.state.signals[0].restart()


class PlusStumps(StumpLearner):
    """Votes of stumps, chosen by how fast the objective of RankBoost+ falls.

    A rule that is not in the model has no coefficient yet, and the objective falls by its edge;
    the others are looked at one by one.
    """

    takes_parts: ClassVar[bool] = False

    def __init__(self) -> None:
        super().__init__("discrete")

    def criterion(self, loss: Loss) -> Criterion:
        return SignEdge()

    def fit(self, memory: StumpMemory, question: Question) -> Proposal | Stop:
        choice, known = memory.choices[0], memory.run.memory
        layout = memory.run.rows.layout
        choice.update()
        best = choice.best(memory.criterion, memory.smooth())
        if best is None:
            return Stop(NO_TEST)
        found: Test | None = best
        steepest = -float(choice.scores.min())
        if key_of(best, layout) in known.eta:
            found, steepest = None, 0.0
            for test in choice.next_best():
                if key_of(test, layout) not in known.eta:
                    found, steepest = test, -float(choice.scores.min())
                    break
        signal: Any = question.signals[0]
        for key, test in known.tests.items():
            partition = memory.run.rows.place(self._rule(test))
            slope = abs(Sides(signal.block_pairs(partition, 2), known.eta[key]).slope)
            if found is None or slope > steepest + criteria.TIE:
                found, steepest = test, slope
        sums = (choice.sums(cast(Test, found)),)
        return self._propose(memory, cast(Test, found), np.array([[-1.0], [1.0]]), sums)

    @staticmethod
    def _rule(test: Test) -> Any:
        from underdog.hypotheses import Tree

        return Tree.stump(test, np.array([[-1.0], [1.0]]))
