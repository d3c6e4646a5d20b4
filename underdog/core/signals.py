"""What is to be learned, the scores so far, and the integer weights that follow them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple, Protocol

import numpy as np

from underdog.kernels import weights
from underdog.types import Codes, Floats, Indices, Integers


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

    def clear(self) -> None:
        self.base[:] = 0.0
        self.relative[:] = 0.0


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
