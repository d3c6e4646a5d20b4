"""Minimum expected cost: close to the best possible on known probabilities, by the textbook."""

import pickle
import re

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from sklearn.base import clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, KFold, StratifiedKFold, cross_val_score
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC

from tests.decisions import known
from tests.estimators.small import EXPONENTIAL, each_booster, learnable, lopsided, make, unfinished
from underdog import (
    AdaBoostAClassifier,
    AdaBoostClassifier,
    CalibratedAdaMECClassifier,
    Costs,
    CostSensitiveClassifier,
    LPBoostClassifier,
    Table,
    UnderdogWarning,
)

UNEVEN = Costs(fn=5, fp=1)
RARE = Costs(fn=20, fp=1)
DISEASES = Costs.matrix([[0, 1, 2], [4, 0, 4], [10, 5, 0]], [0, 1, 2])
STANDARD_ERRORS = 2.0
"""How far from the cost of the best decisions the cost of a model's decisions may be."""


def small(rows=120):
    X, y, _ = known.two_classes(rows, 0)
    return X, y


def quick(**parameters):
    return AdaBoostClassifier(n_estimators=5, **parameters)


@pytest.mark.parametrize("calibration", ["sigmoid", "isotonic", None])
@pytest.mark.parametrize("estimator", [AdaBoostClassifier(n_estimators=40), LogisticRegression()])
@pytest.mark.parametrize(
    ("data", "costs"),
    [
        (known.two_classes, UNEVEN),
        (known.rare, Costs(fn=20, fp=1)),
        (known.three_classes, DISEASES),
    ],
    ids=["1:1", "1:20", "three classes"],
)
def test_cost_is_within_sampling_error_of_the_least(data, costs, estimator, calibration):
    X, y, _ = data(4000, 0)
    new, truth, p = data(4000, 1)
    classes = np.unique(y)
    best = costs.each(truth, costs.decide(p, classes), classes)
    model = CostSensitiveClassifier(estimator, costs, calibration=calibration).fit(X, y)
    found = costs.total(truth, model.predict(new), classes)
    error = best.std(ddof=1) * np.sqrt(len(best))
    assert abs(found - best.sum()) <= STANDARD_ERRORS * error
    even = costs.total(truth, p.argmax(axis=1), classes)
    assert found < even - 5 * error  # the best decisions of one who does not look at the costs


def test_decisions_by_enumeration():
    X, y, _ = known.three_classes(300, 0)
    labels = np.array(["cold", "flu", "pneumonia"])
    costs = Costs.matrix(DISEASES.table([0, 1, 2]), labels)
    model = CostSensitiveClassifier(quick(), costs).fit(X, labels[y])
    table, p = costs.table(labels), model.predict_proba(X)
    expected = np.array([[sum(q[t] * table[t, d] for t in range(3)) for d in range(3)] for q in p])
    np.testing.assert_allclose(model.expected_cost(X), expected)
    np.testing.assert_array_equal(model.predict(X), labels[expected.argmin(axis=1)])
    np.testing.assert_array_equal(model.decision_function(X), -model.expected_cost(X))


@pytest.mark.parametrize("pos_label", ["no", "yes"])
def test_two_classes_are_parted_at_the_threshold_of_the_costs(pos_label):
    X, y = small(300)
    model = CostSensitiveClassifier(quick(), UNEVEN, pos_label=pos_label)
    model.fit(X, np.where(y == 1, "yes", "no"))
    positive = int(pos_label == "yes")
    alarm = model.predict_proba(X)[:, positive] > UNEVEN.threshold()
    np.testing.assert_array_equal(model.predict(X) == pos_label, alarm)
    np.testing.assert_array_equal(model.decision_function(X) > 0, model.predict(X) == "yes")


def test_probabilities_are_those_of_scikit_learn():
    X, y = small(300)
    for method in ("sigmoid", "isotonic"):
        model = CostSensitiveClassifier(quick(), UNEVEN, calibration=method, cv=3).fit(X, y)
        twin = CalibratedClassifierCV(quick(), method=method, cv=3, ensemble=False).fit(X, y)
        np.testing.assert_array_equal(model.predict_proba(X), twin.predict_proba(X))
    own = CostSensitiveClassifier(quick(), UNEVEN, calibration=None).fit(X, y)
    np.testing.assert_array_equal(own.predict_proba(X), quick().fit(X, y).predict_proba(X))
    np.testing.assert_array_equal(
        model.estimator_.decision_function(X), quick().fit(X, y).decision_function(X)
    )


def test_adamec_is_calibrated_adaboost():
    X, y = small(300)
    baseline = CalibratedAdaMECClassifier(UNEVEN, n_estimators=5, learner="discrete").fit(X, y)
    same = CostSensitiveClassifier(quick(learner="discrete"), UNEVEN).fit(X, y)
    np.testing.assert_array_equal(baseline.predict_proba(X), same.predict_proba(X))
    np.testing.assert_array_equal(baseline.predict(X), same.predict(X))
    assert "estimator" not in baseline.get_params()
    assert repr(clone(baseline)) == (
        "CalibratedAdaMECClassifier(costs=Costs(fn=5, fp=1), learner='discrete',\n"
        "                           n_estimators=5)"
    )


def test_without_an_estimator_it_is_adaboost_and_without_costs_the_most_probable_class():
    X, y = small()
    model = CostSensitiveClassifier(calibration=None).fit(X, y)
    twin = AdaBoostClassifier().fit(X, y)
    np.testing.assert_array_equal(model.predict_proba(X), twin.predict_proba(X))
    np.testing.assert_array_equal(model.predict(X), twin.predict(X))
    assert model.estimator is None
    assert model.costs is None


def test_costs_of_the_examples_to_decide_about():
    X, y = small()
    model = CostSensitiveClassifier(quick()).fit(X, y)
    amounts = np.random.default_rng(0).uniform(0.5, 30.0, len(X))
    own = Costs(fn=amounts, fp=2)
    p = model.predict_proba(X)[:, 1]
    expected = np.column_stack([amounts * p, 2.0 * (1.0 - p)])
    np.testing.assert_allclose(model.expected_cost(X, own), expected)
    np.testing.assert_array_equal(model.predict(X, costs=own), expected.argmin(axis=1))
    one = model.predict(X[7:8], costs=own.take([7]))
    assert one[0] == expected[7].argmin()
    with pytest.raises(ValueError, match="there are costs for 120 examples, but 7 examples"):
        model.predict(X[:7], costs=own)
    with pytest.raises(ValueError, match="pass the costs of the rows to predict"):
        CostSensitiveClassifier(quick(), own).fit(X, y)


def test_weights_go_to_the_folds_and_to_the_calibration():
    X, y = small(200)
    weight = np.random.default_rng(1).integers(1, 5, len(y)).astype(float)
    model = CostSensitiveClassifier(quick(), cv=3).fit(X, y, sample_weight=weight)
    twin = CalibratedClassifierCV(quick(), cv=3, ensemble=False).fit(X, y, sample_weight=weight)
    np.testing.assert_array_equal(model.predict_proba(X), twin.predict_proba(X))
    own = CostSensitiveClassifier(quick(), calibration=None).fit(X, y, weight)
    np.testing.assert_array_equal(
        own.decision_function(X) > 0, quick().fit(X, y, sample_weight=weight).predict(X) == 1
    )


def test_other_metadata_goes_to_the_estimator_and_is_cut_to_its_folds():
    X, y = small(200)
    initial = np.random.default_rng(1).uniform(1, 3, len(y))
    booster = AdaBoostAClassifier(n_estimators=5)
    model = CostSensitiveClassifier(booster, cv=3).fit(X, y, initial_weight=initial)
    twin = CalibratedClassifierCV(booster, cv=3, ensemble=False).fit(X, y, initial_weight=initial)
    np.testing.assert_array_equal(model.predict_proba(X), twin.predict_proba(X))
    own = Costs(fn=initial, fp=1)
    model.fit(X, y, costs=own)
    alone = clone(booster).fit(X, y, costs=own)
    np.testing.assert_array_equal(model.estimator_.decision_function(X), alone.decision_function(X))


@each_booster
@pytest.mark.filterwarnings("ignore:beta")
@lopsided
@unfinished
def test_every_booster(booster):
    X, y = learnable(booster)
    model = CostSensitiveClassifier(make(booster, n_estimators=10), UNEVEN, cv=3).fit(X, y)
    even = model.predict(X, costs=Costs(1, 1))
    assert (even == y).mean() > 0.7
    assert (model.predict(X) >= even).all()
    own = clone(model).set_params(calibration=None)
    if booster in EXPONENTIAL:
        assert own.fit(X, y).predict_proba(X).shape == (len(X), 2)
    else:
        with pytest.raises(ValueError, match="has no predict_proba: set calibration="):
            own.fit(X, y)


@pytest.mark.parametrize(
    "estimator",
    [
        LinearSVC(),
        GaussianNB(),
        KNeighborsClassifier(),
        make_pipeline(StandardScaler(), LogisticRegression()),
        GridSearchCV(LogisticRegression(), {"C": [0.1, 1.0]}, cv=2),
    ],
    ids=lambda estimator: type(estimator).__name__,
)
def test_other_classifiers(estimator):
    X, y = small()
    model = CostSensitiveClassifier(estimator, UNEVEN, cv=3).fit(X, y)
    assert (model.predict(X, costs=Costs(1, 1)) == y).mean() > 0.7
    assert model.n_features_in_ == 4


@pytest.mark.parametrize("form", [pd.DataFrame, sp.csr_array, Table.from_data])
def test_data_of_every_kind(form):
    X, y = small()
    model = CostSensitiveClassifier(quick(), UNEVEN, cv=3).fit(form(X), y)
    twin = CostSensitiveClassifier(quick(), UNEVEN, cv=3).fit(X, y)
    np.testing.assert_array_equal(model.predict_proba(form(X)), twin.predict_proba(X))


def test_folds_of_small_classes():
    X, y = small()
    rows = np.concatenate([np.flatnonzero(y == 0), np.flatnonzero(y == 1)[:3]])
    with pytest.warns(UnderdogWarning, match="class 1 has 3 examples: cv=5 is reduced to 3") as log:
        model = CostSensitiveClassifier(quick()).fit(X[rows], y[rows])
    assert log[0].filename == __file__
    twin = CostSensitiveClassifier(quick(), cv=3).fit(X[rows], y[rows])
    np.testing.assert_array_equal(model.predict_proba(X), twin.predict_proba(X))
    message = (
        "class 1 has a single example, which cannot be in both training and test folds: add "
        "examples of this class, or set calibration=None"
    )
    with pytest.raises(ValueError, match=re.escape(message)):
        CostSensitiveClassifier(quick()).fit(X[rows[:-2]], y[rows[:-2]])
    CostSensitiveClassifier(quick(), calibration=None).fit(X[rows[:-2]], y[rows[:-2]])


def test_folds_of_ones_own():
    X, y = small()
    splitter = StratifiedKFold(3, shuffle=True, random_state=0)
    models = [
        CostSensitiveClassifier(quick(), cv=cv).fit(X, y)
        for cv in (splitter, list(splitter.split(X, y)))
    ]
    np.testing.assert_array_equal(models[0].predict_proba(X), models[1].predict_proba(X))
    CostSensitiveClassifier(quick(), cv=KFold(3)).fit(X, y)


def test_pickle_clone_and_parameters():
    X, y = small()
    model = CostSensitiveClassifier(quick(), UNEVEN, cv=3).fit(X, y)
    again = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(again.predict(X), model.predict(X))
    copy = clone(model)
    assert copy.costs == UNEVEN
    assert not hasattr(copy, "estimator_")
    copy.set_params(estimator__n_estimators=2, costs=Costs(2, 1))
    assert copy.fit(X, y).estimator_.n_iter_ == 2
    assert model.estimator.n_estimators == 5


def test_grid_search_over_costs_and_insides():
    X, y = small()
    grid = {"costs": [Costs(5, 1), Costs(1, 5)], "estimator__n_estimators": [2, 6]}
    search = GridSearchCV(CostSensitiveClassifier(quick(), cv=2), grid, cv=3, error_score="raise")
    search.fit(X, y)
    assert len(search.cv_results_["params"]) == 4
    assert search.best_estimator_.costs in grid["costs"]
    scores = cross_val_score(search.best_estimator_, X, y, cv=3, scoring="roc_auc")
    assert scores.mean() > 0.7


@pytest.mark.parametrize(
    ("parameters", "kind", "message"),
    [
        ({"calibration": "platt"}, ValueError, "calibration='platt' must be 'sigmoid' or"),
        ({"calibration": False}, ValueError, "calibration=False must be 'sigmoid' or 'isotonic'"),
        ({"cv": 1}, ValueError, "cv=1 must be a whole number, at least 2"),
        ({"cv": "prefit"}, ValueError, "cv='prefit' must be a whole number"),
        ({"cv": None}, ValueError, "cv=None must be a whole number"),
        ({"costs": 20}, TypeError, "costs=20 must be a Costs object, such as Costs(fn=20, fp=1)"),
        ({"costs": {"fn": 2}}, TypeError, "costs={'fn': 2} must be a Costs"),
        (
            {"costs": DISEASES},
            ValueError,
            "there are costs for classes [2], but the data only has [0, 1]",
        ),
        ({"pos_label": "yes"}, ValueError, "pos_label='yes' is not a class of y"),
        ({"estimator": 5}, ValueError, "estimator=5 must be a classifier object"),
        ({"estimator": AdaBoostClassifier}, ValueError, "must be a classifier object"),
        ({"n_jobs": 1.5}, ValueError, "n_jobs=1.5 must be a whole number"),
        (
            {"estimator": LPBoostClassifier(), "calibration": None},
            ValueError,
            "LPBoostClassifier has no predict_proba: set calibration='sigmoid'",
        ),
    ],
)
def test_parameters_that_make_no_sense(parameters, kind, message):
    X, y = small()
    with pytest.raises(kind, match=re.escape(message)):
        CostSensitiveClassifier(**{"estimator": quick(), **parameters}).fit(X, y)


def test_targets_that_do_not_fit():
    X, y = small()
    model = CostSensitiveClassifier(quick(), UNEVEN)
    for target, message in (
        (np.zeros(120, dtype=int), "class"),
        (np.arange(120) % 3, r"Costs\(fn, fp\) is for two classes, but there are 3"),
        (np.eye(2, dtype=int)[y], "predicts one class per row, but y is an indicator matrix"),
        (y[:-1], "inconsistent numbers of samples"),
        (X[:, 0] + 0.01, "Unknown label type: continuous"),
    ):
        with pytest.raises(ValueError, match=message):
            model.fit(X, target)
    with pytest.raises(NotFittedError):
        clone(model).predict(X)
    with pytest.raises(ValueError, match="no mistake costs more than the correct"):
        CostSensitiveClassifier(quick(), Costs(0, 0), calibration=None).fit(X, y).predict(X)
