"""Calibrated probabilities never rank examples against their scores."""

import warnings

import numpy as np
import pytest
from sklearn.metrics import roc_auc_score

from underdog import AdaBoostClassifier, CostSensitiveClassifier
from underdog.checks import UnderdogWarning
from underdog.decisions.precomputed import PrecomputedScores

SILENT = "the out-of-fold scores do not separate class"


def rare(seed, rows=60, positives=4):
    """Out of fold, a few positives among noise often score below the rest."""
    rng = np.random.default_rng(seed)
    return rng.normal(size=(rows, 3)), (np.arange(rows) < positives).astype(int)


def test_probabilities_do_not_fall_with_the_score():
    said = 0
    for seed in range(12):
        X, y = rare(seed)
        model = CostSensitiveClassifier(AdaBoostClassifier(n_estimators=10), cv=4)
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            model.fit(X, y)
        silent = any(SILENT in str(each.message) for each in caught)
        probabilities = model.predict_proba(X)[:, 1]
        order = np.argsort(model.estimator_.decision_function(X))
        assert not (np.diff(probabilities[order]) < 0).any()
        assert silent == (probabilities.min() == probabilities.max())
        said += silent
    assert 0 < said < 12


def test_scores_that_are_upside_down():
    """The ranking of the fitted model stays that of its scores, or there is none."""
    rng = np.random.default_rng(0)
    y = (np.arange(400) < 40).astype(int)
    scores = rng.normal(size=400) - 2.0 * y
    assert roc_auc_score(y, scores) < 0.2
    model = CostSensitiveClassifier()
    with pytest.warns(UnderdogWarning, match=f"{SILENT} 1: its examples do not score higher"):
        model.fit_from_scores(PrecomputedScores([0, 1]), scores, y)
    probabilities = model.predict_proba(scores)
    np.testing.assert_allclose(probabilities[:, 1], 0.1, atol=0.01)
    assert roc_auc_score(y, probabilities[:, 1]) == 0.5


def test_the_constant_has_the_least_loss_of_all_constants():
    """Platt's targets in place of 0 and 1, and weights that count rows."""
    y = np.array([0] * 30 + [1] * 6)
    weights = np.where(np.arange(36) % 3, 1.0, 2.0)
    scores = -1.0 * y + np.linspace(0.0, 0.1, 36)
    model = CostSensitiveClassifier()
    with pytest.warns(UnderdogWarning, match=SILENT):
        model.fit_from_scores(PrecomputedScores([0, 1]), scores, y, weights)
    counts = [weights[y == 0].sum(), weights[y == 1].sum()]
    target = np.where(y == 1, (counts[1] + 1) / (counts[1] + 2), 1 / (counts[0] + 2))
    shares = np.linspace(0.01, 0.99, 981)
    losses = [
        -(weights * (target * np.log(p) + (1 - target) * np.log(1 - p))).sum() for p in shares
    ]
    best = shares[int(np.argmin(losses))]
    assert model.predict_proba(scores)[0, 1] == pytest.approx(best, abs=1e-3)


def test_one_class_of_three():
    rng = np.random.default_rng(1)
    y = np.arange(300) % 3
    scores = rng.normal(size=(300, 3)) + 2.0 * np.eye(3)[y]
    scores[:, 2] *= -1.0
    model = CostSensitiveClassifier()
    with pytest.warns(UnderdogWarning, match=f"{SILENT} 'c'"):
        model.fit_from_scores(PrecomputedScores(["a", "b", "c"]), scores, np.array(list("abc"))[y])
    decided = model.predict(scores)
    assert (decided[y == 0] == "a").mean() > 0.7
    assert (decided[y == 1] == "b").mean() > 0.7
