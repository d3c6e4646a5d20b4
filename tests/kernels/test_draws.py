"""Rows drawn by a kernel: the same as by the hash in NumPy."""

import numpy as np
import pytest

from underdog.data.hashing import mix
from underdog.kernels import draws


@pytest.mark.parametrize("size", [0, 1, 1000])
@pytest.mark.parametrize("limit", [0, 1, 2**62, 2**64 - 1])
def test_draws_are_by_the_hash(size, limit):
    """Sums and products wrap around."""
    keys = np.random.default_rng(0).integers(0, 2**64, size, dtype=np.uint64)
    start, limit = np.uint64(2**64 - 5), np.uint64(limit)
    out = np.zeros(size, dtype=bool)
    with np.errstate(over="ignore"):
        draws.draw(keys, start, limit, 0, size // 2, out)
        draws.draw(keys, start, limit, size // 2, size, out)
    np.testing.assert_array_equal(out, mix(keys + start) < limit)
