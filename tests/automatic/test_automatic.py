"""Models that need no parameters: all forms of data, what they choose, and what they say of it."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
import scipy.sparse as sp
from sklearn.base import clone
from sklearn.datasets import load_diabetes, load_iris
from sklearn.metrics import d2_pinball_score, f1_score
from sklearn.utils.estimator_checks import check_estimator

import underdog
from tests.automatic.given import frame, rare
from underdog import (
    BlendedTreesClassifier,
    BlendedTreesRegressor,
    Costs,
    CostSensitiveClassifier,
    FrameEncoder,
    ThresholdClassifier,
    UnderdogClassifier,
    UnderdogRegressor,
)
from underdog.automatic.settings import LARGE, ONE_PART, TWO_KINDS, settings_for
from underdog.inspection import contributions, rules

RNG = np.random.default_rng(0)


@pytest.mark.parametrize("library", [pd.DataFrame, pl.DataFrame], ids=["pandas", "polars"])
def test_frames_of_any_columns(library):
    y, columns = frame()
    X = library(columns)
    model = UnderdogClassifier().fit(X, y)
    assert isinstance(model.encoder_, FrameEncoder)
    assert model.encoder_.roles_["body"].kind == "text"
    assert model.score(X, y) > 0.95
    assert list(model.feature_names_in_) == list(columns)


def test_lists_of_texts():
    y, columns = frame()
    documents = columns["body"]
    model = UnderdogClassifier().fit(documents, y)
    assert model.predict(["cheap prize", "see you"]).tolist() == [1, 0]
    other = UnderdogClassifier().fit(pd.Series(documents), y)
    np.testing.assert_array_equal(other.predict_proba(documents), model.predict_proba(documents))


def test_arrays_and_sparse_matrices_are_taken_as_they_are():
    X, y = rare()
    X = np.where(np.abs(X) < 0.3, 0.0, X)
    model = UnderdogClassifier().fit(X, y)
    assert model.encoder_ is None
    other = UnderdogClassifier().fit(sp.csr_array(X), y)
    np.testing.assert_array_equal(other.predict_proba(X), model.predict_proba(X))


def test_the_order_of_rows_does_not_matter():
    y, columns = frame()
    X, order = pd.DataFrame(columns), RNG.permutation(len(y))
    one, two = UnderdogClassifier().fit(X, y), UnderdogClassifier().fit(X.iloc[order], y[order])
    np.testing.assert_array_equal(one.predict_proba(X), two.predict_proba(X))
    assert one.choices_ == two.choices_


def test_a_rare_class_gets_a_threshold():
    X, y = rare()
    model = UnderdogClassifier().fit(X, y)
    assert isinstance(model.estimator_, ThresholdClassifier)
    scores = model.booster_.left_out_scores_[:, 0]
    chosen = f1_score(y, scores > model.estimator_.threshold_)
    assert chosen >= f1_score(y, scores > 0)
    assert f"F1 {chosen:.3f}" in model.choices_[2]
    plain = UnderdogClassifier(threshold=None).fit(X, y)
    np.testing.assert_array_equal(
        plain.predict(X), plain.classes_[plain.predict_proba(X).argmax(axis=1)]
    )
    assert plain.choices_[2] == "The most probable class is predicted."


def test_the_rarer_class_is_the_positive_one():
    X, y = rare()
    names = np.where(y == 1, "bad", "good")
    model = UnderdogClassifier().fit(X, names)
    assert model.choices_[2].startswith("'bad' is predicted if its probability is above ")
    named = UnderdogClassifier(threshold=("recall", 0.9), pos_label="good").fit(X, names)
    assert named.choices_[2].startswith("'good' is predicted")


def test_costs_decide():
    X, y = rare()
    model = UnderdogClassifier(costs=Costs(fn=50, fp=1)).fit(X, y)
    assert isinstance(model.estimator_, CostSensitiveClassifier)
    limit = 1.0 / 51.0
    np.testing.assert_array_equal(model.predict(X) == 1, model.predict_proba(X)[:, 1] > limit)
    assert model.choices_[2] == "The class with the least expected cost is predicted."


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"costs": Costs(fn=2, fp=1), "threshold": "f1"}, "give only one of them"),
        ({"threshold": "best"}, "threshold='best' must be 'f1'"),
        ({"threshold": Costs(fn=2, fp=1)}, "use the parameter costs instead"),
        ({"time_budget": -1}, "time_budget=-1 must be"),
    ],
)
def test_wrong_parameters_are_refused(given, message):
    X, y = rare(60)
    with pytest.raises(ValueError, match=message):
        UnderdogClassifier(**given).fit(X, y)


def test_more_than_two_classes():
    X, y = load_iris(return_X_y=True)
    model = UnderdogClassifier().fit(X, y)
    assert model.score(X, y) > 0.9
    with pytest.raises(ValueError, match="threshold='f1' is for two classes, but there are 3"):
        UnderdogClassifier(threshold="f1").fit(X, y)


def test_several_labels_per_row():
    X, y = rare()
    Y = np.column_stack([y, X[:, 0] > 0])
    model = UnderdogClassifier().fit(X, Y)
    assert model.predict(X).shape == Y.shape
    assert model.choices_[2] == "Every label with a probability above 0.5 is predicted."


def test_files_and_explanations(tmp_path):
    y, columns = frame()
    X = pd.DataFrame(columns)
    model = UnderdogClassifier(threshold="f1").fit(X, y)
    model.save(tmp_path / "model.udg")
    loaded = underdog.load(tmp_path / "model.udg")
    np.testing.assert_array_equal(loaded.predict_proba(X), model.predict_proba(X))
    np.testing.assert_array_equal(loaded.predict(X), model.predict(X))
    assert loaded.choices_ == model.choices_
    assert loaded.describe(3) == model.describe(3)
    why = contributions(model, X.iloc[:4])
    total = why.base + why.values.sum(axis=1)
    table = model.encoder_.transform(X.iloc[:4])
    np.testing.assert_array_equal(total, model.booster_._scores(table))
    assert rules(model)


def test_a_regressor_takes_frames(tmp_path):
    X, y = load_diabetes(return_X_y=True, as_frame=True)
    X["sex"] = np.where(X["sex"] > 0, "m", "f")
    model = UnderdogRegressor().fit(X, y)
    assert model.score(X, y) > 0.4
    assert len(model.choices_) == 2
    model.save(tmp_path / "model.udg")
    np.testing.assert_array_equal(
        underdog.load(tmp_path / "model.udg").predict(X), model.predict(X)
    )


def test_a_class_that_cannot_be_left_out():
    X, y = [[0.0], [1.0], [2.0]], ["a", "a", "b"]
    model = UnderdogClassifier().fit(X, y)
    low, _, high = model.predict_proba(X)[:, 1]
    assert low < 1 / 3 < high
    assert "which were not chosen: no row could be left out." in model.choices_[1]


def test_parameters_can_be_cloned():
    model = UnderdogClassifier(threshold=("recall", 0.9), time_budget=5.0)
    assert clone(model).get_params() == model.get_params()
    assert repr(UnderdogClassifier(time_budget=5.0)) == "UnderdogClassifier(time_budget=5.0)"


def test_quantiles():
    X, y = load_diabetes(return_X_y=True)
    model = UnderdogRegressor(quantiles=[0.1, 0.5, 0.9]).fit(X, y)
    found = model.predict(X)
    assert found.shape == (len(y), 3)
    assert (np.diff(found, axis=1) >= 0.0).all()
    covered = np.mean((y >= found[:, 0]) & (y <= found[:, 2]))
    assert 0.7 < covered < 0.95
    same = BlendedTreesRegressor(
        loss="quantile", quantiles=[0.1, 0.5, 0.9], min_samples_leaf=10, n_estimators=30, cv=3
    )
    np.testing.assert_array_equal(same.fit(X, y).predict(X), found)
    with pytest.raises(ValueError, match="quantile"):
        UnderdogRegressor(quantiles=[0.5, 2.0]).fit(X, y)


def test_settings_by_the_number_of_rows():
    few, some = settings_for(TWO_KINDS - 1, 5), settings_for(TWO_KINDS, 5)
    more, many = settings_for(ONE_PART, 5), settings_for(LARGE, 5)
    assert few.parameters == {}
    assert set(some.parameters) == {"alternatives"}
    assert more.parameters == some.parameters | {"cv": None}
    assert many.parameters["max_leaf_nodes"] == 31
    assert BlendedTreesClassifier(**many.parameters).cv is None
    assert many.reason.startswith("20,000 rows and 5 columns: ")


def test_two_kinds_of_trees_are_compared(monkeypatch):
    monkeypatch.setattr("underdog.automatic.settings.TWO_KINDS", 300)
    X, y = rare()
    model = UnderdogClassifier().fit(X, y)
    assert "other_trees" in model.booster_.blend_["left_out_loss"]
    assert "or of depth 6 with the best cuts" in model.choices_[0]
    assert "with other trees" in model.choices_[1]


def test_rules_about_documents_name_their_words():
    y, columns = frame()
    model = UnderdogClassifier().fit(columns["body"], y)
    assert "cheap" in model.describe(None)


@pytest.mark.parametrize("given", [{}, {"threshold": None}, {"costs": Costs(fn=9, fp=1)}], ids=str)
def test_another_population(given, tmp_path):
    X, y = rare()
    model = UnderdogClassifier(**given).fit(X[::2], y[::2])
    before = model.predict_proba(X)
    moved = underdog.with_prevalence(model, {1: 0.5})
    odds = [each.predict_proba(X)[:, 1] for each in (model, moved)]
    share = y[::2].mean()
    wanted = odds[0] / (1 - odds[0]) * (1 - share) / share
    np.testing.assert_allclose(odds[1] / (1 - odds[1]), wanted, rtol=1e-6)
    again = underdog.recalibrate(model, X[1::2], y[1::2])
    assert again.predict_proba(X[1::2])[:, 1].mean() == pytest.approx(y[1::2].mean(), abs=0.03)
    np.testing.assert_array_equal(model.predict_proba(X), before)
    again.save(tmp_path / "model.udg")
    loaded = underdog.load(tmp_path / "model.udg")
    np.testing.assert_array_equal(loaded.predict_proba(X), again.predict_proba(X))


@pytest.mark.slow
@pytest.mark.filterwarnings("default")
@pytest.mark.parametrize("model", [UnderdogClassifier(), UnderdogRegressor()], ids=str)
def test_scikit_learn_checks(model):
    failed = [
        result["check_name"]
        for result in check_estimator(model, on_skip=None, on_fail=None)
        if result["status"] == "failed"
    ]
    assert not failed


def test_several_quantiles_have_a_score():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 2))
    y, weight = X[:, 0] + rng.normal(size=200), rng.integers(1, 4, size=200)
    levels = [0.1, 0.5, 0.9]
    model = UnderdogRegressor(quantiles=levels, random_state=0).fit(X, y)
    found = model.predict(X)
    expected = [
        d2_pinball_score(y, found[:, place], alpha=level, sample_weight=weight)
        for place, level in enumerate(levels)
    ]
    assert model.score(X, y, weight) == pytest.approx(np.mean(expected), rel=1e-9)
