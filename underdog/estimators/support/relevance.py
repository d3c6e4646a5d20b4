"""What a ranker learns from: grades of rows in queries, or pairs of rows; checked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from numbers import Number
from typing import Any

import numpy as np
from numpy.typing import NDArray

from underdog.checks import is_missing, to_python
from underdog.core.queries import Segments, pairs_among
from underdog.data.table import readable
from underdog.estimators.support import inputs
from underdog.estimators.support.weights import relative_weight
from underdog.types import Flags, Floats, Integers


@dataclass(eq=False)
class Relevance:
    """The grade and the query of each row; a ranker's y.

    Attributes
    ----------
    grade : (n,)
    query : (n,)
        The number of the query, from 0 on.
    weight : (n,), optional
        The weight of the query.
    pairs : (P, 2), optional
        Rows that are compared in place of those of a query: the first stands before the second.
    """

    grade: Floats
    query: Integers
    weight: Floats | None = None
    pairs: Integers | None = None
    _segments: Segments | None = field(default=None, init=False, repr=False)

    def __len__(self) -> int:
        return len(self.grade)

    def __getitem__(self, rows: Any) -> Relevance:
        weight = None if self.weight is None else self.weight[rows]
        pairs = None if self.pairs is None else pairs_among(self.pairs, rows, len(self))
        return Relevance(self.grade[rows], self.query[rows], weight, pairs)

    @property
    def n_queries(self) -> int:
        """Number of queries; 0 if pairs were given."""
        return self.count_queries(slice(None))

    def count_queries(self, rows: Any) -> int:
        """Number of queries of some rows."""
        return int(np.count_nonzero(np.bincount(self.query[rows]))) if self.pairs is None else 0

    @property
    def segments(self) -> Segments:
        """The rows sorted by query and grade, found once."""
        if self._segments is None:  # `cached_property` of Python 3.11 has one lock for all fits
            self._segments = Segments.of(self.query, self.grade)
        return self._segments

    def compared(self) -> Flags:
        """(n,) whether a row is in any pair."""
        if self.pairs is None:
            return self.segments.has_pairs()
        found = np.zeros(len(self), dtype=bool)
        found[self.pairs] = True
        return found


def check_relevance(
    X: Any, y: Any, qid: Any, group: Any, pairs: Any = None, weight: Any = None, end: str = ""
) -> Relevance:
    """The arguments of fit or score as grades and queries; `end` is that of their names."""
    named = {f"qid{end}": qid, f"group{end}": group, "pairs": pairs}
    given = [name for name, value in named.items() if value is not None]
    if len(given) > 1:
        raise ValueError(
            f"{' and '.join(given)} were given, but each of them says which rows are compared: "
            "give one of them"
        )
    if y is None and pairs is None:
        raise ValueError(
            "This ranker requires y to be passed, but the target y is None: give the grade of "
            "every row, or pairs"
        )
    grade = np.zeros(_n_rows(X)) if y is None else inputs.checked_numbers(y)
    n_rows = len(grade)
    query = np.zeros(n_rows, dtype=np.int64)
    if qid is not None:
        query = _numbers(f"qid{end}", qid, n_rows)
    elif group is not None:
        query = _from_sizes(f"group{end}", group, n_rows)
    checked = None if weight is None else _query_weight(weight, query)
    listed = None if pairs is None else _pairs(pairs, n_rows)
    return Relevance(grade, query, checked, listed)


def _n_rows(X: Any) -> int:
    own = readable(X)
    return int(own.shape[0]) if hasattr(own, "shape") else len(own)


def _numbers(name: str, given: Any, n_rows: int) -> Integers:
    """(n,) the number of each id."""
    ids = _ids(name, given)
    if ids.shape != (n_rows,):
        raise ValueError(
            f"{name} has the shape {ids.shape}, but there are {n_rows} rows: give one id per row"
        )
    if ids.dtype.kind != "O" and not (ids.dtype.kind in "fmM" and (ids != ids).any()):
        result: Integers = np.unique(ids, return_inverse=True)[1]
        return result
    listed, number = ids.tolist(), dict[Any, int]()
    result = np.empty(n_rows, dtype=np.int64)
    for row, value in enumerate(listed):
        if is_missing(value):
            raise ValueError(f"{name} is missing in row {row}: give an id, or drop the row")
        try:
            result[row] = number.setdefault(value, len(number))
        except TypeError:
            raise ValueError(
                f"{name} has {value!r:.40} in row {row}, which cannot be compared with other ids: "
                "give numbers, texts or dates"
            ) from None
    if len(kinds := _kinds(listed)) > 1:  # 1 and "1" may or may not be the same query
        one, other, *_ = kinds
        raise ValueError(
            f"{name} has both {one!r:.40} and {other!r:.40}: give ids of one type, such as texts "
            "only"
        )
    return result


def _ids(name: str, given: Any) -> NDArray[Any]:
    """The ids as an array, in which values of a list are what they were in the list."""
    mixed = isinstance(given, list | tuple) and len({type(value) for value in given}) > 1
    try:
        return np.asarray(given, dtype=object if mixed else None)
    except ValueError:
        raise ValueError(f"{name} must be one id per row: {given!r:.60} was given") from None


def _kinds(ids: Sequence[Any]) -> list[Any]:
    """An id of each kind: flags, texts, other numbers and all the rest."""
    found: dict[Any, Any] = {}
    first: dict[type[Any], Any] = {}
    for value in ids:
        first.setdefault(type(value), value)
    kinds = (bool, np.bool_), (str, bytes), Number
    for value in first.values():
        found.setdefault(next((kind for kind in kinds if isinstance(value, kind)), None), value)
    return list(found.values())


def _from_sizes(name: str, given: Any, n_rows: int) -> Integers:
    """(n,) the number of the query, given the sizes of queries that follow each other."""
    sizes = np.asarray(given)
    if (
        sizes.ndim != 1
        or sizes.dtype.kind not in "iuf"
        or not bool((sizes == np.rint(sizes)).all())
    ):
        raise ValueError(f"{name} must be whole numbers, the rows of each query: {given!r:.60}")
    if bool((sizes < 1).any()):
        place = int(np.flatnonzero(sizes < 1)[0])
        raise ValueError(
            f"{name} has {to_python(sizes[place])!r} rows in query {place}: leave out queries "
            "without rows"
        )
    if sizes.sum() != n_rows:
        raise ValueError(
            f"{name} sums to {sizes.sum():g}, but there are {n_rows} rows: give the number of rows "
            "of each query, in the order of the rows"
        )
    return np.repeat(np.arange(len(sizes)), sizes.astype(np.int64))


def _query_weight(given: Any, query: Integers) -> Floats:
    """(n,) the weight of the query of each row; with 0 it is left out."""
    shape = np.asarray(given, dtype=object).shape
    if shape not in ((), (len(query),)):
        raise ValueError(
            f"query_weight has the shape {shape}, but there are {len(query)} rows: give one weight "
            "per row, the same one for all rows of a query"
        )
    weight = relative_weight("query_weight", given, len(query))
    highest = np.full(int(query.max(initial=0)) + 1, -np.inf)
    np.maximum.at(highest, query, weight)
    differs = highest[query] != weight
    if bool(differs.any()):
        row = int(np.flatnonzero(differs)[0])
        raise ValueError(
            f"query_weight is {weight[row]:g} in row {row}, and {highest[query[row]]:g} in another "
            "row of its query: give all rows of a query the same weight"
        )
    if not bool(weight.any()):
        raise ValueError("query_weight is 0 for every row: at least one query must have more")
    return weight


def _pairs(given: Any, n_rows: int) -> Integers:
    """(P, 2) numbers of rows."""
    pairs = np.asarray(given)
    if pairs.ndim != 2 or pairs.shape[1] != 2 or pairs.dtype.kind not in "iu" or not len(pairs):
        raise ValueError(
            f"pairs have the shape {pairs.shape} and the type {pairs.dtype}: give two numbers of "
            "rows for each pair, the first of which stands before the second"
        )
    outside = (pairs < 0) | (pairs >= n_rows)
    if bool(outside.any()):
        raise ValueError(
            f"pairs have row {int(pairs[outside][0])}, but there are rows 0 to {n_rows - 1}"
        )
    same = pairs[:, 0] == pairs[:, 1]
    if bool(same.any()):
        raise ValueError(
            f"pair {int(np.flatnonzero(same)[0])} compares row {int(pairs[same][0, 0])} with "
            "itself: leave it out"
        )
    return pairs.astype(np.int64)
