"""Weighted quantiles of integers in blocks, beside sorting."""

import numpy as np
import pytest

from underdog.kernels import selection

N, BLOCKS, REST = 3000, 6, 2
KEYS = {
    "many": lambda rng: rng.integers(-(2**62), 2**62, N),
    "few": lambda rng: rng.integers(-2, 3, N),
    "sorted": lambda _: np.arange(N),
    "falling": lambda _: -np.arange(N),
    "one": lambda _: np.full(N, 7),
    "mostly one": lambda rng: np.where(rng.random(N) < 0.9, 0, rng.integers(-9, 10, N)),
}
WEIGHTS = {
    "equal": lambda _: np.full(N, 2**40),
    "equal or 0": lambda rng: rng.integers(0, 2, N) * 12345,
    "none": lambda _: np.zeros(N, dtype=np.int64),
    "different": lambda rng: rng.integers(0, 5, N),
    "one heavy": lambda _: np.where(np.arange(N) == 77, 2**50, 1),
}


def by_sorting(keys, weights, wanted):
    """The smallest key at which the cumulated weight reaches `wanted`; 0 without weight."""
    order = np.argsort(keys, kind="stable")
    reached = np.cumsum(weights[order])
    return int(keys[order][np.searchsorted(reached, wanted)]) if reached[-1] else 0


@pytest.mark.parametrize("name_of_weights", WEIGHTS)
@pytest.mark.parametrize("name", KEYS)
def test_quantiles_are_those_of_sorted_keys(name, name_of_weights):
    rng = np.random.default_rng(0)
    keys, weights = KEYS[name](rng), WEIGHTS[name_of_weights](rng)
    block = rng.choice(BLOCKS, N, p=[0.3, 0.0, 0.4, 0.2, 0.095, 0.005])
    weights[block == 4] = 0
    listed = [np.flatnonzero(block == b) if b != REST else [] for b in range(BLOCKS)]
    rows = np.concatenate(listed).astype(np.int32)
    ends = np.cumsum([len(own) for own in listed])
    own, own_weights = np.empty((2, N + 1), dtype=np.int64)
    stops, sizes = np.empty((2, BLOCKS), dtype=np.int64)

    def gather():
        return selection.gather(keys, weights, rows, ends, REST, own, own_weights, stops, sizes)

    equal = gather()
    assert equal == {"equal": 2**40, "equal or 0": 12345}.get(name_of_weights, 0)
    assert sizes.tolist() == np.bincount(block, weights, BLOCKS).astype(np.int64).tolist()
    for share in (0.0, 0.001, 0.1, 0.5, 0.77, 1.0):
        gather()
        wanted = np.maximum(np.ceil(share * sizes).astype(np.int64), 1)
        found, unit = np.zeros(BLOCKS, dtype=np.int64), equal or 1
        selection.select(own, own_weights, stops, -(-wanted // unit), equal, found)
        each = [
            by_sorting(keys[block == b], weights[block == b], wanted[b]) if sizes[b] else 0
            for b in range(BLOCKS)
        ]
        assert found.tolist() == each, share


def test_a_pivot_is_one_of_the_keys():
    some, keys = np.empty(selection.SAMPLE, dtype=np.int64), np.arange(10, 1010)
    for first, last in ((0, 1000), (3, 5), (0, 1), (990, 1000)):
        for share in (0.0, 0.5, 1.0):
            ends = np.uint64(first), np.uint64(last)
            assert selection.pivot_of(keys, *ends, share, some) in keys[first:last]
