"""The majority of three coordinates: exponential loss 1e-100, test error 0.

Schapire, "Explaining AdaBoost", table 1 (from Schapire and Freund's book, section 4): x uniform in
{-1, +1}^10000, 1,000 training rows, weak rules +-x_j; the loss falls below 1e-10, 1e-20, 1e-40 and
1e-100 in 94, 190, 382 and 956 rounds (means of ten repetitions) with test error 0.
"""

import numpy as np
import pytest

from underdog import AdaBoostClassifier

PUBLISHED = {1e-10: 94, 1e-20: 190, 1e-40: 382, 1e-100: 956}
TRAINING_ROWS, ROUNDS = 1000, 1000


def majority(n_rows, n_columns, seed):
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 2, (n_rows, n_columns), dtype=np.int8) * np.int8(2) - np.int8(1)
    return X, np.where(X[:, :3].sum(axis=1) > 0, 1, -1)


def rounds_to(model, level):
    """The first round after which the exponential loss is at most this level."""
    reached = model.history_["log_loss"] <= np.log(level)
    assert reached.any()
    return int(np.argmax(reached)) + 1


def fitted(n_columns, seed):
    X, y = majority(TRAINING_ROWS, n_columns, seed)
    model = AdaBoostClassifier(learner="discrete", n_estimators=ROUNDS).fit(X, y)
    assert model.n_iter_ == ROUNDS
    return model


def assert_no_test_error(model, n_rows, n_columns, seed):
    X, y = majority(n_rows, n_columns, seed)
    errors = [np.mean(guess != y) for guess in model.staged_predict(X)]
    assert max(errors[2:]) == 0.0
    assert errors[0] == pytest.approx(0.25, abs=0.05)


def test_quick_form():
    model = fitted(1000, 0)
    for level, rounds in PUBLISHED.items():
        assert rounds_to(model, level) == pytest.approx(rounds, rel=0.03, abs=2)
    assert {member.hypothesis.test.column for member in model.model_.members} == {0, 1, 2}
    assert_no_test_error(model, 2000, 1000, 100)
    assert model.certificate_["training_error"] == 0.0
    assert 0.0 < model.certificate_["bound"] < 1e-100


def test_loss_is_the_mean_of_exp_of_minus_the_margin():
    """The product of the Z is the loss of the scores: nothing has drifted in 1,000 rounds."""
    X, y = majority(TRAINING_ROWS, 1000, 0)
    model = fitted(1000, 0)
    margins = y * model.decision_function(X)
    lowest = margins.min()
    log_loss = np.log(np.mean(np.exp(lowest - margins))) - lowest
    assert log_loss == pytest.approx(model.history_["log_loss"][-1], rel=1e-9)


@pytest.mark.slow
def test_published_size():
    found = []
    for repetition in range(10):
        model = fitted(10_000, repetition)
        found.append([rounds_to(model, level) for level in PUBLISHED])
        assert_no_test_error(model, 10_000, 10_000, 100 + repetition)
    means = np.mean(found, axis=0)
    np.testing.assert_allclose(means, list(PUBLISHED.values()), rtol=0.02)
