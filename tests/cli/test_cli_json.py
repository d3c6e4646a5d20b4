"""For machines: one JSON object on standard output and nothing else there."""

import json

import pytest

COMMANDS = {
    "train": ["train", "data.csv", "-t", "y", "-o", "new.udg", "--cv", "2", "--n-estimators", "3"],
    "predict": ["predict", "model.udg", "data.csv"],
    "evaluate": ["evaluate", "model.udg", "data.csv"],
    "explain": ["explain", "model.udg"],
    "columns": ["explain", "model.udg", "--columns"],
    "row": ["explain", "model.udg", "data.csv", "--row", "1"],
    "by rule": ["explain", "model.udg", "data.csv", "--row", "1", "--by-rule"],
    "hardest": ["explain", "model.udg", "data.csv", "--hardest", "2"],
    "needed": ["explain", "model.udg", "data.csv", "--needed"],
    "inspect": ["inspect", "model.udg"],
    "compare": ["compare", "data.csv", "-t", "y", "--cv", "2", "-m", "adaboost",
                "-m", "logistic regression"],
    "list": ["list"],
    "list one": ["list", "lpuboost"],
}  # fmt: skip


@pytest.mark.parametrize("command", COMMANDS.values(), ids=COMMANDS)
def test_json(trained, command):
    assert isinstance(json.loads(trained.run(*command, "--json").stdout), dict)


@pytest.mark.parametrize("command", COMMANDS.values(), ids=COMMANDS)
def test_quiet(trained, command):
    found = trained.run(*command, "--quiet")
    assert found.stderr == ""
    assert found.stdout


def test_errors(program):
    told = program.run("predict", "no.udg", "data.csv", "--json", code=4)
    assert json.loads(told.stdout)["exit_code"] == 4
