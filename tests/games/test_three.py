"""The majority of three: its bound, its weights, and boosting by filtering."""

import numpy as np
import pytest
from sklearn.tree import DecisionTreeClassifier

from underdog import AdaBoostClassifier
from underdog.games import (
    boost_by_filtering,
    majority_bound,
    margins,
    three_hypotheses,
    voting_margins,
    with_greatest_margin,
)

STUMP = DecisionTreeClassifier(max_depth=1, random_state=0)


def noisy(seed, n=60):
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 5, (n, 3)).astype(float)
    return X, (X.sum(axis=1) + rng.normal(size=n) > 6).astype(int), rng.random(n) + 0.1


@pytest.mark.parametrize("depth", [1, 2])
def test_the_error_is_below_its_bound(depth):
    closest = 1.0
    for seed in range(12):
        X, y, D = noisy(seed)
        model = three_hypotheses(STUMP, X, y, D, depth=depth)
        error = D[model.predict(X) != y].sum() / D.sum()
        assert error <= model.bound + 1e-12
        assert model.bound == pytest.approx(majority_bound(max(model.errors)))
        closest = min(closest, model.bound - error)
    assert closest < 0.05


def test_the_second_weights_are_those_of_adaboost():
    X, y, _ = noisy(1)
    model = three_hypotheses(STUMP, X, y)
    first = model.rules[0].predict(X)
    D = np.where(first == y, 1 / (1 - model.errors[0]), 1 / model.errors[0]) / (2 * len(y))
    assert D[first == y].sum() == pytest.approx(0.5)
    a = 0.5 * np.log((1 - model.errors[0]) / model.errors[0])
    ada = np.exp(np.where(first == y, -a, a))
    np.testing.assert_allclose(D, ada / ada.sum())


def test_three_votes_that_are_needed_and_one_that_is_enough():
    X, y, _ = noisy(2)
    one = three_hypotheses(STUMP, X, (X[:, 0] > 2).astype(int))
    assert one.errors == [0.0]
    assert one.bound == 0.0
    with pytest.raises(ValueError, match="3 classes"):
        three_hypotheses(STUMP, X, np.arange(len(y)) % 3)
    with pytest.raises(ValueError, match="depth=0"):
        three_hypotheses(STUMP, X, y, depth=0)


def test_filtering_finds_what_weights_find():
    rng = np.random.default_rng(0)

    def draw(n):
        X = rng.normal(size=(n, 2))
        return X, (X.sum(axis=1) > 0).astype(int)

    X, y = draw(20_000)
    errors = []
    for depth in (1, 2):
        model = boost_by_filtering(STUMP, draw, 2000, depth=depth)
        errors.append((model.predict(X) != y).mean())
        assert errors[-1] <= model.bound + 0.02
    assert errors[1] < errors[0] < model.rules[0].errors[0]


def test_a_filter_that_nothing_passes_says_so():
    calls = []

    def draw(n):
        calls.append(n)
        X = np.random.default_rng(len(calls)).choice([-1.0, 1.0], (n, 1))
        wrong = len(calls) == 2  # when the error of the first rule is measured
        return X, ((X[:, 0] > 0) != (wrong & (np.arange(n) == 0))).astype(int)

    with pytest.raises(ValueError, match="a smaller depth is enough"):
        boost_by_filtering(STUMP, draw, 50)


def test_the_programme_of_grove_and_schuurmans_has_the_greatest_margin():
    X, y, _ = noisy(3)
    y = (X.sum(axis=1) > 6).astype(int)
    model = AdaBoostClassifier(learner="discrete", n_estimators=60).fit(X, y)
    wide = with_greatest_margin(model, X, y)
    own = voting_margins(wide, X, y).min()
    assert voting_margins(model, X, y).min() <= own == pytest.approx(margins(model, X, y).best)
    assert not hasattr(wide, "predict_proba")
    assert hasattr(model, "predict_proba")
