"""Shares of whole weights against exact fractions."""

from fractions import Fraction
from math import ceil

import numpy as np
import pytest

from underdog import BoostingRegressor
from underdog.core.quantiles import _wanted
from underdog.losses import QuantileLoss

SIZES = [0, 1, 2, 7, 500, 12_345, 2**31 - 1, 2**52, 2**62, 2**63 - 1]
LONG = (1 - 0.998) / 2
"""Written with 19 digits after the point, so its denominator is above 2**63."""


def shares():
    """Short and long ones, the ends, and numbers that are written with an exponent."""
    rng = np.random.default_rng(0)
    drawn = [*rng.random(200), *10.0 ** rng.uniform(-30, 0, 200), *rng.random(200).round(3)]
    steps = [(1 - level) / 2 for level in (0.5, 0.9, 0.95, 0.99, 0.998, 0.9999)]
    return [0.0, 1.0, 5e-324, 1e-300, 1e-19, 1e-18, np.nextafter(1.0, 0.0), *steps, *drawn]


@pytest.mark.parametrize("largest", range(1, len(SIZES) + 1))
def test_the_least_weight_that_is_a_share_of_the_whole(largest):
    sizes = SIZES[:largest]
    for share in map(float, shares()):
        exact = [max(1, ceil(Fraction(repr(share)) * size)) for size in sizes]
        assert _wanted(share, np.array(sizes, dtype=np.int64)).tolist() == exact


def test_a_level_with_many_digits():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(500, 3))
    y = X[:, 0] + rng.normal(size=500)
    model = BoostingRegressor(loss=QuantileLoss(LONG), n_estimators=3).fit(X, y)
    short = BoostingRegressor(loss=QuantileLoss(round(LONG, 6)), n_estimators=3).fit(X, y)
    np.testing.assert_allclose(model.predict(X), short.predict(X), rtol=1e-6)
