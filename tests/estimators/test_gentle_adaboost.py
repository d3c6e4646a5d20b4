"""Gentle AdaBoost: a textbook twin, and what holds in every round."""

import numpy as np
import pytest

from tests.estimators.small import noisy, stages, three_classes
from underdog import AdaBoostClassifier, BoostingClassifier, GentleAdaBoostClassifier, load
from underdog.losses import Gentle


def twin(X, y, rounds):
    """Scores after each round: the regression stump of y under the weights, by brute force."""
    y = np.where(y == 1, 1.0, -1.0)
    score, found = np.zeros(len(y)), []
    for _ in range(rounds):
        w = np.exp(-y * score)
        best = None
        for column in X.T:
            values = np.unique(column)
            for cut in (values[1:] + values[:-1]) / 2:
                side = (column > cut).astype(int)
                mean = np.bincount(side, w * y) / np.bincount(side, w)
                squares = (w * (y - mean[side]) ** 2).sum() / w.sum()
                if best is None or squares < best[0] - 1e-10:
                    best = squares, mean[side]
        score = score + best[1]
        found.append(score)
    return np.array(found)


def test_the_textbook():
    X, y = noisy(rows=60)
    model = GentleAdaBoostClassifier(n_estimators=20).fit(X, y)
    np.testing.assert_allclose(stages(model, X), twin(X, y, 20), atol=1e-8)


def test_what_a_block_says_is_tanh_of_what_adaboost_says():
    """On a column of two values both have the same test."""
    X, y = noisy()
    X = (X[:, :1] > 0).astype(float)
    gentle, real = (
        booster(n_estimators=1, smoothing=0.0).fit(X, y).model_.members[0].steps
        for booster in (GentleAdaBoostClassifier, AdaBoostClassifier)
    )
    np.testing.assert_allclose(gentle, np.tanh(real), atol=1e-10)


@pytest.mark.parametrize("learner", ["real", "discrete"])
def test_the_loss_falls_in_every_round_and_bounds_the_error(learner):
    X, y = noisy()
    model = GentleAdaBoostClassifier(learner=learner, n_estimators=60, smoothing=0.0).fit(X, y)
    own, history = np.where(y == 1, 1.0, -1.0), model.history_
    assert (history["z"] <= 1.0).all()
    losses = np.exp(-own * stages(model, X)).mean(axis=1)
    np.testing.assert_allclose(history["loss"], losses, rtol=1e-9)
    errors = [(prediction != y).mean() for prediction in model.staged_predict(X)]
    assert (np.array(errors) <= history["loss"]).all()


def test_the_weight_of_a_block_shrinks_by_cosh_and_sinh():
    X, y = noisy()
    model = GentleAdaBoostClassifier(n_estimators=10).fit(X, y)
    own = np.where(y == 1, 1.0, -1.0)
    score = np.zeros(len(y))
    for member, z, after in zip(
        model.model_.members, model.history_["z"], stages(model, X), strict=True
    ):
        weight = np.exp(-own * score)
        step = after - score
        expected = (weight * (np.cosh(step) - step * np.sinh(step))).sum() / weight.sum()
        assert z == pytest.approx(expected, rel=1e-9)
        assert np.abs(member.steps).max() <= 1.0
        score = after


def test_the_coefficient_of_a_vote_is_its_edge():
    X, y = noisy()
    model = GentleAdaBoostClassifier(learner="discrete", n_estimators=10).fit(X, y)
    np.testing.assert_allclose(model.history_["coefficient"], model.history_["edge"])


@pytest.mark.parametrize("rate", [1.0, 0.5])
def test_a_perfect_rule_is_repeated_until_it_is_one_of_adaboost(rate):
    X = np.arange(40.0)[:, np.newaxis]
    y = (X[:, 0] > 19).astype(int)
    gentle = GentleAdaBoostClassifier(learning_rate=rate).fit(X, y)
    real = AdaBoostClassifier().fit(X, y).decision_function(X)
    assert gentle.stop_reason_.startswith("one rule makes no mistake")
    assert (np.abs(gentle.decision_function(X)) >= np.abs(real)).all()
    assert (np.abs(gentle.decision_function(X)) < np.abs(real) + 1.0).all()


def test_probabilities_are_the_sigmoid_of_twice_the_score():
    X, y = noisy()
    model = GentleAdaBoostClassifier(n_estimators=30).fit(X, y)
    expected = 1.0 / (1.0 + np.exp(-2.0 * model.decision_function(X)))
    np.testing.assert_allclose(model.predict_proba(X)[:, 1], expected, rtol=1e-12)


def test_several_classes_labels_and_files(tmp_path):
    X, y = three_classes()
    Y = np.stack([y > 0, y > 1], axis=1).astype(int)
    for target in (y, Y):
        model = GentleAdaBoostClassifier(n_estimators=40).fit(X, target)
        assert model.score(X, target) > 0.8
        model.save(tmp_path / "model.udg")
        again = load(tmp_path / "model.udg")
        np.testing.assert_array_equal(again.predict_proba(X), model.predict_proba(X))


def test_it_is_a_composition():
    X, y = noisy()
    own = GentleAdaBoostClassifier(n_estimators=10).fit(X, y)
    composed = BoostingClassifier(loss=Gentle(), n_estimators=10).fit(X, y)
    np.testing.assert_array_equal(stages(own, X), stages(composed, X))
