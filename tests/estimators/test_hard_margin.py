"""arc-gv and AdaBoost*: the textbook, the rounds that theory allows, and both ends."""

import math

import numpy as np
import pytest

from tests.twins.hard_margins import hard_margin
from underdog import (
    AdaBoostClassifier,
    AdaBoostStarClassifier,
    ArcGVClassifier,
    load,
    save,
)
from underdog.games import margins, solve_game


def separable(seed=0, n=40):
    rng = np.random.default_rng(seed)
    X = rng.integers(-3, 4, (n, 4)).astype(float)
    return X, np.where(X.sum(axis=1) + 0.5 * X[:, 0] > 0.25, 1, -1)


def greatest_margin(X, y):
    """The value of the game of all stumps, both signs."""
    columns = [np.ones(len(y))]
    for column in X.T:
        columns += [np.where(column > cut, 1.0, -1.0) for cut in np.unique(column)[:-1]]
    game = y[:, None] * np.array(columns).T
    return solve_game(np.hstack([game, -game])).value


@pytest.mark.parametrize("nu", [None, 0.1, 0.3])
def test_it_is_what_the_textbook_says(nu):
    X, y = separable()
    model = ArcGVClassifier() if nu is None else AdaBoostStarClassifier(nu=nu)
    model.set_params(n_estimators=60).fit(X, y)
    scores, edges, least = hard_margin(X, y, model.n_iter_, nu)
    assert model.n_iter_ > 10
    np.testing.assert_allclose(list(model.staged_decision_function(X)), scores, atol=1e-7)
    np.testing.assert_allclose(model.history_["edge"], edges, atol=1e-8)
    np.testing.assert_allclose(model.history_["margin"], least, atol=1e-8)
    assert model.certificate_["minimum_margin"] == pytest.approx(
        margins(model, X, y).minimum, abs=1e-9
    )


@pytest.mark.parametrize("nu", [0.05, 0.2])
@pytest.mark.parametrize("seed", range(3))
def test_adaboost_star_is_within_nu_of_the_best_in_time(seed, nu):
    X, y = separable(seed)
    allowed = math.ceil(2.0 * math.log(len(y)) / nu**2)
    model = AdaBoostStarClassifier(nu=nu, n_estimators=allowed).fit(X, y)
    best = greatest_margin(X, y)
    assert model.certificate_["minimum_margin"] >= best - nu
    assert model.certificate_["upper_bound"] >= best - 1e-9
    assert "within nu" in model.stop_reason_


def test_arc_gv_tends_to_the_greatest_margin():
    X, y = separable(1)
    best = greatest_margin(X, y)
    model = ArcGVClassifier(n_estimators=2000).fit(X, y)
    assert best - 0.01 < model.certificate_["minimum_margin"] <= best + 1e-9
    assert model.certificate_["upper_bound"] >= best - 1e-9


def test_arc_gv_is_adaboost_until_every_example_is_right():
    X, y = separable(2)
    plain = AdaBoostClassifier(learner="discrete", n_estimators=30).fit(X, y)
    model = ArcGVClassifier(n_estimators=30).fit(X, y)
    right = int(np.argmax(model.history_["margin"] > 0.0))
    assert 3 < right < 29
    own, other = model.history_["coefficient"], plain.history_["coefficient"]
    assert np.array_equal(own[: right + 1], other[: right + 1])
    assert own[right + 1] < other[right + 1]


def test_one_rule_that_is_always_right_is_all():
    X, y = np.arange(8.0).reshape(-1, 1), np.arange(8) > 2
    for model in (ArcGVClassifier(), AdaBoostStarClassifier()):
        assert model.fit(X, y).n_iter_ == 1
        assert model.certificate_["minimum_margin"] == model.certificate_["upper_bound"] == 1.0


def test_a_greedy_learner_has_no_upper_bound():
    X, y = separable(3)
    model = ArcGVClassifier(learner="tree", n_estimators=10).fit(X, y)
    assert model.certificate_["upper_bound"] == math.inf


def test_a_loaded_model_goes_on_with_the_same_steps(tmp_path):
    X, y = separable(4)
    for kind in (ArcGVClassifier, AdaBoostStarClassifier):
        whole = kind(n_estimators=30).fit(X, y)
        save(kind(n_estimators=12).fit(X, y), tmp_path / "model.udg")
        half = load(tmp_path / "model.udg").set_params(warm_start=True, n_estimators=30).fit(X, y)
        assert np.array_equal(whole.decision_function(X), half.decision_function(X))


@pytest.mark.parametrize("nu", [0.0, 1.0, -0.1, math.nan, "0.1"])
def test_a_nu_that_cannot_be_is_refused(nu):
    X, y = separable()
    with pytest.raises(ValueError, match=r"nu=.* must be between 0 and 1"):
        AdaBoostStarClassifier(nu=nu).fit(X, y)
