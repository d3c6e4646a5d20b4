"""Rows and columns drawn for each tree: what draws depend on, and what they do not."""

import warnings

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from sklearn.datasets import make_classification
from sklearn.metrics import log_loss

import underdog
from tests.core.shards import fit_on
from tests.core.test_shards import learned
from tests.data.tables import bins_of
from underdog import (
    AdaBoostClassifier,
    AdaBoostMHClassifier,
    GradientBoostingClassifier,
    LogitBoostClassifier,
    Table,
)
from underdog.data import EncodedRows
from underdog.learners import TreeLearner, grower, sampling
from underdog.learners.sampling import Sampler, n_columns

DRAWS = {
    "rows": {"subsample": 0.5},
    "columns": {"max_features": 0.4},
    "both": {"subsample": 0.7, "max_features": "sqrt"},
    "cuts": {"cuts": "random"},
    "weights": {"bootstrap": True},
    "all": {"subsample": 0.7, "max_features": 0.8, "cuts": "random", "bootstrap": True},
}
each_draw = pytest.mark.parametrize("draw", DRAWS.values(), ids=DRAWS)


def numbers(n_rows=300, n_columns=10, n_classes=2, seed=0):
    """Some of them zero, so that the sparse form leaves them out."""
    X, y = make_classification(
        n_rows, n_columns, n_informative=6, n_classes=n_classes, flip_y=0.1, random_state=seed
    )
    return np.where(np.abs(X) < 0.3, 0.0, np.rint(20 * X)), y


def fit(X, y, weight=None, booster=GradientBoostingClassifier, **parameters):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return booster(**{"n_estimators": 8, **parameters}).fit(X, y, sample_weight=weight)


def drawn_samples(monkeypatch):
    """The samples of all trees from now on."""
    found, draw = [], Sampler.draw
    monkeypatch.setattr(
        Sampler, "draw", lambda self, number: (found.append(draw(self, number)), found[-1])[1]
    )
    return found


@each_draw
def test_the_same_bits_in_any_form(draw):
    X, y = numbers()
    weight = np.random.default_rng(0).integers(0, 4, len(y))
    order = np.random.default_rng(1).permutation(len(y))

    def scores(X_, y_, weight_=None, **more):
        return fit(X_, y_, weight_, **draw, **more).decision_function(X)

    wanted = scores(X, y, weight)
    np.testing.assert_array_equal(scores(X[order], y[order], weight[order]), wanted)
    np.testing.assert_array_equal(scores(sp.csr_array(X), y, weight), wanted)
    np.testing.assert_array_equal(scores(X.repeat(weight, axis=0), y.repeat(weight)), wanted)
    assert not np.array_equal(scores(X, y, weight, random_state=1), wanted)
    np.testing.assert_array_equal(scores(X, y, weight, random_state=0), wanted)


@each_draw
def test_the_order_of_the_columns_does_not_show_in_draws(draw, monkeypatch):
    """Leaves are large enough for one test to be better than all others.

    Not with seed 0: there tests on two columns leave the same numbers of drawn examples of both
    classes in all leaves, and the first column is taken.
    """
    X, y = numbers(600, seed=1)
    order = np.random.default_rng(2).permutation(X.shape[1])
    samples = drawn_samples(monkeypatch)
    shared = {"min_samples_leaf": 40, **draw}
    one, other = fit(X, y, **shared), fit(X[:, order], y, **shared)
    for first, second in zip(samples[:8], samples[8:], strict=True):
        if first.rows is not None:
            np.testing.assert_array_equal(first.rows[0], second.rows[0])
        if first.columns is not None:
            np.testing.assert_array_equal(first.columns, np.sort(order[second.columns]))
    np.testing.assert_array_equal(one.decision_function(X), other.decision_function(X[:, order]))


@each_draw
def test_threads_do_not_show(draw, monkeypatch):
    monkeypatch.setattr(grower.Grower, "min_work", 0)
    X, y = numbers()
    one, two, five = (learned(fit(X, y, **draw, n_jobs=n_jobs)) for n_jobs in (1, 2, 5))
    assert one == two == five


def mixed(X):
    """Dense and sparse columns, missing values and a category."""
    rng = np.random.default_rng(0)
    dense = np.where(rng.random((len(X), 4)) < 0.1, np.nan, X[:, :4])
    frame = pd.DataFrame({"kind": rng.choice(list("abcd"), len(X))})
    return Table.hstack([dense, sp.csr_array(X[:, 4:]), frame])


@each_draw
@pytest.mark.parametrize("leaf", [1, 15])
@pytest.mark.parametrize("criterion", ["newton", "squared_error"])
@pytest.mark.parametrize("n_classes", [2, 3])
def test_the_same_bits_on_shards(draw, leaf, criterion, n_classes, monkeypatch):
    """One shard leaves out the rows that were not drawn, three count them as 0."""
    X, y = numbers(200, n_classes=n_classes)
    weight = np.random.default_rng(0).integers(1, 4, len(y))
    parameters = {"n_estimators": 4, "min_samples_leaf": leaf, "criterion": criterion, **draw}
    wanted = learned(fit(mixed(X), y, weight, **parameters))
    fit_on(monkeypatch, 3)
    assert learned(fit(mixed(X), y, weight, **parameters)) == wanted


@pytest.mark.parametrize("booster", [AdaBoostClassifier, LogitBoostClassifier])
def test_other_boosters_draw_too(booster, monkeypatch):
    """What is measured and followed are the weights of all rows."""
    X, y = numbers()
    learner = TreeLearner(subsample=0.5, max_features=3)
    model = fit(X, y, booster=booster, learner=learner)
    samples = drawn_samples(monkeypatch)
    assert learned(fit(X, y, booster=booster, learner=learner)) == learned(model)
    assert len(samples) == 8
    assert 0.3 < np.mean([sample.rows[0] for sample in samples]) < 0.7
    assert {len(sample.columns) for sample in samples} == {3}
    if booster is AdaBoostClassifier:
        sign = np.where(y == 1, 1.0, -1.0)
        loss = np.exp(-sign * model.decision_function(X)).mean()
        assert model.history_["loss"][-1] == pytest.approx(loss, rel=1e-9)
    fit_on(monkeypatch, 2)
    assert learned(fit(X, y, booster=booster, learner=learner)) == learned(model)


@each_draw
def test_a_warm_start_goes_on_with_the_same_draws(draw, tmp_path):
    X, y = numbers()
    whole = fit(X, y, n_estimators=9, random_state=5, **draw)
    half = fit(X, y, n_estimators=4, random_state=5, warm_start=True, **draw)
    half.save(tmp_path / "half.udg")
    again = underdog.load(tmp_path / "half.udg")
    for model in (half, again):
        model.set_params(n_estimators=9).fit(X, y)
        assert learned(model)["members"] == learned(whole)["members"]


def test_leaves_are_made_of_drawn_rows_and_all_scores_follow(monkeypatch):
    X, y = numbers(600)
    weight = np.random.default_rng(0).integers(1, 4, len(y))
    samples = drawn_samples(monkeypatch)
    model = fit(
        X, y, weight, subsample=0.4, min_samples_leaf=30, l2_regularization=2.0, max_depth=4
    )
    encoded = EncodedRows(Table.from_data(X), model.model_.schema)
    scores, sizes = np.full(len(y), model.model_.start[0]), []
    for member, sample in zip(model.model_.members, samples, strict=True):
        (drawn,) = sample.rows
        p = 1 / (1 + np.exp(-scores))
        gradient, curvature = weight * (y - p) * drawn, weight * p * (1 - p) * drawn
        block = member.hypothesis.partition(encoded).of_row(len(y))
        wanted = np.bincount(block, gradient) / (np.bincount(block, curvature) + 2.0)
        np.testing.assert_allclose(member.hypothesis.values[:, 0], wanted, rtol=1e-9)
        sizes += np.bincount(block, weight * drawn).tolist()
        scores = scores + member.steps[block, 0]
    assert 30 <= min(sizes) < 45
    np.testing.assert_allclose(model.decision_function(X), scores, atol=1e-9)
    loss = log_loss(y, model.predict_proba(X), sample_weight=weight)
    assert model.history_["loss"][-1] == pytest.approx(loss, rel=1e-9)


def test_the_root_is_the_best_test_on_drawn_rows_and_columns(monkeypatch):
    """All cuts of all columns are tried, by plain sums over the drawn rows."""
    X, y = numbers(400)
    samples = drawn_samples(monkeypatch)
    model = fit(X, y, subsample=0.5, max_features=4, min_samples_leaf=10)
    encoded = EncodedRows(Table.from_data(X), model.model_.schema)
    scores, roots, best = np.full(len(y), model.model_.start[0]), 0, set()
    for member, ((drawn,), columns, *_) in zip(model.model_.members, samples, strict=True):
        p = 1 / (1 + np.exp(-scores))
        gradient, curvature = (y - p)[drawn], (p * (1 - p))[drawn]

        def gain(true, gradient=gradient, curvature=curvature):
            sides = [true, ~true]
            if min(map(np.sum, sides)) < 10:
                return -np.inf
            return sum(gradient[side].sum() ** 2 / curvature[side].sum() for side in sides)

        gains = {
            (column, cut): gain((bins_of(encoded, column) > cut)[drawn])
            for column in range(X.shape[1])
            for cut in range(encoded.bins[column] - 1)
        }
        (root, _), *_ = member.hypothesis.leaves[0]
        cut = int(np.argmax(root.inside[:-1])) - 1
        assert root.column in columns
        wanted = max(each for (column, _), each in gains.items() if column in columns)
        assert gains[root.column, cut] == pytest.approx(wanted, rel=1e-6)
        roots += max(gains.values()) > wanted * 1.01
        best.add(root.column)
        scores = scores + member.steps[member.hypothesis.partition(encoded).of_row(len(y)), 0]
    assert roots > 2  # where another column would have been better, but was not drawn
    assert len(best) > 2


def test_equal_rows_are_drawn_together(monkeypatch):
    X, y = numbers(150)
    samples = drawn_samples(monkeypatch)
    fit(np.concatenate([X, X, X]), np.tile(y, 3), n_estimators=5, subsample=0.5)
    for sample in samples:
        first, second, third = np.split(sample.rows[0], 3)
        np.testing.assert_array_equal(first, second)
        np.testing.assert_array_equal(first, third)


def test_equal_rows_are_drawn_together_whatever_their_labels(monkeypatch):
    rng = np.random.default_rng(0)
    X, y = rng.integers(0, 2, (400, 5)).astype(float), rng.integers(0, 2, 400)
    contents = np.unique(X, axis=0, return_inverse=True)[1].ravel()
    samples = drawn_samples(monkeypatch)
    fit(X, y, n_estimators=5, subsample=0.5)
    for sample in samples:
        drawn = sample.rows[0]
        assert 0 < drawn.sum() < len(X)
        assert all(len(np.unique(drawn[contents == each])) == 1 for each in range(32))


def test_draws_have_the_share_and_differ(monkeypatch):
    X, y = numbers(4000, seed=3)
    X = np.random.default_rng(0).normal(size=X.shape)  # no two rows are equal
    samples = drawn_samples(monkeypatch)
    fit(X, y, n_estimators=10, subsample=0.3, max_features=0.5)
    rows = np.array([sample.rows[0] for sample in samples])
    assert (np.abs(rows.mean(axis=1) - 0.3) < 4 * np.sqrt(0.3 * 0.7 / 4000)).all()
    pairs = np.corrcoef(rows)[np.triu_indices(10, 1)]
    assert np.abs(pairs).max() < 5 / np.sqrt(4000)
    assert abs(np.corrcoef(rows[0], y)[0, 1]) < 5 / np.sqrt(4000)
    columns = [tuple(sample.columns) for sample in samples]
    assert {len(own) for own in columns} == {5}
    assert len(set(columns)) > 5
    assert set(np.concatenate(columns)) == set(range(10))


def test_all_rows_and_columns_are_no_draw():
    X, y = numbers()
    wanted = learned(fit(X, y))
    for parameters in ({"subsample": 1}, {"max_features": 1.0}, {"max_features": 99}):
        assert learned(fit(X, y, random_state=3, **parameters))["members"] == wanted["members"]


def test_a_generator_gives_the_seed():
    X, y = numbers()
    one, two = (
        learned(fit(X, y, subsample=0.5, random_state=np.random.RandomState(3))) for _ in range(2)
    )
    assert one["members"] == two["members"] != learned(fit(X, y, subsample=0.5))["members"]


def test_a_draw_without_a_test_takes_everything():
    """A share so small that no row is drawn: the trees are those of all rows."""
    X, y = numbers()
    wanted = learned(fit(X, y))
    assert learned(fit(X, y, subsample=1e-9))["members"] == wanted["members"]
    model = fit(np.ones((4, 1)), [0, 0, 0, 1], subsample=0.5, max_features="sqrt")
    assert model.predict_proba([[1.0]])[0, 1] == pytest.approx(0.25)


def test_rows_with_different_sets_of_labels_are_drawn_together(monkeypatch):
    X, y = numbers(200)
    samples = drawn_samples(monkeypatch)
    Y = np.column_stack([np.tile(y, 2), np.repeat([0, 1], 200)])
    learner = TreeLearner(subsample=0.5)
    fit(np.tile(X, (2, 1)), Y, booster=AdaBoostMHClassifier, learner=learner, n_estimators=2)
    first, second = np.split(samples[0].rows[0], 2)
    np.testing.assert_array_equal(first, second)
    assert 0.3 < first.mean() < 0.7


@pytest.mark.parametrize(
    ("max_features", "available", "count"),
    [
        (None, 10, 10), (3, 10, 3), (30, 10, 10), (0.25, 10, 2), (0.01, 10, 1), (1.0, 10, 10),
        ("sqrt", 10, 3), ("log2", 10, 3), ("log2", 1, 1), ("sqrt", 0, 0), (3, 0, 0),
    ],
)  # fmt: skip
def test_how_many_columns(max_features, available, count):
    sampling.check_sampling(1.0, max_features)
    assert n_columns(max_features, available) == count


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"subsample": 0.0}, "subsample=0.0 must be a number above 0 and at most 1"),
        ({"subsample": 1.5}, "subsample=1.5 must be a number above 0 and at most 1"),
        ({"subsample": "half"}, "subsample='half' must be a number above 0 and at most 1"),
        ({"max_features": 0}, "max_features=0 must be a whole number of at least 1, a share"),
        ({"max_features": 1.5}, "max_features=1.5 must be a whole number of at least 1, a share"),
        ({"max_features": "all"}, "max_features='all' must be a whole number of at least 1"),
        ({"max_features": True}, "max_features=True must be a whole number of at least 1"),
    ],
)
def test_parameters_that_cannot_be(parameters, message):
    with pytest.raises(ValueError, match=message):
        GradientBoostingClassifier(**parameters).fit([[0.0], [1.0]], [0, 1])
