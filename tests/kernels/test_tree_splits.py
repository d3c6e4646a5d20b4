"""Scores of cuts from packed sums: the same as block by block."""

import numpy as np
import pytest

from underdog.kernels import tree_splits
from underdog.kernels.criteria import NEWTON, block_score


@pytest.mark.parametrize("smooth", [0.0, 0.5])
def test_newton_scores_are_those_of_the_blocks(smooth):
    """Also where a side has no curvature: the bins at both ends have none."""
    rng = np.random.default_rng(0)
    gradients, curvatures = rng.integers(-1000, 1000, 12), rng.integers(1, 1000, 12)
    gradients[[0, 11]] = curvatures[[0, 1, 10, 11]] = 0
    packed = (gradients << 32) + curvatures
    prefix = np.concatenate([[0], np.cumsum(packed)])
    out, low, high = np.zeros((3, 11))
    tree_splits.newton_scores(prefix, 11, prefix[-1], 0.25, 0.5, smooth, out, low, high)
    for cut in range(11):
        wanted = 0.0
        for side in (slice(0, cut + 1), slice(cut + 1, 12)):
            curvature, gradient = curvatures[side].sum() * 0.5, gradients[side].sum() * 0.25
            wanted += block_score(NEWTON, curvature, gradient, smooth, 1.0)
        assert out[cut] == pytest.approx(wanted, rel=1e-14)
    np.testing.assert_array_equal(low, 0.5 * np.cumsum(curvatures)[:-1])
    np.testing.assert_array_equal(low + high, 0.5 * curvatures.sum())
