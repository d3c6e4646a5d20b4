"""What all reductions of regression promise: scikit-learn's checks, bits, files, odd targets."""

import pickle

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from sklearn.base import clone, is_regressor
from sklearn.datasets import make_friedman1
from sklearn.utils.estimator_checks import parametrize_with_checks

from underdog import (
    AdaBoostR2Regressor,
    AdaBoostRRegressor,
    ExpLevRegressor,
    RidgewayRegressor,
    SquareLevRegressor,
    Table,
    UnderdogWarning,
    load,
)
from underdog.estimators import all_regressors
from underdog.workers import Workers

MEDIANS = {
    "r2": AdaBoostR2Regressor(n_estimators=6),
    "r2 square": AdaBoostR2Regressor(n_estimators=6, loss="square"),
    "r2 exponential": AdaBoostR2Regressor(n_estimators=6, loss="exponential"),
    "r2 resampled": AdaBoostR2Regressor(n_estimators=6, resample=True),
    "r": AdaBoostRRegressor(n_estimators=6),
}
ADDITIVE = {
    "square lev": SquareLevRegressor(n_estimators=6),
    "square lev, stumps": SquareLevRegressor(n_estimators=6, learner="real"),
    "square lev, drawn rows": SquareLevRegressor(n_estimators=6, subsample=0.6),
    "exp lev": ExpLevRegressor(n_estimators=6),
    "exp lev, votes": ExpLevRegressor(n_estimators=6, learner="discrete"),
    "ridgeway": RidgewayRegressor(n_estimators=6),
    "ridgeway, stumps": RidgewayRegressor(n_estimators=6, learner="real", thresholds=5),
}
MODELS = {**MEDIANS, **ADDITIVE}
each_model = pytest.mark.parametrize("model", MODELS.values(), ids=MODELS)
each_sum = pytest.mark.parametrize("model", ADDITIVE.values(), ids=ADDITIVE)
each_median = pytest.mark.parametrize("model", MEDIANS.values(), ids=MEDIANS)
CHECKS = parametrize_with_checks(
    [clone(model).set_params(n_estimators=4) for model in MODELS.values()]
)


def problem(n=90, seed=0):
    """Numbers with holes, counts and a constant column."""
    X, y = make_friedman1(n, 7, noise=0.5, random_state=seed)
    rng = np.random.default_rng(seed)
    X[:, 5] = rng.poisson(0.8, n)
    X[:, 6] = 1.0
    X[rng.random(n) < 0.2, 0] = np.nan
    return X, y


def same_rules(one, other):
    """Whether two models have the same rules and coefficients, to the last bit."""
    assert len(one.model_) == len(other.model_)
    np.testing.assert_array_equal(one.estimator_weights_, other.estimator_weights_)
    for mine, yours in zip(one.model_.members, other.model_.members, strict=True):
        np.testing.assert_array_equal(mine.steps, yours.steps)
    np.testing.assert_array_equal(one.model_.start, other.model_.start)


def test_all_of_them_are_found():
    assert {type(model) for model in MODELS.values()} <= set(all_regressors().values())
    assert not {"Regressor", "MedianRegressor"} & set(all_regressors())
    assert all(is_regressor(model) for model in MODELS.values())


@pytest.mark.filterwarnings("default")
@pytest.mark.parametrize(CHECKS.args[0], list(CHECKS.args[1]), ids=CHECKS.kwargs["ids"])
def test_scikit_learn_checks(estimator, check):
    assert check(estimator) is None


@each_model
def test_the_order_of_rows_does_not_matter(model):
    X, y = problem()
    order = np.random.default_rng(1).permutation(len(y))
    one, other = clone(model).fit(X, y), clone(model).fit(X[order], y[order])
    same_rules(one, other)
    np.testing.assert_array_equal(one.predict(X), other.predict(X))


@each_median
def test_leaves_have_enough_examples_however_light_they_are(model):
    X, y = problem()
    order = np.random.default_rng(1).permutation(len(y))
    model = clone(model).set_params(min_samples_leaf=4)
    one, other = clone(model).fit(X, y), clone(model).fit(X[order], y[order])
    same_rules(one, other)
    assert min(member.hypothesis.examples.min() for member in one.model_.members) == 4


@each_model
def test_whole_weights_are_repeated_rows(model):
    X, y = problem()
    times = np.random.default_rng(2).integers(0, 4, len(y))
    one = clone(model).fit(X, y, times)
    other = clone(model).fit(np.repeat(X, times, axis=0), np.repeat(y, times))
    same_rules(one, other)
    same_rules(one, clone(model).fit(X[times > 0], y[times > 0], times[times > 0]))


@each_model
def test_sparse_and_dense_rows_give_the_same_model(model):
    X, y = problem()
    X = np.where(np.isnan(X) | (X < 0.4), 0.0, X)
    one, other = clone(model).fit(X, y), clone(model).fit(sp.csr_array(X), y)
    same_rules(one, other)
    np.testing.assert_array_equal(one.predict(X), other.predict(sp.csr_array(X)))


@each_model
def test_one_thread_or_two(model):
    X, y = problem()
    same_rules(clone(model).fit(X, y), clone(model).set_params(n_jobs=2).fit(X, y))


@each_model
def test_a_warm_start_goes_on(model):
    X, y = problem()
    whole = clone(model).fit(X, y)
    halves = clone(model).set_params(n_estimators=2, warm_start=True).fit(X, y)
    halves.set_params(n_estimators=model.n_estimators).fit(X, y)
    same_rules(whole, halves)
    for name in set(whole.history_) - {"seconds"}:
        np.testing.assert_array_equal(whole.history_[name], halves.history_[name])


@each_model
def test_files_and_pickles_hold_the_model(model, tmp_path):
    X, y = problem()
    fitted = clone(model).fit(X, y)
    fitted.save(tmp_path / "model.udg")
    for again in (load(tmp_path / "model.udg"), pickle.loads(pickle.dumps(fitted))):
        same_rules(fitted, again)
        np.testing.assert_array_equal(fitted.predict(X), again.predict(X))
        assert again.describe() == fitted.describe()
        assert again.certificate_ == fitted.certificate_
        again.set_params(warm_start=True, n_estimators=8).fit(X, y)
        same_rules(again, clone(model).set_params(n_estimators=8).fit(X, y))


@each_model
def test_staged_predictions_end_with_the_prediction(model):
    X, y = problem()
    fitted = clone(model).fit(X, y)
    stages = list(fitted.staged_predict(X))
    assert len(stages) == fitted.n_iter_
    np.testing.assert_array_equal(stages[-1], fitted.predict(X))
    short = clone(model).set_params(n_estimators=3).fit(X, y)
    np.testing.assert_array_equal(stages[2], short.predict(X))


@each_model
def test_categories_and_missing_values(model):
    rng = np.random.default_rng(0)
    town = rng.choice(["Ulm", "Bonn", "Jena"], 80)
    X = pd.DataFrame({"town": pd.Categorical(town), "size": rng.normal(size=80)})
    X.loc[::9, "size"] = np.nan
    y = np.where(town == "Bonn", 5.0, -1.0) + np.nan_to_num(X["size"])
    fitted = clone(model).fit(X, y)
    assert fitted.score(X, y) > 0.3
    assert fitted.feature_importances_[0] > 0.3
    assert np.isfinite(fitted.predict(pd.DataFrame({"town": ["Rom"], "size": [np.nan]}))).all()


@each_model
@pytest.mark.parametrize("value", [0.0, -7.0, 1e300, 1e-200])
def test_a_constant_target_is_predicted(model, value):
    X, _ = problem()
    fitted = clone(model).fit(X, np.full(len(X), value))
    np.testing.assert_allclose(fitted.predict(X), value, rtol=1e-12)
    assert fitted.n_iter_ == 1
    assert "constant" in fitted.stop_reason_ or "no mistake" in fitted.stop_reason_


@each_model
@pytest.mark.parametrize("power", [-800, -20, 3, 900])
def test_predictions_follow_the_scale_of_the_target(model, power):
    """To the last bit, because the factor is a power of two."""
    X, y = problem()
    one, other = clone(model).fit(X, y), clone(model).fit(X, np.ldexp(y, power))
    np.testing.assert_array_equal(np.ldexp(one.predict(X), power), other.predict(X))


@each_model
def test_huge_and_tiny_targets(model):
    X, y = problem()
    y = (y - y.mean()) / np.abs(y).max()
    plain = clone(model).fit(X, y)
    for size in (1e295, 1e-275):
        fitted = clone(model).fit(X, y * size)
        np.testing.assert_allclose(fitted.predict(X) / size, plain.predict(X), atol=1e-9)
        assert all(np.isfinite(value) for value in fitted.certificate_.values())
    if isinstance(model, RidgewayRegressor):  # sums have nothing but signs in them
        return
    for size in (1e303, 1e-305):
        with pytest.raises(ValueError, match="multiply y by a constant"):
            clone(model).fit(X, y * size)


@each_model
def test_whole_numbers_are_a_target(model):
    X, y = problem()
    whole = np.rint(y).astype(int)
    np.testing.assert_array_equal(
        clone(model).fit(X, whole).predict(X), clone(model).fit(X, whole.astype(float)).predict(X)
    )


@each_model
def test_one_row(model):
    fitted = clone(model).fit([[1.0, 2.0]], [3.5])
    assert fitted.predict([[0.0, 0.0]]).tolist() == [3.5]


@each_model
def test_all_weight_on_one_row(model):
    X, y = problem()
    weight = np.zeros(len(y))
    weight[4] = 3
    np.testing.assert_allclose(clone(model).fit(X, y, weight).predict(X), y[4], rtol=1e-12)
    weight[:] = 1e-200
    weight[4] = 3.5
    with pytest.warns(UnderdogWarning, match="weigh less than the resolution"):
        fitted = clone(model).fit(X, y, weight)
    assert np.isfinite(fitted.predict(X)).all()
    if isinstance(model, ExpLevRegressor):  # the exponential of an error outweighs its weight
        return
    np.testing.assert_allclose(fitted.predict(X[[4]]), y[4], rtol=1e-9)


@each_model
@pytest.mark.parametrize(
    ("y", "message"),
    [
        (np.array([1.0, np.nan]), "missing in row 1"),
        (np.array([1.0, np.inf]), "infinity"),
        (np.array(["a", "b"]), "y must be numbers"),
        (np.ones((2, 2)), "y has 2 columns"),
    ],
)
def test_wrong_targets_are_refused(model, y, message):
    with pytest.raises(ValueError, match=message):
        clone(model).fit(np.ones((2, 1)), y)


@each_model
def test_early_stopping_keeps_the_best_round(model):
    X, y = problem(200)
    stopped = clone(model).set_params(n_estimators=30, early_stopping=True).fit(X, y)
    scores = stopped.history_["validation_score"]
    assert stopped.n_iter_ == np.argmax(scores > scores.max() - 1e-7) + 1
    by_folds = clone(model).set_params(early_stopping=True, cv=3).fit(X, y)
    assert "cross-validation" in by_folds.stop_reason_


# Sums.


@each_sum
def test_sums_have_additive_parts(model):
    """What columns add to the mean of the training rows sums to the prediction."""
    X, y = problem()
    fitted = clone(model).fit(X, y)
    assert "the prediction" in fitted.describe()
    assert "x3" in fitted.describe(merged=True)
    if fitted.learner in (
        "real",
        "discrete",
    ):  # stumps do not count their examples: shapes serve them
        return
    parts = fitted.model_.attributions
    added = parts.credits(Table.from_data(X), Workers(None))
    scores = parts.base + added.sum(axis=1)
    np.testing.assert_allclose(fitted._labels.predict(scores), fitted.predict(X), rtol=1e-6)


# Medians.


@each_median
def test_a_median_has_no_additive_parts(model):
    X, y = problem()
    fitted = clone(model).fit(X, y)
    for ask in (
        lambda: fitted.describe(merged=True),
        lambda: fitted.model_.compiled,
        lambda: fitted.model_.attributions,
    ):
        with pytest.raises(TypeError, match="a median of predictions has no additive parts"):
            ask()
    with pytest.raises(ValueError, match="interaction_cst is not supported"):
        clone(model).set_params(interaction_cst="pairwise").fit(X, y)


@each_median
def test_the_prediction_is_the_median_of_the_rules(model):
    X, y = problem()
    fitted = clone(model).fit(X, y)
    each = np.stack([rule.predict(X) for rule in fitted.estimators_], axis=1)
    weights = fitted.estimator_weights_
    for row, predicted in zip(each, fitted.predict(X), strict=True):
        below, above = weights[row < predicted].sum(), weights[row > predicted].sum()
        assert predicted in row
        assert below < weights.sum() / 2 + 1e-12
        assert above <= weights.sum() / 2 + 1e-12
    assert fitted.feature_importances_.sum() == pytest.approx(1.0)
    assert fitted.feature_importances_[6] == 0.0
    mean_squared = np.average((y - fitted.predict(X)) ** 2)
    assert fitted.certificate_["training_loss"] == pytest.approx(mean_squared)


@each_median
def test_a_monotone_median(model):
    X, y = problem(200)
    fitted = clone(model).set_params(monotonic_cst=[0, 0, 0, 1, 0, 0, 0]).fit(X, y)
    rows = np.repeat(X[:20], 30, axis=0)
    rows[:, 3] = np.tile(np.linspace(0, 1, 30), 20)
    assert (np.diff(fitted.predict(rows).reshape(20, 30), axis=1) >= 0.0).all()
    assert "weight" in fitted.describe(1)
    assert "... and 5 more" in fitted.describe(1)
    assert "weighted median" in fitted._repr_html_inner()
