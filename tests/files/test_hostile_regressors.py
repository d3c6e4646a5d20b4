"""Files of regressors with units, quantiles, weights or thresholds that cannot be right."""

import numpy as np
import pytest

from tests.files.damage import NOWHERE, sealed
from tests.files.models import samples
from underdog.files import BadFile
from underdog.files.container import unpack
from underdog.files.store import from_bytes, to_bytes


def put(array, value):
    """Another array."""

    def change(_, arrays):
        arrays[array] = np.array(value)

    return change


def put_state(value, *path):
    """Another value in the header."""

    def change(state, _):
        for name in path[:-1]:
            state = state[name]["state"]
        state[path[-1]] = value

    return change


@pytest.mark.parametrize(
    ("name", "change", "message"),
    [
        ("squared", put_state(3.0, "model", "unit"), "unit of Ensemble must be a power of two"),
        ("squared", put_state(0.0, "model", "unit"), "unit of Ensemble must be a power of two"),
        ("squared", put_state(2000, "labels", "exponent"), "exponent of RealLabels"),
        ("squared", put_state(1, "labels", "log_link"), "log_link of RealLabels must be true or"),
        ("squared", put("model.start", [np.nan]), "start of Ensemble"),
        ("squared", put("labels.quantiles", [0.2, 0.8]), "labels"),
        ("squared", put_state("cube", "parameters", "loss"), "loss='cube'"),
        ("quantiles", put("labels.quantiles", [0.5, 0.1, 0.9]), "rising numbers between 0 and 1"),
        ("quantiles", put("labels.quantiles", [0.1, 0.5, 1.0]), "rising numbers between 0 and 1"),
        ("quantiles", put("labels.quantiles", [0.1, 0.9]), "labels"),
        ("median", put("model.weights", [1.0, 0.0]), "weights of MedianEnsemble must be above 0"),
        ("median", put("model.weights", [1e308, 1e308]), "with a finite sum"),
        ("median", put("model.weights", [1.0]), "weights of MedianEnsemble"),
        ("median", put("model.coefficients", [1.0, 2.0]), "damaged"),
        ("median", put("history.coefficient", [1.0, 2.0]), "coefficients in the history differ"),
        ("thresholds", put("labels.thresholds", [1.0, 1.0, 2.0, 3.0, 4.0]), "rising numbers"),
        ("thresholds", put("labels.ends", [9.0, 0.0]), "ends of ThresholdLabels must be outside"),
        ("parts", put_state({"is": "os.system", "state": {}}, "link"), "'os.system'"),
    ],
    ids=lambda value: value if isinstance(value, str) else "change",
)
def test_a_right_digest_does_not_help(name, change, message):
    header, arrays = unpack(NOWHERE, to_bytes(samples()[name][0])[0])
    state = header["model"]["state"]
    state["parameters"] = {"state": state["parameters"]}  # so that all paths look alike
    change(state, arrays)
    state["parameters"] = state["parameters"]["state"]
    with pytest.raises(BadFile, match=message):
        from_bytes(sealed(header, arrays), NOWHERE)
