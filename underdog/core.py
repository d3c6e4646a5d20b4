"""The nouns that every part shares: Target, Signal, Proposal, Move, Stop, State. No algorithm.

One round is a conversation. The combiner puts a question (signals: integer weights and how they
changed), the learner answers with a proposal (a hypothesis and its exact sums), the combiner says
how far to go (a move) or why not (a stop), and the state takes the step. Only the state writes
scores.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator

from underdog.files import Fields, Parameters
from underdog.kernels import rules, weights
from underdog.types import Codes, Floats, Indices, Integers

if TYPE_CHECKING:
    from underdog.data import Part, Table
    from underdog.workers import Workers

MOST_SCORE = 2.0**16
"""Largest sum of step sizes for which sums of scores are exact in float64."""


Confidence = Literal["leaf", "coefficient"]


class Component(BaseEstimator):  # type: ignore[misc]
    """A part with parameters: loss, learner, combiner or code."""

    def check(self) -> None:
        """Refuse parameters that make no sense; called before every fit."""

    def _to_file(self) -> dict[str, Any]:
        return {"parameters": Parameters.of(self)}

    @classmethod
    def _from_file(cls, fields: Fields) -> Any:
        made = cls(**fields.parameters(cls))
        made.check()
        return made


@dataclass(frozen=True)
class Target:
    """What is to be learned, one column per label.

    Attributes
    ----------
    sign : (n, K), 0 = negative, 1 = positive
    times : (n,)
        How many examples each row stands for (integer sample weights, else 1).
    log_prior : (n,)
        Logarithm of the relative initial weight, the largest being 0.
    examples : float
        m, the number of examples: the sum of the sample weights.
    log_cost : (n,), optional
        Logarithm of the relative cost of a mistake, where it differs from the initial weight.
    log_label : (2, K), optional
        Logarithm of the relative weight of each [sign, label], where they have different ones.
    """

    sign: Codes
    times: Integers
    log_prior: Floats
    examples: float
    log_cost: Floats | None = None
    log_label: Floats | None = None

    @property
    def n_labels(self) -> int:
        return int(self.sign.shape[1])


@dataclass
class Scores:
    """F = base + relative, exact: base is shared by all rows, so a round touches few of them."""

    base: Floats
    relative: Floats

    @classmethod
    def zero(cls, n_rows: int, n_labels: int) -> Scores:
        return cls(np.zeros(n_labels), np.zeros((n_rows, n_labels)))

    def full(self) -> Floats:
        return self.relative + self.base


class Change(NamedTuple):
    """Between versions `since` and `since + 1` the scores of `rows` moved by `step` against the
    rest; where fresh[sign, label] is set the unit of weight changed too."""

    since: int
    rows: Indices
    step: Floats
    fresh: Codes
    any_fresh: bool


class Signal(Protocol):
    """What a learner is asked with: integer weights that follow the scores."""

    version: int
    change: Change | None
    sign: Codes
    rate: Floats
    """(2,): how fast a weight falls with its margin, by sign."""

    def units(self, rows: Indices, first_label: int, out: Integers) -> None:
        """Integer weights of rows for labels first_label, first_label + 1, ..."""

    def deltas(self, rows: Indices, out: Integers, totals: Integers) -> None:
        """What `change` did to the integer weights of rows; added to totals[sign, label]."""

    def unit_weight(self, totals: Integers, out: Floats) -> None:
        """Real weight of one unit by [sign, label], such that all weights sum to one."""

    def follow(self, rows: Indices, step: Floats, touched: int, sums: Integers) -> None:
        """The scores of rows have moved by step; sums[block, sign, label] are from before."""

    def restart(self) -> None:
        """Every score has moved."""


class Partition(Protocol):
    """Which block of a hypothesis each row is in, and how to move scores by it."""

    def move(self, scores: Scores, steps: Floats) -> None:
        """Add steps[block, label] to the scores."""

    def follow(self, signal: Signal, steps: Floats, sums: Integers) -> None:
        """Tell a signal that the scores have moved."""

    def sums(self, signal: Signal) -> Integers:
        """Integer weights by [block, sign, label], counted from scratch."""

    def listed(self) -> tuple[Indices, int]:
        """Rows of one of the blocks, and which; for one label."""


class Hypothesis(Protocol):
    """A weak rule with two blocks; `values` are what it says there, before any coefficient."""

    @property
    def values(self) -> Floats:
        """(2, K): where the test is false, where it is true."""

    def partition(self, part: Part) -> Partition: ...

    def words(self, names: Any) -> str:
        """The question that the rule asks, as text."""


class Question(NamedTuple):
    """What the combiner asks: the first signal is the one to learn with.

    With `veto` a hypothesis must also have a positive edge under the second. With `row_keys` tests
    that are equally good are chosen by the rows on their sides, not by their column.
    """

    signals: tuple[Signal, ...]
    veto: bool = False
    row_keys: NDArray[np.uint64] | None = None


class Proposal(NamedTuple):
    """A learner's answer: a hypothesis and its sums under each signal of the question.

    sums[j][block, sign, label] are integers, unit[j][sign, label] the real weight of one unit when
    all weights sum to one. It is good for its round: what it points to may be used again.
    """

    hypothesis: Hypothesis
    partition: Partition
    sums: tuple[Integers, ...]
    unit: tuple[Floats, ...]

    def masses(self, signal: int = 0) -> Floats:
        """Real weights by [block, sign, label]."""
        result: Floats = self.sums[signal] * self.unit[signal]
        return result

    def edge(self, signal: int = 0) -> float:
        """Sum of D y h."""
        return float(rules.edge_of(self.hypothesis.values, self.sums[signal], self.unit[signal]))


class Move(NamedTuple):
    """Take the hypothesis with this coefficient; then stop if `last` gives a reason."""

    coefficient: float
    steps: Floats
    """coefficient times the hypothesis' values, on the score grid."""
    size: float
    """The largest of them."""
    facts: Mapping[str, float] = MappingProxyType({})
    last: str | None = None


class Refit(NamedTuple):
    """Take the hypothesis and give all of them new coefficients."""

    hypothesis: Hypothesis
    coefficients: Floats
    """(J,), that of the new hypothesis being the last."""
    facts: Mapping[str, float] = MappingProxyType({})
    last: str | None = None


class Again(NamedTuple):
    """Do not take the hypothesis, which is a member already; the weights have moved: ask again."""


class Stop(NamedTuple):
    """Do not take the hypothesis; end the run for this reason."""

    reason: str


class Member(NamedTuple):
    """A hypothesis in the model and what it adds to the score: steps[block, label], on the grid."""

    hypothesis: Hypothesis
    coefficient: float
    steps: Floats
    size: float
    """The largest step."""


class Learner(Component):
    """Asked with a question, answers with a proposal, or with a reason why there is none."""

    def confidence(self, loss: Loss) -> Confidence:
        """Whether a hypothesis' values are final ("leaf") or wait for a "coefficient".

        Said once, so that nothing is counted twice.
        """
        raise TypeError(f"{type(self).__name__} does not define confidence()")

    def start(self, run: Run) -> Any:
        """Memory for one run; it belongs to the run, not to the learner."""
        raise TypeError(f"{type(self).__name__} does not define start()")

    def excess(self, loss: Loss) -> float | None:
        """By how much scores end above those of the least loss, for probabilities.

        None where they end nowhere in particular: a rule that votes for the heavier side gains
        nothing under an uneven loss long before that is least.
        """
        return 0.0 if loss.beta == 1.0 else None

    def maximises_edge(self, loss: Loss) -> bool:
        """Whether no other hypothesis has a larger edge than the one that is proposed."""
        return False

    def fit(self, memory: Any, question: Question) -> Proposal | Stop:
        raise TypeError(f"{type(self).__name__} does not define fit()")


class Loss(Component):
    """A function of the scores to be made small."""

    suits: Literal["z", "edge"] = "z"
    """What a learner of no particular kind should choose by: least Z, or greatest edge."""
    beta: float = 1.0
    """How many negatives one positive counts."""

    @property
    def probability_scale(self) -> float | None:
        """s in P(y = +1 | x) = 1 / (1 + exp(-s F)); None if scores are no log-odds."""
        return None

    def weigh(self, scores: Scores, target: Target, log_prior: Floats) -> Signal:
        """The signal of these scores, examples starting with the weights exp(log_prior)."""
        raise TypeError(f"{type(self).__name__} does not define weigh()")

    def constant(self, sums: Integers, unit: Floats, smooth: float) -> Floats:
        """(2, K): the best constant scores, twice, given sums[block, sign, label]."""
        raise TypeError(f"{type(self).__name__} does not define constant()")

    def mean(self, scores: Floats, sign: Codes, weight: Floats) -> float:
        """The loss of (n, K) scores of rows with these weights: (n,), or (n, K) by label."""
        raise TypeError(f"{type(self).__name__} does not define mean()")


class Combiner(Component):
    """How a hypothesis joins the ones before it."""

    def signals(self, loss: Loss, scores: Scores, target: Target) -> tuple[Signal, ...]:
        """The weightings that this combiner needs the state to keep."""
        if loss.suits == "edge":
            raise ValueError(
                f"{loss!r} has no Z that {type(self).__name__} could step by: it needs a combiner "
                "that gives all hypotheses new coefficients, such as LinearProgramme()"
            )
        return (loss.weigh(scores, target, target.log_prior),)

    def start(self, run: Run) -> Any:
        """What the combiner remembers in `run.memory`; it belongs to the run."""
        return None

    def ask(self, run: Run) -> Question:
        return Question(run.state.signals)

    def step(self, run: Run, question: Question, proposal: Proposal) -> Move | Refit | Again | Stop:
        """How far to go, or why not to."""
        raise TypeError(f"{type(self).__name__} does not define step()")

    def take(
        self, run: Run, question: Question, proposal: Proposal, coefficient: float
    ) -> Move | Refit:
        """The move with this coefficient, and what is to be written down about it."""
        raise TypeError(f"{type(self).__name__} does not define take()")

    def resume(self, run: Run, members: Sequence[Member], path: Sequence[Floats]) -> None:
        """Go on from an earlier run: the state is a function of rows and members."""
        run.state.replay(members, run.part)

    def settle(self, run: Run) -> None:
        """The rounds are over, for whatever reason."""


class State:
    """Scores, the signals that follow them, and the members taken so far.

    A run either adds members and leaves those before as they are (`apply`), or gives all of them
    new coefficients every round (`refit`), which `path` remembers.
    """

    def __init__(self, scores: Scores, signals: Sequence[Signal]) -> None:
        self.scores = scores
        self.signals = tuple(signals)
        self.members: list[Member] = []
        self.reach = 0.0
        """Sum of the largest steps: a bound on every score."""
        self.path: list[Floats] = []
        """Coefficients of all members after each round, where they change."""
        self._partitions: list[Partition] = []

    def apply(self, member: Member, partition: Partition, sums: Sequence[Integers]) -> None:
        """Take one step; sums are those of each signal before it."""
        partition.move(self.scores, member.steps)
        for signal, counted in zip(self.signals, sums, strict=True):
            partition.follow(signal, member.steps, counted)
        self.reach += member.size
        self.members.append(member)

    def refit(
        self, hypotheses: Sequence[Hypothesis], partitions: Sequence[Partition],
        coefficients: Floats,
    ) -> None:
        """Take more hypotheses, if any, and give all members these coefficients."""
        nothing = [Member(new, 0.0, np.zeros_like(new.values), 0.0) for new in hypotheses]
        self.members += nothing
        self._partitions += partitions
        self._set(coefficients)
        self.path.append(coefficients)

    def _set(self, coefficients: Floats) -> None:
        members = with_coefficients([member.hypothesis for member in self.members], coefficients)
        for old, new, partition in zip(self.members, members, self._partitions, strict=True):
            if old.coefficient != new.coefficient:
                partition.move(self.scores, new.steps - old.steps)
        self.members = members
        self.reach = sum(member.size for member in members)

    def settle(self, coefficients: Floats) -> None:
        """Give all members these coefficients after all."""
        self._set(coefficients)
        self.path[-1] = coefficients

    def undo(self, kept: int, part: Part) -> None:
        """Take back the members after the first `kept`; the signals are not asked again."""
        if self.path:
            del self.path[kept:]
            dropped = np.zeros(len(self.members) - kept)
            self._set(np.concatenate([self.path[-1], dropped]))
            del self._partitions[kept:]
        else:
            for member in self.members[kept:]:
                member.hypothesis.partition(part).move(self.scores, -member.steps)
        del self.members[kept:]

    def replay(self, members: Sequence[Member], part: Part) -> None:
        """Take the steps of an earlier run again."""
        for member in members:
            partition = member.hypothesis.partition(part)
            self.apply(member, partition, [partition.sums(signal) for signal in self.signals])


def with_coefficients(hypotheses: Sequence[Hypothesis], coefficients: Floats) -> list[Member]:
    """Members with these coefficients, their steps on the score grid."""
    members = []
    for hypothesis, coefficient in zip(hypotheses, coefficients.tolist(), strict=True):
        steps = np.empty_like(hypothesis.values)
        size = float(rules.on_grid(hypothesis.values, coefficient, steps))
        members.append(Member(hypothesis, coefficient, steps, size))
    return members


@dataclass
class History:
    """What was measured, one row per round."""

    rows: list[dict[str, float]] = field(default_factory=list)

    @classmethod
    def of(cls, columns: Mapping[str, Floats], rounds: int) -> History:
        """The first rounds of an earlier run, from its `arrays`."""
        lists = [values[:rounds].tolist() for values in columns.values()]
        return cls([dict(zip(columns, row, strict=True)) for row in zip(*lists, strict=True)])

    def last(self, name: str, default: float) -> float:
        return self.rows[-1].get(name, default) if self.rows else default

    def __len__(self) -> int:
        """Rounds that are complete: an interrupt may come in the middle of one."""
        rows = self.rows
        return len(rows) - 1 if rows and len(rows[-1]) < len(rows[0]) else len(rows)

    def arrays(self) -> dict[str, Floats]:
        """One array per fact, of the complete rounds."""
        rows = self.rows[: len(self)]
        return {name: np.array([row[name] for row in rows]) for name in rows[0]}


@dataclass
class Run:
    """Everything that belongs to one fit and to nothing else."""

    part: Part
    target: Target
    loss: Loss
    state: State
    history: History
    smooth: float
    """e: added to the weights of a block before taking logarithms."""
    least_block: float
    """Share of the weight that each block of a test must have."""
    weightless: int
    """Rows that weigh too little to count at the start."""
    exact: bool
    """Whether the learner's hypotheses have the greatest edge that there is."""
    confidence: Confidence
    workers: Workers
    random: np.random.RandomState
    memory: Any = None
    """The combiner's."""

    @property
    def table(self) -> Table:
        return self.part.table

    def training_error(self) -> float:
        """Share of the cost (by default: initial weight) on rows and labels of the wrong sign."""
        target, scores = self.target, self.state.scores
        logs = target.log_prior if target.log_cost is None else target.log_cost
        start = np.ones((2, target.n_labels))
        start[1] = self.loss.beta
        if target.log_label is not None:
            start *= np.exp(target.log_label)
        weight = target.times * np.exp(logs - logs.max())
        wrong = everything = 0.0
        for label in range(target.n_labels):
            sign = target.sign[:, label]
            missed = (scores.relative[:, label] + scores.base[label] > 0) != (sign == 1)
            own = weight * start[sign, label]
            wrong += float(own[missed].sum())
            everything += float(own.sum())
        return wrong / everything


CHUNK = 1 << 17


def chunks(rows: Indices, n_labels: int) -> Iterator[Indices]:
    """Rows in runs of about 130,000 entries, so that scratch arrays stay small."""
    size = max(1, CHUNK // n_labels)
    if len(rows) <= size:
        yield rows
        return
    for start in range(0, len(rows), size):
        yield rows[start : start + size]


def every_row(n_rows: int) -> Indices:
    """Row numbers as kernels take them."""
    return np.arange(n_rows, dtype=np.int32)


def sum_units(signal: Signal, rows: Indices) -> Integers:
    """Integer weights of rows by [sign, label]."""
    n_labels = signal.sign.shape[1]
    sums = np.zeros((2, n_labels), dtype=np.int64)
    for some in chunks(rows, n_labels):
        units = np.empty((len(some), n_labels), dtype=np.int64)
        signal.units(some, 0, units)
        weights.block_sums(units, signal.sign, some, sums)
    return sums


def unit_weight(signal: Signal, totals: Integers) -> Floats:
    """Real weight of one unit by [sign, label], such that all weights sum to one."""
    unit = np.zeros(totals.shape)
    signal.unit_weight(totals, unit)
    return unit
