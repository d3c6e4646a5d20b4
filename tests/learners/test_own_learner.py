"""A learner of one's own: what it must define, and nothing more."""

import pickle

import numpy as np
import pytest

from tests.estimators.small import noisy, stages
from underdog import AdaBoostClassifier
from underdog.core import Blocks, Learner, Proposal, Stop, weight_per_unit
from underdog.learners.criteria import criterion


class SumIsLarge:
    """Whether the values of a row sum to more than a number."""

    def __init__(self, limit, values):
        self.limit, self.values = limit, values

    def partition(self, encoded, rest=None):
        large = encoded.table.matrix().sum(axis=1) > self.limit
        listed = 1 if rest is None else 1 - rest
        return Blocks.of_two(np.flatnonzero(large == listed).astype(np.int32), listed)

    def words(self, names):
        return f"sum > {self.limit:.3f}"


class SumLearner(Learner):
    """The smallest learner there is: one question, with another limit each round.

    Parameters
    ----------
    limits : tuple of float
    """

    def __init__(self, limits=(0.0, 1.0)):
        self.limits = limits

    def criterion(self, loss):
        return criterion("discrete", loss.beta)

    def start(self, run):
        return run

    def fit(self, memory, question):
        done = len(memory.state.members)
        if done == len(self.limits):
            return Stop("no limits are left")
        hypothesis = SumIsLarge(self.limits[done], np.array([[-1.0], [1.0]]))
        partition = memory.rows.place(hypothesis)
        sums = tuple(memory.rows.sums(signal, partition, 2) for signal in question.signals)
        pairs = zip(question.signals, sums, strict=True)
        units = tuple(weight_per_unit(signal, counted.sum(axis=0)) for signal, counted in pairs)
        return Proposal(hypothesis, partition, sums, units)


def test_a_learner_of_ones_own():
    X, y = noisy()
    model = AdaBoostClassifier(learner=SumLearner((0.0, 1.0, -1.0))).fit(X, y)
    assert (model.n_iter_, model.stop_reason_) == (3, "no limits are left")
    weight, sign = np.ones(len(y)) / len(y), np.where(y == 1, 1.0, -1.0)
    score = np.zeros(len(y))
    for limit in (0.0, 1.0, -1.0):
        says = np.where(X.sum(axis=1) > limit, 1.0, -1.0)
        edge = weight @ (sign * says)
        step = 0.5 * np.log((1 + edge) / (1 - edge))
        score += step * says
        weight *= np.exp(-step * sign * says)
        weight /= weight.sum()
    np.testing.assert_allclose(model.decision_function(X), score, atol=1e-9)
    np.testing.assert_array_equal(stages(model, X)[-1], model.decision_function(X))
    assert "1. sum > 0.000" in model.describe()
    again = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(again.decision_function(X), model.decision_function(X))
    resumed = AdaBoostClassifier(learner=SumLearner((0.0, 1.0, -1.0)), n_estimators=1)
    resumed.set_params(warm_start=True).fit(X, y).set_params(n_estimators=9).fit(X, y)
    np.testing.assert_array_equal(resumed.decision_function(X), model.decision_function(X))


def test_a_learner_of_ones_own_that_never_finds_anything():
    X, y = noisy()
    model = AdaBoostClassifier(learner=SumLearner(())).fit(X, y)
    assert (model.n_iter_, model.stop_reason_) == (1, "no limits are left; the model is a constant")
    assert model.predict_proba(X)[0, 1] == pytest.approx(y.mean(), abs=0.01)
