"""Boosters of the margin with trees, which need not have the greatest edge."""

import warnings

import numpy as np
import pytest
from sklearn.datasets import make_classification

from underdog import (
    BoostingClassifier,
    ERLPBoostClassifier,
    LPBoostClassifier,
    LPUBoostClassifier,
    NotConverged,
    SoftBoostClassifier,
    TotalBoostClassifier,
    UnderdogWarning,
)
from underdog.combiners import LinearProgramme, corrective
from underdog.learners import TreeLearner
from underdog.losses import SoftMargin

BOOSTERS = [
    LPBoostClassifier,
    LPUBoostClassifier,
    ERLPBoostClassifier,
    SoftBoostClassifier,
    TotalBoostClassifier,
]
every = pytest.mark.parametrize("booster", BOOSTERS)
X, Y = make_classification(200, 5, weights=[0.6], random_state=0)


def fit(model, X=X, y=Y):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return model.fit(X, y)


@every
@pytest.mark.parametrize("kind", ["real", "discrete"])
def test_nothing_is_promised_that_a_greedy_tree_cannot_keep(booster, kind):
    tree = TreeLearner(kind, max_depth=2)
    model = fit(booster(learner=tree, n_estimators=200, tol=0.05))
    margin = model.certificate_["primal_value"]
    assert model.stop_reason_ == model.certificate_["stopped"]
    assert model.stop_reason_.startswith(
        f"no better tree was found: the soft margin is {margin:.4g}, "
    )
    assert not model.converged_
    assert np.isnan(model.certificate_["upper_bound"])
    said = [*model.certificate_, *model.history_, model.stop_reason_]
    assert not [text for text in said if "converged" in text]
    if booster in (LPBoostClassifier, LPUBoostClassifier):
        assert model.certificate_["gap"] <= 0.05 + 1e-6  # by the last tree, which was rejected
    assert model.score(X, Y) > 0.8


@every
def test_a_run_that_is_cut_off_does_not_speak_of_convergence(booster):
    with pytest.warns(NotConverged) as caught:
        booster(learner="tree", n_estimators=2, tol=1e-6).fit(X, Y)
    (message,) = [str(one.message) for one in caught if one.category is NotConverged]
    expected = "reached n_estimators=2 while trees were still better by more than tol=1e-06; "
    assert expected in message
    assert "converged" not in message


def rare_class():
    """5 % positives, hard to tell from the others."""
    return make_classification(
        600, 8, n_informative=2, weights=[0.95], class_sep=0.3, flip_y=0, random_state=1
    )


@every
def test_weight_on_one_class_does_not_end_a_run(booster):
    """There a constant has the greatest edge, and with it the weights are even again."""
    X, y = rare_class()
    model = fit(booster(learner="tree", n_estimators=40), X, y)
    assert model.n_iter_ > 5
    constants = [each.hypothesis.is_constant for each in model.model_.members]
    assert sum(constants) <= 2  # yes, and no
    assert ((model.predict(X) == 1) != (y == 1)).mean() < 0.05


def test_columns_that_say_nothing_leave_a_constant():
    model = fit(LPBoostClassifier(learner="tree"), np.ones((6, 2)), [0, 0, 0, 0, 1, 1])
    assert model.stop_reason_.endswith("; the model is a constant")


def test_without_a_margin_nu_is_doubled_with_trees_too():
    rng = np.random.default_rng(0)
    noise, y = rng.integers(0, 2, (400, 1)), rng.integers(0, 2, 400)
    for learner in ("tree", "disc.lp"):
        model = fit(LPBoostClassifier(learner=learner), noise, y)
        assert model.nu_ > 0.1


def test_a_useless_model_is_warned_of():
    rng = np.random.default_rng(0)
    noise, y = rng.integers(0, 2, (400, 1)), rng.integers(0, 2, 400)
    with pytest.warns(UnderdogWarning, match="no better tree was found.*coefficients mean little"):
        LPBoostClassifier(learner="tree", nu=0.1).fit(noise, y)


@every
def test_more_rows_than_the_programme_can_have_are_refused(booster, monkeypatch):
    monkeypatch.setattr(corrective, "MOST_ROWS_OF_TREES", 199)
    model = booster(learner="tree", n_estimators=3)
    name = type(model._make_combiner()).__name__
    message = (
        rf"^200 rows are too many for trees with {name}, at most 199 are possible: give fewer "
        r'rows, use stumps \(learner="real.mh"\), or boost trees with GradientBoostingClassifier$'
    )
    with pytest.raises(ValueError, match=message):
        model.fit(X, Y)
    assert not hasattr(model, "model_")
    fit(model, X[:199], Y[:199])
    fit(booster(learner="disc.lp", n_estimators=3))
    weights = np.ones(200)
    weights[0] = 0.0  # a row that does not count
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model.fit(X, Y, sample_weight=weights)


def test_composed_boosters_are_refused_too(monkeypatch):
    monkeypatch.setattr(corrective, "MOST_ROWS_OF_TREES", 199)
    model = BoostingClassifier(
        loss=SoftMargin(0.3), learner=TreeLearner(), combiner=LinearProgramme()
    )
    with pytest.raises(ValueError, match="200 rows are too many for trees with LinearProgramme"):
        model.fit(X, Y)


def test_three_classes_are_refused():
    with pytest.raises(ValueError, match="LPBoostClassifier is for two classes"):
        LPBoostClassifier(learner="tree").fit(X, np.arange(200) % 3)


@every
def test_going_on_after_the_last_tree_changes_nothing(booster):
    model = fit(booster(learner="tree", n_estimators=200, tol=0.05))
    before = model.certificate_, model.stop_reason_, model.n_iter_
    model.set_params(warm_start=True, n_estimators=300)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model.fit(X, Y)
    again = model.certificate_, model.stop_reason_, model.n_iter_
    np.testing.assert_equal(again, before)
    assert model.stop_reason_.startswith("no better tree was found")
