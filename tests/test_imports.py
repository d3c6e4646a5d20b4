"""What the package imports, and when."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import underdog

PACKAGE = Path(underdog.__file__).parent
MODULES = sorted(PACKAGE.rglob("*.py"))


def imported_names(tree):
    """Every module and every name that is imported, with dots: "sklearn.utils.Bunch"."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (each.name for each in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level:
            yield from (f"{node.module}.{each.name}" for each in node.names)


def is_private(name):
    first, *rest = name.split(".")
    return first == "sklearn" and any(part.startswith("_") for part in rest)


@pytest.mark.parametrize(
    ("line", "private"),
    [
        ("from sklearn.utils import Bunch", False),
        ("from sklearn.utils import Bunch, _safe_indexing", True),
        ("from sklearn.utils._array_api import xp", True),
        ("import sklearn._config", True),
        ("from numpy import _core", False),
    ],
)
def test_private_names_are_found(line, private):
    assert any(map(is_private, imported_names(ast.parse(line)))) == private


def test_nothing_private_of_scikit_learn_is_imported():
    assert MODULES
    found = [
        f"{path.relative_to(PACKAGE)}: {name}"
        for path in MODULES
        for name in imported_names(ast.parse(path.read_text(encoding="utf-8")))
        if is_private(name)
    ]
    assert not found


FIT = """
import sys
from underdog import {name}
{name}(n_estimators=2).fit([[0.0], [1.0], [2.0], [3.0]], [0, 0, 1, 1])
print(sorted({{"highspy", "matplotlib", "polars", "pooch"}} & set(sys.modules)))
"""


@pytest.mark.parametrize(
    ("name", "loaded"),
    [
        ("AdaBoostClassifier", []),
        ("AdaBoostMHClassifier", []),
        ("LPBoostClassifier", ["highspy"]),
    ],
)
def test_a_booster_loads_the_solver_only_if_it_needs_it(name, loaded):
    command = [sys.executable, "-W", "ignore", "-c", FIT.format(name=name)]
    done = subprocess.run(command, cwd=PACKAGE.parent, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == str(loaded)
