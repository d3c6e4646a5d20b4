"""sigmoid, log1p, expm1, tanh, erf and erfc: accurate, monotone, the same everywhere."""

import functools
import itertools
import json
import math
import os
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import mpmath
import numba
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.kernels.function_bits import FUNCTIONS, digests, every_size, points
from underdog.kernels import elementary, error_function

MAX_ULPS = {
    "sigmoid": 0.85,
    "log1p": 0.95,
    "expm1": 0.9,
    "tanh": 0.75,
    "erf": 0.95,
    "erfc": 0.95,
}
DIGITS = mpmath.workdps(50)
EVERY_FUNCTION = pytest.mark.parametrize("name", FUNCTIONS)
ORDINARY = st.floats(allow_nan=False, allow_infinity=False)
LARGEST = sys.float_info.max
LEAST = 5e-324

EXACT = {
    "sigmoid": lambda x: 1 / (1 + mpmath.exp(-x)),
    "log1p": mpmath.log1p,
    "expm1": mpmath.expm1,
    "tanh": mpmath.tanh,
    "erf": mpmath.erf,
    "erfc": lambda x: mpmath.erfc(min(x, 1000.0)),  # mpmath fails at very large ones
}
INTERVALS = {
    "sigmoid": [(-0.4, 0.4), (-3.0, 3.0), (-40.0, 40.0), (-746.0, 0.0), (-746.0, -700.0)],
    "log1p": [(-0.32, -0.27), (0.36, 0.45), (-1.0, 1.0), (0.0, 10.0), (0.0, 1e9)],
    "expm1": [(-0.5, 0.5), (-1.2, 1.2), (-40.0, 0.0), (36.7, 38.3), (0.0, 709.78)],
    "tanh": [(-0.2, 0.2), (-0.6, 0.6), (-3.0, 3.0), (-23.0, 23.0)],
    "erf": [(-0.1, 0.1), (0.5, 0.8), (-2.0, 2.0), (-7.0, 7.0)],
    "erfc": [(-7.0, 7.0), (0.5, 0.8), (0.0, 2.0), (2.0, 26.5), (26.5, 27.5)],
}
EACH_INTERVAL = pytest.mark.parametrize(
    ("name", "low", "high"), [(name, *ends) for name in INTERVALS for ends in INTERVALS[name]]
)
SEAMS = {
    "sigmoid": [0.5 * math.log(2), 36.7, 37.4, 708.4, 745.1332, 746.0],
    "log1p": [2.0**-54, 2.0**-53, 2.0**-52, math.sqrt(0.5), math.sqrt(2.0) - 1.0, 1.0, 2.0**53],
    "expm1": [2.0**-54, 0.5 * math.log(2), 1.5 * math.log(2), 37.4, 40.0, 709.7827128933839],
    "tanh": [2.0**-54, 0.25 * math.log(2), 18.7, 22.0],
    "erf": [0.625, 3.5, 5.9, 27.5],
    "erfc": [0.625, 3.5, 26.543, 27.226, 27.5],
}
SPECIAL = {
    "sigmoid": {-0.0: 0.5, math.inf: 1.0, -math.inf: 0.0, -745.2: 0.0, -745.1: LEAST},
    "log1p": {math.inf: math.inf, -math.inf: math.nan, -1.0: -math.inf, -2.0: math.nan},
    "expm1": {math.inf: math.inf, -math.inf: -1.0, 709.79: math.inf, LARGEST: math.inf},
    "tanh": {math.inf: 1.0, -math.inf: -1.0, LARGEST: 1.0},
    "erf": {math.inf: 1.0, -math.inf: -1.0, LARGEST: 1.0},
    "erfc": {-0.0: 1.0, math.inf: 0.0, -math.inf: 2.0, 27.23: 0.0, 27.22: LEAST},
}
BITS = {
    "exp": "c88d51fc1317ad5b",
    "log": "4f36af70ac7c37d9",
    "sigmoid": "89f9fec4a7c93e51",
    "log1p": "1d2099b1f2ef1735",
    "expm1": "a241b7a34b16bb36",
    "tanh": "5e0445a9ceb7c039",
    "erf": "7bbeb832cad22e60",
    "erfc": "43d6345111d257fe",
}


def accurate(name, x):
    """Whether the result is within the bound of the exact one; infinite where that is too large."""
    found = FUNCTIONS[name](x)
    with DIGITS:
        exact = EXACT[name](mpmath.mpf(x))
        if exact > LARGEST:
            return found == math.inf
        return abs(mpmath.mpf(found) - exact) <= MAX_ULPS[name] * math.ulp(float(exact))


def inside(name, numbers):
    """Those of the numbers at which the function has a value, as Python floats."""
    return [x for x in numbers if name != "log1p" or x > -1.0]


def around(x, steps=40):
    """The neighbours of x among the doubles, in order."""
    bits = np.float64(x).view(np.int64) + np.arange(-steps, steps + 1)
    return bits.view(np.float64).tolist()


def bits(numbers):
    return np.asarray(numbers, dtype=np.float64).view(np.uint64).tolist()


@EVERY_FUNCTION
@given(x=ORDINARY)
def test_accurate_anywhere(name, x):
    assert all(accurate(name, x) for x in inside(name, [x, -x]))


@EVERY_FUNCTION
def test_accurate_at_every_size(name):
    numbers = inside(name, every_size(5000).tolist())
    assert [x for x in numbers if not accurate(name, x)] == []
    powers = [math.ldexp(sign, e) for e in range(-1074, 1024) for sign in (1.0, -1.0)]
    assert [x for x in inside(name, powers) if not accurate(name, x)] == []


@EACH_INTERVAL
def test_accurate_in_an_interval(name, low, high):
    numbers = np.random.default_rng(0).uniform(low, high, 3000).tolist()
    assert [x for x in numbers if not accurate(name, x)] == []


@EVERY_FUNCTION
def test_accurate_and_monotone_where_branches_meet(name):
    slope = -1 if name == "erfc" else 1
    for seam in SEAMS[name]:
        for end in (seam, -seam):
            numbers = inside(name, sorted(around(end)))
            assert [x for x in numbers if not accurate(name, x)] == []
            found = [y for y in map(FUNCTIONS[name], numbers) if math.isfinite(y)]
            for before, after in itertools.pairwise(found):
                assert slope * (after - before) >= -math.ulp(before)


@EACH_INTERVAL
def test_monotone(name, low, high):
    grid = np.linspace(low, high, 20_001)[1:].tolist()
    steps = np.diff([FUNCTIONS[name](x) for x in grid])
    assert (steps <= 0).all() if name == "erfc" else (steps >= 0).all()
    assert steps.any()


@EVERY_FUNCTION
def test_special_values(name):
    function = FUNCTIONS[name]
    assert math.isnan(function(math.nan))
    assert math.isnan(function(-math.nan))
    for x, wanted in SPECIAL[name].items():
        assert np.array_equal(function(x), wanted, equal_nan=True)


@pytest.mark.parametrize("name", ["log1p", "expm1", "tanh", "erf"])
def test_zeros_keep_their_sign(name):
    assert bits([FUNCTIONS[name](0.0), FUNCTIONS[name](-0.0)]) == bits([0.0, -0.0])


@pytest.mark.parametrize("name", ["log1p", "expm1", "tanh"])
@pytest.mark.parametrize("x", [LEAST, 3e-320, 1e-310, 1e-300, 1e-17])
def test_the_smallest_are_what_they_were(name, x):
    assert FUNCTIONS[name](x) == x
    assert FUNCTIONS[name](-x) == -x


@pytest.mark.parametrize("name", ["tanh", "erf"])
def test_odd_functions_are_odd(name):
    for x in points().tolist():
        assert FUNCTIONS[name](-x) == -FUNCTIONS[name](x)


def test_sigmoids_of_opposite_numbers_add_to_one():
    for x in [*points().tolist(), math.inf]:
        assert elementary.sigmoid(x) + elementary.sigmoid(-x) == 1.0


def test_the_quick_sigmoid_is_accurate_monotone_and_the_same_in_vectors_and_interpreted():
    drawn = np.random.default_rng(0).uniform(-45.0, 45.0, 5000)
    numbers = np.unique(np.clip([*points(), *drawn, -709.5, -708.5, 709.5], -720.0, 720.0))
    found = np.empty_like(numbers)
    elementary.quick_sigmoid_each(numbers, found)
    assert (np.diff(found) >= -3.0 * np.spacing(found[1:])).all()
    assert found.min() == 0.0
    assert found.max() == 1.0
    with DIGITS:
        for x, y in zip(numbers.tolist(), found.tolist(), strict=True):
            assert elementary.quick_sigmoid(x) == y
            exact = EXACT["sigmoid"](mpmath.mpf(x))
            wanted = max(3.0 * math.ulp(float(exact)), 1e-307)  # 0 below the normal range
            assert abs(mpmath.mpf(y) - exact) <= wanted
    outer = np.empty_like(numbers)
    with np.errstate(all="raise", under="ignore"):
        each = elementary.quick_sigmoid_each
        getattr(each, "py_func", each)(numbers, outer)
    assert bits(outer) == bits(found)


def test_erfc_of_opposite_numbers_add_to_two():
    for x in [*points().tolist(), math.inf]:
        total = error_function.erfc(x) + error_function.erfc(-x)
        assert abs(total - 2.0) <= math.ulp(1.0)


@given(ORDINARY, ORDINARY)
def test_exact_sum(a, b):
    if math.isfinite(a + b):
        total, error = elementary.exact_sum(a / 2, b / 2)
        assert total == a / 2 + b / 2
        assert Fraction(total) + Fraction(error) == Fraction(a / 2) + Fraction(b / 2)


@given(st.floats(1e-100, 1e100), st.floats(-1e100, -1e-100))
def test_exact_product(a, b):
    product, error = elementary.exact_product(a, b)
    assert product == a * b
    assert Fraction(product) + Fraction(error) == Fraction(a) * Fraction(b)


def interpolated(function, points):
    """Coefficients of the polynomial through the points, the highest first, from Newton's form."""
    differences = [function(t) for t in points]
    for order in range(1, len(points)):
        for i in range(len(points) - 1, order - 1, -1):
            difference = differences[i] - differences[i - 1]
            differences[i] = difference / (points[i] - points[i - order])
    polynomial = []
    for t, difference in zip(reversed(points), reversed(differences), strict=True):
        shifted = [*polynomial, mpmath.mpf(0)]
        for k, coefficient in enumerate(polynomial):
            shifted[k + 1] -= t * coefficient
        shifted[-1] += difference
        polynomial = shifted
    return polynomial


def test_where_the_coefficients_of_erfc_come_from():
    def smooth(t):
        x = centre * (1 + t) / (1 - t)
        return (1 + 2 * x) * mpmath.exp(x * x) * mpmath.erfc(x)

    with DIGITS:
        centre = mpmath.mpf(error_function.CENTRE)
        ends = [mpmath.mpf(x) for x in (error_function.SEAM, error_function.END)]
        low, high = ((x - centre) / (x + centre) for x in ends)
        count = len(error_function.TAIL)
        angles = [mpmath.pi * (2 * k + 1) / (2 * count) for k in range(count)]
        nodes = [(low + high) / 2 + (high - low) / 2 * mpmath.cos(angle) for angle in angles]
        polynomial = interpolated(smooth, nodes)
        assert error_function.TAIL.tolist() == [float(c) for c in polynomial]
        for t in (low + (high - low) * k / 500 for k in range(501)):
            value = functools.reduce(lambda p, c, t=t: p * t + c, polynomial)
            assert abs(value - smooth(t)) < 2e-18


@EVERY_FUNCTION
def test_same_bits_in_a_loop_and_interpreted(name):
    function = FUNCTIONS[name]

    @numba.njit
    def each(values, out):
        for i in range(values.shape[0]):
            out[i] = function(values[i])

    values = points()
    wanted = np.array([function(x) for x in values.tolist()])
    outer = getattr(function, "py_func", function)
    assert bits([outer(x) for x in values.tolist()]) == bits(wanted)
    for first in range(9):  # each number is now in a vector lane, now in the loop's tail
        for last in (len(values), first + 5):
            found = np.empty(last - first)
            each(values[first:last], found)
            assert bits(found) == bits(wanted[first:last])
    assert len(getattr(function, "signatures", [None])) == 1


def test_same_bits_on_every_machine_and_in_every_version():
    assert {name: digest[:16] for name, digest in digests().items()} == BITS


def test_same_bits_without_the_compiler():
    """Nor a warning: NumPy's numbers would give one for what the compiled code does silently."""
    done = subprocess.run(
        [sys.executable, "-W", "error", "-m", "tests.kernels.function_bits"],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        cwd=Path(__file__).parents[2],
        capture_output=True,
        check=True,
    )
    assert json.loads(done.stdout) == digests()


def test_softplus_has_the_bits_of_its_definition():
    rng = np.random.RandomState(0)
    near = [0.0, 708.0, 709.0, 746.0, 800.0, 2.0**-54, 2.0**-53, 37.4, 37.5, math.log(2.0)]
    drawn = [rng.uniform(-1, 1, 2000), 30 * rng.standard_normal(2000)]
    numbers = np.concatenate([near, np.nextafter(near, 0), np.nextafter(near, 1e9), *drawn])
    numbers = np.concatenate([numbers, -numbers])
    found = np.empty_like(numbers)
    elementary.softplus_each(numbers, found)
    expected = [max(x, 0.0) + elementary.log1p(elementary.exp(-abs(x))) for x in numbers.tolist()]
    assert found.tolist() == expected
