"""The boosters as scikit-learn estimators: its own checks, and the tools people put around them."""

import pickle
import warnings

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from sklearn import config_context
from sklearn.base import clone, is_classifier
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
from sklearn.utils import estimator_checks
from sklearn.utils.estimator_checks import parametrize_with_checks

import underdog
from tests.estimators.small import (
    BOOSTERS,
    CORRECTIVE,
    EXPONENTIAL,
    each_booster,
    make,
    unfinished,
)
from underdog import (
    AdaBoostAClassifier,
    AdaBoostClassifier,
    AdaBoostMHClassifier,
    AdaUBoostClassifier,
    BoostingClassifier,
    Table,
)
from underdog.estimators.support.base import Booster
from underdog.learners import StumpLearner, TreeLearner
from underdog.losses import Exponential

pytestmark = unfinished


def binary(rows=80, seed=0):
    """Three columns, the first two of which matter, and fewer 1s than 0s."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(rows, 3))
    return X, (X[:, 0] + 0.6 * X[:, 1] + 0.5 * rng.normal(size=rows) > 0.4).astype(int)


def mixed(rows=80):
    """The numbers of `binary` beside three sparse words, as a Table, and its labels."""
    X, y = binary(rows)
    rng = np.random.default_rng(5)
    words = sp.csr_array((rng.random((rows, 3)) < 0.3 + 0.3 * y[:, np.newaxis]).astype(float))
    return Table.hstack([X, words], names=["age", "size", "cost", "free", "win", "hello"]), y


def test_the_list_of_boosters_is_complete():
    public = [getattr(underdog, name) for name in underdog.__all__]
    boosters = [each for each in public if isinstance(each, type) and issubclass(each, Booster)]
    exported = {booster.__name__ for booster in boosters}
    assert exported == {booster.__name__ for booster in BOOSTERS}
    assert all(is_classifier(booster()) for booster in BOOSTERS)


@pytest.fixture
def same_two_classes(monkeypatch):
    """Make two classes of three in the way of scikit-learn 1.7.

    1.6 keeps the class of the first row and so compares two different problems once it has shuffled
    the rows (check_sample_weight_equivalence of estimators for two classes).
    """
    original = estimator_checks._enforce_estimator_tags_y

    def enforce(estimator, y):
        if estimator.__sklearn_tags__().classifier_tags.multi_class or not y.size:
            return original(estimator, y)
        return np.where(y == y.min(), y, y.min() + 1)

    monkeypatch.setattr(estimator_checks, "_enforce_estimator_tags_y", enforce)


CHECKS = parametrize_with_checks(
    [
        *(booster(n_estimators=4) for booster in BOOSTERS),
        AdaBoostClassifier(n_estimators=20, learner="discrete"),
        AdaBoostMHClassifier(n_estimators=20, learner="discrete"),
        AdaBoostAClassifier(n_estimators=4, learner="real"),
        AdaUBoostClassifier(n_estimators=4, learner="disc.u"),
    ]
)


# A list, because scikit-learn 1.6 makes a generator and pytest 9.1 will not have one.
@pytest.mark.filterwarnings("default")
@pytest.mark.parametrize(CHECKS.args[0], list(CHECKS.args[1]), ids=CHECKS.kwargs["ids"])
def test_scikit_learn_checks(estimator, check, same_two_classes):
    assert check(estimator) is None


@each_booster
def test_clone_and_parameters(booster):
    model = booster(n_estimators=3, learner=StumpLearner("disc.mh"), class_weight={0: 1, 1: 2})
    copy = clone(model)
    assert copy.learner is not model.learner
    assert copy.get_params()["learner__kind"] == "disc.mh"
    copy.set_params(learner__kind="real", n_estimators=7)
    assert (copy.learner.kind, copy.n_estimators) == ("real", 7)
    assert (model.learner.kind, model.n_estimators) == ("disc.mh", 3)


@each_booster
def test_repr_shows_what_was_changed(booster):
    assert repr(booster()) == f"{booster.__name__}()"
    assert repr(booster(n_estimators=3)) == f"{booster.__name__}(n_estimators=3)"


@each_booster
def test_fit_leaves_parameters_and_data_alone(booster):
    X, y = binary()
    kept, labels = X.copy(), y.copy()
    model = booster(n_estimators=3, learner=StumpLearner("real"))
    before = {name: repr(value) for name, value in model.get_params().items()}
    model.fit(X, y)
    assert {name: repr(value) for name, value in model.get_params().items()} == before
    np.testing.assert_array_equal(X, kept)
    np.testing.assert_array_equal(y, labels)


@each_booster
def test_pickle(booster):
    X, y = binary()
    model = booster(n_estimators=5).fit(X, np.where(y == 1, "yes", "no"))
    model.predict(X)  # a compiled model is in it
    again = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(again.decision_function(X), model.decision_function(X))
    np.testing.assert_array_equal(again.predict(X), model.predict(X))
    assert again.describe() == model.describe()
    assert again.stop_reason_ == model.stop_reason_


def test_pickle_of_a_table_and_of_a_model_of_classifiers():
    table, y = mixed()
    again = pickle.loads(pickle.dumps(table))
    assert (again.shape, again.names) == (table.shape, table.names)
    model = AdaBoostClassifier(learner=DecisionTreeClassifier(max_depth=2), n_estimators=3)
    model.fit(table, y)
    copy = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(copy.decision_function(again), model.decision_function(table))


def test_a_pickled_model_does_not_carry_the_data():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(20_000, 3))
    model = AdaBoostClassifier(n_estimators=5).fit(X, (X[:, 0] > 0.3 * X[:, 1]).astype(int))
    assert len(pickle.dumps(model)) < 50_000


@each_booster
def test_fitting_again_forgets_the_last_fit(booster):
    X, y = binary()
    model = booster(n_estimators=4).fit(X, y)
    model.fit(X[:, :2], np.where(y == 1, "b", "a"))
    fresh = booster(n_estimators=4).fit(X[:, :2], np.where(y == 1, "b", "a"))
    assert (model.n_features_in_, model.classes_.tolist()) == (2, ["a", "b"])
    np.testing.assert_array_equal(
        model.decision_function(X[:, :2]), fresh.decision_function(X[:, :2])
    )


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


@each_booster
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


@each_booster
def test_a_frame_gives_the_model_its_names(booster):
    X, y = binary()
    model = booster(n_estimators=3).fit(pd.DataFrame(X, columns=["a", "b", "c"]), y)
    assert model.feature_names_in_.tolist() == ["a", "b", "c"]
    assert model.n_features_in_ == 3
    assert "a >" in model.describe()


def test_a_table_gives_the_model_its_names():
    table, y = mixed()
    model = AdaBoostClassifier(n_estimators=3).fit(table, y)
    assert model.feature_names_in_.tolist() == list(table.names)


@each_booster
def test_tags(booster):
    tags = booster().__sklearn_tags__()
    assert tags.estimator_type == "classifier"
    assert tags.input_tags.sparse
    assert tags.input_tags.allow_nan
    assert tags.classifier_tags.multi_class == (
        booster not in (AdaBoostAClassifier, AdaUBoostClassifier, *CORRECTIVE)
    )
    assert tags.target_tags.required
    assert not tags.non_deterministic


@each_booster
def test_scores_have_the_shape_that_scikit_learn_expects(booster):
    X, y = binary()
    model = booster(n_estimators=3).fit(X, y)
    assert model.decision_function(X).shape == (len(X),)
    if booster in EXPONENTIAL:
        assert model.predict_proba(X).shape == (len(X), 2)
        np.testing.assert_allclose(model.predict_log_proba(X), np.log(model.predict_proba(X)))
    likely = model.classes_[(model.decision_function(X) > 0).astype(int)]
    np.testing.assert_array_equal(model.predict(X), likely)
