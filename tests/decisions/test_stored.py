"""A file has what was fitted, also where the parameters were changed afterwards."""

from itertools import permutations
from pathlib import Path

import numpy as np
import pytest

from tests.decisions import known
from underdog import (
    AdaBoostClassifier,
    Costs,
    CostSensitiveClassifier,
    LPBoostClassifier,
    ThresholdClassifier,
)
from underdog.decisions import stored
from underdog.files import BadFile, load, save
from underdog.files.container import pack, unpack
from underdog.files.store import from_bytes, to_bytes

NOWHERE = Path("nowhere.udg")
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


RISING = np.array([-1.0, 0.0, 2.0])
ISOTONIC = [
    ([0.0, 0.5, 1.5], RISING, "are not between 0 and 1"),
    ([-1e-9, 0.5, 1.0], RISING, "are not between 0 and 1"),
    ([0.0, 0.5, np.nan], RISING, "holds a number that is not finite"),
    ([0.5, 0.2, 1.0], RISING, "do not increase"),
    ([0.0, 0.5, 1.0], RISING[::-1].copy(), "do not increase"),
    ([0.0, 0.5, 1.0], np.array([-1.0, 0.0, np.inf]), "holds a number that is not finite"),
    ([0.0, 0.5, 1.0], np.array([-1.7e308, 0.0, 1.7e308]), "too close or too far apart"),
    ([0.0, 0.5, 1.0], np.array([0.0, 5e-324, 1.0]), "too close or too far apart"),
]


@pytest.mark.parametrize(("probabilities", "scores", "message"), ISOTONIC)
def test_isotonic_curves_rise_from_0_to_1(probabilities, scores, message):
    fitted = AdaBoostClassifier(n_estimators=1).fit([[0], [1]], [0, 1])
    curve = {"scores": scores, "probabilities": np.array(probabilities)}
    with np.errstate(all="ignore"), pytest.raises(BadFile, match=message):  # as `load` has it
        stored.calibrated_of([curve], fitted, fitted.classes_, 2)


def test_a_file_whose_probabilities_would_leave_0_to_1_is_refused():
    X, y, _ = known.two_classes(200, 0)
    model = CostSensitiveClassifier(BOOST, calibration="isotonic", cv=2).fit(X, y)
    header, arrays = unpack(NOWHERE, to_bytes(model)[0])
    arrays["calibration.0.probabilities"][-1] = 7.0
    with pytest.raises(BadFile, match="probabilities of calibration are not between 0 and 1"):
        from_bytes(pack(header, arrays), NOWHERE)


def changed_curve(name, place, value):
    """A file in which one number of a curve of thresholds is another."""
    X, y, _ = known.two_classes(200, 0)
    model = ThresholdClassifier(BOOST, Costs(fn=2, fp=1), cv=2).fit(X, y)
    header, arrays = unpack(NOWHERE, to_bytes(model)[0])
    arrays[f"curve.{name}"][place] = value
    return header, arrays


@pytest.mark.parametrize(
    ("name", "place", "value", "message"),
    [
        ("threshold", 0, 1.0, "must begin with inf"),
        ("threshold", 1, -np.inf, "threshold of curve must decrease"),
        ("threshold", 1, np.nan, "threshold of curve must decrease"),
        ("tp", 3, -1.0, "has a negative count"),
        ("fn", 3, np.nan, "not finite"),
        ("recall", 3, 1.5, "is not between 0 and 1"),
        ("precision", 3, np.nan, "is not between 0 and 1"),
        ("cost", 3, np.inf, "not finite"),
    ],
)
def test_a_curve_of_thresholds_has_sensible_numbers(name, place, value, message):
    with pytest.raises(BadFile, match=message):
        from_bytes(pack(*changed_curve(name, place, value)), NOWHERE)


@pytest.mark.parametrize("name", ["threshold", "tp", "fp", "fn", "tn", "alarms", "recall"])
def test_a_curve_of_thresholds_has_all_its_columns(name):
    header, arrays = changed_curve(name, 0, 0.0)
    state = header["model"]["state"]
    state["curve"]["more"] = state["curve"].pop(name)
    with pytest.raises(BadFile, match=f"curve has no '{name}'"):
        from_bytes(pack(header, arrays), NOWHERE)


@pytest.mark.parametrize("decider", [ThresholdClassifier, CostSensitiveClassifier])
def test_two_classes_have_one_score(decider):
    X, y, _ = known.two_classes(200, 0)
    header, arrays = unpack(NOWHERE, to_bytes(decider(BOOST, cv=2).fit(X, y))[0])
    labels = header["model"]["state"]["labels"]
    labels["is"] = "OneOfKLabels"
    del labels["state"]["positive"]
    with pytest.raises(BadFile, match=r"labels of .* of two classes must be BinaryLabels"):
        from_bytes(pack(header, arrays), NOWHERE)
