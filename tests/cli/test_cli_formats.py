"""Excel workbooks and JSON arrays wherever a data file is read."""

import json

import openpyxl
import pytest

from tests.cli.examples import examples


def excel(rows):
    made = openpyxl.Workbook()
    made.active.title = "data"
    for row in (["a", "b", "y"], *rows):
        made.active.append(row)
    made.create_sheet("empty")
    made.save("data.xlsx")
    return "data.xlsx", ["--sheet", "data"]


def array(rows):
    with open("data.json", "w", encoding="utf-8") as file:
        json.dump([dict(zip("aby", row, strict=True)) for row in rows], file)
    return "data.json", []


@pytest.mark.parametrize("make", [excel, array])
def test_every_command(program, make):
    rows = [(float(a), b, f"class {y}") for a, b, y in examples()]
    name, more = make(rows)
    program.write("data.csv", "a,b,y\n" + "".join(f"{a},{b},{y}\n" for a, b, y in rows))
    program.train("data.csv", "-o", "csv.udg")
    program.train(name, *more, "-o", "model.udg")

    def told(command, data, model, *options):
        return program.run(command, model, data, *options, "--json", "-q").stdout

    for command, options in (("predict", []), ("evaluate", []), ("explain", ["--row", "1"])):
        own = told(command, name, "model.udg", *options, *more)
        assert json.loads(own) == json.loads(told(command, "data.csv", "csv.udg", *options))
    compared = program.run("compare", name, "-t", "y", "-m", "adaboost", "--cv", "2", *more)
    assert "60 examples, 30 of class 'class 1'" in compared.stdout


def test_a_sheet_that_is_not_there(program):
    name, _ = excel(examples())
    told = program.refused("train", name, "-t", "y", "--sheet", "dat", code=3)
    assert told == "data.xlsx: there is no sheet 'dat': did you mean 'data'?"
    assert "note: The first of 2 sheets, 'data', was read; --sheet chooses another: 'empty'." in (
        program.train(name).stderr
    )
    told = program.refused("train", "data.csv", "-t", "y", "--sheet", "data", code=3)
    assert told == "data.csv: this is csv, but only Excel workbooks have sheets"
