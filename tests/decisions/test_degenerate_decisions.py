"""Classes that are missing or alone, and costs that are no costs: decided, and clear."""

import re

import numpy as np
import pytest
from sklearn.model_selection import KFold, cross_val_score

from tests.estimators.small import EXPONENTIAL, each_booster, lopsided, unfinished
from underdog import (
    AdaBoostAClassifier,
    AdaBoostClassifier,
    AdaBoostMHClassifier,
    CalibratedAdaMECClassifier,
    Costs,
    CostSensitiveClassifier,
    ThresholdClassifier,
    compare,
)
from underdog.decisions.scoring import cost_scorer

DECIDERS = [CostSensitiveClassifier, CalibratedAdaMECClassifier, ThresholdClassifier]
ALONE = "class 1 has a single example, which cannot be in both training and test folds: add"
ONE_CLASS = "the training data has only one class, 0 (rows of weight 0 are ignored)"
EQUAL = Costs.matrix(1.0 - np.eye(3), [0, 1, 2])


def numbers(rows=60):
    return np.random.default_rng(0).normal(size=(rows, 3))


def one_positive(rows=60):
    X, y = numbers(rows), np.zeros(rows, dtype=int)
    y[np.argmax(X[:, 0])] = 1
    return X, y


def halves():
    """Two classes, and folds to learn from that have only one of them."""
    y = np.repeat([0, 1], 30)
    return numbers(), y, [(np.arange(30), np.arange(30, 60)), (np.arange(30, 60), np.arange(30))]


def three():
    """Three classes, and folds of which one is all of class 2, and none of the others is."""
    y = np.repeat([0, 1, 0, 1, 2], 12)
    return numbers(), y, list(KFold(5).split(y))


def quick(**parameters):
    return AdaBoostClassifier(n_estimators=3, **parameters)


@each_booster
@pytest.mark.filterwarnings("ignore:beta", "ignore:.*no positive soft margin")
@lopsided
@unfinished
def test_one_positive_in_all(booster):
    X, y = one_positive()
    model = booster(n_estimators=5).fit(X, y)
    assert set(model.predict(X)) <= {0, 1}
    if booster in EXPONENTIAL:
        probability = model.set_params(class_weight="balanced").fit(X, y).predict_proba(X)[:, 1]
        assert np.argmax(probability) == np.argmax(y)
        assert (probability > 0.0).all()
        assert (probability < 1.0).all()


@pytest.mark.parametrize("decider", DECIDERS)
def test_one_positive_cannot_be_held_out(decider):
    X, y = one_positive()
    with pytest.raises(ValueError, match=re.escape(ALONE)):
        decider().fit(X, y)


def test_one_positive_decided_about_without_calibration():
    X, y = one_positive()
    model = CostSensitiveClassifier(quick(), Costs(fn=20, fp=1), calibration=None).fit(X, y)
    assert model.predict(X)[np.argmax(y)] == 1


def test_one_positive_cannot_be_compared_on():
    with pytest.raises(ValueError, match=re.escape(ALONE)):
        compare(*one_positive(), ["AdaBoost"])


@pytest.mark.parametrize("decider", [CostSensitiveClassifier, ThresholdClassifier])
def test_folds_with_one_of_two_classes(decider):
    X, y, splits = halves()
    with pytest.raises(ValueError, match=re.escape(ONE_CLASS)):
        decider(quick(), cv=splits).fit(X, y)


def test_booster_and_scorer_in_folds_with_one_of_two_classes():
    X, y, splits = halves()
    scorer = cost_scorer(Costs(20, 1))
    with pytest.raises(ValueError, match=re.escape(ONE_CLASS)):
        cross_val_score(quick(), X, y, cv=splits, scoring=scorer, error_score="raise")


def test_comparison_on_folds_with_one_of_two_classes():
    X, y, splits = halves()
    found = compare(X, y, [quick()], costs=Costs(20, 1), cv=splits)
    assert all("the training data has only one class" in e for e in found.results["error"])


def test_comparison_on_folds_that_lack_one_of_three_classes():
    """A class that was not learned is never decided for, and costs what the mistakes cost."""
    X, y, splits = three()
    found = compare(X, y, [AdaBoostMHClassifier(n_estimators=3)], costs=EQUAL, cv=splits)
    assert not any(found.results["error"])
    assert found.results["cost"][-1] == 1.0


def test_costs_of_a_class_that_a_fold_lacks():
    """A booster with costs by name is told which class is not there."""
    X, y, splits = three()
    with pytest.raises(
        ValueError, match=re.escape("there are costs for classes [2], but the data")
    ):
        cross_val_score(AdaBoostMHClassifier(costs=EQUAL), X, y, cv=splits, error_score="raise")


@pytest.mark.filterwarnings("ignore:Number of classes in training fold")
def test_calibration_on_folds_that_lack_one_of_three_classes():
    X, y, splits = three()
    with pytest.raises(ValueError, match="use a cross-validation technique resulting in properly"):
        CostSensitiveClassifier(quick(), EQUAL, cv=splits).fit(X, y)


@pytest.mark.parametrize(
    ("costs", "message"),
    [
        (Costs(0, 0), "no mistake costs more than the correct"),
        (
            Costs.matrix(1.0 - np.eye(2), [0, 7]),
            "classes [1] have no costs: there are costs only for [0, 7]",
        ),
        (EQUAL, "there are costs for classes [2], but the data only has [0, 1]"),
    ],
    ids=["none", "unknown class", "unseen class"],
)
def test_costs_that_are_none_or_of_other_classes(costs, message):
    X, y, _ = halves()
    fitted = quick().fit(X, y)
    calls = [
        lambda: CostSensitiveClassifier(quick(), costs, cv=2).fit(X, y).predict(X),
        lambda: ThresholdClassifier(quick(), costs, cv=2).fit(X, y),
        lambda: compare(X, y, ["AdaBoost"], costs=costs),
        lambda: cost_scorer(costs)(fitted, X, y),
    ]
    for call in calls:
        with pytest.raises(ValueError, match=re.escape(message)):
            call()


@pytest.mark.parametrize(
    ("weight", "message"),
    [
        (0.0, "is 0 in row 3: it must be positive"),
        (-1.0, "Negative values in {name}: -1 in row 3"),
        (np.inf, "{name} contains infinity"),
        (np.nan, "{name} contains NaN"),
    ],
)
@pytest.mark.parametrize("name", ["cost", "initial_weight"])
def test_prices_of_examples_that_make_no_sense(name, weight, message):
    X, y, _ = halves()
    given = np.ones(len(y))
    given[3] = weight
    with pytest.raises(ValueError, match=re.escape(message.format(name=name))):
        AdaBoostAClassifier().fit(X, y, **{name: given})


@pytest.mark.parametrize("weight", [0.0, -1.0, np.inf, np.nan])
def test_class_weights_that_make_no_sense(weight):
    X, y, _ = halves()
    with pytest.raises(ValueError, match="has a weight that is not positive and finite"):
        quick(class_weight={0: 1.0, 1: weight}).fit(X, y)
