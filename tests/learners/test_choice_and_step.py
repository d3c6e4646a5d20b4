"""A learner chooses by what its booster will do with the rule."""

import numpy as np
import pytest

from tests.twins.learners import normaliser, uneven_coefficient, votes
from underdog import AdaUBoostClassifier

BETA = 4.0


def z_of_every_word(X, y, floor):
    """Z of each column's test at the coefficient with this floor, and the coefficients."""
    weight = np.where(y > 0, BETA, 1.0)
    weight = weight / weight.sum()
    sums = np.zeros((X.shape[1], 2, 2, 1))
    for j, block, sign in np.ndindex(X.shape[1], 2, 2):
        sums[j, block, sign, 0] = weight[(X[:, j] == block) & ((y > 0) == sign)].sum()
    says = votes(sums)
    a = uneven_coefficient(sums, says, BETA, floor)
    return sums, says, a


@pytest.mark.parametrize("smoothing", [None, 0.3])
def test_the_rule_has_the_least_z_of_the_step_that_is_taken(smoothing):
    otherwise = 0
    for seed in range(120):
        rng = np.random.default_rng(seed)
        y = np.where(np.arange(12) < 4, 1, -1)
        X = (rng.random((12, 5)) < np.where(y > 0, 0.7, 0.15)[:, np.newaxis]).astype(float)
        X = X[:, X.min(axis=0) < X.max(axis=0)]
        e = 1 / 12 if smoothing is None else smoothing
        sums, says, a = z_of_every_word(X, y, e)
        taken = normaliser(sums, a[:, np.newaxis, np.newaxis] * says, BETA)
        _, _, pure = z_of_every_word(X, y, 2.0**-60)
        least = normaliser(sums, pure[:, np.newaxis, np.newaxis] * says, BETA)
        otherwise += taken[least.argmin()] > taken.min() + 1e-6
        model = AdaUBoostClassifier(
            beta=BETA, learner="disc.u", smoothing=smoothing, n_estimators=1
        ).fit(X, y)
        if "constant" not in model.stop_reason_:
            assert model.history_["z"][0] == pytest.approx(taken.min(), abs=1e-9)
    if smoothing is not None:
        assert otherwise > 0  # so that it matters
