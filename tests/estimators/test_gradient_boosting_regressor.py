"""GradientBoostingRegressor against a twin, scikit-learn, its own promises and bad targets."""

import warnings

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.dummy import DummyRegressor
from sklearn.ensemble import GradientBoostingRegressor as Reference

from tests.core.shards import fit_on
from tests.estimators import regression_twin as twin
from underdog import (
    AdaBoostR2Regressor,
    GradientBoostingClassifier,
    GradientBoostingRegressor,
    load,
)
from underdog.learners import TreeLearner
from underdog.losses import PoissonLoss

LOSSES = ("squared", "absolute", "huber", "quantile", "poisson")
TWINS = {
    "squared": twin.Squared,
    "absolute": lambda: twin.Quantile(0.5, 2.0),
    "huber": lambda: twin.Huber(0.9),
    "quantile": lambda: twin.Quantile(0.7),
    "poisson": twin.Poisson,
}
WITHOUT_TIES = ("squared", "huber", "poisson")
"""Sums of signs without weights are often equal for several tests; these losses have none."""
each_loss = pytest.mark.parametrize("loss", LOSSES)


def rows(n=150, seed=0, counts=False):
    """Columns of 12 values, a target with an interaction, and weights that are not whole."""
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 12, (n, 4)).astype(float)
    mean = X[:, 0] * (X[:, 1] > 5) + np.sin(X[:, 2])
    y = 5.0 * mean + rng.standard_t(3, n)
    if counts:
        y = 1 + rng.poisson(np.exp(mean / 6))
    y = np.rint(y * 1024) / 1024  # on the score grid: signs of residuals are exact
    return X, y.astype(float), rng.uniform(0.5, 2.0, n)


def data(loss, n=150, seed=0):
    return rows(n, seed, counts=loss == "poisson")


def make(loss="squared", **given):
    own = {"quantiles": 0.7} if loss == "quantile" else {}
    return GradientBoostingRegressor(loss=loss, **{"n_estimators": 12, **own, **given})


def scores(model, X):
    predicted = model.predict(X)
    return np.log(predicted) if model.loss == "poisson" else predicted


def order_statistic(y, w, share):
    """The smallest value at which the cumulated weight reaches the share of all."""
    order = np.argsort(y, kind="stable")
    return y[order][np.argmax(np.cumsum(w[order]) >= share * w.sum())]


# Equal to the paper, and to scikit-learn.


@pytest.mark.parametrize(
    ("loss", "weighted"),
    [*((loss, True) for loss in LOSSES), *((loss, False) for loss in WITHOUT_TIES)],
)
@pytest.mark.parametrize("depth", [1, 3])
def test_it_is_the_algorithm_of_the_paper(loss, depth, weighted):
    for seed in range(3):
        X, y, w = data(loss, seed=seed)
        w = w if weighted else None
        model = make(loss, max_depth=depth, learning_rate=0.3).fit(X, y, w)
        start, wanted, losses = twin.boosted(X, y, TWINS[loss](), 12, 0.3, depth, w)
        assert model.model_.start[0] == pytest.approx(start, abs=1e-10)
        np.testing.assert_allclose(scores(model, X), wanted, atol=1e-9)
        np.testing.assert_allclose(model.history_["loss"], losses, rtol=1e-9, atol=1e-12)
        assert model.certificate_["training_loss"] == pytest.approx(
            losses[-1], rel=1e-9 if loss != "huber" else 0.05
        )


@pytest.mark.parametrize(
    ("loss", "name"),
    [("squared", "squared_error"), ("absolute", "absolute_error"), ("huber", "huber"),
     ("quantile", "quantile")],
)  # fmt: skip
@pytest.mark.parametrize("depth", [1, 3])
def test_it_is_that_of_scikit_learn(loss, name, depth):
    """Given the start of the paper: scikit-learn's quantiles interpolate.

    It also splits pure nodes if a sum is rounded, which min_impurity_decrease prevents.
    """
    X, y, w = rows(seed=1)
    model = make(loss, max_depth=depth, n_estimators=20).fit(X, y, w)
    constant = np.average(y, weights=w)
    if loss != "squared":
        constant = order_statistic(y, w, 0.7 if loss == "quantile" else 0.5)
    assert model.model_.start[0] == pytest.approx(constant, rel=1e-12, abs=1e-12)
    start = DummyRegressor(strategy="constant", constant=constant)
    alpha = 0.7 if loss == "quantile" else 0.9
    other = Reference(
        loss=name,
        max_depth=depth,
        n_estimators=20,
        alpha=alpha,
        init=start,
        random_state=0,
        min_impurity_decrease=1e-9,
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)
        other.fit(X, y, w)
    np.testing.assert_allclose(model.predict(X), other.predict(X), atol=1e-9)


# Promises.


@each_loss
def test_rows_in_another_order_give_the_same_bits(loss):
    X, y, w = data(loss)
    order = np.random.default_rng(5).permutation(len(y))
    one, other = make(loss).fit(X, y, w), make(loss).fit(X[order], y[order], w[order])
    assert one.predict(X).tobytes() == other.predict(X).tobytes()
    assert one.history_["loss"].tobytes() == other.history_["loss"].tobytes()


@each_loss
@pytest.mark.parametrize("n_shards", [2, 3])
@pytest.mark.parametrize("given", [{}, {"learner": "real"}, {"subsample": 0.5}], ids=str)
def test_shards_give_the_same_bits(loss, n_shards, given, monkeypatch):
    X, y, w = data(loss)
    one = make(loss, **given).fit(X, y, w)
    placed = fit_on(monkeypatch, n_shards)
    other = make(loss, **given).fit(X, y, w)
    assert placed == [n_shards]
    assert one.predict(X).tobytes() == other.predict(X).tobytes()
    assert one.history_["loss"].tobytes() == other.history_["loss"].tobytes()


@each_loss
def test_whole_weights_are_repeated_rows(loss):
    X, y, _ = data(loss)
    times = np.random.default_rng(3).integers(0, 4, len(y))
    one = make(loss, min_samples_leaf=5).fit(X, y, times)
    other = make(loss, min_samples_leaf=5).fit(np.repeat(X, times, 0), np.repeat(y, times))
    assert one.predict(X).tobytes() == other.predict(X).tobytes()


@each_loss
def test_sparse_and_dense_are_the_same(loss):
    X, y, w = data(loss)
    X = np.where(X < 7, 0.0, X)
    one, other = make(loss).fit(X, y, w), make(loss).fit(sp.csr_array(X), y, w)
    assert one.predict(X).tobytes() == other.predict(sp.csr_array(X)).tobytes()


@each_loss
@pytest.mark.parametrize("jobs", [1, 2])
def test_threads_and_subsamples_repeat(loss, jobs):
    X, y, w = data(loss, 400)
    given = {"subsample": 0.6, "max_features": 0.5, "random_state": 3}
    one = make(loss, **given).fit(X, y, w)
    other = make(loss, n_jobs=jobs, **given).fit(X[::-1], y[::-1], w[::-1])
    assert one.predict(X).tobytes() == other.predict(X).tobytes()


@each_loss
def test_going_on_is_the_same_as_one_run(loss, tmp_path):
    X, y, w = data(loss)
    whole = make(loss).fit(X, y, w)
    halves = make(loss, n_estimators=5, warm_start=True).fit(X, y, w)
    halves.save(tmp_path / "half.udg")
    stored = load(tmp_path / "half.udg")
    for one in (halves, stored):
        one.set_params(n_estimators=12).fit(X, y, w)
        assert one.predict(X).tobytes() == whole.predict(X).tobytes()
        np.testing.assert_array_equal(one.history_["loss"], whole.history_["loss"])


@each_loss
def test_files_and_stages(loss, tmp_path):
    X, y, w = data(loss)
    model = make(loss).fit(X, y, w)
    model.save(tmp_path / "model.udg")
    loaded = load(tmp_path / "model.udg")
    assert loaded.predict(X).tobytes() == model.predict(X).tobytes()
    assert loaded.certificate_ == model.certificate_
    *_, last = model.staged_predict(X)
    assert last.tobytes() == model.predict(X).tobytes()
    assert len(list(loaded.staged_predict(X))) == 12


@pytest.mark.parametrize("loss", ["squared", "absolute", "quantile", "poisson"])
@pytest.mark.parametrize("rate", [0.3, 1.0])
def test_the_training_loss_never_rises(loss, rate):
    X, y, w = data(loss, 300)
    for depth in (1, 4):
        losses = make(loss, learning_rate=rate, max_depth=depth, n_estimators=30).fit(X, y, w)
        fallen = np.diff(losses.history_["loss"])
        assert fallen.max() <= 1e-12 * losses.history_["loss"][0]


def test_stumps_are_trees_of_depth_one():
    for loss in LOSSES:
        X, y, w = data(loss)
        one, other = (
            make(loss, **given).fit(X, y, w) for given in ({"learner": "real"}, {"max_depth": 1})
        )
        np.testing.assert_allclose(one.predict(X), other.predict(X), atol=1e-9)


@pytest.mark.parametrize("loss", ["squared", "poisson"])
def test_monotonic_constraints_hold(loss):
    X, y, w = data(loss, 400)
    model = make(loss, monotonic_cst=[1, -1, 0, 0], n_estimators=40).fit(X, y, w)
    grid = np.repeat(X[:50], 12, axis=0)
    for column, direction in ((0, 1), (1, -1)):
        walked = grid.copy()
        walked[:, column] = np.tile(np.arange(12.0), 50)
        rising = np.diff(direction * model.predict(walked).reshape(50, 12), axis=1)
        assert rising.min() >= -1e-12
    assert model.score(X, y, w) > 0.1


@pytest.mark.parametrize("learner", ["tree", "real", TreeLearner(max_depth=4, subsample=0.6)])
@pytest.mark.parametrize("n_shards", [1, 2])
def test_leaves_without_counts_keep_monotonic_constraints(learner, n_shards, monkeypatch):
    if n_shards > 1:
        fit_on(monkeypatch, n_shards)
    changed, within = [], PoissonLoss.within

    def counted(self, values, bounds):
        kept = within(self, values, bounds)
        changed.append(bool((kept != values).any()))
        return kept

    monkeypatch.setattr(PoissonLoss, "within", counted)
    for seed in range(20 if n_shards == 1 else 5):
        rng = np.random.default_rng(seed)
        X = rng.integers(0, 8, (120, 3)).astype(float)
        rate = 0.3 * X[:, 0] - 0.2 * X[:, 1] + 2.0 * (X[:, 0] == 3) * (X[:, 2] > 4) - 2.5
        y = rng.poisson(np.exp(rate)).astype(float)
        shared = {"learner": learner, "learning_rate": 0.8, "n_estimators": 15}
        model = make("poisson", monotonic_cst=[1, -1, 0], **shared).fit(X, y)
        for column, direction in ((0, 1), (1, -1)):
            grid = np.repeat(X[:40], 8, axis=0)
            grid[:, column] = np.tile(np.arange(8.0), 40)
            said = np.log(model.predict(grid)).reshape(40, 8)
            assert np.diff(direction * said, axis=1).min() >= 0.0
    assert any(changed) or learner == "real"


def test_losses_of_quantiles_refuse_monotonic_constraints():
    X, y, _ = rows()
    with pytest.raises(ValueError, match="monotonic_cst is not supported for AbsoluteError"):
        make("absolute", monotonic_cst=[1, 0, 0, 0]).fit(X, y)


def test_early_stopping_keeps_the_best_round():
    X, y, _ = rows(600)
    model = make(n_estimators=300, learning_rate=0.5, early_stopping=True, random_state=0).fit(X, y)
    scored = model.history_["validation_score"]
    assert model.n_iter_ == int(np.argmax(scored)) + 1 < 300
    by_folds = make(n_estimators=300, learning_rate=0.5, early_stopping=True, cv=3).fit(X, y)
    assert "chosen by 3-fold" in by_folds.stop_reason_
    by_name = make(early_stopping=True, scoring="neg_mean_absolute_error").fit(X, y)
    assert by_name.history_["validation_score"].max() < 0
    given = make(early_stopping=True).fit(X[:400], y[:400], X_val=X[400:], y_val=y[400:])
    mean = -np.mean((y[400:] - given.predict(X[400:])) ** 2)
    assert given.history_["validation_score"][given.n_iter_ - 1] == pytest.approx(mean)


# Quantiles.


def test_several_quantiles_do_not_cross():
    X, y, w = rows(500)
    model = make("quantile", quantiles=[0.1, 0.5, 0.9], n_estimators=80).fit(X, y, w)
    predicted = model.predict(X)
    assert predicted.shape == (500, 3)
    assert (np.diff(predicted, axis=1) >= 0).all()
    assert [(w * (y <= p)).sum() / w.sum() for p in predicted.T] == pytest.approx(
        [0.1, 0.5, 0.9], abs=0.05
    )
    assert 0.0 <= model.crossing(X) < 0.2
    unsorted = model._scores(X)
    np.testing.assert_array_equal(np.sort(unsorted, axis=1), predicted)
    assert model.crossing(X) == np.mean((np.diff(unsorted, axis=1) < 0).any(axis=1))


def test_one_quantile_in_a_list_is_a_column():
    X, y, _ = rows()
    one = make("quantile", quantiles=0.7).fit(X, y)
    column = make("quantile", quantiles=[0.7]).fit(X, y)
    assert column.predict(X).shape == (len(y), 1)
    np.testing.assert_array_equal(column.predict(X)[:, 0], one.predict(X))


@pytest.mark.parametrize(
    "quantiles", [0.0, 1.0, 1.5, [], "half", [0.5, 0.1], [0.5, 0.5], [0.1, None], None]
)
def test_bad_quantiles(quantiles):
    X, y, _ = rows()
    with pytest.raises(ValueError, match="quantiles="):
        make("quantile", quantiles=quantiles).fit(X, y)


# Targets.


def squared(y, X=None, **given):
    X = np.arange(len(y), dtype=float)[:, np.newaxis] if X is None else X
    return make(**given).fit(X, y)


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("value", [0.0, 3.5, 1e300, 1e-250])
def test_a_constant_target(loss, value):
    refused = {0.0: "all targets are 0", 1e300: "too large", 1e-250: "too small"}
    if loss == "poisson" and value in refused:
        with pytest.raises(ValueError, match=refused[value]):
            make(loss).fit(np.arange(5.0)[:, np.newaxis], np.full(5, value))
        return
    model = make(loss).fit(np.arange(5.0)[:, np.newaxis], np.full(5, value))
    assert model.n_iter_ == 1
    assert "the model is a constant" in model.stop_reason_
    assert model.predict([[2.0]])[0] == pytest.approx(value, rel=1e-9)


def test_counts_of_zero_only():
    with pytest.raises(ValueError, match="all targets are 0"):
        make("poisson").fit(np.arange(5.0)[:, np.newaxis], np.zeros(5))


@pytest.mark.parametrize("loss", ["squared", "absolute", "huber", "quantile"])
@pytest.mark.parametrize("power", [-900, -300, 0, 300, 950])
def test_the_unit_of_the_target_does_not_matter(loss, power):
    """Times a power of two, predictions are that multiple, bit for bit."""
    X, y, w = rows()
    plain, scaled = make(loss).fit(X, y, w), make(loss).fit(X, np.ldexp(y, power), w)
    assert np.ldexp(plain.predict(X), power).tobytes() == scaled.predict(X).tobytes()
    assert np.isfinite(scaled.history_["loss"]).all()


@pytest.mark.parametrize("power", [-900, -290, -3, 5, 290, 950])
def test_the_unit_of_rates_only_shifts_their_logarithms(power):
    """A power of two is no whole number of units of the scores, so it is not bit for bit."""
    X, y, w = data("poisson")
    if abs(power) > 300:
        with pytest.raises(ValueError, match="multiply y by a constant"):
            make("poisson").fit(X, np.ldexp(y, power), w)
        return
    plain, scaled = (make("poisson").fit(X, own, w) for own in (y, np.ldexp(y, power)))
    np.testing.assert_allclose(scaled.predict(X), np.ldexp(plain.predict(X), power), rtol=1e-9)
    assert np.isfinite(scaled.history_["loss"]).all()


@pytest.mark.parametrize("power", [-450, 990])
@pytest.mark.parametrize("booster", [GradientBoostingRegressor, AdaBoostR2Regressor])
def test_huge_and_tiny_targets_can_be_read(booster, power):
    X, y, w = rows()
    plain = booster(n_estimators=4).fit(X, y, w)
    scaled = booster(n_estimators=4).fit(X, np.ldexp(y, power), w)
    assert max(map(len, scaled.describe().splitlines()[1:])) <= 80
    assert ("e-13" if power < 0 else "e+29") in scaled.describe()
    assert scaled.feature_importances_.sum() == pytest.approx(1.0)
    if power < 0 or booster is AdaBoostR2Regressor:  # the squares of huge targets are infinite
        np.testing.assert_array_equal(scaled.feature_importances_, plain.feature_importances_)


def test_a_large_offset_costs_no_accuracy():
    X, y, _ = rows()
    near, far = make().fit(X, y), make().fit(X, y + 1e8)
    np.testing.assert_allclose(far.predict(X) - 1e8, near.predict(X), atol=1e-6)


@pytest.mark.parametrize("y", [[0.0, 1e308, -1e308], [0.0, 1e-300, 3e-300]])
def test_targets_beyond_all_units(y):
    with pytest.raises(ValueError, match=r"y ranges from .* multiply y by a constant"):
        squared(np.array(y))


@pytest.mark.parametrize(
    ("y", "problem"),
    [
        ([1.0, np.nan, 2.0], "missing in row 1"),
        ([1.0, None, 2.0], "missing in row 1"),
        ([1.0, np.inf, 2.0], "infinity"),
        (["a", "b", "c"], "for classes use a classifier"),
        ([[1.0, 2.0], [2.0, 1.0], [1.0, 1.0]], "y has 2 columns"),
    ],
)
def test_targets_that_are_no_numbers(y, problem):
    with pytest.raises(ValueError, match=problem):
        squared(y)


def test_counts_below_zero():
    with pytest.raises(ValueError, match=r"y is -1 in row 2, but loss='poisson' is for counts"):
        make("poisson").fit(np.arange(3.0)[:, np.newaxis], [0, 1, -1])


def test_one_row_and_all_weight_on_one_row():
    assert make().fit([[1.0]], [7.25]).predict([[3.0]]).tolist() == [7.25]
    X, y, _ = rows()
    alone = make().fit(X, y, 5 * (np.arange(len(y)) == 3))
    assert alone.predict(X).tolist() == [pytest.approx(y[3], rel=1e-12)] * len(y)


def test_integers_booleans_and_columns():
    X, y, _ = rows()
    whole = np.rint(y).astype(int)
    np.testing.assert_array_equal(
        make().fit(X, whole).predict(X), make().fit(X, whole * 1.0).predict(X)
    )
    with pytest.warns(Warning, match="column-vector"):
        make().fit(X, y[:, np.newaxis])
    assert make().fit(X, y > 0).predict(X).dtype == np.float64


def test_a_leaf_without_counts_is_finite():
    X = np.arange(40.0)[:, np.newaxis]
    y = np.where(X[:, 0] < 20, 0, 5)
    model = make("poisson", learning_rate=1.0, max_depth=1, n_estimators=3).fit(X, y)
    low, high = model.predict([[0.0], [39.0]])
    assert 0.0 < low < 0.3
    assert high == pytest.approx(5.0, rel=0.1)
    assert np.isfinite(model.history_["loss"]).all()


def test_a_classifier_names_the_regressor():
    X, y, _ = rows()
    with pytest.raises(ValueError, match="use a regressor such as GradientBoostingRegressor"):
        GradientBoostingClassifier().fit(X, y)


def test_a_learner_object_and_the_penalty():
    X, y, w = rows()
    given = make(learner=TreeLearner(max_leaf_nodes=4, max_depth=None)).fit(X, y, w)
    same = make(max_leaf_nodes=4, max_depth=None).fit(X, y, w)
    assert given.predict(X).tobytes() == same.predict(X).tobytes()
    shrunk = make(l2_regularization=100.0).fit(X, y, w)
    assert np.ptp(shrunk.predict(X)) < np.ptp(make().fit(X, y, w).predict(X))


def test_a_warm_start_with_another_target_is_refused():
    X, y, _ = rows()
    model = make(warm_start=True).fit(X, y)
    model.set_params(loss="poisson", n_estimators=20)
    with pytest.raises(ValueError, match="warm_start: in the fitted model score is the prediction"):
        model.fit(X, np.abs(y))
    model.set_params(loss="squared")
    with pytest.raises(ValueError, match="y is much larger"):
        model.fit(X, y * 1e6)
    with pytest.raises(ValueError, match="y is much smaller"):
        model.fit(X, y * 1e-9)
