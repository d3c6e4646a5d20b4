"""A tree that was grown where the rows are, and the rows of its leaves."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import NamedTuple

import numpy as np

from underdog.core import Blocks, Path
from underdog.kernels import grown_tests
from underdog.types import Floats, Indices, Integers


class Spans(NamedTuple):
    """Rows of all leaves.

    Attributes
    ----------
    order : row numbers, those of one leaf after those of the other
    starts, stops : (B,) where the rows of each leaf are in `order`
    """

    order: Indices
    starts: Integers
    stops: Integers

    def of_leaf(self, leaf: int) -> Indices:
        return self.order[self.starts[leaf] : self.stops[leaf]]

    def joined(self, first: list[int]) -> Spans:
        """Of fewer leaves, given the first old leaf of each."""
        last = [*(leaf - 1 for leaf in first[1:]), len(self.stops) - 1]
        return Spans(self.order, self.starts[first], self.stops[last])


class Grown(NamedTuple):
    """A tree and the rows of its leaves.

    Attributes
    ----------
    leaves : paths, the false side of every test first
    drawn : Spans
        The rows that it was grown on.
    others : Spans, optional
        The rows that were not drawn.
    bounds : (B, 2) the least and the most that each leaf may say
    examples : (B,) of all rows
    """

    leaves: Sequence[Path]
    drawn: Spans
    others: Spans | None
    bounds: Floats
    examples: Integers

    def blocks(self) -> Blocks:
        """All rows, leaf by leaf."""
        rest = int(np.argmax(self.examples))
        if self.others is None:
            order, starts, stops = self.drawn
            kept = np.empty(len(order) - int(stops[rest] - starts[rest]), dtype=order.dtype)
            ends = np.empty(len(starts), dtype=np.int64)
            grown_tests.list_rows(order, starts, stops, rest, kept, ends)
            return Blocks(kept, ends, rest)
        spans = [self.drawn, self.others]
        pieces = [
            [span.of_leaf(leaf) for span in spans if leaf != rest]
            for leaf in range(len(self.leaves))
        ]
        kept = np.concatenate([self.drawn.order[:0], *chain.from_iterable(pieces)])
        return Blocks(kept, np.cumsum([sum(map(len, own)) for own in pieces]), rest)

    def joined(self, leaves: Sequence[Path], first: list[int]) -> Grown:
        """The tree with fewer leaves, given the first old leaf of each."""
        drawn = self.drawn.joined(first)
        others = None if self.others is None else self.others.joined(first)
        examples = np.add.reduceat(self.examples, first)
        return Grown(leaves, drawn, others, self.bounds[first], examples)
