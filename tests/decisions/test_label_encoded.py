"""What fit is given goes to the estimator, also where scikit-learn routes metadata."""

import numpy as np
import pytest
from sklearn import config_context
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV

from tests.decisions import known
from underdog import AdaBoostClassifier, Costs, CostSensitiveClassifier, ThresholdClassifier

BOOST = AdaBoostClassifier(n_estimators=4)
DECIDERS = [
    CostSensitiveClassifier(BOOST, cv=2),
    CostSensitiveClassifier(BOOST, calibration=None),
    ThresholdClassifier(BOOST, cv=2),
]
each_decider = pytest.mark.parametrize("decider", DECIDERS, ids=repr)


def weighted():
    X, y, _ = known.two_classes(200, 0)
    return X, y, np.random.default_rng(0).integers(0, 4, len(y)).astype(float)


@each_decider
@pytest.mark.parametrize("n_jobs", [None, 2])
def test_weights_and_costs(decider, n_jobs):
    X, y, weights = weighted()
    given = {"sample_weight": weights, "costs": Costs(fn=1.0 + weights, fp=1)}
    decider = clone(decider).set_params(n_jobs=n_jobs)
    expected = decider.fit(X, y, **given).decision_function(X)
    with config_context(enable_metadata_routing=True):
        found = decider.fit(X, y, **given).decision_function(X)
    np.testing.assert_array_equal(found, expected)


@each_decider
def test_a_search_that_routes_weights(decider):
    X, y, weights = weighted()
    with config_context(enable_metadata_routing=True):
        decider = clone(decider).set_fit_request(sample_weight=True)
        decider.set_score_request(sample_weight=True)
        search = GridSearchCV(decider, {"estimator__n_estimators": [2, 4]}, cv=2)
        search.fit(X, y, sample_weight=weights)
        expected = decider.set_params(**search.best_params_).fit(X, y, sample_weight=weights)
    np.testing.assert_array_equal(search.predict(X), expected.predict(X))


@pytest.mark.parametrize("decider", [CostSensitiveClassifier(), ThresholdClassifier()])
def test_settled(decider):
    X, y, weights = weighted()
    fitted = AdaBoostClassifier(n_estimators=4).fit(X, y)
    scores = fitted.decision_function(X)
    expected = decider.fit_from_scores(fitted, scores, y, sample_weight=weights).decision_function(
        X
    )
    with config_context(enable_metadata_routing=True):
        decider.fit_from_scores(fitted, scores, y, sample_weight=weights)
    np.testing.assert_array_equal(decider.decision_function(X), expected)
