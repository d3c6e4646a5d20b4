"""Rows sorted by query, in whatever type the numbers are sorted."""

import numpy as np
import pytest

from underdog.core.queries import Segments, places_of

QUERIES = {"few": 7, "more than 16 bits hold": 70_000}
VALUES = {
    "grades": [0.0, 1.0, 2.0, 4.0],
    "large grades": [0.0, 65_535.0, 65_536.0],
    "fractions": [0.25, 0.5, 1.0],
    "negative": [-1.0, -0.0, 0.0, 3.0],
}


@pytest.mark.parametrize("values", VALUES.values(), ids=VALUES)
@pytest.mark.parametrize("n_queries", QUERIES.values(), ids=QUERIES)
def test_rows_are_sorted_by_query_value_and_place(n_queries, values):
    rng = np.random.default_rng(0)
    query, value = rng.integers(n_queries, size=5_000), rng.choice(values, 5_000)
    query[0] = n_queries - 1
    found = Segments.of(query, value)
    assert found.order.tolist() == sorted(range(5_000), key=lambda row: (query[row], value[row]))
    first = {(q, v): row for row, (q, v) in reversed([*enumerate(_sorted(query, value))])}
    assert found.starts.tolist() == [*sorted(first.values()), 5_000]


@pytest.mark.parametrize("values", VALUES.values(), ids=VALUES)
@pytest.mark.parametrize("n_queries", QUERIES.values(), ids=QUERIES)
def test_the_place_of_a_score_is_the_number_of_different_lower_ones_of_its_query(n_queries, values):
    rng = np.random.default_rng(1)
    query, score = rng.integers(5, size=300) * (n_queries // 5), rng.choice(values, 300)
    pairs = zip(query, score, strict=True)
    lower = [len({*score[(query == q) & (score < s)].tolist()}) for q, s in pairs]
    assert places_of(query, score).tolist() == lower


def _sorted(query, value):
    return [(query[row], value[row]) for row in np.lexsort((value, query))]
