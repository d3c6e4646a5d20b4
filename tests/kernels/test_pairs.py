"""Weights of rows in pairs: those of their definition, however many queries come together."""

from itertools import pairwise

import numpy as np
import pytest

from underdog.core.queries import Segments
from underdog.kernels import pairs

UNIT = 2.0**40


def queries(n_rows, n_queries, n_grades, seed=0):
    rng = np.random.default_rng(seed)
    found = Segments.of(rng.integers(n_queries, size=n_rows), rng.integers(n_grades, size=n_rows))
    return found, 3.0 * rng.normal(size=n_rows), -rng.random(n_rows), rng.integers(1, 4, n_rows)


def weighed(segments, scores, logs, repeats, bounds):
    """factors, peaks, others and totals, found for the queries between bounds."""
    n_segments, n_queries = len(segments.starts) - 1, len(segments.query_starts) - 1
    factors = np.empty((2, len(scores)))
    peaks, others, totals = *np.empty((2, 2, n_segments)), np.empty(n_queries)
    with np.errstate(invalid="ignore"):  # -inf - -inf where nothing is below, without the compiler
        for first, last in pairwise(bounds):
            pairs.weigh(
                *segments, scores, logs, repeats, UNIT, first, last, factors, peaks, others, totals
            )
    return factors, peaks, others, totals


@pytest.mark.parametrize("shape", [(1, 1, 1), (60, 7, 4), (300, 2, 100), (9_000, 800, 5)])
def test_queries_one_by_one_give_the_same_bits(shape):
    given = queries(*shape)
    n_queries = len(given[0].query_starts) - 1
    alone = weighed(*given, list(range(n_queries + 1)))
    for own, together in zip(alone, weighed(*given, [0, n_queries]), strict=True):
        np.testing.assert_array_equal(own, together)


@pytest.mark.parametrize("shape", [(60, 7, 4), (300, 2, 20)])
def test_weights_are_those_of_listed_pairs(shape):
    segments, scores, logs, repeats = queries(*shape)
    n_queries = len(segments.query_starts) - 1
    factors, peaks, others, totals = weighed(
        segments, scores, logs, repeats, [0, n_queries // 2, n_queries]
    )
    largest = np.empty(2)
    pairs.largest(peaks, others, largest)
    found = np.empty((2, len(scores)), dtype=np.int64)
    pairs.fill(
        segments.order, segments.starts, factors, peaks, others, largest, UNIT, repeats, 0,
        len(segments.starts) - 1, found,
    )  # fmt: skip
    sizes = np.diff(segments.starts)
    grade = np.repeat(np.arange(len(sizes)), sizes)
    per_query = np.diff(segments.starts[segments.query_starts])
    query = np.repeat(np.arange(n_queries), per_query)
    place = scores[segments.order]
    below, above = (grade[:, None] < grade) & (query[:, None] == query), np.exp(logs)
    each = below * np.exp(place[:, None] - place) * np.outer(above * repeats, above * repeats)
    wanted = np.stack([each.sum(axis=1), each.sum(axis=0)])
    shares = found[:, segments.order] / UNIT * np.exp(largest)[:, None]
    np.testing.assert_allclose(shares, wanted, rtol=1e-6, atol=1e-9 * wanted.max())
    sums = np.bincount(query, wanted[0])
    np.testing.assert_allclose(np.exp(totals), sums, rtol=1e-9)
