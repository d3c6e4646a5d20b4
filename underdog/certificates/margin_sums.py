"""What bounds need to know of the margins of the training rows, as a few sums of integers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from underdog.types import Flags, Floats, Integers

SUM_BITS = 52
"""Sums of margins are less than 2**52 units, so that float64 adds them without an error."""


@dataclass(frozen=True, eq=False)
class MarginSums:
    """How many margins are up to each of some numbers, and their sums, by class.

    Attributes
    ----------
    edges : (B,) rising, the first is 0
    counts : (2, B + 1)
        Number of negatives and of positives with a margin above an edge and up to the next one.
    sums : (2, B + 1)
        The sums of these margins.
    """

    edges: Floats
    counts: Integers
    sums: Floats

    @classmethod
    def of(cls, margins: Floats, positive: Flags, thetas: Sequence[float]) -> MarginSums:
        """The sums of given margins."""
        edges, ones = edges_of(thetas), np.ones(len(margins), dtype=np.int64)
        return cls.from_units(edges, in_units(margins, positive, ones, edges, len(margins)))

    @classmethod
    def from_units(cls, edges: Floats, units: Integers) -> MarginSums:
        """From what `in_units` has counted, on any number of shards."""
        counts = units[0]
        return cls(edges, counts, np.ldexp(units[1].astype(np.float64), -_bits(int(counts.sum()))))

    @property
    def total(self) -> int:
        """Number of examples."""
        return int(self.counts.sum())

    @property
    def positives(self) -> int:
        return int(self.counts[1].sum())

    def share(self, theta: float) -> float:
        """The share of margins up to one of the edges."""
        return float(self.counts[:, : self._place(theta) + 1].sum()) / self.total

    def hinge(self, rho: float, beta: float) -> float:
        """The mean of b min(1, max(0, 1 - margin / rho)), b = beta for positives, else 1."""
        inside = slice(1, self._place(rho) + 1)  # above 0 and up to rho
        short = self.counts[:, inside].sum(axis=1) - self.sums[:, inside].sum(axis=1) / rho
        missed = self.counts[:, 0] + np.maximum(short, 0.0)
        return float(missed[0] + beta * missed[1]) / self.total

    def _place(self, edge: float) -> int:
        place = int(np.searchsorted(self.edges, edge))
        if place == len(self.edges) or self.edges[place] != edge:
            raise ValueError(f"margins up to {edge!r} were not counted")
        return place


def edges_of(thetas: Sequence[float]) -> Floats:
    """0 and some margins, rising."""
    return np.unique([0.0, *thetas])


def in_units(
    margins: Floats, positive: Flags, repeats: Integers, edges: Floats, examples: int
) -> Integers:
    """(2, 2, B + 1): counts of margins and sums of margins in units, by class and place.

    Parameters
    ----------
    margins, positive, repeats : (n,)
        Of the rows of a shard.
    edges : (B,)
    examples : int
        Number of examples on all shards.
    """
    width = len(edges) + 1
    place = np.where(positive, width, 0)
    for edge in edges.tolist():  # there are few: this takes a fifth of the time of a search
        place += margins > edge
    units = np.rint(np.ldexp(margins, _bits(examples))) * repeats
    found = [np.bincount(place, own, minlength=2 * width) for own in (repeats, units)]
    return np.rint(found).astype(np.int64).reshape(2, 2, width)


def _bits(examples: int) -> int:
    """How many bits a margin of 1 has."""
    return SUM_BITS - examples.bit_length()
