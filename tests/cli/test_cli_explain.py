"""`underdog explain`: what it says adds up to what `predict` says."""

import json
import re

import pytest

from tests.cli.examples import csv


def scores(program):
    rows = json.loads(program.run("predict", "model.udg", "data.csv", "--json").stdout)["rows"]
    return [row["score"] for row in rows]


@pytest.mark.parametrize("positive", ["0", "1"])
@pytest.mark.parametrize("by", [[], ["--by-rule"]])
def test_a_score_taken_apart_adds_up_exactly(program, positive, by):
    program.train("data.csv", "--positive", positive, "--n-estimators", "30")
    for row, score in enumerate(scores(program)[:5], start=1):
        command = ["explain", "model.udg", "data.csv", "--row", row, *by]
        why = json.loads(program.run(*command, "--json").stdout)
        assert why["row"] == row
        assert why["score"] == {positive: score}
        added = [part["adds"][positive] for part in why["contributions"]]
        assert sum(added, start=why["baseline"][positive]) == score
        shown = program.run(*command).stdout
        assert shown.startswith(f"row {row} (the first data row is 1)\n")
        assert f"\n{score:+.3f}  total\n" in shown


def test_all_ways_to_look(trained):
    look = ["explain", "model.udg"]
    shown = trained.run(*look).stdout
    assert "AdaBoostClassifier with 4 rules" in shown
    assert "The model predicts '1' if the score is above " in shown
    assert "    baseline " in shown
    assert "\n1.  a > " in trained.run(*look, "--in-order").stdout
    assert trained.run(*look, "--columns").stdout == shown
    hard = trained.run(*look, "data.csv", "--hardest", "3", "--json")
    rows = [each["row"] for each in json.loads(hard.stdout)["examples"]]
    assert len(rows) == 3
    assert all(1 <= row <= 60 for row in rows)
    assert "the first data row is 1" in trained.run(*look, "data.csv", "--hardest", "3").stdout
    trained.run(*look, "data.csv", "--needed")


def test_how_many_are_shown(trained):
    shown = trained.run("explain", "model.udg", "--in-order", "--max-display", "3").stdout
    assert shown.endswith("\n... and 1 more (--max-display shows them)\n")
    assert len(re.findall(r"^\d\.", shown, re.M)) == 3


@pytest.mark.parametrize(
    ("arguments", "name", "start"),
    [
        (["--columns"], "why.png", b"\x89PNG"),
        (["data.csv", "--row", "1"], "why.svg", b"<?xml"),
        (["data.csv", "--needed"], "why.pdf", b"%PDF"),
        (["data.csv", "--hardest", "3"], "why.png", b"\x89PNG"),
        ([], "why.png", b"\x89PNG"),
    ],
)
def test_pictures(trained, arguments, name, start):
    trained.run("explain", "model.udg", *arguments, "--plot", name)
    assert (trained.folder / name).read_bytes().startswith(start)


@pytest.mark.parametrize(
    ("arguments", "message", "code"),
    [
        (["--row", "1"], "--row, --hardest and --needed need data: give MODEL DATA", 2),
        (["data.csv", "--row", "1", "--needed"], "give only one of --row", 2),
        (["data.csv", "--row", "61"], "data.csv: there is no row 61: the data have 60 rows", 3),
        (["--plot", "x.gif"], "--plot x.gif: the name must end with .png, .svg, .pdf", 2),
        (["--plot", "no/x.png"], "error: no/x.png cannot be written: there is no folder /", 1),
        (["new.csv", "--hardest", "2"], "new.csv, column 'y': no row has a label", 3),
        (["new.csv", "--needed"], "new.csv, column 'y': no row has a label", 3),
    ],
)
def test_refused(trained, arguments, message, code):
    trained.write("new.csv", "a,b,y\n1,u,\n2,v,\n")
    result = trained.run("explain", "model.udg", *arguments, code=code)
    assert message in result.stderr.splitlines()[-1]


def test_three_classes(program):
    program.write("data.csv", csv("pqr"))
    program.train("data.csv")
    assert "  total\n" in program.run("explain", "model.udg", "data.csv", "--row", "1").stdout
    rules = program.run("explain", "model.udg", "--in-order").stdout
    head, *lines = rules.split("\n\n")[1].splitlines()
    assert head.split() == ["rule", "class", "if", "true", "if", "false"]
    classes = [line.split()[-3] for line in lines]
    assert classes == ["p", "q", "r"] * (len(lines) // 3)
    columns = program.run("explain", "model.udg").stdout.split("\n\n")[1]
    assert columns.splitlines()[0].split() == ["column", "value", "p", "q", "r"]


def test_rules_of_a_matrix(program):
    program.write("data.svm", "".join(f"{i % 2} 1:{i % 2 + i / 50} 2:1\n" for i in range(40)))
    program.run("train", "data.svm", *program.fast)
    assert "x0" in program.run("explain", "model.udg").stdout
    shown = program.run("explain", "model.udg", "data.svm", "--row", "2", "--json").stdout
    rows = program.run("predict", "model.udg", "data.svm", "--json").stdout
    assert [*json.loads(shown)["score"].values()] == [json.loads(rows)["rows"][1]["score"]]


def test_rows_are_numbered_from_1_and_the_text_says_so(trained):
    why = trained.run("explain", "model.udg", "data.csv", "--row", "17").stdout
    assert why.startswith("row 17 (the first data row is 1)")


def test_models_of_trees(program):
    """Nested rules and pairs of columns; the columns of a row add up."""
    program.train("data.csv", "--model", "gradientboosting", "--n-estimators", "10")
    look = ["explain", "model.udg"]
    shown = program.run(*look).stdout
    assert re.search(r"^ 1\.  [ab] .*\n(      .*\n)*?       [ab] .*[+-]\d\.\d{3}\s", shown, re.M), (
        shown
    )
    assert "    rule" in shown
    assert "  adds\n" in shown
    assert "if false" not in shown
    assert "columns that interact; strength: mean change of the score" in shown
    told = json.loads(program.run(*look, "--json").stdout)
    assert told["interactions"][0]["trees"] > 0
    why = json.loads(program.run(*look, "data.csv", "--row", "2", "--json").stdout)
    added = [part["adds"]["1"] for part in why["contributions"]]
    assert {part["name"] for part in why["contributions"]} <= {"a", "b"}
    assert sum(added, start=why["baseline"]["1"]) == why["score"]["1"] == scores(program)[1]
    over_rows = program.run(*look, "data.csv").stdout
    assert "columns that interact; strength: mean difference between the joint effect" in over_rows
    assert "(over 60 rows)" in over_rows
    for data, picture in (([], "why.png"), (["data.csv"], "pair.png")):
        program.run(*look, *data, "--plot", picture)
        assert (program.folder / picture).read_bytes().startswith(b"\x89PNG")
    refused = program.run(*look, "--columns", code=2)
    assert "--columns has nothing to show" in refused.stderr
