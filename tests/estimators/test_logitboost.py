"""LogitBoost equals weighted least squares on working responses; its two forms are equal."""

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_iris

import underdog
from tests.estimators.small import noisy
from underdog import BoostingClassifier, LogitBoostClassifier
from underdog.codes import Softmax
from underdog.combiners import Backtracking
from underdog.losses import SoftmaxLogit


def textbook(X, y, rounds, z_max):
    """Algorithm 3 with stumps, each fitted to the responses by weighted least squares."""
    scores, losses = np.zeros(len(y)), []
    for _ in range(rounds):
        p = 1 / (1 + np.exp(-2 * scores))
        w = np.maximum(p * (1 - p), np.abs(y - p) / z_max)
        z = (y - p) / w
        best, fitted = np.inf, None
        for column in X.T:
            for cut in np.unique(column)[:-1]:
                above = column > cut
                low, high = (np.average(z[side], weights=w[side]) for side in (~above, above))
                guess = np.where(above, high, low)
                error = (w * (z - guess) ** 2).sum()
                if error < best * (1 - 1e-12):
                    best, fitted = error, guess
        scores = scores + fitted / 2
        losses.append(np.log1p(np.exp(-2 * np.where(y == 1, scores, -scores))).mean())
    return scores, losses


@pytest.mark.parametrize("z_max", [2.0, 3.0])
def test_equals_the_textbook(z_max):
    X, y = noisy(120)
    X = np.rint(3 * X)
    model = LogitBoostClassifier(n_estimators=6, z_max=z_max).fit(X, y)
    scores, losses = textbook(X, y, 6, z_max)
    assert (np.diff(losses) < 0).all()  # so that no step is halved
    np.testing.assert_allclose(model.decision_function(X), scores, atol=1e-7)
    np.testing.assert_allclose(model.history_["loss"], losses, atol=1e-9)


def test_two_classes_by_softmax_are_the_same_to_the_last_bit():
    X, y = load_breast_cancer(return_X_y=True)
    two = LogitBoostClassifier(n_estimators=30).fit(X, y)
    general = BoostingClassifier(
        loss=SoftmaxLogit(), combiner=Backtracking(), code=Softmax(), smoothing=0.0, n_estimators=30
    ).fit(X, y)
    scores = general.decision_function(X)
    np.testing.assert_array_equal(scores[:, 1], two.decision_function(X))
    np.testing.assert_array_equal(scores[:, 0], -scores[:, 1])


def test_scores_of_three_classes_sum_to_zero_and_the_loss_never_rises(tmp_path):
    X, y = load_iris(return_X_y=True)
    model = LogitBoostClassifier(n_estimators=40).fit(X, y)
    assert np.abs(model.decision_function(X).sum(axis=1)).max() < 1e-9
    assert (np.diff(model.history_["loss"]) <= 1e-15).all()
    assert model.score(X, y) == 1.0
    model.save(tmp_path / "model.udg")
    again = underdog.load(tmp_path / "model.udg")
    np.testing.assert_array_equal(again.predict_proba(X), model.predict_proba(X))


@pytest.mark.parametrize("z_max", [1.0, -2, np.nan, "large"])
def test_a_bound_that_is_none(z_max):
    with pytest.raises((ValueError, TypeError), match=r"z_max|float"):
        LogitBoostClassifier(z_max=z_max).fit([[0.0], [1.0]], [0, 1])
