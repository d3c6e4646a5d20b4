"""Real-valued targets: their unit, and how scores become predictions."""

import json

import numpy as np
import pytest

from underdog.codes import RealValues
from underdog.codes.real_values import RealLabels
from underdog.files import BadFile, Fields
from underdog.files.plain import Decoder, Encoder
from underdog.kernels.elementary import GRID

TARGETS = {
    "small": np.array([0.001, 0.5, 0.25]),
    "offset": 1e9 + np.array([0.0, 0.125, 3.0]),
    "outlier": np.array([1.0, 2.0, 1e12]),
    "negative": np.array([-5.0, -7.5, -1e-3]),
    "huge": np.array([-1e300, 1e300]),
    "tiny": np.array([1e-280, 5e-281]),
    "constant": np.full(3, 42.0),
    "zero": np.zeros(2),
}
each_target = pytest.mark.parametrize("y", TARGETS.values(), ids=TARGETS)


@each_target
def test_targets_fit_into_the_scores(y):
    labels = RealValues().fit(y)
    value = labels.value(y)
    assert np.abs(value).max() <= 2.0**15
    assert np.ptp(value) <= 2.0**7
    np.testing.assert_array_equal(value * GRID, np.rint(value * GRID))
    error = np.abs(value[:, 0] * labels.unit - y).max()
    assert error <= max(np.ptp(y) / 2**42, np.abs(y).max() / 2**51)
    assert np.log2(labels.unit) == labels.exponent


def test_predictions():
    scores = np.array([[3.0, 1.0, 2.0], [0.0, 0.5, 1.0]])
    assert RealLabels(0).predict(scores[:, :1]).tolist() == [3.0, 0.0]
    quantiles = RealLabels(0, (0.1, 0.5, 0.9))
    assert quantiles.predict(scores).tolist() == [[1.0, 2.0, 3.0], [0.0, 0.5, 1.0]]
    assert quantiles.names == ["quantile 0.1", "quantile 0.5", "quantile 0.9"]
    logs = RealLabels(0, log_link=True)
    np.testing.assert_allclose(logs.predict(scores[:, :1]), np.exp(scores[:, 0]), rtol=1e-15)


@pytest.mark.parametrize(
    "labels", [RealLabels(-3), RealLabels(7, (0.25, 0.75)), RealLabels(0, log_link=True)]
)
def test_files(labels):
    encoder = Encoder()
    plain = json.loads(json.dumps(encoder.encode(labels, "labels")))
    assert Decoder(encoder.arrays).decode(plain) == labels


@pytest.mark.parametrize(
    "wrong",
    [
        {"exponent": 5000},
        {"exponent": 1.5},
        {"quantiles": np.array([0.9, 0.1])},
        {"quantiles": np.array([0.0, 0.5])},
        {"quantiles": np.array([np.nan])},
        {"log_link": 1},
    ],
)
def test_damaged_files(wrong):
    state = RealLabels(0, (0.1, 0.5))._to_file()
    assert RealLabels._from_file(Fields("RealLabels", state)) == RealLabels(0, (0.1, 0.5))
    with pytest.raises(BadFile):
        RealLabels._from_file(Fields("RealLabels", {**state, **wrong}))
