import math
import sys
from fractions import Fraction

import numpy as np
import pytest

from underdog.kernels.sums import bounded_exp, exact_sum, exact_sums, log_sum_exp


@pytest.mark.parametrize("scale", [1.0, 1e-300, 1e290])
def test_the_sum_is_that_of_fractions_in_any_order_and_with_repeats(scale):
    rng = np.random.default_rng(0)
    values = np.exp(rng.normal(size=1000) * 9)
    values *= scale / values.max()
    repeats = rng.integers(1, 5, 1000)
    pairs = zip(values.tolist(), repeats.tolist(), strict=True)
    exact = float(sum(Fraction(value) * count for value, count in pairs))
    found = exact_sum(values, repeats)
    assert found == pytest.approx(exact, rel=1e-15)
    again = rng.permutation(np.repeat(values, repeats))
    assert exact_sum(again) == found
    assert exact_sum(again[::-1]) == found


def test_whole_numbers_and_nothing():
    assert exact_sum(np.array([3.0, 1.0, 2.0**31 - 5])) == 2.0**31 - 1
    assert exact_sum(np.empty(0)) == exact_sum(np.zeros(3)) == 0.0
    assert exact_sum(np.full(4, 5e-324)) == 4 * 5e-324


def test_sums_by_group():
    values, groups = np.array([0.1, 0.2, 0.4, 0.8]), np.array([1, 0, 1, 1])
    assert exact_sums(values, groups, 3).tolist() == pytest.approx([0.2, 1.3, 0.0])
    assert exact_sums(values, groups, 3, np.array([2, 3, 1, 1])).tolist() == pytest.approx(
        [0.6, 1.4, 0.0]
    )


def test_logarithms_far_apart_and_far_away():
    logs = np.array([-4000.0, -4001.0, -9000.0])
    assert log_sum_exp(logs) == pytest.approx(-4000.0 + math.log1p(math.exp(-1.0)), abs=1e-12)
    assert log_sum_exp(logs, np.array([2, 1, 1])) == pytest.approx(
        -4000.0 + math.log(2.0 + math.exp(-1.0)), abs=1e-12
    )
    assert log_sum_exp(np.empty(0)) == -math.inf


def test_beyond_the_floats():
    assert bounded_exp(710.0) == sys.float_info.max
    assert bounded_exp(-1e9) == 0.0
    assert math.isnan(bounded_exp(math.nan))
