"""Files and functions that can be read at once, and names that stand for one thing."""

import ast
from collections import defaultdict
from pathlib import Path

import pytest

import underdog

PACKAGE = Path(underdog.__file__).parent
MODULES = sorted(PACKAGE.rglob("*.py"))
TREES = {path.relative_to(PACKAGE): ast.parse(path.read_text("utf-8")) for path in MODULES}
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
MAX_FILE, MAX_FUNCTION, MAX_LOOSE = 400, 80, 5
"""Lines of a file and of a function with its docstring; modules beside `__init__.py`."""


def every(trees, *kinds):
    """(file, definition) of these kinds, however deep."""
    for path, tree in trees.items():
        yield from ((path, node) for node in ast.walk(tree) if isinstance(node, kinds))


def long_functions(trees):
    return [
        f"{path}: {node.name} has {lines} lines"
        for path, node in every(trees, *FUNCTIONS)
        if (lines := node.end_lineno - node.lineno + 1) > MAX_FUNCTION
    ]


def repeated_classes(trees):
    """Public classes whose name is that of another, and where they are."""
    where = defaultdict(list)
    for path, node in every(trees, ast.ClassDef):
        if not node.name.startswith("_"):
            where[node.name].append(str(path))
    return {name: paths for name, paths in where.items() if len(paths) > 1}


@pytest.mark.parametrize(("lines", "found"), [(80, 0), (81, 1)])
def test_long_functions_are_found(lines, found):
    text = "class A:\n    def f(self):\n" + "        pass\n" * (lines - 1)
    assert len(long_functions({"a.py": ast.parse(text)})) == found


def test_repeated_classes_are_found():
    trees = {"a.py": ast.parse("class A: ...\nclass _B: ..."), "b.py": ast.parse("class _B: ...")}
    assert repeated_classes(trees) == {}
    trees["c.py"] = ast.parse("def f():\n    class A: ...")
    assert repeated_classes(trees) == {"A": ["a.py", "c.py"]}


def test_no_file_is_too_long():
    assert MODULES
    lengths = {path: len(path.read_text("utf-8").splitlines()) for path in MODULES}
    assert {path: lines for path, lines in lengths.items() if lines > MAX_FILE} == {}


def test_no_function_is_too_long():
    assert long_functions(TREES) == []


def test_no_two_public_classes_have_one_name():
    assert repeated_classes(TREES) == {}


def test_few_modules_are_loose_at_the_top():
    loose = [path.name for path in PACKAGE.glob("*.py") if path.name != "__init__.py"]
    assert len(loose) <= MAX_LOOSE, loose
