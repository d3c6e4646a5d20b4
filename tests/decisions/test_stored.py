"""A file has what was fitted, also where the parameters were changed afterwards."""

from itertools import permutations

import numpy as np
import pytest

from tests.decisions import known
from underdog import AdaBoostClassifier, Costs, CostSensitiveClassifier, LPBoostClassifier
from underdog.decisions import stored
from underdog.files import BadFile, load, save
from underdog.files.store import to_bytes

BOOST = AdaBoostClassifier(n_estimators=4)


def again(model, path):
    save(model, path / "model.udg")
    loaded = load(path / "model.udg")
    assert to_bytes(loaded) == to_bytes(model)
    return loaded


@pytest.mark.parametrize("data", [known.two_classes, known.three_classes])
@pytest.mark.parametrize(
    ("fitted", "changed"), list(permutations(["sigmoid", "isotonic", None], 2))
)
def test_another_calibration_after_the_fit(data, fitted, changed, tmp_path):
    X, y, _ = data(200, 0)
    model = CostSensitiveClassifier(BOOST, calibration=fitted, cv=2).fit(X, y)
    expected = model.predict_proba(X)
    loaded = again(model.set_params(calibration=changed), tmp_path)
    assert loaded.calibration == changed
    assert loaded.predict_proba(X).tobytes() == expected.tobytes()
    refitted = [decider.fit(X, y).predict_proba(X) for decider in (loaded, model)]
    np.testing.assert_array_equal(*refitted)


def test_no_calibration_after_the_fit_of_a_booster_without_probabilities(tmp_path):
    X, y, _ = known.two_classes(200, 0)
    model = CostSensitiveClassifier(LPBoostClassifier(nu=0.8), cv=2).fit(X, y)
    loaded = again(model.set_params(calibration=None), tmp_path)
    assert loaded.predict_proba(X).tobytes() == model.predict_proba(X).tobytes()


def test_costs_of_single_examples_after_the_fit(tmp_path):
    X, y, _ = known.two_classes(200, 0)
    model = CostSensitiveClassifier(BOOST, cv=2).fit(X, y)
    model.set_params(costs=Costs(fn=np.linspace(0.1, 9.0, len(y)), fp=1))
    loaded = again(model, tmp_path)
    np.testing.assert_array_equal(loaded.predict(X), model.predict(X))


@pytest.mark.parametrize("curve", [{"a": np.inf, "b": 0.0}, {"a": 1.0, "b": -np.inf}])
def test_curves_without_probabilities_are_refused(curve):
    fitted = AdaBoostClassifier(n_estimators=1).fit([[0], [1]], [0, 1])
    with pytest.raises(BadFile, match="a of calibration and b must be finite"):
        stored.calibrated_of([curve], fitted, fitted.classes_, 2)
