"""Bit for bit the same model where rows are drawn: to validate with, in folds, with replacement."""

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.neighbors import KNeighborsClassifier

import underdog.workers
from tests.estimators import fits

ROWS, ROUNDS = 300, 20
SETTINGS = {"n_estimators": ROUNDS, "early_stopping": True, "n_iter_no_change": 5}
DRAWN = {
    "share": {"validation_fraction": 0.3},
    "folds": {"cv": 3},
    "another share": {"validation_fraction": 0.3, "random_state": 1},
}
EVERY = pytest.mark.parametrize("name", fits.BOOSTERS)
each_draw = pytest.mark.parametrize("draw", ["share", "folds"])
each_way = pytest.mark.parametrize("way", ["order", "sparse", "threads", "repeats"])
without_weights = pytest.mark.filterwarnings("ignore:.* does not support sample_weight")


def changed(way, X, y, extra, monkeypatch):
    """Data and parameters of a fit that must come out the same."""
    order = np.random.default_rng(1).permutation(len(X))
    if way == "order":
        return X[order], y[order], {key: value[order] for key, value in extra.items()}, {}
    if way == "sparse":
        return sp.csr_array(X), y, extra, {}
    if way == "threads":
        monkeypatch.setattr(underdog.workers, "MIN_WORK", 1)
        return X, y, extra, {"n_jobs": 2}
    repeats = extra["sample_weight"]
    rows = np.random.default_rng(2).permutation(np.repeat(np.arange(len(X)), repeats))
    rest = {key: value[rows] for key, value in extra.items() if key != "sample_weight"}
    return X[rows], y[rows], rest, {}


def data(target, way):
    """With whole weights, some of them 0, where they are to be compared with repeats."""
    X = fits.numbers(ROWS)
    y, extra = fits.targets(X)[target]
    if way == "repeats":
        extra = {**extra, "sample_weight": np.random.default_rng(2).integers(0, 4, ROWS)}
    return X, y, extra


@EVERY
@each_draw
@each_way
def test_rows_to_validate_with(name, draw, way, monkeypatch):
    X, y, extra = data(fits.BOOSTERS[name][2], way)
    settings = {**SETTINGS, **DRAWN[draw]}
    one = fits.make(name, n_jobs=1, **settings).fit(X, y, **extra)
    other_X, other_y, rest, own = changed(way, X, y, extra, monkeypatch)
    other = fits.make(name, **own, **settings).fit(other_X, other_y, **rest)
    fits.assert_same(one, other, X)
    np.testing.assert_allclose(
        one.history_["validation_score"], other.history_["validation_score"], rtol=1e-12
    )


@EVERY
def test_other_rows_make_another_model(name):
    """Else the tests above could not fail."""
    X, y, extra = data(fits.BOOSTERS[name][2], "order")
    models = [fits.make(name, **SETTINGS, **DRAWN[draw]).fit(X, y, **extra) for draw in DRAWN]
    scores = {fits.bits(model.history_["validation_score"]) for model in models}
    assert len(scores) == 3


def dense(X):
    """An array without negative zeros, of which a sparse form knows nothing."""
    return (X.toarray() if sp.issparse(X) else X) + 0.0


class Means(ClassifierMixin, BaseEstimator):
    """The nearer mean in one column; keeps what it has learned from."""

    def fit(self, X, y):
        X = dense(X)
        self.learned_ = X.tobytes(), y.tobytes()
        self.classes_ = np.unique(y)
        means = np.array([X[y == label].mean(axis=0) for label in self.classes_])
        self.column_ = int(np.argmax(np.abs(means[1] - means[0])))
        self.means_ = means[:, self.column_]
        return self

    def predict(self, X):
        distance = np.abs(dense(X)[:, [self.column_]] - self.means_)
        return self.classes_[distance.argmin(axis=1)]


def learned(model):
    """What each classifier of a model has learned from."""
    members = [member.hypothesis.classifiers for member in model.model_.members]
    return [classifier.learned_ for classifiers in members for classifier in classifiers]


@without_weights
@each_way
@pytest.mark.parametrize("name", ["discrete", "uneven real", "cost and start", "classes"])
def test_rows_drawn_with_replacement(name, way, monkeypatch):
    X, y, extra = data(fits.BOOSTERS[name][2], way)
    X = np.nan_to_num(X)
    settings = {"learner": Means(), "n_estimators": 6, "random_state": 3}
    one = fits.make(name, n_jobs=1, **settings).fit(X, y, **extra)
    other_X, other_y, rest, own = changed(way, X, y, extra, monkeypatch)
    other = fits.make(name, **own, **settings).fit(other_X, other_y, **rest)
    assert learned(one) == learned(other)
    assert len({*learned(one)}) == len(learned(one)) >= 2  # other rows in every round
    fits.assert_same(one, other, X)


@without_weights
def test_as_many_rows_are_drawn_as_there_are_examples(monkeypatch):
    X, y, extra = data("binary", "repeats")
    X = np.nan_to_num(X)
    examples = int(extra["sample_weight"].sum())
    shared = {"learner": KNeighborsClassifier(3), "n_estimators": 1, "random_state": 0}

    def drawn(**given):
        model = fits.make("discrete", **shared).fit(X, y, **given)
        return model.model_.members[0].hypothesis.classifiers[0].n_samples_fit_

    assert drawn() == ROWS
    assert drawn(**extra) == examples > ROWS
    assert drawn(sample_weight=np.full(ROWS, 0.5)) == ROWS
    monkeypatch.setattr(underdog.learners.foreign, "MAX_DRAWN", ROWS + 10)
    assert drawn(**extra) == ROWS + 10
