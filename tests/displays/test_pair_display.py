"""The heat map of two columns: its values, its cells, and what stands beside them."""

import numpy as np
import pandas as pd
import pytest

from underdog import (
    AdaBoostClassifier,
    GradientBoostingClassifier,
    PairDisplay,
    ShapeDisplay,
)
from underdog.inspection import interactions


@pytest.fixture(scope="module")
def trees(frame):
    return GradientBoostingClassifier(n_estimators=20).fit(*frame)


def ticks(axis):
    return [tick.get_text() for tick in axis.get_ticklabels()]


def mean_score(model, X, **values):
    return model.decision_function(X.assign(**values).astype(X.dtypes)).mean()


def test_cells_are_mean_scores_of_changed_rows(trees, frame):
    X, _ = frame
    display = PairDisplay.from_estimator(trees, X, columns=("size", "town"))
    size, town = display.dependence.axes
    assert display.values_.shape == (3, len(size.cuts) + 2)
    points = [*size.cuts, size.cuts[-1] + 1.0, np.nan]  # the upper end of an interval is in it
    for i, level in enumerate(town.levels):
        for j, point in enumerate(points):
            expected = mean_score(trees, X, town=level, size=point)
            assert display.values_[i, j] == pytest.approx(expected, abs=1e-9)
    drawn = display.ax_.collections[0].get_array()
    np.testing.assert_array_equal(np.asarray(drawn).reshape(display.values_.shape), display.values_)
    assert ticks(display.ax_.yaxis) == ["Bonn", "Köln", "Ulm"]
    assert ticks(display.ax_.xaxis)[-1] == "missing"
    assert set(ticks(display.ax_.xaxis)[:-1]) <= set(size.written)
    assert display.ax_.get_xlabel() == "size"
    assert display.figure_.axes[1].get_ylabel() == "mean score for 'yes'"


def test_few_cells_are_means_by_rows(trees, frame):
    X, _ = frame
    whole = PairDisplay.from_estimator(trees, X, columns=("age", "town"), max_cells=40)
    few = PairDisplay.from_estimator(trees, X, columns=("age", "town"), max_cells=4)
    assert few.values_.shape == (3, 4)
    (first, _), counts = few._cells, few.dependence.counts.sum(axis=1)
    rows = [counts[first.cell == number].sum() for number in range(4)]
    assert min(rows) >= len(X) / 8
    table = few.dependence.table[:, :3, 0]
    for number in range(4):
        inside = first.cell == number
        expected = np.average(table[inside], axis=0, weights=counts[inside])
        np.testing.assert_allclose(few.values_[:, number], expected)
    assert whole.values_.shape[1] > 4
    cuts = ticks(few.ax_.xaxis)
    places = [few.dependence.axes[0].written.index(cut) for cut in cuts]
    assert [int(first.cell[place]) for place in places] == [0, 1, 2]  # the last of each cell


def test_cells_without_rows_have_a_dot(trees, frame):
    X, _ = frame
    display = PairDisplay.from_estimator(trees, X[:30], columns=("size", "age"))
    (dots,) = [line for line in display.ax_.lines if line.get_marker() == "."]
    counts = display.dependence.counts
    missing_age = 1  # no age is missing, neither now nor in training
    empty = (counts[:, :-missing_age] == 0).sum()
    assert len(dots.get_xdata()) == empty > 0
    assert display.ax_.get_title() == "white: the mean score of all rows; dots: no rows"


def test_rare_levels_are_one():
    rng = np.random.default_rng(0)
    town = np.minimum(rng.geometric(0.12, 600), 25).astype(str)
    X = pd.DataFrame({"town": town, "size": rng.normal(size=600)})
    y = (X["size"] > 0) ^ (X["town"].astype(int) % 2 == 0)
    model = GradientBoostingClassifier(n_estimators=10).fit(X, y)
    display = PairDisplay.from_estimator(model, X, columns=("town", "size"))
    names = ticks(display.ax_.xaxis)
    assert len(names) == 16
    assert names[-1] == f"{X['town'].nunique() - 15} more"
    assert names[0] == X["town"].value_counts().index[0]


def test_words(frame):
    rng = np.random.default_rng(0)
    from scipy.sparse import csr_array

    X = csr_array((rng.random((200, 4)) < 0.4).astype(float))
    dense = X.toarray()
    y = (dense[:, 0] != dense[:, 1]).astype(int)
    model = GradientBoostingClassifier(n_estimators=5).fit(X, y)
    names = ["free", "prize", "home", "see"]
    display = PairDisplay.from_estimator(model, X, feature_names=names)
    assert display.ax_.get_xlabel() == "free"
    assert ticks(display.ax_.xaxis) == ticks(display.ax_.yaxis) == ["absent", "present"]
    (neither, free), (prize, both) = display.values_
    assert min(free, prize) > max(neither, both)


def test_the_strongest_pair_is_the_default(trees, frame):
    X, _ = frame
    display = PairDisplay.from_estimator(trees, X)
    names = [axis.name for axis in display.dependence.axes]
    assert tuple(names) == interactions(trees, X).each[0].names


def test_labels(frame):
    X, y = frame
    y = np.where(X["age"] > 50, "old", y)
    model = GradientBoostingClassifier(n_estimators=10).fit(X, y)
    display = PairDisplay.from_estimator(model, X, columns=("age", "size"))
    assert display.figure_.axes[1].get_ylabel() == "mean score for 'old'"
    other = PairDisplay.from_estimator(model, X, columns=(2, 0), label="yes")
    assert other.figure_.axes[1].get_ylabel() == "mean score for 'yes'"
    assert np.abs(other.values_ - display.values_).max() > 0.1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"columns": "age"}, "columns='age' must be two different columns"),
        ({"columns": ("age", "age")}, "must be two different columns"),
        ({"columns": ("age", "weight")}, "does not use column 'weight'; it uses 'size', 'town'"),
        ({"columns": (0, 9)}, "does not use column 9"),
        (
            {"columns": ("age", "town"), "label": "perhaps"},
            r"label='perhaps' must be one of \['yes",
        ),
        ({"columns": ("age", "town"), "max_cells": 1}, "max_cells=1"),
    ],
)
def test_refused(trees, frame, arguments, message):
    with pytest.raises(ValueError, match=message):
        PairDisplay.from_estimator(trees, frame[0], **arguments)


def test_stumps_have_no_pair_of_their_own(model, frame):
    X, _ = frame
    with pytest.raises(ValueError, match="no pair interacts: name two columns"):
        PairDisplay.from_estimator(model, X)
    display = PairDisplay.from_estimator(model, X, columns=("town", "size"))
    table = display.values_
    np.testing.assert_allclose(np.diff(np.diff(table, axis=0), axis=1), 0.0, atol=1e-9)


def test_one_column_of_a_model_of_trees(trees, frame):
    X, _ = frame
    display = ShapeDisplay.from_estimator(trees, X)
    shape = next(each for each in display.shapes if each.name == "town")
    mean = trees.decision_function(X).mean()
    for place, level in enumerate(shape.levels):
        expected = mean_score(trees, X, town=level) - mean
        assert shape.values[place, 0] == pytest.approx(expected, abs=1e-9)
    labels = {ax.get_xlabel() for ax in display.axes_} | {ax.get_ylabel() for ax in display.axes_}
    assert labels >= {"change of the mean score for 'yes'"}
    assert "added" not in "".join(labels)
    with pytest.raises(ValueError, match=r"ShapeDisplay.from_estimator\(model, X\)"):
        ShapeDisplay.from_estimator(trees)
    stumps = AdaBoostClassifier(n_estimators=3).fit(*frame)
    assert "added" in ShapeDisplay.from_estimator(stumps, X).axes_[0].get_xlabel() + (
        ShapeDisplay.from_estimator(stumps, X).axes_[0].get_ylabel()
    )
