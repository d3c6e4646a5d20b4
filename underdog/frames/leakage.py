"""Columns that are the target under another name, or in more detail."""

from __future__ import annotations

from collections.abc import Sequence
from math import lgamma, log
from typing import Any

import numpy as np

from underdog.data.levels import mostly_different
from underdog.frames.columns import NESTED, columns_of, texts_of
from underdog.frames.roles import find_role
from underdog.types import Integers

CHANCE = 1e-6
"""The share of data sets in which a meaningless column is called a leak is below this."""

FIRST, SOME = 10_000, 1_000
"""Rows that are checked first, and rows of all classes that are checked next."""


def leaks(X: Any, target: str | Sequence[Any]) -> list[str]:
    """Columns that determine the target: each value occurs with one class only, not by chance.

    A model that uses such a column is worthless if the column is not known when the target is to be
    predicted. Either column and target determine each other, or the column has more values than
    there are classes. In the second case there must be two rows per value on average, and a list of
    the class of each value must be shorter than a list of the class of each row, by so much that
    chance does not explain it. So identifiers, which have a value for each row, are not leaks; nor
    are texts, each of which has one class anyway.

    Parameters
    ----------
    X : data frame
    target : str or sequence
        A column of the frame, or the labels of its rows.

    Examples
    --------
    >>> import pandas as pd
    >>> from underdog.frames import leaks
    >>> frame = pd.DataFrame({"ill": [1, 0, 1], "diagnosis": ["flu", "none", "flu"], "age": 33})
    >>> leaks(frame, "ill")
    ['diagnosis']
    >>> frame = pd.DataFrame({"town": ["Rome", "Pisa", "Bonn", "Kiel"] * 25, "row": range(100)})
    >>> leaks(frame, ["Italy", "Italy", "Germany", "Germany"] * 25)
    ['town']
    """
    columns = dict(columns_of(X))
    labels = texts_of(columns.pop(target)) if isinstance(target, str) else target
    given = np.asarray(labels)
    given = given.astype(str) if given.dtype.kind == "O" else given  # None has no order
    classes, places = np.unique(given, return_inverse=True)
    if len(classes) < 2:
        return []
    of_each = max(1, SOME // len(classes))
    some = np.concatenate([np.flatnonzero(places == c)[:of_each] for c in range(len(classes))])
    least = -log(CHANCE / max(1, len(columns)))
    return [n for n, series in columns.items() if _is_leak(n, series, places, some, least)]


def _is_leak(name: str, series: Any, places: Integers, some: Integers, least: float) -> bool:
    if series.dtype in NESTED:
        return False
    count = int(places.max()) + 1
    # Most columns are no leaks, which is seen without looking at all of their values.
    first = series.head(FIRST)
    if _too_many(first.n_unique(), count, len(first)):
        return False
    if _by_class(texts_of(series[some]), places[some], count) is None:
        return False
    by_class = _by_class(texts_of(series), places, count)
    if by_class is None or (levels := int(by_class.sum())) < count:
        return False
    if levels == count:
        return True
    if _too_many(levels, count, len(places)):
        return False
    saved = _arrangements(np.bincount(places)) - _arrangements(by_class) - _splits(levels, count)
    return saved > least and find_role(name, series).kind != "text"


def _too_many(levels: int, count: int, rows: int) -> bool:
    """Whether there are more values than classes, and fewer than two rows for each."""
    return levels > count and mostly_different(levels, rows)


def _by_class(levels: list[str | None], places: Integers, count: int) -> Integers | None:
    """(K,) number of values of each class; None if a value is of two classes."""
    pairs = set(zip(levels, places.tolist(), strict=True))
    if len(pairs) > len(set(levels)):
        return None
    return np.bincount([place for _, place in pairs], minlength=count)


def _arrangements(counts: Integers) -> float:
    """Logarithm of the ways to arrange so many things of each class in a row.

    If all ways to arrange the labels are as likely, a shorter way to tell them is found by chance
    with a probability of at most exp(-what it saves).
    """
    return lgamma(counts.sum() + 1) - sum(lgamma(each + 1) for each in counts.tolist())


def _splits(total: int, parts: int) -> float:
    """Logarithm of the ways to write a number as a sum of so many others."""
    return lgamma(total + parts) - lgamma(total + 1) - lgamma(parts)
