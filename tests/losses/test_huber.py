"""Huber's loss: what its delta is."""

import numpy as np
import pytest
from sklearn.datasets import load_diabetes

from underdog import GradientBoostingRegressor
from underdog.losses import HuberLoss


@pytest.mark.parametrize("subsample", [1.0, 0.3])
def test_the_delta_of_huber_is_a_quantile_of_all_residuals(monkeypatch, subsample):
    """Also when a tree sees only some of the rows."""
    X, y = load_diabetes(return_X_y=True)
    deltas, measure = [], HuberLoss.context
    monkeypatch.setattr(
        HuberLoss, "context", lambda *given: (deltas.append(measure(*given)), deltas[-1])[1]
    )
    model = GradientBoostingRegressor(
        n_estimators=6, loss="huber", alpha=0.8, subsample=subsample, random_state=0
    ).fit(X, y)
    scores = [np.full(len(y), model.model_.start[0]), *model.staged_predict(X)]
    expected = [np.quantile(np.abs(y - one), 0.8, method="inverted_cdf") for one in scores]
    assert np.unique(np.array(deltas) * model.model_.unit) == pytest.approx(np.unique(expected))
