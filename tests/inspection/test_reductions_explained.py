"""Regressors that are no sum of rules in the unit of the target: what is said, what is refused."""

import pytest
from sklearn.datasets import load_diabetes

from underdog import (
    AdaBoostR2Regressor,
    AdaBoostRRegressor,
    ContributionDisplay,
    PairDisplay,
    RidgewayRegressor,
    ShapeDisplay,
    load,
    save,
)
from underdog.inspection import (
    contributions,
    hardest,
    history,
    interactions,
    rules,
    rules_needed,
    shapes,
)

X, Y = load_diabetes(return_X_y=True, as_frame=True)
MEDIANS = [AdaBoostR2Regressor, AdaBoostRRegressor]


each_median = pytest.mark.parametrize("booster", MEDIANS)


@each_median
@pytest.mark.parametrize(
    "explain",
    [
        lambda model: contributions(model, X[:3]),
        shapes,
        interactions,
        ShapeDisplay.from_estimator,
        lambda model: PairDisplay.from_estimator(model, ("bmi", "bp")),
        lambda model: ContributionDisplay.from_estimator(model, X[:1]),
        lambda model: model.describe(merged=True),
    ],
)
def test_what_a_median_refuses(booster, explain):
    model = booster(n_estimators=3).fit(X, Y)
    with pytest.raises(TypeError, match="a median of predictions has no additive parts"):
        explain(model)


@each_median
def test_what_a_median_has(booster, tmp_path):
    model = booster(n_estimators=3).fit(X, Y)
    assert "weighted median" in model.describe(1)
    assert "<style>" in model._repr_html_inner()
    assert len(model.estimators_) == len(model.estimator_weights_) == model.n_iter_
    assert len(rules(model).to_frame()) >= model.n_iter_
    assert len(history(model).to_frame()) == model.n_iter_
    assert model.feature_importances_.sum() == pytest.approx(1.0)
    assert hardest(model, X, Y, 1).to_frame().shape[0] == 1
    assert "rules" in rules_needed(model, X, Y).text()
    assert [len(one) for one in model.staged_predict(X)] == [len(X)] * model.n_iter_
    save(model, tmp_path / "model.udg")
    assert (load(tmp_path / "model.udg").predict(X) == model.predict(X)).all()


def test_thresholds_are_not_classes():
    model = RidgewayRegressor(n_estimators=3).fit(X, Y)
    assert "15 thresholds" in repr(rules(model))
    assert "15 thresholds" in repr(contributions(model, X[:3]))
    assert "<style>" in model._repr_html_inner()
    for explain in (hardest, rules_needed):
        with pytest.raises(TypeError, match="RidgewayRegressor has a score for each threshold"):
            explain(model, X, Y)
