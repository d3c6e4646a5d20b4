"""Every name, path and test that docs/theory.md lists is there."""

import importlib
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
TEXT = (ROOT / "docs" / "theory.md").read_text(encoding="utf-8")
QUOTED = sorted(set(re.findall(r"`([^`]+)`", TEXT)))
PATHS = [name for name in QUOTED if "/" in name]
NAMES = [name for name in QUOTED if re.fullmatch(r"[A-Za-z0-9_.]+", name) and "/" not in name]


@pytest.mark.parametrize("path", PATHS)
def test_the_path_is_there(path):
    file, _, test = path.partition("::")
    assert (ROOT / file).is_file()
    if test:
        assert f"def {test}(" in (ROOT / file).read_text(encoding="utf-8")


@pytest.mark.parametrize("name", NAMES)
def test_the_name_is_there(name):
    module, _, attribute = f"underdog.{name}".rpartition(".")
    if name != "underdog":
        assert hasattr(importlib.import_module(module), attribute)


def test_every_row_says_what_checks_it():
    rows = [line for line in TEXT.splitlines() if line.startswith("| ") and "---" not in line]
    own = [row.strip("|").split("|") for row in rows if not row.startswith("| statement")]
    assert len(own) > 60
    assert all(len(row) == 3 and "`" in row[2] for row in own)
