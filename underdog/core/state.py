"""The members of a run, with their scores and signals."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from underdog.core.blocks import Partition
from underdog.core.messages import Hypothesis, Member
from underdog.core.rows import Rows
from underdog.core.shrinking import ShrinkingPath
from underdog.core.signals import Signal
from underdog.kernels import criteria
from underdog.types import Floats, Integers

MAX_SCORE = 2.0**16
"""Up to this sum of step sizes, sums of scores are exact in float64."""


class State:
    """The members so far, the rows with their scores, and the signals.

    Only this class changes scores. A run either adds members with fixed coefficients (`apply`), or
    changes all coefficients in every round (`refit`); `path` then keeps those of each round. With
    `keep` a new member multiplies what all earlier ones have added: scores follow in every round,
    the coefficients of the members only in the end (`settle`).
    """

    def __init__(self, rows: Rows, signals: Sequence[Signal] = ()) -> None:
        self.rows = rows
        self.signals = tuple(signals)
        self.members: list[Member] = []
        self.score_bound = rows.largest_start
        """Sum of the largest steps: a bound on every score."""
        self.path: Any = []
        """Coefficients of all members after each round, if they change."""
        self.kept: dict[int, float] = {}
        """The factors by which members multiplied what earlier ones had added, if not 1."""
        self._partitions: list[tuple[Partition, ...]] = []

    def apply(
        self,
        member: Member,
        partition: tuple[Partition, ...],
        sums: Sequence[Integers],
        keep: float = 1.0,
    ) -> None:
        """Add a member; sums are those of each signal before the step."""
        if keep != 1.0:
            self.rows.shrink(keep)
            self.kept[len(self.members)] = keep
            start = float(np.abs(self.rows.start).max(initial=0.0))
            self.score_bound = start + keep * (self.score_bound - start)
        self.rows.move(partition, member.steps)
        for signal, counted in zip(self.signals, sums, strict=True):
            signal.after_step(partition, member.steps, counted)
        self.score_bound += member.size
        self.members.append(member)

    def settle(self, path: Any = None) -> None:
        """Give the members the last coefficients of a path.

        By default these are what is left of the coefficients that they had when they joined.
        """
        if path is None:
            joined = np.array([member.coefficient for member in self.members])
            kept = np.array([self.kept.get(number, 1.0) for number in range(len(joined))])
            path = ShrinkingPath(joined, kept)
        self._partitions = [self.rows.place(member.hypothesis) for member in self.members]
        hypotheses = [member.hypothesis for member in self.members]
        self.members = [Member(one, 0.0, np.zeros_like(one.values), 0.0) for one in hypotheses]
        self.rows.restart()
        self._set(path[-1])
        self.path = path

    def refit(
        self,
        hypotheses: Sequence[Hypothesis],
        partitions: Sequence[tuple[Partition, ...]],
        coefficients: Floats,
    ) -> None:
        """Add hypotheses, if any, and set the coefficients of all members."""
        added = [Member(new, 0.0, np.zeros_like(new.values), 0.0) for new in hypotheses]
        self.members += added
        self._partitions += partitions
        self._set(coefficients)
        self.path.append(coefficients)

    def _set(self, coefficients: Floats) -> None:
        members = with_coefficients([member.hypothesis for member in self.members], coefficients)
        for old, new, partition in zip(self.members, members, self._partitions, strict=True):
            if old.coefficient != new.coefficient:
                self.rows.move(partition, new.steps - old.steps)
        self.members = members
        self.score_bound = self.rows.largest_start + sum(member.size for member in members)
        for signal in self.signals:
            signal.restart()

    def replace_coefficients(self, coefficients: Floats) -> None:
        """Replace the coefficients of the last round."""
        self._set(coefficients)
        self.path[-1] = coefficients

    def undo(self, kept: int) -> None:
        """Remove all members after the first `kept`; the signals are not updated."""
        if self.kept:
            del self.members[kept:]
            self.kept = {number: own for number, own in self.kept.items() if number < kept}
            self.restore()
        elif self.path:
            del self.path[kept:]
            dropped = np.zeros(len(self.members) - kept)
            self._set(np.concatenate([self.path[-1], dropped]))
            del self._partitions[kept:]
        else:
            for member in self.members[kept:]:
                self.rows.move(self.rows.place(member.hypothesis), -member.steps)
        del self.members[kept:]

    def restore(self) -> None:
        """Recompute the scores from the members, after an interrupted round."""
        if self.path:
            complete = min(len(self.members), len(self._partitions))
            del self.members[complete:], self._partitions[complete:]
        partitions = self._partitions or [self.rows.place(one.hypothesis) for one in self.members]
        self.rows.restart()
        for number, (member, partition) in enumerate(zip(self.members, partitions, strict=True)):
            if number in self.kept:
                self.rows.shrink(self.kept[number])
            self.rows.move(partition, member.steps)

    def replay(self, members: Sequence[Member]) -> None:
        """Repeat the steps of an earlier run."""
        for member in members:
            partition = self.rows.place(member.hypothesis)
            n_blocks = len(member.steps)
            sums = [self.rows.sums(signal, partition, n_blocks) for signal in self.signals]
            self.apply(member, partition, sums)


def with_coefficients(hypotheses: Sequence[Hypothesis], coefficients: Floats) -> list[Member]:
    """Members with these coefficients, their steps on the score grid."""
    members = []
    for hypothesis, coefficient in zip(hypotheses, coefficients.tolist(), strict=True):
        steps = np.empty_like(hypothesis.values)
        size = float(criteria.on_grid(hypothesis.values, coefficient, steps))
        members.append(Member(hypothesis, coefficient, steps, size))
    return members
