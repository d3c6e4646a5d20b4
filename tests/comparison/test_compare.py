import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from sklearn import metrics
from sklearn.linear_model import LogisticRegression
from sklearn.svm import LinearSVC

import underdog
from tests.comparison.recorder import SEEN, Recorder
from underdog import AdaBoostClassifier, Costs, Table, UnderdogWarning, compare
from underdog.comparison.models import usual_names
from underdog.comparison.problem import read_problem
from underdog.data.folds import FoldRows, make_folds

FEW = AdaBoostClassifier(n_estimators=5)


def folds_of(X, y, cv):
    return make_folds(cv, FoldRows(Table.from_data(X), y, True), 0)


def by_hand(data, model, cv=3):
    X, y = data
    for train, test in folds_of(X, y, cv):
        yield model.fit(X[train], y[train]), X[test], y[test]


def test_measures_are_those_of_sklearn(data):
    found = compare(*data, {"a": FEW}, cv=3).results
    for i, (model, X, y) in enumerate(by_hand(data, FEW)):
        scores, share = model.decision_function(X), model.predict_proba(X)
        expected = {
            "f1": metrics.f1_score(y, model.predict(X)),
            "average_precision": metrics.average_precision_score(y, scores),
            "roc_auc": metrics.roc_auc_score(y, scores),
            "brier": metrics.brier_score_loss(y, share[:, 1]),
            "log_loss": metrics.log_loss(y, share),
            "size": 5,
        }
        for name, value in expected.items():
            assert found[name][i] == pytest.approx(value), name
    assert np.isnan(found["cost"]).all()
    assert (found["fit_seconds"] > 0).all()


def test_positive_class_is_the_one_asked_for(data):
    found = compare(*data, [FEW], cv=3, pos_label=0).results
    for i, (model, X, y) in enumerate(by_hand(data, FEW)):
        assert found["f1"][i] == pytest.approx(metrics.f1_score(y, model.predict(X), pos_label=0))
        expected = metrics.average_precision_score(1 - y, -model.decision_function(X))
        assert found["average_precision"][i] == pytest.approx(expected)


def test_all_models_see_the_same_folds(data):
    compare(*data, {"a": Recorder("a"), "b": Recorder("b")}, cv=3)
    folds = {name: [rows for who, rows in SEEN if who == name] for name in "ab"}
    assert folds["a"] == folds["b"]
    assert len(folds["a"]) == 3


def test_processes_find_the_same(data):
    one, two = (compare(*data, [FEW, "logistic regression"], cv=2, n_jobs=n) for n in (1, 2))
    assert one.models == two.models
    np.testing.assert_array_equal(one.results["log_loss"], two.results["log_loss"])


def test_cost_is_of_decisions_of_least_expected_cost(data):
    costs = Costs(fn=7, fp=1)
    logistic = LogisticRegression()
    uneven = underdog.AdaUBoostClassifier(costs=costs, n_estimators=5)
    knows = underdog.AdaBoostClassifier(costs=costs, n_estimators=5)
    models = {"plain": logistic, "uneven": uneven, "knows": knows}
    found = compare(*data, models, costs=costs, cv=3)
    assert found.main_measure == "cost"
    for name in ("plain", "uneven"):
        own = found.results["cost"][found.results["model"] == name]
        for value, (model, X, y) in zip(own, by_hand(data, models[name]), strict=True):
            decided = costs.decide(model.predict_proba(X), [0, 1])
            assert value == pytest.approx(costs.total(y, decided, [0, 1]) / len(y))
    own = found.results["cost"][found.results["model"] == "knows"]
    for value, (model, X, y) in zip(own, by_hand(data, knows), strict=True):
        assert value == pytest.approx(costs.total(y, model.predict(X), [0, 1]) / len(y))


def test_costs_of_single_examples(data):
    X, y = data
    costs = Costs(fn=np.arange(150.0) + 1, fp=1)
    found = compare(X, y, ["CalibratedAdaMEC", "AdaUBoost", Recorder()], costs=costs, cv=2)
    assert np.isfinite(found.results["cost"]).all(), found
    test = folds_of(X, y, 2)[0][1]
    own = found.results["cost"][found.results["model"] == "Recorder"][0]
    decided = (X[test, 1] > 0).astype(int)
    assert own == pytest.approx(costs.take(test).total(y[test], decided, [0, 1]) / len(test))


def test_usual_models(data):
    problem = read_problem(*data, None, None)
    found = compare(*data, cv=2)
    assert sorted(found.models) == sorted(usual_names(problem))
    assert {"AdaBoost", "AdaUBoost", "LPUBoost", "GradientBoosting", "logistic regression"} < set(
        found.models
    )
    assert not any(found.results["error"]), found
    assert np.isnan(found.results["brier"][found.results["model"] == "LPUBoost"]).all()


def test_trees_are_left_out_where_columns_are_sparse(data):
    X, y = data
    three = np.digitize(X[:, 1], [-1.0, 0.5])
    for target in (y, three):
        assert "GradientBoosting" in usual_names(read_problem(X, target, None, None))
        sparse = read_problem(sp.csr_array(X), target, None, None)
        assert "GradientBoosting" not in usual_names(sparse)


def test_three_classes(data):
    X, _ = data
    y = np.array(["a", "b", "c"])[np.digitize(X[:, 1], [-1.0, 0.5])]
    found = compare(X, y, ["AdaBoostMH", LogisticRegression(max_iter=1000), LinearSVC()], cv=2)
    assert found.main_measure == "f1"
    train, test = folds_of(X, y, 2)[0]
    model = LogisticRegression(max_iter=1000).fit(X[train], y[train])
    share, which = model.predict_proba(X[test]), np.searchsorted(model.classes_, y[test])
    row = {name: values[1] for name, values in found.results.items()}
    assert row["model"] == "LogisticRegression"
    assert row["f1"] == pytest.approx(
        metrics.f1_score(y[test], model.predict(X[test]), average="macro")
    )
    assert row["roc_auc"] == pytest.approx(metrics.roc_auc_score(y[test], share, multi_class="ovr"))
    assert row["log_loss"] == pytest.approx(metrics.log_loss(y[test], share))
    assert row["brier"] == pytest.approx(((share - np.eye(3)[which]) ** 2).sum(axis=1).mean())


@pytest.mark.parametrize("form", [sp.csr_array, sp.coo_matrix])
def test_sparse(data, form):
    X, y = data
    X = np.where(X > 0, X, 0.0)
    names = ["AdaBoost", "logistic regression", "LightGBM"]
    found, dense = (compare(each, y, names, cv=2) for each in (form(X), X))
    assert not any(found.results["error"]), found
    first = found.results["model"] == "AdaBoost"
    np.testing.assert_array_equal(found.results["f1"][first], dense.results["f1"][first])


def test_baselines_take_categories_and_missing_values(data):
    X, y = data
    kind = np.where(X[:, 2] > 0, "up", "down")
    frame = pd.DataFrame({"size": np.where(X[:, 1] > 148, np.nan, X[:, 1]), "kind": kind})
    found = compare(frame, y, [FEW, "logistic regression", "LightGBM"], cv=2)
    assert len(found.models) == 3
    assert not any(found.results["error"]), found


def test_tables(data):
    X, y = data
    table = Table.hstack([X[:, 1:2], sp.csr_array(np.where(X[:, 2:] > 0, X[:, 2:], 0.0))])
    models = ["AdaBoost", "CalibratedAdaMEC", "logistic regression", LogisticRegression()]
    assert not any(compare(table, y, models, cv=2).results["error"])


def test_a_failing_model_does_not_stop_the_others(data):
    found = compare(*data, {"bad": Recorder(fails_without=0), "good": Recorder()}, cv=3)
    bad = found.results["model"] == "bad"
    assert sum(error != "" for error in found.results["error"][bad]) == 1
    assert not any(found.results["error"][~bad])
    line = "bad failed in 1 of 3 folds: RuntimeError: the row is not there"
    assert line in found.table().splitlines()
    never = compare(*data, {"bad": Recorder(fails_without=-1), "good": Recorder()}, cv=3)
    assert never.models == ["good", "bad"]
    assert "too few folds to find a difference" in never.statement()


def test_a_class_missing_from_a_fold_is_left_out_and_said(data):
    X, y = data
    negative, positive = np.flatnonzero(y == 0), np.flatnonzero(y == 1)
    rows = np.arange(len(y))
    tests = [negative[:20], np.append(negative[20:40], positive[:9])]
    folds = [(np.setdiff1d(rows, test), test) for test in tests]
    found = compare(X, y, {"a": FEW}, cv=folds)
    assert np.isnan(found.results["roc_auc"]).tolist() == [True, False]
    assert np.isfinite(found.results["brier"]).all()
    assert found.summary()["a"]["roc_auc"][0] == found.results["roc_auc"][1]
    assert "a: ROC AUC is not defined in 1 folds, which are left out" in found.table()


def test_fewer_folds_than_asked_for(data):
    X, y = data
    rows = np.append(np.flatnonzero(y == 0)[:40], np.flatnonzero(y == 1)[:3])
    with pytest.warns(UnderdogWarning, match="cv=5 is reduced to 3 folds"):
        found = compare(X[rows], y[rows], [FEW])
    assert set(found.results["fold"]) == {0, 1, 2}


@pytest.mark.parametrize(
    ("models", "message"),
    [
        ([], "models is empty"),
        (["AdaBost"], "no model 'AdaBost': use one of .*AdaBoost, .*logistic regression, LightGBM"),
        ([AdaBoostClassifier], "must be a name or a classifier object"),
    ],
)
def test_errors(data, models, message):
    with pytest.raises(ValueError, match=message):
        compare(*data, models)


def test_names_of_models(data):
    found = compare(*data, [FEW, FEW, "AdaBoostClassifier"], cv=2)
    assert set(found.results["model"]) == {"AdaBoost", "AdaBoost 2", "AdaBoostClassifier"}


def test_progress(data, capsys):
    compare(*data, [Recorder()], cv=2, verbose=1)
    assert "2/2 Recorder, fold 1, 0 s left" in capsys.readouterr().err
