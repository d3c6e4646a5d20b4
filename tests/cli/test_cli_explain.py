"""`underdog explain`: what it says adds up to what `predict` says."""

import json
import re

import numpy as np
import pytest

from tests.cli.examples import csv
from underdog.cli.model_tables import signed_like


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
    shown = trained.run(*look, "data.csv", "--hardest", "3").stdout
    assert rows == [int(line.split()[0]) for line in shown.splitlines()[-3:]]
    assert shown.startswith("the hardest of 60, by their share of the training weight\n")
    assert shown.count("rows are numbered from 1") == 1
    assert "the first data row" not in shown
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
        (["data.csv", "--left-out"], "--left-out is for --hardest, without --plot", 2),
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


def test_the_predicted_class_and_the_next(program):
    program.write("data.csv", csv("pqr"))
    program.train("data.csv", "--n-estimators", "20")
    for row in range(1, 5):
        command = ["explain", "model.udg", "data.csv", "--row", row]
        told = json.loads(program.run(*command, "--json").stdout)
        first, second, _ = sorted(told["score"], key=told["score"].get, reverse=True)
        assert told["predicted"] == first
        shown = program.run(*command).stdout
        shares = [f"{told['probability'][name]:.3f}" for name in (first, second)]
        assert shown.splitlines()[1] == (
            f"predicted '{first}' (probability {shares[0]}); next '{second}' (probability "
            f"{shares[1]})"
        )
        assert f"\nscores of '{first}' (predicted) and '{second}' (next), largest diff" in shown
        total = [f"{told['score'][name]:+.3f}" for name in (first, second)]
        assert shown.splitlines()[-1].split() == [*total, "total"]


def test_costs_say_why(program):
    program.train("data.csv", "--cost", "fp=2", "--n-estimators", "10")
    found = set()
    for row in range(1, 8):
        command = ["explain", "model.udg", "data.csv", "--row", row]
        told = json.loads(program.run(*command, "--json").stdout)
        cost, label = told["expected_cost"], str(told["predicted"])
        other = "0" if label == "1" else "1"
        assert cost["1"] == pytest.approx(2 * told["probability"]["0"])
        assert cost[label] < cost[other]
        shown = program.run(*command).stdout
        assert (
            f"predicted '{label}', because its expected cost, {cost[label]:.3g}, is lower than "
            f"that of '{other}', {cost[other]:.3g} (fn=1, fp=2); probability of '1' "
        ) in shown
        assert "CostSensitiveClassifier" not in shown
        found.add(label)
    assert found == {"0", "1"}


def test_costs_of_three_classes_say_why(program):
    program.write("data.csv", csv("pqr"))
    program.train("data.csv", "--cost", "p:r=9", "--n-estimators", "20")
    look = ["explain", "model.udg", "data.csv"]
    for row in range(1, 4):
        told = json.loads(program.run(*look, "--row", row, "--json").stdout)
        first, second, _ = sorted(told["expected_cost"], key=told["expected_cost"].get)
        assert told["predicted"] == first
        assert re.search(
            rf"^predicted '{first}' \(probability .*\), because its expected cost, .*, is "
            rf"lower than that of '{second}' \(probability .*\), .* \(p:r=9, other mistakes .*\)$",
            program.run(*look, "--row", row).stdout,
            re.M,
        )
    measured = program.run("evaluate", "model.udg", "data.csv", "--cost", "p:r=9", "--json").stdout
    needed = json.loads(program.run(*look, "--needed", "--json").stdout)
    assert needed["scores"][-1] == pytest.approx(json.loads(measured)["measures"]["cost"])


def test_classes_with_semicolons(program):
    program.write("data.csv", csv(("a;b", "c;d")))
    program.train("data.csv", "--cost", "fp=2")
    shown = program.run("explain", "model.udg", "data.csv", "--row", "1").stdout
    assert re.search(r"^predicted '(a;b|c;d)', because its .*; probability of 'c;d' ", shown, re.M)


def test_a_threshold_says_why(program):
    program.train("data.csv", "--threshold", "recall=0.8", "--n-estimators", "10")
    rows = json.loads(program.run("predict", "model.udg", "data.csv", "--json").stdout)["rows"]
    for row, answer in enumerate(rows[:4], start=1):
        shown = program.run("explain", "model.udg", "data.csv", "--row", row).stdout
        side = "above" if answer["prediction"] == 1 else "not above"
        assert f"predicted '{answer['prediction']}', because the score of '1' is {side} " in shown
        assert "ThresholdClassifier" not in shown


def test_labels_judged_by_models_fitted_without_them(trained):
    look = ["explain", "model.udg", "data.csv", "--hardest", "3", "--left-out"]
    told = json.loads(trained.run(*look, "--json").stdout)
    shown = trained.run(*look).stdout.splitlines()
    assert shown[0] == f"{told['expected']} of 60 labels look wrong; the least probable 3,"
    assert shown[1].endswith("(rows are numbered from 1):")
    rows = [each["row"] for each in told["examples"]]
    assert rows == [int(line.split()[0]) for line in shown[-3:]]
    labels = [line.split(",")[-1] for line in csv().splitlines()]
    assert [str(each["given"]) for each in told["examples"]] == [labels[row] for row in rows]


@pytest.mark.parametrize("option", [["--threshold", "recall=0.8"], ["--cost", "fn=3"], []])
def test_needed_and_hardest_decide_as_the_model_does(program, option):
    program.train("data.csv", *option, "--n-estimators", "10")
    costs = option if "--cost" in option else []
    measured = program.run("evaluate", "model.udg", "data.csv", *costs, "--json").stdout
    measures = json.loads(measured)["measures"]
    look = ["explain", "model.udg", "data.csv"]
    needed = json.loads(program.run(*look, "--needed", "--json").stdout)
    assert needed["scoring"] == ("mean cost" if costs else "accuracy")
    assert needed["scores"][-1] == pytest.approx(measures["cost" if costs else "accuracy"])
    hard = json.loads(program.run(*look, "--hardest", "60", "--json").stdout)["examples"]
    right = [one["given"] == one["predicted"] for one in hard]
    assert sum(right) == round(60 * measures["accuracy"])
    assert [one["margin"] > 0 for one in hard] == right
    for ask in (["--needed"], ["--hardest", "2"]):
        shown = program.run(*look, *ask).stdout
        assert shown.startswith("The model predicts ") == bool(option)


def test_the_rules_needed_for_a_rare_class(program):
    rows = [row for i, row in enumerate(csv().splitlines()[1:]) if i % 2 == 0 or i % 10 == 1]
    program.write("data.csv", "\n".join(["a,b,y", *rows]) + "\n")
    program.train("data.csv")
    look = ["explain", "model.udg", "data.csv", "--needed"]
    told = json.loads(program.run("evaluate", "model.udg", "data.csv", "--json").stdout)
    found = json.loads(program.run(*look, "--json").stdout)
    assert found["scoring"] == "f1"
    assert found["scores"][-1] == pytest.approx(told["measures"]["f1"])
    assert "F1 on 36 examples:\n" in program.run(*look).stdout


def test_small_numbers_have_more_digits():
    signed = signed_like([np.array([1.5, 0.1]), None])
    assert [signed(value) for value in (0.00012345, -0.0009, 0.001, 0.0, -0.0, 1.5)] == [
        "+0.000123", "-0.0009", "+0.001", "+0.000", "+0.000", "+1.500"
    ]  # fmt: skip
    signed = signed_like([np.array([0.0123]), np.array([-0.038])])
    assert [signed(value) for value in (0.0123, -0.038, 0.0004, 0.0)] == [
        "+0.0123", "-0.0380", "+0.0004", "+0.0000"
    ]  # fmt: skip
    assert signed_like([np.array([1e-9])])(1e-9) == "+1e-09"
    assert signed_like([])(0.0) == "+0.000"


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
