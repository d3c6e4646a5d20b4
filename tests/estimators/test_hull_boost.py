"""Greedy boosting in the convex hull: the textbook, the rate, the gap and what must not change."""

import warnings
from types import SimpleNamespace

import numpy as np
import pytest
from sklearn.tree import DecisionTreeClassifier

from tests.core.shards import fit_on
from tests.twins.boosters import table
from underdog import (
    ArcGVClassifier,
    BoostingClassifier,
    HullBoostClassifier,
    HullBoostRegressor,
    load,
    save,
)
from underdog.combiners import Hull
from underdog.combiners.stagewise import NO_EDGE, no_edge
from underdog.core import ShrinkingPath
from underdog.learners import StumpLearner, TreeLearner
from underdog.losses import Descent, HuberLoss

KINDS = [HullBoostClassifier, HullBoostRegressor]
each_kind = pytest.mark.parametrize("kind", KINDS)


def rows(kind, n=60, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 3)).round(1)
    f = X @ [1.0, -1.0, 0.5]
    y = f + rng.normal(size=n).round(2)
    return X, y if kind is HullBoostRegressor else np.where(y > 0.2, 1, -1)


def textbook(kind, X, y, radius, rounds):
    """f <- (1 - c) f + c R h on all stumps, c by a fine search; losses, gaps and scores."""
    _, truth = table(X)
    votes = np.where(np.vstack([truth, ~truth]), 1.0, -1.0)
    votes = np.vstack([votes, np.ones((1, len(y))), -np.ones((1, len(y)))])
    if kind is HullBoostRegressor:
        start, radius = y.mean(), radius * y.std()

        def loss(f):
            return np.mean((y - start - f) ** 2) / 2

        def fall(f):
            return y - start - f

    else:
        start = np.log((y > 0).mean() / (y < 0).mean())

        def loss(f):
            return np.mean(np.log1p(np.exp(-y * (start + f))))

        def fall(f):
            return y / (1.0 + np.exp(y * (start + f)))

    f, found = np.zeros(len(y)), []
    for _ in range(rounds):
        g = fall(f) / len(y)
        way = radius * votes[np.argmax(votes @ g)] - f
        low, high = 0.0, 1.0
        for _ in range(60):
            middle = (low + high) / 2
            low, high = (middle, high) if fall(f + middle * way) @ way > 0.0 else (low, middle)
        gap = g @ way
        f = f + high * way
        found.append((loss(f), gap, start + f))
    return found


@each_kind
@pytest.mark.parametrize("radius", [0.5, 3.0])
def test_it_is_what_the_textbook_says(kind, radius):
    X, y = rows(kind)
    model = kind(radius=radius, n_estimators=25).fit(X, y)
    losses, gaps, scores = zip(*textbook(kind, X, y, radius, 25), strict=True)
    np.testing.assert_allclose(model.history_["loss"], losses, rtol=1e-8)
    np.testing.assert_allclose(model.history_["gap"], gaps, rtol=1e-5, atol=1e-9)
    own = model.staged_predict if kind is HullBoostRegressor else model.staged_decision_function
    np.testing.assert_allclose(list(own(X)), scores, atol=1e-6)


@each_kind
def test_the_rate_the_gap_and_the_radius_hold_in_every_round(kind):
    X, y = rows(kind, 200, 1)
    model = kind(radius=4.0, n_estimators=400).fit(X, y)
    best = model.certificate_["lower_bound"]
    losses, rounds = model.history_["loss"], np.arange(1, model.n_iter_ + 1)
    curvature = model.certificate_["rate"] * (model.n_iter_ + 3) / 2
    assert (losses - best <= 2.0 * curvature / (rounds + 3)).all()
    before = np.append(np.inf, losses[:-1])
    assert (np.diff(losses) <= 1e-12).all()
    assert (model.history_["lower_bound"] <= losses[-1] + 1e-12).all()
    assert (before - model.history_["gap"])[1:] == pytest.approx(model.history_["lower_bound"][1:])
    scale = y.std() if kind is HullBoostRegressor else 1.0
    assert sum(member.size for member in model.model_.members) <= 4.0 * scale * (1 + 1e-9)
    assert 0.0 <= model.certificate_["gap"] < 0.05 * losses[0]


def test_a_learner_of_another_library_sees_the_weights_of_both_classes():
    """The gradients of the log loss are the weights; at the start those of a class are equal."""
    X, y = rows(HullBoostClassifier, 200, 5)
    seen = []

    class Watched(DecisionTreeClassifier):
        def fit(self, X, y, sample_weight=None):
            seen.append((y, sample_weight))
            return super().fit(X, y, sample_weight=sample_weight)

    model = HullBoostClassifier(radius=4.0, n_estimators=5, learner=Watched(max_depth=1))
    model.fit(X, y)
    signs, weight = seen[0]
    share = (signs > 0).mean()
    expected = np.where(signs > 0, 1.0 - share, share)
    np.testing.assert_allclose(weight / weight.sum(), expected / expected.sum(), rtol=1e-6)
    assert (np.diff(model.history_["loss"]) < 0.0).all()
    for (_, weight), scores in zip(seen[1:], model.staged_decision_function(X), strict=False):
        expected = 1.0 / (1.0 + np.exp(y * scores))
        np.testing.assert_allclose(weight / weight.sum(), expected / expected.sum(), rtol=1e-5)


def test_a_shrinking_path_has_the_coefficients_of_every_round():
    joined, kept = np.array([2.0, 1.0, 0.5]), np.array([1.0, 0.5, 0.25])
    path = ShrinkingPath(joined, kept)
    assert [own.tolist() for own in path] == [[2.0], [1.0, 1.0], [0.25, 0.25, 0.5]]
    assert path[-1].tolist() == path[2].tolist()
    assert len(path) == 3


@each_kind
def test_order_repeats_shards_files_and_a_warm_start_change_no_bit(kind, tmp_path, monkeypatch):
    X, y = rows(kind, 50, 2)
    times = np.arange(50) % 3 + 1
    whole = kind(radius=3.0, n_estimators=30).fit(X, y, sample_weight=times)
    order = np.random.default_rng(3).permutation(np.repeat(np.arange(50), times))
    again = kind(radius=3.0, n_estimators=30).fit(X[order], y[order])
    assert np.array_equal(whole.predict(X), again.predict(X))
    assert np.array_equal(whole.history_["gap"], again.history_["gap"])
    half = kind(radius=3.0, n_estimators=12).fit(X, y, sample_weight=times)
    save(half, tmp_path / "half.udg")
    half = load(tmp_path / "half.udg").set_params(warm_start=True, n_estimators=30)
    half.fit(X, y, sample_weight=times)
    last = [member.coefficient for member in whole.model_.members]
    assert [member.coefficient for member in half.model_.members] == last
    assert np.array_equal(whole.history_["loss"], half.history_["loss"])
    fit_on(monkeypatch, 3)
    three = kind(radius=3.0, n_estimators=30).fit(X, y, sample_weight=times)
    assert [member.coefficient for member in three.model_.members] == last


@each_kind
def test_early_stopping_keeps_the_model_of_its_round(kind):
    X, y = rows(kind, 300, 4)
    model = kind(radius=16.0, n_estimators=200, early_stopping=True, n_iter_no_change=3).fit(X, y)
    assert model.n_iter_ < 200
    stages = list(model.staged_predict(X))
    assert len(stages) == model.n_iter_
    assert np.array_equal(stages[-1], model.predict(X))
    assert model.certificate_["training_loss"] == pytest.approx(
        model.history_["loss"][model.n_iter_ - 1], rel=1e-9
    )


@each_kind
def test_the_radius_is_chosen_by_left_out_rows(kind):
    X, y = rows(kind, 120, 5)
    noise = np.random.default_rng(6).permutation(y)
    known, unknown = (kind(n_estimators=30).fit(X, own) for own in (y, noise))
    assert known.radius_ > unknown.radius_ == 1.0
    fixed = kind(radius=known.radius_, n_estimators=30).fit(X, y)
    assert np.array_equal(known.predict(X), fixed.predict(X))


@each_kind
def test_trees_and_constant_columns(kind):
    X, y = rows(kind)
    model = kind(radius=2.0, learner="tree", n_estimators=10).fit(X, y)
    assert model.certificate_["lower_bound"] == -np.inf
    flat = kind(radius=2.0).fit(np.zeros((60, 2)), y)
    assert "constant" in flat.stop_reason_
    assert len(np.unique(flat.predict(X[:, :2]))) == 1


@each_kind
def test_at_the_minimum_there_is_no_gap(kind):
    X, y = rows(kind)
    y = np.where(X[:, 0] > 0.2, 1, -1) * (2.5 if kind is HullBoostRegressor else 1)
    model = kind(radius=0.5, n_estimators=50).fit(X, y)
    assert "minimum in the convex hull" in model.stop_reason_
    assert model.n_iter_ == 1
    assert model.certificate_["gap"] <= 1e-9 * model.certificate_["training_loss"]


def test_what_cannot_be_is_refused():
    X, y = rows(HullBoostClassifier)
    for radius in (0.0, -1.0, np.nan, "2"):
        with pytest.raises(ValueError, match="radius="):
            HullBoostClassifier(radius=radius).fit(X, y)
    with pytest.raises(ValueError, match=r"learning_rate=1\.5 must be at most 1"):
        HullBoostClassifier(learning_rate=1.5).fit(X, y)
    with pytest.raises(ValueError, match="not smooth"):
        Descent(HuberLoss()).check()
    with pytest.raises(ValueError, match="the loss between two models"):
        BoostingClassifier(combiner=Hull()).fit(X, y)


def ordered(n=80, seed=2):
    """Few values, and an interaction: the best tree of depth one is often not the best stump."""
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 5, (n, 3)).astype(float)
    return X, ((X[:, 0] * X[:, 1] - 4 + 2 * rng.normal(size=n)) > 0).astype(int)


def test_a_greedy_learner_claims_no_minimum():
    X, y = ordered()
    tree = HullBoostClassifier(radius=4.0, learner=TreeLearner(max_depth=1), n_estimators=300)
    tree.fit(X, y)
    best = HullBoostClassifier(radius=4.0, n_estimators=300).fit(X, y)
    assert tree.certificate_["training_loss"] > 1.1 * best.certificate_["training_loss"]
    assert tree.stop_reason_ == (
        "no better tree was found: the last one does not lead to a lower loss"
    )
    assert tree.certificate_["lower_bound"] == -np.inf
    assert tree.certificate_["gap"] == np.inf


def test_a_greedy_learner_does_not_speak_of_the_greatest_margin():
    rng = np.random.default_rng(4)
    X = rng.integers(0, 4, (60, 2)).astype(float)
    y = ((X[:, 0] * X[:, 1] - 2 + 2 * rng.normal(size=60)) > 0).astype(int)
    learner = TreeLearner("discrete", max_depth=1)
    tree = ArcGVClassifier(learner=learner, n_estimators=200).fit(X, y)
    assert tree.stop_reason_ == (
        "no better tree was found: the edge of the last one is not above the least margin"
    )


def test_the_reason_of_a_learner_that_finds_no_edge():
    greedy, exact = (
        SimpleNamespace(parts=SimpleNamespace(learner=own))
        for own in (TreeLearner("discrete"), StumpLearner("discrete"))
    )
    assert no_edge(exact) == NO_EDGE
    assert no_edge(greedy) == (
        "no better tree was found: the last one has no edge left, its coefficient is 0"
    )


@pytest.mark.parametrize("power", [-900, -532, 3, 530, 900])
@pytest.mark.parametrize("radius", [3.0, None])
def test_the_unit_of_the_target_does_not_matter(power, radius):
    X, y = rows(HullBoostRegressor)
    with warnings.catch_warnings():
        warnings.simplefilter("error", RuntimeWarning)
        one, other = (
            HullBoostRegressor(radius=radius, n_estimators=20).fit(X, np.ldexp(y, by))
            for by in (0, power)
        )
    assert other.radius_ == one.radius_
    np.testing.assert_array_equal(other.predict(X), np.ldexp(one.predict(X), power))
    if abs(power) < 10:
        wanted = np.ldexp(one.history_["loss"], 2 * power)
        np.testing.assert_array_equal(other.history_["loss"], wanted)
    half = HullBoostRegressor(radius=one.radius_, n_estimators=10).fit(X, np.ldexp(y, power))
    half.set_params(n_estimators=20, warm_start=True).fit(X, np.ldexp(y, power))
    np.testing.assert_array_equal(half.predict(X), other.predict(X))
