"""Columns to look at twice."""

import json
import random
import re

import numpy as np
import pytest

from underdog.cli.class_plan import nearly_perfect
from underdog.cli.suspicion import meaning

DIVIDED, NUMBERED = "say how the rows were split", "identify the row"


@pytest.mark.parametrize(
    "name", ["split", "SPLIT", "Fold", "folds", "set", "subset", "partition", "data_split",
             "cvFold", "cv-fold", "fold 1", "is_train"],
)  # fmt: skip
def test_names_of_divisions(name):
    assert meaning(name) == DIVIDED


@pytest.mark.parametrize(
    "name", ["id", "ID", "Id", "index", "Index", "row", "row_id", "rowId", "RowID", "row number",
             "row.index", "customer_id", "customerID", "idx", "uuid", "Unnamed: 0"],
)  # fmt: skip
def test_names_of_numberings(name):
    assert meaning(name) == NUMBERED


@pytest.mark.parametrize(
    "name", ["", "7", "age", "grid", "paid", "valid", "body mass index", "refractive_index", "sets",
             "settlement", "arrow", "train fare", "tile set", "idea", "ärztin"],
)  # fmt: skip
def test_other_names(name):
    assert meaning(name) == ""


def test_nearly_perfect():
    """One in a hundred of the mistakes that the most frequent class would make."""
    true = np.repeat([0, 1], [900, 100])
    assert nearly_perfect(true, true)
    one, two = true.copy(), true.copy()
    one[0] = 1
    two[:2] = 1
    assert nearly_perfect(true, one)
    assert not nearly_perfect(true, two)


def rows(count=240):
    """A class, what it is made of, and things that have nothing to do with it."""
    chance = random.Random(0)
    for _ in range(count):
        code = chance.randrange(24)
        yield {
            "noise": round(chance.random(), 2),
            "code": f"c{code}",
            "half": chance.choice("uv") if code % 2 else "w",
            "split": chance.choice(["train", "test"]),
            "y": "no" if code % 2 else "yes",
        }


def write(program, *columns):
    lines = [",".join(str(row[column]) for column in columns) for row in rows()]
    program.write("data.csv", "\n".join([",".join(columns), *lines]) + "\n")


def warning(found):
    """The line about results that are too good."""
    (line,) = [line for line in found.stdout.splitlines() if "too good" in line]
    return line


def test_a_column_that_determines_the_class_is_named_twice(program):
    write(program, "noise", "code", "y")
    command = ["train", "data.csv", "-t", "y", "-m", "adaboost", "--force"]
    found = program.run(*command)
    assert (
        "note: column 'code' determines the class of every row: if it is not known before the "
        "class is, leave it out with --ignore code\n"
    ) in found.stderr
    assert warning(found) == (
        "This may be too good to be true: none of the 240 rows was predicted wrongly in "
        "cross-validation. Only column 'code' is used. If it is not known before the class is, "
        "leave it out with --ignore code."
    )
    suspect = json.loads(program.run(*command, "--json").stdout)["suspect"]
    assert suspect == {
        "mistakes": 0, "column": "code", "accuracy": 1.0, "alone": True, "columns": 1
    }  # fmt: skip
    found = program.run(*command, "--ignore", "code")
    assert "too good" not in found.stdout
    assert "determines" not in found.stderr


def test_a_column_that_is_enough_alone_among_others(program):
    """The first rule is about another column, since that of the band needs two cuts."""
    chance = random.Random(1)
    lines = []
    for row in range(400):
        band = row % 4
        inside = band in (1, 2)
        often, number = inside ^ (chance.random() < 0.1), band + 0.2 * chance.random()
        lines.append(f"{often:d},{number:.3f},{inside:d}")
    program.write("data.csv", "often,band,y\n" + "\n".join(lines) + "\n")
    command = ["train", "data.csv", "-t", "y", "-m", "adaboost", "--n-estimators", "40", "--force"]
    found = program.run(*command).stdout
    assert re.search(r"^ *1\. +often", found, re.M)
    assert "too good to be true" in found
    assert ". Column 'band' alone is as good (accuracy " in found
    suspect = json.loads(program.run(*command, "--json").stdout)["suspect"]
    assert (suspect["column"], suspect["alone"], suspect["columns"]) == ("band", True, 2)


@pytest.mark.parametrize("model", ["adaboost", "totalboost"])
def test_no_column_is_enough_alone(program, model):
    """What a booster cannot do with one column is not told about the model."""
    chance = random.Random(0)
    lines = []
    for _ in range(400):
        a, b = chance.choice("uv"), chance.choice("xy")
        lines.append(f"{a},{b},{'yes' if (a, b) == ('u', 'x') else 'no'}")
    program.write("data.csv", "a,b,y\n" + "\n".join(lines) + "\n")
    found = program.run("train", "data.csv", "-t", "y", "-m", model, "--n-estimators", "20")
    assert "no positive soft margin" not in found.stderr
    told = warning(found)
    assert told.startswith("This may be too good to be true: none of the 400 rows was predicted")
    assert ". No column alone is as good; the best is " in told


def test_a_matrix(program):
    program.write("data.svm", "".join(f"{i % 2} 1:{i % 7} 2:{i % 2}\n" for i in range(80)))
    found = program.run("train", "data.svm", "-m", "adaboost", "--n-estimators", "3")
    assert warning(found) == (
        "This may be too good to be true: none of the 80 rows was predicted wrongly in "
        "cross-validation. Only column 'x1' is used. If it is not known before the class is, leave "
        "it out."
    )


def test_a_column_that_says_how_rows_were_divided_is_asked_about(program):
    write(program, "noise", "half", "split", "y")
    found = program.train("data.csv")
    assert (
        "note: column 'split' is used, but its name suggests that it may say how the rows were "
        "split: if so, give --split-column split, or leave it out with --ignore split\n"
    ) in found.stderr
    assert "is used" not in program.train("data.csv", "--ignore", "split").stderr
    compare = ["compare", "data.csv", "-t", "y", "-m", "adaboost", "-m", "adauboost", "--cv", "2"]
    assert "note: column 'split' is used, but" in program.run(*compare).stderr


def test_a_column_that_is_left_out_is_not_asked_about(program):
    lines = [f"{row},{(row * 7) % 10},{row % 2}" for row in range(60)]
    program.write("data.csv", "row id,a,y\n" + "\n".join(lines) + "\n")
    found = program.train("data.csv")
    assert "row id: identifier (left out)" in found.stderr
    assert "is used" not in found.stderr
    program.write("data.csv", "row id,a,y\n" + "\n".join([*lines, lines[0]]) + "\n")
    assert "leave it out with --ignore 'row id'\n" in program.train("data.csv").stderr


def prices(program, *columns):
    """A price, the price in another currency, and a little that it depends on."""
    rng = np.random.default_rng(0)
    size, tax = rng.uniform(40, 200, 300), rng.uniform(0.0, 0.3, 300)
    price = np.rint(1000 * size * (1 + tax) + rng.normal(0, 30_000, 300))
    made = {"size": size, "tax": tax, "dollars": 1.1 * price, "y": price}
    rows = np.column_stack([made[column] for column in columns])
    lines = [",".join(f"{value:.2f}" for value in row) for row in rows]
    program.write("prices.csv", "\n".join([",".join(columns), *lines]) + "\n")


def test_a_number_that_another_column_gives_away(program):
    prices(program, "size", "tax", "dollars", "y")
    command = ["train", "prices.csv", "-t", "y", "-m", "gradientboosting", "--force"]
    found = warning(program.run(*command))
    assert re.fullmatch(
        r"This may be too good to be true: R2 is 0\.99\d\d in cross-validation\. Column 'dollars' "
        r"alone is as good \(R2 0\.99\d\d\)\. If it is not known before the target is, leave it "
        r"out with --ignore dollars\.",
        found,
    )
    suspect = json.loads(program.run(*command, "--json").stdout)["suspect"]
    assert set(suspect) == {"r2", "column", "column_r2", "alone", "columns"}
    assert (suspect["column"], suspect["alone"], suspect["columns"]) == ("dollars", True, 3)
    medians = [*command, "--quantiles", "0.1,0.5,0.9", "--n-estimators", "400"]
    assert "Column 'dollars' alone is as good" in warning(program.run(*medians))


def test_a_number_that_is_hard_to_predict(program):
    prices(program, "size", "tax", "y")
    command = ["train", "prices.csv", "-t", "y", "-m", "gradientboosting"]
    assert "too good" not in program.run(*command).stdout
