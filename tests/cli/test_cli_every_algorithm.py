"""Every booster of the registry, present and future, from training to explanation."""

import json

import pytest

import underdog
from underdog.cli.algorithms import algorithms


@pytest.mark.parametrize("name", algorithms())
def test_from_training_to_explanation(program, name):
    found = program.run("train", "data.csv", "-t", "y", "-m", name, "--rounds", "8", "--cv", "2")
    assert f"{algorithms()[name].__name__}: " in found.stdout
    rows = json.loads(program.run("predict", "model.udg", "data.csv", "--json").stdout)["rows"]
    assert {row["prediction"] for row in rows} <= {0, 1}
    measured = json.loads(program.run("evaluate", "model.udg", "data.csv", "--json").stdout)
    assert measured["measures"]["roc_auc"] > 0.6
    assert "a" in program.run("explain", "model.udg").stdout
    why = json.loads(program.run("explain", "model.udg", "data.csv", "--row", "2", "--json").stdout)
    assert why["score"]["1"] == rows[1]["score"]
    inside = program.run("inspect", "model.udg").stdout
    assert algorithms()[name].__name__ in inside
    assert name in program.run("list", name).stdout.lower()
    assert hasattr(underdog.load("model.udg"), "predict")


def test_all_are_listed_with_a_paper(program):
    told = program.run("list").stdout
    listed = json.loads(program.run("list", "--json").stdout)
    assert list(listed) == list(algorithms())
    for name, about in listed.items():
        assert f"{name}: {about['what']}" in told
        assert len(about["paper"]) > 20
        assert "n_estimators" in about["parameters"]
