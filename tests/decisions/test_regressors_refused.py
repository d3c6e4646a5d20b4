"""Thresholds and costs are of classes: a regressor is refused, with what to do instead."""

import re

import numpy as np
import pytest
from sklearn.linear_model import LinearRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from underdog import (
    CalibratedAdaMECClassifier,
    Costs,
    CostSensitiveClassifier,
    GradientBoostingRegressor,
    ThresholdClassifier,
    cost_scorer,
)

REGRESSORS = [
    GradientBoostingRegressor(n_estimators=2),
    LinearRegression(),
    make_pipeline(StandardScaler(), GradientBoostingRegressor(n_estimators=2)),
]


def data():
    X = np.random.default_rng(0).normal(size=(40, 2))
    return X, X[:, 0] ** 2


@pytest.mark.parametrize("regressor", REGRESSORS, ids=lambda model: type(model).__name__)
@pytest.mark.parametrize("decider", [CostSensitiveClassifier, ThresholdClassifier])
def test_deciders_refuse_regressors(decider, regressor):
    X, y = data()
    message = (
        f"{type(regressor).__name__} predicts numbers, not classes: {decider.__name__} needs a "
        "classifier. If predictions that are too low cost c times as much as those that are too "
        "high, use GradientBoostingRegressor with loss='quantile' and quantiles=c / (c + 1)"
    )
    for target in (y, y > 1):
        with pytest.raises(ValueError, match=re.escape(message)):
            decider(regressor).fit(X, target)


def test_the_quantile_that_is_named_has_the_least_cost():
    """Of all constants, if too low costs 3 and too high costs 1."""
    y = np.random.default_rng(1).exponential(size=1001)
    X, constants = np.zeros((1001, 1)), np.linspace(0, 4, 2001)
    model = GradientBoostingRegressor(loss="quantile", quantiles=3 / 4, n_estimators=1)
    best = model.fit(X, y).predict(X)[0]

    def cost(constant):
        return np.where(y > constant, 3 * (y - constant), constant - y).sum()

    assert cost(best) <= min(map(cost, constants))


def test_a_learner_that_predicts_numbers():
    X, y = data()
    model = CalibratedAdaMECClassifier(learner=GradientBoostingRegressor())
    with pytest.raises(ValueError, match=r"is not a learner: .* or a scikit-learn classifier"):
        model.fit(X, y > 1)


def test_costs_do_not_score_regressors():
    X, y = data()
    score = cost_scorer(Costs(fn=2, fp=1))
    for regressor in REGRESSORS:
        message = f"{type(regressor).__name__} predicts numbers, not classes: Costs are for wrong"
        with pytest.raises(ValueError, match=message):
            score(regressor.fit(X, y), X, y)
