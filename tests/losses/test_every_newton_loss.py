"""What every loss with gradients and curvatures promises."""

import numpy as np
import pytest

from tests.core.runs import run_of
from tests.losses.every_loss import NEWTON, Setting, each_newton_loss
from underdog.combiners import Stagewise
from underdog.core import Parts, every_row
from underdog.learners import StumpLearner

STEP = 2.0**-12
SOFTMAX = ("SoftmaxLoss()", "SoftmaxLogit()")


def one_of_each(setting):
    """A target in which every row has one class."""
    sign = np.zeros_like(setting.target.sign)
    sign[np.arange(len(sign)), setting.rng.integers(0, sign.shape[1], len(sign))] = 1
    return setting.target.__class__(sign, setting.target.repeats, setting.target.log_prior)


def setting_of(loss, seed=1):
    own = Setting(n_labels=3, seed=seed)
    if "Softmax" in type(loss).__name__:
        own.target = one_of_each(own)
    return own


def fine(signal, shard):
    """[channel, row, label]"""
    out = np.empty((2, shard.encoded.n_rows, shard.n_labels), dtype=np.int64)
    for channel in range(2):
        signal.amounts(shard, every_row(shard.encoded.n_rows), 0, channel, out[channel])
    return out


def test_there_are_some():
    assert len(NEWTON) >= 4


@each_newton_loss
def test_derivatives_are_those_of_the_loss(loss):
    own = setting_of(loss)
    sign, scores = own.target.sign, own.scores
    gradient, curvature = loss.derivatives(scores, sign)
    scale = 2.0 if loss.probability_scale == 2.0 else 1.0
    for label in range(3):
        above, below = scores.copy(), scores.copy()
        above[:, label] += STEP
        below[:, label] -= STEP
        at, up, down = (loss.each(s, sign).sum(axis=1) for s in (scores, above, below))
        np.testing.assert_allclose(gradient[:, label] * scale, (down - up) / (2 * STEP), atol=1e-6)
        second = (up - 2 * at + down) / STEP**2
        assert (curvature[:, label] * scale >= second - 1e-5 * np.maximum(at, 1.0)).all()
    if loss.bounded:
        assert np.abs(gradient).max() <= 1.0
        assert curvature.max() <= 2.0
    assert curvature.min() >= 0.0


@each_newton_loss
def test_integers_are_the_derivatives(loss):
    """To 2**-40 of the largest, which is 1 if they are bounded; weights and repeats are in them."""
    own = setting_of(loss)
    rows = own.rows()
    shard = rows.only
    amounts = fine(loss.make_signal(rows), shard)
    weight = np.exp(own.target.log_prior - own.target.log_prior.max())[:, np.newaxis]
    if own.target.log_label is not None:
        weight = weight * np.exp(own.target.log_label[own.target.sign, np.arange(3)])
    each = own.target.repeats[:, np.newaxis] * weight
    bits = loss.make_signal(rows)._bits
    for found, wanted in zip(amounts, loss.derivatives(own.scores, own.target.sign), strict=True):
        largest = 1.0 if loss.bounded else np.abs(wanted).max()
        assert np.abs(found / 2.0**bits - each * wanted).max() < largest * 2.0**-40


@each_newton_loss
def test_rows_on_shards_have_the_same_integers(loss):
    own = setting_of(loss)
    whole = fine(loss.make_signal(own.rows()), own.rows().only)
    rows = own.rows(n_shards=3)
    signal = loss.make_signal(rows)
    for shard, where in zip(rows.shards, own.where(own.target, 3), strict=True):
        np.testing.assert_array_equal(fine(signal, shard), whole[:, where])
    assert loss.training_loss(rows) == loss.training_loss(own.rows())


@each_newton_loss
@pytest.mark.parametrize("size", [40.0, 1000.0])
def test_extreme_scores_stay_finite(loss, size):
    own = setting_of(loss)
    scores = np.where(own.rng.random(own.scores.shape) < 0.5, size, -size)
    for found in (*loss.derivatives(scores, own.target.sign), loss.each(scores, own.target.sign)):
        assert np.isfinite(found).all()


@each_newton_loss
def test_the_loss_of_rows_is_the_mean_of_each(loss):
    own = Setting(n_labels=3, weighted=False)
    own.target = one_of_each(own)
    wanted = loss.each(own.scores, own.target.sign).sum() / len(own.scores)
    assert loss.training_loss(own.rows()) == pytest.approx(wanted, rel=1e-12)
    ones = np.ones(len(own.scores))
    assert loss.mean(own.scores, own.target.sign, ones) == pytest.approx(wanted, rel=1e-12)


@each_newton_loss
def test_a_mistake_costs_ln_2(loss):
    """So that the bound on the training error holds."""
    own = setting_of(loss)
    if np.isnan(loss.log_bound(own.rows())):
        assert type(loss).__name__ == "ModifiedHuber"  # its scores are margins
        return
    each = loss.each(own.scores, own.target.sign)
    if "Softmax" in type(loss).__name__:
        true = np.where(own.target.sign == 1, own.scores, -np.inf).max(axis=1)
        wrong = true < own.scores.max(axis=1)
        assert (each.sum(axis=1)[wrong] >= np.log(2) - 1e-12).all()
    else:
        wrong = (own.scores > 0) != (own.target.sign == 1)
        assert (each[wrong] >= np.log(2) - 1e-12).all()


@each_newton_loss
def test_stumps_and_steps_lower_the_loss(loss):
    own = setting_of(loss)
    run = run_of(Parts(loss, StumpLearner(), Stagewise(0.1)), own.rows())
    before = loss.training_loss(run.rows)
    memory = run.parts.learner.start(run)
    question = run.parts.combiner.ask(run)
    proposal = run.parts.learner.fit(memory, question)
    move = run.parts.combiner.step(run, question, proposal)
    assert move.facts["loss"] < before
    assert 0.0 < move.facts["gain"] < np.inf
