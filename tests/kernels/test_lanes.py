"""Pairs of integers: the same sums as those of two numbers, compiled or not."""

import numba
import numpy as np
import pytest
from numba.core.errors import TypingError

from underdog.kernels.lanes import add_pairs, first_of, no_pair, pair_at, second_of


def sums_of(array, rows):
    total = no_pair()
    for r in range(rows.shape[0]):
        total = add_pairs(total, pair_at(array, np.uint64(rows[r])))
    return first_of(total), second_of(total)


@pytest.mark.parametrize("sums", [sums_of, numba.njit(sums_of)])
@pytest.mark.parametrize("shift", [0, 1])  # also where no pair starts at a multiple of 16 bytes
def test_sums_of_listed_rows(sums, shift):
    rng = np.random.default_rng(0)
    array = rng.integers(-(2**55), 2**55, 201)[shift : 200 + shift].reshape(100, 2)
    before = array.copy()
    rows = rng.integers(100, size=50)
    assert sums(array, rows) == tuple(array[rows].sum(axis=0))
    assert sums(array, rows[:0]) == (0, 0)
    np.testing.assert_array_equal(array, before)


@pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="nothing is compiled")
@pytest.mark.parametrize("array", [np.zeros((4, 2), order="F", dtype=int), np.zeros((4, 2))])
def test_other_arrays_are_refused(array):
    with pytest.raises(TypingError):
        numba.njit(sums_of)(array, np.arange(3))
