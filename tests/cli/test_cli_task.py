"""Rows, their classes, and which class matters."""

import numpy as np
import polars as pl
import pytest
import typer

from underdog.cli.target import labels_of
from underdog.cli.task import (
    Task,
    costs_of,
    has_rare_class,
    positive_of,
    read_task,
    without_single_examples,
)
from underdog.costs import Costs
from underdog.frames.errors import BadData
from underdog.reading import Data


def data(**columns):
    return Data(pl.DataFrame(columns), None, None, "x.csv", "csv")


def task(*labels):
    return Task(pl.DataFrame({"a": range(len(labels))}), np.array(labels), "x", "y", np.arange(9))


@pytest.mark.parametrize(
    ("given", "labels", "rows"),
    [
        ([1, None, 2], [1, 2], [0, 2]),
        ([1.0, float("nan"), 0.0, None], [1, 0], [0, 2]),
        ([1.5, 2.0], [1.5, 2.0], [0, 1]),
        ([1.0, float("inf")], [1.0, float("inf")], [0, 1]),
        ([1.0, 1e300], [1.0, 1e300], [0, 1]),
        (["x", "", None, " y"], ["x", " y"], [0, 3]),
        ([True, None, False], ["true", "false"], [0, 2]),
    ],
)
def test_labels(given, labels, rows):
    y, places = labels_of(data(y=given), "y")
    assert y.tolist() == labels
    assert places.tolist() == rows
    assert type(y.tolist()[0]) is type(labels[0])


def test_a_column_of_texts_is_no_class():
    with pytest.raises(
        BadData, match=r"column 'y': 2,000 different values, such as 'text 0' .* the right"
    ):
        labels_of(data(y=[f"text {i}" for i in range(2000)]), "y")


def test_infinity_is_no_class():
    with pytest.raises(
        BadData, match=r"'y': 3 different values, such as '0\.0' and 'inf', are not c"
    ):
        read_task(data(a=[1, 2, 3], y=[0.0, 1.0, float("inf")]), "y")


@pytest.mark.parametrize("none", [[None, None], ["", None], [float("nan"), None]])
def test_no_label_at_all(none):
    with pytest.raises(BadData, match=r"x\.csv, column 'y': no row has a label"):
        labels_of(data(a=[1, 2], y=none), "y")


@pytest.mark.parametrize(
    ("weight", "message"),
    [(-2.0, r"the weight is -2\.0"), (None, "the weight is missing"),
     (float("inf"), "the weight is inf")],
)  # fmt: skip
def test_weights_that_make_no_sense(weight, message):
    rows = data(a=[1, 2, 3, 4], w=[-1.0, 0.0, weight, 1.0], y=[None, "u", "v", "v"])
    with pytest.raises(BadData, match=rf"x\.csv, row 3 .*, column 'w': {message}: weights must"):
        read_task(rows, "y", weight="w")


def test_rows_without_a_label_are_left_out():
    found, notes = read_task(data(a=[1, 2, 3, 4], w=[1, 2, 3, 4], y=["u", None, "v", "v"]), "y",
                             weight="w")  # fmt: skip
    assert found.X.to_dict(as_series=False) == {"a": [1, 3, 4]}
    assert found.weights.tolist() == [1, 3, 4]
    assert notes == ["left out 1 row without a label; the first is row 2 (the first data row is 1)"]
    error = BadData("is old", position=1, column="a")
    with pytest.raises(BadData, match=r"x\.csv, row 3 \(the first .*\), column 'a': is old"):
        found.naming_file(lambda: (_ for _ in ()).throw(error))


@pytest.mark.parametrize(
    ("labels", "counts", "positive"),
    [
        (("a", "b"), (19, 81), "a"),  # rare
        (("a", "b"), (20, 80), "b"),  # not rare, and no name: the last in order
        (("a", "b"), (81, 19), "b"),
        ((0, 1), (3512, 3988), 1),
        ((0, 1), (19, 81), 0),  # being rare comes before names
        ((1, 2), (50, 50), 1),
        ((-1, 1), (50, 50), 1),
        (("Yes", "no"), (50, 50), "Yes"),
        (("TRUE", "false"), (50, 50), "TRUE"),
        (("POS", "neg"), (50, 50), "POS"),
        (("+", "-"), (50, 50), "+"),
        (("T ", "f"), (50, 50), "T "),
        (("true", "yes"), (50, 50), "yes"),  # both have such a name
        (("<=50K", ">50K"), (37155, 11687), ">50K"),
    ],
)
def test_the_class_that_matters(labels, counts, positive):
    given = task(*np.repeat(labels, counts).tolist())
    assert positive_of(given, None) == positive
    assert has_rare_class(given) == (min(counts) < 20)


def test_the_class_that_matters_can_be_named():
    assert positive_of(task("a", "b", "b"), "b") == "b"
    assert positive_of(task("a", "b", "c"), None) is None
    assert not has_rare_class(task("a", "b", "c"))
    with pytest.raises(typer.BadParameter, match="no class 'z': the classes are 'a', 'b'"):
        positive_of(task("a", "b"), "z")
    with pytest.raises(typer.BadParameter, match="for two classes, but there are 3"):
        positive_of(task("a", "b", "c"), "a")


def test_costs_by_name():
    assert costs_of(None, ["a", "b"], 1) is None
    assert costs_of({"fn": 20}, ["a", "b"], 1) == Costs(fn=20, fp=1)
    assert costs_of({"a:b": 20}, ["a", "b"], 0) == Costs(fn=20, fp=1)
    assert costs_of({"a:b": 20}, ["a", "b"], 1) == Costs(fn=1, fp=20)
    three = costs_of({"1:3": 5}, np.array([1, 2, 3]), 1)
    assert three.table([1, 2, 3]).tolist() == [[0, 1, 5], [1, 0, 1], [1, 1, 0]]
    with pytest.raises(typer.BadParameter, match="no class 'z'"):
        costs_of({"a:z": 1}, ["a", "b"], 1)
    with pytest.raises(typer.BadParameter, match=r"--cost: .* must cost at least as much"):
        costs_of({"fn": -1}, ["a", "b"], 1)
    with pytest.raises(typer.BadParameter, match=r"--cost fn is for two .* as in --cost a:b=5"):
        costs_of({"fn": 5}, ["a", "b", "c"], 1)


def test_single_examples():
    assert without_single_examples(task("a", "b", "b"))[1] == ""
    kept, note = without_single_examples(task("a", "b", "b", "c", "c"))
    assert kept.y.tolist() == ["b", "b", "c", "c"]
    assert kept.X["a"].to_list() == [1, 2, 3, 4] == kept.rows.tolist()
    assert note.startswith("class 'a' has only one row and is left out (cross-validation needs two")
    _, note = without_single_examples(task("a", "b", "b", "c", "c", "d"))
    assert note.startswith("2 classes have only one row and are left out: 'a', 'd' (")
