"""The base class of totally corrective combiners, which compute all coefficients every round."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from underdog.checks import as_float, check_positive
from underdog.core import (
    AskAgain,
    Blocks,
    Combiner,
    Hypothesis,
    LabelBlocks,
    Loss,
    Member,
    Partition,
    Proposal,
    Question,
    Refit,
    Run,
    RunRecord,
    Stop,
)
from underdog.data.hashing import Keys, mix
from underdog.data.keys import row_keys
from underdog.losses.soft_margin import Distribution
from underdog.masters.groups import Groups
from underdog.masters.linear import Solution, SolverError
from underdog.types import Floats, Integers

NOISE = 1e-8
"""Smaller differences between edge and margin are rounding errors of weights and solver."""
FINEST = 2.0**-20
"""Values of hypotheses are multiples of this."""
ROUNDING = 1e-6
"""By how much a sum of coefficients may differ from 1, or an edge exceed 1."""
NO_OUTPUT = "the best rule says nothing: its values are 0"
FAILED = "the solver failed"
NO_BETTER_TREE = "no better tree was found"
MOST_ROWS_OF_TREES = 20_000
"""Trees soon separate all rows from each other, and then the master problem has a variable per row.

With 20,000 rows of 50 numbers and depth 3, 50 rounds of linear programmes take 4 s and 40 MB, 150
rounds 30 s and 100 MB; 50 rounds with relative entropy take 15 s, and 150 rounds several minutes.
"""

Whole = TypeVar("Whole", np.int64, np.uint64)


def blocks_of(partition: tuple[Partition, ...]) -> Blocks:
    """The blocks of the only shard; a master problem cannot have more shards."""
    own = partition[0]
    if isinstance(own, LabelBlocks):  # from a classifier of another library, with one label
        return Blocks.of_two(np.flatnonzero(own.block[:, 0] == 1).astype(np.int32), 1)
    return cast(Blocks, own)


@dataclass
class CorrectiveMemory:
    """The state of a corrective run in addition to its scores.

    Attributes
    ----------
    weights : Distribution
        The signal, whose weights the master problem sets.
    row_keys, repeats : (n,)
    solver : Any
        The state of the solver, which depends on the combiner.
    best_edge : float
        The smallest edge of the learner's proposals so far. If the learner is exact, no combination
        of its hypotheses has a larger soft margin.
    last_edge : float
        The edge of the last proposal.
    optimum : Solution, optional
        The solution of the last round.
    converged : bool
    """

    weights: Distribution
    row_keys: Keys
    repeats: Integers
    solver: Any = None
    best_edge: float = math.inf
    last_edge: float = math.inf
    optimum: Solution | None = None
    converged: bool = False

    @property
    def groups(self) -> Groups:
        return self.weights.groups

    def with_rest_by_key(self, blocks: Blocks) -> Blocks:
        """The same blocks; of several largest ones, the rest is the one with the highest key."""
        examples = _sums(self.repeats, blocks)
        alike = np.flatnonzero(examples == examples[blocks.rest])
        if len(alike) == 1:
            return blocks
        keys = mix(_sums(self.row_keys, blocks))
        rest = max(alike.tolist(), key=lambda block: (keys[block], block == blocks.rest))
        return _relisted(blocks, rest, len(self.repeats))

    def keys(self, hypothesis: Hypothesis, blocks: Blocks) -> Keys:
        """A key for each block, from its rows and value; their sum is the key of the hypothesis."""
        values = np.rint(hypothesis.values[:, 0] * 2.0**30).astype(np.int64)
        return mix(mix(_sums(self.row_keys, blocks)) + values.view(np.uint64))

    def has(self, hypothesis: Hypothesis, blocks: Blocks) -> bool:
        """Whether a hypothesis has the same values as a member on all rows.

        Equal keys are not enough: columns that are mirror images of each other have equal keys.
        """
        groups = self.groups
        key = np.sum(self.keys(hypothesis, blocks), dtype=np.uint64)
        same_key = np.flatnonzero(groups.hypothesis_keys == key).tolist()
        if not same_key:
            return False
        values = hypothesis.values[:, 0]
        by_row = np.full(len(groups.of_row), values[blocks.rest])
        by_row[blocks.rows] = np.repeat(values, np.diff(blocks.ends, prepend=0))
        return any(
            np.array_equal(groups.answers(number)[groups.of_row], by_row) for number in same_key
        )

    def split(self, hypothesis: Hypothesis, blocks: Blocks) -> Integers:
        """Split the groups by a hypothesis; returns the parent of each new group."""
        keys = self.keys(hypothesis, blocks)
        return self.groups.split(*self.with_rest_by_key(blocks), hypothesis.values[:, 0], keys)


def _sums(amounts: NDArray[Whole], blocks: Blocks) -> NDArray[Whole]:
    """(B,) sums of integers over the rows of each block; they may wrap around."""
    result = np.zeros(len(blocks.ends), dtype=amounts.dtype)
    for block, rows in enumerate(np.split(blocks.rows, blocks.ends[:-1])):
        result[block] = amounts[rows].sum()
    result[blocks.rest] = np.subtract(amounts.sum(keepdims=True), result.sum(keepdims=True))[0]
    return result


def _relisted(blocks: Blocks, rest: int, n_rows: int) -> Blocks:
    """The same blocks with another block as the rest."""
    if rest == blocks.rest:
        return blocks
    unlisted = np.ones(n_rows, dtype=bool)
    unlisted[blocks.rows] = False
    lists = np.split(blocks.rows, blocks.ends[:-1])
    lists[blocks.rest] = np.flatnonzero(unlisted).astype(np.int32)
    lists[rest] = lists[rest][:0]
    return Blocks(np.concatenate(lists), np.cumsum([len(rows) for rows in lists]), rest)


def of_size_one(hypothesis: Hypothesis) -> Hypothesis:
    """The hypothesis scaled to a largest value of 1, in steps of `FINEST`.

    Smaller differences come from the last digits of the weights. Two hypotheses with only such
    differences would make the master problem almost singular.
    """
    scaled = np.rint(hypothesis.values / np.abs(hypothesis.values).max() / FINEST) * FINEST
    return cast(Hypothesis, replace(cast(Any, hypothesis), values=scaled))


def maximises_edge(run: Run) -> bool:
    """Whether the learner always finds the hypothesis with the greatest edge."""
    return run.parts.criterion.maximises_edge and not run.least_block


class Corrective(Combiner):
    """Computes the coefficients of all hypotheses and the weights of the next round together.

    Hypotheses are scaled to a largest absolute value of 1, so that edges and margins are in
    [-1, 1], and tolerances mean the same for all learners.

    Parameters
    ----------
    tol : float, default=0.01
        The run has converged when the best edge exceeds the soft margin by at most tol.
    """

    needs: ClassVar[tuple[str, ...]] = ("make_signal", "constant", "box")
    such_as: ClassVar[str] = "SoftMargin()"
    takes_disk: ClassVar[bool] = False
    facts: ClassVar[tuple[str, ...]] = (
        "edge", "loss", "primal_value", "dual_value", "best_edge", "hypotheses"
    )  # fmt: skip

    def __init__(self, tol: float = 0.01) -> None:
        self.tol: float = as_float(tol)

    def check(self) -> None:
        check_positive("tol", self.tol, zero=True)

    def start(self, run: Run) -> CorrectiveMemory:
        weights = cast(Distribution, run.state.signals[0])
        shard = run.rows.only
        self._check_rows(run, shard.encoded.n_rows)
        sign, repeats = shard.target.sign, shard.target.repeats
        return CorrectiveMemory(weights, row_keys(shard.encoded, sign, repeats), repeats)

    def _check_rows(self, run: Run, rows: int) -> None:
        """Refuse trees on more rows than the master problem can have variables."""
        if run.parts.learner.greedy and rows > MOST_ROWS_OF_TREES:
            raise ValueError(
                f"{rows:,} rows are too many for trees with {type(self).__name__}, at most "
                f"{MOST_ROWS_OF_TREES:,} are possible: give fewer rows, use stumps "
                '(learner="real.mh"), or boost trees with GradientBoostingClassifier'
            )

    def ask(self, run: Run) -> Question:
        return Question(run.state.signals, row_keys=run.memory.row_keys)

    def step(self, run: Run, question: Question, proposal: Proposal) -> Refit | AskAgain | Stop:
        memory: CorrectiveMemory = run.memory
        size = float(np.abs(proposal.hypothesis.values).max())
        if size == 0.0:
            return Stop(NO_OUTPUT)
        edge = proposal.edge() / size
        memory.last_edge = edge
        memory.best_edge = min(memory.best_edge, edge)
        if self.has_converged(run, edge):
            memory.converged = True
            return Stop(self.verdict(run))
        hypothesis, blocks = of_size_one(proposal.hypothesis), blocks_of(proposal.partition)
        if memory.has(hypothesis, blocks):
            return self.repeated(run)
        return self._add(run, hypothesis, blocks, edge)

    def repeated(self, run: Run) -> AskAgain | Stop:
        """Converged: the best hypothesis is already a member."""
        run.memory.converged = True
        return Stop(self.verdict(run))

    def make_move(
        self, run: Run, question: Question, proposal: Proposal, coefficient: float
    ) -> Refit:
        hypothesis = of_size_one(proposal.hypothesis)
        memory: CorrectiveMemory = run.memory
        edge = proposal.edge() / float(np.abs(proposal.hypothesis.values).max())
        memory.last_edge = edge
        memory.best_edge = min(memory.best_edge, edge)
        answer = self._add(run, hypothesis, blocks_of(proposal.partition), edge)
        if isinstance(answer, Stop):
            raise SolverError(answer.reason)
        return answer

    def _add(self, run: Run, hypothesis: Hypothesis, blocks: Blocks, edge: float) -> Refit | Stop:
        """Add a hypothesis to the master problem and solve it."""
        memory: CorrectiveMemory = run.memory
        parents = memory.split(hypothesis, blocks)
        try:
            optimum, last = self.solve(run, parents)
        except SolverError as error:
            return Stop(f"{FAILED} ({error}): the model is that of the round before")
        memory.optimum = optimum
        memory.weights.set(optimum.weights)
        facts = {
            "edge": edge,
            "loss": -optimum.margin,
            "primal_value": optimum.margin,
            "dual_value": optimum.edge,
            "best_edge": memory.best_edge,
            "hypotheses": float(np.count_nonzero(optimum.coefficients)),
        }
        return Refit(hypothesis, optimum.coefficients, facts, last)

    def solve(self, run: Run, parents: Integers | None) -> tuple[Solution, str | None]:
        """The optimum of the master problem, and a reason to stop if there is one.

        Parameters
        ----------
        run : Run
        parents : array or None
            The parent of each group that the new hypothesis has split; None to start again with all
            hypotheses.
        """
        raise TypeError(f"{type(self).__name__} does not define solve()")

    def has_converged(self, run: Run, edge: float) -> bool:
        """Whether a hypothesis with this edge would improve the margin by at most tol."""
        optimum = run.memory.optimum
        return optimum is not None and edge <= optimum.edge + max(self.tol, NOISE)

    def verdict(self, run: Run) -> str:
        """The reason for stopping of a run that has converged."""
        memory: CorrectiveMemory = run.memory
        margin = memory.optimum.margin if memory.optimum is not None else 0.0
        if run.parts.learner.greedy:
            return (
                f"{NO_BETTER_TREE}: the soft margin is {margin:.4g}, and the smallest edge of any "
                f"tree so far exceeds it by no more than tol={self.tol:g}"
            )
        if margin > NOISE:
            return (
                f"converged: the soft margin is {margin:.4g}, and the best rule's edge is above it "
                f"by no more than tol={self.tol:g}"
            )
        if maximises_edge(run):
            best = memory.best_edge if memory.best_edge > NOISE else 0.0
            return f"no positive soft margin: no combination of rules has one above {best:.3g}"
        return (
            "the learner found no rule with an edge above the soft margin, which is "
            f"{margin if margin < -NOISE else 0.0:.3g}"
        )

    def resume(self, run: Run, members: Sequence[Member], path: Sequence[Floats]) -> None:
        memory: CorrectiveMemory = run.memory
        hypotheses = [member.hypothesis for member in members]
        partitions = [run.rows.place(hypothesis) for hypothesis in hypotheses]
        for hypothesis, partition in zip(hypotheses, partitions, strict=True):
            memory.split(hypothesis, blocks_of(partition))
        run.state.refit(hypotheses, partitions, path[-1])
        run.state.path = list(path)
        memory.best_edge = run.history.last("best_edge", math.inf)
        memory.last_edge = run.history.last("edge", math.inf)
        memory.optimum, _ = self.solve(run, None)
        memory.weights.set(memory.optimum.weights)

    def check_run(self, loss: Loss, record: RunRecord) -> None:
        super().check_run(loss, record)
        if not record.path:
            raise ValueError(
                f"the path of coefficients that {type(self).__name__} needs is missing"
            )
        for coefficients in record.path:
            if coefficients.min() < 0.0 or abs(coefficients.sum() - 1.0) > ROUNDING:
                raise ValueError("the coefficients of a round are negative or do not sum to 1")
        for values in (member.hypothesis.values for member in record.members):
            if np.abs(values).max() != 1.0 or (values % FINEST != 0.0).any():
                raise ValueError(
                    "the largest value of a rule is not 1, or a value is not a multiple of 2**-20"
                )
        for name in ("edge", "loss", "primal_value", "dual_value", "best_edge"):
            if bool((np.abs(record.history[name]) > 1.0 + ROUNDING).any()):
                raise ValueError(f"the history has an absolute value above 1 in {name!r}")
