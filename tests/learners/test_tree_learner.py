"""Trees: the fast growth equals the plain one, and both keep the promises of the stumps."""

import re
import warnings

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from sklearn.datasets import make_classification

import underdog
from tests.core.shards import fit_on
from tests.core.test_shards import learned
from tests.data.tables import TABLES
from underdog import (
    AdaBoostAClassifier,
    AdaBoostClassifier,
    AdaBoostMHClassifier,
    AdaUBoostClassifier,
    GentleAdaBoostClassifier,
    LogisticAdaBoostClassifier,
    Table,
)
from underdog.data import EncodedRows
from underdog.estimators import all_boosters, all_regressors
from underdog.learners import C45LikeLearner, TreeLearner, grower

BOOSTERS = {
    "AdaBoost": (AdaBoostClassifier, {}),
    "AdaUBoost": (AdaUBoostClassifier, {"beta": 3.0}),
    "Gentle": (GentleAdaBoostClassifier, {}),
    "logistic": (LogisticAdaBoostClassifier, {}),
    "AdaBoost.A": (AdaBoostAClassifier, {}),
}
SHAPES = (
    TreeLearner(max_depth=2),
    TreeLearner(max_depth=None, max_leaf_nodes=7),
    TreeLearner(max_depth=4, max_leaf_nodes=6, growth="depth"),
    TreeLearner("discrete", max_depth=3),
    TreeLearner(max_depth=3, min_samples_leaf=9),
    TreeLearner(max_depth=5, min_weight_fraction_leaf=0.05),
    C45LikeLearner(),
    C45LikeLearner("real", min_leaf_weight=0.5, confidence=None),
)
each_booster = pytest.mark.parametrize("name", BOOSTERS)
each_shape = pytest.mark.parametrize("shape", SHAPES, ids=str)


def fit(booster, parameters, X, y, **arguments):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return booster(**{"n_estimators": 4, **parameters}).fit(X, y, **arguments)


def target(n_rows, n_classes=2, seed=0):
    """Classes that have nothing to do with X but for the first rows: every leaf is a close call."""
    rng = np.random.default_rng(seed)
    rest = rng.integers(0, n_classes, n_rows)
    rest[-1] = n_classes - 1
    return np.where(np.arange(n_rows) < n_rows // 3, 0, rest)


def clinic(n_rows=150, seed=0):
    """Ties, missing values, categories and sparse columns."""
    rng = np.random.default_rng(seed)
    numbers = rng.integers(0, 6, (n_rows, 3)).astype(float)
    numbers[rng.random((n_rows, 3)) < 0.15] = np.nan
    words = (rng.random((n_rows, 4)) < 0.3).astype(float)
    frame = pd.DataFrame({"kind": rng.choice(list("abcde"), n_rows)})
    frame.loc[rng.random(n_rows) < 0.1, "kind"] = None
    signal = np.nan_to_num(numbers[:, 0]) * (1 - 2 * words[:, 1]) + 3 * (frame["kind"] == "b")
    y = (signal + rng.normal(size=n_rows) > 1).astype(int)
    return numbers, words, frame, y


@each_shape
@pytest.mark.parametrize("table", [name for name in TABLES if name not in ("one row", "empty")])
def test_both_ways_to_grow_give_the_same_bits(shape, table, monkeypatch):
    """One shard grows in place, three ask for the sums of paths."""
    X = TABLES[table]()
    y = target(len(X))
    large = isinstance(shape, C45LikeLearner)  # later rounds of these are below
    parameters = {"learner": shape, "n_estimators": 1 if large else 4}
    wanted = learned(fit(AdaBoostClassifier, parameters, X, y))
    fit_on(monkeypatch, 3)
    assert learned(fit(AdaBoostClassifier, parameters, X, y)) == wanted


@each_shape
@each_booster
def test_every_booster_grows_the_same_trees_in_both_ways(name, shape, monkeypatch):
    booster, parameters = BOOSTERS[name]
    numbers, words, frame, y = clinic()
    X = Table.hstack([numbers, sp.csr_array(words), frame])
    weight = np.random.default_rng(1).integers(1, 4, len(y))
    found = fit(booster, {"learner": shape, **parameters}, X, y, sample_weight=weight)
    assert any(len(member.hypothesis.leaves) > 2 for member in found.model_.members)
    fit_on(monkeypatch, 2)
    again = fit(booster, {"learner": shape, **parameters}, X, y, sample_weight=weight)
    assert learned(again) == learned(found)


@each_shape
@pytest.mark.parametrize("n_labels", [1, 3])
def test_threads_do_not_show(shape, n_labels, monkeypatch):
    """More threads than processors, and than some nodes have rows."""
    monkeypatch.setattr(grower.Grower, "min_work", 0)
    numbers, words, frame, y = clinic()
    X = Table.hstack([numbers, sp.csr_array(words), frame])
    weight = np.random.default_rng(1).integers(1, 4, len(y))
    Y = np.column_stack([y, words[:, 0], numbers[:, 1] > 2])[:, :n_labels]
    booster = AdaBoostMHClassifier if n_labels > 1 else AdaBoostClassifier
    found = [
        learned(
            fit(booster, {"learner": shape, "n_jobs": n_jobs}, X, np.squeeze(Y),
                sample_weight=weight)
        )
        for n_jobs in (1, 2, 5)
    ]  # fmt: skip
    assert found[1] == found[0]
    assert found[2] == found[0]


@pytest.mark.parametrize("max_features", [None, 0.3])
def test_many_columns_and_rows(max_features, monkeypatch):
    """More columns than a cache line has codes, and more rows than are counted at a time."""
    rng = np.random.default_rng(0)
    X = np.rint(rng.normal(size=(2500, 75)) * rng.integers(1, 99, 75))
    y = X[:, 0] + X[:, 70] * X[:, 71] + rng.normal(size=len(X)) > 0
    shape = TreeLearner(max_depth=None, max_leaf_nodes=9, max_features=max_features)
    wanted = learned(fit(GentleAdaBoostClassifier, {"learner": shape}, X, y))
    for n_jobs in (2, 3):
        again = fit(GentleAdaBoostClassifier, {"learner": shape, "n_jobs": n_jobs}, X, y)
        assert learned(again) == wanted
    fit_on(monkeypatch, 2)
    assert learned(fit(GentleAdaBoostClassifier, {"learner": shape}, X, y)) == wanted


@each_shape
def test_several_labels_share_a_tree(shape, monkeypatch):
    numbers, words, frame, y = clinic()
    X = Table.hstack([numbers, sp.csr_array(words), frame])
    Y = np.column_stack([y, 1 - y * (words[:, 0] > 0), numbers[:, 1] > 2])
    found = fit(AdaBoostMHClassifier, {"learner": shape}, X, Y)
    assert found.model_.members[0].hypothesis.values.shape[1] == 3
    fit_on(monkeypatch, 2)
    assert learned(fit(AdaBoostMHClassifier, {"learner": shape}, X, Y)) == learned(found)


@each_booster
def test_a_tree_of_depth_one_is_a_stump(name):
    booster, parameters = BOOSTERS[name]
    if name == "AdaBoost.A":
        pytest.skip("leaves of trees vote by what is paid for")
    numbers, words, frame, y = clinic(300)
    X = Table.hstack([numbers, sp.csr_array(words), frame])
    tree = fit(booster, {"learner": TreeLearner(max_depth=1), **parameters}, X, y)
    stump = fit(booster, parameters, X, y)
    np.testing.assert_array_equal(tree.decision_function(X), stump.decision_function(X))


BY_ANOTHER_MEASURE = {
    "AdaBoostStarClassifier",
    "ArcGVClassifier",
    "BoostByMajorityClassifier",
    "ERLPBoostClassifier",
    "HullBoostClassifier",
    "HullBoostRegressor",
    "LPBoostClassifier",
    "LPUBoostClassifier",
    "SoftBoostClassifier",
    "TotalBoostClassifier",
}
"""Their stumps are chosen by the edge, their trees by what real values make of the loss."""
WITHOUT_REAL_VALUES = {"AdaBoostM1Classifier"}


def both_of_depth_one(name, tree, stump):
    """What a booster says with trees of depth one and with stumps."""
    numbers, words, frame, y = clinic(300)
    X = Table.hstack([numbers, sp.csr_array(words), frame])
    if name.endswith("Regressor"):
        y = np.nan_to_num(numbers[:, 0]) + np.random.default_rng(0).normal(size=300)
    booster = getattr(underdog, name)
    given = {"radius": 4.0} if name.startswith("Hull") else {}
    models = [
        fit(booster, {"learner": learner, "n_estimators": 6, **given}, X, y)
        for learner in (tree, stump)
    ]
    return [each.predict(X) if "Regressor" in name else each._scores(X) for each in models]


NAMES = sorted({*all_boosters(), *all_regressors()})


@pytest.mark.parametrize("name", sorted({*NAMES} - BY_ANOTHER_MEASURE - WITHOUT_REAL_VALUES))
def test_every_other_booster_has_stumps_as_trees_of_depth_one(name):
    tree, stump = both_of_depth_one(name, TreeLearner(max_depth=1), "real")
    np.testing.assert_array_equal(tree, stump)


def test_trees_that_vote_are_grown_by_another_measure_than_votes():
    """`TreeLearner` says so under "Differs"."""
    for name in ("AdaBoostClassifier", "ArcGVClassifier", "LPBoostClassifier"):
        tree, stump = both_of_depth_one(name, TreeLearner("discrete", max_depth=1), "discrete")
        assert np.abs(tree - stump).max() > 0.01
    said = str(TreeLearner.__doc__).split("Differs from stumps:")[1]
    assert {"LPBoost", "arc-gv", "AdaBoost*", "HullBoost"} <= set(re.split(r"[ ,()\n]+", said))


@each_shape
def test_same_bits_in_any_order_form_and_number_of_threads(shape):
    X, y = make_classification(400, 6, n_informative=4, random_state=0)
    X = np.where(np.abs(X) < 0.4, 0.0, np.rint(4 * X))
    weight = np.random.default_rng(0).integers(0, 4, len(y))
    order = np.random.default_rng(1).permutation(len(y))

    def scores(X_, y_, weight_=None, **more):
        model = fit(AdaBoostClassifier, {"learner": shape, **more}, X_, y_, sample_weight=weight_)
        return model.decision_function(X)

    wanted = scores(X, y, weight)
    for found in (
        scores(X[order], y[order], weight[order]),
        scores(sp.csr_array(X), y, weight),
        scores(X.repeat(weight, axis=0), y.repeat(weight)),
        scores(X, y, weight, n_jobs=2),
    ):
        np.testing.assert_array_equal(found, wanted)


def test_warm_start_goes_on_with_the_same_bits():
    numbers, _, _, y = clinic()
    whole = AdaBoostClassifier(learner="tree", n_estimators=8).fit(numbers, y)
    half = AdaBoostClassifier(learner="tree", n_estimators=3, warm_start=True).fit(numbers, y)
    half.set_params(n_estimators=8).fit(numbers, y)
    assert learned(half)["members"] == learned(whole)["members"]


def test_leaves_have_the_examples_that_are_asked_for():
    numbers, words, frame, y = clinic(300)
    X = Table.hstack([numbers, sp.csr_array(words), frame])
    weight = np.random.default_rng(1).integers(1, 4, len(y))
    shape = TreeLearner(max_depth=None, max_leaf_nodes=40, min_samples_leaf=25)
    model = fit(AdaBoostClassifier, {"learner": shape}, X, y, sample_weight=weight)
    encoded = EncodedRows(X, model.model_.schema)
    sizes = []
    for member in model.model_.members:
        block = member.hypothesis.partition(encoded).of_row(len(X))
        sizes += np.bincount(block, weights=weight).tolist()
    assert 25 <= min(sizes) < 35
    loose = fit(
        AdaBoostClassifier, {"learner": TreeLearner(max_depth=None, max_leaf_nodes=40)}, X, y
    )
    assert len(loose.model_.members[0].hypothesis.leaves) == 40


@pytest.mark.parametrize("n_shards", [1, 3])
def test_the_examples_in_leaves_are_counted(n_shards, monkeypatch):
    numbers, words, frame, y = clinic()
    X = Table.hstack([numbers, sp.csr_array(words), frame])
    weight = np.random.default_rng(1).integers(1, 4, len(y))
    fit_on(monkeypatch, n_shards)
    model = fit(AdaBoostClassifier, {"learner": "tree"}, X, y, sample_weight=weight)
    encoded = EncodedRows(X, model.model_.schema)
    for member in model.model_.members:
        block = member.hypothesis.partition(encoded).of_row(len(X))
        counts = np.bincount(block, weights=weight)
        np.testing.assert_array_equal(member.hypothesis.examples, counts)
        assert member.hypothesis.examples.dtype == np.int64


def test_trees_find_what_no_sum_of_columns_says():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(600, 2))
    y = X[:, 0] * X[:, 1] > 0
    assert fit(AdaBoostClassifier, {}, X, y).score(X, y) < 0.7
    assert fit(AdaBoostClassifier, {"learner": TreeLearner(max_depth=4)}, X, y).score(X, y) > 0.9


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"max_depth": 0}, "max_depth=0 must be a whole number, at least 1"),
        ({"max_leaf_nodes": 1}, "max_leaf_nodes=1 must be a whole number, at least 2"),
        ({"max_depth": None}, "max_depth=None and max_leaf_nodes=None leave the size of trees"),
        ({"min_samples_leaf": 0.5}, "min_samples_leaf=0.5 must be a whole number"),
        ({"min_weight_fraction_leaf": 0.6}, "min_weight_fraction_leaf=0.6 must be a number"),
        ({"growth": "wide"}, "growth='wide' must be 'best' or 'depth'"),
        ({"kind": "real.mh"}, "kind='real.mh' must be 'real' or 'discrete'"),
    ],
)
def test_parameters_that_cannot_be(parameters, message):
    with pytest.raises(ValueError, match=message):
        AdaBoostClassifier(learner=TreeLearner(**parameters)).fit([[0.0], [1.0]], [0, 1])


def test_leaves_vote_by_what_is_paid_for():
    """AdaBoost.A grows under the initial weighting; its edge under the cost is never negative."""
    X, y = make_classification(300, 5, flip_y=0.2, random_state=0)
    cost = np.where(y == 1, 9.0, 1.0)
    start = np.where(y == 1, 1.0, 9.0)
    model = AdaBoostAClassifier(learner=TreeLearner("discrete", max_depth=2), n_estimators=15)
    model.fit(X, y, cost=cost, initial_weight=start)
    assert model.history_["wrong_share"].max() <= 0.5
    assert model.history_["edge"].min() < 0.0  # under the weighting that the tree was grown by
