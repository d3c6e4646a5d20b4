"""New rows are read as those of the training were."""

from pathlib import Path

from underdog.cli.class_model import ClassModel
from underdog.cli.models import load_model
from underdog.cli.options import FileLayout
from underdog.cli.screen import Screen
from underdog.files.container import pack, unpack

OLD = Path(__file__).parents[1] / "files" / "v1" / "categories.udg"


def test_files_of_version_1_call_it_something_else(program):
    """A real model of version 1, with the notes that `underdog train` wrote then."""
    header, arrays = unpack(OLD, OLD.read_bytes())
    notes = {"training": {"target": "label", "manner": {"commas": {"wage": "thousands"}}}}
    program.write("old.udg", pack({**header, "notes": notes}, arrays))
    loaded = load_model(Path("old.udg"))
    assert loaded.training == {
        "target": "label", "read_options": {"commas": {"wage": "thousands"}},
    }  # fmt: skip
    program.write("new.tsv", "wage\n3,000\n")  # without the notes it would be 3
    with Screen(quiet=True) as screen:
        data = loaded.open("new.tsv", FileLayout(), screen)
    assert data.frame["wage"].to_list() == [3000]


def test_what_was_guessed_in_training_holds(program):
    loaded = ClassModel(None, Path("model.udg"), {"read_options": {"zero_based": True}})
    path = program.write("row.svm", "1 2:4\n")
    with Screen(as_json=False, quiet=True, verbose=False) as screen:
        data = loaded.open(path, FileLayout(), screen)
    assert data.matrix.toarray().tolist() == [[0, 0, 4]]


def test_thousands_are_read_as_in_training(program):
    poor = [f"{1_000 + 900 * i:,}\tpoor" for i in range(40)]
    rich = [f"{2_000_000 + 9_000 * i:,}\trich" for i in range(40)]
    lines = poor + rich
    program.write("data.tsv", "wage\tlabel\n" + "\n".join(lines) + "\n")
    program.run("train", "data.tsv", "--target", "label", *program.fast)
    program.write("new.tsv", "wage\n3,000\n")
    program.write("more.tsv", "wage\n3,000\n2,500,000\n")
    alone = program.run("predict", "model.udg", "new.tsv").stdout.splitlines()
    beside = program.run("predict", "model.udg", "more.tsv").stdout.splitlines()
    assert alone == beside[:2]


def test_columns_of_a_sparse_file_begin_as_in_training(program):
    rows = "".join(f"{i % 2} 0:{i % 2} 1:1 2:{i}\n" for i in range(40))
    program.write("data.svm", rows)
    program.run("train", "data.svm", *program.fast)
    program.write("row.svm", "0 1:1 2:6\n")
    alone = program.run("predict", "model.udg", "row.svm").stdout.splitlines()
    whole = program.run("predict", "model.udg", "data.svm").stdout.splitlines()
    assert alone == [whole[0], whole[7]]
