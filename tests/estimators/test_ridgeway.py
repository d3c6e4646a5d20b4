"""Regression by classification against AdaBoost and AdaBoost.MH on the columns y > s."""

import numpy as np
import pytest
from sklearn.datasets import load_diabetes

from tests.estimators.test_reductions import problem
from underdog import AdaBoostClassifier, AdaBoostMHClassifier, RidgewayRegressor
from underdog.learners import StumpLearner, TreeLearner

LEARNERS = {
    "trees": TreeLearner(max_depth=3),
    "stumps": StumpLearner("real"),
    "votes": StumpLearner("discrete"),
}
each_learner = pytest.mark.parametrize("learner", LEARNERS.values(), ids=LEARNERS)


def twin(X, y, s, rounds):
    """Real AdaBoost.MH with stumps on the columns y > s: scores of the training rows."""
    Y = np.where(y[:, np.newaxis] > s, 1.0, -1.0)
    F, smooth = np.zeros(Y.shape), 1 / Y.size
    for _ in range(rounds):
        D = np.exp(-Y * F)
        D /= D.sum()
        best, step = np.inf, None
        for column in X.T:
            for cut in np.unique(column)[:-1]:
                sides = (column > cut, column <= cut)
                sums = [((D * (Y > 0))[a].sum(axis=0), (D * (Y < 0))[a].sum(axis=0)) for a in sides]
                z = sum(2 * np.sqrt(plus * minus).sum() for plus, minus in sums)
                if z < best * (1 - 1e-12):
                    best, step = z, np.empty(Y.shape)
                    for side, (plus, minus) in zip(sides, sums, strict=True):
                        step[side] = 0.5 * np.log((plus + smooth) / (minus + smooth))
        F = F + step
    return F


def crossing(scores, s, low, high, y):
    """Where falling scores change sign, one row after the other."""
    found = []
    for row in scores:
        row = sorted(row, reverse=True)
        count = sum(value > 0 for value in row)
        if count == 0:
            found.append(low)
        elif count == len(s):
            found.append(high)
        else:
            before, after = row[count - 1], row[count]
            inside = y[(y > s[count - 1]) & (y <= s[count])]
            found.append(inside.min() + np.ptp(inside) * before / (before - after))
    return np.array(found)


def test_it_is_the_algorithm():
    X, y = problem()
    X = np.nan_to_num(X)
    model = RidgewayRegressor(n_estimators=6, learner="real", thresholds=4).fit(X, y)
    s = np.quantile(y, [0.2, 0.4, 0.6, 0.8], method="inverted_cdf")
    np.testing.assert_array_equal(model.thresholds_, s)
    scores = twin(X, y, s, 6)
    np.testing.assert_allclose(model._scores(X), scores, atol=1e-9)
    ends = [np.quantile(y[a], 0.5, method="inverted_cdf") for a in (y <= s[0], y > s[-1])]
    np.testing.assert_allclose(model.predict(X), crossing(scores, s, *ends, y), rtol=1e-9)


@each_learner
def test_with_one_threshold_it_is_adaboost(learner):
    X, y = load_diabetes(return_X_y=True)
    w = np.random.default_rng(0).uniform(0.5, 2.0, len(y))
    parameters = {"n_estimators": 15, "learner": learner}
    mine = RidgewayRegressor(thresholds=[150.0], **parameters).fit(X, y, w)
    other = AdaBoostClassifier(**parameters).fit(X, y > 150.0, w)
    np.testing.assert_array_equal(mine._scores(X)[:, 0], other.decision_function(X))
    assert mine.certificate_ == other.certificate_.own
    low, high = mine._labels.ends
    assert low <= 150.0 < high
    np.testing.assert_array_equal(mine.predict(X), np.where(other.predict(X), high, low))


@each_learner
def test_with_several_it_is_adaboost_mh(learner):
    X, y = load_diabetes(return_X_y=True)
    parameters = {"n_estimators": 15, "learner": learner}
    mine = RidgewayRegressor(thresholds=6, **parameters).fit(X, y)
    columns = (y[:, np.newaxis] > mine.thresholds_).astype(int)
    other = AdaBoostMHClassifier(**parameters).fit(X, columns)
    np.testing.assert_array_equal(mine._scores(X), other.decision_function(X))
    assert mine.certificate_ == other.certificate_
    assert mine.certificate_["training_error"] <= mine.certificate_["bound"]


def test_outliers_do_no_harm():
    X, y = problem()
    far = np.where(y > np.quantile(y, 0.97), 1e9, y)
    one, other = (RidgewayRegressor(n_estimators=5).fit(X, own) for own in (y, far))
    np.testing.assert_array_equal(one._scores(X), other._scores(X))


def test_it_estimates_the_median():
    rng = np.random.default_rng(0)
    X = rng.integers(0, 3, (3000, 1)).astype(float)
    y = X[:, 0] * 3 + rng.exponential(size=3000)
    model = RidgewayRegressor(n_estimators=60, thresholds=40).fit(X, y)
    medians = [np.median(y[X[:, 0] == value]) for value in range(3)]
    np.testing.assert_allclose(model.predict([[0.0], [1.0], [2.0]]), medians, atol=0.1)


@pytest.mark.parametrize("thresholds", [15, [0.5, 1.5, 2.5, 3.5], [0.0, 1.0, 2.0, 3.0], 4])
def test_whole_numbers_that_can_be_told_apart_are_predicted_exactly(thresholds):
    rng = np.random.default_rng(0)
    y = np.arange(200) % 5.0
    X = (y + 0.1 * rng.normal(size=200).clip(-3.0, 3.0))[:, np.newaxis]
    for n_estimators, learner in ((20, "real"), (10, "tree")):
        model = RidgewayRegressor(thresholds=thresholds, n_estimators=n_estimators, learner=learner)
        model.fit(X, y)
        assert model.certificate_["training_error"] == 0.0
        np.testing.assert_array_equal(model.predict(X), y)


def test_counts_have_no_bias_of_half_a_step():
    """Scores that cannot tell rows apart: the middle of the targets, not half a step below it."""
    rng = np.random.default_rng(1)
    y = rng.integers(0, 100, 4000).astype(float)
    X = (y + rng.normal(size=4000))[:, np.newaxis]
    model = RidgewayRegressor(n_estimators=40).fit(X, y)
    assert abs((model.predict(X) - y).mean()) < 0.25


def test_crossing_scores_are_counted():
    X, y = problem()
    model = RidgewayRegressor(n_estimators=10).fit(X, y)
    rises = (np.diff(model._scores(X), axis=1) > 0.0).any(axis=1)
    assert model.crossing(X) == rises.mean() > 0.0


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"thresholds": 0}, "thresholds=0 must be"),
        ({"thresholds": [1.0, 1.0]}, "must be a number of quantiles such as 15"),
        ({"monotonic_cst": [1] * 7}, "monotonic_cst is not supported by RidgewayRegressor"),
        ({"smoothing": -1.0}, "smoothing=-1.0 must be"),
    ],
)
def test_wrong_parameters(parameters, message):
    X, y = problem()
    with pytest.raises(ValueError, match=message):
        RidgewayRegressor(**parameters).fit(X, y)
