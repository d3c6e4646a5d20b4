"""What is so of all displays: a short repr, and every parameter with its text."""

import inspect
import re

import numpy as np
import pytest

import underdog
from underdog import ADTreeClassifier, Costs, GradientBoostingRegressor
from underdog.inspection.parameters import TEXTS, documented

OF_NUMBERS = ("IntervalDisplay", "QuantileCalibrationDisplay", "ResidualDisplay")
DISPLAYS = sorted(name for name in underdog.__all__ if name.endswith("Display"))


@pytest.mark.parametrize("name", DISPLAYS)
def test_a_short_repr(name, model, frame):
    X, y = frame
    arguments = {"ShapeDisplay": (X,), "ImportanceDisplay": (), "ContributionDisplay": (X,),
                 "CostCurveDisplay": (X, y, Costs(fn=2, fp=1))}  # fmt: skip
    more = {}
    if name in OF_NUMBERS:
        y = np.where(y == "yes", 10.0, 1.0) + X["age"]
        quantiles = {"loss": "quantile", "quantiles": [0.1, 0.9]}
        model = GradientBoostingRegressor(n_estimators=10, **quantiles).fit(X, y)
    if name == "ResidualDisplay":
        model = GradientBoostingRegressor(n_estimators=10).fit(X, y)
    if name == "AlternatingTreeDisplay":
        arguments[name], model = (X,), ADTreeClassifier(n_estimators=5).fit(X, y)
    if name == "PairDisplay":
        arguments[name], more = (X,), {"columns": ("size", "town")}
    display = getattr(underdog, name).from_estimator(model, *arguments.get(name, (X, y)), **more)
    assert re.fullmatch(rf"{name}\(.*\d.*\)", repr(display))
    assert len(repr(display)) < 79


def documented_methods():
    for name in DISPLAYS:
        display = getattr(underdog, name)
        for method in ("from_estimator", "from_predictions", "plot"):
            if hasattr(display, method):
                yield pytest.param(getattr(display, method), id=f"{name}.{method}")


@pytest.mark.parametrize("method", list(documented_methods()))
def test_every_parameter_has_its_text(method):
    text = inspect.getdoc(method)
    lines = text.splitlines()
    names = [name for line in lines if re.match(r"\S", line) for name in re.findall(r"\w+", line)]
    for parameter in inspect.signature(method).parameters:
        if parameter != "self":
            assert parameter in names
    assert [line for line in lines if set(line.split(", ")) <= set(TEXTS)] == []  # without texts


def test_a_shared_text_is_indented_as_its_name():
    def draw():
        """Draw it.

            pos_label, y
        other
            name of it
        """

    assert documented(draw).__doc__.splitlines()[2:] == [
        "            pos_label : label, optional",
        "                " + TEXTS["pos_label"].splitlines()[1].strip(),
        "            " + TEXTS["y"],
        "        other",
        "            name of it",
        "        ",
    ]
