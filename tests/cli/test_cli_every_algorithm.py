"""Every booster of the registry, present and future, from training to explanation."""

import json
import re

import pytest

import underdog
from underdog.cli.algorithms import (
    COMPOSED,
    algorithm,
    algorithms,
    parameters_of,
    rankers,
    regressors,
)
from underdog.cli.docstrings import documentation
from underdog.estimators import all_boosters, all_rankers, all_regressors


@pytest.mark.parametrize("name", algorithms())
def test_from_training_to_explanation(program, name):
    found = program.run(
        "train", "data.csv", "-t", "y", "-m", name, "--n-estimators", "8", "--cv", "2"
    )
    assert f"{algorithms()[name]} with " in found.stdout
    rows = json.loads(program.run("predict", "model.udg", "data.csv", "--json").stdout)["rows"]
    assert {row["prediction"] for row in rows} <= {0, 1}
    measured = json.loads(program.run("evaluate", "model.udg", "data.csv", "--json").stdout)
    assert measured["measures"]["roc_auc"] > 0.6
    assert "a" in program.run("explain", "model.udg").stdout
    why = json.loads(program.run("explain", "model.udg", "data.csv", "--row", "2", "--json").stdout)
    assert why["score"]["1"] == rows[1]["score"]
    inside = program.run("inspect", "model.udg").stdout
    assert algorithms()[name] in inside
    assert hasattr(underdog.load("model.udg"), "predict")


def test_they_are_those_of_the_library():
    assert {*algorithms().values(), *regressors().values(), *rankers().values(), *COMPOSED} == {
        *all_boosters(), *all_regressors(), *all_rankers(),
    }  # fmt: skip


@pytest.mark.parametrize("name", algorithms())
def test_one_is_described_in_plain_text(program, name):
    """Without marks of reStructuredText or LaTeX, and with all parameters and their defaults."""
    told = program.run("list", name).stdout
    assert told.startswith(f"{algorithms()[name]}\n")
    assert not re.search(r"[`\\]|:math:|-----|>>>", told)
    for parameter, default in parameters_of(algorithm(name)).items():
        assert f"\n  {parameter} = {default!r}\n" in told
    documented = documentation(algorithm(name)).parameters
    undocumented = set(parameters_of(algorithm(name))) - set(documented)
    assert not undocumented


def test_all_are_listed_with_a_paper(program):
    told = program.run("list").stdout
    listed = json.loads(program.run("list", "--json").stdout)
    assert list(listed) == [*algorithms(), *regressors(), *rankers()]
    for name, about in listed.items():
        assert f"{name}: {about['what']}" in told
        assert len(about["paper"]) > 20
        assert "n_estimators" in about["parameters"]
