"""The log loss (8) and the exponential loss (9) of Schapire's overview, section 6."""

import numpy as np
import pytest

from underdog.losses import Exponential, Logit

MARGINS = np.linspace(-6.0, 6.0, 241)


def losses(loss, margin):
    """The loss of one example at each margin."""
    one = np.ones((1, 1), dtype=np.uint8)
    return np.array([loss.mean(np.array([[f]]), one, np.ones(1)) for f in margin])


def test_the_log_loss_is_below_the_exponential_loss():
    logistic, exponential = losses(Logit(), MARGINS), losses(Exponential(), MARGINS)
    np.testing.assert_allclose(logistic, np.log1p(np.exp(-2.0 * MARGINS)), rtol=1e-9)
    np.testing.assert_allclose(exponential, np.exp(-MARGINS), rtol=1e-9)
    assert (logistic <= exponential).all()


def test_both_have_the_same_taylor_terms_at_zero():
    for f in (1e-2, -1e-2, 3e-3):
        both = [losses(loss, [f])[0] for loss in (Logit(), Exponential())]
        difference = both[0] + 1.0 - np.log(2.0) - both[1]
        assert abs(difference) < 0.2 * abs(f) ** 3


@pytest.mark.parametrize("p", [0.1, 0.5, 0.8, 0.97])
def test_both_have_the_same_minimiser(p):
    """1/2 ln(p / (1 - p)), for a positive of weight p and a negative of weight 1 - p."""
    sign, weight = np.array([[1], [0]], dtype=np.uint8), np.array([p, 1.0 - p])
    grid = np.linspace(-2.5, 2.5, 5001)
    for loss in (Logit(), Exponential()):
        found = [loss.mean(np.full((2, 1), f), sign, weight) for f in grid]
        assert grid[np.argmin(found)] == pytest.approx(0.5 * np.log(p / (1.0 - p)), abs=1e-3)
