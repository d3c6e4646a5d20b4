"""Each point of the curve is what decisions by its threshold cost."""

import numpy as np
import pytest
from sklearn.svm import LinearSVC

from underdog import (
    AdaBoostClassifier,
    CostCurveDisplay,
    Costs,
    CostSensitiveClassifier,
    ThresholdClassifier,
)


def drawn(display, what):
    """The line whose label begins with this."""
    (line,) = (line for line in display.ax_.lines if line.get_label().startswith(what))
    return line


def mean_cost(y, alarm, fn, fp):
    return float(np.mean(np.where(y == 1, fn * ~alarm, fp * alarm)))


@pytest.mark.parametrize("own", [False, True])
def test_every_cost_is_that_of_the_decisions(data, logistic, own):
    X, y = data
    rng = np.random.default_rng(0)
    fn, fp = (rng.integers(1, 9, 300), rng.integers(1, 3, 300)) if own else (6, 1)
    display = CostCurveDisplay.from_estimator(logistic, X, y, Costs(fn=fn, fp=fp))
    scores = logistic.predict_proba(X)[:, 1]
    thresholds, costs = display.line_.get_data()
    assert len(thresholds) == len(np.unique(scores)) + 1
    expected = [mean_cost(y, scores > threshold, fn, fp) for threshold in thresholds]
    np.testing.assert_allclose(costs, expected)
    assert drawn(display, "cheapest").get_ydata()[0] == pytest.approx(min(expected))
    assert drawn(display, "cheapest").get_xdata()[0] == thresholds[np.argmin(expected)]
    assert drawn(display, "in use").get_xdata()[0] == 0.5
    used = mean_cost(y, logistic.predict(X) == 1, fn, fp)
    assert drawn(display, "in use").get_ydata()[0] == pytest.approx(used)
    never, always = np.mean(fn * (y == 1)), np.mean(fp * (y == 0))
    np.testing.assert_allclose(drawn(display, "never").get_ydata(), never)
    np.testing.assert_allclose(drawn(display, "always").get_ydata(), always)
    assert (display.never, display.always) == pytest.approx((never, always))
    assert display.ax_.get_xlabel() == "threshold on the probability of class 1"


def test_scores_where_there_are_no_probabilities(data):
    X, y = data
    display = CostCurveDisplay.from_estimator(LinearSVC().fit(X, y), X, y, Costs(5, 1))
    assert display.used[0] == 0.0
    assert display.ax_.get_xlabel() == "threshold on the score of class 1"


@pytest.mark.parametrize("pos_label", [0, 1])
def test_the_threshold_in_use_is_found_from_decisions(data, pos_label):
    """Decisions by costs are not made at a probability of one half."""
    X, y = data
    costs = Costs(fn=9, fp=1)
    model = CostSensitiveClassifier(
        AdaBoostClassifier(n_estimators=10), costs, pos_label=pos_label
    ).fit(X, y)
    display = CostCurveDisplay.from_estimator(model, X, y, costs)
    assert display.pos_label == pos_label
    probabilities = model.predict_proba(X)[:, pos_label]
    alarm = model.predict(X) == pos_label
    np.testing.assert_array_equal(probabilities > display.used[0], alarm)
    assert display.used[1] == pytest.approx(mean_cost(y == pos_label, alarm, 9, 1))


def test_decisions_without_a_single_threshold_have_no_mark(data):
    X, y = data

    class Fickle(AdaBoostClassifier):
        def predict(self, X):
            return np.arange(len(X)) % 2

    display = CostCurveDisplay.from_estimator(Fickle(n_estimators=3).fit(X, y), X, y, Costs(2, 1))
    assert display.used is None


@pytest.mark.filterwarnings("ignore:with choose=")
@pytest.mark.parametrize(("costs", "infinite"), [(Costs(1, 999), np.inf), (Costs(999, 1), -np.inf)])
def test_an_infinite_threshold_is_at_the_end(data, costs, infinite):
    X, y = np.zeros((300, 1)), data[1]
    model = ThresholdClassifier(AdaBoostClassifier(n_estimators=2), costs, cv=3).fit(X, y)
    display = CostCurveDisplay.from_estimator(model, X, y, costs)
    assert display.used[0] == infinite
    assert display.used[1] == (display.never if infinite > 0 else display.always)
    assert drawn(display, "in use").get_xdata()[0] == display.thresholds[0 if infinite > 0 else -1]


def test_named_costs_and_a_given_threshold():
    costs = Costs.matrix({"ham": {"spam": 10}, "spam": {"ham": 1}})
    display = CostCurveDisplay.from_predictions(
        ["ham", "spam", "spam", "ham"], [0.1, 0.9, 0.6, 0.7], costs, threshold=0.65
    )
    assert display.mean_costs.tolist() == [0.5, 0.25, 2.75, 2.5, 5.0]
    assert display.best == pytest.approx((0.8, 0.25))
    assert display.used == (0.65, 2.75)
