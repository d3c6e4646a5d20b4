"""Which rows are in which block of a hypothesis, and how a step changes their scores."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple, Protocol

import numpy as np

from underdog.core.scores import Scores
from underdog.kernels import weights
from underdog.types import Codes, Floats, Indices, Integers


class Partition(Protocol):
    """The block of each row of one shard."""

    def move(self, scores: Scores, steps: Floats) -> None:
        """Add steps[block, label] to the scores."""


class Blocks(NamedTuple):
    """Blocks that are the same for all labels; the rows of the largest, `rest`, are not listed.

    rows[ends[b - 1]:ends[b]] are the rows of block b. The step of the rest is added to the base
    that all scores share, so that a step changes few rows.
    """

    rows: Indices
    ends: Integers
    rest: int

    @classmethod
    def of_two(cls, rows: Indices, block: int) -> Blocks:
        """Two blocks, given the rows and the index of the one that is listed."""
        return cls(rows, _two_ends(len(rows), block), 1 - block)

    @classmethod
    def from_numbers(
        cls, block: Integers, n_blocks: int, repeats: Integers | None, rest: int | None = None
    ) -> Blocks:
        """The block of each row; by default the one with most examples is not listed."""
        if rest is None:
            examples = np.zeros(n_blocks, dtype=np.int64)
            np.add.at(examples, block, 1 if repeats is None else repeats)
            rest = int(examples.argmax())
        listed = np.flatnonzero(block != rest)
        rows = listed[np.argsort(block[listed], kind="stable")].astype(np.int32)
        return cls(rows, np.cumsum(np.bincount(block[listed], minlength=n_blocks)), rest)

    def move(self, scores: Scores, steps: Floats) -> None:
        weights.move(scores.base, scores.relative, self.rows, self.ends, self.rest, steps)

    def listed_blocks(self) -> Sequence[tuple[int, Indices]]:
        """The blocks with listed rows, and these rows."""
        if len(self.ends) == 2:  # a stump, the most common case
            return ((1 - self.rest, self.rows),) if len(self.rows) else ()
        found = []
        first = 0
        for block, end in enumerate(self.ends.tolist()):
            if end > first:
                found.append((block, self.rows[first:end]))
            first = end
        return found

    def examples(self, repeats: Integers) -> Integers:
        """(B,) examples in each block, if row i stands for repeats[i] of them."""
        result = np.zeros(len(self.ends), dtype=np.int64)
        for block, rows in self.listed_blocks():
            result[block] = repeats[rows].sum()
        result[self.rest] = repeats.sum() - result.sum()
        return result

    def of_row(self, n_rows: int) -> Integers:
        """(n,) the block of each row."""
        result = np.empty(n_rows, dtype=np.int64)
        weights.number_blocks(self.rows, self.ends, self.rest, result)
        return result


@lru_cache(maxsize=4096)
def _two_ends(count: int, block: int) -> Integers:
    """`ends` of two blocks of which one is listed; cached, because most rounds need the same."""
    return np.array([0, count] if block else [count, count])


@dataclass(frozen=True)
class LabelBlocks:
    """Blocks that differ between labels: block[i, k] for every row and label."""

    block: Codes

    def move(self, scores: Scores, steps: Floats) -> None:
        scores.relative += np.take_along_axis(steps, self.block.astype(np.intp), axis=0)
