"""Alternating trees against a plain form of the paper's algorithm, and related boosters."""

import numpy as np
import pandas as pd
import pytest

from tests.twins.alternating import adtree
from underdog import (
    AdaBoostClassifier,
    ADTreeClassifier,
    LADTreeClassifier,
    LogitBoostClassifier,
)
from underdog.core import counts
from underdog.inspection import contributions
from underdog.learners import AlternatingLearner, alternating
from underdog.model.alternating import AlternatingTree

E = 0.004


def problem(n=90, seed=0):
    """Columns with ties, missing values and levels, and labels that follow from pairs of them."""
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 7, (n, 4)).astype(float)
    X[:, 3] = rng.integers(0, 4, n)
    y = np.where((X[:, 0] > 3) ^ (X[:, 1] > 2) ^ (X[:, 3] == 2) ^ (rng.random(n) < 0.1), 1, -1)
    X[rng.random(n) < 0.15, 1] = np.nan
    X[rng.random(n) < 0.1, 3] = np.nan
    return X, y, rng.uniform(0.5, 2.0, n)


def framed(X):
    """The same with a category column."""
    levels = pd.Categorical([None if np.isnan(each) else f"l{each:.0f}" for each in X[:, 3]])
    return pd.DataFrame(X[:, :3], columns=["a", "b", "c"]).assign(d=levels)


@pytest.mark.parametrize(
    ("grow", "missing", "loss"),
    [
        ("all", "side", "exponential"),
        ("all", "neither", "logistic"),
        ("singles", "side", "logistic"),
        ("singles", "neither", "exponential"),
        ("root", "neither", "exponential"),
    ],
)
def test_it_is_the_paper_s(grow, missing, loss):
    X, y, weight = problem()
    model = ADTreeClassifier(
        n_estimators=12, grow=grow, missing=missing, loss=loss, smoothing=E
    ).fit(framed(X), y, sample_weight=weight)
    wanted = adtree(X, y, weight, 12, E, grow, missing, (3,), loss[:3])
    assert model.model_.start[0] == pytest.approx(wanted[0, 0], abs=1e-9)
    found = np.array(list(model.staged_decision_function(framed(X))))
    np.testing.assert_allclose(found, wanted[1:], atol=1e-9)
    depths = {len(member.hypothesis.leaves[-1]) for member in model.model_.members}
    assert (max(depths) > 2) == (grow != "root")


def sparse_problem(n=200, seed=3):
    """Every row has a value in few columns, and the classes differ in how many they have."""
    rng = np.random.default_rng(seed)
    y = np.where(rng.random(n) < 0.5, 1, -1)
    X = (rng.random((n, 8)) < 0.5 + 0.2 * y[:, np.newaxis]).astype(float)
    X[rng.random((n, 8)) < np.where(y > 0, 0.3, 0.85)[:, np.newaxis]] = np.nan
    return X, y


@pytest.mark.parametrize("loss", ["exponential", "logistic"])
def test_the_value_of_the_root_changes_where_no_test_reaches_the_rows(loss):
    X, y = sparse_problem()
    weight = np.ones(len(y))
    model = ADTreeClassifier(n_estimators=12, missing="neither", loss=loss, smoothing=E).fit(X, y)
    changed = [each.hypothesis.is_constant for each in model.model_.members]
    assert 0 < sum(changed) < 12
    wanted = adtree(X, y, weight, 12, E, "all", "neither", (), loss[:3])
    found = np.array(list(model.staged_decision_function(X)))
    np.testing.assert_allclose(found, wanted[1:], atol=1e-9)
    first = changed.index(True)
    values = [
        AlternatingTree.from_members(model.model_.members, model.model_.start, rounds).nodes[0]
        for rounds in (first, first + 1)
    ]
    step = model.model_.members[first].steps[0, 0]
    assert values[1].value[0] - values[0].value[0] == pytest.approx(step)
    total = model.model_.start[0] + sum(
        each.steps[0, 0] for each in model.model_.members if each.hypothesis.is_constant
    )
    assert f"baseline {total:+.3f}" in model.describe()


def test_the_bound_holds_in_every_round():
    X, y, _ = problem()
    model = ADTreeClassifier(n_estimators=15).fit(X, y)
    scores = np.array(list(model.staged_decision_function(X)))
    np.testing.assert_allclose(model.history_["loss"], np.exp(-y * scores).mean(axis=1), rtol=1e-9)
    assert (np.mean(y * scores <= 0, axis=1) <= model.history_["loss"]).all()
    assert model.certificate_["bound"] == pytest.approx(model.history_["loss"][-1], rel=1e-9)
    start = np.exp(-y * model.model_.start[0]).mean()
    assert model.history_["z"].prod() * start == pytest.approx(model.certificate_["bound"])


def test_under_the_root_only_it_is_adaboost_with_stumps():
    X, y, _ = problem()
    stumps, tree = (
        AdaBoostClassifier(learner=learner, n_estimators=20).fit(X, y)
        for learner in ("real", AlternatingLearner(grow="root"))
    )
    np.testing.assert_array_equal(stumps.decision_function(X), tree.decision_function(X))
    tree = ADTreeClassifier(grow="root", n_estimators=20, smoothing=E).fit(X, y)
    start = tree.model_.start[0]
    stumps = AdaBoostClassifier(n_estimators=20, smoothing=E)
    stumps.fit(X, y, sample_weight=np.exp(-y * start))
    wanted = start + stumps.decision_function(X)
    np.testing.assert_allclose(tree.decision_function(X), wanted, atol=1e-9)


@pytest.mark.parametrize("n_classes", [2, 3])
def test_under_the_root_only_ladtree_is_logitboost(n_classes):
    X, y, _ = problem()
    y = (y > 0).astype(int) + (X[:, 2] > 4) * (n_classes - 2)
    one, other = (
        make.fit(X, y)
        for make in (
            LADTreeClassifier(grow="root", n_estimators=15),
            LogitBoostClassifier(n_estimators=15),
        )
    )
    np.testing.assert_array_equal(one.decision_function(X), other.decision_function(X))


@pytest.mark.parametrize("make", [ADTreeClassifier, LADTreeClassifier])
def test_above_the_memory_budget_the_model_is_the_same(make, monkeypatch):
    X, y, _ = problem()
    y = y + 2 * (X[:, 2] > 4)
    kept = make(n_estimators=12).fit(X, y)
    monkeypatch.setattr(alternating, "BUDGET", 0)
    counted = make(n_estimators=12).fit(X, y)
    np.testing.assert_array_equal(kept.decision_function(X), counted.decision_function(X))


@pytest.mark.parametrize("loss", ["exponential", "logistic"])
def test_a_round_visits_the_rows_under_its_node_for_the_nodes_that_they_reach(loss, monkeypatch):
    X, y, _ = problem(300)
    rounds, follow, accepted = [], counts.Counts._follow, AlternatingLearner.accepted

    def record(self, rows, step):
        rounds[-1][2].append(rows)
        follow(self, rows, step)

    def begin(self, memory, hypothesis):
        nodes = [np.isin(np.arange(300), node.rows[0]) for node in memory.nodes]
        rounds.append((hypothesis, nodes, []))
        accepted(self, memory, hypothesis)

    monkeypatch.setattr(counts.Counts, "_follow", record)
    monkeypatch.setattr(AlternatingLearner, "accepted", begin)
    ADTreeClassifier(n_estimators=14, loss=loss).fit(X, y)
    visited = 0
    for rule, nodes, moved in rounds[:-1]:
        if rule.rest is None:  # under the root; all rows move, or those of the smaller side
            continue
        under = np.zeros(300, dtype=bool)
        for rows in moved:
            under[rows] = True
        assert under.sum() == rule.examples[1:].sum()
        reached = [int((node & under).sum()) for node in nodes]
        assert sum(len(rows) for rows in moved) == sum(reached)
        visited += reached.count(0)
    assert visited > 0  # there are nodes that are left alone


def test_contributions_add_up_and_name_the_nodes_of_a_row():
    X, y, _ = problem()
    frame = framed(X)
    model = ADTreeClassifier(n_estimators=8, missing="neither").fit(frame, y)
    for by in ("column", "rule"):
        found = contributions(model, frame, by=by)
        np.testing.assert_array_equal(
            (found.base + found.values.sum(axis=1))[:, 0], model.decision_function(frame)
        )
    assert "reach neither side" in model.describe()


@pytest.mark.parametrize("make", [ADTreeClassifier, LADTreeClassifier])
def test_folds_choose_more_tests_than_the_loss_of_held_out_rows_would(make):
    """That loss rises after one or two tests, which are not enough here."""
    X, y, _ = problem(400)
    X_new, y_new, _ = problem(2000, seed=1)
    by_order, by_loss = (
        make(n_estimators=60, early_stopping=True, **own).fit(X, y)
        for own in ({}, {"scoring": "loss"})
    )
    assert "5-fold cross-validation" in by_order.stop_reason_
    assert by_order.n_iter_ > by_loss.n_iter_
    assert by_order.score(X_new, y_new) >= by_loss.score(X_new, y_new)


def test_messages():
    X, y, _ = problem()
    with pytest.raises(ValueError, match="grow='both'"):
        ADTreeClassifier(grow="both").fit(X, y)
    with pytest.raises(ValueError, match="missing=0"):
        ADTreeClassifier(missing=0).fit(X, y)
    with pytest.raises(ValueError, match="loss='hinge'"):
        ADTreeClassifier(loss="hinge").fit(X, y)
    with pytest.raises(ValueError, match="learner"):
        ADTreeClassifier(learner="real", grow="root").fit(X, y)
    with pytest.raises(ValueError, match="monotonic_cst needs a StumpLearner or a TreeLearner"):
        ADTreeClassifier(monotonic_cst=[1, 0, 0, 0]).fit(X, y)
