"""monotonic_cst for stumps: no score goes the wrong way, and the best allowed test is taken."""

import warnings

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from sklearn.base import clone
from sklearn.datasets import make_classification
from sklearn.tree import DecisionTreeClassifier

from tests.core.shards import fit_on
from tests.core.test_shards import learned
from tests.learners.constrained import DIRECTIONS, fit, largest_fall, problem
from tests.learners.test_monotonic_trees import BOOSTERS, STAGEWISE
from underdog import (
    AdaBoostAClassifier,
    AdaBoostClassifier,
    AdaBoostMHClassifier,
    GradientBoostingClassifier,
    LogisticAdaBoostClassifier,
    LogitBoostClassifier,
    load,
)
from underdog.learners import TreeLearner
from underdog.learners.criteria import NAMES

NEWTON = ("LogitBoost", "gradient boosting")
each_booster = pytest.mark.parametrize("name", BOOSTERS)


@pytest.mark.parametrize("learner", NAMES)
@each_booster
def test_no_score_goes_the_wrong_way(name, learner):
    booster, parameters = BOOSTERS[name]
    if name in NEWTON and learner != "real":
        pytest.skip("Newton's steps are for real values")
    X, *parts, y = problem(100)
    given = {"learner": learner, "n_estimators": 12, **parameters}
    free = fit(booster, X, y, **given)
    falls = []
    for directions in (DIRECTIONS, -DIRECTIONS):
        falls.append(largest_fall(free, *parts, directions))
        kept = fit(booster, X, y, monotonic_cst=directions, **given)
        assert largest_fall(kept, *parts, directions) == 0.0
    assert max(falls) > 0.0


@pytest.mark.parametrize("stall", ["skip", "stop"])
@pytest.mark.parametrize("learner", ["real", "discrete"])
def test_two_weightings(learner, stall):
    """Under other costs a rule may have a negative coefficient: then it is not taken."""
    falls = []
    for seed in range(6):
        X, *parts, y = problem(100, seed=seed)
        given = {"learner": learner, "stall": stall, "n_estimators": 25, "initial": "zipf"}
        weights = {"cost": np.random.default_rng(seed).exponential(size=len(y)) ** 3 + 1e-3}
        models = []
        for directions in (None, DIRECTIONS):
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                model = AdaBoostAClassifier(monotonic_cst=directions, **given)
                models.append(model.fit(X, y, **weights))
        falls.append(largest_fall(models[0], *parts))
        assert largest_fall(models[1], *parts) == 0.0
    assert max(falls) > 0.0


@pytest.mark.parametrize("name", STAGEWISE)
def test_the_same_bits_on_shards_and_from_sparse_data(name, monkeypatch):
    booster, parameters = BOOSTERS[name]
    X, y = make_classification(200, 6, n_informative=4, random_state=0)
    X = np.where(np.abs(X) < 0.4, 0.0, np.rint(4 * X))
    given = {"learner": "real", "monotonic_cst": [1, -1, 1, -1, 0, 1], **parameters}
    model = fit(booster, X, y, **given)
    assert (
        learned(fit(booster, sp.csr_array(X), y, **given))["members"] == learned(model)["members"]
    )
    fit_on(monkeypatch, 2)
    assert learned(fit(booster, X, y, **given)) == learned(model)


@pytest.mark.parametrize("name", [name for name in STAGEWISE if name != "AdaBoost.A"])
def test_a_tree_of_depth_one_is_a_stump(name):
    booster, parameters = BOOSTERS[name]
    X, *_, y = problem(300)
    given = {"monotonic_cst": -DIRECTIONS, "n_estimators": 4, **parameters}
    tree = fit(booster, X, y, learner=TreeLearner(max_depth=1), **given)
    stump = fit(booster, X, y, learner="real", **given)
    stages = list(zip(*(each.staged_decision_function(X) for each in (tree, stump)), strict=False))
    for found, wanted in stages:  # a tree that gains nothing is not grown, so there may be fewer
        np.testing.assert_array_equal(found, wanted)
    assert len(stages) > 1


def plain_stump(X, weight, sign, directions, smooth):
    """(n,): the scores of the allowed stump with the least Z, all of them having been tried."""
    best, scores = np.inf, None
    for column in range(X.shape[1]):
        for cut in np.unique(X[:, column])[1:]:
            true = X[:, column] >= cut
            z, said = 0.0, []
            for side in (~true, true):
                plus, minus = weight[side & (sign > 0)].sum(), weight[side & (sign < 0)].sum()
                z += 2 * np.sqrt(plus * minus)
                said.append(0.5 * np.log((plus + smooth) / (minus + smooth)))
            if directions[column] * (said[1] - said[0]) >= 0 and z < best - 1e-9:
                best, scores = z, np.where(true, said[1], said[0])
    return scores


def test_every_stump_is_the_best_of_those_allowed():
    rng = np.random.default_rng(0)
    X = rng.integers(0, 7, (90, 4)).astype(float)
    y = (X[:, 0] - X[:, 1] + X[:, 2] + rng.normal(scale=2, size=90) > 3).astype(int)
    directions, sign = np.array([-1, -1, 1, 0]), 2 * y - 1
    model = AdaBoostClassifier(n_estimators=12, monotonic_cst=directions).fit(X, y)
    wanted = np.zeros(90)
    for found in model.staged_decision_function(X):
        weight = np.exp(-sign * wanted)
        wanted += plain_stump(X, weight / weight.sum(), sign, directions, 1 / 90)
        np.testing.assert_allclose(found, wanted, atol=1e-8)


def test_words_of_a_sparse_matrix():
    rng = np.random.default_rng(0)
    X = sp.csr_array((rng.random((200, 30)) < 0.2).astype(float))
    y = rng.integers(0, 2, 200)
    free = AdaBoostClassifier(n_estimators=40).fit(X, y)
    kept = AdaBoostClassifier(n_estimators=40, monotonic_cst=np.ones(30)).fit(X, y)
    said = [np.concatenate([m.hypothesis.values.T for m in each.model_.members])
            for each in (free, kept)]  # fmt: skip
    assert (said[0][:, 1] < said[0][:, 0]).any()
    assert (said[1][:, 1] >= said[1][:, 0]).all()


def test_no_allowed_test_at_all():
    X = np.arange(20.0).reshape(-1, 1)
    y = np.arange(20) > 9
    model = AdaBoostClassifier(monotonic_cst=[-1])
    model.fit(X, y)
    assert model.stop_reason_.startswith("no test has its values in the order that monotonic_cst")
    assert len(np.unique(model.decision_function(X))) == 1


def test_a_test_that_is_too_light_is_followed_by_an_allowed_one():
    X, *parts, y = problem(100)
    model = fit(AdaBoostClassifier, X, y, monotonic_cst=DIRECTIONS, min_weight_fraction_leaf=0.3)
    assert largest_fall(model, *parts) == 0.0
    assert len(model.model_.members) > 1


def test_missing_values_may_be_on_any_side():
    rng = np.random.default_rng(0)
    X = rng.integers(0, 5, (300, 1)).astype(float)
    y = (X[:, 0] + rng.normal(size=300) > 2).astype(int)
    X[rng.random(300) < 0.3] = np.nan
    for rare in (0, 1):
        y = np.where(np.isnan(X[:, 0]), rare, y)
        model = AdaBoostClassifier(n_estimators=20, monotonic_cst=[1]).fit(X, y)
        missing, lowest, highest = model.decision_function([[np.nan], [0.0], [4.0]])
        assert lowest < highest
        assert (missing > highest) if rare else (missing < lowest)


def test_names_and_the_positive_class():
    X, y = make_classification(200, 4, n_informative=4, n_redundant=0, random_state=0)
    frame = pd.DataFrame(X, columns=list("abcd"))
    by_name = AdaBoostClassifier(monotonic_cst={"b": -1, "d": 1}).fit(frame, y)
    by_place = AdaBoostClassifier(monotonic_cst=[0, -1, 0, 1]).fit(X, y)
    wanted = by_place.decision_function(X)
    np.testing.assert_array_equal(by_name.decision_function(frame), wanted)
    series = AdaBoostClassifier(monotonic_cst=pd.Series([0, -1, 0, 1])).fit(X, y)
    np.testing.assert_array_equal(series.decision_function(X), wanted)
    other = AdaBoostClassifier(monotonic_cst=[0, 1, 0, -1], pos_label=0).fit(X, y)
    np.testing.assert_array_equal(other.decision_function(X), wanted)


@pytest.mark.parametrize("given", [[1, -1, 0, 0], {"a": 1, "b": -1}, np.array([1, -1, 0, 0])])
def test_model_files_and_clones_hold_the_constraint(given, tmp_path):
    X, y = make_classification(200, 4, n_informative=4, n_redundant=0, random_state=0)
    frame = pd.DataFrame(X, columns=list("abcd"))
    model = LogitBoostClassifier(n_estimators=5, monotonic_cst=given).fit(frame, y)
    model.save(tmp_path / "model.udg")
    again = load(tmp_path / "model.udg")
    assert str(again.monotonic_cst) == str(given)
    assert learned(again) == learned(model)
    assert learned(again.fit(frame, y)) == learned(model)
    assert learned(clone(model).fit(frame, y)) == learned(model)


def test_early_stopping_keeps_the_constraint():
    X, *parts, y = problem(300)
    for cv in (None, 3):
        model = fit(
            GradientBoostingClassifier, X, y, monotonic_cst=DIRECTIONS, early_stopping=True, cv=cv
        )
        assert largest_fall(model, *parts) == 0.0


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ([1], "monotonic_cst has 1 values, but X has 2 columns: give one of -1, 0 and 1 for each"),
        ([1, 2], "monotonic_cst has 2 for column 'x1': use 1 for a score that must not fall"),
        ([1, "up"], "monotonic_cst has 'up' for column 'x1'"),
        ([1, np.nan], "monotonic_cst has nan for column 'x1'"),
        ([[1, 0]], r"monotonic_cst has 1 values, but X has 2 columns"),
        (1, "monotonic_cst=1 must be one of -1, 0 and 1 for each column, or a dict"),
        ("ab", "monotonic_cst='ab' must be one of -1, 0 and 1 for each column, or a dict"),
        ({"a": 1}, "monotonic_cst is a dict, but the columns of X have no names: give X as a data"),
    ],
)
def test_constraints_that_cannot_be(given, message):
    with pytest.raises(ValueError, match=message):
        AdaBoostClassifier(monotonic_cst=given).fit([[0.0, 1.0], [1.0, 0.0]], [0, 1])


def test_columns_that_cannot_be_constrained():
    frame = pd.DataFrame({"age": [1.0, 2.0, 3.0, 4.0], "town": list("abab")})
    with pytest.raises(
        ValueError, match="constrains column 'town', whose categories have no order"
    ):
        AdaBoostClassifier(monotonic_cst={"town": 1}).fit(frame, [0, 1, 0, 1])
    with pytest.raises(ValueError, match=r"not a column of X \(columns: age, town\)"):
        AdaBoostClassifier(monotonic_cst={"size": 1}).fit(frame, [0, 1, 0, 1])


def test_problems_and_parts_that_cannot_keep_it():
    X, y = make_classification(60, 4, n_informative=4, n_redundant=0, random_state=0)
    several, given = np.arange(60) % 3, {"monotonic_cst": [1, 0, 0, 0]}
    for booster in (AdaBoostClassifier, GradientBoostingClassifier, AdaBoostMHClassifier):
        with pytest.raises(ValueError, match="but here each of 3 classes, labels or"):
            booster(**given).fit(X, several)
    with pytest.raises(ValueError, match="but here each of 2 classes, labels or"):
        AdaBoostMHClassifier(**given).fit(X, np.column_stack([y, several == 1]))
    with pytest.raises(ValueError, match="monotonic_cst needs a StumpLearner or a TreeLearner"):
        AdaBoostClassifier(learner=DecisionTreeClassifier(), **given).fit(X, y)
    with pytest.raises(ValueError, match="monotonic_cst is not supported with parallel updates"):
        LogisticAdaBoostClassifier(update="parallel", **given).fit(X, y)
