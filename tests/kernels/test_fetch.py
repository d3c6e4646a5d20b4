"""Asking for memory changes nothing and may ask for anything."""

import numba
import numpy as np
import pytest

from underdog.kernels.fetch import fetch


@numba.njit
def sum_with_fetch(array, shift):
    total = 0.0
    for i in range(array.shape[0]):
        fetch(array, np.uint64(i) + np.uint64(shift))
        total += array[i]
    return total


@pytest.mark.parametrize("shift", [0, 1, 1000, 2**40, 2**63])
@pytest.mark.parametrize("dtype", [np.float64, np.int32, np.uint8])
def test_any_position_may_be_asked_for(shift, dtype):
    numbers = np.arange(100).astype(dtype)
    assert sum_with_fetch(numbers, np.uint64(shift)) == 4950.0
    np.testing.assert_array_equal(numbers, np.arange(100))


def test_an_empty_array():
    assert sum_with_fetch(np.empty(0), np.uint64(5)) == 0.0


@pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="nothing is compiled")
def test_it_reaches_the_processor():
    """The instruction is there: otherwise it would only look like one."""
    sum_with_fetch(np.empty(1), np.uint64(0))
    assert any("llvm.prefetch" in code for code in sum_with_fetch.inspect_llvm().values())


def test_without_compiled_code_it_does_nothing():
    assert fetch(np.empty(0), np.uint64(3)) is None
