"""A loss that sees all rows of a query."""

import numpy as np
import pytest
from scipy.special import log_softmax

from tests.estimators.test_rankboost import problem
from underdog import BoostingRanker, load
from underdog.losses import Exponential, ListwiseSoftmax


def textbook(scores, grade, query):
    """The sum over queries of the cross-entropy, and its gradient."""
    loss, gradient = 0.0, np.zeros(len(scores))
    for number in np.unique(query):
        own = query == number
        if grade[own].sum():
            t, logs = grade[own] / grade[own].sum(), log_softmax(scores[own])
            loss -= (t * logs).sum()
            gradient[own] = np.exp(logs) - t
    return loss, gradient


def test_it_falls_by_newton_steps_on_its_gradient():
    X, y, query = problem()
    model = BoostingRanker(learner="real", n_estimators=12).fit(X, y, qid=query)
    own = [textbook(scores, y, query)[0] / len(y) for scores in model.staged_predict(X)]
    np.testing.assert_allclose(model.history_["loss"], own, rtol=1e-8)
    assert (np.diff(own) <= 0.0).all()
    first = model.model_.members[0]
    gradient, said = textbook(np.zeros(len(y)), y, query)[1], next(iter(model.staged_predict(X)))
    p = 1.0 / np.bincount(query)[query]
    for value in np.unique(said):
        inside = said == value
        newton = -gradient[inside].sum() / ((p * (1 - p))[inside].sum() + 1e-3)
        assert value == pytest.approx(first.coefficient * newton, rel=1e-6)


def test_order_repeats_and_files_change_no_bit(tmp_path):
    X, y, query = problem()
    rng = np.random.default_rng(2)
    times, order = rng.integers(1, 4, len(y)), rng.permutation(len(y))
    model = BoostingRanker(n_estimators=4, loss=ListwiseSoftmax()).fit(X, y, times, qid=query)
    again = np.repeat(order, times[order])
    other = BoostingRanker(n_estimators=4).fit(X[again], y[again], qid=query[again])
    assert np.array_equal(other.predict(X), model.predict(X))
    model.save(tmp_path / "model.udg")
    assert np.array_equal(load(tmp_path / "model.udg").predict(X), model.predict(X))
    assert model.score(X, y, qid=query) > 0.9


@pytest.mark.parametrize(
    ("y", "given", "message"),
    [
        ([0, -1, 0, 1], {}, "y has the grade -1"),
        (None, {"pairs": [[0, 1]]}, "pairs have no grades"),
    ],
)
def test_targets_that_have_no_softmax_are_refused(y, given, message):
    with pytest.raises(ValueError, match=message):
        BoostingRanker().fit(np.eye(4), y, **given)


def test_a_loss_of_single_rows_is_refused():
    with pytest.raises(TypeError, match="must be a loss of queries"):
        BoostingRanker(loss=Exponential()).fit(np.eye(4), [0, 1, 0, 1])
