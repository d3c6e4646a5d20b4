"""How the rows fall into the two blocks of a hypothesis."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from underdog.core import Scores, Signal, every_row, sum_units
from underdog.kernels import weights
from underdog.types import Codes, Floats, Indices, Integers


class RowBlocks(NamedTuple):
    """All labels split the rows alike; only the rows of the smaller block are listed."""

    rows: Indices
    touched: int
    """1 if `rows` are those where the test is true, 0 where it is false."""
    n_rows: int

    def move(self, scores: Scores, steps: Floats) -> None:
        weights.move(scores.base, scores.relative, self.rows, steps, self.touched)

    def follow(self, signal: Signal, steps: Floats, sums: Integers) -> None:
        step = steps[self.touched] - steps[1 - self.touched]
        signal.follow(self.rows, step, self.touched, sums)

    def listed(self) -> tuple[Indices, int]:
        return self.rows, self.touched

    def sums(self, signal: Signal) -> Integers:
        own = sum_units(signal, self.rows)
        rest = sum_units(signal, every_row(self.n_rows)) - own
        return np.stack([rest, own] if self.touched else [own, rest])


@dataclass(frozen=True)
class LabelBlocks:
    """Each label splits the rows in its own way: block[i, k] for every row and label."""

    block: Codes

    def move(self, scores: Scores, steps: Floats) -> None:
        scores.relative += np.take_along_axis(steps, self.block.astype(np.intp), axis=0)

    def follow(self, signal: Signal, steps: Floats, sums: Integers) -> None:
        signal.restart()

    def listed(self) -> tuple[Indices, int]:
        return np.flatnonzero(self.block[:, 0] == 1).astype(np.int32), 1

    def sums(self, signal: Signal) -> Integers:
        n_rows, n_labels = self.block.shape
        units = np.empty((n_rows, n_labels), dtype=np.int64)
        signal.units(every_row(n_rows), 0, units)
        counted = np.zeros((2, 2, n_labels), dtype=np.int64)
        for block in range(2):
            for sign in range(2):
                here = (self.block == block) & (signal.sign == sign)
                counted[block, sign] = np.where(here, units, 0).sum(axis=0)
        return counted
