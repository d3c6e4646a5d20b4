"""The messages between the parts in a round: questions, proposals, moves and stops."""

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
    """A yes/no test on one column.

    Attributes
    ----------
    column : int
    inside : one flag per bin, the last for missing values
        Whether the test is true in each bin.
    threshold : float, optional
        For an ordered column: the test is true for greater values. None for a category column, and
        if the test is true for missing values only.
    """

    column: int
    inside: Codes
    threshold: float | None = None

    def answers(self, encoded: EncodedRows) -> Codes:
        """(n,) 1 if the test is true, else 0."""
        found = np.zeros(encoded.n_rows, dtype=np.uint8)
        found[encoded.rows(self.column, self.inside)] = 1
        return found


Path = tuple[tuple[Test, int], ...]
"""Tests with answers 0 or 1, which select the rows with these answers. () is every row."""


class Hypothesis(Protocol):
    """A weak rule; `values` are those of its blocks, before any coefficient."""

    @property
    def values(self) -> Floats:
        """(B, K)."""

    def partition(self, encoded: EncodedRows, rest: int | None = None) -> Partition:
        """The rows of each block; those of `rest` are not listed.

        By default it is the block where the hypothesis abstains, if there is one, or the largest.
        """

    def words(self, names: Any) -> str:
        """The condition of the rule as text."""


class Question(NamedTuple):
    """A combiner's request for a hypothesis that is good under the first signal.

    With `veto` the hypothesis must also have a positive edge under the second signal. With
    `row_keys` ties between tests are broken by the rows on their sides, not by their columns. With
    `column` only tests on that column are considered.
    """

    signals: tuple[Signal, ...]
    veto: bool = False
    row_keys: NDArray[np.uint64] | None = None
    column: int | None = None


class Proposal(NamedTuple):
    """A learner's answer: a hypothesis and its sums under each signal of the question.

    sums[j][block, channel, label] are integers, unit[j][channel, label] the real weight of one unit
    when all weights sum to one. It is valid in its round only, because its arrays may be reused.
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
    """Add the hypothesis with this coefficient; then stop if `last` has a reason.

    All earlier steps are multiplied by `keep` before.
    """

    coefficient: float
    steps: Floats
    """The coefficient times the values of the hypothesis, on the score grid."""
    size: float
    """The largest absolute step."""
    facts: Mapping[str, float] = MappingProxyType({})
    last: str | None = None
    keep: float = 1.0


class Refit(NamedTuple):
    """Add the hypothesis and change the coefficients of all hypotheses."""

    hypothesis: Hypothesis
    coefficients: Floats
    """(J,); the last is that of the new hypothesis."""
    facts: Mapping[str, float] = MappingProxyType({})
    last: str | None = None


class AskAgain(NamedTuple):
    """Reject the hypothesis, which is already a member; ask again with the changed weights."""


class Stop(NamedTuple):
    """Reject the hypothesis and end the run for this reason."""

    reason: str


class Member(NamedTuple):
    """A hypothesis of the model and its steps[block, label], which are added to the scores."""

    hypothesis: Hypothesis
    coefficient: float
    steps: Floats
    size: float
    """The largest absolute step."""


class RunRecord(NamedTuple):
    """The result of a run: its members, the coefficients after each round, and its history."""

    members: Sequence[Member]
    path: Sequence[Floats]
    history: Mapping[str, Floats]

    def check_unchanged(self, combiner: str) -> None:
        """Refuse coefficients that change from round to round, if the combiner never does that."""
        if self.path:
            raise ValueError(f"there is a path of coefficients, but {combiner} never changes them")
        self.check_coefficients()

    def check_coefficients(self) -> None:
        """Refuse a history with other coefficients than those of the rules, which never change."""
        own = [member.coefficient for member in self.members]
        if self.history["coefficient"][: len(own)].tolist() != own:
            raise ValueError("the coefficients in the history differ from those of the rules")
