"""The curve is scikit-learn's, and the point is what the estimator's decisions are."""

import re

import matplotlib.pyplot as plt
import numpy as np
import pytest
from sklearn.metrics import (
    average_precision_score,
    precision_recall_curve,
    precision_score,
    recall_score,
)
from sklearn.model_selection import FixedThresholdClassifier

from underdog import AdaBoostClassifier, PrecisionRecallPointDisplay, ThresholdClassifier


def marks(display):
    """Recall and precision of the points that are drawn."""
    points = [line for line in display.ax_.lines if line.get_marker() == "o"]
    return [tuple(np.ravel(line.get_data())) for line in points]


def check_decisions(display, y, decided, pos_label=1):
    expected = [score(y, decided, pos_label=pos_label) for score in (recall_score, precision_score)]
    assert display.point == pytest.approx(expected)
    assert marks(display) == [display.point]


def test_the_curve_is_that_of_scikit_learn(data, logistic):
    X, y = data
    display = PrecisionRecallPointDisplay.from_estimator(logistic, X, y)
    scores = logistic.decision_function(X)
    precision, recall, _ = precision_recall_curve(y, scores)
    np.testing.assert_allclose(display.line_.get_xdata()[1:], recall[-2::-1])
    np.testing.assert_allclose(display.line_.get_ydata()[1:], precision[-2::-1])
    average = average_precision_score(y, scores)
    assert display.average_precision == pytest.approx(average)
    assert display.line_.get_label() == f"LogisticRegression (AP = {average:.2f})"
    (chance,) = (line for line in display.ax_.lines if line.get_label() == "chance (0.20)")
    assert list(chance.get_ydata()) == [0.2, 0.2]
    assert display.threshold == 0.0
    check_decisions(display, y, logistic.predict(X))


def test_without_data_it_is_out_of_fold(data):
    X, y = data
    model = ThresholdClassifier(AdaBoostClassifier(n_estimators=10), ("recall", 0.9), cv=3)
    model.fit(X, y)
    display = PrecisionRecallPointDisplay.from_estimator(model)
    np.testing.assert_array_equal(display.line_.get_xdata()[1:], model.curve_["recall"][1:])
    np.testing.assert_array_equal(display.line_.get_ydata()[1:], model.curve_["precision"][1:])
    chosen = list(model.curve_["threshold"]).index(model.threshold_)
    assert display.threshold == model.threshold_
    assert marks(display) == [(model.curve_["recall"][chosen], model.curve_["precision"][chosen])]
    assert "out of fold" in display.line_.get_label()


@pytest.mark.parametrize("pos_label", [0, 1])
def test_with_data_it_is_where_the_estimator_decides(data, logistic, pos_label):
    X, y = data
    chosen = ThresholdClassifier(AdaBoostClassifier(n_estimators=10), cv=3, pos_label=1).fit(X, y)
    for model in (chosen, FixedThresholdClassifier(logistic, threshold=0.3).fit(X, y)):
        display = PrecisionRecallPointDisplay.from_estimator(model, X, y, pos_label=pos_label)
        check_decisions(display, y, model.predict(X), pos_label)
    display = PrecisionRecallPointDisplay.from_estimator(chosen, X, y)
    assert display.threshold == chosen.threshold_


def test_the_positive_class_is_the_estimators_own(data):
    X, y = data
    model = ThresholdClassifier(
        AdaBoostClassifier(n_estimators=5), ("recall", 0.7), cv=3, pos_label=0
    ).fit(X, y)
    display = PrecisionRecallPointDisplay.from_estimator(model, X, y)
    assert display.chance == pytest.approx(0.8)
    check_decisions(display, y, model.predict(X), pos_label=0)


def test_a_threshold_without_alarms_has_no_point():
    display = PrecisionRecallPointDisplay.from_predictions([0, 1], [0.2, 0.7], threshold=2)
    assert display.point is None
    assert marks(display) == []


def test_several_share_axes_and_chance():
    _, ax = plt.subplots()
    for name in ("one", "two"):
        display = PrecisionRecallPointDisplay.from_predictions(
            ["a", "b", "b"], [3, 1, 2], name=name, ax=ax, pos_label="a", color="red"
        )
        assert display.ax_ is ax
        assert display.figure_ is ax.figure
        assert display.line_.get_color() == "red"
    labels = [text.get_text() for text in ax.get_legend().get_texts()]
    assert labels == ["one (AP = 1.00)", "chance (0.33)", "two (AP = 1.00)"]


def test_what_there_is_no_curve_of(data, logistic):
    X, y = data
    model = ThresholdClassifier(AdaBoostClassifier(n_estimators=2), cv=3).fit(X, y)
    for estimator, options, message in (
        (logistic, {}, "LogisticRegression has no out-of-fold curve"),
        (logistic, {"X": X}, "give both X and y"),
        (model, {"pos_label": 0}, "pos_label=0 is not the positive class of the out-of-fold"),
    ):
        with pytest.raises(ValueError, match=re.escape(message)):
            PrecisionRecallPointDisplay.from_estimator(estimator, **options)
