"""ExpLev against the formulas of its paper, and against AdaBoost on twice the rows."""

import numpy as np
import pytest

from tests.estimators.test_reductions import problem
from underdog import AdaBoostClassifier, ExpLevRegressor, UnderdogWarning
from underdog.learners import StumpLearner, TreeLearner

LEARNERS = {
    "trees": TreeLearner(max_depth=3),
    "votes of trees": TreeLearner("discrete", max_depth=2),
    "stumps": StumpLearner("real"),
    "votes": StumpLearner("discrete"),
}
each_learner = pytest.mark.parametrize("learner", LEARNERS.values(), ids=LEARNERS)


def twin(X, y, w, s, rounds, smooth):
    """Confidence-rated AdaBoost with stumps on 2m weighted rows; predictions after each round."""
    mean = (w * y).sum() / w.sum()
    F, found = np.full(len(y), mean), []
    for _ in range(rounds):
        plus, minus = w * np.exp(s * (y - F)), w * np.exp(-s * (y - F))
        total = plus.sum() + minus.sum()
        plus, minus = plus / total, minus / total
        best, step = np.inf, None
        for column in X.T:
            for cut in np.unique(column)[:-1]:
                sides = (column > cut, column <= cut)
                z = sum(2 * np.sqrt(plus[side].sum() * minus[side].sum()) for side in sides)
                if z < best * (1 - 1e-12):
                    best, step = z, np.empty(len(y))
                    for side in sides:
                        odds = (plus[side].sum() + smooth) / (minus[side].sum() + smooth)
                        step[side] = np.log(odds) / (2 * s)
        F = F + step
        found.append(F)
    return found


@pytest.mark.parametrize("scale", [None, 2.0])
def test_it_is_the_algorithm_of_the_paper(scale):
    X, y = problem()
    X = np.nan_to_num(X)
    w = np.random.default_rng(5).uniform(0.5, 2.0, len(y))
    model = ExpLevRegressor(n_estimators=8, learner="real", scale=scale).fit(X, y, w)
    sd = np.sqrt(np.average((y - np.average(y, weights=w)) ** 2, weights=w))
    stages = twin(X, y, w, 1 / (sd if scale is None else scale), 8, 0.5 / w.sum())
    for mine, wanted in zip(model.staged_predict(X), stages, strict=True):
        np.testing.assert_allclose(mine, wanted, rtol=1e-9)


@each_learner
@pytest.mark.parametrize("rate", [1.0, 0.4])
def test_it_is_adaboost_on_twice_the_rows(learner, rate):
    X, y = problem()
    scale, mean, smoothing = 3.0, ExpLevRegressor(n_estimators=1).fit(X, y).model_.start[0], 1e-3
    parameters = {"n_estimators": 12, "smoothing": smoothing, "learning_rate": rate}
    mine = ExpLevRegressor(scale=scale, learner=learner, **parameters).fit(X, y)
    each = np.exp((y - mean) / scale)
    other = AdaBoostClassifier(learner=learner, **parameters)
    other.fit(
        np.concatenate([X, X]),
        np.repeat([1, -1], len(y)),
        np.concatenate([each, 1 / each]) * len(y),
    )
    scores = mean + scale * other.decision_function(X)
    np.testing.assert_allclose(mine.predict(X), scores, rtol=0, atol=1e-8)
    np.testing.assert_allclose(mine.history_["z"], other.history_["z"], rtol=1e-8)
    np.testing.assert_allclose(mine.history_["edge"], other.history_["edge"], atol=1e-8)
    np.testing.assert_allclose(mine.estimator_weights_, other.estimator_weights_, rtol=1e-8)


@each_learner
@pytest.mark.parametrize("scale", [None, 1.5, 40.0])
@pytest.mark.parametrize("weighted", ["no", "whole", "real"])
def test_the_largest_error_is_below_its_bound_in_every_round(learner, scale, weighted):
    X, y = problem()
    rng = np.random.default_rng(6)
    w = {
        "no": np.ones(len(y)),
        "whole": rng.integers(1, 4, len(y)).astype(float),
        "real": rng.uniform(0.2, 3.0, len(y)),
    }[weighted]
    model = ExpLevRegressor(n_estimators=15, learner=learner, scale=scale).fit(X, y, w)
    s = 1 / model._link.scale
    least = 1.0 if weighted == "whole" else w.min()
    for number, predicted in enumerate(model.staged_predict(X)):
        P = (w * (np.exp(s * (y - predicted)) + np.exp(-s * (y - predicted)))).sum()
        wanted = np.arccosh(1 + (P / 2 - w.sum()) / least) / s
        assert model.history_["bound"][number] == pytest.approx(wanted, rel=1e-7)
        assert model.history_["loss"][number] == pytest.approx(P / 2 / w.sum(), rel=1e-9)
        assert np.abs(y - predicted).max() <= model.history_["bound"][number] * (1 + 1e-12)
    assert (np.diff(model.history_["loss"]) < 0.0).all()
    assert model.certificate_["largest_error"] == pytest.approx(np.abs(y - predicted).max())
    assert model.certificate_["bound"] == pytest.approx(model.history_["bound"][-1], rel=1e-9)
    assert model.certificate_["training_loss"] == pytest.approx(model.history_["loss"][-1])


def test_the_bound_holds_where_it_is_tight():
    """One row is far off, and all others have no error."""
    X, y = np.arange(6.0)[:, np.newaxis], np.array([0.0, 0.0, 0.0, 0.0, 0.0, 6.0])
    model = ExpLevRegressor(n_estimators=60, learner="real", smoothing=0.0).fit(X, y)
    assert model.certificate_["largest_error"] < 1e-6
    assert model.certificate_["largest_error"] <= model.certificate_["bound"] * (1 + 1e-9)
    assert model.certificate_["bound"] < 1e-5


def test_a_small_scale_counts_the_largest_error_only():
    """The exponent is beyond what a float can hold."""
    X, y = problem()
    model = ExpLevRegressor(n_estimators=5, scale=0.005).fit(X, y)
    assert np.isfinite(model.history_["bound"]).all()
    assert (model.history_["loss"] == np.finfo(float).max).any()
    for number, predicted in enumerate(model.staged_predict(X)):
        assert np.abs(y - predicted).max() <= model.history_["bound"][number]


def test_a_large_scale_is_the_squared_error():
    X, y = problem()
    model = ExpLevRegressor(n_estimators=1, scale=1e4, learner="real", smoothing=0.0).fit(X, y)
    column = model.model_.members[0].hypothesis.test
    said = np.unique(model.predict(X))
    means = sorted(y[model.predict(X) == value].mean() for value in said)
    assert column is not None
    np.testing.assert_allclose(said, means, rtol=1e-5)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"scale": 0.0}, "scale=0.0 must be"),
        ({"scale": "sd"}, "scale='sd' must be"),
        ({"scale": 1e-30}, "scale=1e-30 is too small for y, which ranges from"),
        ({"scale": 1e30}, "scale=1e\\+30 is too large for y"),
        ({"smoothing": -1.0}, "smoothing=-1.0 must be"),
    ],
)
def test_wrong_parameters(parameters, message):
    X, y = problem()
    with pytest.raises(ValueError, match=message):
        ExpLevRegressor(**parameters).fit(X, y)


def test_rows_that_weigh_nothing_are_told():
    X, y = problem()
    w = np.random.default_rng(6).uniform(0.2, 3.0, len(y))
    with pytest.warns(UnderdogWarning, match="rows weigh less than the resolution"):
        ExpLevRegressor(n_estimators=2, scale=0.2).fit(X, y, w)


def test_a_warm_start_keeps_the_scale():
    X, y = problem()
    model = ExpLevRegressor(n_estimators=2, warm_start=True).fit(X, y)
    scale = model._link.scale
    assert model.set_params(n_estimators=4).fit(X, y * 1.5)._link.scale == scale


def test_a_large_offset_is_said_to_leave_too_few_digits():
    X = np.arange(40.0)[:, np.newaxis]
    y = 1e11 + X[:, 0] / 10.0
    with pytest.raises(ValueError, match=r"y varies by 1.15 around 1e\+11, which leaves too few"):
        ExpLevRegressor().fit(X, y)
    with pytest.raises(ValueError, match="scale=1 is too small for y"):
        ExpLevRegressor(scale=1.0).fit(X, y)
