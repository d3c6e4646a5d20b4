"""Models on the command line in another population."""

import json

import numpy as np
import pytest

from tests.cli.examples import csv
from underdog import load, save


@pytest.fixture
def told(trained):
    def run(*arguments):
        return json.loads(trained.run(*arguments, "--json").stdout)

    return run


def test_prevalence(trained, told):
    before = told("predict", "model.udg", "data.csv")["rows"]
    rare = told("predict", "model.udg", "data.csv", "--prevalence", "0.01")["rows"]
    assert [row["score"] for row in rare] == [row["score"] for row in before]
    one, other = (np.array([row["probability of 1"] for row in each]) for each in (before, rare))
    assert other / (1 - other) == pytest.approx(one / (1 - one) * (0.01 / 0.99), rel=1e-9)
    named = told("predict", "model.udg", "data.csv", "--prevalence", "0=0.99")["rows"]
    again = [row["probability of 1"] for row in named]
    assert again == pytest.approx(other.tolist(), rel=1e-12)
    shown = trained.run("evaluate", "model.udg", "data.csv", "--prevalence", "0.01").stderr
    assert "these shares: '1' 0.01 (0.5 in training)" in shown


def test_evaluate_measures_for_the_prevalence(trained, told):
    head, *lines = csv().splitlines()
    rare = [line for place, line in enumerate(lines) if line.endswith("0") or place % 10 == 1]
    trained.write("rare.csv", "\n".join([head, *rare]) + "\n")
    command = ["evaluate", "model.udg", "rare.csv", "--by", "b"]
    share = sum(line.endswith("1") for line in rare) / len(rare)
    own = told(*command, "--prevalence", str(share))  # that of these rows
    found = told(*command, "--prevalence", "0.6")
    assert found["prevalence"] == {"0": 0.4, "1": 0.6}
    assert "prevalence" not in told(*command)
    # What precision is where the class is more frequent, from recall and false alarms.
    (tn, fp), (fn, tp) = found["confusion"]["counts"]
    recall, alarms = tp / (tp + fn), fp / (fp + tn)
    expected = 0.6 * recall / (0.6 * recall + 0.4 * alarms)
    assert found["measures"]["precision"] == pytest.approx(expected)
    assert found["measures"]["roc_auc"] == pytest.approx(own["measures"]["roc_auc"])
    low, high = found["intervals"]["precision"]
    assert low < expected < high
    assert found["groups"][0]["base_rate"] > own["groups"][0]["base_rate"]
    shown = trained.run(*command, "--prevalence", "0.6").stdout
    assert "for the shares of --prevalence: rows are weighted by their class." in " ".join(
        shown.split()
    )
    assert "weighted" not in trained.run(*command).stdout
    told_of = trained.run(*command, "--prevalence", "0.1").stderr
    assert "one row of '0' counts as much as 30% of all rows of '1'" in " ".join(told_of.split())


def test_prevalence_of_a_file_that_does_not_say_how_frequent_classes_were(trained, told):
    model = load("model.udg")
    expected = told("predict", "model.udg", "data.csv", "--prevalence", "0.2")
    notes = told("inspect", "model.udg")["notes"]
    model.steps[-1][1].class_prior_ = None
    save(model, "old.udg", notes)
    assert told("predict", "old.udg", "data.csv", "--prevalence", "0.2") == expected


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ("2", "give a share above 0 and below 1"),
        ("spam=0.1", "there is no class 'spam'"),
        ("often", "'often' is not a number"),
        ("0=0.5,1=0.2", "sum to 0.7, not to 1"),
    ],
)
def test_wrong_prevalence(trained, given, message):
    why = trained.refused("predict", "model.udg", "data.csv", "--prevalence", given, code=2)
    assert message in why


def test_recalibrate(trained, told):
    trained.write("new.csv", csv(count=90))
    shown = trained.run("recalibrate", "model.udg", "new.csv", "-o", "new.udg").stdout
    assert "mean probability of 1" in shown
    assert load("new.udg")[-1].calibration_.rows == 90
    before, after = (told("predict", name, "data.csv")["rows"] for name in ("model.udg", "new.udg"))
    assert [row["score"] for row in after] == [row["score"] for row in before]
    assert after != before
    explained = trained.run("explain", "new.udg").stdout
    assert "Its probabilities were recalibrated on 90 rows." in explained
    assert "recalibration" in told("inspect", "new.udg")["notes"]
    why = trained.refused("recalibrate", "model.udg", "new.csv", "-o", "new.udg", code=2)
    assert "give --force" in why


def test_data_like_the_training_data(program):
    head, *rows = csv(count=800).splitlines(keepends=True)
    program.write("data.csv", head + "".join(rows[:400]))
    program.write("new.csv", head + "".join(rows[400:]))
    program.train("data.csv")
    result = program.run("evaluate", "model.udg", "new.csv", "--json")
    found = json.loads(result.stdout)["training_data"]
    assert [column["name"] for column in found["columns"]] == ["a", "b"]
    assert {column["size"] for column in found["columns"]} == {"little"}
    assert found["score"]["size"] == "little"
    assert "No drift in 2 columns." in program.run("evaluate", "model.udg", "new.csv").stdout
    assert "differ" not in program.run("predict", "model.udg", "new.csv").stderr


def test_data_unlike_the_training_data(trained, told):
    rows = "".join(f"{100 + row},{'uz'[row % 2]},{row % 2},9\n" for row in range(60))
    trained.write("far.csv", "a,b,y,c\n" + rows)
    found = told("evaluate", "model.udg", "far.csv")["training_data"]
    number, level = found["columns"]
    assert (number["size"], number["outside"]) == ("large", 60)
    assert (level["new"], level["example"]) == (30, "z")
    assert found["extra_columns"] == ["c"]
    shown = trained.run("evaluate", "model.udg", "far.csv").stdout
    assert "30 rows with new levels, such as 'z'" in shown
    assert "The score drifts strongly" in shown
    note = trained.run("predict", "model.udg", "far.csv").stderr
    assert "differ from the training data: b (30 rows with new levels" in note
    assert "a (60 rows outside the range" in note


def test_a_file_without_a_profile_says_so(trained):
    save(load("model.udg"), "bare.udg")
    shown = trained.run("evaluate", "bare.udg", "data.csv", "-t", "y").stdout
    assert "does not say what its training data looked like" in shown
