"""The scorer is minus the mean cost of the decisions, whoever decides."""

import pickle
import re

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, cross_val_score, cross_validate
from sklearn.multioutput import MultiOutputClassifier

from tests.decisions import known
from underdog import AdaBoostClassifier, AdaBoostMHClassifier, Costs, CostSensitiveClassifier
from underdog.decisions.scoring import cost_scorer

DISEASES = Costs.matrix(
    {"cold": {"flu": 1, "lung": 2}, "flu": {"cold": 4, "lung": 4}, "lung": {"cold": 10, "flu": 5}}
)


def rare(rows=600):
    X, y, _ = known.two_classes(rows, 0, base=-2.0)
    return X, np.where(y == 1, "bad", "good")


def diseases(rows=300):
    X, y, _ = known.three_classes(rows, 0)
    return X, np.array(["cold", "flu", "lung"])[y]


@pytest.mark.parametrize("pos_label", ["bad", "good"])
def test_two_classes(pos_label):
    X, y = rare()
    model = AdaBoostClassifier(n_estimators=5, class_weight={"bad": 3}).fit(X, y)
    decided = model.predict(X)
    missed = (y == pos_label) & (decided != pos_label)
    alarm = (y != pos_label) & (decided == pos_label)
    assert missed.any()
    assert alarm.any()
    scorer = cost_scorer(Costs(fn=7, fp=2), pos_label=pos_label)
    assert scorer(model, X, y) == pytest.approx(-(7 * missed + 2 * alarm).mean())
    weight = np.random.default_rng(0).uniform(size=len(y))
    found = scorer(model, X, y, sample_weight=weight)
    assert found == pytest.approx(-np.average(7 * missed + 2 * alarm, weights=weight))


def test_several_classes_by_name():
    X, y = diseases()
    model = AdaBoostClassifier(n_estimators=5).fit(X, y)
    table, names = DISEASES.table(["cold", "flu", "lung"]), ["cold", "flu", "lung"]
    pairs = zip(y, model.predict(X), strict=True)
    each = [table[names.index(true), names.index(decided)] for true, decided in pairs]
    assert cost_scorer(DISEASES)(model, X, y) == pytest.approx(-np.mean(each))


@pytest.mark.parametrize("n_jobs", [None, 2])
def test_search_over_the_parameters_of_a_booster(n_jobs):
    X, y = rare()
    booster = AdaBoostClassifier(pos_label="bad", n_estimators=10)
    scorer = cost_scorer(Costs(fn=20, fp=1), pos_label="bad")
    grid = {"class_weight": [{"bad": 1}, {"bad": 20}], "n_estimators": [2, 10]}
    search = GridSearchCV(booster, grid, scoring=scorer, cv=3, n_jobs=n_jobs).fit(X, y)
    assert search.best_params_["class_weight"] == {"bad": 20}
    expected = cross_val_score(search.best_estimator_, X, y, cv=3, scoring=scorer)
    assert search.best_score_ == pytest.approx(expected.mean())


def test_search_over_what_decides():
    X, y = diseases()
    model = CostSensitiveClassifier(AdaBoostClassifier(n_estimators=10), calibration=None)
    grid = {"costs": [None, DISEASES]}
    search = GridSearchCV(model, grid, scoring=cost_scorer(DISEASES), cv=3, error_score="raise")
    assert search.fit(X, y).best_params_ == {"costs": DISEASES}


def test_beside_other_measures_and_for_other_classifiers():
    X, y = rare()
    scoring = {"cost": cost_scorer(Costs(fn=7, fp=2), pos_label="bad"), "accuracy": "accuracy"}
    found = cross_validate(LogisticRegression(), X, y, cv=3, scoring=scoring)
    assert (found["test_cost"] < 0).all()


def test_a_class_that_a_fold_lacks():
    X, y = diseases()
    known_to_model = y != "lung"
    model = AdaBoostClassifier(n_estimators=5).fit(X[known_to_model], y[known_to_model])
    found = cost_scorer(DISEASES)(model, X[~known_to_model], y[~known_to_model])
    wrong = np.where(model.predict(X[~known_to_model]) == "cold", 10, 5)
    assert found == pytest.approx(-wrong.mean())
    complete = AdaBoostClassifier(n_estimators=5).fit(X, y)
    assert cost_scorer(DISEASES)(complete, X[:1], y[:1]) <= 0
    with pytest.raises(
        ValueError, match=re.escape("there are costs for classes ['lung'], but the data")
    ):
        cost_scorer(DISEASES)(model, X[known_to_model], y[known_to_model])


def test_text_and_copies():
    scorer = cost_scorer(Costs(fn=7, fp=2), pos_label="bad")
    assert repr(scorer) == "cost_scorer(Costs(fn=7, fp=2), pos_label='bad')"
    assert repr(cost_scorer(Costs(fn=7, fp=2))) == "cost_scorer(Costs(fn=7, fp=2))"
    X, y = rare()
    model = AdaBoostClassifier(n_estimators=5).fit(X, y)
    assert pickle.loads(pickle.dumps(scorer))(model, X, y) == scorer(model, X, y)


def test_what_it_refuses():
    X, y = rare()
    model = AdaBoostClassifier(n_estimators=2).fit(X, y)
    labels = np.column_stack([y == "bad", X[:, 0] > 0]).astype(int)
    several = AdaBoostMHClassifier(n_estimators=2).fit(X, labels)
    lists = MultiOutputClassifier(LogisticRegression()).fit(X, labels)
    for call, kind, message in (
        (lambda: cost_scorer(20), TypeError, "costs=20 must be a Costs object, such as"),
        (lambda: cost_scorer(Costs(fn=np.ones(5), fp=1)), ValueError, "does not know the"),
        (lambda: cost_scorer(Costs(0, 0)), ValueError, "no mistake costs more than the correct"),
        (lambda: cost_scorer(DISEASES)(model, X, y), ValueError, "classes ['bad', 'good'] have no"),
        (
            lambda: cost_scorer(Costs(1, 1), pos_label="ugly")(model, X, y),
            ValueError,
            "pos_label='ugly' is not a class of y",
        ),
        (
            lambda: cost_scorer(Costs(1, 1))(model, X, np.eye(2, dtype=int)[[0, 1] * 300]),
            ValueError,
            "costs are for one class per row",
        ),
        (
            lambda: cost_scorer(Costs(1, 1))(several, X, labels[:, 0]),
            ValueError,
            "predict of AdaBoostMHClassifier returns the shape (600, 2), but costs are for one",
        ),
        (
            lambda: cost_scorer(Costs(1, 1))(lists, X, labels[:, 0]),
            ValueError,
            "predict of MultiOutputClassifier returns the shape (600, 2)",
        ),
    ):
        with pytest.raises(kind, match=re.escape(message)):
            call()
