"""Files of every version of the format are read, and their models answer as they did."""

import functools
import json
from pathlib import Path

import numpy as np
import pytest

from tests.files.golden import SHOWN, SINCE, answers, going_on, problems
from tests.files.test_round_trip import assert_same
from tests.model.hand_made_trees import scores_by_hand
from underdog import CostSensitiveClassifier
from underdog.estimators.support.corrective import CorrectiveBooster
from underdog.estimators.support.inputs import prediction_table
from underdog.files import BadFile, inspect, load, save, versions
from underdog.files.container import pack, unpack
from underdog.files.store import SCHEMA, from_bytes, to_bytes

FOLDERS = sorted(Path(__file__).parent.glob("v[0-9]*"))
FILES = [path for folder in FOLDERS for path in sorted(folder.glob("*.udg"))]
GOING_ON = {
    folder / f"{name}.udg": scores
    for folder in FOLDERS
    for name, scores in json.loads((folder / "going_on.json").read_text(encoding="utf-8")).items()
}


def path_id(path):
    return f"{path.parent.name}-{path.stem}"


each_file = pytest.mark.parametrize("path", FILES, ids=path_id)
pytestmark = [
    pytest.mark.filterwarnings("ignore::underdog.NotConverged"),
    pytest.mark.filterwarnings("ignore:.*the coefficients mean little:underdog.UnderdogWarning"),
    pytest.mark.filterwarnings("ignore:.*is so large that a constant:underdog.UnderdogWarning"),
]


@functools.cache
def data_of(name):
    """(rows, y) that the model of this name was fitted on."""
    return problems()[name][1:]


def test_every_version_is_there():
    assert [folder.name for folder in FOLDERS] == [f"v{n}" for n in range(1, SCHEMA + 1)]
    for number, folder in enumerate(FOLDERS, start=1):
        later = {name for since, names in SINCE.items() if since > number for name in names}
        assert {path.stem for path in folder.glob("*.udg")} == set(problems()) - later


def floats(said):
    return np.array([float.fromhex(digits) for digits in said["hex"]]).reshape(said["shape"])


@each_file
def test_an_old_file_answers_as_it_did(path):
    expected = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))
    model = load(path)
    said = answers(model, data_of(path.stem)[0][:SHOWN])
    # NumPy's exp, and with it a probability, may differ in the last bits between its versions.
    rounded = {"predict_proba"} & set(expected)
    if isinstance(model, CostSensitiveClassifier):
        rounded.add("decision_function")
    for method in rounded:
        np.testing.assert_allclose(
            floats(said[method]), floats(expected.pop(method)), rtol=1e-12, atol=1e-12
        )
    if hasattr(model, "model_") and model.model_.n_labels > 1:
        expected.pop("describe", None)  # one line for all classes was in the place of one for each
    if "describe" in expected:  # which had no certificates
        proved = getattr(model.certificate_, "lines", list)()
        lines = said["describe"].splitlines()
        said["describe"] = "\n".join(line for line in lines if line not in proved)
    assert {name: said[name] for name in expected} == expected
    assert f"v{inspect(path)['schema']}" == path.parent.name


@each_file
def test_an_old_file_saved_again_is_of_this_version_and_answers_the_same(path, tmp_path):
    model = load(path)
    save(model, tmp_path / "new.udg")
    assert inspect(tmp_path / "new.udg")["schema"] == SCHEMA
    again = load(tmp_path / "new.udg")
    assert to_bytes(again) == to_bytes(model)
    rows = data_of(path.stem)[0]
    if hasattr(model, "staged_predict"):
        assert_same(model, again, rows)
    else:
        assert answers(again, rows) == answers(model, rows)


@pytest.mark.parametrize("path", GOING_ON, ids=path_id)
def test_going_on_from_an_old_file_is_as_it_was(path):
    model = load(path)
    said, expected = floats(going_on(model, *data_of(path.stem))), floats(GOING_ON[path])
    if isinstance(model, CorrectiveBooster):  # solvers may differ in the last bits
        np.testing.assert_allclose(said, expected, rtol=0, atol=1e-9)
    else:
        np.testing.assert_array_equal(said, expected)


@pytest.mark.parametrize("name", ["trees", "tree_labels"])
def test_trees_say_what_their_leaves_say(name):
    model, rows = load(FOLDERS[1] / f"{name}.udg"), data_of(name)[0]
    assert {len(member.steps) for member in model.model_.members} == {1, 2, 3, 4}
    expected = model._labels.decision(scores_by_hand(model.model_, prediction_table(model, rows)))
    np.testing.assert_array_equal(model.decision_function(rows), expected)
    again = from_bytes(to_bytes(model)[0], name)
    np.testing.assert_array_equal(again.decision_function(rows), expected)


@pytest.mark.parametrize(
    ("name", "nu"), [("margin", 0.4), ("uneven_margin", 0.5), ("entropy", 0.4)]
)
def test_a_file_from_before_nu_was_found_knows_it(name, nu):
    model = load(FOLDERS[0] / f"{name}.udg")
    assert model.nu == model.nu_ == nu


def rewritten(path, version, change=None):
    """A file with another number of the format, or other contents, and the right digest."""
    header, arrays = unpack(path, path.read_bytes())
    if change is not None:
        change(header["model"]["state"], arrays)
    return pack({**header, "schema": version}, arrays)


@each_file
def test_a_file_of_one_version_is_not_read_as_another(path):
    other = 1 if inspect(path)["schema"] == 2 else 2
    with pytest.raises(BadFile, match=r"has no 'leaves'|has the shape|version 1 of the format"):
        from_bytes(rewritten(path, other), path)


def add(name, array):
    def change(state, arrays):
        state["model"]["state"][name] = {"is": "array", "name": f"model.{name}"}
        arrays[f"model.{name}"] = np.array(array)

    return change


def put(array, place, value):
    def change(_, arrays):
        arrays[f"model.{array}"][place] = value

    return change


def both_names(state, _):
    state["log_odds_shift"] = state["excess"]


def new_name(state, _):
    state["log_odds_shift"] = state.pop("excess")


def no_name(state, _):
    del state["excess"]


@pytest.mark.parametrize(
    ("name", "change", "message"),
    [
        ("categories", add("leaves", np.full(5, 2, np.int32)), "'leaves', which is not known"),
        ("categories", add("depths", np.ones(10, np.int32)), "'depths', which is not known"),
        ("categories", add("asked", np.zeros(2, np.int32)), "'asked', which is not known"),
        ("categories", both_names, "'log_odds_shift', which version 1 of the format has not"),
        ("categories", new_name, "'log_odds_shift', which version 1 of the format has not"),
        ("categories", no_name, "has no 'log_odds_shift'"),
        ("categories", put("columns", 0, -2), "columns of Ensemble are not all among the 8"),
        ("categories", put("columns", 0, -1), "values of Ensemble of a rule that asks nothing"),
        ("constant", put("columns", 0, 0), "inside of Ensemble must have a 0 or a 1"),
        ("constant", put("values", (0, 1), 0.5), "values of Ensemble of a rule that asks nothing"),
        ("constant", put("steps", (0, 1), 0.5), "steps of Ensemble of a rule that asks nothing"),
        ("constant_classes", put("values", (0, 1, 2), 0.5), "of a rule that asks nothing"),
    ],
)
def test_version_1_with_other_contents(name, change, message):
    path = FOLDERS[0] / f"{name}.udg"
    with pytest.raises(BadFile, match=message):
        from_bytes(rewritten(path, 1, change), path)


def test_names_are_brought_up_to_date_one_version_after_the_other(monkeypatch):
    names = {1: {"a": "b", "x": "y"}, 3: {"b": "c"}}
    monkeypatch.setattr(versions, "OLD_NAMES", names)
    monkeypatch.setattr(versions, "SCHEMA", 4)
    assert versions.in_present_names({"a": 1, "x": 2, "z": 3}, 1) == {"c": 1, "y": 2, "z": 3}
    assert versions.in_present_names({"b": 1, "x": 2}, 2) == {"c": 1, "x": 2}
    assert versions.in_present_names({"b": 1}, 4) == {"b": 1}
    with pytest.raises(BadFile, match="'c', which version 3 of the format has not"):
        versions.in_present_names({"a": 1, "c": 2}, 1)
