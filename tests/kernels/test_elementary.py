"""exp, log and rounding: accurate, monotone, the same everywhere."""

import math
import sys
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.kernels.twins import ulps
from underdog.kernels import elementary

MAX_ULPS = 2.0
ORDINARY = st.floats(allow_nan=False, allow_infinity=False)


@given(st.floats(-708.0, 709.0))
def test_exp_is_accurate(x):
    assert ulps(elementary.exp(x), math.exp(x)) <= MAX_ULPS


@pytest.mark.parametrize("width", [1e-300, 1e-16, 1e-8, 0.35, 1.0, 40.0, 708.0])
def test_exp_is_accurate_on_every_scale(width):
    grid = np.random.default_rng(0).uniform(-width, width, 4000).tolist()
    assert max(ulps(elementary.exp(x), math.exp(x)) for x in grid) <= MAX_ULPS


def test_exp_of_an_array_has_the_same_bits():
    grid = np.linspace(-720.0, 720.0, 20_001)
    ends = [0.0, -0.0, -708.0, 709.0, np.nextafter(-708.0, -709.0), np.nextafter(709.0, 710.0)]
    values = np.array([*grid, *ends, -np.inf, np.inf, 5e-324, -5e-324])
    found = np.empty(len(values))
    elementary.exp_each(values, found)
    assert found.tolist() == [elementary.exp(x) for x in values.tolist()]


def test_exp_at_the_ends():
    assert elementary.exp(0.0) == 1.0
    assert elementary.exp(-0.0) == 1.0
    assert elementary.exp(-708.5) == elementary.exp(-1e300) == elementary.exp(-np.inf) == 0.0
    assert elementary.exp(709.5) == elementary.exp(1e300) == elementary.exp(np.inf) == 2.0**1023
    assert elementary.exp(709.0) < 2.0**1023


@pytest.mark.parametrize(
    ("low", "high"), [(-710.0, 710.0), (-1.0, 1.0), (0.34, 0.36), (-40.0, 0.0)]
)
def test_exp_never_falls(low, high):
    found = np.array([elementary.exp(x) for x in np.linspace(low, high, 20_001).tolist()])
    assert (np.diff(found) >= 0).all()


@given(st.floats(min_value=5e-324, allow_infinity=False, allow_nan=False))
def test_log_is_accurate(x):
    wanted = math.log(x)
    assert (
        elementary.log(x) == 0.0 if wanted == 0.0 else ulps(elementary.log(x), wanted) <= MAX_ULPS
    )


@pytest.mark.parametrize("width", [1e-300, 1e-15, 1e-8, 0.3, 0.999999])
def test_log_is_accurate_around_one(width):
    grid = (1.0 + np.random.default_rng(0).uniform(-width, width, 4000)).tolist()
    worst = (
        max(ulps(elementary.log(x), math.log(x)) for x in grid if x != 1.0) if width > 1e-300 else 0
    )
    assert worst <= MAX_ULPS
    assert elementary.log(1.0) == 0.0


def test_log_is_accurate_over_all_powers_of_two():
    powers = np.ldexp(np.random.default_rng(0).uniform(0.5, 1.0, 2000), np.arange(-1000, 1000))
    assert max(ulps(elementary.log(x), math.log(x)) for x in powers.tolist()) <= MAX_ULPS


def test_flat_log_has_the_bits_of_log():
    rng = np.random.default_rng(0)
    powers = np.ldexp(rng.uniform(0.5, 1.0, 2045), np.arange(-1021, 1024))
    near_one = 1.0 + rng.uniform(-0.5, 1.0, 4000)
    ends = [sys.float_info.min, sys.float_info.max, 0.5, 1.0, 2.0, math.sqrt(0.5), math.sqrt(2.0)]
    for x in [*powers.tolist(), *near_one.tolist(), *ends]:
        assert elementary.flat_log(x) == elementary.log(x)


def test_log_at_the_ends():
    assert elementary.log(0.0) == elementary.log(-1.0) == -np.inf


@pytest.mark.parametrize(
    ("low", "high"), [(1e-300, 1e-299), (0.4, 2.5), (0.999, 1.001), (1.0, 1e9)]
)
def test_log_never_falls(low, high):
    found = np.array([elementary.log(x) for x in np.linspace(low, high, 20_001).tolist()])
    assert (np.diff(found) >= 0).all()


@given(ORDINARY)
def test_nearest_is_rint(x):
    assert elementary.nearest(x) == np.rint(x)


@pytest.mark.parametrize(
    "x", [0.5, 1.5, 2.5, -0.5, -1.5, 2.0**50 + 0.5, -(2.0**50) - 0.5, 2.0**51 + 0.5]
)
def test_nearest_breaks_ties_to_even(x):
    assert elementary.nearest(x) == np.rint(x)


@given(st.floats(-(2.0**16), 2.0**16))
def test_grid_is_the_nearest_multiple(x):
    found = elementary.to_grid(x)
    step = Fraction(1, 2**36)
    assert Fraction(found) % step == 0
    assert abs(Fraction(found) - Fraction(x)) <= step / 2
    assert elementary.to_grid(found) == found
    assert elementary.to_grid(-x) == -found


@given(st.lists(st.floats(-100, 100), max_size=40), st.randoms())
def test_sums_on_the_grid_do_not_depend_on_their_order(numbers, random):
    steps = [elementary.to_grid(x) for x in numbers]
    shuffled = list(steps)
    random.shuffle(shuffled)
    assert sum(steps) == sum(shuffled)
    assert Fraction(sum(steps)) == sum(map(Fraction, steps))


@pytest.mark.parametrize("values", [[], [1.0], [0.0], [1e-300, 1.0, 1e300, 0.3, 5e-324]])
def test_log_each(values):
    given_, found = np.array(values, dtype=np.float64), np.empty(len(values))
    elementary.log_each(given_, found)
    assert found.tolist() == [elementary.log(x) for x in values]
