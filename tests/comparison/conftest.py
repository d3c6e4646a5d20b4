import numpy as np
import pytest

from tests.comparison.recorder import SEEN


@pytest.fixture(autouse=True)
def nothing_seen():
    SEEN.clear()


@pytest.fixture
def data():
    """150 examples of two overlapping classes, one in three positive; column 0 numbers them."""
    rng = np.random.default_rng(5)
    y = (np.arange(150) % 3 == 0).astype(int)
    shift = np.where(y[:, np.newaxis] == 1, [0.8, 0.4], [-0.8, -0.4])
    return np.column_stack([np.arange(150.0), rng.standard_normal((150, 2)) + shift]), y
