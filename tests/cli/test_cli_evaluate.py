"""Intervals and subgroups on the command line."""

import json


def test_intervals_and_subgroups(trained):
    shown = trained.run("evaluate", "model.udg", "data.csv", "--by", "b,a").stdout
    assert "95% confidence intervals in parentheses" in shown
    assert " to " in next(line for line in shown.splitlines() if line.startswith("recall"))
    assert "\nBy b\n" in shown
    assert "\nBy a\n" in shown
    result = trained.run("evaluate", "model.udg", "data.csv", "--by", "b", "--json")
    found = json.loads(result.stdout)
    low, high = found["intervals"]["accuracy"]
    assert low <= found["measures"]["accuracy"] <= high
    assert {group["column"] for group in found["groups"]} == {"b"}
    assert sum(group["rows"] for group in found["groups"]) == found["rows"]
    assert found["statement"]


def test_a_column_that_does_not_exist(trained):
    why = trained.refused("evaluate", "model.udg", "data.csv", "--by", "bb", code=3)
    assert "there is no column 'bb'" in why
