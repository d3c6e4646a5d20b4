"""The distribution is that of the margins, and the mark is the smallest one."""

import matplotlib.pyplot as plt
import numpy as np
import pytest

from underdog import AdaBoostClassifier, MarginDisplay
from underdog.games import margins


def votes():
    """The majority of three, as in `underdog.games.margins`."""
    X = np.array([[a, b, c] for a in (-1, 1) for b in (-1, 1) for c in (-1, 1)])
    return X, X.sum(axis=1) > 0


def check_drawn(display, expected):
    x, height = display.line_.get_data()
    np.testing.assert_allclose(x[1:], np.sort(expected), atol=1e-9)
    np.testing.assert_allclose(height, np.arange(len(expected) + 1) / len(expected))
    marks = [line for line in display.ax_.lines if line.get_marker() == "^"]
    assert marks[-1].get_xdata()[0] == display.minimum == pytest.approx(np.min(expected))


@pytest.mark.parametrize("pos_label", [False, True])
def test_margins_are_scores_by_the_sum_of_coefficients(pos_label):
    X, y = votes()
    model = AdaBoostClassifier(learner="discrete", n_estimators=5, pos_label=pos_label)
    model.fit(X, y)
    scale = sum(member.size for member in model.model_.members)
    side = np.where(y, 1, -1)
    expected = side * model.decision_function(X) / scale
    check_drawn(MarginDisplay.from_estimator(model, X, y), expected)
    given = MarginDisplay.from_predictions(y, model.decision_function(X), scale=scale)
    check_drawn(given, expected)
    turned = MarginDisplay.from_predictions(
        y, -model.decision_function(X), scale=scale, pos_label=False
    )
    check_drawn(turned, expected)


def test_several_boosters_share_axes(data):
    X, y = data
    _, ax = plt.subplots()
    for rounds in (2, 10):
        model = AdaBoostClassifier(n_estimators=rounds).fit(X, y)
        display = MarginDisplay.from_estimator(model, X, y, name=f"{rounds} rounds", ax=ax)
        check_drawn(display, margins(model, X, y).margins)
    labels = [text.get_text() for text in ax.get_legend().get_texts()]
    assert [label.split(" (")[0] for label in labels] == ["2 rounds", "10 rounds"]
    assert display.line_.get_label() == f"10 rounds (minimum {display.minimum:.3f})"


def test_no_game_is_solved(data, monkeypatch):
    """The best possible margins take a linear programme; a picture of those there are does not."""
    X, y = data
    model = AdaBoostClassifier(n_estimators=5).fit(X, y)
    monkeypatch.setattr("underdog.games.margin_report.solve_game", None)
    assert len(MarginDisplay.from_estimator(model, X, y).margins) == len(y)
    with pytest.raises(TypeError, match="not callable"):
        margins(model, X, y)


def test_a_single_class_of_the_data_has_margins():
    X, y = votes()
    model = AdaBoostClassifier(learner="discrete", n_estimators=3).fit(X, y)
    display = MarginDisplay.from_estimator(model, X[y], y[y])
    assert len(display.margins) == 4


@pytest.mark.parametrize(
    ("low", "high", "left", "right"),
    [(-0.1, 0.3, -0.1, 0.3), (0.1, 0.5, 0.0, 0.5), (0.4, 0.6, 0.4, 0.6), (-0.3, -0.2, -0.3, -0.2)],
)
def test_the_axis_fits_the_margins(low, high, left, right):
    """With 0, where that leaves no half empty."""
    display = MarginDisplay(np.linspace(low, high, 9)).plot()
    found = display.ax_.get_xlim()
    room = 0.05 * (right - left)
    assert left - room <= found[0] < left
    assert right < found[1] <= right + room
    wider = MarginDisplay(np.array([-0.9, 0.9])).plot(display.ax_).ax_.get_xlim()
    MarginDisplay(np.linspace(low, high, 9)).plot(display.ax_)
    assert display.ax_.get_xlim() == wider
    assert wider[0] < -0.9 < 0.9 < wider[1]


def test_a_single_margin():
    low, high = MarginDisplay(np.array([0.5, 0.5])).plot().ax_.get_xlim()
    assert low < 0.5 < high
