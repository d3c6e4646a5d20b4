"""Thresholds are chosen on scores of examples that were held out, and nothing else."""

import pickle
import re

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import f1_score, fbeta_score, precision_score, recall_score
from sklearn.model_selection import GridSearchCV, StratifiedKFold, cross_val_predict
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier

from tests.decisions import known
from tests.estimators.small import EXPONENTIAL, each_booster, learnable, lopsided, make, unfinished
from underdog import (
    AdaBoostAClassifier,
    AdaBoostClassifier,
    AdaUBoostClassifier,
    Costs,
    CostSensitiveClassifier,
    Table,
    ThresholdClassifier,
    UnderdogWarning,
)

STANDARD_ERRORS = 2.0
"""How far from the cost of the best decisions the cost of a model's decisions may be."""


def small(rows=200):
    X, y, _ = known.two_classes(rows, 0, base=-1.0)
    return X, y


def quick(**parameters):
    return AdaBoostClassifier(n_estimators=5, **parameters)


def chosen(model):
    """The row of the curve at the threshold."""
    place = list(model.curve_["threshold"]).index(model.threshold_)
    return {name: values[place] for name, values in model.curve_.items()}


def goodness(choose, positive, alarm):
    """What the rule makes largest, by scikit-learn's metrics."""
    if isinstance(choose, Costs):
        return -choose.total(positive.astype(int), alarm.astype(int), [0, 1])
    if choose == "f1":
        return f1_score(positive, alarm)
    name, number = choose
    if name == "fbeta":
        return fbeta_score(positive, alarm, beta=number)
    if name == "alarms":
        allowed = number * len(alarm) if isinstance(number, float) else number
        return alarm.sum() if alarm.sum() <= allowed else -1
    precision = precision_score(positive, alarm, zero_division=0)
    recall = recall_score(positive, alarm)
    if name == "precision":
        return recall if precision >= number else -1
    return precision if recall >= number else -1


RULES = ["f1", ("fbeta", 2), ("precision", 0.6), ("recall", 0.8), ("alarms", 30), ("alarms", 0.1)]


@pytest.mark.parametrize("pos_label", [0, 1])
@pytest.mark.parametrize("choose", [*RULES, Costs(fn=3, fp=1)], ids=str)
def test_the_threshold_is_the_best_on_held_out_scores(choose, pos_label):
    X, y = small()
    model = ThresholdClassifier(quick(), choose, pos_label=pos_label, cv=4).fit(X, y)
    scores = cross_val_predict(quick(), X, y, cv=4, method="decision_function")
    scores = scores if pos_label else -scores
    positive = y == pos_label
    levels = np.unique(scores)
    tried = [np.inf, *((levels[1:] + levels[:-1]) / 2)[::-1], -np.inf]
    values = [goodness(choose, positive, scores > threshold) for threshold in tried]
    best = next(i for i, value in enumerate(values) if value >= max(values) - 1e-12)
    assert model.threshold_ == pytest.approx(tried[best])
    alarm = scores > model.threshold_
    assert chosen(model)["alarms"] == alarm.sum()
    assert chosen(model)["tp"] == (alarm & positive).sum()


def test_the_final_model_is_that_of_all_data():
    X, y = small()
    model = ThresholdClassifier(quick()).fit(X, y)
    alone = quick().fit(X, y)
    np.testing.assert_allclose(
        model.decision_function(X), alone.decision_function(X) - model.threshold_
    )
    np.testing.assert_array_equal(model.predict_proba(X), alone.predict_proba(X))
    np.testing.assert_array_equal(model.predict(X), alone.decision_function(X) > model.threshold_)


def test_training_scores_would_promise_too_much():
    """A tree that knows its training data by heart has no mistakes there; held out it has."""
    X, y = small()
    X = np.column_stack([X, np.arange(len(y))])  # so that no two rows are the same
    tree = DecisionTreeClassifier(random_state=0)
    assert tree.fit(X, y).score(X, y) == 1.0
    model = ThresholdClassifier(tree, "f1").fit(X, y)
    assert chosen(model)["fp"] > 0


def test_alarms_are_kept_within_sampling_error_on_new_data():
    X, y, _ = known.rare(4000, 0)
    new, _, _ = known.rare(4000, 1)
    model = ThresholdClassifier(LogisticRegression(), ("alarms", 0.03)).fit(X, y)
    share = chosen(model)["alarms"] / 4000
    assert 0.02 < share <= 0.03
    error = np.sqrt(2 * share * (1 - share) / 4000)  # of a difference of two samples
    assert abs((model.predict(new) == 1).mean() - share) <= 3 * error


@pytest.mark.parametrize("estimator", [AdaBoostClassifier(n_estimators=40), LogisticRegression()])
@pytest.mark.parametrize(
    ("data", "costs"),
    [(known.two_classes, Costs(fn=5, fp=1)), (known.rare, Costs(fn=20, fp=1))],
    ids=["1:1", "1:20"],
)
def test_cost_is_within_sampling_error_of_the_least(data, costs, estimator):
    X, y, _ = data(4000, 0)
    new, truth, p = data(4000, 1)
    best = costs.each(truth, costs.decide(p, [0, 1]), [0, 1])
    model = ThresholdClassifier(estimator, costs).fit(X, y)
    found = costs.total(truth, model.predict(new), [0, 1])
    error = best.std(ddof=1) * np.sqrt(len(best))
    assert abs(found - best.sum()) <= STANDARD_ERRORS * error


def test_costs_of_single_training_examples():
    X, y = small()
    amounts = np.random.default_rng(0).uniform(0.5, 30.0, len(y))
    model = ThresholdClassifier(quick(), Costs(fn=amounts, fp=2)).fit(X, y)
    scores = cross_val_predict(quick(), X, y, cv=5, method="decision_function")
    alarm = scores > model.threshold_
    spent = amounts[(y == 1) & ~alarm].sum() + 2 * ((y == 0) & alarm).sum()
    assert chosen(model)["cost"] == pytest.approx(spent)
    assert spent == pytest.approx(model.curve_["cost"].min())
    message = "choose has costs for 200 examples, but X has 100 rows: they must be the same"
    with pytest.raises(ValueError, match=message):
        clone(model).fit(X[:100], y[:100])
    search = GridSearchCV(model, {"cv": [2, 3]}, cv=2, error_score="raise")
    with pytest.raises(ValueError, match="In a search or a cross-validation they are not"):
        search.fit(X, y)


def test_costs_by_name_are_those_by_kind():
    X, y = small()
    names = np.array(["ham", "spam"])
    named = Costs.matrix({"ham": {"spam": 1}, "spam": {"ham": 4}})
    by_name = ThresholdClassifier(quick(), named).fit(X, names[y])
    by_kind = ThresholdClassifier(quick(), Costs(fn=4, fp=1)).fit(X, names[y])
    assert by_name.threshold_ == by_kind.threshold_
    other = ThresholdClassifier(quick(), named, pos_label="ham").fit(X, names[y])
    assert other.threshold_ == pytest.approx(-by_name.threshold_)


def test_weights_count_examples():
    X, y = small()
    weight = np.random.default_rng(1).integers(1, 4, len(y)).astype(float)
    model = ThresholdClassifier(quick(), ("recall", 0.7), cv=3).fit(X, y, sample_weight=weight)
    scores = cross_val_predict(
        quick(), X, y, cv=3, method="decision_function", params={"sample_weight": weight}
    )
    alarm = scores > model.threshold_
    assert chosen(model)["alarms"] == weight[alarm].sum()
    assert chosen(model)["recall"] == recall_score(y, alarm, sample_weight=weight)
    np.testing.assert_array_equal(
        model.predict_proba(X), quick().fit(X, y, sample_weight=weight).predict_proba(X)
    )


def test_other_metadata_goes_to_the_estimator_and_is_cut_to_its_folds():
    X, y = small()
    initial = np.random.default_rng(1).uniform(1, 3, len(y))
    booster = AdaBoostAClassifier(n_estimators=5)
    model = ThresholdClassifier(booster, cv=3).fit(X, y, initial_weight=initial)
    scores = cross_val_predict(
        booster, X, y, cv=3, method="decision_function", params={"initial_weight": initial}
    )
    assert chosen(model)["alarms"] == (scores > model.threshold_).sum()
    model.fit(X, y, costs=Costs(fn=initial, fp=1))


@each_booster
@pytest.mark.filterwarnings("ignore:beta")
@lopsided
@unfinished
def test_every_booster(booster):
    X, y = learnable(booster)
    model = ThresholdClassifier(make(booster, n_estimators=10), ("recall", 0.8), cv=3).fit(X, y)
    assert recall_score(y, model.predict(X)) > 0.6
    assert hasattr(model, "predict_proba") == (booster in EXPONENTIAL)


@pytest.mark.parametrize(
    "estimator",
    [
        LinearSVC(),
        GaussianNB(),
        make_pipeline(StandardScaler(), LogisticRegression()),
        CostSensitiveClassifier(LogisticRegression(), cv=2),
    ],
    ids=lambda estimator: type(estimator).__name__,
)
def test_other_classifiers(estimator):
    X, y = small()
    names = np.array(["bad", "good"])[y]
    model = ThresholdClassifier(estimator, ("precision", 0.5), pos_label="bad", cv=3).fit(X, names)
    assert precision_score(names, model.predict(X), pos_label="bad") > 0.5
    assert hasattr(model, "predict_proba") == hasattr(estimator, "predict_proba")


@pytest.mark.parametrize("form", [pd.DataFrame, sp.csr_array, Table.from_data])
def test_data_of_every_kind(form):
    X, y = small()
    model = ThresholdClassifier(quick(), cv=3).fit(form(X), y)
    twin = ThresholdClassifier(quick(), cv=3).fit(X, y)
    assert model.threshold_ == twin.threshold_
    np.testing.assert_array_equal(model.decision_function(form(X)), twin.decision_function(X))


class SinglePrecision(GaussianNB):
    """Probabilities in single precision, as some libraries give them."""

    def predict_proba(self, X):
        return super().predict_proba(X).astype(np.float32)


def test_scores_in_single_precision():
    X, y = small()
    model = ThresholdClassifier(SinglePrecision(), ("recall", 0.8)).fit(X, y)
    scores = cross_val_predict(SinglePrecision(), X, y, cv=5, method="predict_proba")[:, 1]
    assert chosen(model)["alarms"] == (scores.astype(float) > model.threshold_).sum()
    assert model.decision_function(X).dtype == np.float64


def test_always_and_never():
    X, y = small()
    for choose, share, decided in ((("alarms", 1.0), "every", 1), (Costs(0, 1), "no", 0)):
        with pytest.warns(UnderdogWarning, match=f", {share} example is predicted to be 1"):
            model = ThresholdClassifier(quick(), choose).fit(X, y)
        assert np.isinf(model.threshold_)
        assert (model.predict(X) == decided).all()
        assert np.isfinite(model.decision_function(X)).all()
    with pytest.raises(ValueError, match="no mistake costs more than the correct"):
        ThresholdClassifier(quick(), Costs(0, 0)).fit(X, y)


def test_a_precision_out_of_reach():
    X, y = small()
    rng = np.random.default_rng(0)
    with pytest.warns(
        UnderdogWarning, match="no threshold reaches an out-of-fold precision"
    ) as log:
        ThresholdClassifier(quick(), ("precision", 1.0)).fit(rng.normal(size=X.shape), y)
    assert log[0].filename == __file__


def test_folds_of_small_classes():
    X, y = small()
    rows = np.concatenate([np.flatnonzero(y == 0), np.flatnonzero(y == 1)[:3]])
    with pytest.warns(UnderdogWarning, match="class 1 has 3 examples: cv=5 is reduced to 3"):
        ThresholdClassifier(quick()).fit(X[rows], y[rows])
    with pytest.raises(
        ValueError, match=r"class 1 has a single example.*: add examples of this class"
    ):
        ThresholdClassifier(quick()).fit(X[rows[:-2]], y[rows[:-2]])
    splitter = StratifiedKFold(3, shuffle=True, random_state=0)
    models = [
        ThresholdClassifier(quick(), cv=cv).fit(X, y)
        for cv in (splitter, list(splitter.split(X, y)))
    ]
    assert models[0].threshold_ == models[1].threshold_


def test_pickle_clone_and_grid_search():
    X, y = small()
    model = ThresholdClassifier(quick(), ("recall", 0.9), cv=3).fit(X, y)
    again = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(again.decision_function(X), model.decision_function(X))
    assert clone(model).choose == ("recall", 0.9)
    grid = {"choose": ["f1", ("recall", 0.5), Costs(2, 1)], "estimator__n_estimators": [2, 6]}
    search = GridSearchCV(
        ThresholdClassifier(quick(), cv=2), grid, cv=3, scoring="f1", error_score="raise"
    ).fit(X, y)
    assert search.best_params_["choose"] in grid["choose"]


def test_what_it_cannot_do():
    X, y = small()
    for parameters, target, message in (
        ({}, np.arange(200) % 3, "Only binary classification is supported. The type of the target"),
        ({}, np.zeros(200, dtype=int), "class"),
        ({"choose": "accuracy"}, y, "choose='accuracy' must be 'f1', ('fbeta', b)"),
        ({"pos_label": 7}, y, "pos_label=7 is not a class of y"),
        ({"cv": 1}, y, "cv=1 must be a whole number, at least 2"),
        ({"estimator": LogisticRegression}, y, "must be a classifier object"),
        ({"estimator": StandardScaler()}, y, "has neither decision_function nor predict_proba"),
        ({"choose": Costs.matrix([[0, 1], [1, 0]], "ab")}, y, "classes [0, 1] have no costs"),
    ):
        with pytest.raises(ValueError, match=re.escape(message)):
            ThresholdClassifier(**{"estimator": quick(), **parameters}).fit(X, target)


@pytest.mark.parametrize("decider", [ThresholdClassifier, CostSensitiveClassifier])
def test_estimators_that_name_a_class_work_in_folds(decider):
    """scikit-learn numbers the classes of folds; the estimator still finds the one it names."""
    rng = np.random.default_rng(0)
    X = rng.standard_normal((300, 3))
    y = np.where(X[:, 0] + rng.standard_normal(300) > 1, "bad", "good")
    numbers = np.where(y == "bad", 0, 1)
    named = decider(AdaUBoostClassifier(pos_label="bad", n_estimators=10), pos_label="bad")
    numbered = decider(AdaUBoostClassifier(pos_label=0, n_estimators=10), pos_label=0)
    named.fit(X, y)
    numbered.fit(X, numbers)
    np.testing.assert_array_equal(named.predict(X) == "bad", numbered.predict(X) == 0)
    assert named.estimator_.classes_.tolist() == ["bad", "good"]
    weighted = AdaBoostClassifier(class_weight={"bad": 3, "good": 1}, n_estimators=5)
    assert set(decider(weighted).fit(X, y).predict(X)) == {"bad", "good"}
