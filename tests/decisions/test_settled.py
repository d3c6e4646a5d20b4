"""Deciders around an estimator that is fitted and whose out-of-fold scores are known."""

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.model_selection import StratifiedKFold, cross_val_predict

from underdog import (
    AdaBoostClassifier,
    Costs,
    CostSensitiveClassifier,
    LPBoostClassifier,
    ThresholdClassifier,
)

FOLDS = StratifiedKFold(4)


def prepared(booster, load):
    X, y = load(return_X_y=True)
    names = np.array(["a", "b", "c"])[y]
    scores = cross_val_predict(booster, X, y, cv=FOLDS, method="decision_function")
    return X, names, booster.fit(X, names), scores


@pytest.mark.parametrize(
    ("booster", "load"),
    [
        (AdaBoostClassifier(n_estimators=5), load_breast_cancer),
        (AdaBoostClassifier(n_estimators=5), load_iris),
        (LPBoostClassifier(nu=0.1), load_breast_cancer),
    ],
)
@pytest.mark.parametrize("calibration", ["sigmoid", "isotonic"])
def test_costs_are_settled_as_they_are_fitted(booster, load, calibration):
    X, y, fitted, scores = prepared(booster, load)
    decider = CostSensitiveClassifier(booster, calibration=calibration, cv=FOLDS)
    settled = decider.fit_from_scores(fitted, scores, y).predict_proba(X)
    assert np.array_equal(settled, decider.fit(X, y).predict_proba(X))


@pytest.mark.parametrize("pos_label", ["a", "b"])
@pytest.mark.parametrize("choose", ["f1", ("recall", 0.9), Costs(fn=5, fp=1)])
def test_thresholds_are_settled_as_they_are_fitted(choose, pos_label):
    X, y, fitted, scores = prepared(AdaBoostClassifier(n_estimators=5), load_breast_cancer)
    decider = ThresholdClassifier(fitted, choose, cv=FOLDS, pos_label=pos_label)
    settled = decider.fit_from_scores(fitted, scores, y)
    threshold, decisions = settled.threshold_, settled.predict(X)
    assert threshold == decider.fit(X, y).threshold_
    assert np.array_equal(decisions, decider.predict(X))


def test_weights_count():
    X, y, fitted, scores = prepared(AdaBoostClassifier(n_estimators=5), load_breast_cancer)
    repeats = 1 + np.arange(len(y)) % 3
    once = CostSensitiveClassifier().fit_from_scores(fitted, scores, y, sample_weight=repeats)
    again = CostSensitiveClassifier().fit_from_scores(
        fitted, scores.repeat(repeats), y.repeat(repeats)
    )
    assert np.allclose(once.predict_proba(X), again.predict_proba(X), atol=1e-6)
    first = ThresholdClassifier().fit_from_scores(fitted, scores, y, sample_weight=repeats)
    second = ThresholdClassifier().fit_from_scores(
        fitted, scores.repeat(repeats), y.repeat(repeats)
    )
    assert first.threshold_ == second.threshold_


def test_without_probabilities_there_must_be_calibration():
    X, y = load_breast_cancer(return_X_y=True)
    fitted = LPBoostClassifier(nu=0.1).fit(X, y)
    with pytest.raises(ValueError, match="set calibration="):
        CostSensitiveClassifier(calibration=None).fit_from_scores(fitted, np.zeros(len(y)), y)
