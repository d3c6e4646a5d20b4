"""Regressors that are no sum of rules in the unit of the target: what is said, what is refused."""

import pytest
from sklearn.datasets import load_diabetes

from underdog import AdaBoostR2Regressor, AdaBoostRRegressor, RidgewayRegressor, ShapeDisplay
from underdog.inspection import contributions, hardest, interactions, rules, rules_needed

X, Y = load_diabetes(return_X_y=True, as_frame=True)
MEDIANS = [AdaBoostR2Regressor, AdaBoostRRegressor]


@pytest.mark.parametrize("booster", MEDIANS)
@pytest.mark.parametrize(
    "explain", [lambda m: contributions(m, X[:3]), interactions, ShapeDisplay.from_estimator]
)
def test_a_median_has_no_additive_parts(booster, explain):
    model = booster(n_estimators=3).fit(X, Y)
    with pytest.raises(TypeError, match="a median of predictions has no additive parts"):
        explain(model)
    assert "weighted median" in model.describe(1)
    assert "<style>" in model._repr_html_inner()
    assert len(model.estimators_) == model.n_iter_


def test_thresholds_are_not_classes():
    model = RidgewayRegressor(n_estimators=3).fit(X, Y)
    assert "15 thresholds" in repr(rules(model))
    assert "15 thresholds" in repr(contributions(model, X[:3]))
    assert "<style>" in model._repr_html_inner()
    for explain in (hardest, rules_needed):
        with pytest.raises(TypeError, match="RidgewayRegressor has a score for each threshold"):
            explain(model, X, Y)
