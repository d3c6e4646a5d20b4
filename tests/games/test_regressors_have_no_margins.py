"""Margins are of classes."""

import pytest
from sklearn.datasets import load_diabetes

from underdog import GradientBoostingRegressor
from underdog.games import margins, voting_margins


@pytest.mark.parametrize("measure", [margins, voting_margins])
def test_a_regressor_is_refused(measure):
    X, y = load_diabetes(return_X_y=True)
    model = GradientBoostingRegressor(n_estimators=2).fit(X, y)
    message = (
        "GradientBoostingRegressor predicts numbers, not classes: it has no margins; use "
        "underdog.inspection.hardest or ResidualDisplay"
    )
    with pytest.raises(ValueError, match=message):
        measure(model, X, y)
