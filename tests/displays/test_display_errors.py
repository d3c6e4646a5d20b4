"""What no display can draw, and what it says then."""

import re
import sys

import numpy as np
import pytest
from sklearn.ensemble import VotingClassifier
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.svm import LinearSVC

from underdog import (
    AdaBoostClassifier,
    AdaBoostMHClassifier,
    CostCurveDisplay,
    Costs,
    GradientBoostingRegressor,
    LPBoostClassifier,
    MarginDisplay,
    NotConverged,
    PrecisionRecallPointDisplay,
    ReliabilityDisplay,
)

COSTS = {"costs": Costs(fn=3, fp=1)}
EACH = pytest.mark.parametrize(
    ("display", "more"),
    [
        (PrecisionRecallPointDisplay, {}),
        (CostCurveDisplay, COSTS),
        (ReliabilityDisplay, {}),
        (MarginDisplay, {}),
    ],
)


@EACH
def test_no_matplotlib(display, more, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(ImportError, match=rf"{display.__name__}\.plot needs matplotlib: pip"):
        display.from_predictions([0, 1], [0.1, 0.9], **more)


@EACH
def test_predictions_that_are_none_of_two_classes(display, more):
    for y, scores, options, message in (
        ([0, 1, 2], [0.1, 0.2, 0.3], {}, "y has 3 classes, but the display is of two"),
        ([1, 1, 1], [0.1, 0.2, 0.3], {}, "y has only one class ([1])"),
        ([[0, 1], [1, 1]], [0.1, 0.2], {}, "y is an indicator matrix"),
        ([0, 1], [[0.9, 0.1], [0.2, 0.8]], {}, "scores have the shape (2, 2)"),
        ([0, 1], [0.1, 0.2, 0.3], {}, "inconsistent numbers of samples"),
        ([0, 1], [0.1, np.nan], {}, "scores contains NaN"),
        ([0, 1], [0.1, 0.2], {"pos_label": 7}, "pos_label=7 is not one of the classes [0, 1]"),
    ):
        with pytest.raises(ValueError, match=re.escape(message)):
            display.from_predictions(y, scores, **more, **options)


@EACH
def test_estimators_of_more_than_two_classes(display, more, data):
    X, _ = data
    three = np.arange(300) % 3
    model = AdaBoostClassifier(n_estimators=2).fit(X, three)
    with pytest.raises(ValueError, match="AdaBoostClassifier was fitted with 3 classes"):
        display.from_estimator(model, X, three, **more)


@EACH
@pytest.mark.parametrize("n_labels", [2, 3])
def test_estimators_of_several_labels(display, more, data, n_labels):
    """Two labels are not two classes."""
    X, _ = data
    Y = (X[:, :n_labels] > 0).astype(int)
    model = AdaBoostMHClassifier(n_estimators=4).fit(X, Y)
    message = "AdaBoostMHClassifier was fitted with an indicator matrix of several labels"
    for y in (Y, Y[:, 0]):
        with pytest.raises(ValueError, match=message):
            display.from_estimator(model, X, y, **more)
    scores = 1 / (1 + np.exp(-model.decision_function(X)))
    display.from_predictions(Y[:, 1], scores[:, 1], **more)  # what the message says to do
    if n_labels == 2 and display is not MarginDisplay:  # which is of boosters alone
        with pytest.raises(ValueError, match="Pipeline was fitted with an indicator matrix"):
            display.from_estimator(make_pipeline(model), X, Y[:, 0], **more)


@EACH
def test_regressors(display, more, data):
    X, _ = data
    y = X[:, 0]
    model = GradientBoostingRegressor(n_estimators=2).fit(X, y)
    message = (
        "GradientBoostingRegressor predicts numbers, not classes: use ResidualDisplay, or "
        "QuantileCalibrationDisplay for quantiles"
    )
    with pytest.raises(ValueError, match=message):
        display.from_estimator(model, X, y, **more)


@EACH
def test_estimators_that_are_not_fitted(display, more, data):
    with pytest.raises(NotFittedError):
        display.from_estimator(AdaBoostClassifier(), *data, **more)


@pytest.mark.parametrize(
    ("display", "more"),
    [(PrecisionRecallPointDisplay, {}), (CostCurveDisplay, COSTS), (ReliabilityDisplay, {})],
)
def test_estimators_and_data_that_do_not_fit(display, more, data, logistic):
    X, y = data
    silent = VotingClassifier([("one", LogisticRegression())]).fit(X, y)
    for estimator, labels, message in (
        (silent, y, "VotingClassifier has no "),
        (LinearRegression().fit(X, y), y, "LinearRegression predicts numbers, not classes: use"),
        (logistic, np.ones(300, dtype=int), "y has only one class"),
        (logistic, y + 1, "y has the labels [2], but LogisticRegression was fitted with [0, 1]"),
    ):
        with pytest.raises(ValueError, match=re.escape(message)):
            display.from_estimator(estimator, X, labels, **more)


def test_reliability_is_of_probabilities(data):
    X, y = data
    with pytest.warns(NotConverged):  # two rounds are not enough
        margins_only = LPBoostClassifier(n_estimators=2).fit(X, y)
    for model in (LinearSVC().fit(X, y), margins_only):
        message = f"{type(model).__name__} has no predict_proba: wrap it in sklearn.calibration"
        with pytest.raises(ValueError, match=message):
            ReliabilityDisplay.from_estimator(model, X, y)
    for scores, options, message in (
        ([-0.5, 1.5], {}, "scores are from -0.5 to 1.5, but probabilities are between 0 and 1"),
        ([0.1, 0.9], {"n_bins": 0}, "n_bins=0 must be a whole number"),
        ([0.1, 0.9], {"strategy": "kmeans"}, "strategy='kmeans' must be 'quantile' or 'uniform'"),
        ([0.1, 0.9], {"confidence": 1.0}, "confidence=1.0 must be a number between 0 and 1"),
    ):
        with pytest.raises(ValueError, match=re.escape(message)):
            ReliabilityDisplay.from_predictions([0, 1], scores, **options)


def test_costs_of_other_examples(data, logistic):
    others = Costs(fn=np.ones(7), fp=1)
    with pytest.raises(ValueError, match="there are costs for 7 examples, but 300 examples"):
        CostCurveDisplay.from_estimator(logistic, *data, others)
    with pytest.raises(TypeError, match="costs=3 must be Costs"):
        CostCurveDisplay.from_predictions([0, 1], [0.1, 0.9], 3)


def test_thresholds_that_are_no_numbers():
    with pytest.raises(ValueError, match="threshold='half' must be a number"):
        PrecisionRecallPointDisplay.from_predictions([0, 1], [0.1, 0.9], threshold="half")


def test_margins_are_of_boosters_and_of_a_scale(data, logistic):
    with pytest.raises(TypeError, match="which is not a booster of underdog"):
        MarginDisplay.from_estimator(logistic, *data)
    with pytest.raises(ValueError, match="a score has the size 3, above scale=2"):
        MarginDisplay.from_predictions([0, 1], [-1.0, 3.0], scale=2.0)
