"""Boosting by majority: binomial weights, unit votes and a bound that is kept."""

import numpy as np
import pytest

from tests.estimators.test_clocked import rows
from tests.twins.noise import boost_by_majority, majority_weight
from underdog import BoostByMajorityClassifier
from underdog.games import drifting_potential, majority_rounds
from underdog.losses import MajorityVotes


@pytest.mark.parametrize(("T", "gamma"), [(1, 0.2), (6, 0.1), (21, 0.1), (40, 0.31)])
def test_weights_and_potentials_are_those_of_the_game(T, gamma):
    phi = drifting_potential(T, gamma)
    for t in range(1, T + 1):
        loss = MajorityVotes(gamma, T, time=t - 1.0)
        places = np.arange(-t + 1.0, t)
        wanted = [majority_weight(int(s), T - t, gamma) for s in places]
        by_game = [(phi[t, T + int(s) - 1] - phi[t, T + int(s) + 1]) / 2.0 for s in places]
        np.testing.assert_allclose(by_game, wanted, atol=1e-14)
        np.testing.assert_allclose(0.5 * np.exp(loss.log_weights(places)), wanted, rtol=1e-11)
        for s in places:
            assert loss.chance(int(s)) == pytest.approx(phi[t - 1, T + int(s)], abs=1e-12)


@pytest.mark.parametrize(("gamma", "target_error"), [(0.1, 0.1), (0.05, 0.2), (0.03, 0.4)])
def test_it_is_what_the_textbook_says(gamma, target_error):
    X, y = rows()
    model = BoostByMajorityClassifier(gamma=gamma, target_error=target_error).fit(X, y)
    scores = boost_by_majority(X, y, gamma, model.rounds_)
    staged = np.array(list(model.staged_decision_function(X)))
    np.testing.assert_array_equal(staged, scores)
    assert (np.diff(model.history_["loss"]) <= 1e-12).all()
    error = np.mean(np.where(scores[-1] > 0, 1, -1) != y)
    assert model.certificate_["training_error"] == pytest.approx(error)
    ended = "vote" in model.stop_reason_
    assert ended or "less than 2 gamma" in model.stop_reason_
    if ended:
        assert error <= model.certificate_["bound"] <= target_error
    else:
        assert model.certificate_["bound"] == 1.0


def test_the_number_of_votes_is_the_smallest():
    for target_error, gamma in ((0.1744, 0.1), (0.01, 0.2), (0.49, 0.01)):
        T = majority_rounds(target_error, gamma)
        assert T % 2 == 1
        assert MajorityVotes(gamma, T).chance(0) <= target_error
        assert T == 1 or MajorityVotes(gamma, T - 2).chance(0) > target_error


def test_another_final_loss_of_a_drifting_game():
    """A linear one stays linear: its potential falls by 2 gamma a round."""
    phi = drifting_potential(5, 0.1, loss=lambda s: -s)
    inside = np.arange(-2, 3)
    np.testing.assert_allclose(phi[2, 5 + inside], -inside - 3 * 0.2)
    with pytest.raises(ValueError, match="return one number for each"):
        drifting_potential(5, 0.1, loss=lambda s: s[:2])


def test_what_cannot_be_is_refused():
    X, y = rows(1)
    for name, value in {"gamma": 0.5, "target_error": 0.0, "learning_rate": 0.5}.items():
        with pytest.raises(ValueError, match=f"{name}={value}"):
            BoostByMajorityClassifier(**{name: value}).fit(X, y)
    with pytest.raises(ValueError, match="use a larger gamma"):
        majority_rounds(0.1, 1e-4)


def test_hard_data_end_with_a_reason():
    X, y = rows(2, 300)
    few = (np.arange(300) == 7).astype(int)
    for data, labels in ((X, -y), (X, few), (X, X[:, 0] > 0), (np.zeros((9, 1)), np.arange(9) % 2)):
        model = BoostByMajorityClassifier(gamma=0.02, target_error=0.3).fit(data, labels)
        assert model.stop_reason_
        assert np.isfinite(model.decision_function(data)).all()
