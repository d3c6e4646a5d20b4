"""What is decided about data files that are not as they should be."""

import gzip
import io
import os
import threading
import zipfile
from pathlib import Path

import pytest

from tests.cli.examples import csv
from underdog.frames.errors import row_number

ROWS = csv().split("\n", 1)[1]


def workbook():
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        archive.writestr("content.xml", "<workbook/>")
    return made.getvalue()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "data.csv: the file is empty"),
        ("a,b,y\n", "data.csv: there are no rows after the header"),
        ("a,b,b\n" + ROWS, "data.csv, line 1: columns 2 and 3 are both named 'b'"),
        ("a,b,z\n" + ROWS, "data.csv: there is no column 'y'"),
        ("a,b,y\n1,u\n" + ROWS, "data.csv, row 1 (line 2): 2 values for 3 columns"),
        ("a,b,y\n" + ROWS + '1,"u,1\n' + ROWS, "data.csv, row 61 (line 62): a quote opens"),
        ("a,b,y\n1,u,1\n2,v,1\n", "column 'y': all 2 rows have the class 1"),
        ("a,b,y\n1,u,\n2,v,\n", "column 'y': no row has a label"),
        ("y\n0\n1\n", "data.csv: there is no column besides the target"),
        ("a,y\n1,0\n1,1\n1,0\n1,1\n", "data.csv: no column can be used: 'a' is constant"),
        (bytes(range(256)), "data.csv"),
    ],
    ids=lambda value: None if isinstance(value, bytes) else value[:12],
)
def test_refused(program, text, message):
    program.write("data.csv", text)
    assert message in program.refused("train", "data.csv", "-t", "y", code=3)


def test_a_file_that_is_not_there(program):
    assert program.refused("train", "nothing.csv", "-t", "y", code=3).startswith("nothing.csv: ")


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        (
            "x.ods",
            workbook(),
            "this is a binary Excel workbook or one of LibreOffice, which cannot ",
        ),
        (
            "x.xls",
            b"\xd0\xcf\x11\xe0",
            "this is an old Excel file (.xls), or one with a password, ",
        ),
    ],
)
def test_files_of_other_kinds(program, name, content, message):
    program.write(name, content)
    assert program.refused("train", name, "-t", "y", code=3).startswith(f"{name}: {message}")


def test_a_decimal_comma_is_not_a_thousands_separator(program):
    rows = [f'"0,{126 + 7 * i}",{"low" if i < 40 else "high"}' for i in range(80)]
    program.write("commas.csv", "\n".join(["share,y", *rows]) + "\n")
    found = program.train("commas.csv")
    assert "note: Commas in column 'share' were read as decimal commas" in found.stderr
    assert "  share: number, from 0.126 to 0.679\n" in found.stderr


def test_a_compressed_file_that_is_cut_off(program):
    program.write("data.csv.gz", gzip.compress(csv().encode())[:-20])
    message = program.refused("train", "data.csv.gz", "-t", "y", code=3)
    assert message.startswith("data.csv.gz: the file is damaged (")


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("mark.csv", b"\xef\xbb\xbf" + csv().encode()),
        ("returns.csv", csv().replace("\n", "\r\n")),
        ("both.csv", b"\xef\xbb\xbf" + csv().replace("\n", "\r\n").encode()),
        ("small.csv.gz", gzip.compress(csv().encode())),
        ("data.tsv", csv().replace(",", "\t")),
        ("semicolons.csv", csv().replace(",", ";")),
        ("without_newline.csv", csv().rstrip()),
        ("unnamed", csv()),
    ],
)
def test_the_same_rows_in_another_form_give_the_same_model(trained, name, text):
    plain = trained.run("explain", "model.udg").stdout
    trained.write(name, text)
    trained.train(name)
    assert trained.run("explain", "model.udg").stdout == plain


def test_rows_without_a_label_are_left_out(program):
    program.write("data.csv", csv() + "1,u,\n")
    found = program.train("data.csv")
    assert "note: left out 1 row without a label; the first is row 61 (" in found.stderr
    assert "data.csv: 60 rows\n" in found.stderr
    told = program.run("evaluate", "model.udg", "data.csv").stderr
    assert "note: left out 1 row without a label\n" in told


def test_text_in_a_column_of_numbers(program):
    program.write("data.csv", csv() + "old,u,1\n")
    assert (
        "1 of 61 values are not numbers, the first is 'old' in row 61"
        in program.train("data.csv").stderr
    )
    message = program.refused("train", "data.csv", "-t", "y", "--number", "a", "--force", code=3)
    assert message == f"data.csv, {row_number(61)}, column 'a': 'old' is not a number"


def test_rows_in_messages_are_those_of_the_file(program):
    program.write("data.csv", "a,b,y\n1,u,\n2,u,\n" + ROWS + "old,u,1\n")
    message = program.refused("train", "data.csv", "-t", "y", "--number", "a", code=3)
    assert message == f"data.csv, {row_number(63)}, column 'a': 'old' is not a number"


def test_a_target_that_is_also_a_feature(program):
    program.write("data.csv", "a,b,same,y\n" + "".join(
        f"{row},{row.rsplit(',', 1)[1]}\n" for row in ROWS.splitlines()
    ))  # fmt: skip
    assert (
        "note: column 'same' determines the class of every row" in program.train("data.csv").stderr
    )


def test_ten_thousand_columns(program):
    head = ",".join(f"c{c}" for c in range(10_000))
    rows = "".join(f"{'1,2,3,4,' * 2500}{row % 2}\n".replace("1,", f"{row},", 1)
                   for row in range(20))  # fmt: skip
    program.write("wide.csv", f"{head},y\n{rows}")
    found = program.train("wide.csv")
    assert "  ... and 9,980 more columns\n" in found.stderr
    assert len(found.stderr.splitlines()) < 30


def test_other_formats(program):
    import polars as pl

    frame = pl.read_csv("data.csv")
    frame.write_parquet("data.parquet")
    frame.write_ndjson("data.jsonl")
    rows = [f"{int(y) * 2 - 1} 1:{a} 3:{len(b)}" for a, b, y in frame.rows()]
    program.write("data.svm", "\n".join(rows) + "\n")
    for name in ("data.csv", "data.parquet", "data.jsonl"):
        program.train(name, "-o", f"{name}.udg")
    explained = [program.run("explain", f"data.{name}.udg").stdout
                 for name in ("csv", "parquet", "jsonl")]  # fmt: skip
    assert explained[0] == explained[1] == explained[2]
    program.run("train", "data.svm", *program.fast, "-o", "svm.udg")
    program.run("evaluate", "svm.udg", "data.svm")
    program.run("predict", "svm.udg", "data.svm")
    program.write("wider.svm", "1 1:0.5 9:1\n")
    assert "column 9" in program.refused("predict", "svm.udg", "wider.svm", code=3)
    assert "give an svmlight file" in program.refused("predict", "svm.udg", "data.csv", code=3)
    assert "leave --target out" in program.refused(
        "train", "data.svm", "-t", "y", "-o", "new.udg", code=3
    )


def test_a_folder_of_texts(program):
    for number in range(12):
        program.write(f"mail/spam/{number}.txt", f"win a free prize number {number}")
        program.write(f"mail/ham/{number}.txt", f"see you at home at {number}")
    found = program.run("train", "mail", *program.fast)
    assert "classes: ham 12 (50.0%), spam 12 (50.0%)" in found.stderr
    program.write("new/x/1.txt", "a free prize for you")
    rows = program.run("predict", "model.udg", "new").stdout.splitlines()
    assert rows[1].startswith("spam,")
    program.write("loose/1.txt", "a text without a class")
    for target in ([], ["-t", "text"], ["-t", "label"]):
        message = program.refused("train", "loose", *target, "-o", "new.udg", code=3)
        assert message.startswith(
            "loose: the folder has no sub-folders: put the text files of each"
        )


def test_standard_input(program):
    given = ["train", "-", "-t", "y", *program.fast]
    assert "standard input: 60 rows" in program.run(*given, given=csv()).stderr
    rows = program.run("predict", "model.udg", "-", given=csv()).stdout
    assert rows == program.run("predict", "model.udg", "data.csv").stdout
    assert (
        "standard input: the file is empty"
        in program.run(*given, "--force", given="", code=3).stderr
    )


@pytest.mark.parametrize(
    "command",
    ["train {} -t y -o new.udg --cv 2 --n-estimators 2", "predict model.udg {}",
     "evaluate model.udg {}", "explain model.udg {} --row 2",
     "compare {} -t y -m adaboost -m adauboost --cv 2"],
)  # fmt: skip
def test_a_pipe_in_place_of_a_file(trained, command):
    os.mkfifo("pipe")
    feeder = threading.Thread(target=lambda: Path("pipe").write_text(csv()))
    feeder.start()
    found = trained.run(*command.format("pipe").split()).stdout
    feeder.join()
    plain = trained.run(*command.format("data.csv").split(), *["--force"] * ("train" in command))
    if "compare" not in command:  # which tells seconds
        assert found.replace("pipe", "data.csv") == plain.stdout
