"""What the package imports, and when."""

import ast
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
