"""SoftBoost, TotalBoost and ERLPBoost against the linear programme of all stumps and the game."""

import functools
import itertools
import math
import warnings

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.estimators.full_lp import (
    KINDS,
    bounds_of,
    every_criterion,
    full_programme,
    least_mean,
    problem,
    separable,
    sides,
)
from tests.estimators.small import coefficients, rules
from underdog import (
    AdaBoostClassifier,
    ERLPBoostClassifier,
    LPBoostClassifier,
    SoftBoostClassifier,
    TotalBoostClassifier,
)
from underdog.checks import UnderdogWarning
from underdog.combiners import entropy
from underdog.games import margins, solve_game

VALUE, COEFFICIENT = 1e-7, 1e-9
ROUNDING = 1e-8
"""Of two linear programmes that are compared, not of the boosters."""
SOFT = [SoftBoostClassifier, ERLPBoostClassifier]
each_kind = pytest.mark.parametrize("kind", KINDS)
each_soft = pytest.mark.parametrize("booster", SOFT)
BOOSTERS = {
    "soft": (SoftBoostClassifier, {"nu": 0.2}),
    "regularised": (ERLPBoostClassifier, {"nu": 0.2}),
    "uneven": (ERLPBoostClassifier, {"nu": 0.3, "beta": 2.0, "pos_label": 1}),
    "total": (TotalBoostClassifier, {}),
}
each_booster = pytest.mark.parametrize("name", BOOSTERS)


def fitted(booster, X, y, weight=None, **parameters):
    """Fit without minding that some margins are not positive."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UnderdogWarning)
        own = {"learner": "disc.lp", "n_estimators": 3000, **parameters}
        return booster(**own).fit(X, y, sample_weight=weight)


def named(name, X, y, weight=None, **parameters):
    booster, own = BOOSTERS[name]
    return fitted(booster, X, y, weight, **own, **parameters)


def assert_near_the_optimum(model, X, y, bounds, tol):
    """Within tol of the best and never above it; the certificate says so, and truly."""
    best = full_programme(X, y, *bounds)
    facts = model.certificate_
    own = sides(y) * model.decision_function(X)
    assert model.converged_
    assert best - tol - ROUNDING <= facts["soft_margin"] <= best + ROUNDING
    assert facts["soft_margin"] == pytest.approx(least_mean(own, *bounds), abs=ROUNDING)
    assert facts["minimum_margin"] == pytest.approx(own.min(), abs=1e-12)
    assert facts["upper_bound"] >= best - ROUNDING
    assert facts["upper_bound"] - facts["soft_margin"] == pytest.approx(facts["gap"], abs=ROUNDING)
    assert coefficients(model).sum() == pytest.approx(1.0, abs=1e-9)
    assert (coefficients(model) >= 0.0).all()


# The optimum.


@each_soft
@each_kind
@pytest.mark.parametrize("nu", [0.1, 0.35])
@pytest.mark.parametrize("tol", [0.05, 0.01])
def test_the_soft_margin_is_within_tol_of_the_best(booster, kind, nu, tol):
    X, y, weight = problem(kind)
    model = fitted(booster, X, y, weight, nu=nu, tol=tol)
    assert_near_the_optimum(model, X, y, bounds_of(y, weight, nu), tol)


@each_soft
def test_a_small_tol_is_kept_too(booster):
    X, y, _ = problem("numbers", seed=3)
    model = fitted(booster, X, y, nu=0.2, tol=1e-3)
    assert_near_the_optimum(model, X, y, bounds_of(y, None, 0.2), 1e-3)


@given(st.integers(0, 2**32 - 1), st.sampled_from(SOFT), st.sampled_from([0.1, 0.4, 0.8]))
@settings(deadline=None, max_examples=20)
def test_any_small_problem_is_solved_within_tol(seed, booster, nu):
    rng = np.random.default_rng(seed)
    X = rng.integers(-1, 3, (int(rng.integers(6, 25)), 3)).astype(float)
    X[rng.random(X.shape) < 0.1] = np.nan
    y = rng.integers(0, 2, len(X))
    X[:2], y[:2] = [[0.0] * 3, [1.0] * 3], [0, 1]
    model = fitted(booster, X, y, nu=nu, tol=0.03)
    assert_near_the_optimum(model, X, y, bounds_of(y, None, nu), 0.03)


@pytest.mark.parametrize("kind", ["numbers", "words", "ties", "missing"])
@pytest.mark.parametrize("tol", [0.05, 0.01])
def test_the_minimum_margin_is_within_tol_of_the_best(kind, tol):
    X, y, _ = problem(kind)
    model = fitted(TotalBoostClassifier, X, y, tol=tol)
    assert_near_the_optimum(model, X, y, (np.zeros(len(y)), np.ones(len(y))), tol)
    facts = model.certificate_
    assert facts["soft_margin"] == pytest.approx(facts["minimum_margin"], abs=1e-12)


def test_class_weights_bound_the_weights_in_proportion():
    X, y = separable()
    given = {"class_weight": {0: 1.0, 1: 3.0}}
    total = TotalBoostClassifier(**given).fit(X, y)
    soft = SoftBoostClassifier(nu=1 / len(y), **given).fit(X, y)
    np.testing.assert_array_equal(total.decision_function(X), soft.decision_function(X))


@pytest.mark.parametrize("booster", [*SOFT, LPBoostClassifier])
@pytest.mark.parametrize(("columns", "least"), [(2, 2), (3, 2), (3, 3), (5, 3)])
def test_columns_that_are_mirror_images_are_different_rules(booster, columns, least):
    """Votes of equal weight: the rows of one column's test have the keys of another's."""
    X = np.array(list(np.ndindex(*(2,) * columns)), dtype=float)
    y = (X.sum(axis=1) >= least).astype(int)
    nu = 1.0 / len(y)
    model = fitted(booster, X, y, nu=nu, tol=0.01)
    assert_near_the_optimum(model, X, y, bounds_of(y, None, nu), 0.01)
    assert model.score(X, y) == 1.0


@each_kind
@pytest.mark.parametrize("beta", [0.5, 3.0])
def test_erlpboost_comes_to_the_uneven_optimum(kind, beta):
    X, y, weight = problem(kind, seed=1)
    model = fitted(ERLPBoostClassifier, X, y, weight, nu=0.3, beta=beta, tol=0.01, pos_label=1)
    assert_near_the_optimum(model, X, y, bounds_of(y, weight, 0.3, beta), 0.01)


@each_soft
@pytest.mark.parametrize("tol", [0.2, 0.05])
def test_the_rounds_are_bounded(booster, tol):
    """By 2 ln(1/nu) / tol^2 for SoftBoost; four times as many for ERLPBoost."""
    X, y, _ = problem("numbers", seed=2)
    model = fitted(booster, X, y, nu=0.1, tol=tol)
    most = (2.0 if booster is SoftBoostClassifier else 8.0) * math.log(10.0) / tol**2
    assert model.n_iter_ <= max(4.0 / tol, most)


@pytest.mark.parametrize("tol", [1e-5, 0.0])
def test_a_run_with_a_tiny_tol_ends(monkeypatch, tol):
    """Where no new rule comes the limit must not creep down in steps of tol."""
    calls = itertools.count()

    def counted(*arguments, true=entropy.projected):
        assert next(calls) < 300
        return true(*arguments)

    monkeypatch.setattr(entropy, "projected", counted)
    X, y = np.arange(4.0)[:, np.newaxis], np.array([0, 1, 0, 1])
    model = fitted(SoftBoostClassifier, X, y, nu=0.5, tol=tol)
    assert_near_the_optimum(model, X, y, bounds_of(y, None, 0.5), max(tol, VALUE))


# What is the same.


@pytest.mark.parametrize("kind", ["numbers", "words", "ties", "missing"])
@pytest.mark.parametrize("repeats", [False, True])
def test_totalboost_is_softboost_with_the_hard_margin_bit_for_bit(kind, repeats):
    X, y, _ = problem(kind)
    weight = np.random.default_rng(0).integers(1, 4, len(y)) if repeats else None
    m = len(y) if weight is None else int(weight.sum())
    one = fitted(TotalBoostClassifier, X, y, weight, tol=0.02)
    other = fitted(SoftBoostClassifier, X, y, weight, nu=1.0 / m, tol=0.02)
    assert rules(one) == rules(other)
    np.testing.assert_array_equal(coefficients(one), coefficients(other))
    np.testing.assert_array_equal(one.decision_function(X), other.decision_function(X))
    assert one.certificate_ == other.certificate_


def test_even_erlpboost_is_the_default_bit_for_bit():
    X, y, _ = problem("numbers")
    one, other = (fitted(ERLPBoostClassifier, X, y, nu=0.2, **own) for own in ({}, {"beta": 1.0}))
    np.testing.assert_array_equal(coefficients(one), coefficients(other))


@each_booster
@each_kind
def test_two_runs_have_the_same_bits(name, kind):
    X, y, weight = problem(kind)
    one, other = (named(name, X, y, weight, tol=0.05) for _ in range(2))
    assert rules(one) == rules(other)
    np.testing.assert_array_equal(coefficients(one), coefficients(other))
    assert one.certificate_ == other.certificate_


def assert_equivalent(one, other, X, other_X):
    """The same rounds and coefficients, in the end and on the way."""
    np.testing.assert_allclose(coefficients(one), coefficients(other), rtol=0, atol=COEFFICIENT)
    for own, others in zip(one.model_.path, other.model_.path, strict=True):
        np.testing.assert_allclose(own, others, rtol=0, atol=COEFFICIENT)
    scores = one.decision_function(X), other.decision_function(other_X)
    np.testing.assert_allclose(*scores, rtol=0, atol=COEFFICIENT)
    assert (one.converged_, one.n_iter_) == (other.converged_, other.n_iter_)


@functools.cache
def plain_model(name, kind, seed):
    X, y, _ = problem(kind, seed)
    return named(name, X, y, tol=0.02)


@each_booster
@pytest.mark.parametrize("kind", ["words", "ties", "missing", "numbers"])
@pytest.mark.parametrize("seed", range(2))
def test_the_order_of_rows_and_columns_does_not_matter(name, kind, seed):
    X, y, _ = problem(kind, seed)
    rng = np.random.default_rng(seed)
    rows, columns = rng.permutation(len(y)), rng.permutation(X.shape[1])
    other = named(name, X[rows][:, columns], y[rows], tol=0.02)
    assert_equivalent(plain_model(name, kind, seed), other, X, X[:, columns])


@each_booster
@each_kind
def test_sparse_or_dense_and_one_or_two_threads(name, kind):
    X, y, weight = problem(kind)
    plain = named(name, X, y, weight, tol=0.02)
    sparse = named(name, sp.csr_array(X), y, weight, tol=0.02)
    assert_equivalent(plain, sparse, X, sp.csr_array(X))
    threads = named(name, X, y, weight, tol=0.02, n_jobs=2)
    np.testing.assert_array_equal(coefficients(plain), coefficients(threads))


@each_booster
@pytest.mark.parametrize("kind", ["numbers", "words", "ties", "missing"])
def test_a_weight_of_three_is_three_rows(name, kind):
    X, y, _ = problem(kind)
    repeats = np.random.default_rng(0).integers(0, 4, len(y))
    again = np.repeat(np.arange(len(y)), repeats)
    one = named(name, X, y, repeats, tol=0.02)
    other = named(name, X[again], y[again], tol=0.02)
    assert_equivalent(one, other, X, X)


# Margins as a game.


def game(X, y):
    """(rows, rules) y h, of all stumps."""
    return (every_criterion(X) * sides(y)).T


@pytest.mark.parametrize("seed", range(4))
def test_the_hard_margin_is_the_value_of_the_game(seed):
    X, y = separable(seed=seed)
    solution = solve_game(game(X, y))
    model = LPBoostClassifier(nu=1 / len(y), learner="disc.lp", tol=0.0).fit(X, y)
    assert solution.value > 0.01
    assert model.certificate_["minimum_margin"] == pytest.approx(solution.value, abs=VALUE)
    total = fitted(TotalBoostClassifier, X, y, tol=0.01)
    assert total.certificate_["minimum_margin"] <= solution.value + ROUNDING
    assert total.certificate_["minimum_margin"] >= solution.value - 0.01 - ROUNDING


@pytest.mark.parametrize("kind", ["numbers", "words", "ties", "missing"])
def test_the_value_of_the_game_without_a_positive_margin(kind):
    X, y, _ = problem(kind)
    solution = solve_game(game(X, y))
    model = fitted(LPBoostClassifier, X, y, nu=1 / len(y), tol=0.0)
    assert model.certificate_["minimum_margin"] == pytest.approx(solution.value, abs=VALUE)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("rounds", [1, 10, 100, 400])
def test_no_adaboost_has_a_greater_minimum_margin(seed, rounds):
    X, y = separable(seed=seed)
    best = full_programme(X, y, np.zeros(len(y)), np.ones(len(y)))
    model = AdaBoostClassifier(learner="discrete", n_estimators=rounds).fit(X, y)
    report = margins(model, X, y)
    assert report.minimum <= report.best + ROUNDING
    assert report.best <= best + ROUNDING
    exact = fitted(LPBoostClassifier, X, y, nu=1 / len(y), tol=0.0)
    own = margins(exact, X, y)
    assert own.minimum == pytest.approx(best, abs=VALUE)
    assert own.best == pytest.approx(best, abs=VALUE)
    assert report.minimum <= own.minimum + ROUNDING
