"""Rows that are compared within their query, by their grades."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from underdog.types import Flags, Floats, Indices, Integers


class Segments(NamedTuple):
    """Rows sorted by query and grade; all rows of one query and grade are a segment.

    Attributes
    ----------
    order : rows
    starts : where each segment starts in `order`, and the end of the last one
    query_starts : the first segment of each query, and the end of the last one
    """

    order: Indices
    starts: Integers
    query_starts: Integers

    @classmethod
    def of(cls, query: Integers, grade: Floats) -> Segments:
        """The segments of rows with these numbers of queries and grades."""
        order = np.lexsort((grade, query))
        new_query = changes(query[order])
        new = new_query | changes(grade[order])
        starts = np.append(np.flatnonzero(new), len(order))
        return cls(
            order.astype(np.int32), starts, np.append(np.flatnonzero(new_query[new]), new.sum())
        )

    def has_pairs(self) -> Flags:
        """(n,) whether the query of a row has other grades."""
        several = np.diff(self.query_starts) > 1
        found = np.empty(len(self.order), dtype=bool)
        sizes = np.diff(self.starts[self.query_starts])
        found[self.order] = np.repeat(several, sizes)
        return found


def changes(values: Integers | Floats) -> Flags:
    """Whether each value differs from the one before; the first does."""
    result = np.ones(len(values), dtype=bool)
    result[1:] = values[1:] != values[:-1]
    return result


def pairs_among(pairs: Integers, rows: Integers, n_rows: int) -> Integers:
    """Those of the pairs that have both of their rows among some, by the places of these."""
    place = np.full(n_rows, -1)
    place[rows] = np.arange(len(rows))
    found: Integers = place[pairs]
    return found[(found >= 0).all(axis=1)]
