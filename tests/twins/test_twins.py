"""The twins themselves, against brute force, scikit-learn's SAMME and scipy's optimisers."""

from itertools import product

import numpy as np
import pytest
from scipy.optimize import minimize, minimize_scalar
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.ensemble import AdaBoostClassifier

from tests.twins.boosters import (
    adaboost,
    adaboost_a,
    adaboost_mh,
    adauboost,
    replay,
)
from tests.twins.learners import (
    LEARNERS,
    answers,
    coefficient,
    least_sum,
    least_z,
    log_odds,
    normaliser,
    uneven_coefficient,
    votes,
)
from tests.twins.stumps import Stump, block_sums, first_least, stumps


class BruteStump(ClassifierMixin, BaseEstimator):
    """The least weighted error over every column, cut and pair of block labels, one loop each."""

    def fit(self, X, y, sample_weight):
        self.classes_ = np.unique(y)
        least = np.inf
        for column in range(X.shape[1]):
            x = np.unique(X[:, column])
            for cut, low, high in product((x[1:] + x[:-1]) / 2, (-1, 1), (-1, 1)):
                error = sample_weight[np.where(X[:, column] > cut, high, low) != y].sum()
                if error < least - 1e-11:
                    least, self.rule_ = error, (column, cut, low, high)
        return self

    def predict(self, X):
        column, cut, low, high = self.rule_
        return np.where(X[:, column] > cut, high, low)


@pytest.fixture
def noisy():
    """Sixty rows, three continuous columns, a tenth of the labels flipped."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 3))
    y = np.where(X @ [1.0, -1.0, 0.5] > 0.3, 1, -1) * np.where(rng.random(60) < 0.1, -1, 1)
    return X, y


@pytest.fixture
def sums():
    """Random block sums of forty stumps, two labels, with sum 1."""
    W = np.random.default_rng(1).random((40, 2, 2, 2))
    return W / W.sum((1, 2, 3), keepdims=True)


def test_stumps_come_by_column_and_cut_and_missing_values_go_either_side():
    X = np.array([[1.0, 5.0], [3.0, np.nan], [2.0, 7.0], [2.0, 5.0]])
    assert list(stumps(X)) == [
        Stump(0, 1.5),
        Stump(0, 2.5),
        Stump(1, 6.0, False),
        Stump(1, 6.0, True),
        Stump(1, np.inf, True),
    ]
    assert Stump(1, 6.0, True).truth(X).tolist() == [False, True, True, False]
    assert Stump(1, np.inf, True).truth(X).tolist() == [False, True, False, False]


@pytest.mark.parametrize("x", [[np.nan, np.nan], [1.0, 1.0]])
def test_a_column_with_one_value_has_no_stump(x):
    assert list(stumps(np.array(x)[:, None])) == []


def test_block_sums_are_the_sums_of_a_loop():
    rng = np.random.default_rng(2)
    truth, D, Y = rng.random((3, 9)) < 0.5, rng.random((9, 2)), rng.choice([-1, 1], (9, 2))
    W = block_sums(truth, D, Y)
    for c, b, s, k in np.ndindex(W.shape):
        rows = (truth[c] == bool(b)) & (Y[:, k] == (-1, 1)[s])
        assert W[c, b, s, k] == pytest.approx(D[rows, k].sum(), abs=1e-15)


def test_ties_go_to_the_first_allowed_stump():
    badness = np.array([0.5, 0.1 + 1e-14, 0.1, 0.3])
    assert first_least(badness) == 1
    assert first_least(badness, np.array([True, False, False, True])) == 3


def test_a_tied_block_says_the_opposite_of_the_other_one():
    false, true = [[1, 2], [1, 1], [2, 2], [2, 1]], [[1, 1], [1, 2], [1, 1], [3, 3]]
    W = np.array([false, true], float).transpose(1, 0, 2)[..., None]
    assert votes(W)[..., 0].tolist() == [[1, -1], [-1, 1], [-1, 1], [-1, 1]]


@pytest.mark.parametrize("beta", [0.5, 1.0, 3.0])
def test_log_odds_minimise_the_uneven_normaliser(sums, beta):
    c = log_odds(sums, 0.0, beta)
    np.testing.assert_allclose(least_z(sums, beta), normaliser(sums, c, beta), rtol=1e-13)
    one = sums[:1]
    found = minimize(lambda v: normaliser(one, v.reshape(1, 2, 2), beta)[0], np.zeros(4), tol=1e-10)
    np.testing.assert_allclose(c[0].ravel(), found.x, atol=1e-4)
    more = sums + 0.01 * np.array([1.0, beta])[:, np.newaxis]
    reached = normaliser(more, log_odds(sums, 0.01, beta), beta)
    np.testing.assert_allclose(least_z(sums, beta, 0.01), reached, rtol=1e-13)


@pytest.mark.parametrize("beta", [0.5, 1.0, 2.0, 8.0])
def test_the_uneven_coefficient_minimises_z(sums, beta):
    c = votes(sums)
    roots = uneven_coefficient(sums, c, beta, 1e-9)
    for a, W, v in zip(roots, sums[:, None], c[:, None], strict=True):
        found = minimize_scalar(lambda s, W=W, v=v: normaliser(W, s * v, beta)[0], tol=1e-12)
        assert a == pytest.approx(found.x, abs=1e-6)


def test_the_roots_meet_at_beta_one(sums):
    c = votes(sums)
    near = uneven_coefficient(sums, c, 1 + 1e-12, 1e-9)
    np.testing.assert_allclose(near, uneven_coefficient(sums, c, 1.0, 1e-9), rtol=1e-9)


def test_the_discrete_coefficient_is_floored_and_odd():
    assert coefficient(0.4, 0.1) == pytest.approx(0.5 * np.log(1.4 / 0.6))
    assert coefficient(1.0, 0.1) == pytest.approx(0.5 * np.log(2 / 0.1))
    assert coefficient(-1.0, 0.1) == -coefficient(1.0, 0.1)


def test_the_line_search_finds_the_minimum():
    rng = np.random.default_rng(3)
    Q, m = rng.random(20), rng.normal(size=20) + 0.2
    found = minimize_scalar(lambda a: (Q * np.exp(-a * m)).sum(), tol=1e-12)
    assert least_sum(Q[None], m[None], 0.0)[0] == pytest.approx(found.x, abs=1e-6)


def test_the_line_search_of_a_perfect_hypothesis_ends_as_its_coefficient_does():
    one = np.ones((1, 1))
    for e in (0.1, 1e-9):
        assert least_sum(one, one, e)[0] == pytest.approx(coefficient(1.0, e))


def test_discrete_adaboost_is_samme_with_half_its_weights(noisy):
    X, y = noisy
    scores, records = adaboost(X, y, learner="discrete", rounds=12)
    peer = AdaBoostClassifier(BruteStump(), n_estimators=12).fit(X, y)
    rules = [tree.rule_[:2] for tree in peer.estimators_]
    assert [(t["stump"].column, t["stump"].threshold) for t in records] == rules
    coefficients = [t["coefficient"] for t in records]
    np.testing.assert_allclose(coefficients, peer.estimator_weights_ / 2, rtol=1e-9)
    np.testing.assert_allclose(scores[-1][:, 0], replay(records, X)[:, 0], rtol=1e-12)


@pytest.mark.parametrize("beta", [1.0, 3.0])
@pytest.mark.parametrize("learner", LEARNERS)
def test_each_learner_takes_the_best_of_a_plain_search(noisy, learner, beta):
    """One stump at a time, from rows and not from block sums."""
    X, y = noisy
    D = np.random.default_rng(4).random(60)
    D, e, b = D / D.sum(), 1 / 60, np.where(y > 0, 1 / beta, 1.0)
    truth = np.array([s.truth(X) for s in stumps(X)])
    values, badness = answers(learner, block_sums(truth, D[:, None], y[:, None]), e, beta)

    def plain(t):
        plus, minus = (np.array([D[(y == s) & (t == v)].sum() for v in (0, 1)]) for s in (1, -1))
        if learner == "real":
            c = np.log((plus / beta + e) / (minus + e)) / (1 + 1 / beta)
            if beta == 1.0:
                return c, 2 * np.sqrt(plus * minus).sum()
            return c, ((plus + beta * e) * np.exp(-c / beta) + (minus + e) * np.exp(c)).sum()
        if learner == "discrete":
            c = np.sign(plus / beta - minus)
            return c, -(D * b * y * c[t.astype(int)]).sum()
        c = np.sign(plus - minus)
        if learner.startswith("real"):
            c = np.log((plus + e) / (minus + e)) / 2
        m = y * c[t.astype(int)]
        if learner == "real.mh":
            return c, 2 * np.sqrt(plus * minus).sum()
        if learner == "disc.u":
            return c, minimize_scalar(lambda a: (D * np.exp(-a * b * m)).sum(), tol=1e-12).fun
        return c, (D * np.exp(-b * m)).sum() if learner == "real.u" else -(D * m).sum()

    least = np.inf
    for at, (t, v, z) in enumerate(zip(truth, values[..., 0], badness, strict=True)):
        c, cost = plain(t)
        np.testing.assert_allclose(v, c, rtol=1e-11, atol=1e-13)
        if cost < least - 1e-9:
            least, best = cost, at
        assert z == pytest.approx(cost, abs=1e-9)
    assert first_least(badness) == best


@pytest.mark.parametrize("learner", LEARNERS)
def test_the_siblings_agree_where_they_coincide(noisy, learner):
    X, y = noisy
    scores, _ = adaboost(X, y, learner=learner, rounds=8)
    uneven, _ = adauboost(X, y, beta=1.0, learner=learner, rounds=8)
    np.testing.assert_allclose(uneven, scores, rtol=1e-9)
    np.testing.assert_allclose(adaboost(X, -y, learner=learner, rounds=8)[0], -scores, rtol=1e-9)
    twice, _ = adaboost_mh(X, np.stack([-y, y], axis=1), learner=learner, rounds=8)
    np.testing.assert_allclose(twice, scores * [-1, 1], rtol=1e-9)
    if not learner.startswith("real"):
        same = adaboost_a(X, y, np.ones(60), np.ones(60), learner=learner, rounds=8)[0]
        np.testing.assert_allclose(same, scores, rtol=1e-9)


@pytest.mark.parametrize("learner", LEARNERS)
def test_integer_weights_are_repeated_rows(noisy, learner):
    X, y = noisy
    s = np.random.default_rng(5).integers(1, 4, 60)
    scores, _ = adauboost(X, y, learner=learner, rounds=6, sample_weight=s)
    repeated, _ = adauboost(X.repeat(s, axis=0), y.repeat(s), learner=learner, rounds=6)
    np.testing.assert_allclose(repeated, scores.repeat(s, axis=1), rtol=1e-9)


@pytest.mark.parametrize("learner", LEARNERS)
def test_the_normalisers_multiply_to_the_loss(noisy, learner):
    """prod Z = sum D_1 exp(-b y F), and for AdaBoost.A prod R = sum p exp(-y F)."""
    X, y = noisy
    scores, records = adauboost(X, y, beta=2.0, learner=learner, rounds=8, learning_rate=0.5)
    D, b = np.where(y > 0, 2.0, 1.0), np.where(y > 0, 0.5, 1.0)
    loss = (D * np.exp(-b * y * scores[..., 0])).sum(1) / D.sum()
    np.testing.assert_allclose(loss, np.cumprod([t["z"] for t in records]), rtol=1e-12)
    w, p = np.random.default_rng(6).random((2, 60)) + 0.1
    scores, records = adaboost_a(X, y, w, p, learner=learner, rounds=8)
    assert len(records) == 8
    loss = (p * np.exp(-y * scores[..., 0])).sum(1) / p.sum()
    np.testing.assert_allclose(loss, np.cumprod([t["ratio"] for t in records]), rtol=1e-12)


def test_adaboost_a_taken_literally_stalls(noisy):
    """The same hypothesis comes back with A = 1/2; skipping it goes on."""
    X, y = noisy
    w, p = 1 / np.arange(1, 61), np.ones(60)
    stopped, _ = adaboost_a(X, y, w, p, stall="stop", rounds=40)
    skipped, records = adaboost_a(X, y, w, p, stall="skip", rounds=40)
    assert len(stopped) < len(skipped)
    assert all(t["wrong_share"] < 0.5 for t in records)
