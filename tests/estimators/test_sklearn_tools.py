"""Boosters in the pipelines, searches, routing and calibration of scikit-learn."""

import warnings

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from sklearn import config_context
from sklearn.calibration import CalibratedClassifierCV
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.inspection import permutation_importance
from sklearn.model_selection import (
    GridSearchCV,
    StratifiedKFold,
    cross_val_predict,
    cross_validate,
)
from sklearn.multiclass import OneVsRestClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, StandardScaler
from sklearn.tree import DecisionTreeClassifier

import underdog
from tests.estimators.small import (
    EXPONENTIAL,
    binary,
    each_booster,
    each_real_booster,
    make,
    mixed,
    unfinished,
)
from underdog import (
    AdaBoostAClassifier,
    AdaBoostClassifier,
    BoostingClassifier,
    Table,
)
from underdog.learners import StumpLearner, TreeLearner
from underdog.losses import Exponential

pytestmark = unfinished


@each_booster
def test_pipeline_of_numbers(booster):
    X, y = binary()
    pipeline = make_pipeline(StandardScaler(), make(booster, n_estimators=20)).fit(X, y)
    assert pipeline.score(X, y) > 0.8
    assert hasattr(pipeline, "predict_proba") == (booster in EXPONENTIAL)
    if booster in EXPONENTIAL:
        assert pipeline.predict_proba(X).shape == (len(X), 2)


@each_booster
def test_pipeline_of_text(booster):
    texts = ["free money now", "meeting at noon", "win money", "lunch at noon", "free win"] * 6
    y = ["spam", "ham", "spam", "ham", "spam"] * 6
    pipeline = make_pipeline(CountVectorizer(), booster(n_estimators=10, pos_label="spam"))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", underdog.UnderdogWarning)
        pipeline.fit(texts, y)
    assert pipeline.score(texts, y) == 1.0
    assert pipeline.predict(["money", "noon at"]).tolist() == ["spam", "ham"]


@pytest.mark.parametrize("output", ["default", "pandas", "polars"])
def test_a_pipeline_does_not_depend_on_the_output_of_its_transformers(output):
    X, y = binary()
    frame = pd.DataFrame(X, columns=["a", "b", "c"])
    expected = AdaBoostClassifier(n_estimators=5).fit(StandardScaler().fit_transform(X), y)
    with config_context(transform_output=output):
        model = make_pipeline(StandardScaler(), AdaBoostClassifier(n_estimators=5)).fit(frame, y)
        found = model.decision_function(frame)
    np.testing.assert_array_equal(
        found, expected.decision_function(StandardScaler().fit_transform(X))
    )


def test_a_function_in_a_pipeline_may_make_a_table():
    X, y = binary()
    to_table = FunctionTransformer(lambda X: Table.hstack([X, sp.csr_array(np.abs(X) > 1)]))
    pipeline = make_pipeline(to_table, AdaBoostClassifier(n_estimators=5)).fit(X, y)
    assert pipeline[-1].n_features_in_ == 6
    assert np.isfinite(pipeline.decision_function(X)).all()


@each_real_booster
def test_grid_search(booster):
    X, y = binary()
    grid = {
        "learner": [
            "real",
            "discrete",
            StumpLearner("real.lp"),
            DecisionTreeClassifier(max_depth=1),
        ],
        "n_estimators": [2, 5],
    }
    if booster()._make_loss().reads == "newton":
        grid["learner"] = ["real", "tree", StumpLearner("real"), TreeLearner(max_depth=2)]
    search = GridSearchCV(booster(), grid, cv=3, error_score="raise", scoring="roc_auc").fit(X, y)
    assert len(search.cv_results_["mean_test_score"]) == 8
    assert search.best_score_ > 0.75
    assert search.best_estimator_.n_iter_ <= 5


def test_grid_search_over_nested_parameters():
    X, y = binary()
    model = BoostingClassifier(learner=StumpLearner("real"), loss=Exponential(1.0), n_estimators=3)
    grid = {"learner__kind": ["real", "disc.u"], "loss__beta": [1.0, 3.0]}
    search = GridSearchCV(model, grid, cv=3, error_score="raise").fit(X, y)
    asked = {(p["learner__kind"], p["loss__beta"]) for p in search.cv_results_["params"]}
    assert asked == {("real", 1.0), ("real", 3.0), ("disc.u", 1.0), ("disc.u", 3.0)}
    tree = AdaBoostClassifier(learner=DecisionTreeClassifier(), n_estimators=3, random_state=0)
    search = GridSearchCV(tree, {"learner__max_depth": [1, 2]}, cv=3, error_score="raise").fit(X, y)
    assert search.best_estimator_.learner.max_depth in (1, 2)


@each_booster
def test_grid_search_over_a_table(booster):
    table, y = mixed()
    search = GridSearchCV(booster(), {"n_estimators": [2, 8]}, cv=4, error_score="raise")
    search.fit(table, y)
    assert search.score(table, y) > 0.8
    assert search.best_estimator_.model_.schema.names == table.names
    assert search.predict(table[:7]).shape == (7,)


def test_folds_of_a_table_are_the_rows_of_its_parts():
    table, y = mixed()
    model = AdaBoostClassifier(n_estimators=4)
    folds = StratifiedKFold(3)
    dense = np.hstack(
        [g.matrix.toarray() if sp.issparse(g.matrix) else g.matrix for g in table.groups]
    )
    found = cross_val_predict(model, table, y, cv=folds, method="decision_function")
    expected = cross_val_predict(model, dense, y, cv=folds, method="decision_function")
    np.testing.assert_array_equal(found, expected)


@each_booster
def test_sample_weight_is_routed(booster):
    X, y = binary()
    weight = np.where(np.arange(len(y)) % 2 == 0, 1.0, 0.0)
    with config_context(enable_metadata_routing=True):
        model = booster(n_estimators=3).set_fit_request(sample_weight=True)
        model.set_score_request(sample_weight=True)
        result = cross_validate(
            model,
            X,
            y,
            cv=3,
            params={"sample_weight": weight},
            return_estimator=True,
            return_indices=True,
            error_score="raise",
        )
        for fold, fitted in enumerate(result["estimator"]):
            rows = result["indices"]["train"][fold]
            alone = booster(n_estimators=3).fit(X[rows], y[rows], sample_weight=weight[rows])
            np.testing.assert_array_equal(fitted.decision_function(X), alone.decision_function(X))
        pipeline = make_pipeline(
            StandardScaler().set_fit_request(sample_weight=False),
            booster(n_estimators=3).set_fit_request(sample_weight=True),
        )
        pipeline.fit(X, y, sample_weight=weight)
        assert pipeline[-1].n_iter_ >= 1


def test_cost_and_initial_weight_are_routed_to_adaboost_a():
    X, y = binary()
    rng = np.random.default_rng(1)
    given = {"cost": rng.uniform(1, 5, len(y)), "initial_weight": rng.uniform(1, 2, len(y))}
    with config_context(enable_metadata_routing=True):
        model = AdaBoostAClassifier(n_estimators=3).set_fit_request(cost=True, initial_weight=True)
        result = cross_validate(
            model,
            X,
            y,
            cv=3,
            params=given,
            return_estimator=True,
            return_indices=True,
            error_score="raise",
        )
    for fold, fitted in enumerate(result["estimator"]):
        rows = result["indices"]["train"][fold]
        mine = {name: values[rows] for name, values in given.items()}
        alone = AdaBoostAClassifier(n_estimators=3).fit(X[rows], y[rows], **mine)
        np.testing.assert_array_equal(fitted.decision_function(X), alone.decision_function(X))
        assert "wrong_share" in fitted.history_


def test_metadata_that_nobody_asked_for_is_refused():
    X, y = binary()
    with (
        config_context(enable_metadata_routing=True),
        pytest.raises(ValueError, match=r"sample_weight.*not explicitly set as requested"),
    ):
        cross_validate(
            AdaBoostClassifier(n_estimators=2), X, y, params={"sample_weight": np.ones(len(y))}
        )


@each_booster
def test_calibration(booster):
    X, y = binary(160)
    model = CalibratedClassifierCV(booster(n_estimators=5), method="sigmoid", cv=3).fit(X, y)
    probability = model.predict_proba(X)
    assert np.isfinite(probability).all()
    assert abs(probability[:, 1].mean() - y.mean()) < 0.1
    np.testing.assert_allclose(probability.sum(axis=1), 1.0)


def test_calibration_of_a_table():
    table, y = mixed()
    model = CalibratedClassifierCV(AdaBoostClassifier(n_estimators=5), cv=3).fit(table, y)
    assert model.predict_proba(table).shape == (len(table), 2)


@each_booster
def test_one_against_the_rest(booster):
    X, _ = binary()
    y = np.digitize(X[:, 0], [-0.5, 0.5])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", underdog.UnderdogWarning)
        model = OneVsRestClassifier(booster(n_estimators=4)).fit(X, y)
    assert model.score(X, y) > 0.9


def test_permutation_importance_agrees_with_the_models_own():
    X, y = binary(200)
    model = AdaBoostClassifier(n_estimators=10).fit(X, y)
    found = permutation_importance(model, X, y, n_repeats=3, random_state=0).importances_mean
    assert np.argmax(found) == np.argmax(model.feature_importances_) == 0
