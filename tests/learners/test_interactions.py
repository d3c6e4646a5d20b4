"""interaction_cst: which columns meet on a path, in both ways to grow a tree."""

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import make_classification
from sklearn.tree import DecisionTreeClassifier

from tests.core.shards import fit_on
from tests.core.test_shards import learned
from tests.learners.test_tree_learner import clinic, fit
from underdog import (
    AdaBoostClassifier,
    GradientBoostingClassifier,
    LogitBoostClassifier,
    LPBoostClassifier,
    Table,
    load,
)
from underdog.core import InteractionSets
from underdog.learners import TreeLearner, grower

CONSTRAINTS = (
    "pairwise",
    "no_interactions",
    [{0, 1}, {1, 2}],
    [{0, 1, 2, 3}],
    [[5, 3], [], [3, 0]],
)
each_constraint = pytest.mark.parametrize("constraint", CONSTRAINTS, ids=str)
DEEP = TreeLearner(max_depth=4)


def allowed_sets(constraint, n_columns):
    """The sets of columns that a path may have, written out."""
    if constraint == "no_interactions":
        return [{column} for column in range(n_columns)]
    if constraint == "pairwise":
        return [{one, other} for one in range(n_columns) for other in range(n_columns)]
    return [*map(set, constraint), set(range(n_columns)).difference(*constraint)]


def paths(model):
    for member in model.model_.members:
        for leaf in member.hypothesis.leaves:
            yield {test.column for test, _ in leaf}


def problem(n_rows=300, seed=0):
    numbers, words, frame, y = clinic(n_rows, seed)
    return Table.hstack([numbers, words, frame]), y


@each_constraint
@pytest.mark.parametrize(
    "booster",
    [AdaBoostClassifier, LogitBoostClassifier, LPBoostClassifier, GradientBoostingClassifier],
)
def test_every_path_keeps_to_one_set(booster, constraint):
    X, y = problem()
    free = fit(booster, {"learner": DEEP}, X, y)
    kept = fit(booster, {"learner": DEEP, "interaction_cst": constraint}, X, y)
    sets = allowed_sets(constraint, X.n_columns)
    assert all(any(path <= one for one in sets) for path in paths(kept))
    assert not all(any(path <= one for one in sets) for path in paths(free))
    if constraint != "no_interactions":  # a column of two values can be tested once
        assert any(len(member.hypothesis.leaves) > 2 for member in kept.model_.members)


@each_constraint
@pytest.mark.parametrize(
    "shape",
    [
        DEEP,
        TreeLearner(max_depth=None, max_leaf_nodes=9),
        TreeLearner(max_depth=4, min_samples_leaf=12, growth="depth"),
    ],
    ids=str,
)
def test_both_ways_to_grow_give_the_same_bits(shape, constraint, monkeypatch):
    X, y = problem(150)
    parameters = {"learner": shape, "interaction_cst": constraint}
    wanted = learned(fit(AdaBoostClassifier, parameters, X, y))
    monkeypatch.setattr(grower.Grower, "min_work", 0)
    assert learned(fit(AdaBoostClassifier, {**parameters, "n_jobs": 3}, X, y)) == wanted
    fit_on(monkeypatch, 2)
    assert learned(fit(AdaBoostClassifier, parameters, X, y)) == wanted


def test_a_set_of_all_columns_changes_nothing():
    X, y = problem()
    free = fit(AdaBoostClassifier, {"learner": DEEP}, X, y)
    for constraint in ([set(range(X.n_columns))], []):
        same = fit(AdaBoostClassifier, {"learner": DEEP, "interaction_cst": constraint}, X, y)
        assert learned(same) == learned(free)


def test_without_interactions_a_score_is_a_sum_over_columns():
    X, y = make_classification(300, 5, n_informative=4, n_redundant=0, random_state=0)
    model = GradientBoostingClassifier(n_estimators=20, interaction_cst="no_interactions").fit(X, y)
    rows, others = X[:50], X[50:100]
    mixed = np.column_stack([others[:, 0], rows[:, 1:]])
    constant = np.column_stack([others[:, 0], np.tile(rows[0, 1:], (50, 1))])
    base = np.column_stack([rows[:, 0], np.tile(rows[0, 1:], (50, 1))])
    score = model.decision_function
    change = score(mixed) - score(rows)
    np.testing.assert_array_equal(change, score(constant) - score(base))
    assert np.abs(change).max() > 0


def test_several_classes_and_names():
    X, y = make_classification(300, 6, n_informative=5, n_redundant=0, n_classes=3, random_state=0)
    frame = pd.DataFrame(X, columns=list("abcdef"))
    by_name = GradientBoostingClassifier(n_estimators=5, interaction_cst=[("a", "b"), ("c", "d")])
    by_place = GradientBoostingClassifier(n_estimators=5, interaction_cst=[(0, 1), (2, 3)])
    found = by_name.fit(frame, y).decision_function(frame)
    np.testing.assert_array_equal(found, by_place.fit(X, y).decision_function(X))
    assert all(any(path <= one for one in ({0, 1}, {2, 3}, {4, 5})) for path in paths(by_name))


def test_model_files_hold_the_constraint(tmp_path):
    X, y = problem()
    model = fit(AdaBoostClassifier, {"learner": DEEP, "interaction_cst": [{0, 1}, {2}]}, X, y)
    model.save(tmp_path / "model.udg")
    again = load(tmp_path / "model.udg")
    assert again.interaction_cst == [{0, 1}, {2}]
    assert learned(again) == learned(model)
    assert learned(again.fit(X, y)) == learned(model)


def test_the_columns_that_may_follow():
    groups = InteractionSets.of_groups([{0, 1}, {1, 2}], 5)
    assert np.flatnonzero(groups.allowed([], 5)).tolist() == [0, 1, 2, 3, 4]
    assert np.flatnonzero(groups.allowed([1], 5)).tolist() == [0, 1, 2]
    assert np.flatnonzero(groups.allowed([1, 0, 1], 5)).tolist() == [0, 1]
    assert np.flatnonzero(groups.allowed([4], 5)).tolist() == [3, 4]
    pairs = InteractionSets.up_to(2)
    assert pairs.allowed([3], 5).all()
    assert np.flatnonzero(pairs.allowed([3, 1], 5)).tolist() == [1, 3]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ("pairs", "interaction_cst='pairs' must be 'pairwise', 'no_interactions', or a list of"),
        ({0: 1}, "interaction_cst={0: 1} must be 'pairwise', 'no_interactions', or a list of sets"),
        (3, "interaction_cst=3 must be 'pairwise', 'no_interactions', or a list of sets"),
        ([0, 1], r"interaction_cst=\[0, 1\] must be 'pairwise'"),
        ([{0, 9}], r"interaction_cst names 9, which is not a column of X \(it has 2 columns\)"),
        ([{-1}], "interaction_cst names -1, which is not a column of X"),
        ([{"a"}], "interaction_cst names 'a', which is not a column of X"),
        ([{0.5}], "interaction_cst names 0.5, which is not a column of X"),
    ],
)
def test_sets_that_cannot_be(given, message):
    with pytest.raises(ValueError, match=message):
        AdaBoostClassifier(interaction_cst=given).fit([[0.0, 1.0], [1.0, 0.0]], [0, 1])


def test_a_learner_of_another_library_cannot_keep_it():
    model = AdaBoostClassifier(learner=DecisionTreeClassifier(), interaction_cst="pairwise")
    with pytest.raises(ValueError, match="interaction_cst needs a StumpLearner or a TreeLearner"):
        model.fit([[0.0, 1.0], [1.0, 0.0]], [0, 1])
