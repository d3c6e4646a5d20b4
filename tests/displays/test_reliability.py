"""The bins are scikit-learn's; intervals are Wilson's; the histogram is of all probabilities."""

import matplotlib.pyplot as plt
import numpy as np
import pytest
from sklearn.calibration import calibration_curve

from underdog import ReliabilityDisplay


def wilson(share, count, z=1.959963984540054):
    """Wilson 1927."""
    middle = (share + z**2 / (2 * count)) / (1 + z**2 / count)
    half = z / (1 + z**2 / count) * np.sqrt(share * (1 - share) / count + (z / count) ** 2 / 4)
    return np.column_stack([middle - half, middle + half])


@pytest.mark.parametrize("strategy", ["uniform", "quantile"])
def test_the_curve_is_that_of_scikit_learn(data, logistic, strategy):
    X, y = data
    display = ReliabilityDisplay.from_estimator(logistic, X, y, n_bins=7, strategy=strategy)
    probabilities = logistic.predict_proba(X)[:, 1]
    shares, predicted = calibration_curve(y, probabilities, n_bins=7, strategy=strategy)
    np.testing.assert_allclose(display.line_.get_xdata(), predicted)
    np.testing.assert_allclose(display.line_.get_ydata(), shares)
    assert display.counts.sum() == 300
    np.testing.assert_allclose(display.intervals, wilson(shares, display.counts), atol=1e-12)
    (lines,) = display.ax_.collections  # the error bars
    ends = np.array([segment[:, 1] for segment in lines.get_segments()])
    np.testing.assert_allclose(ends, display.intervals, atol=1e-12)


@pytest.mark.parametrize("strategy", ["uniform", "quantile"])
def test_the_histogram_shows_where_the_probabilities_are(strategy):
    """Whatever the bins of the curve are."""
    y, probabilities = [0, 0, 1, 1, 0, 1], [0.05, 0.07, 0.2, 0.7, 0.71, 1.0]
    display = ReliabilityDisplay.from_predictions(y, probabilities, n_bins=2, strategy=strategy)
    (bars,) = display.counts_ax_.patches
    counts, edges, _ = bars.get_data()
    np.testing.assert_array_equal(counts, np.histogram(probabilities, edges)[0])
    np.testing.assert_allclose(edges, np.linspace(0, 1, len(edges)))
    assert counts.sum() == 6
    assert display.counts_ax_.get_yscale() == "linear"


def test_a_few_among_many_can_be_seen():
    probabilities = np.repeat([0.01, 0.5, 0.9], [5000, 2, 3])
    display = ReliabilityDisplay.from_predictions(probabilities > 0.4, probabilities)
    assert display.counts_ax_.get_yscale() == "log"
    assert 0 < display.counts_ax_.get_ylim()[0] < 1


def test_a_wider_confidence_and_another_class():
    y, probabilities = ["no", "yes", "yes", "no"], [0.9, 0.2, 0.4, 0.6]
    one, other = (
        ReliabilityDisplay.from_predictions(
            y, probabilities, n_bins=1, pos_label="no", confidence=confidence
        )
        for confidence in (0.5, 0.99)
    )
    assert one.shares.tolist() == [0.5]
    assert other.intervals[0, 0] < one.intervals[0, 0] < 0.5 < one.intervals[0, 1]
    assert one.ax_.get_ylabel() == "share of class 'no'"


def test_several_share_axes_and_the_diagonal():
    _, (left, right) = plt.subplots(1, 2)
    first = ReliabilityDisplay.from_predictions([0, 1], [0.2, 0.8], ax=right, name="one")
    second = ReliabilityDisplay.from_predictions(
        [0, 1], [0.1, 0.6], ax=right, name="two", bars=False
    )
    assert second.ax_ is first.ax_ is right
    assert second.counts_ax_ is None
    assert first.counts_ax_.get_xlabel() == "probability of class 1"
    assert right.get_xlabel() == ""
    assert first.counts_ax_.get_position().y1 <= right.get_position().y0
    assert first.counts_ax_.get_position().x0 > left.get_position().x1
    labels = [text.get_text() for text in right.get_legend().get_texts()]
    assert sorted(labels) == ["one", "perfect", "two"]


def test_axes_that_cannot_be_parted():
    ax = plt.figure().add_axes((0.1, 0.1, 0.8, 0.8))
    with pytest.raises(ValueError, match="ax was not created by subplots"):
        ReliabilityDisplay.from_predictions([0, 1], [0.2, 0.8], ax=ax)
    ReliabilityDisplay.from_predictions([0, 1], [0.2, 0.8], ax=ax, bars=False)
    assert ax.get_xlabel() == "probability of class 1"
