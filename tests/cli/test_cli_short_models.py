"""Short models, scorecards and edits on the command line."""

import json

import numpy as np
import pytest

from tests.cli.examples import csv
from underdog import AlternatingTreeDisplay, load
from underdog.cli.models import load_model
from underdog.cli.views import rules_view
from underdog.inspection.unwrap import unwrap
from underdog.model.alternating import AlternatingTree


@pytest.fixture
def told(trained):
    def run(*arguments):
        return json.loads(trained.run(*arguments, "--json").stdout)

    return run


def booster(path):
    return unwrap(load(path)).booster


def scores(told, path):
    return np.array([row["score"] for row in told("predict", path, "data.csv")["rows"]])


def test_shorten(trained, told):
    trained.write("new.csv", csv(count=90))
    given = ["shorten", "model.udg", "data.csv", "--max-rules", "2", "-o", "short.udg"]
    shown = trained.run(*given).stdout
    assert "Measured on data.csv, which chose the rules:" in shown
    for name in ("whole model", "early rounds", "best rules", "greatest margin", "kept"):
        assert name in shown
    rules = [each for each in booster("short.udg").model_.members if len(each.steps) > 1]
    assert 1 <= len(rules) <= 2
    measured = told(*given, "--test", "new.csv", "--force")["tried"]
    assert measured[0]["name"] == "whole model"
    wrong = 1.0 - told("evaluate", "model.udg", "new.csv")["measures"]["accuracy"]
    assert measured[0]["error"] == pytest.approx(wrong)
    notes = told("inspect", "short.udg")["notes"]
    assert "kept 2 of" in notes["changes after training"]["1"]
    assert notes["training"]["rules"] == len(booster("short.udg").model_.members)


def test_scorecard(trained, told):
    shown = trained.run("scorecard", "model.udg", "data.csv", "--points-to-double", "10").stdout
    assert "10 points double the odds" in " ".join(shown.split())
    assert "log loss" in shown
    card = told("scorecard", "model.udg", "data.csv", "-o", "card.udg")
    assert card["positive"] == "1"
    assert all(isinstance(line["points"], int) for line in card["lines"])
    points = scores(told, "card.udg") * 20.0 / np.log(2.0) * 2.0
    assert points == pytest.approx(np.rint(points), abs=1e-6)
    assert "rounded all steps to whole points" in trained.run("explain", "card.udg").stdout


def test_a_card_shows_the_threshold_in_points(trained, told):
    trained.train("data.csv", "--threshold", "recall=0.9", "-o", "moved.udg")
    threshold = load("moved.udg")[-1].threshold_
    shown = " ".join(trained.run("scorecard", "moved.udg").stdout.split())
    limit = threshold * 20.0 / np.log(2.0) * 2.0
    assert f"predicts '1' above {limit:.4g} points" in shown
    given = ["shorten", "moved.udg", "data.csv", "--max-rules", "2", "-o", "short.udg"]
    assert "predicts by its own" in " ".join(trained.run(*given).stderr.split())
    assert not hasattr(load("short.udg")[-1], "threshold_")


def test_edit(trained, told):
    before, members = scores(told, "model.udg"), booster("model.udg").model_.members
    given = ["edit", "model.udg", "--by", "the board", "--why", "not measured", "-o", "edited.udg"]
    shown = trained.run(*given, "--drop", "2", "--move", "1:no=0.25").stdout
    assert "edited by the board: dropped rule 2" in " ".join(shown.split())
    assert "Why: not measured" in " ".join(shown.split())
    changed = booster("edited.udg")
    assert len(changed.model_.members) == len(members) - 1
    assert changed.model_.members[0].steps[0, 0] == 0.25
    assert changed.model_.members[0].steps[1, 0] == members[0].steps[1, 0]
    assert not np.array_equal(scores(told, "edited.udg"), before)
    again = ["edit", "edited.udg", "--by", "x", "--why", "y", "-o", "again.udg"]
    assert len(told(*again, "--rising", "a")["edits"]) == 3
    assert "dropped rule 2" in json.dumps(told("inspect", "again.udg")["notes"])
    assert "edited by the board" in trained.run("explain", "again.udg").stdout


def test_edit_a_class(program):
    program.write("three.csv", csv(labels=("p", "q", "r"), count=90))
    program.train("three.csv", "-o", "three.udg")
    given = ["edit", "three.udg", "--by", "x", "--why", "y", "-o", "edited.udg", "--move", "1=0.5"]
    assert "label=None" in program.refused(*given, code=2)
    program.run(*given, "--label", "q")
    steps = booster("edited.udg").model_.members[0].steps
    assert steps[1].tolist()[1] == 0.5


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--drop", "99"], "there is no rule 99"),
        (["--move", "1"], "give RULE=VALUE"),
        (["--move", "1=x"], "give RULE=VALUE"),
        (["--move", "1:maybe=1"], "must be 'yes' or 'no'"),
        (["--rising", "nothing"], "there is no column 'nothing'"),
        (["--rising", "b"], "levels without an order"),
        (["--label", "1", "--drop", "1"], "--label is for --move"),
        ([], "nothing is changed"),
        (["--drop", "1", "--why", " "], "why=' ' must be a text"),
    ],
)
def test_wrong_edits_write_nothing(trained, arguments, message):
    given = ["edit", "model.udg", "--by", "x", "--why", "y", "-o", "new.udg", *arguments]
    assert message in trained.refused(*given, code=2)
    assert not (trained.folder / "new.udg").exists()


@pytest.mark.parametrize(
    "command",
    [
        ["shorten", "model.udg", "data.csv", "--max-rules", "2"],
        ["scorecard", "model.udg"],
        ["edit", "model.udg", "--by", "x", "--why", "y", "--drop", "1"],
    ],
    ids=lambda each: each[0],
)
def test_files_are_replaced_only_on_request(trained, command):
    before = (trained.folder / "model.udg").read_bytes()
    assert "exists: give --force" in trained.refused(*command, "-o", "model.udg", code=2)
    trained.write("notes.txt", "mine")
    assert "is not a model" in trained.refused(*command, "-o", "notes.txt", "--force", code=2)
    assert (trained.folder / "notes.txt").read_text() == "mine"
    assert (trained.folder / "model.udg").read_bytes() == before
    trained.run(*command, "-o", "model.udg", "--force")
    assert (trained.folder / "model.udg").read_bytes() != before


def test_what_is_refused(trained):
    out = ["-o", "new.udg"]
    two = ["--max-rules", "2"]
    trained.train("data.csv", "--model", "gradientboosting", "--target", "a", "-o", "numbers.udg")
    for arguments, message in (
        (["shorten", "numbers.udg", "data.csv", *two, *out], "does not predict classes"),
        (["scorecard", "numbers.udg"], "does not predict classes"),
        (["shorten", "data.csv", "model.udg", *two, *out], "give the model first"),
        (["shorten", "model.udg", "data.csv", *two, "-o", "data.csv"], "also an input"),
        (["scorecard", "model.udg", "--points-to-double", "0"], "must be above 0"),
    ):
        assert message in trained.refused(*arguments, code=2)
    for wrong in (
        ["shorten", "model.udg", "data.csv", "--max-rules", "0", *out],
        ["edit", "model.udg", "--by", "x", "--why", "y", "--drop", "0", *out],
    ):
        assert "0 is too small" in trained.run(*wrong, code=2).stderr
    assert not (trained.folder / "new.udg").exists()


def test_models_with_costs(trained):
    """Their probabilities are calibrated, so they can be edited and rounded, but not shortened."""
    trained.train("data.csv", "--cost", "fn=3,fp=1", "-o", "costs.udg")
    given = ["shorten", "costs.udg", "data.csv", "--max-rules", "2", "-o", "short.udg"]
    assert "train it without --cost" in trained.refused(*given, code=2)
    trained.run("edit", "costs.udg", "--by", "x", "--why", "y", "--drop", "1", "-o", "less.udg")
    costs, less = load("costs.udg")[-1], load("less.udg")[-1]
    assert less.costs == costs.costs
    assert len(unwrap(less).booster.model_) == len(unwrap(costs).booster.model_) - 1
    shown = " ".join(trained.run("scorecard", "costs.udg").stdout.split())
    assert "predicts the class with the least expected cost" in shown


def test_the_rules_of_slipper_are_numbered_as_they_are_edited(trained, told):
    trained.train("data.csv", "--model", "slipper", "--n-estimators", "12", "-o", "rules.udg")
    model = booster("rules.udg")
    assert len(model._shown.members) < len(model.model_.members)
    shown = trained.run("explain", "rules.udg", "--in-order").stdout
    last = len(model._shown.members)
    assert f"{last}." in shown
    assert f"{last + 1}." not in shown
    given = ["edit", "rules.udg", "--by", "x", "--why", "y", "--drop", last, "-o", "less.udg"]
    trained.run(*given)
    assert len(booster("less.udg").model_.members) == last - 1


def test_an_alternating_tree_is_drawn_and_begins_with_its_root(trained):
    trained.write("uneven.csv", csv(count=61))
    trained.train("uneven.csv", "--model", "adtree", "--n-estimators", "6", "-o", "tree.udg")
    shown = trained.run("explain", "tree.udg", "--in-order").stdout
    model = booster("tree.udg").model_
    tree = AlternatingTree.from_members(model.members, model.start)
    assert tree.is_deep
    assert f"baseline {tree.nodes[0].value[0]:+.3f}" in " ".join(shown.split())
    drawn = rules_view(load_model(trained.folder / "tree.udg"), 20).draw()
    assert isinstance(drawn, AlternatingTreeDisplay)
    trained.run("explain", "tree.udg", "--plot", "tree.svg")
    assert (trained.folder / "tree.svg").read_bytes().startswith(b"<?xml")
