"""Files of every version of the format are read, and their models answer as they did."""

import json
from pathlib import Path

import numpy as np
import pytest

from tests.files.golden import answers, rows_of
from underdog import CostSensitiveClassifier
from underdog.files import inspect, load
from underdog.files.store import SCHEMA

FOLDERS = sorted(Path(__file__).parent.glob("v[0-9]*"))
FILES = [path for folder in FOLDERS for path in sorted(folder.glob("*.udg"))]


def test_every_version_is_there():
    assert [folder.name for folder in FOLDERS] == [f"v{n}" for n in range(1, SCHEMA + 1)]
    assert all(any(path.parent == folder for path in FILES) for folder in FOLDERS)


def floats(said):
    return np.array([float.fromhex(digits) for digits in said["hex"]]).reshape(said["shape"])


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_an_old_file_answers_as_it_did(path):
    expected = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))
    model = load(path)
    said = answers(model, rows_of(path.stem))
    # NumPy's exp, and with it a probability, may differ in the last bits between its versions.
    rounded = {"predict_proba"} & set(expected)
    if isinstance(model, CostSensitiveClassifier):
        rounded.add("decision_function")
    for method in rounded:
        np.testing.assert_allclose(
            floats(said.pop(method)), floats(expected.pop(method)), rtol=1e-12, atol=1e-12
        )
    assert said == expected
    assert f"v{inspect(path)['schema']}" == path.parent.name


@pytest.mark.parametrize(
    ("name", "nu"), [("margin", 0.4), ("uneven_margin", 0.5), ("entropy", 0.4)]
)
def test_a_file_from_before_nu_was_found_knows_it(name, nu):
    model = load(FOLDERS[0] / f"{name}.udg")
    assert model.nu == model.nu_ == nu
