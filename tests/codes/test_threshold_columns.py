"""Real-valued targets as columns of y > s."""

import numpy as np
import pytest

from underdog.codes import ThresholdColumns
from underdog.codes.thresholds import ThresholdLabels, quantiles
from underdog.files import BadFile, Fields

BETWEEN = np.array([[1.0, 2.0], [2.0, 4.0]])


def test_thresholds_are_quantiles():
    y = np.random.default_rng(0).normal(size=99)
    labels = ThresholdColumns(4).fit(y)
    wanted = np.quantile(y, [0.2, 0.4, 0.6, 0.8], method="inverted_cdf")
    assert labels.thresholds.tolist() == wanted.tolist()
    assert labels.n_labels == 4
    below, above = y[y <= wanted[0]], y[y > wanted[-1]]
    assert labels.ends == tuple(
        np.quantile(side, 0.5, method="inverted_cdf") for side in (below, above)
    )


def test_weights_are_repeats():
    rng = np.random.default_rng(1)
    y, times = rng.normal(size=30), rng.integers(1, 5, 30)
    one, other = ThresholdColumns(7).fit(y, times), ThresholdColumns(7).fit(np.repeat(y, times))
    assert one.thresholds.tolist() == other.thresholds.tolist()
    assert one.ends == other.ends


@pytest.mark.parametrize("p", [1, 2, 5])
def test_quantiles_reach_their_share(p):
    values, weights = np.array([3.0, 1.0, 2.0, 1.0]), np.array([4, 1, 3, 2])
    (found,) = quantiles(values, weights, [(p, 6)])
    assert weights[values <= found].sum() >= 10 * p / 6
    assert weights[values < found].sum() < 10 * p / 6


def test_equal_targets_have_fewer_thresholds():
    assert ThresholdColumns(15).fit(np.array([1.0, 1.0, 2.0])).thresholds.tolist() == [1.0]
    constant = ThresholdColumns(15).fit(np.full(5, 3.0))
    assert (constant.thresholds.tolist(), constant.ends) == ([3.0], (3.0, 3.0))


def test_signs_and_names():
    labels = ThresholdColumns([2.0, 1.0]).fit(np.array([0.0, 1.5, 4.0]))
    assert labels.sign([1.0, 1.5, 3.0]).tolist() == [[0, 0], [1, 0], [1, 1]]
    assert labels.names == ["> 1", "> 2"]
    assert (
        labels.headline(labels.names) == "the prediction is where the scores change sign: > 1, > 2"
    )


def test_the_prediction_is_where_scores_change_sign():
    labels = ThresholdLabels(np.array([1.0, 2.0, 4.0]), (0.0, 9.0), BETWEEN)
    scores = [
        [-1.0, -2.0, -3.0],  # below all
        [3.0, 2.0, 1.0],  # above all
        [3.0, 1.0, -1.0],  # half way from 2 to 4
        [1.0, -3.0, -4.0],  # a quarter of the way from 1 to 2
        [-1.0, 1.0, 3.0],  # is sorted first
        [2.0, 0.0, -1.0],  # a score of 0 is not above
    ]
    assert labels.predict(np.array(scores)).tolist() == [0.0, 9.0, 3.0, 1.25, 3.0, 2.0]


def test_the_place_between_thresholds_is_among_the_targets():
    labels = ThresholdColumns([1.0, 2.0, 4.0, 8.0]).fit(np.array([0.0, 1.0, 2.0, 5.0, 7.0, 9.0]))
    assert labels.between.tolist() == [[2.0, 2.0], [2.0, 4.0], [5.0, 7.0]]
    scores = [[3.0, -1.0, -2.0, -3.0], [3.0, 1.0, -1.0, -2.0], [5.0, 4.0, 3.0, -1.0]]
    assert labels.predict(np.array(scores)).tolist() == [2.0, 3.0, 6.5]


def test_huge_thresholds_do_not_overflow():
    ends = -1.7e308, 1.7e308
    labels = ThresholdLabels(np.array(ends), ends, np.array([ends]))
    assert labels.predict(np.array([[1.0, -1.0]])).tolist() == [0.0]


@pytest.mark.parametrize(
    "given", [0, 2.5, -1, "many", [], [1.0, 1.0], [np.nan], [np.inf, 1.0], ["a"], None]
)
def test_wrong_thresholds(given):
    with pytest.raises(ValueError, match="thresholds="):
        ThresholdColumns(given).check()


@pytest.mark.parametrize(
    "stored",
    [
        {"thresholds": np.array([2.0, 1.0]), "ends": np.array([0.0, 3.0])},
        {"thresholds": np.array([]), "ends": np.array([0.0, 3.0])},
        {"thresholds": np.array([1.0, 2.0]), "ends": np.array([1.5, 3.0])},
        {"thresholds": np.array([1.0, np.nan]), "ends": np.array([0.0, 3.0])},
        {
            "thresholds": np.array([1.0, 2.0]),
            "ends": np.array([0.0, 3.0]),
            "between": np.array([[1.5, 2.5]]),
        },
    ],
)
def test_files_with_other_numbers_are_refused(stored):
    with pytest.raises(BadFile):
        ThresholdLabels._from_file(Fields("ThresholdLabels", stored))


def test_a_file_of_an_earlier_version_interpolates_between_thresholds():
    stored = {"thresholds": np.array([1.0, 2.0]), "ends": np.array([0.0, 3.0])}
    labels = ThresholdLabels._from_file(Fields("ThresholdLabels", stored))
    assert labels.predict(np.array([[1.0, -1.0]])).tolist() == [1.5]
