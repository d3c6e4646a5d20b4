"""AdaBoost.R against the formulas of its paper, and its bound in every round."""

import numpy as np
import pytest
from scipy.integrate import quad
from sklearn.datasets import load_diabetes
from sklearn.dummy import DummyRegressor
from sklearn.linear_model import LinearRegression
from sklearn.neighbors import KNeighborsRegressor
from sklearn.tree import DecisionTreeRegressor

from tests.estimators.test_adaboost_r2 import median
from tests.estimators.test_reductions import problem
from underdog import AdaBoostRRegressor
from underdog.estimators.adaboost_r import integrals


class Pieces:
    """The weight of one row for every z in [0, 1]: a multiple of |z - y| between breakpoints."""

    def __init__(self, y, weight):
        self.y, self.breaks, self.factors = y, [0.0, y, 1.0], [weight, weight]

    def split(self, z):
        if z not in self.breaks:
            place = np.searchsorted(self.breaks, z)
            self.breaks.insert(place, z)
            self.factors.insert(place, self.factors[place - 1])

    def integral(self, low, high):
        """Of the weight, over the pieces between two breakpoints."""
        total = 0.0
        for a, b, factor in zip(self.breaks, self.breaks[1:], self.factors, strict=False):
            if a >= low and b <= high and b > a:
                near, far = sorted((abs(a - self.y), abs(b - self.y)))
                total += factor * (far**2 - near**2) / 2
        return total

    def wrong(self, h):
        self.split(h)
        return self.integral(min(h, self.y), max(h, self.y))

    def update(self, h, beta):
        for number, (a, b) in enumerate(zip(self.breaks, self.breaks[1:], strict=False)):
            if not (a >= min(h, self.y) and b <= max(h, self.y)):
                self.factors[number] *= beta


def twin(X, y, w, rounds, rate=1.0, depth=3):
    """Algorithm AdaBoost.R with scikit-learn's trees: trees, coefficients, errors, bounds."""
    low, high = y.min(), y.max()
    scaled, D = (y - low) / (high - low), w / w.sum()
    rows = [Pieces(*pair) for pair in zip(scaled, D, strict=True)]
    first = np.array([row.integral(0.0, 1.0) for row in rows])
    trees, coefficients, errors, bounds = [], [], [], [2 * first.sum() * (high - low) ** 2]
    for _ in range(rounds):
        now = np.array([row.integral(0.0, 1.0) for row in rows])
        weight = D * now / first
        tree = DecisionTreeRegressor(max_depth=depth, random_state=0)
        tree.fit(X, y, sample_weight=weight / weight.mean())
        h = (tree.predict(X) - low) / (high - low)
        error = sum(row.wrong(value) for row, value in zip(rows, h, strict=True)) / now.sum()
        if error >= 0.5:
            break
        beta = (error / (1 - error)) ** rate
        for row, value in zip(rows, h, strict=True):
            row.update(value, beta)
        trees.append(tree)
        coefficients.append(np.log(1 / beta))
        errors.append(error)
        bounds.append(bounds[-1] * (error / np.sqrt(beta) + (1 - error) * np.sqrt(beta)))
    return trees, np.array(coefficients), np.array(errors), np.array(bounds[1:])


@pytest.mark.parametrize("rate", [1.0, 0.3])
@pytest.mark.parametrize("depth", [1, 3])
def test_it_is_the_algorithm_of_the_paper(rate, depth):
    X, y = load_diabetes(return_X_y=True)
    w = np.random.default_rng(0).uniform(0.5, 2.0, len(y))
    model = AdaBoostRRegressor(
        n_estimators=6, learning_rate=rate, max_depth=depth, max_bins=500
    ).fit(X, y, w)
    trees, coefficients, errors, bounds = twin(X, y, w, 6, rate, depth)
    assert 2 <= len(trees) == model.n_iter_
    np.testing.assert_allclose(model.estimator_weights_, coefficients, rtol=1e-7)
    np.testing.assert_allclose(model.estimator_errors_, errors, rtol=1e-7)
    np.testing.assert_allclose(model.history_["bound"], bounds, rtol=1e-9)
    each = np.stack([tree.predict(X) for tree in trees], axis=1)
    np.testing.assert_allclose(model.predict(X), median(each, coefficients), rtol=1e-9)


def test_factors_are_those_of_the_paper():
    X, y = problem()
    model = AdaBoostRRegressor(n_estimators=4).fit(X, y)
    error, span = model.estimator_errors_, np.ptp(y)
    scaled = (y - y.min()) / span
    first = np.mean(scaled**2 + (1 - scaled) ** 2) / 2
    products = np.cumprod(2 * np.sqrt(error * (1 - error)))
    np.testing.assert_allclose(model.history_["bound"], span**2 * 2 * first * products, rtol=1e-9)
    assert first <= 0.5


KINDS = {
    "trees": {},
    "stumps": {"learner": "real"},
    "small steps": {"learning_rate": 0.2},
    "large steps": {"learning_rate": 1.7},
    "deep": {"max_depth": 6},
    "lines": {"learner": LinearRegression()},
}


@pytest.mark.parametrize("given", KINDS.values(), ids=KINDS)
@pytest.mark.parametrize("seed", range(3))
def test_the_squared_error_is_below_its_bound_in_every_round(given, seed):
    X, y = problem(seed=seed)
    X = np.nan_to_num(X)
    w = np.random.default_rng(seed).uniform(0.1, 3.0, len(y))
    model = AdaBoostRRegressor(n_estimators=30, **given).fit(X, y, w)
    for bound, predicted in zip(model.history_["bound"], model.staged_predict(X), strict=True):
        assert np.average((y - predicted) ** 2, weights=w) <= bound
    assert model.certificate_["bound"] == model.history_["bound"][-1]
    assert model.certificate_["training_loss"] <= model.certificate_["bound"]


def test_the_bound_is_far_from_idle():
    """Where the trees are good, it falls below the variance."""
    X = np.arange(64.0)[:, np.newaxis]
    y = np.floor(X[:, 0] / 2) + 0.1 * np.sin(X[:, 0])
    model = AdaBoostRRegressor(max_depth=4, learning_rate=0.7, n_estimators=40).fit(X, y)
    assert model.certificate_["bound"] < 0.5 * y.var()


def test_integrals_are_integrals():
    rng = np.random.default_rng(0)
    past, coefficients = rng.normal(size=(5, 4)), rng.uniform(0.1, 2.0, 4)
    reach = rng.uniform(0.5, 2.0, 5)
    most = coefficients.sum()
    found = integrals(past, coefficients, reach, most)
    for row in range(5):

        def weight(z, row=row):
            return z * np.exp(coefficients[past[row] >= z].sum() - most)

        points = sorted({*past[row].clip(0.0, reach[row]).tolist()})
        wanted, _ = quad(weight, 0.0, reach[row], points=points)
        assert found[row] == pytest.approx(wanted, rel=1e-9)


def test_a_perfect_rule_and_a_weak_one():
    X = np.array([[0.0], [1.0], [2.0], [3.0]])
    perfect = AdaBoostRRegressor(max_depth=2).fit(X, [1.0, 2.0, 6.0, 7.0])
    assert perfect.stop_reason_ == "one rule makes no mistake on the training data"
    assert perfect.certificate_["training_loss"] == 0.0
    far_off = DummyRegressor(strategy="constant", constant=100.0)
    weak = AdaBoostRRegressor(learner=far_off).fit(X, [0.0, 0.1, 0.0, 1.0])
    assert weak.n_iter_ == 1
    assert "it is the only rule" in weak.stop_reason_
    assert weak.predict(X).tolist() == [1.0] * 4
    assert weak.estimator_errors_[0] > 0.5
    assert weak.certificate_["training_loss"] <= weak.certificate_["bound"]


def test_many_rounds_do_not_overflow():
    X, y = problem()
    model = AdaBoostRRegressor(n_estimators=150, learning_rate=0.3, max_depth=5).fit(X, y)
    assert np.isfinite(model.history_["loss"]).all()
    assert np.isfinite(model.estimator_weights_).all()


def test_regressors_need_weights():
    X, y = problem()
    with pytest.raises(ValueError, match=r"KNeighborsRegressor.* does not support sample_weight"):
        AdaBoostRRegressor(learner=KNeighborsRegressor()).fit(np.nan_to_num(X), y)
