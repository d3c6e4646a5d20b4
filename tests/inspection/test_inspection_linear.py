"""Blends of trees and a linear model: what their columns add, and which tools are for which."""

import numpy as np
import pandas as pd
import pytest

from underdog import (
    BlendedTreesClassifier,
    BlendedTreesRegressor,
    ShapeDisplay,
    UnderdogClassifier,
    UnderdogRegressor,
)
from underdog.inspection import contributions, shapes
from underdog.inspection.one_column import as_stumps
from underdog.inspection.unwrap import unwrap

RNG = np.random.default_rng(0)


def frame(n_rows=150):
    X = RNG.normal(size=(n_rows, 2))
    X[RNG.random(X.shape) < 0.1] = np.nan
    kinds = pd.Categorical(RNG.choice(list("uvw"), n_rows))
    return pd.DataFrame({"a": X[:, 0], "b": X[:, 1], "k": kinds})


def straight(X):
    return 2.0 * np.nan_to_num(X["a"].to_numpy()) - np.nan_to_num(X["b"].to_numpy())


def summed(found, X):
    """(n, K) baseline and step functions of all columns."""
    total = np.tile(found.start, (len(X), 1))
    for shape in found:
        column = X.iloc[:, shape.column]
        if shape.kind == "category":
            total += shape.table[[list(shape.levels).index(level) for level in column]]
        else:
            total += shape.table[shape.places(column.to_numpy())]
    return total


@pytest.mark.parametrize("kinds", [0, 2, 3])
def test_a_linear_model_without_trees_has_step_functions(kinds):
    X = frame()
    y = straight(X)
    if kinds == 0:
        model = BlendedTreesRegressor(n_estimators=5, cv=3).fit(X, y)
    else:
        cuts = [0.0] if kinds == 2 else [-1.0, 1.0]
        model = BlendedTreesClassifier(n_estimators=3, cv=3).fit(X, np.digitize(y, cuts))
    assert model.blend_["weight"] == 1.0
    found = shapes(model)
    np.testing.assert_array_equal(summed(found, X), model._scores(X))
    assert {"a", "b"} <= {shape.name for shape in found} <= {"a", "b", "k"}
    title, *lines = found.text(None).splitlines()
    assert title.startswith(model.describe(1).splitlines()[0].split(" (")[0])
    assert any(line.startswith("   1. a") for line in lines)
    assert "use several" not in found.text()
    assert found.to_dict()["model"] == type(model).__name__
    assert len(unwrap(model).booster.model_.members) == len(model.model_.members)  # unchanged


def test_the_stumps_give_the_same_scores():
    X = frame()
    model = BlendedTreesRegressor(n_estimators=5, cv=3).fit(X, straight(X))
    stumps = as_stumps(model.model_)
    model.model_, wanted = stumps, model._scores(X)
    np.testing.assert_array_equal(model._scores(X), wanted)
    assert unwrap(model).has_shapes


def test_step_functions_of_a_linear_model_are_drawn():
    X = frame()
    model = UnderdogRegressor().fit(X, straight(X))
    if model.booster_.blend_["weight"] == 1.0:
        drawn = ShapeDisplay.from_estimator(model)
        assert drawn.shapes.explained.has_shapes


def test_trees_of_several_columns_are_refused_with_what_to_use():
    X = RNG.normal(size=(150, 3))
    y = X[:, 0] * X[:, 1] > 0
    model = BlendedTreesClassifier(n_estimators=20, cv=3).fit(X, y)
    assert model.blend_["weight"] < 1.0
    with pytest.raises(ValueError) as error:
        shapes(model)
    assert str(error.value) == (
        "some rules of this BlendedTreesClassifier use several columns at once, so no column has a "
        "step function of its own: use contributions(model, X) for the contributions of columns to "
        "the scores of rows, interactions(model, X) for the pairs of columns, or draw their "
        "effects with ShapeDisplay.from_estimator(model, X) and PairDisplay.from_estimator(model, "
        "X)"
    )


def test_weights_of_words_are_refused_with_what_to_use():
    kinds = RNG.integers(0, 2, 300)
    words = np.array([f"w{number}" for number in range(120)])
    texts = [" ".join(RNG.choice(words[40 * kind : 40 * kind + 80], 6)) for kind in kinds]
    model = UnderdogClassifier().fit(texts, kinds)
    assert model.booster_.blend_["weight"] > 0.0
    with pytest.raises(ValueError, match=r"has weights of words.*use contributions\(model, X\)"):
        shapes(model)


def test_contributions_add_up_to_each_quantile_before_sorting():
    X = RNG.normal(size=(300, 4))
    y = X[:, 0] + RNG.normal(size=300) * 0.5
    model = UnderdogRegressor(quantiles=[0.45, 0.5, 0.55]).fit(X, y)
    why = contributions(model, X)
    unsorted = model.booster_._scores(X)
    np.testing.assert_array_equal(why.base + why.values.sum(axis=1), unsorted)
    np.testing.assert_array_equal(np.sort(unsorted, axis=1), model.predict(X))
    crossing = (np.diff(unsorted, axis=1) < 0.0).any(axis=1)
    assert crossing.any()
    assert crossing.mean() == model.booster_.crossing(X)
    text = why.text(int(np.flatnonzero(crossing)[0]))
    assert text.endswith("; quantiles cross in this row, and predictions are sorted")
