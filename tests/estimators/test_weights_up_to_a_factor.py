"""Class weights, initial weights and costs count beside each other: any multiple is the same.

So do sample weights that are not whole numbers, but for smoothing and l2_regularization.
"""

import numpy as np
import pytest

from tests.estimators.small import each_booster, learnable, make, noisy, unfinished
from underdog import AdaBoostAClassifier, AdaBoostClassifier, Costs, CostSensitiveClassifier
from underdog import ThresholdClassifier as Threshold

each_factor = pytest.mark.parametrize("factor", [7, 0.1, 1e-3, 2.0**40])


def assert_same_answers(model, other, X):
    """The same scores bit for bit; probabilities are corrected by logarithms of the weights."""
    np.testing.assert_array_equal(model.decision_function(X), other.decision_function(X))
    if hasattr(model, "predict_proba"):
        found, expected = model.predict_proba(X), other.predict_proba(X)
        np.testing.assert_allclose(found, expected, rtol=1e-13, atol=1e-15)


@each_booster
@each_factor
@pytest.mark.filterwarnings("ignore:beta")
@unfinished
def test_class_weights(booster, factor):
    X, y = learnable(booster)
    weights = ({0: 1.0, 1: 3.0}, {0: factor, 1: 3.0 * factor})
    models = [make(booster, class_weight=w, n_estimators=8).fit(X, y) for w in weights]
    assert_same_answers(*models, X)


@each_booster
@pytest.mark.parametrize("learner", [None, "tree"])
@pytest.mark.parametrize("constant", [True, False])
@unfinished
def test_sample_weights(booster, learner, constant):
    """With a given smoothing; whole numbers are counted, so a constant is not made larger."""
    X, y = learnable(booster)
    weight = np.ones(len(y)) if constant else np.random.default_rng(0).uniform(0.5, 2.0, len(y))
    parameters = {"smoothing": 1e-3, "n_estimators": 6} | ({"learner": learner} if learner else {})
    once = make(booster, **parameters).fit(X, y, sample_weight=weight)
    for power in (-30, -10, -1) if constant else (-30, -10, -1, 1, 10, 30):
        model = make(booster, **parameters).fit(X, y, sample_weight=np.ldexp(weight, power))
        np.testing.assert_array_equal(model.decision_function(X), once.decision_function(X))
        assert model.describe(None) == once.describe(None)


@each_factor
@pytest.mark.parametrize("name", ["initial_weight", "cost"])
@pytest.mark.parametrize("learner", ["real", "discrete"])
def test_weights_of_examples(learner, name, factor):
    X, y = noisy()
    weight = np.random.default_rng(0).uniform(1.0, 5.0, len(y))
    models = [
        AdaBoostAClassifier(learner=learner, n_estimators=8).fit(X, y, **{name: given})
        for given in (weight, weight * factor)
    ]
    assert_same_answers(*models, X)


@each_factor
def test_costs_of_decisions(factor):
    X, y = noisy()
    booster = AdaBoostClassifier(n_estimators=8)
    some, other = (Costs(fn=20 * k, fp=k, tn=-k) for k in (1, factor))
    thresholds = [Threshold(booster, costs, cv=3).fit(X, y) for costs in (some, other)]
    assert thresholds[0].threshold_ == thresholds[1].threshold_
    model = CostSensitiveClassifier(booster, cv=3).fit(X, y)
    decided = model.predict(X, costs=some)
    np.testing.assert_array_equal(decided, model.predict(X, costs=other))
    assert (decided != model.predict(X)).any()
