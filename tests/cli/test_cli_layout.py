"""Options that say how a file is laid out, and columns that stay as they are written."""

import polars as pl

from underdog import load
from underdog.cli.opening import open_data
from underdog.cli.options import FileLayout
from underdog.cli.screen import Screen


def test_separator_and_header(program):
    text = (program.folder / "data.csv").read_text().replace(",", " ")
    lines = text.split("\n")
    program.write("spaced.txt", "\n".join(lines[1:]))
    told = ["--separator", "space", "--no-header", "--target", "column 3"]
    program.run("train", "spaced.txt", "--format", "csv", *told, *program.fast)
    assert list(load("model.udg").named_steps["columns"].roles_) == ["column 1", "column 2"]
    answer = program.run("predict", "model.udg", "spaced.txt", "--format", "csv", *told[:3])
    assert len(answer.stdout.splitlines()) == 61


def test_a_tab_can_be_written(program):
    program.write("tabs.txt", "a\tb\nx y\t1\n")
    for written in ("tab", "\\t", "\t"):
        data = open_data("tabs.txt", FileLayout("csv", written), Screen(quiet=True))
        assert data.frame.columns == ["a", "b"]


def test_levels_stay_as_they_are_written(program):
    """All levels of the new rows are numbers, but the model knows them as text."""
    rows = [f"{level},{label}" for level, label in [("1.50", "p"), ("2.0", "q"), ("x", "q")] * 20]
    program.write("levels.csv", "\n".join(["level,y", *rows]) + "\n")
    program.train("levels.csv")
    program.write("new.csv", "level\n1.50\n2.0\n")
    program.run("predict", "model.udg", "new.csv", "-o", "out.csv")
    assert pl.read_csv("out.csv")["prediction"].to_list() == ["p", "q"]
