"""What `underdog train` reports, and in which order."""

import json
import re
from datetime import date, timedelta

import pytest

from tests.cli.examples import csv
from underdog.cli.report import SHOWN_LINES


def rules_shown(shown):
    """The lines of rules, below the head of their table, and the line after them."""
    lines = shown.splitlines()
    (head,) = [place for place, line in enumerate(lines) if line.split()[:1] == ["rule"]]
    return [line for line in lines[head + 1 :] if line[:3] != "..."], lines[-1]


def test_measures_come_first_and_rules_last(trained):
    shown = trained.train("data.csv").stdout
    places = [
        shown.index(part)
        for part in ("cross-validation", "precision  ", "Confusion matrix", "The model predicts",
                     "AdaBoostClassifier with 4 rules", "\n1.  ")
    ]  # fmt: skip
    assert places == sorted(places)


def test_rules_are_limited_by_lines(program):
    names = [f"a category with a long name, number {i}" for i in range(12)]
    rows = [f'"{names[i % 12]}",{i % 7},{(i % 12 < 6) ^ (i % 7 < 3):d}' for i in range(240)]
    program.write("data.csv", "\n".join(["long,b,y", *rows]) + "\n")
    lines, last = rules_shown(program.train("data.csv", "--n-estimators", "30").stdout)
    assert len(lines) <= SHOWN_LINES
    shown = [line for line in lines if re.match(r" *\d+\.", line)]
    assert 1 <= len(shown) < SHOWN_LINES < 30
    found = re.fullmatch(r"\.\.\. (\d+) more rules: underdog explain model.udg", last)
    total = int(re.search(r"with (\d+) rules", program.run("explain", "model.udg").stdout)[1])
    assert int(found[1]) == total - len(shown)


def test_a_rule_that_is_too_long_is_cut(program):
    rows = [f"{i},{i * i % 89},{(i * 37 % 101) ** 2 + 0.5}" for i in range(160)]
    program.write("data.csv", "\n".join(["a,b,y", *rows]) + "\n")
    options = ["--model", "adaboostr2", "--max-depth", "5", "--n-estimators", "4"]
    lines, last = rules_shown(program.train("data.csv", *options).stdout)
    assert len(lines) == SHOWN_LINES
    assert last == "... the rest of this rule and 3 more rules: underdog explain model.udg"


def test_of_trees_the_important_columns_are_shown(program):
    program.write("data.csv", csv("pqrstuvw", count=160))
    shown = program.train("data.csv", "--model", "gradientboosting").stdout
    assert re.search(
        r"\ncolumn  importance\n(\w+ +[01]\.\d{3}\n)+\n4 rules: underdog explain", shown
    )
    found = program.run("explain", "model.udg").stdout
    assert found.index("column  importance") < found.index(
        "\n 1.  " if "\n 1." in found else "\n1.  "
    )


def test_a_few_rules_are_shown_completely(program):
    lines, last = rules_shown(program.train("data.csv", "--n-estimators", "2").stdout)
    assert len(lines) == 2
    assert last == lines[-1]


@pytest.mark.parametrize(
    ("classes", "cost", "measure", "title"),
    [
        ("uv", [], "average_precision", "average precision"),
        ("uvw", [], "f1", "F1"),
        ("uv", ["--cost", "u:v=3"], "cost", "mean cost"),
    ],
)
def test_train_and_compare_rank_by_the_same_measure(program, classes, cost, measure, title):
    program.write("data.csv", csv(classes))
    train = ["train", "data.csv", "-t", "y", "--cv", "3", "--n-estimators", "3", "--force", *cost]
    compare = ["compare", "data.csv", "-t", "y", "--cv", "3", "-m", "adaboost", *cost]
    sentence = f"\nModels are ranked by {title}, "
    assert sentence in program.run(*train).stdout
    assert sentence in program.run(*compare).stdout
    assert json.loads(program.run(*train, "--json").stdout)["ranked_by"] == measure
    assert json.loads(program.run(*compare, "--json").stdout)["main_measure"] == measure


def test_missing_values_of_all_kinds_are_counted(program):
    rows = [f"{i if i % 5 else ''},{'uv'[i % 2] if i % 3 else ''},{i % 2}" for i in range(60)]
    program.write("data.csv", "\n".join(["a,b,y", *rows]) + "\n")
    told = program.train("data.csv").stderr
    assert "  a: number, from 1 to 59, 12 missing\n" in told
    assert "  b: category, 2 different values, 20 missing\n" in told


def test_dates_are_told_by_an_example_and_weekdays_by_name(program):
    rows = [f"{i % 28 + 1:02}.0{i % 2 + 1}.2023,{i % 3},{(i % 28) % 7 < 5:d}" for i in range(200)]
    program.write("data.csv", "\n".join(["when,b,y", *rows]) + "\n")
    found = program.train("data.csv", "--n-estimators", "20")
    assert "  when: date, dates like 01.01.2023, read as day.month.year\n" in found.stderr
    told = program.run("explain", "model.udg", "--in-order", "--max-display", "50").stdout
    days = "Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday"
    assert re.search(rf"when: weekday > ({days}) ", told)
    assert not re.search(r"weekday > \d", told)
    program.write("days.csv", "\n".join(["when,y", *(
        f"{date(2023, 1, 2) + timedelta(days=i)},{i % 7 in (3, 4):d}" for i in range(140)
    )]))  # fmt: skip
    program.train("days.csv", "--n-estimators", "20")
    shown = program.run("explain", "model.udg").stdout
    assert re.search(r" when: weekday +<= Wednesday +-.*\n +Thursday to Friday +\+", shown)


def test_repeated_rows_are_told_by_train_only(program):
    program.write("data.csv", csv() + csv().split("\n", 1)[1])
    note = "note: 60 of 120 rows repeat an earlier row\n"
    assert note in program.train("data.csv").stderr
    for command in (
        ["predict", "model.udg", "data.csv"],
        ["evaluate", "model.udg", "data.csv"],
        ["explain", "model.udg", "data.csv", "--needed"],
        ["compare", "data.csv", "-t", "y", "-m", "adaboost", "--cv", "2"],
    ):
        assert "repeat" not in program.run(*command).stderr


def test_an_infinite_threshold_names_the_option(program):
    found = program.train("data.csv", "--threshold", "recall=1")
    assert (
        "The model always predicts '1' (threshold chosen by recall=1 on left-out rows; "
        "--threshold chooses another).\n"
    ) in found.stdout
    assert "choose=" not in found.output


def test_inspect_has_labels_for_people_and_keys_for_programs(program):
    program.write("data.csv", csv())
    program.run("train", "data.csv", "-t", "y", "--cv", "2", "--n-estimators", "3")
    shown = program.run("inspect", "model.udg").stdout
    assert "\n  what was chosen, and why:\n    60 rows and 2 columns: " in shown
    for label in ("models ranked by", "target column", "rows of each class",
                  "positive class", "number of rules", "end of training"):  # fmt: skip
        assert f"\n  {label}: " in shown
    assert "\n  prediction: predicts '1' if the score is above " in shown
    told = json.loads(program.run("inspect", "model.udg", "--json").stdout)["notes"]["training"]
    assert not [key for key in told if f"\n  {key}: " in shown and "_" in key]
    assert {"stop_reason", "ranked_by", "positive", "decision"} <= set(told)
    program.train("data.csv")
    shown = program.run("inspect", "model.udg").stdout
    assert "\n  threshold: Accuracy in cross-validation: " in shown


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("train data.csv -t y --max-depth two", "--max-depth: 'two' is not a whole number"),
        ("train data.csv -t y --n-estimators 0", "--n-estimators: 0 is too small: give 1 or more"),
        ("compare data.csv -t y --cv 1", "--cv: 1 is too small: give 2 or more"),
        ("explain model.udg data.csv --row 1.5", "--row: '1.5' is not a whole number"),
    ],
)
def test_numbers_that_are_none(program, arguments, message):
    told = program.run(*arguments.split(), code=2).stderr
    assert message in told
    assert "Invalid value" not in told
