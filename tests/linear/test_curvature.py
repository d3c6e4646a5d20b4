"""Coordinates of the solver: second derivatives from sums of integers, and fewer steps."""

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp

from tests.linear.test_fitting import numbers, rows_of
from underdog import BlendedTreesRegressor
from underdog.linear import Features, fit_path, fitting
from underdog.linear.curvature import ONE, Coordinates, Products, is_small
from underdog.losses import LogLoss, SquaredError

RNG = np.random.default_rng(0)


def mixed(n_rows=300):
    """Numbers, of which some are missing and many are zero, and levels."""
    X = RNG.integers(-2, 3, (n_rows, 3)).astype(float) * (RNG.random((n_rows, 3)) < 0.3)
    X[RNG.random(X.shape) < 0.1] = np.nan
    frame = pd.DataFrame(X, columns=["a", "b", "c"])
    frame["level"] = pd.Categorical(RNG.choice(list("xyz"), n_rows))
    return frame, (RNG.random(n_rows) < 0.4).astype(int)


def design(rows, features):
    """(n, 1 + count): the features of all rows, as integers, the first one being ONE."""
    layout, encoded = rows.layout, rows.only.encoded
    found = np.zeros((encoded.n_rows, 1 + features.count), dtype=np.int64)
    found[:, 0] = ONE
    for block in encoded.blocks:
        for column in block.columns.tolist():
            bins, first = block.bins(column), int(layout.first_cell[column])
            hidden = int(layout.implicit[column])
            for row, level in enumerate(bins.tolist()):
                if level == hidden:
                    feature, value = features.of_column[column], features.implicit[column]
                else:
                    cell = first + level - (hidden >= 0 and level > hidden)
                    feature, value = features.feature[cell], features.value[cell]
                if feature >= 0:
                    found[row, 1 + feature] = np.rint(ONE * value)
    return found


def sparse_numbers():
    X = RNG.integers(0, 4, (300, 5)) * (RNG.random((300, 5)) < 0.2)
    X = X.astype(float)
    X[RNG.random(X.shape) < 0.02] = np.nan
    return sp.csr_array(X), (RNG.random(300) < 0.5).astype(int)


@pytest.mark.parametrize("data", [mixed, sparse_numbers])
def test_products_are_those_of_all_rows(data):
    X, y = data()
    rows, *_ = rows_of(X, y)
    features = Features.learn(rows)
    weights = RNG.integers(0, 1000, rows.only.encoded.n_rows)
    every = design(rows, features)
    wanted = every.T @ (weights[:, np.newaxis] * every)
    np.testing.assert_array_equal(Products(rows, features)(weights), wanted)


def test_products_do_not_depend_on_the_storage():
    X, y = sparse_numbers()
    weights = RNG.integers(0, 1000, len(y))
    found = []
    for form in (X, X.toarray()):
        rows, *_ = rows_of(form, y)
        found.append(Products(rows, Features.learn(rows))(weights))
    np.testing.assert_array_equal(*found)


def test_the_second_derivatives_are_the_identity():
    """Of the squared error they are the same everywhere."""
    X, _ = numbers()
    y = X[:, 0] + X[:, 1] + RNG.normal(size=len(X))
    rows, loss, _ = rows_of(X, y, BlendedTreesRegressor())
    assert isinstance(loss, SquaredError)
    features = Features.learn(rows)
    problem = fitting.LinearProblem(loss, rows, features)
    start = fitting.LinearFit(rows.start.copy(), np.zeros((features.count, 1)))
    penalty = 1e-9
    coordinates = problem._coordinates(start, penalty)
    weights = np.vstack([start.intercept, start.weights])
    here = coordinates.enter(weights)
    np.testing.assert_allclose(coordinates.leave(here, weights.shape), weights, atol=1e-12)

    def gradient(point):
        fit = fitting._fit_of(coordinates.leave(point, weights.shape))
        _, slope, total = problem._measure(fit)
        return coordinates.gradient(np.vstack([-total, -slope]))

    step = RNG.normal(size=len(here))
    found = gradient(here + step) - gradient(here)
    np.testing.assert_allclose(found, step, atol=0.05)  # features are rounded to 1 / ONE there


def test_few_steps_are_enough_where_columns_go_together(monkeypatch):
    X, y = numbers(600)
    kind = np.repeat(X[:, :1], 20, axis=1) + RNG.integers(0, 2, (600, 20))
    data = np.column_stack([X, kind])
    measured = []
    measure = fitting.LinearProblem._measure

    def counted(problem, fit):
        measured.append(fit)
        return measure(problem, fit)

    monkeypatch.setattr(fitting.LinearProblem, "_measure", counted)
    steps, fits = [], []
    for small in (is_small, lambda *_: False):
        monkeypatch.setattr(fitting, "is_small", small)
        rows, *_ = rows_of(data, y)
        fits += fit_path(LogLoss(), rows, Features.learn(rows), [10.0])
        steps.append(len(measured))
        measured.clear()
    assert 3 * steps[0] < steps[1]
    np.testing.assert_allclose(fits[0].weights, fits[1].weights, atol=0.02)


def test_words_and_many_features_keep_their_own_coordinates():
    X = (RNG.random((400, 120)) < 0.06).astype(float)
    rows, *_ = rows_of(X, X[:, :6].any(axis=1).astype(int))
    features = Features.learn(rows)
    assert len(features.words)
    assert not is_small(features, 1)
    X, y = numbers()
    rows, *_ = rows_of(X, y)
    features = Features.learn(rows)
    assert is_small(features, 128)
    assert not is_small(features, 129)
    weights = RNG.normal(size=(5, 2))
    np.testing.assert_array_equal(Coordinates().enter(weights), weights.ravel())
