"""After hundreds of rounds the integer weights still are w exp(-y F), and tallies their sums."""

import numpy as np
import pytest
import scipy.sparse as sp
from scipy.special import logsumexp

from underdog import AdaBoostAClassifier, AdaBoostClassifier, AdaBoostMHClassifier
from underdog import AdaUBoostClassifier as AdaU
from underdog.core import every_row
from underdog.learners import StumpLearner
from underdog.losses.exponential import MAX_TOTAL, MIN_TOTAL

ROWS, WORDS, ROUNDS = 2000, 300, 350
RESOLVED = 2**31  # units from which half a unit is below 1e-9 / 4


class Watching(StumpLearner):
    """A learner that keeps its run and looks at the totals of every round."""

    def start(self, run):
        self.run, self.extremes = run, []
        self.memory = super().start(run)
        return self.memory

    def fit(self, memory, question):
        proposal = super().fit(memory, question)
        sign = self.run.rows.only.target.sign
        there = np.stack([(sign == s).any(axis=0) for s in range(2)])
        for choice, signal in zip(memory.choices, question.signals, strict=True):
            assert choice.signal is signal
            self.extremes.append((choice.totals[there].min(), choice.totals[there].max()))
        return proposal


def documents(positives, seed=0):
    """Words with a long tail; a few mark the rare class, none of them perfectly."""
    rng = np.random.default_rng(seed)
    common = 0.5 / (1 + np.arange(WORDS)) ** 0.8
    y = np.zeros(ROWS, dtype=int)
    y[rng.permutation(ROWS)[:positives]] = 1
    there = rng.random((ROWS, WORDS)) < common
    marks = rng.permutation(WORDS)[:12]
    there[:, marks] |= (y[:, np.newaxis] == 1) & (rng.random((ROWS, 12)) < 0.35)
    return sp.csr_array(there.astype(float)), y


def expected(run, log_prior):
    """(n, K) weights w exp(-b y F) / sum, from the scores alone, as logarithms."""
    beta, shard = run.parts.loss.beta, run.rows.only
    positive = shard.target.sign == 1
    full = shard.scores.full()
    fall = np.where(positive, full / beta, -full)
    logs = log_prior[:, np.newaxis] + np.where(positive, np.log(beta), 0.0) - fall
    logs += np.log(shard.target.repeats)[:, np.newaxis]
    return logs - logsumexp(logs)


def assert_exact(learner, rounds):
    run, memory = learner.run, learner.memory
    assert len(run.state.members) >= rounds
    lowest, highest = np.array(learner.extremes).T
    assert lowest.min() >= MIN_TOTAL
    assert highest.max() <= MAX_TOTAL
    shard = run.rows.only
    target, every = shard.target, every_row(shard.encoded.n_rows)
    priors = [target.log_prior, target.log_cost]
    for choice, signal, log_prior in zip(memory.choices, run.state.signals, priors, strict=False):
        choice.update()
        fresh = run.rows.tally(signal)
        np.testing.assert_array_equal(choice.cells, fresh.cells)
        np.testing.assert_array_equal(choice.totals, fresh.totals)
        units = np.empty(target.sign.shape, dtype=np.int64)
        signal.amounts(shard, every, 0, 0, units)
        unit = np.take_along_axis(choice.unit, target.sign.astype(np.intp), axis=0)
        wanted = np.exp(expected(run, log_prior))
        clear = units >= RESOLVED * target.repeats[:, np.newaxis]
        assert clear.any(axis=0).all()
        np.testing.assert_allclose((units * unit)[clear], wanted[clear], rtol=1e-9)
        # The others are right to half a unit of each example.
        slack = 0.5 * target.repeats[:, np.newaxis] * unit + 1e-9 * wanted
        assert (np.abs(units * unit - wanted)[~clear] <= 1.01 * slack[~clear]).all()
        assert (units * unit).sum() == pytest.approx(1.0, rel=1e-12)


@pytest.mark.parametrize("positives", [5, 50])
@pytest.mark.parametrize("kind", ["real", "discrete", "real.mh"])
@pytest.mark.parametrize("make", [sp.csr_array, lambda X: X.toarray()], ids=["sparse", "dense"])
def test_adaboost_on_a_rare_class(positives, kind, make):
    X, y = documents(positives)
    learner = Watching(kind)
    AdaBoostClassifier(learner=learner, n_estimators=ROUNDS).fit(make(X), y)
    assert_exact(learner, 300)


@pytest.mark.parametrize("positives", [5, 50])
@pytest.mark.parametrize("kind", ["real", "disc.u"])
def test_uneven_on_a_rare_class(positives, kind):
    X, y = documents(positives)
    learner = Watching(kind)
    AdaU(learner=learner, beta=4.0, n_estimators=ROUNDS).fit(X, y)
    assert_exact(learner, 300)


@pytest.mark.parametrize("positives", [5, 50])
def test_without_smoothing(positives):
    """Coefficients are as large as they get."""
    X, y = documents(positives)
    learner = Watching("real")
    AdaBoostClassifier(learner=learner, n_estimators=ROUNDS, smoothing=0.0).fit(X, y)
    assert_exact(learner, 20)


@pytest.mark.parametrize("positives", [5, 50])
@pytest.mark.parametrize("smoothing", [None, 0.0])
@pytest.mark.parametrize("kind", ["real", "discrete"])
def test_large_steps(positives, smoothing, kind):
    """learning_rate above 1: weights rise and fall by far more than a round should let them."""
    X, y = documents(positives)
    learner = Watching(kind)
    model = AdaBoostClassifier(
        learner=learner, n_estimators=60, learning_rate=3.0, smoothing=smoothing
    )
    model.fit(X, y)
    assert_exact(learner, 20)


def few_rows(seed):
    """A handful of rows with one to three positives: one example may hold most of the weight."""
    rng = np.random.default_rng(seed)
    X = (rng.random((int(rng.integers(8, 40)), int(rng.integers(2, 6)))) < 0.4).astype(float)
    y = np.zeros(len(X), dtype=int)
    y[rng.permutation(len(X))[: int(rng.integers(1, 4))]] = 1
    return X, y


@pytest.mark.parametrize("kind", ["real", "discrete"])
def test_the_loss_in_the_history_is_the_loss_of_the_scores(kind):
    """Default settings, a hundred rounds: the product of the Z is the mean of exp(-y F)."""
    wrong = {}
    for seed in range(60):
        X, y = few_rows(seed)
        model = AdaBoostClassifier(learner=kind, n_estimators=100).fit(X, y)
        margins = (2 * y - 1) * model.decision_function(X)
        log_loss = logsumexp(-margins) - np.log(len(y))
        if model.history_["log_loss"][-1] != pytest.approx(log_loss, abs=1e-6):
            wrong[seed] = (model.history_["log_loss"][-1], log_loss)
    assert not wrong


@pytest.mark.parametrize("kind", ["real", "discrete"])
@pytest.mark.parametrize(("smoothing", "rate"), [(None, 1.0), (0.0, 1.0), (None, 3.0), (0.0, 3.0)])
def test_totals_of_few_rows_stay_in_range(kind, smoothing, rate):
    """Also where a weight that was rounded to 0 comes back."""
    outside = {}
    for seed in range(60):
        X, y = few_rows(seed)
        learner = Watching(kind)
        model = AdaBoostClassifier(
            learner=learner, n_estimators=60, smoothing=smoothing, learning_rate=rate
        )
        model.fit(X, y)
        lowest, highest = np.array(learner.extremes).T
        if lowest.min() < MIN_TOTAL or highest.max() > MAX_TOTAL:
            outside[seed] = (int(lowest.min()), int(highest.max()))
    assert not outside


def test_two_weightings():
    X, y = documents(50)
    rng = np.random.default_rng(1)
    learner = Watching("discrete")
    model = AdaBoostAClassifier(learner=learner, n_estimators=ROUNDS)
    model.fit(X, y, initial_weight=rng.uniform(0.5, 2, ROWS), cost=rng.uniform(0.2, 5, ROWS))
    assert len(learner.run.state.signals) == 2
    assert_exact(learner, 100)


def test_weights_over_many_orders_of_magnitude():
    X, y = documents(50)
    learner = Watching("real")
    weight = 10.0 ** np.random.default_rng(2).uniform(-12, 3, ROWS)
    AdaBoostClassifier(learner=learner, n_estimators=ROUNDS).fit(X, y, sample_weight=weight)
    assert_exact(learner, 300)


@pytest.mark.parametrize("most", [4, 1000])
def test_integer_weights(most):
    X, y = documents(50)
    learner = Watching("real")
    repeats = np.random.default_rng(2).integers(1, most, ROWS)
    AdaBoostClassifier(learner=learner, n_estimators=ROUNDS).fit(X, y, sample_weight=repeats)
    assert_exact(learner, 300)


@pytest.mark.parametrize("kind", ["real", "discrete"])
def test_many_labels_of_any_size(kind):
    X, y = documents(50)
    there = X.toarray()
    rng = np.random.default_rng(3)
    Y = np.stack([y, there[:, 3], there[:, 250], rng.random(ROWS) < 0.004], axis=1).astype(int)
    Y = np.hstack([Y, np.roll(Y, 7, axis=0), (rng.random((ROWS, 2)) < 0.3).astype(int)])
    learner = Watching(kind)
    AdaBoostMHClassifier(learner=learner, n_estimators=ROUNDS).fit(X[:, 5:200], Y)
    assert_exact(learner, 300)
