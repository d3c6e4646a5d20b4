"""AdaBoost.A: initial weightings, costs and what to do when they disagree."""

import numpy as np
import pytest

from tests.core.shards import fit_on
from tests.estimators.small import measured_error, noisy, stages, two_kinds
from underdog import (
    AdaBoostAClassifier,
    AdaBoostClassifier,
)
from underdog.learners import TreeLearner


@pytest.mark.parametrize(
    ("initial", "weights"),
    [
        ("uniform", lambda i: np.ones(len(i))),
        ("zipf", lambda i: 1.0 / i),
        (("geometric", 0.97), lambda i: 0.97**i),
    ],
    ids=["uniform", "zipf", "geometric"],
)
@two_kinds
def test_initial_weightings_by_position(initial, weights, learner):
    X, y = noisy()
    w = weights(np.arange(1.0, len(y) + 1))
    model = AdaBoostAClassifier(initial=initial, learner=learner, n_estimators=10).fit(X, y)
    given = AdaBoostAClassifier(learner=learner, n_estimators=10).fit(X, y, initial_weight=7 * w)
    np.testing.assert_allclose(stages(model, X), stages(given, X), rtol=1e-7, atol=1e-9)
    # The first hypothesis is the one that AdaBoost finds if it starts from w.
    start = AdaBoostClassifier(learner=learner, n_estimators=1)
    start.fit(X, y, sample_weight=w / w.min() * 1.1)
    first = [m.model_.members[0].hypothesis for m in (model, start)]
    assert (first[0].test.column, first[0].test.threshold) == (
        first[1].test.column,
        first[1].test.threshold,
    )


def test_positions_are_those_of_the_rows_that_were_given():
    """Rows of weight 0 keep their place in the order."""
    X, y = noisy()
    weight = (np.arange(len(y)) % 2).astype(float)
    model = AdaBoostAClassifier(initial="zipf", n_estimators=6).fit(X, y, sample_weight=weight)
    kept = np.flatnonzero(weight)
    given = AdaBoostAClassifier(n_estimators=6)
    given.fit(X[kept], y[kept], initial_weight=1.0 / (kept + 1))
    np.testing.assert_allclose(stages(model, X), stages(given, X), rtol=1e-7, atol=1e-9)


@pytest.mark.parametrize("learner", ["discrete", "real", "real.mh", "disc.lp", "real.u"])
def test_a_uniform_start_is_adaboost(learner):
    X, y = noisy()
    plain = AdaBoostClassifier(learner=learner, n_estimators=10).fit(X, y)
    for initial, given in (
        (None, {}),
        ("uniform", {}),
        (("geometric", 1.0), {}),
        (None, {"cost": np.full(len(y), 3.0)}),
        ("uniform", {"cost": np.full(len(y), 3.0)}),
        (None, {"initial_weight": np.full(len(y), 0.1)}),
        (None, {"initial_weight": np.full(len(y), 0.1), "cost": np.ones(len(y))}),
    ):
        model = AdaBoostAClassifier(learner=learner, n_estimators=10, initial=initial)
        np.testing.assert_array_equal(stages(model.fit(X, y, **given), X), stages(plain, X))


@pytest.mark.parametrize("learner", ["discrete", "real"])
def test_a_start_that_is_the_cost_is_the_cost_alone(learner):
    X, y = noisy()
    cost = 0.5 + np.random.default_rng(0).random(len(y))
    model = AdaBoostAClassifier(learner=learner, n_estimators=10)
    alone = stages(model.fit(X, y, cost=cost), X)
    np.testing.assert_array_equal(
        stages(model.fit(X, y, cost=cost, initial_weight=7.0 * cost), X), alone
    )


def test_costs_change_what_is_learned():
    X, y = noisy()
    cost = np.where(y == 1, 20.0, 1.0)
    plain = AdaBoostAClassifier(n_estimators=20).fit(X, y)
    dear = AdaBoostAClassifier(n_estimators=20).fit(X, y, cost=cost)
    assert (dear.predict(X) == 1).sum() > (plain.predict(X) == 1).sum()
    assert measured_error(dear, X, y, cost) < measured_error(plain, X, y, cost)


STALLED = (
    "the best rule gains nothing under the cost (A = 1/2): initial weighting and cost disagree; "
    "use the cost as initial weighting, or stall='skip'"
)


def opposed():
    """The weighting says that 1s are on the right, the cost says on the left."""
    X = np.array([[0.0], [0.0], [1.0], [1.0]])
    y = np.array([0, 1, 0, 1])
    return X, y, {"initial_weight": [2.0, 1.0, 1.0, 2.0], "cost": [1.0, 3.0, 3.0, 1.0]}


def test_weighting_and_cost_that_disagree():
    X, y, given = opposed()
    skip = AdaBoostAClassifier(stall="skip", n_estimators=9).fit(X, y, **given)
    alone = AdaBoostAClassifier(n_estimators=9).fit(X, y, cost=given["cost"])
    np.testing.assert_array_equal(skip.decision_function(X), alone.decision_function(X))
    stop = AdaBoostAClassifier(stall="stop", n_estimators=9).fit(X, y, **given)
    # The paper's form: a negative coefficient, once; then the same rule with A = 1/2.
    assert stop.stop_reason_ == STALLED
    assert (stop.n_iter_, stop.predict(X).tolist()) == (1, [1, 1, 0, 0])
    assert stop.history_["wrong_share"][0] == pytest.approx(0.75)
    assert stop.history_["coefficient"][0] == pytest.approx(0.5 * np.log(0.25 / 0.75))


@two_kinds
def test_skipping_goes_on_where_the_paper_stops(learner):
    X, y = noisy()
    shared = {"initial": ("geometric", 0.97), "learner": learner, "n_estimators": 60}
    stop = AdaBoostAClassifier(stall="stop", **shared).fit(X, y)
    skip = AdaBoostAClassifier(stall="skip", **shared).fit(X, y)
    assert stop.stop_reason_ == STALLED
    assert stop.n_iter_ < skip.n_iter_
    assert skip.history_["bound"][-1] < stop.history_["bound"][-1]
    assert (skip.history_["ratio"] <= 1 + 1e-9).all()


@pytest.mark.parametrize("kind", ["discrete", "real"])
@pytest.mark.parametrize("n_shards", [1, 2])
def test_trees_on_drawn_rows_vote_by_the_costs_of_all(kind, n_shards, monkeypatch):
    if n_shards > 1:
        fit_on(monkeypatch, n_shards)
    for seed in range(4, 8):
        rng = np.random.default_rng(seed)
        X = rng.integers(0, 9, (200, 4)).astype(float)
        y = ((X[:, 0] * X[:, 1] / 5 - 3 + 2 * rng.normal(size=200)) > 0).astype(int)
        learner = TreeLearner(kind, max_depth=3, subsample=0.4)
        model = AdaBoostAClassifier(learner=learner, n_estimators=20)
        model.fit(X, y, cost=np.where(y, 9.0, 1.0), initial_weight=np.where(y, 1.0, 9.0))
        assert model.history_["coefficient"].min() > 0.0
        assert model.history_["ratio"].max() < 1.0
        if kind == "discrete":
            assert model.history_["wrong_share"].max() < 0.5
