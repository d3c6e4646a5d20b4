"""The loss of pairs of labels, with every pair written down."""

import math
from dataclasses import replace

import numpy as np
import pytest

from tests.losses.every_loss import Setting, integers
from underdog.losses import LabelRanking
from underdog.losses.label_ranking import LabelRankingSignal


def pairs_of(sign, weight):
    """Row, the label that it lacks, the label that it has, and the weight of the pair."""
    for i, (own, of_row) in enumerate(zip(sign, weight, strict=True)):
        has, lacks = np.flatnonzero(own == 1), np.flatnonzero(own == 0)
        for l0 in lacks:
            for l1 in has:
                yield i, l0, l1, math.sqrt(of_row[l0] * of_row[l1]) / (len(has) * len(lacks))


def test_loss_weights_and_mistakes_are_those_of_the_pairs():
    own = Setting(4)
    own.target = replace(own.target, log_cost=None)
    sign, weight, scores = own.target.sign.copy(), own.weight(), own.scores.copy()
    sign[0], sign[1], sign[2], scores[2] = 0, 1, (0, 1, 0, 1), 0.5  # no pair, no pair, ties
    own.target, own.scores = replace(own.target, sign=sign), scores
    weight = own.weight()
    d, loss, start, wrong = np.zeros(scores.shape), 0.0, 0.0, 0.0
    for i, l0, l1, w in pairs_of(sign, weight):
        now = w * math.exp(0.5 * (scores[i, l0] - scores[i, l1]))
        d[i, l0] += 0.5 * now
        d[i, l1] += 0.5 * now
        loss, start = loss + now, start + w
        wrong += w * (scores[i, l0] >= scores[i, l1])
    ranking, rows = LabelRanking(), own.rows()
    assert ranking.mean(scores, sign, weight) == pytest.approx(loss / start, rel=1e-12)
    np.testing.assert_allclose(ranking.example_weights(scores, own.target), d / d.sum(), rtol=1e-12)
    assert math.exp(ranking.log_bound(rows)) == pytest.approx(loss / start, rel=1e-12)
    assert ranking.training_error(rows) == pytest.approx(wrong / start, rel=1e-12)
    assert math.isnan(ranking.mean(scores[:2], sign[:2], weight[:2]))


def test_with_one_unit_all_integers_are_on_one_scale():
    own = Setting(4)
    rows = own.rows()
    amounts, _ = integers(rows, LabelRankingSignal(rows, one_unit=True))
    wanted = LabelRanking().example_weights(own.scores, own.target)
    np.testing.assert_allclose(amounts / amounts.sum(), wanted, atol=2.0**-40)
    has = own.target.sign == 1  # every pair is one of a label that a row has
    halves = np.where(has, amounts, 0).sum(axis=1), np.where(has, 0, amounts).sum(axis=1)
    np.testing.assert_allclose(*halves, atol=4 * own.target.repeats.max())


def test_without_a_pair_there_is_nothing_to_rank():
    own = Setting(3)
    rows = own.rows(target=replace(own.target, sign=np.ones_like(own.target.sign)))
    with pytest.raises(ValueError, match="no row has a label and lacks another"):
        LabelRanking().make_signal(rows)
