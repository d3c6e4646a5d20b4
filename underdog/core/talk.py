"""What the parts say to each other in a round: questions, proposals, moves and stops."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from underdog.core.signals import Scores, Signal
from underdog.kernels import rules
from underdog.types import Floats, Indices, Integers

if TYPE_CHECKING:
    from underdog.data import Part


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
