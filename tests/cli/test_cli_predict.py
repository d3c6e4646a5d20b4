"""`underdog predict`: the columns it needs, the forms it writes, and nothing by halves."""

import json

import polars as pl
import pytest

from tests.cli.examples import csv


def test_one_line_per_row(trained):
    found = trained.run("predict", "model.udg", "data.csv")
    head, *rows = found.stdout.splitlines()
    assert head == "prediction,score,probability of 0,probability of 1"
    assert len(rows) == 60
    assert found.stderr == "predicted 60 rows\n"
    assert trained.run("predict", "model.udg", "data.csv", "-q").stderr == ""


def test_columns_in_any_order_and_more_of_them(trained):
    rows = pl.read_csv("data.csv")
    rows.select("b", pl.lit("new").alias("extra"), "a").write_csv("other.csv")
    first = trained.run("predict", "model.udg", "data.csv").stdout
    assert trained.run("predict", "model.udg", "other.csv").stdout == first
    rows.select("a", "y").write_csv("fewer.csv")
    message = trained.refused("predict", "model.udg", "fewer.csv", code=3)
    assert (
        message == "fewer.csv: column 'b' of the training data is missing: the data have 'a', 'y'"
    )


@pytest.mark.parametrize("name", ["new.csv", "new.jsonl"])
def test_all_columns_that_are_missing_are_named(trained, name):
    frame = pl.DataFrame({"A": [1.5], "B": ["u"], "other": [2]})
    frame.write_csv(name) if name.endswith("csv") else frame.write_ndjson(name)
    message = trained.refused("predict", "model.udg", name, code=3)
    assert message == (
        f"{name}: 2 columns of the training data are missing: 'a', 'b'; did you mean 'A' for 'a', "
        "'B' for 'b'?"
    )


def test_words_where_numbers_should_be(trained):
    trained.write("new.csv", "a,b\n1,u\nmany,v\n")
    message = trained.refused("predict", "model.udg", "new.csv", code=3)
    assert message == (
        "new.csv, row 2 (the first data row is 1), column 'a': 'many' is not a number"
    )


def test_a_category_that_was_not_there_counts_as_missing(trained):
    trained.write("new.csv", "a,b\n1,never\n1,\n")
    one, other = trained.run("predict", "model.udg", "new.csv").stdout.splitlines()[1:]
    assert one == other


@pytest.mark.parametrize("name", ["out.csv", "out.tsv", "out.jsonl", "out.parquet"])
def test_files(trained, name):
    shown = pl.read_csv(trained.run("predict", "model.udg", "data.csv").stdout.encode())
    trained.run("predict", "model.udg", "data.csv", "-o", name)
    read = {
        "csv": pl.read_csv, "jsonl": pl.read_ndjson, "parquet": pl.read_parquet,
        "tsv": lambda path: pl.read_csv(path, separator="\t"),
    }[name.split(".")[1]]  # fmt: skip
    assert read(name).equals(shown)


def test_columns_to_repeat(trained):
    lines = trained.run("predict", "model.udg", "data.csv", "--keep", "b").stdout.splitlines()
    assert lines[0].startswith("b,prediction,")
    assert lines[1][0] == csv().splitlines()[1].split(",")[1]
    message = trained.refused("predict", "model.udg", "data.csv", "--keep", "z", code=3)
    assert "there is no column 'z'" in message


def test_columns_to_repeat_stay_as_they_are_written(trained):
    trained.write("new.csv", "id,code,a,b\n7,7.50,1,u\n,NA,,v\n9,0.10,2.5,w\n")
    keep = [part for name in ("id", "code", "a") for part in ("--keep", name)]
    lines = trained.run("predict", "model.udg", "new.csv", *keep).stdout.splitlines()[1:]
    assert [line.split(",")[:3] for line in lines] == [
        ["7", "7.50", "1.0"], ["", "NA", ""], ["9", "0.10", "2.5"],
    ]  # fmt: skip


def test_columns_to_repeat_keep_their_types_where_there_are_types(trained):
    trained.write("new.csv", "id,a,b\n7,1,u\n9,2.5,w\n")
    found = trained.run("predict", "model.udg", "new.csv", "--keep", "id", "--json")
    assert [row["id"] for row in json.loads(found.stdout)["rows"]] == [7, 9]
    trained.run("predict", "model.udg", "new.csv", "--keep", "id", "-o", "out.parquet")
    assert pl.read_parquet("out.parquet")["id"].to_list() == [7, 9]


@pytest.mark.parametrize("name", ["prediction", "score", "probability of 1"])
def test_columns_to_repeat_that_are_called_like_the_answer(trained, name):
    trained.write("new.csv", f"{name},a,b\n7,1,u\n")
    message = trained.refused("predict", "model.udg", "new.csv", "--keep", name, code=2)
    assert message.startswith(f"--keep {name}: the output has a column of this name")


def test_columns_to_repeat_of_a_matrix(program):
    program.write("data.svm", "".join(f"{i % 2} 1:{i % 2 + i / 50} 2:1\n" for i in range(40)))
    program.run("train", "data.svm", *program.fast)
    message = program.refused("predict", "model.udg", "data.svm", "--keep", "x0", code=3)
    assert message == "data.svm: the columns have no names: leave --keep out"


def test_a_file_and_json(trained):
    found = trained.run("predict", "model.udg", "data.csv", "-o", "out.csv", "--json")
    assert pl.read_csv("out.csv").to_dicts() == json.loads(found.stdout)["rows"]


def test_nothing_is_half_written(trained, monkeypatch):
    trained.write("out.csv", "old")

    def full(descriptor):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    message = trained.refused("predict", "model.udg", "data.csv", "-o", "out.csv", code=1)
    assert message == "out.csv cannot be written: No space left on device"
    assert (trained.folder / "out.csv").read_text() == "old"
    assert sorted(each.name for each in trained.folder.iterdir()) == [
        "data.csv", "model.udg", "out.csv",
    ]  # fmt: skip


def test_refused(trained):
    told = trained.refused("predict", "model.udg", "data.csv", "-o", "out.xls", code=2)
    assert "must end with .csv, .tsv" in told
    told = trained.refused("predict", "model.udg", "data.csv", "-o", "no/out.csv", code=2)
    assert "there is no folder no" in told
    told = trained.refused("predict", "model.udg", "data.csv", "-o", "data.csv", code=2)
    assert told == "--output data.csv is also an input: give another name"
    assert "not an underdog model" in trained.refused("predict", "data.csv", "data.csv", code=4)
    told = trained.refused("inspect", "data.csv", code=4)
    assert told == "data.csv is not an underdog model: give a file that underdog train wrote"
    told = trained.refused("predict", "data.csv", "model.udg", code=2)
    assert told == "model.udg is a model and data.csv is not: give the model first, then the data"
    told = trained.refused("predict", "model.udg", "model.udg", code=3)
    assert told == "model.udg: this is an underdog model, not data: give a data file"
    assert trained.refused("predict", "no.udg", "data.csv", code=4).startswith("no.udg: No such")


def test_evaluate_wants_the_classes_of_training(trained):
    trained.write("new.csv", csv(("0", "7")))
    message = trained.refused("evaluate", "model.udg", "new.csv", code=3)
    assert message.startswith(
        "new.csv: class '7' did not occur in training: the classes of the model are '0'"
    )
    trained.write("new.csv", "a,b\n1,u\n")
    assert "there is no column 'y'" in trained.refused("evaluate", "model.udg", "new.csv", code=3)


def test_evaluate_counts(trained):
    told = json.loads(trained.run("evaluate", "model.udg", "data.csv", "--json").stdout)
    rows = trained.run("predict", "model.udg", "data.csv").stdout.splitlines()[1:]
    right = sum(
        row.split(",")[0] == line.rsplit(",", 1)[1]
        for row, line in zip(rows, csv().splitlines()[1:], strict=True)
    )
    assert told["measures"]["accuracy"] == pytest.approx(right / 60)
    assert sum(map(sum, told["confusion"]["counts"])) == told["rows"] == 60
