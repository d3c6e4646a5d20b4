"""AnyBoost and barrier boosting: equalities, bounds and what must not change."""

import numpy as np
import pytest

from tests.estimators.columns import Columns, numbers
from tests.twins.boosters import table
from underdog import AdaBoostClassifier, BoostingClassifier, HullBoostRegressor, load, save
from underdog.combiners import Barrier, SteepestDescent
from underdog.games import solve_game, voting_margins
from underdog.losses import Descent, ExponentialCost, LogLoss, SigmoidCost


def rows(n=60, seed=0, noise=1.0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 3)).round(1)
    return X, np.where(X @ [1.0, -1.0, 0.5] + noise * rng.normal(size=n) > 0.2, 1, -1)


def any_boost(cost, rounds=12, **given):
    return BoostingClassifier(
        loss=Descent(cost), combiner=SteepestDescent(), n_estimators=rounds, **given
    )


def test_anyboost_of_the_exponential_cost_is_adaboost():
    X, y = rows()
    ada = AdaBoostClassifier(learner="discrete", n_estimators=12, smoothing=0.0).fit(X, y)
    model = any_boost(ExponentialCost()).fit(X, y)
    for own, other in zip(
        model.staged_decision_function(X), ada.staged_decision_function(X), strict=True
    ):
        np.testing.assert_allclose(own, other, atol=1e-7)
    assert model.certificate_["bound"] == pytest.approx(ada.certificate_["bound"])


@pytest.mark.parametrize("cost", [LogLoss(), SigmoidCost()], ids=repr)
def test_it_is_what_the_textbook_says(cost):
    X, y = rows()
    model = any_boost(cost).fit(X, y)
    _, truth = table(X)
    votes = np.where(np.vstack([truth, ~truth]), 1.0, -1.0)
    votes = np.vstack([votes, np.ones((1, len(y))), -np.ones((1, len(y)))])
    logistic = isinstance(cost, LogLoss)
    f = np.full(len(y), np.log((y > 0).mean() / (y < 0).mean()) if logistic else 0.0)

    def loss(f):
        return np.mean(np.log1p(np.exp(-y * f)) if logistic else 1.0 - np.tanh(y * f))

    for own in model.staged_decision_function(X):
        fall = y / (1.0 + np.exp(y * f)) if logistic else y * (1.0 - np.tanh(y * f) ** 2)
        edges = votes @ fall
        best = votes[np.flatnonzero(edges >= edges.max() - 1e-9)]
        change = own - f
        size = np.abs(change).max()
        assert any(np.allclose(change, size * h, atol=1e-9) for h in best)
        h = np.sign(change)
        for nearby in (size - 1e-3, size + 1e-3):
            assert loss(own) <= loss(f + nearby * h) + 1e-12
        f = own
    assert (np.diff(model.history_["loss"]) < 0.0).all()
    assert model.certificate_["training_error"] <= model.certificate_["bound"]


def barrier(X, y, rounds=400, tol=0.05, **given):
    cost = Descent(ExponentialCost())
    return BoostingClassifier(loss=cost, combiner=Barrier(tol), n_estimators=rounds, **given).fit(
        X, y
    )


@pytest.mark.parametrize("noise", [0.0, 1.0])
def test_the_margin_of_the_barrier_tends_to_the_greatest_one(noise):
    X, y = rows(40, 1, noise)
    _, truth = table(X)
    votes = np.where(truth, 1.0, -1.0)
    game = np.vstack([votes, -votes]).T * y[:, np.newaxis]
    greatest = solve_game(game).lower
    model = barrier(X, y, 3000)
    facts = model.history_
    assert (facts["upper_bound"] >= greatest - 1e-9).all()
    assert (facts["margin"] <= greatest + 1e-9).all()
    assert facts["margin"][-1] >= greatest - 0.05
    assert facts["margin"][-1] == pytest.approx(voting_margins(model, X, y).min(), abs=1e-6)
    assert model.stop_reason_.startswith("the least margin is within tol")
    # -mu ln mean exp(-y f / mu) is at most mu ln m above the least margin of f
    mu = np.append(0.5, facts["mu"][:-1])
    smooth, total = -mu * np.log(facts["loss"]), np.log(len(y))
    whole = np.array([path.sum() for path in model.model_.path]) * facts["mu"]
    least = facts["margin"] * whole
    assert (smooth >= least - 1e-9).all()
    assert (smooth <= least + mu * total + 1e-9).all()


def test_the_barrier_is_what_the_textbook_says():
    """f <- (1 - c) f + c h, from f = 0, with mu halved after a gap below it."""
    X, y = rows(30, 2, 0.0)
    model = barrier(X, y, 25, tol=1e-9)
    _, truth = table(X)
    votes = np.where(np.vstack([truth, ~truth]), 1.0, -1.0)
    votes = np.vstack([votes, np.ones((1, len(y))), -np.ones((1, len(y)))])
    f, mu = np.zeros(len(y)), 0.5
    for number, own in enumerate(model.staged_decision_function(X)):
        D = np.exp(-y * f / mu)
        D /= D.sum()
        edges = votes @ (D * y)
        gap = edges.max() - D @ (y * f)
        assert gap == pytest.approx(model.history_["gap"][number], rel=1e-4, abs=1e-7)
        share = model.history_["share"][number]
        mu_after = mu / 2 if gap < mu else mu
        assert model.history_["mu"][number] == mu_after
        new = own * mu_after
        rule = (new - (1.0 - share) * f) / share
        assert edges.max() == pytest.approx((D * y) @ np.round(rule), abs=1e-7)

        votes_of = np.round(rule)

        def smooth(c, f=f, mu=mu, h=votes_of):
            return -mu * np.log(np.mean(np.exp(-y * ((1 - c) * f + c * h) / mu)))

        for nearby in (share - 1e-3, share + 1e-3):
            assert smooth(share) >= smooth(nearby) - 1e-12
        f, mu = new, mu_after


@pytest.mark.parametrize("combiner", [Barrier(1e-6), SteepestDescent()], ids=repr)
def test_order_repeats_files_and_a_warm_start_change_no_bit(combiner, tmp_path):
    X, y = rows(50, 3, 0.3)
    times = np.arange(50) % 3 + 1

    def make(rounds, **given):
        cost = Descent(ExponentialCost())
        return BoostingClassifier(loss=cost, combiner=combiner, n_estimators=rounds, **given)

    whole = make(30).fit(X, y, sample_weight=times)
    order = np.random.default_rng(3).permutation(np.repeat(np.arange(50), times))
    again = make(30).fit(X[order], y[order])
    assert np.array_equal(whole.decision_function(X), again.decision_function(X))
    half = make(12).fit(X, y, sample_weight=times)
    save(half, tmp_path / "half.udg")
    half = load(tmp_path / "half.udg").set_params(warm_start=True, n_estimators=30)
    half.fit(X, y, sample_weight=times)
    assert np.array_equal(whole.decision_function(X), half.decision_function(X))


def test_what_does_not_go_together_is_refused():
    X, y = rows()
    for combiner, loss, words in (
        (Barrier(), Descent(LogLoss()), "for the exponential loss"),
        (Barrier(1.5), Descent(ExponentialCost()), "below 1"),
        (SteepestDescent(2.0), Descent(LogLoss()), "at most 1"),
    ):
        with pytest.raises(ValueError, match=words):
            BoostingClassifier(loss=loss, combiner=combiner).fit(X, y)


@pytest.mark.parametrize("n", [2, 5, 12])
def test_on_the_simplex_the_loss_is_one_over_the_number_of_vectors(n):
    """A = |f|**2 over n unit vectors, from the first of them: 1 / (k + 1) after k rounds.

    Rules are unit vectors on the first n of 2 n rows. Their targets are 1, those of the others -1,
    so the start is 0 and the standard deviation 1, and the mean of (y - f)**2 / 2 is that of |f|**2
    up to a constant, for the coefficients of f sum to 1.
    """
    y = np.repeat([1.0, -1.0], n)
    unit = np.vstack([np.eye(n), np.zeros((n, n))])
    model = HullBoostRegressor(radius=1.0, learner=Columns(unit), n_estimators=n)
    model.fit(numbers(2 * n), y)
    squares = 4 * n * model.history_["loss"] - 2 * n + 2
    assert model.history_["share"][0] == 1.0  # f is the first vector
    np.testing.assert_allclose(squares, 1.0 / np.arange(1, n + 1), rtol=1e-9)
    rounds = np.arange(1, n)
    assert (squares[1:] <= 2.0 * 4.0 / (rounds + 3)).all()
    np.testing.assert_allclose(model.predict(numbers(2 * n))[:n], 1.0 / n, atol=1e-9)
