"""Rows that are compared within their query, by their grades."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

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
        order = np.lexsort((_narrow(grade), _narrow(query)))
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


def places_of(query: Integers, scores: Floats) -> Integers:
    """(n,) the place of each score in its query, from 0 for the lowest; ties share theirs."""
    by_score = np.argsort(scores)  # the order of ties does not matter
    order = by_score[np.argsort(_narrow(query)[by_score], kind="stable")]
    new_query = changes(query[order])
    new = np.cumsum(new_query | changes(scores[order])) - 1
    first = np.maximum.accumulate(np.where(new_query, new, 0))
    result = np.empty(len(order), dtype=np.int64)
    result[order] = new - first
    return result


def _narrow(values: Integers | Floats) -> NDArray[Any]:
    """The values in 16 bits if these hold them: NumPy sorts such numbers several times faster."""
    if not len(values) or not 0 <= values.min() <= values.max() <= np.iinfo(np.uint16).max:
        return values
    narrow = values.astype(np.uint16)
    return narrow if np.array_equal(narrow, values) else values


def pairs_among(pairs: Integers, rows: Integers, n_rows: int) -> Integers:
    """Those of the pairs that have both of their rows among some, by the places of these."""
    place = np.full(n_rows, -1)
    place[rows] = np.arange(len(rows))
    found: Integers = place[pairs]
    return found[(found >= 0).all(axis=1)]
