"""The boosters as scikit-learn estimators: its own checks, and the tools people put around them."""

import pickle

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone, is_classifier, is_regressor
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils import estimator_checks
from sklearn.utils.estimator_checks import parametrize_with_checks

import underdog
from tests.estimators.small import (
    BOOSTERS,
    CORRECTIVE,
    EXPONENTIAL,
    HULL,
    ROBUST,
    binary,
    each_booster,
    each_real_booster,
    mixed,
    unfinished,
)
from underdog import (
    AdaBoostAClassifier,
    AdaBoostClassifier,
    AdaBoostMHClassifier,
    AdaUBoostClassifier,
    BlendedTreesClassifier,
    BoostingRegressor,
    GradientBoostingRegressor,
    RankBoostRanker,
)
from underdog.estimators import all_boosters, all_rankers, all_regressors
from underdog.estimators.gradient_boosting_regressor import LOSSES
from underdog.estimators.support.base import Booster
from underdog.learners import StumpLearner
from underdog.losses import QuantileLoss

pytestmark = unfinished


def test_the_list_of_boosters_is_complete():
    public = [getattr(underdog, name) for name in underdog.__all__]
    boosters = [each for each in public if isinstance(each, type) and issubclass(each, Booster)]
    exported = {booster.__name__ for booster in boosters}
    assert exported == {*all_boosters(), *all_regressors(), *all_rankers()}
    assert all(is_classifier(booster()) for booster in BOOSTERS)
    assert all(is_regressor(booster()) for booster in all_regressors().values())


@pytest.fixture
def same_two_classes(monkeypatch):
    """Make two classes of three in the way of scikit-learn 1.7.

    1.6 keeps the class of the first row and so compares two different problems once it has shuffled
    the rows (check_sample_weight_equivalence of estimators for two classes).
    """
    original = estimator_checks._enforce_estimator_tags_y

    def enforce(estimator, y):
        tags = estimator.__sklearn_tags__().classifier_tags
        if tags is None or tags.multi_class or not y.size:
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
        # loss="quantile" refuses alpha, which a check of scikit-learn sets.
        *(
            GradientBoostingRegressor(n_estimators=40, loss=loss)
            for loss in LOSSES
            if loss != "quantile"
        ),
        BoostingRegressor(n_estimators=40, loss=QuantileLoss()),
        BoostingRegressor(n_estimators=40, learner="real"),
        BlendedTreesClassifier(n_estimators=4, early_stopping=False),
        RankBoostRanker(n_estimators=4),
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


@each_real_booster
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
        booster not in (AdaBoostAClassifier, AdaUBoostClassifier, *CORRECTIVE, *HULL, *ROBUST)
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
