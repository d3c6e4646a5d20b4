"""monotonic_cst for trees: both ways to grow agree, and no score goes the wrong way."""

import numpy as np
import pytest

from tests.core.shards import fit_on
from tests.core.test_shards import learned
from tests.learners.constrained import DIRECTIONS, fit, largest_fall, problem
from underdog import (
    AdaBoostAClassifier,
    AdaBoostClassifier,
    AdaUBoostClassifier,
    ERLPBoostClassifier,
    GentleAdaBoostClassifier,
    GradientBoostingClassifier,
    LogisticAdaBoostClassifier,
    LogitBoostClassifier,
    LPBoostClassifier,
    LPUBoostClassifier,
    SoftBoostClassifier,
    TotalBoostClassifier,
)
from underdog.kernels import criteria as kernels
from underdog.learners import TreeLearner, grower
from underdog.learners.criteria import GentleNewton, Newton, RealEdge, RealZ, UnevenUnit, UnevenZ

STAGEWISE = {
    "AdaBoost": (AdaBoostClassifier, {}),
    "AdaUBoost": (AdaUBoostClassifier, {"beta": 3.0}),
    "AdaBoost.A": (AdaBoostAClassifier, {}),
    "Gentle": (GentleAdaBoostClassifier, {}),
    "logistic": (LogisticAdaBoostClassifier, {}),
    "LogitBoost": (LogitBoostClassifier, {}),
    "gradient boosting": (GradientBoostingClassifier, {"l2_regularization": 0.5}),
}
MARGINS = {
    "LPBoost": (LPBoostClassifier, {}),
    "LPUBoost": (LPUBoostClassifier, {}),
    "ERLPBoost": (ERLPBoostClassifier, {}),
    "SoftBoost": (SoftBoostClassifier, {}),
    "TotalBoost": (TotalBoostClassifier, {}),
}
BOOSTERS = STAGEWISE | MARGINS
SHAPES = (
    TreeLearner(max_depth=3),
    TreeLearner(max_depth=None, max_leaf_nodes=12),
    TreeLearner(max_depth=4, growth="depth", min_samples_leaf=5),
)
VOTES = TreeLearner("discrete", max_depth=4)
each_booster = pytest.mark.parametrize("name", BOOSTERS)


@pytest.mark.parametrize("shape", [*SHAPES, VOTES], ids=str)
@each_booster
def test_no_score_goes_the_wrong_way(name, shape):
    booster, parameters = BOOSTERS[name]
    if shape is VOTES and name in ("LogitBoost", "gradient boosting"):
        pytest.skip("Newton's steps are no votes")
    falls = []
    for seed in range(3):
        X, *parts, y = problem(seed=seed)
        free = fit(booster, X, y, learner=shape, **parameters)
        falls.append(largest_fall(free, *parts))
        kept = fit(booster, X, y, learner=shape, monotonic_cst=DIRECTIONS, **parameters)
        assert largest_fall(kept, *parts) == 0.0
        assert any(len(member.hypothesis.leaves) > 2 for member in kept.model_.members)
    assert max(falls) > 0.0


@pytest.mark.parametrize("shape", [*SHAPES, VOTES], ids=str)
@pytest.mark.parametrize("name", STAGEWISE)
def test_both_ways_to_grow_give_the_same_bits(name, shape, monkeypatch):
    booster, parameters = BOOSTERS[name]
    if shape is VOTES and name in ("LogitBoost", "gradient boosting"):
        pytest.skip("Newton's steps are no votes")
    X, *_, y = problem(150)
    given = {"learner": shape, "monotonic_cst": DIRECTIONS, **parameters}
    wanted = learned(fit(booster, X, y, **given))
    monkeypatch.setattr(grower.Grower, "min_work", 0)
    assert learned(fit(booster, X, y, n_jobs=3, **given)) == wanted
    fit_on(monkeypatch, 2)
    assert learned(fit(booster, X, y, **given)) == wanted


def test_both_constraints_together(monkeypatch):
    X, *parts, y = problem()
    given = {"learner": SHAPES[0], "monotonic_cst": DIRECTIONS, "interaction_cst": "pairwise"}
    model = fit(AdaBoostClassifier, X, y, **given)
    assert largest_fall(model, *parts) == 0.0
    leaves = [leaf for member in model.model_.members for leaf in member.hypothesis.leaves]
    assert max(len({test.column for test, _ in leaf}) for leaf in leaves) == 2
    fit_on(monkeypatch, 2)
    assert learned(fit(AdaBoostClassifier, X, y, **given)) == learned(model)


@each_booster
def test_no_direction_changes_nothing(name):
    booster, parameters = BOOSTERS[name]
    X, *_, y = problem()
    free = fit(booster, X, y, learner="tree", **parameters)
    same = fit(booster, X, y, learner="tree", monotonic_cst=np.zeros(8), **parameters)
    assert learned(same) == learned(free)


# The same growth, written down plainly for real numbers.


def newton_block(gradient, curvature, penalty, bounds):
    """What a block says between bounds, and the drop of the loss that it promises."""
    value = np.clip(gradient.sum() / (curvature.sum() + penalty), *bounds)
    return value, 2 * value * gradient.sum() - value**2 * (curvature.sum() + penalty)


def exponential_block(sign, weight, smooth, bounds):
    plus, minus = weight[sign > 0].sum(), weight[sign < 0].sum()
    own = 0.5 * np.log((plus + smooth) / (minus + smooth))
    value = np.clip(own, *bounds)
    if value == own:
        return value, -2 * np.sqrt(plus * minus)
    return value, -(plus * np.exp(-value) + minus * np.exp(value))


def plain_scores(X, block, directions, depth, bounds=(-np.inf, np.inf), rows=None):
    """(n,): what a tree says of each row, every test of every node having been tried."""
    rows = np.arange(len(X)) if rows is None else rows
    said, before = block(rows, bounds)
    best, found = before + 1e-9, None
    for column in range(X.shape[1]) if depth else ():
        for cut in np.unique(X[rows, column])[1:]:
            true = X[rows, column] >= cut
            (no, left), (yes, right) = block(rows[~true], bounds), block(rows[true], bounds)
            if directions[column] * (yes - no) >= 0 and left + right > best + 1e-9:
                best, found = left + right, (column, true, (no + yes) / 2)
    out = np.zeros(len(X))
    if found is None:
        out[rows] = said
        return out
    column, true, middle = found
    low, high = bounds
    sides = {1: ((low, middle), (middle, high)), -1: ((middle, high), (low, middle))}
    own = sides.get(directions[column], (bounds, bounds))
    for side, each in zip((rows[~true], rows[true]), own, strict=True):
        out[side] = plain_scores(X, block, directions, depth - 1, each, side)[side]
    return out


@pytest.mark.parametrize("seed", range(12))
def test_a_tree_is_the_one_that_a_plain_search_finds(seed):
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 6, (80, 3)).astype(float)
    y = (X[:, 0] - X[:, 1] + 2 * np.sin(X[:, 2]) + rng.normal(size=80) > 0).astype(int)
    directions = rng.choice([-1, 1, 1, 0], 3)
    shape = TreeLearner(max_depth=3, growth="depth")
    share = y.mean()

    def newton(rows, bounds):
        return newton_block(y[rows] - share, np.full(len(rows), share * (1 - share)), 0.5, bounds)

    model = GradientBoostingClassifier(
        n_estimators=1, learning_rate=1.0, l2_regularization=0.5, learner=shape,
        monotonic_cst=directions,
    ).fit(X, y)  # fmt: skip
    start = np.log(share / (1 - share))
    wanted = start + plain_scores(X, newton, directions, 3)
    np.testing.assert_allclose(model.decision_function(X), wanted, atol=1e-6)

    def exponential(rows, bounds):
        return exponential_block(2 * y[rows] - 1, np.full(len(rows), 1 / 80), 0.1, bounds)

    model = AdaBoostClassifier(
        n_estimators=1, learner=shape, smoothing=0.1, monotonic_cst=directions
    ).fit(X, y)
    wanted = plain_scores(X, exponential, directions, 3)
    np.testing.assert_allclose(model.decision_function(X), wanted, atol=1e-6)


@pytest.mark.parametrize(
    "criterion",
    [RealZ(), RealEdge(), UnevenUnit(3.0), UnevenZ(3.0), GentleNewton(), Newton()],
    ids=lambda one: type(one).__name__,
)
def test_a_block_that_says_something_else_is_scored_by_its_loss(criterion):
    rng = np.random.default_rng(0)
    masses = rng.random((200, 2, 1)) / 200
    best = criterion.value(masses, 0.0)
    for smooth in (0.0, 0.01):
        for value in (best, best + rng.normal(size=best.shape)):
            found = criterion.score_at(masses, value, smooth)
            kernel = [
                kernels.score_at(criterion.number, plus, minus, said, smooth, criterion.beta)
                for (minus, plus), said in zip(masses[:, :, 0], value[:, 0], strict=True)
            ]
            np.testing.assert_allclose(kernel, found, rtol=1e-12, atol=1e-15)
    np.testing.assert_allclose(criterion.score_at(masses, best, 0.0), criterion.score(masses, 0.0))
    if not isinstance(criterion, RealEdge | UnevenUnit):  # their values are not of least score
        for step in (-0.1, 0.1):
            assert (
                criterion.score_at(masses, best + step, 0.0) > criterion.score(masses, 0.0)
            ).all()


def test_trees_of_two_weightings_are_refused():
    X, *_, y = problem()
    model = AdaBoostAClassifier(learner="tree", monotonic_cst=DIRECTIONS, initial="zipf")
    with pytest.raises(ValueError, match="monotonic_cst is not supported for trees that are grown"):
        model.fit(X, y, cost=2.0 - y)
