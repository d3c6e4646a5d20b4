"""Classifiers of other libraries as weak learners."""

import re

import numpy as np
import pytest
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier

from tests.estimators.small import assert_one_entry_per_round, noisy, stages, three_classes
from underdog import (
    AdaBoostClassifier,
    AdaBoostMHClassifier,
    BoostingClassifier,
    UnderdogWarning,
)
from underdog.learners import ForeignLearner


def test_a_tree_of_another_library_is_adaboost_on_trees():
    """Against ten lines of the textbook."""
    X, y = noisy()
    tree = DecisionTreeClassifier(max_depth=2)
    model = AdaBoostClassifier(learner=tree, n_estimators=6, random_state=0).fit(X, y)
    sign, weight, score = np.where(y == 1, 1.0, -1.0), np.ones(len(y)) / len(y), np.zeros(len(y))
    for _ in range(6):
        stump = DecisionTreeClassifier(max_depth=2, random_state=0)
        says = stump.fit(X, sign, sample_weight=weight * len(y)).predict(X)
        edge = float(weight @ (sign * says))
        step = 0.5 * np.log((1 + edge) / (1 - edge))
        score += step * says
        weight = weight * np.exp(-step * sign * says)
        weight /= weight.sum()
    np.testing.assert_allclose(model.decision_function(X), score, atol=1e-6)
    np.testing.assert_array_equal(tree.get_params()["max_depth"], 2)
    assert not hasattr(tree, "tree_")  # a clone was fitted


def test_a_classifier_without_weights_is_given_drawn_rows():
    X, y = noisy()
    message = (
        "KNeighborsClassifier does not support sample_weight: it is fitted to rows drawn with "
        "replacement in proportion to their weights (set random_state for reproducible results)"
    )
    models = []
    for seed in (0, 0, 1):
        model = AdaBoostClassifier(
            learner=KNeighborsClassifier(3), n_estimators=4, random_state=seed
        )
        with pytest.warns(UnderdogWarning, match=re.escape(message)) as caught:
            models.append(model.fit(X, y))
        assert len(caught) == 1  # once a fit, not once a round
    np.testing.assert_array_equal(stages(models[0], X), stages(models[1], X))
    assert not np.array_equal(stages(models[0], X), stages(models[2], X))
    assert models[0].score(X, y) > 0.8


def test_drawn_rows_follow_the_weights():
    """Rows of next to no weight are next to never drawn."""
    X, y = noisy()
    heavy = np.arange(len(y)) < 100
    model = AdaBoostClassifier(learner=KNeighborsClassifier(1), n_estimators=1, random_state=0)
    with pytest.warns(UnderdogWarning):
        model.fit(X, np.where(heavy, y, 1 - y), sample_weight=np.where(heavy, 1.0, 1e-12))
    memory = model.model_.members[0].hypothesis.classifiers[0]._fit_X
    assert {tuple(row) for row in memory} <= {tuple(row) for row in X[heavy]}


def test_a_foreign_learner_of_several_labels_is_cloned_for_each():
    X, y = three_classes()
    model = AdaBoostMHClassifier(
        learner=DecisionTreeClassifier(max_depth=1), n_estimators=5, random_state=0
    ).fit(X, y)
    for member in model.model_.members:
        assert len(member.hypothesis.classifiers) == 3
        assert len({id(classifier) for classifier in member.hypothesis.classifiers}) == 3
        np.testing.assert_allclose(np.abs(member.steps), abs(member.coefficient), atol=1e-10)
    assert model.score(X, y) > 0.8
    assert_one_entry_per_round(model, 5)


def test_a_foreign_learner_may_be_wrapped_by_hand():
    X, y = noisy()
    tree = DecisionTreeClassifier(max_depth=1)
    models = [
        BoostingClassifier(learner=learner, n_estimators=3, random_state=0).fit(X, y)
        for learner in (tree, ForeignLearner(tree))
    ]
    np.testing.assert_array_equal(stages(models[0], X), stages(models[1], X))


def test_rows_are_drawn_where_that_is_asked_for():
    X, y = noisy()
    tree = DecisionTreeClassifier(max_depth=2, random_state=0)
    given = {"n_estimators": 5, "random_state": 0}
    by_weight, drawn, again, bare = (
        AdaBoostClassifier(learner=ForeignLearner(each, resample=resample), **given).fit(X, y)
        for each, resample in ((tree, False), (tree, True), (tree, True), (tree, False))
    )
    assert np.array_equal(drawn.decision_function(X), again.decision_function(X))
    assert np.array_equal(by_weight.decision_function(X), bare.decision_function(X))
    assert not np.array_equal(drawn.decision_function(X), by_weight.decision_function(X))
    order = np.random.default_rng(0).permutation(len(y))
    shuffled = AdaBoostClassifier(learner=ForeignLearner(tree, resample=True), **given)
    shuffled.fit(X[order], y[order])
    np.testing.assert_allclose(shuffled.history_["edge"], drawn.history_["edge"])
    with pytest.raises(ValueError, match="resample='yes'"):
        AdaBoostClassifier(learner=ForeignLearner(tree, resample="yes")).fit(X, y)
