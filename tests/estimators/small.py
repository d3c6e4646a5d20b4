"""Small problems and comparisons that the tests of the boosters share."""

import itertools

import numpy as np
import pytest

from underdog.estimators import all_boosters

BOOSTERS = list(all_boosters().values())
each_booster = pytest.mark.parametrize("booster", BOOSTERS)
two_kinds = pytest.mark.parametrize("learner", ["real", "discrete"])
KEYS = {"edge", "z", "coefficient", "loss", "log_loss", "seconds"}


def noisy(rows=150, seed=0):
    """Four columns, two of which matter; a quarter of the labels is beyond them. Fewer 1s."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(rows, 4))
    return X, (X[:, 0] + X[:, 1] + 1.2 * rng.normal(size=rows) > 0.7).astype(int)


def three_classes(rows=120):
    X, _ = noisy(rows)
    return X, np.digitize(X[:, 0] + 0.5 * X[:, 1], [-0.5, 0.5])


def stages(model, X):
    return np.array(list(model.staged_decision_function(X)))


def assert_same_model(model, other, X):
    """The same rounds, bit for bit."""
    np.testing.assert_array_equal(stages(model, X), stages(other, X))
    np.testing.assert_array_equal(model.decision_function(X), other.decision_function(X))
    assert model.describe(None) == other.describe(None)


def assert_one_entry_per_round(model, rounds=None):
    lengths = {name: len(values) for name, values in model.history_.items()}
    assert set(lengths.values()) == {model.n_iter_ if rounds is None else rounds}, lengths


def measured_error(model, X, y, weight):
    return float(np.average(model.predict(X) != y, weights=weight))


def getting_worse():
    """A scorer whose first answer is its best."""
    calls = itertools.count()
    return lambda *_: -float(next(calls))
