"""The best question about one column: sets of levels, missing values, every criterion by name."""

import itertools

import numpy as np
import pandas as pd
import pytest

from tests.estimators.small import (
    assert_same_model,
    each_real_booster,
    learnable,
    make,
    two_kinds,
    unfinished,
)
from underdog import AdaBoostClassifier, AdaUBoostClassifier
from underdog.learners import StumpLearner
from underdog.learners.criteria import NAMES


@each_real_booster
@unfinished
def test_every_learner_that_is_named(booster):
    X, y = learnable(booster)
    if make(booster)._make_loss().reads == "newton":
        with pytest.raises(ValueError, match="needs weights of negative and positive examples"):
            make(booster, learner="discrete").fit(X, y)
    for name in NAMES:
        if name != "real" and make(booster)._make_loss().reads == "newton":
            continue
        by_name = make(booster, learner=name, n_estimators=4).fit(X, y)
        by_object = make(booster, learner=StumpLearner(name), n_estimators=4).fit(X, y)
        assert_same_model(by_name, by_object, X)
        assert by_name.score(X, y) > 0.6


def all_sides(groups):
    """Every way to put groups on two sides, each once."""
    for mask in itertools.product([False, True], repeat=groups - 1):
        sides = np.array([False, *mask])
        if sides.any():
            yield sides


def least_z(plus, minus, rule, beta=1.0):
    """The least Z over all ways to put the groups on two sides, from their weights."""
    best = np.inf
    for side in all_sides(len(plus)):
        tp, tm, fp, fm = plus[side].sum(), minus[side].sum(), plus[~side].sum(), minus[~side].sum()
        if rule == "real":
            z = sum(uneven(p, m, beta) for p, m in ((tp, tm), (fp, fm)))
        else:
            z = np.sqrt(1 - (abs(tp - tm) + abs(fp - fm)) ** 2)
        best = min(best, z)
    return best


def uneven(plus, minus, beta):
    """min over c of plus exp(-c / beta) + minus exp(c)."""
    c = beta / (1 + beta) * np.log(plus / beta / minus)
    return plus * np.exp(-c / beta) + minus * np.exp(c)


@pytest.mark.parametrize("seed", range(6))
@two_kinds
@pytest.mark.parametrize("missing", [False, True])
@pytest.mark.parametrize("beta", [1.0, 3.0])
def test_the_set_of_categories_is_the_best_of_all(seed, learner, missing, beta):
    if beta != 1.0 and learner == "discrete":
        learner = "real"
    rng = np.random.default_rng(seed)
    level = np.concatenate([np.repeat(np.arange(7), 2), rng.integers(0, 7, 60)])
    y = np.concatenate([np.tile([0, 1], 7), rng.integers(0, 2, 60)])
    weight = rng.uniform(0.1, 3.0, len(y))
    named = np.array([*"abcdef", None if missing else "g"], dtype=object)[level]
    model = AdaUBoostClassifier(
        beta=beta, pos_label=1, learner=learner, smoothing=0.0, n_estimators=1
    ).fit(pd.DataFrame({"c": named}), y, sample_weight=weight)
    start = weight * np.where(y == 1, beta, 1.0)
    start /= start.sum()
    plus, minus = (np.bincount(level[y == s], weights=start[y == s]) for s in (1, 0))
    assert model.history_["z"][0] == pytest.approx(least_z(plus, minus, learner, beta), rel=1e-9)


@pytest.mark.parametrize("like", ["low", "high", "neither"])
@two_kinds
def test_missing_values_go_to_the_better_side(like, learner):
    """Three groups: low, high, missing; the split is the best of the three there are."""
    value = np.repeat([0.0, 1.0, np.nan], 40)
    share = {"low": (0.1, 0.8, 0.15), "high": (0.1, 0.8, 0.75), "neither": (0.4, 0.45, 0.95)}[like]
    y = np.concatenate([np.arange(40) < round(40 * encoded) for encoded in share]).astype(int)
    X = value[:, np.newaxis]
    model = AdaBoostClassifier(learner=learner, smoothing=0.0, n_estimators=1).fit(X, y)
    plus, minus = (np.array([(y[g : g + 40] == s).sum() for g in (0, 40, 80)]) for s in (1, 0))
    expected = least_z(plus / 120, minus / 120, learner)
    assert model.history_["z"][0] == pytest.approx(expected, rel=1e-9)
    low, high, gone = model.decision_function([[0.0], [1.0], [np.nan]])
    if like == "neither":
        assert low == high
        assert low != gone
    else:
        assert gone == {"low": low, "high": high}[like]
        assert low != high
    words = {"low": "x0 > 0.5 ", "high": "x0 > 0.5 or missing", "neither": "x0 is missing"}[like]
    assert words in model.describe()


def test_missing_at_prediction_but_never_in_training_goes_with_the_majority():
    X = np.repeat([0.0, 1.0], [30, 70])[:, np.newaxis]
    y = np.concatenate([np.arange(30) < 25, np.arange(70) < 10]).astype(int)
    model = AdaBoostClassifier(n_estimators=1).fit(X, y)
    _, high, gone = model.decision_function([[0.0], [1.0], [np.nan]])
    assert gone == high
