"""Trees blended with a linear model: what is chosen, and what the model is made of."""

from types import SimpleNamespace

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.datasets import make_regression
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import log_loss, mean_squared_error
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import underdog
from underdog import (
    BlendedTreesClassifier,
    BlendedTreesRegressor,
    GradientBoostingClassifier,
    GradientBoostingRegressor,
)
from underdog.estimators.support import blending
from underdog.estimators.support.blending import checked_rounds
from underdog.model import Ensemble

SMALL = {"n_estimators": 40, "cv": 3}


def classes(n_classes=2, n_rows=240):
    """Classes that depend on a sum of columns and on a product."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n_rows, 6))
    score = X[:, 0] - X[:, 1] + X[:, 2] * X[:, 3] + 0.5 * rng.normal(size=n_rows)
    return X, np.digitize(score, np.linspace(0.5, 2.0, n_classes - 1))


def blended(X, y, weight=None, **given):
    return BlendedTreesClassifier(**{**SMALL, **given}).fit(X, y, weight)


def test_the_model_is_a_mean_of_trees_and_lines():
    X, y = classes()
    model = blended(X, y)
    weight, rounds = model.blend_["weight"], model.blend_["rounds"]
    assert 0.0 < weight < 1.0
    names = ("learning_rate", "max_depth", "l2_regularization", "cuts", "bootstrap")
    same = {name: getattr(model, name) for name in names}
    trees = GradientBoostingClassifier(n_estimators=rounds, **same).fit(X, y)
    members = model.model_.members
    share = np.rint((1 - weight) * trees.model_.start * 2.0**36) / 2.0**36
    of_trees = Ensemble(members[:rounds], model.model_.schema, 1, start=share)
    of_trees = of_trees.scores(underdog.Table.from_data(X), underdog.workers.Workers(1))[:, 0]
    np.testing.assert_allclose(of_trees, (1 - weight) * trees.decision_function(X), atol=1e-6)
    assert len(members) == rounds + X.shape[1]
    assert {test.column for test in members[-1].hypothesis.tests} == {X.shape[1] - 1}


def test_the_blend_has_the_least_loss_of_left_out_rows():
    X, y = classes()
    model = blended(X, y)
    losses, scores = model.blend_["left_out_loss"], model.left_out_scores_[:, 0]
    assert losses["blend"] <= min(losses["trees"], losses["linear"])
    found = log_loss(y, 1.0 / (1.0 + np.exp(-scores)))
    assert found == pytest.approx(losses["blend"], rel=1e-9)


@pytest.mark.parametrize("n_classes", [2, 3])
def test_the_same_bits_in_any_form(n_classes):
    X, y = classes(n_classes)
    X = np.where(np.abs(X) < 0.3, 0.0, np.rint(8 * X))
    weight = np.random.default_rng(0).integers(1, 4, len(y))
    order = np.random.default_rng(1).permutation(len(y))
    wanted = blended(X, y, weight).decision_function(X)
    others = {
        "order": blended(X[order], y[order], weight[order]),
        "sparse": blended(sp.csr_array(X), y, weight),
        "repeats": blended(X.repeat(weight, axis=0), y.repeat(weight)),
        "threads": blended(X, y, weight, n_jobs=2),
    }
    for name, model in others.items():
        np.testing.assert_array_equal(model.decision_function(X), wanted, err_msg=name)


def test_several_labels_per_row():
    X, y = classes()
    Y = np.column_stack([y, X[:, 0] > 0])
    model = blended(X, Y)
    assert model.predict_proba(X).shape == (len(X), 2)
    assert (model.predict(X) == Y).mean() > 0.85


def test_a_regressor_is_blended_in_the_unit_of_the_target():
    X, y = make_regression(300, 5, noise=20.0, random_state=0)
    y = np.abs(y) * 1e6
    model = BlendedTreesRegressor(n_estimators=60, cv=3).fit(X, y)
    scores = model.left_out_scores_[:, 0] * model._labels.unit
    found = model.blend_["left_out_loss"]
    assert mean_squared_error(y, scores) == pytest.approx(found["blend"], rel=1e-6)
    assert found["blend"] <= min(found["trees"], found["linear"])
    trees = GradientBoostingRegressor(n_estimators=60).fit(X, y)
    assert model.score(X, y) > 0.5 * trees.score(X, y)


def test_other_losses_have_no_linear_model():
    X, y = make_regression(120, 3, noise=5.0, random_state=0)
    model = BlendedTreesRegressor(loss="absolute", n_estimators=20, cv=3).fit(X, y)
    assert model.blend_["weight"] == 0.0
    assert "linear" not in model.blend_["left_out_loss"]


def test_a_monotonic_constraint_leaves_no_linear_model():
    """The class rises with the first column, against the constraint."""
    X, y = classes()
    model = blended(X, y, monotonic_cst=[-1, 0, 0, 0, 0, 0])
    rising = np.zeros((50, 6))
    rising[:, 0] = np.linspace(-2, 2, 50)
    assert (np.diff(model.decision_function(rising)) <= 0).all()
    assert "linear" not in model.blend_["left_out_loss"]


def test_files_keep_the_blend(tmp_path):
    X, y = classes()
    model = blended(X, y)
    model.save(tmp_path / "model.udg")
    loaded = underdog.load(tmp_path / "model.udg")
    np.testing.assert_array_equal(loaded.predict_proba(X), model.predict_proba(X))
    assert loaded.blend_ == model.blend_
    assert loaded.left_out_scores_ is None
    assert loaded.about_blend() == model.about_blend()


def test_files_keep_a_blend_whose_trees_ended_early(tmp_path):
    rng = np.random.default_rng(97)
    n_rows, n_values = rng.integers(10, 60), rng.integers(2, 8)
    X = rng.integers(0, n_values, (n_rows, 1)).astype(float)
    y = ((X[:, 0] > n_values / 2) ^ (rng.random(n_rows) < 0.3)).astype(int)
    model = BlendedTreesClassifier(n_estimators=5, random_state=0, min_samples_leaf=3).fit(X, y)
    assert model.n_iter_ < model.blend_["rounds"]
    model.save(tmp_path / "blend.udg")
    again = underdog.load(tmp_path / "blend.udg")
    np.testing.assert_array_equal(again.decision_function(X), model.decision_function(X))


class Clock:
    """A clock that goes on by a second whenever somebody looks."""

    def __init__(self):
        self.now = 0.0

    def perf_counter(self):
        self.now += 1.0
        return self.now


def test_a_time_budget_can_be_repeated_without_it(monkeypatch):
    """Three quarters of 40 seconds are over after 30 looks at the clock."""
    X, y = classes()
    monkeypatch.setattr(blending, "time", Clock())
    model = blended(X, y, n_estimators=200, time_budget=40.0, linear=False)
    assert model.blend_["rounds_tried"] == 30
    monkeypatch.undo()
    again = blended(X, y, n_estimators=30, linear=False)
    np.testing.assert_array_equal(again.decision_function(X), model.decision_function(X))


def test_without_time_there_is_no_linear_model(monkeypatch):
    X, y = classes()
    monkeypatch.setattr(blending, "time", Clock())
    model = blended(X, y, n_estimators=200, time_budget=20.0)
    assert "linear" not in model.blend_["left_out_loss"]
    rounds = model.blend_["rounds_tried"]
    assert rounds == 7
    monkeypatch.undo()
    again = blended(X, y, n_estimators=rounds, linear=False)
    np.testing.assert_array_equal(again.decision_function(X), model.decision_function(X))


OTHER = {"cuts": "all", "max_depth": 2, "learning_rate": 0.3, "n_estimators": 40}


@pytest.mark.parametrize("other", [OTHER, OTHER | {"learning_rate": 1e-6}], ids=["better", "worse"])
def test_the_trees_with_the_lower_loss_are_used(other, tmp_path):
    X, y = classes()
    model = blended(X, y, alternatives=[other])
    each = [blended(X, y), blended(X, y, **other)]
    losses = [booster.blend_["left_out_loss"]["blend"] for booster in each]
    best = int(np.argmin(losses))
    assert best == (other == OTHER)
    assert model.blend_["trees"] == ({}, other)[best]
    assert model.blend_["left_out_loss"]["other_trees"] == losses[1 - best]
    np.testing.assert_array_equal(model.decision_function(X), each[best].decision_function(X))
    np.testing.assert_array_equal(model.left_out_scores_, each[best].left_out_scores_)
    assert (" of trees of depth 2 with the best cuts" in model.about_blend()) == best
    model.save(tmp_path / "model.udg")
    assert underdog.load(tmp_path / "model.udg").blend_ == model.blend_


def test_a_time_budget_is_divided_among_alternatives(monkeypatch):
    """Each has half of three quarters of ten seconds; the clock says when each search ends."""
    X, y = classes()
    ticks = iter([0.0, 0.0, 4.0, 4.0, 8.0])
    monkeypatch.setattr(blending, "time", SimpleNamespace(perf_counter=lambda: next(ticks)))
    seen = []
    search = blending._search

    def watched(booster, folds, compare, linear, deadline):
        seen.append(deadline)
        return search(booster, folds, compare, linear, deadline)

    monkeypatch.setattr(blending, "_search", watched)
    trees = {"alternatives": [{"max_depth": 2}], "linear": False}
    blended(X, y, n_estimators=200, time_budget=10.0, **trees)
    assert seen == [3.75, 7.5]
    assert next(ticks, None) is None


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"max_depth": 2}, "must be a list of dictionaries"),
        ("auto", "must be a list of dictionaries"),
        ([2], "must be a list of dictionaries"),
        ([{"cv": 3}], "'cv' cannot be changed there: only max_depth"),
        ([{"depth": 3}], "'depth' cannot be changed there"),
        ([{"max_depth": -1}], "max_depth"),
    ],
    ids=str,
)
def test_alternatives_that_are_refused(given, message):
    X, y = classes()
    with pytest.raises(ValueError, match=message):
        blended(X, y, alternatives=given)


@pytest.mark.parametrize(
    ("X", "y"),
    [([[0.0], [1.0]], [0, 1]), (np.random.default_rng(0).normal(size=(60, 3)), [1] + [0] * 59)],
    ids=["two rows", "one row of a class"],
)
def test_without_rows_to_leave_out_there_are_few_rounds(X, y):
    model = BlendedTreesClassifier().fit(X, y)
    assert model.blend_ == {}
    assert model.n_iter_ == 10
    assert model.left_out_scores_ is None
    assert BlendedTreesClassifier(n_estimators=5).fit(X, y).n_iter_ == 5


@pytest.mark.parametrize("kind", [BlendedTreesClassifier, BlendedTreesRegressor])
def test_a_constant_where_nothing_is_better(kind, tmp_path):
    """Targets that the columns say nothing about: the model is the start, and can be used."""
    rng = np.random.default_rng(5)
    X, labels, numbers = rng.normal(size=(300, 6)), rng.integers(0, 2, 300), rng.normal(size=300)
    y = labels if kind is BlendedTreesClassifier else numbers
    model = kind().fit(X, y)
    assert model.n_iter_ == model.blend_["rounds"] == model.blend_["weight"] == 0
    expected = np.mean(y)
    found = model.predict_proba(X)[:, 1] if kind is BlendedTreesClassifier else model.predict(X)
    np.testing.assert_allclose(found, expected, rtol=1e-9)
    np.testing.assert_array_equal(model.feature_importances_, np.zeros(6))
    model.save(tmp_path / "model.udg")
    loaded = underdog.load(tmp_path / "model.udg")
    np.testing.assert_array_equal(loaded.predict(X), model.predict(X))
    assert "always" in model.describe()


@pytest.mark.parametrize("unit", [1e-150, 2.0**-40, 1e-6, 1e6, 1e150])
def test_choices_do_not_depend_on_the_unit_of_a_target(unit):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 3))
    y = 2 * X[:, 0] + np.sin(3 * X[:, 1]) + 0.2 * rng.normal(size=200)
    one, other = (BlendedTreesRegressor(n_estimators=150).fit(X, own) for own in (y, unit * y))
    assert other.blend_["rounds"] == one.blend_["rounds"] > 50
    assert other.blend_["weight"] == one.blend_["weight"]
    np.testing.assert_allclose(other.predict(X), unit * one.predict(X), rtol=1e-6)


def test_folds_that_are_given():
    """Copies of rows in other folds say that all is known; folds by person do not."""
    rng = np.random.default_rng(1)
    person = np.repeat(np.arange(30), 6)
    X = rng.normal(size=(30, 4))[person] + 1e-3 * rng.normal(size=(180, 4))
    y = rng.integers(0, 2, 30)[person]
    drawn = BlendedTreesClassifier(n_estimators=100).fit(X, y)
    model = BlendedTreesClassifier(n_estimators=100).fit(X, y, folds=person % 5)
    assert drawn.blend_["left_out_loss"]["blend"] < 0.3
    assert model.blend_["left_out_loss"]["blend"] > 0.5
    assert "chosen on the given folds" in model.stop_reason_
    places = rng.permutation(180)
    again = BlendedTreesClassifier(n_estimators=100).fit(
        X[places], y[places], folds=person[places] % 5
    )
    np.testing.assert_array_equal(again.predict_proba(X), model.predict_proba(X))
    some = np.where(person < 20, -1, 7)
    part = BlendedTreesClassifier(n_estimators=50).fit(X, y, folds=some)
    np.testing.assert_array_equal(np.isnan(part.left_out_scores_[:, 0]), person < 20)


@pytest.mark.parametrize("words", [None, 49, 51])
def test_words_are_the_same_in_all_folds(words):
    """With about as many rare columns as make words, folds differ in how many they have."""
    rng = np.random.default_rng(0)
    X = (rng.random((150, 75)) < 0.22 + 0.05 * rng.random(75)).astype(float)
    if words is not None:
        X = X[:, :words]
    y = (X[:, 0] + X[:, 1] + 0.3 * rng.normal(size=150) > 0.5).astype(int)
    model = blended(X, y, n_estimators=20)
    losses = model.blend_["left_out_loss"]
    assert losses["blend"] <= losses["linear"]
    assert isinstance(model.blend_["of_words"], bool)


def test_one_part_is_left_out_if_it_is_large_enough():
    X, y = classes(n_rows=900)
    model = blended(X, y, cv=None)
    left_out = ~np.isnan(model.left_out_scores_[:, 0])
    assert 0.15 < left_out.mean() < 0.25
    assert "chosen on 0.2 of the rows" in model.stop_reason_
    few = blended(X[:200], y[:200], cv=None)
    assert not np.isnan(few.left_out_scores_).any()


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"linear": 1}, "linear=1 must be True or False"),
        ({"time_budget": 0}, "time_budget=0 must be"),
        ({"warm_start": True}, "warm_start=True is not supported by BlendedTreesClassifier"),
        ({"cuts": "some"}, "cuts='some' must be 'all' or 'random'"),
    ],
)
def test_wrong_parameters_are_refused(given, message):
    X, y = classes()
    with pytest.raises(ValueError, match=message):
        blended(X, y, **given)


def test_rounds_that_are_compared():
    assert checked_rounds(25) == [0, 10, 20, 25]
    assert checked_rounds(5) == [0, 5]
    assert checked_rounds(1000)[-4:] == [700, 800, 900, 1000]


def test_a_linear_model_without_trees(tmp_path):
    """Where classes depend on a sum of columns, trees have no weight."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 6))
    y = (X.sum(axis=1) + 0.3 * rng.normal(size=300) > 1).astype(int)
    model = blended(X, y)
    assert model.blend_["weight"] == 1.0
    assert model.n_iter_ == model.blend_["rounds"] == 0
    assert "A linear model and no trees, chosen by the loss" in model.about_blend()
    assert len(model.describe(None).split("\n   1. ")) == 2
    model.save(tmp_path / "model.udg")
    loaded = underdog.load(tmp_path / "model.udg")
    np.testing.assert_array_equal(loaded.predict_proba(X), model.predict_proba(X))


@pytest.mark.parametrize("unit", [1.0, 1e-5])
def test_a_linear_model_alone_is_like_that_of_scikit_learn(unit):
    """Standardised columns with few values, and C between those that are tried."""
    rng = np.random.default_rng(0)
    X = rng.integers(0, 8, size=(400, 5)).astype(float)
    score = X @ [1.0, -1.0, 0.5, 0.0, 0.25]
    y = (score + 3 * rng.normal(size=400) > score.mean()).astype(int)
    model = BlendedTreesClassifier(n_estimators=0).fit(X * unit, y)
    assert (model.n_iter_, model.blend_["weight"]) == (0, 1.0)
    expected = make_pipeline(StandardScaler(), LogisticRegression(C=model.blend_["strength"]))
    expected.fit(X, y)
    np.testing.assert_allclose(model.predict_proba(X * unit), expected.predict_proba(X), atol=2e-3)
    assert not model.describe().startswith("trees")


def test_no_trees_and_no_linear_model_are_refused():
    X, y = classes()
    for given in ({"linear": False}, {"early_stopping": False}, {"monotonic_cst": [1] * 6}):
        with pytest.raises(ValueError, match="n_estimators=0 is a linear model without trees"):
            BlendedTreesClassifier(n_estimators=0, **given).fit(X, y)


def test_prior_knowledge_is_refused():
    model = BlendedTreesClassifier(prior_knowledge=["otherwise: 1 0.9"])
    with pytest.raises(ValueError, match="takes no prior_knowledge: use Gradient"):
        model.fit([[0.0], [1.0], [2.0], [3.0]], [0, 1, 0, 1])


def test_rounds_end_when_there_is_no_loss_left():
    X = np.random.default_rng(0).integers(0, 5, (400, 3)).astype(float)
    y = (X[:, 0] > 2).astype(int)
    given = {"linear": False, "cuts": "all", "bootstrap": False, "l2_regularization": 0.0}
    model = blended(X, y, n_estimators=500, learning_rate=1.0, **given)
    assert model.blend_["rounds_tried"] < 100
    assert model.blend_["left_out_loss"]["blend"] <= 1e-5 * np.log(2.0)
