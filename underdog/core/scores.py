"""Targets and scores of the rows."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from underdog.core.queries import Segments, pairs_among
from underdog.kernels.elementary import GRID
from underdog.types import Codes, Flags, Floats, Indices, Integers


@dataclass(frozen=True)
class Target:
    """Signs and weights of the rows, with one column of signs per label.

    Attributes
    ----------
    sign : (n, K), 0 = negative, 1 = positive
    repeats : (n,)
        Number of examples that each row stands for (integer sample weights, else 1).
    log_prior : (n,)
        Logarithm of the relative initial weight; the largest is 0.
    log_cost : (n,), optional
        Logarithm of the relative cost of a mistake, if it differs from the initial weight.
    log_label : (2, K), optional
        Logarithm of the relative weight of each [sign, label], if they differ.
    value : (n, K), optional
        Real-valued targets in the unit of the scores; then all signs are 0.
    unit : float
        What one unit of the scores is worth.
    mask : (n, K), optional
        False where a row does not count for a label; its sign is then 0.
    query : (n,), optional
        The number of the query of each row. Only rows of one query are compared, by their value.
    sorted_rows : Segments, optional
        The rows sorted by query and value, if that is known.
    pairs : (P, 2), optional
        Rows that are compared in place of those of a query: the first stands before the second.
    soft : (n, K), optional
        The share of a row's weight that counts as positive, where it counts as both: a soft label.
    known : (n, K), optional
        What is known of the rows beforehand: their scores before the first round.
    """

    sign: Codes
    repeats: Integers
    log_prior: Floats
    log_cost: Floats | None = None
    log_label: Floats | None = None
    value: Floats | None = None
    unit: float = 1.0
    mask: Flags | None = None
    query: Integers | None = None
    sorted_rows: Segments | None = None
    pairs: Integers | None = None
    soft: Floats | None = None
    known: Floats | None = None

    @property
    def observed(self) -> Codes | Floats:
        """(n, K) what scores are compared with: signs, or real values."""
        return self.sign if self.value is None else self.value

    @property
    def n_labels(self) -> int:
        return int(self.sign.shape[1])

    def segments(self) -> Segments:
        """The rows sorted by query and value."""
        if self.query is None:
            raise ValueError("this loss compares rows of one query, but the target has no queries")
        value = np.asarray(self.observed, dtype=np.float64)[:, 0]
        return self.sorted_rows or Segments.of(self.query, value)

    def log_weight(self, costly: bool = False) -> Floats:
        """(n,) logarithm of the initial weight, or (`costly`) of the cost if there is one."""
        return self.log_cost if costly and self.log_cost is not None else self.log_prior

    def take(self, rows: Integers) -> Target:
        """The target of some of the rows."""
        cost = None if self.log_cost is None else self.log_cost[rows]
        return replace(
            self, sign=self.sign[rows], repeats=self.repeats[rows], log_prior=self.log_prior[rows],
            log_cost=cost, value=None if self.value is None else self.value[rows],
            mask=None if self.mask is None else self.mask[rows],
            query=None if self.query is None else self.query[rows], sorted_rows=None,
            pairs=None if self.pairs is None else pairs_among(self.pairs, rows, len(self.sign)),
            soft=None if self.soft is None else self.soft[rows],
            known=None if self.known is None else self.known[rows],
        )  # fmt: skip


@dataclass
class Scores:
    """F = base + relative, exactly; all rows share the base, so that a round changes few rows."""

    base: Floats
    relative: Floats

    @classmethod
    def zero(cls, n_rows: int, n_labels: int) -> Scores:
        return cls(np.zeros(n_labels), np.zeros((n_rows, n_labels)))

    def full(self) -> Floats:
        return self.relative + self.base

    def copy_from(self, other: Scores) -> None:
        """Take over the numbers of others."""
        np.copyto(self.base, other.base)
        np.copyto(self.relative, other.relative)

    def swap(self, other: Scores) -> None:
        """Change places with others."""
        self.base, other.base = other.base, self.base
        self.relative, other.relative = other.relative, self.relative

    def of(self, rows: Indices) -> Floats:
        """The scores of some rows."""
        result: Floats = self.relative[rows] + self.base
        return result

    def shrink(self, keep: float, start: Floats) -> None:
        """Multiply what was added to the start, (K,), by a factor, and round it to the grid."""
        for own, fixed in ((self.base, start), (self.relative, 0.0)):
            own -= fixed
            own *= keep * GRID
            np.rint(own, out=own)
            own /= GRID
            own += fixed

    def restart(self, start: Floats, known: Floats | None = None) -> None:
        """Give all rows the scores (K,), plus what is known of each row, (n, K)."""
        self.base[:] = start
        self.relative[:] = 0.0 if known is None else known
