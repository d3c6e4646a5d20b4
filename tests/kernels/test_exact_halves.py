"""Exact sums of floats by a kernel, against the same in NumPy."""

import math

import numpy as np
import pytest

from underdog.kernels.sums import exact_sum, halves, plain_halves


@pytest.mark.parametrize("size", [0, 1, 7, 1000])
@pytest.mark.parametrize("power", [-890, -60, 0, 40, 890])
def test_the_kernel_equals_numpy(size, power):
    rng = np.random.default_rng(size)
    values = np.ldexp(rng.random(size) * 2.0 ** rng.integers(-70, 1, size), power)
    repeats = rng.integers(1, 2**31 // max(size, 1), size, endpoint=True)  # all examples: 2**31
    assert halves(values, repeats, power + 1) == plain_halves(values, repeats, power + 1)


@pytest.mark.parametrize("power", [-1070, -950, 950, 1020])
def test_numbers_at_the_ends_of_the_floats(power):
    values, repeats = np.ldexp(np.array([0.75, 0.5]), power), np.array([1, 2])
    assert exact_sum(values, repeats) == math.ldexp(1.75, power)


def test_ties_go_to_even_and_order_does_not_matter():
    steps = np.array([1.5, 2.5, 0.5, 3.5]) * 2.0**-60
    values = np.concatenate([[0.5], steps])
    repeats = np.array([1, 3, 1, 2, 1])
    found = halves(values, repeats, 0)
    assert found == plain_halves(values, repeats, 0)
    assert halves(values[::-1], repeats[::-1], 0) == found
