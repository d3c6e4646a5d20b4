"""Examples in docstrings run when they are pasted into a new session: they import what they use."""

import ast
import builtins
import doctest
import importlib
import pkgutil
import re

import pytest

import underdog
from underdog import AdaBoostClassifier, LPBoostClassifier
from underdog.estimators import all_boosters

OTHERS = ("cli", "datasets", "displays", "files", "frames", "inspection", "model", "reading")
"""Packages whose examples may use the names of their module."""
SHARED = ("classes_", "history_", "estimators_", "estimator_weights_", "estimator_errors_")
"""Attributes that AdaBoostClassifier documents for all boosters."""


def examples():
    """(name, source) of each docstring with examples."""
    for found in pkgutil.walk_packages(underdog.__path__, "underdog."):
        if found.name.split(".")[1] in OTHERS:
            continue
        module = importlib.import_module(found.name)
        for test in doctest.DocTestFinder(exclude_empty=True).find(module):
            if test.examples:
                yield test.name, "".join(example.source for example in test.examples)


def undefined(source):
    """Names that a script reads but does not define."""
    nodes = list(ast.walk(ast.parse(source)))
    names = [node for node in nodes if isinstance(node, ast.Name)]
    aliases = [alias for node in nodes for alias in getattr(node, "names", [])]
    known = {(alias.asname or alias.name).split(".")[0] for alias in aliases}
    known |= {name.id for name in names if isinstance(name.ctx, ast.Store)}
    known |= {node.arg for node in nodes if isinstance(node, ast.arg)}
    known |= {node.name for node in nodes if isinstance(node, ast.ClassDef | ast.FunctionDef)}
    return {name.id for name in names} - known - set(dir(builtins))


@pytest.mark.parametrize(("name", "source"), list(examples()))
def test_an_example_imports_what_it_uses(name, source):
    assert not undefined(source), f"import them in the example of {name}"


@pytest.mark.parametrize("booster", all_boosters().values(), ids=lambda booster: booster.__name__)
def test_every_booster_documents_its_attributes(booster):
    """Those of scikit-learn's AdaBoost, directly or by naming the class that documents them."""
    named = [AdaBoostClassifier, LPBoostClassifier]
    text = " ".join(booster.__doc__.split())
    listed = all(f"{name} :" in text for name in SHARED)
    elsewhere = any(
        re.search(rf"[Ss]ee `{other.__name__}`[^.]* attributes", text) for other in named
    )
    assert listed or elsewhere


def test_undefined_names_are_found():
    assert undefined("import a.b as c\nx = [len(i) for i in c.d(e)]\nprint(x, a)") == {"e", "a"}
