"""Problems with constrained columns, and the walk along them."""

import warnings

import numpy as np

from tests.learners.test_tree_learner import clinic
from underdog import Table

DIRECTIONS = np.array([1, -1, 0, 1, -1, 0, 0, 0])
"""Of three columns of numbers with missing values, four of words and one of categories."""


def problem(n_rows=200, seed=0):
    """Classes against which the constraints go in part; ties, words, categories, missing values."""
    numbers, words, frame, y = clinic(n_rows, seed)
    return Table.hstack([numbers, words, frame]), numbers, words, frame, y


def fit(booster, X, y, **parameters):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return booster(**{"n_estimators": 8, **parameters}).fit(X, y)


def largest_fall(model, numbers, words, frame, directions=DIRECTIONS, n_rows=60):
    """By how much the score goes the wrong way at most, if one constrained value goes up.

    Every row takes all values of the column, and one beyond both ends.
    """
    largest = 0.0
    cells = np.column_stack([numbers, words])
    rng = np.random.default_rng(1)
    for column in np.flatnonzero(directions).tolist():
        seen = np.unique(cells[~np.isnan(cells[:, column]), column])
        steps = np.concatenate([[seen[0] - 1.0], seen, [seen[-1] + 1.0]])
        rows = rng.integers(0, len(cells), n_rows)
        many = np.repeat(cells[rows], len(steps), axis=0)
        many[:, column] = np.tile(steps, n_rows)
        parts = [many[:, :3], many[:, 3:], frame.iloc[np.repeat(rows, len(steps))]]
        scores = model.decision_function(Table.hstack(parts)).reshape(n_rows, len(steps))
        rises = directions[column] * np.diff(scores, axis=1)
        largest = max(largest, float(-rises.min()))
    return largest
