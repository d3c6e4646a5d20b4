"""Margins of boosters: computed again member by member, and what AdaBoost guarantees."""

import copy
import re

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from sklearn.exceptions import NotFittedError
from sklearn.tree import DecisionTreeClassifier

from tests.estimators.small import (
    CORRECTIVE,
    each_real_booster,
    make,
    noisy,
    three_classes,
    unfinished,
)
from underdog import AdaBoostClassifier, AdaBoostMHClassifier
from underdog.games import margins, multiplicative_weights, solve_game
from underdog.hypotheses import Tree
from underdog.model import Ensemble


def stages_of_members(model, X):
    """(T, n, K): what each member adds to the scores, from the staged scores.

    Those of the coefficients that members have at last, whatever they had before.
    """
    last, own = copy.copy(model), model.model_
    last.model_ = Ensemble(own.members, own.schema, own.n_labels)
    scores = np.array(list(last.staged_decision_function(X))).reshape(model.n_iter_, len(X), -1)
    return np.diff(scores, axis=0, prepend=0.0)


def said(member, X):
    """(n, 1): what a member's hypothesis says, by its values and threshold alone."""
    own = member.hypothesis
    if isinstance(own, Tree):
        true = X[:, own.test.column] > own.test.threshold
    else:
        true = own.classifiers[0].predict(X) > 0
    return own.values[true.astype(int)]


def check_report(report, model, X, side):
    """Count everything again from the staged scores; side is (n, K) of -1 and +1."""
    steps = stages_of_members(model, X)
    sizes = np.array([member.size for member in model.model_.members])
    start = np.abs(model.model_.start).max()
    own = side * (model.model_.start + steps.sum(axis=0)) / (start + sizes.sum())
    np.testing.assert_allclose(report.margins.reshape(own.shape), own, atol=1e-14)
    assert report.minimum == report.margins.min()
    if type(model) in CORRECTIVE:  # members with coefficient 0 are hypotheses too
        unit = side * np.array([said(member, X) for member in model.model_.members])
    else:
        unit = side * steps / np.maximum(sizes, 1e-300)[:, np.newaxis, np.newaxis]
    assert np.abs(unit).max() <= 1.0
    assert report.coefficients.shape == (model.n_iter_,)
    assert (report.coefficients >= 0).all()
    assert report.coefficients.sum() == pytest.approx(1.0, abs=1e-12)
    attained = np.tensordot(report.coefficients, unit, axes=1).min()
    assert report.best == pytest.approx(attained, abs=1e-12)
    assert report.minimum <= report.best + 1e-9
    assert 0.0 <= report.gap < 1e-8
    return unit.reshape(model.n_iter_, -1).T


def separable(rows=60):
    X = np.random.default_rng(0).normal(size=(rows, 3))
    return X, np.where(X @ [1.0, 2.0, -1.0] > 0, "up", "down")


@each_real_booster
@unfinished
@pytest.mark.parametrize("learner", ["real", "discrete", DecisionTreeClassifier(max_depth=2)])
def test_margins_of_every_booster(booster, learner):
    if learner != "real" and booster()._make_loss().reads == "newton":
        pytest.skip("there are no votes on gradients")
    X, y = noisy(80)
    model = make(booster, learner=learner, n_estimators=15, random_state=0).fit(X, y)
    report = margins(model, X, y)
    assert report.margins.shape == (80,)
    game = check_report(report, model, X, np.where(y == 1, 1.0, -1.0)[:, np.newaxis])
    # Without merging anything, and by the other way.
    assert solve_game(game).value == pytest.approx(report.best, abs=1e-9)
    played = multiplicative_weights(game, 300, 0.05)
    assert played.lower - 1e-9 <= report.best <= played.upper + 1e-9


@pytest.mark.parametrize("learner", ["real", "discrete"])
def test_margins_with_more_labels(learner):
    X, y = three_classes(60)
    model = AdaBoostMHClassifier(learner=learner, n_estimators=25).fit(X, y)
    report = margins(model, X, y)
    assert report.margins.shape == (60, 3)
    check_report(report, model, X, np.where(y[:, np.newaxis] == [0, 1, 2], 1.0, -1.0))
    several = np.column_stack([X[:, 0] > 0, X[:, 1] > 0.3]).astype(int)
    model = AdaBoostMHClassifier(learner=learner, n_estimators=25).fit(X, several)
    report = margins(model, X, several)
    assert report.margins.shape == (60, 2)
    check_report(report, model, X, 2.0 * several - 1.0)


class Contrary(DecisionTreeClassifier):
    """A tree that says the opposite of what it has learned."""

    def predict(self, X):
        return -super().predict(X)


def test_a_member_counts_with_the_sign_that_it_has_in_the_model():
    X, y = separable()
    model = AdaBoostClassifier(learner=Contrary(max_depth=1), n_estimators=10).fit(X, y)
    assert all(member.coefficient < 0 for member in model.model_.members)
    report = margins(model, X, y)
    check_report(report, model, X, np.where(y == "up", 1.0, -1.0)[:, np.newaxis])
    plain = AdaBoostClassifier(learner="discrete", n_estimators=10).fit(X, y)
    assert report.best == pytest.approx(margins(plain, X, y).best, abs=1e-9)


def test_margins_with_levels_and_missing_values():
    X, y = noisy(80)
    frame = pd.DataFrame(X).rename(columns=str)
    frame.loc[::7, "0"] = np.nan
    frame["kind"] = np.where(X[:, 1] > 0.5, "a", np.where(X[:, 1] > -0.5, "b", "c"))
    model = AdaBoostClassifier(n_estimators=20).fit(frame, y)
    check_report(margins(model, frame, y), model, frame, np.where(y == 1, 1.0, -1.0)[:, None])


def test_margins_are_scores_over_sizes():
    X, y = separable()
    model = AdaBoostClassifier(n_estimators=20, pos_label="down").fit(X, y)
    reach = sum(member.size for member in model.model_.members)
    expected = np.where(y == "up", 1.0, -1.0) * model.decision_function(X) / reach
    np.testing.assert_array_equal(margins(model, X, y).margins, expected)
    np.testing.assert_array_equal(margins(model, X[:7], y[:7]).margins, expected[:7])
    np.testing.assert_array_equal(margins(model, sp.csr_array(X), y).margins, expected)


def test_adaboost_nears_the_best_margin():
    """The majority of three has margin 1/3; AdaBoost comes nearer from round to round."""
    X = np.random.default_rng(1).choice([-1, 1], (200, 9))
    y = np.where(X[:, :3].sum(axis=1) > 0, 1, -1)
    found = []
    for rounds in (5, 50, 1000):
        model = AdaBoostClassifier(learner="discrete", n_estimators=rounds).fit(X, y)
        report = margins(model, X, y)
        assert report.best == pytest.approx(1 / 3, abs=1e-9)
        assert report.minimum <= report.best + 1e-9
        found.append(report.minimum)
    assert found == sorted(found)
    assert found[-1] > 1 / 3 - 1e-3


def test_adaboost_reaches_more_than_half_of_the_best_margin():
    X, y = separable()
    model = AdaBoostClassifier(learner="discrete", n_estimators=1000).fit(X, y)
    report = margins(model, X, y)
    assert 0.5 * report.best < report.minimum <= report.best + 1e-9


def test_members_that_are_alike_are_one():
    X = np.random.default_rng(1).choice([-1, 1], (100, 5))
    y = X[:, :3].sum(axis=1) > 0
    model = AdaBoostClassifier(learner="discrete", n_estimators=30).fit(X, y)
    report = margins(model, X, y)
    columns = [member.hypothesis.test.column for member in model.model_.members]
    firsts = [columns.index(column) for column in (0, 1, 2)]
    np.testing.assert_allclose(report.coefficients[firsts], 1 / 3, atol=1e-9)
    assert np.count_nonzero(report.coefficients) == 3


def test_a_model_that_says_nothing_has_no_margins():
    X, y = np.ones((4, 1)), [0, 0, 1, 1]
    report = margins(AdaBoostClassifier().fit(X, y), X, y)
    assert (report.minimum, report.best, report.gap) == (0.0, 0.0, 0.0)
    assert report.coefficients.tolist() == [1.0]


def test_a_perfect_rule_has_margin_one():
    X, y = np.arange(6.0)[:, np.newaxis], [0, 0, 0, 1, 1, 1]
    report = margins(AdaBoostClassifier(learner="discrete").fit(X, y), X, y)
    assert (report.minimum, report.best, report.gap) == (1.0, 1.0, 0.0)


def test_margins_of_what_has_none():
    X, y = separable()
    with pytest.raises(NotFittedError, match="AdaBoostClassifier instance is not fitted yet"):
        margins(AdaBoostClassifier(), X, y)
    with pytest.raises(TypeError, match=r"DecisionTreeClassifier.*not a booster of underdog: give"):
        margins(DecisionTreeClassifier().fit(X, y), X, y)
    with pytest.raises(TypeError, match=r"AdaBoostClassifier.*not a booster of underdog: give"):
        margins(AdaBoostClassifier, X, y)


@pytest.mark.parametrize(
    ("y", "words"),
    [
        (["up", "down", "left"] * 20, "has labels ['left'], but the training data has ['down'"),
        (np.arange(60) % 2, "has labels [0, 1], but the training data has ['down', 'up']"),
        (np.eye(60, 2, dtype=int), "has 2 columns, but the model was trained with one label"),
    ],
    ids=["one unknown", "all unknown", "a matrix"],
)
def test_labels_that_the_booster_does_not_know(y, words):
    X, known = separable()
    model = AdaBoostClassifier(n_estimators=3).fit(X, known)
    with pytest.raises(ValueError) as refused:
        margins(model, X, y)
    assert "the y given to margins " + words in str(refused.value)
    assert re.search(": (remove these rows|give one label per row)", str(refused.value))


def test_rows_that_do_not_fit():
    X, y = separable()
    model = AdaBoostClassifier(n_estimators=3).fit(X, y)
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        margins(model, X, y[:-1])
    with pytest.raises(ValueError, match="X has 2 features"):
        margins(model, X[:, :2], y)
    with pytest.raises(ValueError, match="minimum of 1 is required"):
        margins(model, X[:0], y[:0])
