"""What the parts say to each other in a round: questions, proposals, moves and stops."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from underdog.core.blocks import Partition
from underdog.core.signals import Signal
from underdog.kernels import criteria
from underdog.types import Codes, Floats, Integers

if TYPE_CHECKING:
    from underdog.data import EncodedRows


class Test(NamedTuple):
    """A question about one column.

    Attributes
    ----------
    column : int
    inside : one flag per bin, the last for missing values
        Bins for which the test is true.
    threshold : float, optional
        For an ordered column: true where the value is greater. None for a category column, and
        where only missing values are inside.
    """

    column: int
    inside: Codes
    threshold: float | None = None

    def answers(self, encoded: EncodedRows) -> Codes:
        """(n,) 1 where the test is true."""
        found = np.zeros(encoded.n_rows, dtype=np.uint8)
        found[encoded.rows(self.column, self.inside)] = 1
        return found


Path = tuple[tuple[Test, int], ...]
"""Tests and the answers to them, 0 or 1: the rows that answer so. () is every row."""


class Hypothesis(Protocol):
    """A weak rule; `values` are what it says in its blocks, before any coefficient."""

    @property
    def values(self) -> Floats:
        """(B, K)."""

    def partition(self, encoded: EncodedRows, rest: int | None = None) -> Partition:
        """Which rows fall into which block; `rest` is the one not to list, else the largest."""

    def words(self, names: Any) -> str:
        """The question that the rule asks, as text."""


class Question(NamedTuple):
    """What the combiner asks: the first signal is the one to learn with.

    With `veto` a hypothesis must also have a positive edge under the second. With `row_keys` tests
    that are equally good are chosen by the rows on their sides, not by their column. With `column`
    the question is for the best test on that column.
    """

    signals: tuple[Signal, ...]
    veto: bool = False
    row_keys: NDArray[np.uint64] | None = None
    column: int | None = None


class Proposal(NamedTuple):
    """A learner's answer: a hypothesis and its sums under each signal of the question.

    sums[j][block, channel, label] are integers, unit[j][channel, label] the real weight of one unit
    when all weights sum to one. It is good for its round: what it points to may be used again.
    """

    hypothesis: Hypothesis
    partition: tuple[Partition, ...]
    """One for each shard."""
    sums: tuple[Integers, ...]
    unit: tuple[Floats, ...]

    def masses(self, signal: int = 0) -> Floats:
        """Real weights by [block, channel, label]."""
        result: Floats = self.sums[signal] * self.unit[signal]
        return result

    def edge(self, signal: int = 0) -> float:
        """Sum of D y h."""
        return float(criteria.edge_of(self.hypothesis.values, self.sums[signal], self.unit[signal]))


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


class AskAgain(NamedTuple):
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


class RunRecord(NamedTuple):
    """What a run leaves behind: its members, all coefficients by round, and its history."""

    members: Sequence[Member]
    path: Sequence[Floats]
    history: Mapping[str, Floats]
