"""AdaBoost.R2 against the formulas of its paper and against scikit-learn."""

import numpy as np
import pytest
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.datasets import load_diabetes
from sklearn.ensemble import AdaBoostRegressor
from sklearn.linear_model import LinearRegression
from sklearn.neighbors import KNeighborsRegressor
from sklearn.tree import DecisionTreeRegressor

from tests.estimators.test_reductions import problem
from underdog import AdaBoostR2Regressor
from underdog.files import CannotStore
from underdog.learners import TreeLearner

each_loss = pytest.mark.parametrize("loss", ["linear", "square", "exponential"])


def twin(X, y, rounds, loss="linear", rate=1.0, weight=None, depth=3):
    """Drucker's algorithm with scikit-learn's trees: (trees, coefficients, average losses)."""
    D = np.ones(len(y)) / len(y) if weight is None else weight / weight.sum()
    trees, coefficients, averages = [], [], []
    for _ in range(rounds):
        tree = DecisionTreeRegressor(max_depth=depth, random_state=0).fit(X, y, sample_weight=D)
        e = np.abs(y - tree.predict(X))
        e /= e[D > 0].max()
        L = {"linear": e, "square": e**2, "exponential": 1 - np.exp(-e)}[loss]
        average = (D * L).sum()
        if average >= 0.5:
            break
        beta = average / (1 - average)
        trees.append(tree)
        coefficients.append(rate * np.log(1 / beta))
        averages.append(average)
        D = D * beta ** (rate * (1 - L))
        D /= D.sum()
    return trees, np.array(coefficients), np.array(averages)


def median(predictions, weights):
    """One row after the other: sort, and add up until half of the weight is reached."""
    found = []
    for row in predictions:
        total = 0.0
        for number in np.argsort(row):
            total += weights[number]
            if total >= weights.sum() / 2:
                found.append(row[number])
                break
    return np.array(found)


@each_loss
@pytest.mark.parametrize("rate", [1.0, 0.5])
def test_it_is_the_algorithm_of_the_paper(loss, rate):
    X, y = load_diabetes(return_X_y=True)
    weight = np.random.default_rng(0).uniform(0.5, 2.0, len(y))
    model = AdaBoostR2Regressor(n_estimators=12, loss=loss, learning_rate=rate, max_bins=500)
    model.fit(X, y, weight)
    trees, coefficients, averages = twin(X, y, 12, loss, rate, weight)
    np.testing.assert_allclose(model.estimator_weights_, coefficients, rtol=1e-9)
    np.testing.assert_allclose(model.estimator_errors_, averages, rtol=1e-9)
    each = np.stack([tree.predict(X) for tree in trees], axis=1)
    np.testing.assert_allclose(model.predict(X), median(each, coefficients), rtol=1e-9)


class Given(RegressorMixin, BaseEstimator):
    """Predicts as one of some given rules: the first that is fitted as the first, and so on."""

    rules, fitted = (), 0

    def fit(self, X, y):
        self.number_ = Given.fitted
        Given.fitted += 1
        return self

    def predict(self, X):
        return Given.rules[self.number_].predict(X)


def as_scikit_learn(model, X, y):
    """scikit-learn's AdaBoost.R2, given the rules of a model."""
    Given.rules, Given.fitted = list(model.estimators_), 0
    theirs = AdaBoostRegressor(Given(), n_estimators=len(Given.rules), loss=model.loss)
    return theirs.set_params(learning_rate=model.learning_rate).fit(X, y)


@each_loss
@pytest.mark.parametrize("resample", [True, False])
@pytest.mark.parametrize(
    "learner", ["tree", DecisionTreeRegressor(max_depth=2), LinearRegression()]
)
def test_it_is_that_of_scikit_learn_with_the_same_rules(loss, resample, learner):
    X, y = load_diabetes(return_X_y=True)
    model = AdaBoostR2Regressor(n_estimators=10, loss=loss, resample=resample, learner=learner)
    model.fit(X, y)
    theirs = as_scikit_learn(model, X, y)
    assert 1 <= model.n_iter_ == len(theirs.estimators_)
    np.testing.assert_allclose(model.estimator_weights_, theirs.estimator_weights_, rtol=1e-9)
    np.testing.assert_allclose(model.estimator_errors_, theirs.estimator_errors_, rtol=1e-9)
    np.testing.assert_allclose(model.predict(X), theirs.predict(X), rtol=1e-9)
    for mine, yours in zip(model.staged_predict(X), theirs.staged_predict(X), strict=True):
        np.testing.assert_allclose(mine, yours, rtol=1e-9)


def test_a_rule_without_error_is_the_last():
    X = np.array([[0.0], [1.0], [2.0], [3.0]])
    model = AdaBoostR2Regressor(max_depth=2).fit(X, [1.0, 2.0, 6.0, 7.0])
    assert model.estimator_weights_.tolist() == [1.0]
    assert model.predict(X).tolist() == [1.0, 2.0, 6.0, 7.0]
    assert model.stop_reason_ == "one rule makes no mistake on the training data"
    theirs = as_scikit_learn(model, X, np.array([1.0, 2.0, 6.0, 7.0]))
    assert theirs.estimator_weights_.tolist() == [1.0]


def test_a_first_rule_that_is_too_weak_is_the_only_one():
    X = np.repeat([[0.0], [1.0]], 4, axis=0)
    y = np.array([0.0, 0.0, 10.0, 10.0, 0.0, 0.0, 10.0, 10.5])
    model = AdaBoostR2Regressor().fit(X, y)
    assert model.n_iter_ == 1
    assert model.history_["loss"][0] >= 0.5
    assert "it is the only rule" in model.stop_reason_
    np.testing.assert_allclose(model.predict([[0.0], [1.0]]), [5.0, 5.125])


def test_a_later_rule_that_is_too_weak_is_dropped():
    X, y = load_diabetes(return_X_y=True)
    model = AdaBoostR2Regressor(n_estimators=200, max_depth=1, max_bins=500).fit(X, y)
    assert model.n_iter_ < 200
    assert "at least 1/2" in model.stop_reason_
    assert (model.estimator_errors_ < 0.5).all()
    _, coefficients, _ = twin(X, y, 20, depth=1)  # later a tie may be broken in another way
    np.testing.assert_allclose(model.estimator_weights_[:20], coefficients, rtol=1e-9)


def test_the_largest_error_is_that_of_rows_with_weight():
    X, y = problem()
    y[7] = 1e6
    weight = np.ones(len(y))
    weight[7] = 0.0
    model = AdaBoostR2Regressor(n_estimators=5).fit(X, y, weight)
    kept = weight > 0
    other = AdaBoostR2Regressor(n_estimators=5).fit(X[kept], y[kept])
    np.testing.assert_array_equal(model.estimator_weights_, other.estimator_weights_)
    assert model.history_["largest_error"].max() < 100.0


def test_draws_depend_on_the_seed():
    X, y = problem()
    models = [
        AdaBoostR2Regressor(n_estimators=3, resample=True, random_state=seed).fit(X, y)
        for seed in (0, 0, 1)
    ]
    weights = [model.estimator_weights_.tolist() for model in models]
    assert weights[0] == weights[1] != weights[2]


def test_a_tree_on_drawn_rows_is_fitted_to_them():
    """The leaf values are means of the drawn rows."""
    X, y = problem()
    X = np.nan_to_num(X)
    learner = DecisionTreeRegressor(max_depth=1)
    parameters = {"n_estimators": 1, "resample": True, "random_state": 5}
    mine = AdaBoostR2Regressor(max_depth=1, **parameters).fit(X, y)
    theirs = AdaBoostR2Regressor(learner=learner, **parameters).fit(X, y)
    assert sorted(set(mine.predict(X))) == pytest.approx(sorted(set(theirs.predict(X))))


def test_learner_objects():
    X, y = problem()
    by_name = AdaBoostR2Regressor(n_estimators=4, max_depth=2).fit(X, y)
    by_object = AdaBoostR2Regressor(n_estimators=4, learner=TreeLearner(max_depth=2)).fit(X, y)
    np.testing.assert_array_equal(by_name.predict(X), by_object.predict(X))


def test_regressors_of_other_libraries(tmp_path):
    X, y = problem()
    X = np.nan_to_num(X)
    with pytest.raises(ValueError, match="does not support sample_weight: set resample=True"):
        AdaBoostR2Regressor(learner=KNeighborsRegressor()).fit(X, y)
    model = AdaBoostR2Regressor(learner=KNeighborsRegressor(), resample=True, n_estimators=3)
    model.fit(X, y)
    assert model.score(X, y) > 0.5
    assert "KNeighborsRegressor" in model.describe()
    with pytest.raises(CannotStore, match="KNeighborsRegressor"):
        model.save(tmp_path / "model.udg")
    trees = AdaBoostR2Regressor(learner=DecisionTreeRegressor(max_depth=2), n_estimators=4)
    assert trees.fit(X, y).feature_importances_.sum() == pytest.approx(1.0)
    again = trees.set_params(warm_start=True, n_estimators=6).fit(X, y)
    assert again.n_iter_ == 6


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"loss": "absolute"}, "loss='absolute' must be 'linear' or"),
        ({"resample": "yes"}, "resample='yes' must be True or False"),
        ({"learner": "forest"}, "is not a learner"),
        ({"learning_rate": 0.0}, "learning_rate=0.0 must be"),
        ({"max_depth": 0}, "max_depth=0 must be"),
    ],
)
def test_wrong_parameters(parameters, message):
    X, y = problem()
    with pytest.raises(ValueError, match=message):
        AdaBoostR2Regressor(**parameters).fit(X, y)
