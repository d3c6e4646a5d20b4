"""The bound on the training error is computed from exact scores and is never below the error."""

import itertools

import numpy as np
import pytest

from underdog import AdaBoostAClassifier, AdaBoostClassifier, AdaUBoostClassifier

SIX = np.array([[0, 1, 0], [1, 0, 1], [1, 0, 1], [1, 0, 0], [0, 0, 0], [0, 0, 0]])
SIGNS = np.array([-1, -1, 1, 1, 1, -1])


def logarithm_of_mean_loss(scores, y, weight):
    """ln of sum w exp(-y f) / sum w, in the largest precision at hand."""
    falls = (-y * scores).astype(np.longdouble)
    highest = falls.max()
    mean = np.average(np.exp(falls - highest), weights=weight.astype(np.longdouble))
    return float(highest + np.log(mean))


def check_certificate(model, X, y, weight):
    scores = model.decision_function(X)
    exact = logarithm_of_mean_loss(scores, y, weight)
    certificate = model.certificate_
    if exact > np.log(np.finfo(float).max):
        assert certificate["bound"] == np.inf
    else:
        assert np.log(certificate["bound"]) == pytest.approx(exact, abs=1e-9)
    assert certificate["training_error"] <= certificate["bound"]
    wrong = (scores > 0) != (y > 0)
    share = np.average(wrong, weights=weight)
    assert certificate["training_error"] == pytest.approx(share, abs=1e-12)


def test_steps_so_large_that_weights_are_lost():
    model = AdaBoostClassifier(
        learner="discrete", learning_rate=2.5, smoothing=0.0, n_estimators=12
    ).fit(SIX, SIGNS)
    assert model.certificate_["training_error"] == pytest.approx(2 / 3)
    assert model.certificate_["bound"] == pytest.approx(9e13, rel=0.01)
    check_certificate(model, SIX, SIGNS, np.ones(6))
    after_each_round = [
        logarithm_of_mean_loss(scores, SIGNS, np.ones(6))
        for scores in model.staged_decision_function(SIX)
    ]
    np.testing.assert_allclose(model.history_["log_loss"], after_each_round, atol=1e-9)
    np.testing.assert_allclose(model.history_["loss"], np.exp(after_each_round), rtol=1e-8)
    np.testing.assert_allclose(
        np.log(model.history_["z"]), np.diff(after_each_round, prepend=0.0), atol=1e-9
    )


SETTINGS = list(
    itertools.product(["discrete", "real"], [1.0, 2.5], [0.0, 1e-12, None], ["none", "A", "cost"])
)


def fit_random(seed, learner, rate, smoothing, weights):
    rng = np.random.default_rng(seed)
    rows = int(rng.integers(5, 12))
    X = rng.integers(0, 2, (rows, 3))
    y = np.where(np.arange(rows) % 2, 1, -1)
    rng.shuffle(y)
    given = {"learner": learner, "learning_rate": rate, "smoothing": smoothing, "n_estimators": 15}
    start, cost = rng.integers(1, 9, (2, rows)).astype(float)
    if weights == "none":
        model, cost = AdaBoostClassifier(**given).fit(X, y), np.ones(rows)
    elif weights == "A":
        model = AdaBoostAClassifier(**given).fit(X, y, initial_weight=start, cost=cost)
    else:
        model = AdaBoostAClassifier(**given).fit(X, y, cost=cost)
    check_certificate(model, X, y, cost)


@pytest.mark.parametrize("seed", range(6))
def test_random_fits(seed):
    for number, setting in enumerate(SETTINGS):
        fit_random((seed, number), *setting)


@pytest.mark.slow
def test_five_thousand_random_fits():
    for seed in range(150):
        for number, setting in enumerate(SETTINGS):
            fit_random((seed, number), *setting)


def test_an_uneven_loss_is_a_bound_on_the_uneven_error():
    rng = np.random.default_rng(0)
    X, y = rng.integers(0, 3, (60, 4)), np.where(rng.random(60) < 0.3, 1, -1)
    model = AdaUBoostClassifier(beta=5.0, n_estimators=20, learning_rate=2.5).fit(X, y)
    scores, weight = model.decision_function(X), np.where(y > 0, 5.0, 1.0)
    loss = np.average(np.exp(np.where(y > 0, -scores / 5.0, scores)), weights=weight)
    assert model.certificate_["bound"] == pytest.approx(loss, rel=1e-9)
    assert model.certificate_["training_error"] <= model.certificate_["bound"]
