"""Probabilities: the loss's own link, corrected for weights and costs."""

import pickle
import re

import numpy as np
import pytest
from sklearn.metrics import roc_auc_score

from tests.estimators.small import (
    EXPONENTIAL,
    each_booster,
    each_exponential,
    learnable,
    make,
    noisy,
    stages,
    three_classes,
    two_kinds,
    unfinished,
)
from underdog import (
    AdaBoostAClassifier,
    AdaBoostClassifier,
    AdaBoostMHClassifier,
    AdaUBoostClassifier,
    BoostingClassifier,
    Costs,
    LPUBoostClassifier,
    UnderdogWarning,
)
from underdog.losses import Exponential


def cells(shares, rows=1000):
    """One column of as many values as rows of `shares`; in each the classes have these shares."""
    X, y = [], []
    for value, share in enumerate(shares):
        for label, encoded in enumerate(share):
            count = round(encoded * rows)
            X += [[float(value)]] * count
            y += [label] * count
    return np.array(X), np.array(y)


TWO_CELLS = [(0.8, 0.2), (0.35, 0.65)]


@pytest.mark.parametrize(
    "model",
    [
        AdaBoostClassifier(),
        AdaBoostClassifier(class_weight={0: 1, 1: 7}),
        AdaBoostClassifier(class_weight="balanced"),
        AdaBoostClassifier(class_weight={0: 1, 1: 7}, pos_label=0),
        AdaBoostMHClassifier(class_weight={0: 4}),
        AdaUBoostClassifier(beta=8.0),
        AdaUBoostClassifier(beta=8.0, pos_label=0),
        AdaUBoostClassifier(beta=0.3),
        AdaUBoostClassifier(beta=8.0, class_weight={0: 1, 1: 5}),
        AdaBoostAClassifier(learner="real", class_weight={0: 1, 1: 7}),
    ],
    ids=lambda model: repr(model)[:70],
)
@pytest.mark.parametrize("rounds", [1, 40])
def test_probabilities_are_those_of_the_data(model, rounds):
    """A cell with p = .2 says .2, whatever the classes weigh."""
    X, y = cells(TWO_CELLS)
    model = pickle.loads(pickle.dumps(model)).set_params(n_estimators=rounds).fit(X, y)
    found = model.predict_proba([[0.0], [1.0]])[:, 1]
    np.testing.assert_allclose(found, [0.2, 0.65], atol=0.012)  # smoothing


@pytest.mark.parametrize("rounds", [1, 60])
@pytest.mark.parametrize("pos_label", [0, 1])
def test_probabilities_are_corrected_for_costs(rounds, pos_label):
    X, y = cells(TWO_CELLS)
    model = AdaBoostAClassifier(learner="real", pos_label=pos_label, n_estimators=rounds)
    model.fit(X, y, cost=np.where(y == 1, 6.0, 1.5))
    found = model.predict_proba([[0.0], [1.0]])[:, 1]
    np.testing.assert_allclose(found, [0.2, 0.65], atol=0.02)


@pytest.mark.parametrize("class_weight", [None, {0: 1, 1: 2, 2: 9}, "balanced"])
def test_probabilities_of_several_classes(class_weight):
    shares = [(0.5, 0.3, 0.2), (0.1, 0.1, 0.8)]
    X, y = cells(shares)
    model = AdaBoostMHClassifier(class_weight=class_weight, n_estimators=1).fit(X, y)
    np.testing.assert_allclose(model.predict_proba([[0.0], [1.0]]), shares, atol=0.012)


def test_sample_weights_are_the_data():
    """They count examples, so the probability follows them."""
    X, y = cells(TWO_CELLS)
    model = AdaBoostClassifier(n_estimators=1).fit(X, y, sample_weight=np.where(y == 1, 4.0, 1.0))
    assert model.predict_proba([[0.0]])[0, 1] == pytest.approx(0.5, abs=0.005)


@each_exponential
@two_kinds
def test_labels_are_the_likeliest_without_weights(booster, learner):
    X, y = noisy()
    model = booster(learner=learner, n_estimators=15).fit(X, y)
    likeliest = model.classes_[np.argmax(model.predict_proba(X), axis=1)]
    np.testing.assert_array_equal(model.predict(X), likeliest)


def test_labels_are_the_likeliest_of_several():
    X, y = three_classes()
    for booster in (AdaBoostClassifier, AdaBoostMHClassifier, BoostingClassifier):
        model = booster(n_estimators=15).fit(X, y)
        probability = model.predict_proba(X)
        np.testing.assert_allclose(probability.sum(axis=1), 1.0)
        np.testing.assert_array_equal(model.predict(X), np.argmax(probability, axis=1))


@each_booster
@pytest.mark.parametrize("pos_label", ["no", "yes"])
@pytest.mark.filterwarnings("ignore:beta")
@unfinished
def test_a_positive_score_always_means_the_last_class(booster, pos_label):
    X, y = learnable(booster)
    labels = np.where(y == 1, "yes", "no")
    # With beta for the larger class a larger nu has its optimum at three rules.
    own = {"nu": 0.5} if booster is LPUBoostClassifier else {}
    model = make(booster, n_estimators=15, pos_label=pos_label, **own).fit(X, labels)
    scores = model.decision_function(X)
    np.testing.assert_array_equal(model.predict(X), np.where(scores > 0, "yes", "no"))
    if booster in EXPONENTIAL:
        np.testing.assert_array_equal(model.predict_proba(X)[:, 1] > 0.5, scores > 0)
    assert roc_auc_score(y, scores) > 0.8
    np.testing.assert_array_equal(stages(model, X)[-1], scores)


@pytest.mark.parametrize("learner", ["real", "real.mh", "real.lp"])
@pytest.mark.parametrize("booster", [AdaBoostClassifier, AdaBoostAClassifier])
def test_even_boosters_do_not_care_which_class_is_positive(booster, learner):
    X, y = noisy()
    models = [booster(learner=learner, pos_label=label, n_estimators=15) for label in (0, 1)]
    scores = [model.fit(X, y).decision_function(X) for model in models]
    np.testing.assert_array_equal(scores[0], scores[1])


def test_beta_that_favours_the_larger_class():
    X, y = noisy()
    labels = np.where(y == 1, "a rare one", "most")
    share = f"{(y == 0).mean():.0%}"
    message = (
        f"beta=4 favours the positive class 'most', which is the larger class ({share} of the "
        "examples): set pos_label to the rare class"
    )
    with pytest.warns(UnderdogWarning, match=re.escape(message)) as caught:
        AdaUBoostClassifier(beta=4, n_estimators=2).fit(X, labels)
    assert len(caught) == 1
    assert caught[0].filename == __file__


@pytest.mark.parametrize(
    ("model", "given", "reason"),
    [
        (AdaBoostClassifier(costs=Costs(fn=4, fp=1)), False, "costs=Costs(fn=4, fp=1)"),
        (AdaBoostAClassifier(costs=Costs(fn=4, fp=1)), False, "the cost"),
        (AdaBoostAClassifier(), True, "the cost"),
        (AdaUBoostClassifier(beta=1, costs=Costs(fn=4, fp=1)), False, "costs=Costs(fn=4, fp=1)"),
        (BoostingClassifier(loss=Exponential(beta=4.0)), False, "beta=4"),
    ],
)
def test_costs_that_favour_the_larger_class(model, given, reason):
    X, y = noisy()
    labels = np.where(y == 1, "a rare one", "most")
    cost = {"cost": np.where(y == 1, 1.0, 4.0)} if given else {}
    model.set_params(n_estimators=2)
    with pytest.warns(UnderdogWarning, match=re.escape(f"{reason} favours the positive")) as caught:
        model.fit(X, labels, **cost)
    assert len(caught) == 1
    model.set_params(pos_label="most").fit(X, labels, **cost)  # warnings are errors here


def test_beta_that_says_which_class_it_favours_is_quiet():
    """Warnings are errors here."""
    X, y = noisy()
    labels = np.where(y == 1, "a rare one", "most")
    for quiet in ({"pos_label": "a rare one"}, {"pos_label": "most"}, {"beta": 1.0}, {"beta": 0.5}):
        model = AdaUBoostClassifier(**{"beta": 4.0, "n_estimators": 2, **quiet}).fit(X, labels)
        assert model.n_iter_ == 2
