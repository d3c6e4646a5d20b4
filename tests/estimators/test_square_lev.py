"""SquareLev against the formulas of its paper."""

import numpy as np
import pytest
from sklearn.datasets import load_diabetes

from tests.estimators.test_reductions import problem
from underdog import BoostingClassifier, GradientBoostingRegressor, SquareLevRegressor
from underdog.combiners import LineSearch
from underdog.core import Learner
from underdog.learners import StumpLearner, TreeLearner
from underdog.learners.criteria import Newton

DIFFERENT = {
    "trees": {},
    "stumps": {"learner": "real"},
    "shrunk leaves": {"l2_regularization": 20.0},
    "drawn rows": {"subsample": 0.5, "max_depth": 2},
    "drawn columns": {"max_features": 2},
    "few steps": {"learning_rate": 0.3},
}
each_kind = pytest.mark.parametrize("given", DIFFERENT.values(), ids=DIFFERENT)


def best_stump(X, r, w, penalty):
    """h of the stump that lowers the squared error of r most, leaves shrunk by a penalty."""
    best, found = -1.0, None
    for column in X.T:
        for cut in np.unique(column)[:-1]:
            inside = column > cut
            gain, h = 0.0, np.empty(len(r))
            for side in (inside, ~inside):
                total, weight = (w * r)[side].sum(), w[side].sum() + penalty
                gain += total**2 / weight
                h[side] = total / weight
            if gain > best * (1 + 1e-12):
                best, found = gain, h
    return found


def twin(X, y, w, rounds, penalty):
    """SquareLev.R with stumps: predictions, correlations and steps."""
    F, correlations, steps = np.zeros(len(y)), [], []

    def mean(v):
        return (w * v).sum() / w.sum()

    for _ in range(rounds):
        r = y - F
        h = best_stump(X, r - mean(r), w, penalty)
        product = mean((r - mean(r)) * (h - mean(h)))
        sd_r, sd_h = (np.sqrt(mean((v - mean(v)) ** 2)) for v in (r, h))
        correlations.append(product / (sd_r * sd_h))
        steps.append(correlations[-1] * sd_r / sd_h)
        F = F + steps[-1] * h
    return F + mean(y - F), np.array(correlations), np.array(steps)


@pytest.mark.parametrize("penalty", [0.0, 4.0])
def test_it_is_the_algorithm_of_the_paper(penalty):
    """With shrunk leaves the step is longer than 1."""
    X, y = problem()
    X = np.nan_to_num(X)
    w = np.random.default_rng(3).uniform(0.5, 2.0, len(y))
    model = SquareLevRegressor(n_estimators=8, max_depth=1, l2_regularization=penalty)
    model.fit(X, y, w)
    predicted, correlations, steps = twin(X, y, w, 8, penalty)
    np.testing.assert_allclose(model.predict(X), predicted, rtol=1e-9)
    np.testing.assert_allclose(model.history_["correlation"], correlations, rtol=1e-9)
    np.testing.assert_allclose(model.estimator_weights_, steps, rtol=1e-9)
    assert (steps > 1.001).all() if penalty else np.allclose(steps, 1.0)


@each_kind
def test_the_variance_falls_by_the_square_of_the_correlation(given):
    X, y = problem()
    w = np.random.default_rng(4).uniform(0.5, 2.0, len(y))
    model = SquareLevRegressor(n_estimators=12, **given).fit(X, y, w)
    rate = given.get("learning_rate", 1.0)
    correlation, before = (
        model.history_["correlation"],
        np.average((y - np.average(y, weights=w)) ** 2, weights=w),
    )
    assert (np.abs(correlation) < 1.0).all()
    for number, predicted in enumerate(model.staged_predict(X)):
        residual = y - predicted
        after = np.average(residual**2, weights=w)
        assert abs(np.average(residual, weights=w)) < 1e-9
        assert model.history_["loss"][number] == pytest.approx(after, rel=1e-9)
        factor = 1.0 - rate * (2.0 - rate) * correlation[number] ** 2
        assert after == pytest.approx(before * factor, rel=1e-8)
        before = after
    assert model.certificate_["training_loss"] == pytest.approx(before, rel=1e-9)
    assert model.certificate_["bound"] == pytest.approx(before, rel=1e-8)


def test_the_correlation_is_that_of_rule_and_residuals():
    X, y = problem()
    model = SquareLevRegressor(n_estimators=5, subsample=0.5).fit(X, y)
    F = np.full(len(y), y.mean())
    for number, predicted in enumerate(model.staged_predict(X)):
        h = model.estimators_[number].predict(X)
        wanted = np.corrcoef(h, y - F)[0, 1]
        assert model.history_["correlation"][number] == pytest.approx(wanted, rel=1e-9)
        sds = (y - F).std() / h.std()
        assert model.estimator_weights_[number] == pytest.approx(wanted * sds, rel=1e-9)
        F = predicted


def test_with_means_in_the_leaves_it_is_gradient_boosting_with_whole_steps():
    X, y = load_diabetes(return_X_y=True)
    mine = SquareLevRegressor(n_estimators=15).fit(X, y)
    other = GradientBoostingRegressor(n_estimators=15, learning_rate=1.0).fit(X, y)
    np.testing.assert_allclose(mine.predict(X), other.predict(X), rtol=1e-9)
    np.testing.assert_allclose(mine.estimator_weights_, 1.0, rtol=1e-9)


class Halved(TreeLearner):
    """Says half of what is best, turned around."""

    def _values(self, *given):
        return -0.5 * super()._values(*given)


def test_a_learner_with_wrong_values_gets_another_coefficient():
    X, y = problem()
    model = SquareLevRegressor(n_estimators=3, learner=Halved()).fit(X, y)
    np.testing.assert_allclose(model.estimator_weights_, -2.0, rtol=1e-9)
    assert (model.history_["correlation"] < 0.0).all()
    plain = SquareLevRegressor(n_estimators=3).fit(X, y)
    np.testing.assert_allclose(model.predict(X), plain.predict(X), rtol=1e-9)


def test_monotonic_steps():
    X, y = problem(200)
    model = SquareLevRegressor(monotonic_cst=[0, 0, 0, 1, 0, 0, 0], n_estimators=20).fit(X, y)
    rows = np.repeat(X[:20], 30, axis=0)
    rows[:, 3] = np.tile(np.linspace(0, 1, 30), 20)
    assert (np.diff(model.predict(rows).reshape(20, 30), axis=1) >= 0.0).all()


@pytest.mark.parametrize("kind", ["real", "discrete"])
def test_line_search_with_another_loss(kind):
    """For votes it is what Stagewise does."""
    X, y = problem()
    y = y > np.median(y)
    searched = BoostingClassifier(learner=StumpLearner(kind), combiner=LineSearch()).fit(X, y)
    plain = BoostingClassifier(learner=StumpLearner(kind)).fit(X, y)
    same = np.array_equal(searched.decision_function(X), plain.decision_function(X))
    assert same == (kind == "discrete")
    assert searched.history_["loss"][4] < 1.0


class Blind(Learner):
    """Has no rule to offer but 0."""

    def criterion(self, loss):
        return Newton()

    def start(self, run):
        return TreeLearner(max_depth=1).start(run)

    def fit(self, memory, question):
        found = TreeLearner(max_depth=1).fit(memory, question)
        tree = type(found.hypothesis)(found.hypothesis.leaves, 0.0 * found.hypothesis.values)
        return found._replace(hypothesis=tree)


def test_a_rule_without_correlation_ends_the_run():
    X, y = problem()
    model = SquareLevRegressor(learner=Blind()).fit(X, y)
    assert "the best rule does not change the scores" in model.stop_reason_
    np.testing.assert_allclose(model.predict(X), y.mean(), rtol=1e-12)
