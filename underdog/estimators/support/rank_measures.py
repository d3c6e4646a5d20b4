"""How good a ranking is: NDCG, mean average precision, and the pairs in the wrong order.

All are means over what can be ranked: queries with rows of different grades. Equal scores are in no
order: NDCG is the mean over all orders of such rows, a precision includes all of them, and a pair
of them is wrong. No bit depends on the order of the rows or the numbers of the queries.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from underdog.core.queries import Segments, changes, places_of
from underdog.kernels.rankings import wrong_below
from underdog.kernels.sums import exact_sum
from underdog.types import Flags, Floats, Integers

HIGHEST_GRADE = 30.0
"""The gain of a higher grade, 2**grade - 1, would leave nothing of the others."""
UNIT_BITS = 31
"""The largest weight of a row is 2**31 units, so that those of 2**31 rows fit 64 bits."""


def ndcg(grade: Floats, scores: Floats, query: Integers, at: int | None = None) -> float:
    """Normalised discounted cumulative gain of the first `at` rows of each query, or of all.

    The gain of a row is 2**grade - 1, and its discount at place r is 1 / log2(r + 1), as in
    LightGBM and XGBoost. NaN if no query has rows of different grades.
    """
    return _mean(ndcg_of_queries(grade, scores, query, at))


def ndcg_of_queries(
    grade: Floats, scores: Floats, query: Integers, at: int | None = None
) -> Floats:
    """`ndcg` of each query, by the order of their numbers; NaN where all grades are the same."""
    _check_gains(grade)
    order = np.lexsort((grade, -scores, query))
    discount, starts = _discounts(query[order], at)
    tied = np.flatnonzero(changes(query[order]) | changes(scores[order]))
    sizes = np.diff(np.append(tied, len(order)))
    discount = np.repeat(np.add.reduceat(discount, tied) / sizes, sizes)
    found = np.add.reduceat((2.0 ** grade[order] - 1.0) * discount, starts)
    ideal = np.lexsort((-grade, query))
    most = np.add.reduceat((2.0 ** grade[ideal] - 1.0) * _discounts(query[ideal], at)[0], starts)
    several = np.maximum.reduceat(grade[order], starts) > np.minimum.reduceat(grade[order], starts)
    return _where(several, np.minimum(found, most), most)  # not above 1 by rounding


def mean_average_precision(grade: Floats, scores: Floats, query: Integers) -> float:
    """Mean over the queries of the average precision of rows with a grade above 0.

    NaN if no query has both kinds of rows.
    """
    return _mean(average_precisions(grade, scores, query))


def average_precisions(grade: Floats, scores: Floats, query: Integers) -> Floats:
    """The average precision of each query; NaN where all rows, or none, have a grade above 0."""
    order = np.lexsort((-scores, query))
    relevant, starts = grade[order] > 0.0, np.flatnonzero(changes(query[order]))
    sizes = np.diff(np.append(starts, len(order)))
    hits = np.cumsum(relevant)
    before: Integers = np.repeat(hits[starts] - relevant[starts], sizes)
    place = np.arange(len(order)) - np.repeat(starts, sizes) + 1
    tied = np.flatnonzero(changes(query[order]) | changes(scores[order]))
    ends = np.append(tied[1:], len(order)) - 1
    precision = np.repeat((hits - before)[ends] / place[ends], np.diff(np.append(tied, len(order))))
    found = np.add.reduceat(np.where(relevant, precision, 0.0), starts)
    count = np.add.reduceat(relevant.astype(np.int64), starts)
    return _where((count > 0) & (count < sizes), found, count)


def pair_loss(
    grade: Floats, scores: Floats, query: Integers, weight: Floats | None = None
) -> float:
    """Share of the pairs that are in the wrong order, or tied.

    A pair counts as much as the product of the weights of its rows. NaN if there is no pair.
    """
    return pair_loss_in(Segments.of(query, grade), scores, query, weight)


def pair_loss_in(
    segments: Segments, scores: Floats, query: Integers, weight: Floats | None = None
) -> float:
    """`pair_loss` of rows that are sorted by query and grade already."""
    own = np.ones(len(scores)) if weight is None else weight / weight.max()
    units = np.rint(np.ldexp(own, UNIT_BITS)).astype(np.int64)
    counted = []
    # if all scores had the same place, every pair would be wrong
    for place in (places_of(query, scores), np.zeros(len(scores), dtype=np.int64)):
        out = np.empty(len(scores), dtype=np.int64)
        tree = np.zeros(len(scores) + 1, dtype=np.int64)
        wrong_below(*segments, place, units, tree, out)
        counted.append(exact_sum(units.astype(np.float64) * out.astype(np.float64)))
    return counted[0] / counted[1] if counted[1] else math.nan


def pair_counts(grade: Floats, scores: Floats, query: Integers) -> tuple[Integers, Integers]:
    """How many pairs of each query are in the wrong order or tied, and how many there are."""
    segments = Segments.of(query, grade)
    units = np.ones(len(grade), dtype=np.int64)
    counted = []
    for place in (places_of(query, scores), np.zeros(len(scores), dtype=np.int64)):
        out = np.empty(len(scores), dtype=np.int64)
        wrong_below(*segments, place, units, np.zeros(len(scores) + 1, dtype=np.int64), out)
        starts = segments.starts[segments.query_starts[:-1]]
        counted.append(np.add.reduceat(out[segments.order], starts))
    return counted[0], counted[1]


def _discounts(query: Integers, at: int | None) -> tuple[Floats, Integers]:
    """The discounts of rows that are sorted by query, and where each query starts."""
    starts = np.flatnonzero(changes(query))
    sizes = np.diff(np.append(starts, len(query)))
    place = np.arange(len(query)) - np.repeat(starts, sizes)
    discount = 1.0 / np.log2(place + 2.0)
    return np.where(place < (len(query) if at is None else at), discount, 0.0), starts


def _check_gains(grade: Floats) -> None:
    lowest, highest = float(grade.min()) + 0.0, float(grade.max())  # -0 is 0
    if lowest < 0.0 or highest > HIGHEST_GRADE:
        raise ValueError(
            f"y ranges from {lowest:g} to {highest:g}, but NDCG counts a grade as 2**grade - 1, "
            f"which is for grades from 0 to {HIGHEST_GRADE:g}: number the grades from 0 on, or "
            "stop early by scoring='pair_loss'"
        )


def _where(known: Flags, upper: Floats, lower: Floats | Integers) -> Floats:
    """Quotients, NaN where they are not known."""
    result: Floats = np.divide(upper, lower, out=np.full(len(known), np.nan), where=known)
    return result


def _mean(values: Floats) -> float:
    """The mean of what is known, whose bits do not depend on the order; NaN without values."""
    values = values[~np.isnan(values)]
    return math.fsum(values.tolist()) / len(values) if len(values) else math.nan


Measure = Callable[[Floats, Floats, Integers], float]


def measure_of(scoring: Any) -> Measure:
    """The measure with this name; higher is better."""
    name = "ndcg" if scoring is None or scoring == "auto" else scoring
    if name == "map":
        return mean_average_precision
    if name == "pair_loss":
        return lambda grade, scores, query: -pair_loss(grade, scores, query)
    if isinstance(name, str) and name.partition("@")[0] == "ndcg":
        first = name.partition("@")[2]
        if name == "ndcg":
            return ndcg
        if first.isdecimal() and int(first) > 0:
            return lambda grade, scores, query: ndcg(grade, scores, query, int(first))
    raise ValueError(
        f"scoring={scoring!r} is not a measure of rankings: use 'ndcg', 'ndcg@10' (or another "
        "number of rows), 'map' or 'pair_loss'"
    )
