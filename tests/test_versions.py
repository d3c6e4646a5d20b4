"""The versions that are printed for a report of a bug."""

import re
import tomllib
from importlib.metadata import PackageNotFoundError
from pathlib import Path

import numpy as np
import pytest

import underdog
from underdog import show_versions, versions

PROJECT = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text(encoding="utf-8"))
TOOLS = {"bench", "dev", "experiments"}


def names(requirements):
    return {re.match(r"[\w-]+", each)[0] for each in requirements} - {"underdog"}


def printed(capsys):
    show_versions()
    return capsys.readouterr().out


def test_python_underdog_and_every_dependency_is_named(capsys):
    lines = [line.strip() for line in printed(capsys).splitlines()]
    assert f"underdog: {underdog.__version__}" in lines
    assert f"numpy: {np.__version__}" in lines
    assert any(line.startswith("python: 3.") for line in lines)
    for package in (*versions.REQUIRED, *versions.OPTIONAL):
        assert sum(line.startswith(f"{package}: ") for line in lines) == 1


def test_what_is_missing_is_said_to_be(capsys, monkeypatch):
    def version(package):
        if package == "polars":
            raise PackageNotFoundError(package)
        return "1.0"

    monkeypatch.setattr(versions, "version", version)
    text = printed(capsys)
    assert "polars: not installed\n" in text
    assert "pandas: 1.0\n" in text


def test_the_dependencies_are_those_of_the_project():
    assert set(versions.REQUIRED) == names(PROJECT["project"]["dependencies"])


@pytest.mark.parametrize(
    "extra", sorted(PROJECT["project"]["optional-dependencies"].keys() - TOOLS)
)
def test_the_optional_ones_are_those_of_the_extras(extra):
    wanted = names(PROJECT["project"]["optional-dependencies"][extra])
    assert wanted <= set(versions.OPTIONAL)


def test_the_citation_is_of_this_version():
    text = (Path(__file__).parents[1] / "CITATION.cff").read_text(encoding="utf-8")
    assert f"\nversion: {underdog.__version__}\n" in text
