"""Losses and residuals of all rows in one pass equal NumPy's, bit for bit."""

import numpy as np
import pytest

from underdog.kernels import residuals
from underdog.kernels.elementary import GRID

SIZES = pytest.mark.parametrize("n_rows", [0, 1, 5, 300])


def rows(n_rows, n_labels):
    """Targets, scores and weights, each a column of every second row of a larger array."""
    rng = np.random.default_rng(n_rows)
    value, relative = np.rint(rng.normal(size=(2, 2 * n_rows, n_labels)) * 1e9) / GRID
    weight = rng.uniform(size=(2 * n_rows, 1))
    value[: n_rows // 2] = relative[: n_rows // 2]  # residuals of 0 less the base
    return value[::2], relative[::2], np.rint(rng.normal(size=n_labels) * 1e9) / GRID, weight[::2]


@SIZES
@pytest.mark.parametrize("by_sign", [False, True])
def test_losses_are_gradient_times_residual(n_rows, by_sign):
    value, relative, base, weight = rows(n_rows, 1)
    out, low, high = np.empty(n_rows), np.array([-0.3]), np.array([0.7])
    residuals.losses(value, relative, base, weight, low, high, by_sign, out)
    residual = value - (relative + base)
    each = np.where(residual >= 0.0, 0.7 * residual, -0.3 * residual) if by_sign else residual**2
    assert np.array_equal(out, (weight * each)[:, 0])


@SIZES
def test_residuals_in_units_of_the_grid(n_rows):
    value, relative, base, _ = rows(n_rows, 2)
    out = np.empty((n_rows, 2), dtype=np.int64)
    residuals.on_grid(value, relative, base, out)
    assert np.array_equal(out, ((value - (relative + base)) * GRID).astype(np.int64))
