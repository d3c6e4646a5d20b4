"""What each booster does with costs."""

import numpy as np
import pytest

from tests.estimators.small import each_booster, each_corrective, learnable, make, unfinished
from underdog import (
    AdaBoostAClassifier,
    AdaBoostClassifier,
    AdaBoostMHClassifier,
    AdaUBoostClassifier,
    Costs,
    ERLPBoostClassifier,
    LPBoostClassifier,
    LPUBoostClassifier,
)

COSTS = Costs(fn=6, fp=2)
UNEVEN = (AdaUBoostClassifier, LPUBoostClassifier, ERLPBoostClassifier)
PLAIN = (AdaBoostClassifier, AdaBoostMHClassifier)


@pytest.fixture
def data():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((200, 4))
    y = np.where(X[:, 0] + 0.7 * X[:, 1] + rng.standard_normal(200) > 1, "bad", "good")
    return X, y


def scores(model, X):
    return model.decision_function(X)


@pytest.mark.parametrize("booster", PLAIN)
@pytest.mark.parametrize("pos_label", ["bad", "good"])
def test_costs_of_classes_are_class_weights(booster, pos_label, data):
    X, y = data
    other = "good" if pos_label == "bad" else "bad"
    costly = booster(costs=COSTS, pos_label=pos_label, n_estimators=20).fit(X, y)
    weights = {pos_label: 1.0, other: 2 / 6}
    weighted = booster(class_weight=weights, pos_label=pos_label, n_estimators=20).fit(X, y)
    np.testing.assert_allclose(scores(costly, X), scores(weighted, X), rtol=0, atol=1e-9)
    np.testing.assert_allclose(costly.predict_proba(X), weighted.predict_proba(X), atol=1e-9)


@pytest.mark.parametrize("booster", UNEVEN)
def test_uneven_boosters_take_beta_from_costs(booster, data):
    X, y = data
    costly = make(booster, costs=Costs(fn=7, fp=2, tp=-1), pos_label="bad").fit(X, y)
    told = make(booster, beta=4.0, pos_label="bad").fit(X, y)
    np.testing.assert_array_equal(scores(costly, X), scores(told, X))


def test_adaboost_a_takes_costs_as_p(data):
    X, y = data
    costly = AdaBoostAClassifier(costs=COSTS, pos_label="bad", initial="uniform").fit(X, y)
    told = AdaBoostAClassifier(pos_label="bad", initial="uniform")
    told.fit(X, y, cost=np.where(y == "bad", 6, 2))
    np.testing.assert_array_equal(scores(costly, X), scores(told, X))
    np.testing.assert_array_equal(costly.predict_proba(X), told.predict_proba(X))


def test_lpboost_with_costs_is_lpuboost(data):
    """Slack that costs three times as much, whether by weights or by beta."""
    X, y = data
    costly = LPBoostClassifier(costs=COSTS, nu=0.3, pos_label="bad", learner="disc.lp").fit(X, y)
    share = np.mean(y == "bad")
    even = 1 / (1 + 2 * share)  # weights that sum to one make nu smaller by as much
    told = LPUBoostClassifier(beta=3, nu=0.3 / even, pos_label="bad", learner="disc.lp").fit(X, y)
    margin = costly.certificate_["soft_margin"]
    assert margin == pytest.approx(told.certificate_["soft_margin"], abs=2e-2)


@unfinished
@each_booster
def test_any_multiple_of_costs_gives_the_same_bits(booster):
    X, y = learnable(booster)
    models = [
        make(booster, costs=Costs(fn=6 * k, fp=2 * k, tn=-k), n_estimators=5).fit(X, y)
        for k in (1, 3, 0.1)
    ]
    for other in models[1:]:
        np.testing.assert_array_equal(scores(models[0], X), scores(other, X))


def test_more_classes_weigh_by_the_mean_of_their_mistakes():
    rng = np.random.default_rng(1)
    X = rng.standard_normal((150, 3))
    y = np.digitize(X[:, 0] + 0.5 * rng.standard_normal(150), [-0.5, 0.5])
    costs = Costs.matrix([[0, 1, 3], [4, 0, 4], [1, 1, 0]], classes=[0, 1, 2])
    costly = AdaBoostMHClassifier(costs=costs, n_estimators=15).fit(X, y)
    weighted = AdaBoostMHClassifier(class_weight={0: 0.5, 1: 1.0, 2: 0.25}, n_estimators=15)
    weighted.fit(X, y)
    np.testing.assert_allclose(scores(costly, X), scores(weighted, X), rtol=0, atol=1e-9)


def test_costs_of_examples_are_weights_of_examples(data):
    X, y = data
    rng = np.random.default_rng(3)
    amounts = rng.integers(1, 9, len(y)).astype(float)
    costs = Costs(fn=amounts, fp=2)
    price = np.where(y == "bad", amounts, 2)
    model = AdaBoostClassifier(pos_label="bad", n_estimators=10).fit(X, y, costs=costs)
    told = AdaBoostAClassifier(pos_label="bad", learner="real", n_estimators=10)
    told.fit(X, y, cost=price)
    np.testing.assert_array_equal(scores(model, X), scores(told, X))


def test_costs_of_examples_follow_their_rows(data):
    """Rows of weight 0 are dropped, and rows for validation held out, with their costs."""
    X, y = data
    amounts = np.random.default_rng(3).integers(1, 9, len(y)).astype(float)
    keep = np.arange(len(y)) % 3 > 0
    costs = Costs(fn=amounts, fp=2)
    some = AdaBoostClassifier(pos_label="bad").fit(X[keep], y[keep], costs=costs.take(keep))
    all_ = AdaBoostClassifier(pos_label="bad")
    all_.fit(X, y, sample_weight=keep.astype(float), costs=costs)
    np.testing.assert_array_equal(scores(some, X), scores(all_, X))
    early = AdaBoostClassifier(pos_label="bad", early_stopping=True, random_state=0)
    assert early.fit(X, y, costs=costs).n_iter_ >= 1


def test_probabilities_are_corrected_for_costs():
    """One cell with a known share of positives, whatever mistakes cost."""
    X, y = np.zeros((1000, 1)), (np.arange(1000) < 130).astype(int)
    X[:5] = 1.0
    for costs in (Costs(fn=50, fp=1), Costs(fn=1, fp=9), Costs(fn=20, fp=1, tp=-5)):
        model = AdaBoostClassifier(costs=costs, n_estimators=20).fit(X, y)
        assert model.predict_proba([[0.0]])[0, 1] == pytest.approx(125 / 995, abs=2e-3)


@unfinished
@each_corrective
def test_no_probabilities_with_costs_either(booster, data):
    X, y = data
    model = make(booster, costs=COSTS, pos_label="bad").fit(X, y)
    assert not hasattr(model, "predict_proba")


@each_booster
@pytest.mark.parametrize(
    ("costs", "error", "message"),
    [
        ({"fn": 2, "fp": 1}, TypeError, "must be a Costs object, such as"),
        (3.0, TypeError, "must be a Costs"),
        (Costs(fn=0, fp=1), ValueError, "costs? nothing|must cost more than 0"),
        (Costs.matrix({"a": {"b": 1}, "b": {"a": 1}}), ValueError, "class|ratio"),
    ],
)
def test_costs_that_are_refused(booster, costs, error, message):
    X, y = learnable(booster)
    with pytest.raises(error, match=message):
        make(booster, costs=costs).fit(X, y)


def test_costs_beside_which_others_are_nothing(data):
    X, y = data
    with pytest.raises(ValueError, match="the smallest is rounded to 0"):
        AdaBoostClassifier(costs=Costs(fn=1e200, fp=1e-200)).fit(X, y)


def test_costs_given_twice_or_for_other_rows(data):
    X, y = data
    with pytest.raises(ValueError, match="given both to the constructor and to fit"):
        AdaBoostClassifier(costs=COSTS).fit(X, y, costs=COSTS)
    with pytest.raises(ValueError, match="costs were given for 5 examples, but X has 200 rows"):
        AdaBoostClassifier().fit(X, y, costs=Costs(fn=np.ones(5), fp=1))
    with pytest.raises(ValueError, match="both cost and costs"):
        AdaBoostAClassifier(costs=COSTS).fit(X, y, cost=np.ones(200))
    for booster in UNEVEN:
        with pytest.raises(ValueError, match="one beta for all examples"):
            booster(pos_label="bad").fit(X, y, costs=Costs(fn=np.ones(200), fp=1))
