"""Options with a syntax of their own."""

import pytest
import typer

from underdog.cli.parsing import read_costs, read_settings, read_threshold


def test_costs():
    assert read_costs(None) is None
    assert read_costs("fn=20, fp=1") == {"fn": 20, "fp": 1}
    assert read_costs("a:b=2,b:a=0.5") == {"a:b": 2, "b:a": 0.5}
    assert read_costs("x=1:b=2") == {"x=1:b": 2}  # a class may be called "x=1"


@pytest.mark.parametrize("text", ["", "fn", "fn=", "fn=x", "fq=2", "fn=2,a:b=1", "=2", "fn=nan"])
def test_costs_that_make_no_sense(text):
    with pytest.raises(typer.BadParameter):
        read_costs(text)


def test_thresholds():
    assert read_threshold(None) is None
    assert read_threshold("f1") == "f1"
    assert read_threshold("alarms=100") == ("alarms", 100)
    assert isinstance(read_threshold("alarms=100")[1], int)
    assert read_threshold("alarms=0.1") == ("alarms", 0.1)
    for text in ("best", "blue=2", "recall=much", "recall", "alarms=inf", "alarms=nan"):
        with pytest.raises(typer.BadParameter):
            read_threshold(text)


@pytest.mark.parametrize(
    ("text", "remedy"),
    [
        ("recall=90", "give a share above 0 and at most 1, as in recall=0.9"),
        ("precision=0", "give a share above 0 and at most 1, as in precision=0.9"),
        ("alarms=0", "give a whole number of alarms, as in alarms=100, or a share"),
        ("alarms=2.5", "give a whole number of alarms, as in alarms=100, or a share"),
        ("fbeta=-1", "give a number above 0, as in fbeta=2"),
    ],
)
def test_thresholds_out_of_range(text, remedy):
    with pytest.raises(typer.BadParameter, match=f"--threshold {text}: {remedy}"):
        read_threshold(text)


def test_settings():
    given = ["learner=discrete", "nu=0.1", "early_stopping=True", "class_weight={'a': 2}"]
    assert read_settings(given) == {
        "learner": "discrete", "nu": 0.1, "early_stopping": True, "class_weight": {"a": 2},
    }  # fmt: skip
    for part in ("nu", "=2"):
        with pytest.raises(typer.BadParameter, match="name=value"):
            read_settings([part])
