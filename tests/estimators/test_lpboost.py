"""LPBoost and LPUBoost: the optimum over all stumps, whatever the order."""

import warnings

import numpy as np
import pytest
import scipy.sparse as sp

from tests.estimators.exact_lp import (
    COEFFICIENT,
    EXACT,
    assert_equivalent,
    assert_optimal,
    fitted,
    two_boosters,
)
from tests.estimators.full_lp import KINDS, bounds_of, problem, separable
from tests.estimators.small import coefficients
from underdog import LPBoostClassifier, LPUBoostClassifier, UnderdogWarning
from underdog.masters.groups import soft_margin

each_kind = pytest.mark.parametrize("kind", KINDS)


def rules(model, names=None):
    """The tests and values of the members, columns by these numbers."""
    found = []
    for member in model.model_.members:
        stump = member.hypothesis
        test = stump.test
        column = test.column if names is None else int(names[test.column])
        found.append((column, test.threshold, stump.values.ravel().tolist()))
    return found


# The optimum.


@each_kind
@pytest.mark.parametrize("nu", [None, 0.1, 0.35, 0.7])
def test_it_comes_to_the_optimum_over_all_stumps(kind, nu):
    X, y, weight = problem(kind)
    nu = 1.0 / len(y) if nu is None else nu
    model = fitted(LPBoostClassifier, X, y, weight, nu=nu)
    assert_optimal(model, X, y, *bounds_of(y, weight, nu))


@each_kind
@pytest.mark.parametrize(("beta", "ratio"), [(3.0, 0.0), (2.0, 40.0), (0.5, 8.0), (1.0, 6.0)])
def test_the_uneven_one_comes_to_its_optimum(kind, beta, ratio):
    X, y, weight = problem(kind, seed=1)
    model = fitted(
        LPUBoostClassifier, X, y, weight, nu=0.3, beta=beta, lower_bound_ratio=ratio, pos_label=1
    )
    assert_optimal(model, X, y, *bounds_of(y, weight, 0.3, beta, ratio))


@each_kind
@pytest.mark.parametrize("learner", ["disc.lp", "real.mh"])
def test_even_lpuboost_is_lpboost_bit_for_bit(kind, learner):
    X, y, weight = problem(kind)
    one = fitted(LPBoostClassifier, X, y, weight, nu=0.2, learner=learner)
    other = fitted(LPUBoostClassifier, X, y, weight, nu=0.2, beta=1.0, learner=learner)
    np.testing.assert_array_equal(coefficients(one), coefficients(other))
    np.testing.assert_array_equal(one.decision_function(X), other.decision_function(X))
    assert rules(one) == rules(other)


@each_kind
@two_boosters
def test_the_certificate_can_be_computed_from_the_scores(kind, booster):
    X, y, weight = problem(kind)
    model = fitted(booster, X, y, weight, nu=0.2, n_estimators=6)
    margins = np.where(y == 1, 1.0, -1.0) * model.decision_function(X)
    bounds = bounds_of(y, weight, 0.2, getattr(model, "beta", 1.0))
    facts = model.certificate_
    assert facts["minimum_margin"] == pytest.approx(margins.min(), abs=1e-12)
    assert facts["soft_margin"] == pytest.approx(soft_margin(margins, *bounds), abs=1e-12)
    assert facts["soft_margin"] == pytest.approx(facts["primal_value"], abs=1e-9)
    assert facts["n_hypotheses"] == (coefficients(model) > 1e-9).sum()
    assert facts["stopped"] == model.stop_reason_
    if booster is LPBoostClassifier:
        error = np.average(model.predict(X) != y, weights=weight)
        assert facts["training_error"] == pytest.approx(error, abs=1e-12)
    assert coefficients(model).sum() == pytest.approx(1.0, abs=1e-9)
    assert (coefficients(model) >= 0.0).all()


def test_one_perfect_rule_is_the_whole_model():
    X, _ = separable()
    model = LPBoostClassifier(**EXACT, nu=0.1).fit(X, X[:, 1] > 0)
    facts = model.certificate_
    assert (model.n_iter_, model.converged_) == (1, True)
    assert coefficients(model).tolist() == [1.0]
    assert facts["minimum_margin"] == facts["soft_margin"] == 1.0
    assert facts["training_error"] == 0.0


# The same model, whatever the order.


@pytest.mark.parametrize("kind", ["words", "ties", "missing", "numbers"])
@pytest.mark.parametrize("learner", ["disc.lp", "real.mh"])
@pytest.mark.parametrize("seed", range(3))
def test_the_order_of_rows_and_columns_does_not_matter(kind, learner, seed):
    X, y, _ = problem(kind, seed)
    rng = np.random.default_rng(seed)
    rows, columns = rng.permutation(len(y)), rng.permutation(X.shape[1])
    parameters = {"nu": (0.1, 0.3, 0.02)[seed], "learner": learner}
    plain = fitted(LPBoostClassifier, X, y, **parameters)
    names = np.arange(X.shape[1])
    for own_rows, own in ((rows, names), (np.arange(len(y)), columns), (rows, columns)):
        other = fitted(LPBoostClassifier, X[own_rows][:, own], y[own_rows], **parameters)
        assert_equivalent(plain, other, X, X[:, own])
        same = {3: 0, 4: 2} if kind == "ties" else {}  # of equal columns the first is named
        for left, right in zip(rules(plain), rules(other, own), strict=True):
            assert same.get(left[0], left[0]) == same.get(right[0], right[0])
            assert left[1] == right[1]
            np.testing.assert_allclose(left[2], right[2], rtol=0, atol=COEFFICIENT)


@pytest.mark.parametrize("learner", ["disc.lp", "real.mh"])
@pytest.mark.parametrize("seed", [11, 32, 37, 39])
def test_of_a_column_and_its_negative_it_does_not_matter_which_comes_first(learner, seed):
    """Tests that divide the rows into equal halves have no smaller side."""
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 2, (40, 3)).astype(float)
    score = np.hstack([X, -X]) @ rng.normal(size=6) + 0.5 * rng.normal(size=40)
    y = (score > np.median(score)).astype(int)
    nu = (0.1, 0.3, 1 / 40)[seed % 3]
    one, other = (
        fitted(LPBoostClassifier, np.hstack([sign * X, -sign * X]), y, nu=nu, learner=learner)
        for sign in (1.0, -1.0)
    )
    assert_equivalent(one, other, np.hstack([X, -X]), np.hstack([-X, X]))


def test_rules_that_nearly_say_the_same_are_no_trouble_to_the_solver():
    """Real values that should be -1 and 1 may be a billionth off, as weights are tilted."""
    rng = np.random.default_rng(15)
    X = rng.integers(0, 3, (40, 3)).astype(float)
    X = np.hstack([X, X[:, :2]])
    score = X @ rng.normal(size=5) + 0.5 * rng.normal(size=40)
    y = (score > np.median(score)).astype(int)
    model = fitted(LPBoostClassifier, X, y, nu=0.1, learner="real.mh")
    assert "solver failed" not in model.stop_reason_
    assert model.converged_


@each_kind
def test_sparse_or_dense_and_one_or_two_threads(kind):
    X, y, weight = problem(kind)
    plain = fitted(LPBoostClassifier, X, y, weight, nu=0.2)
    sparse = fitted(LPBoostClassifier, sp.csr_array(X), y, weight, nu=0.2)
    assert_equivalent(plain, sparse, X, sp.csr_array(X))
    assert rules(plain) == rules(sparse)
    threads = fitted(LPBoostClassifier, X, y, weight, nu=0.2, n_jobs=2)
    np.testing.assert_array_equal(coefficients(plain), coefficients(threads))


@pytest.mark.parametrize("kind", ["numbers", "words", "ties", "missing"])
@pytest.mark.parametrize("learner", ["disc.lp", "real.mh"])
@two_boosters
def test_a_weight_of_three_is_three_rows(kind, learner, booster):
    X, y, _ = problem(kind)
    repeats = np.random.default_rng(0).integers(0, 4, len(y))
    again = np.repeat(np.arange(len(y)), repeats)
    one = fitted(booster, X, y, repeats, nu=0.2, learner=learner)
    other = fitted(booster, X[again], y[again], nu=0.2, learner=learner)
    assert_equivalent(one, other, X, X)
    assert [rule[:2] for rule in rules(one)] == [rule[:2] for rule in rules(other)]


@each_kind
@pytest.mark.parametrize("learner", ["disc.lp", "real.mh"])
def test_two_runs_have_the_same_bits(kind, learner):
    X, y, weight = problem(kind)
    one, other = (
        fitted(LPBoostClassifier, X, y, weight, nu=0.2, learner=learner) for _ in range(2)
    )
    np.testing.assert_array_equal(coefficients(one), coefficients(other))
    assert one.certificate_ == other.certificate_


@each_kind
@pytest.mark.parametrize("learner", ["disc.lp", "real.mh"])
@pytest.mark.parametrize("seed", range(2))
def test_a_warm_start_goes_on(kind, learner, seed):
    X, y, weight = problem(kind, seed)
    parameters = {"nu": 0.2, "learner": learner}
    model = fitted(LPBoostClassifier, X, y, weight, **parameters, n_estimators=5, warm_start=True)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UnderdogWarning)
        model.set_params(n_estimators=300).fit(X, y, sample_weight=weight)
    whole = fitted(LPBoostClassifier, X, y, weight, **parameters)
    assert_equivalent(model, whole, X, X)
    assert model.n_iter_ == whole.n_iter_
    assert model.stop_reason_ == whole.stop_reason_


@each_kind
@pytest.mark.parametrize("learner", ["disc.lp", "real.mh"])
def test_every_stage_is_the_model_of_as_many_rounds(kind, learner):
    X, y, weight = problem(kind)
    whole = fitted(LPBoostClassifier, X, y, weight, nu=0.2, learner=learner)
    stages = list(whole.staged_decision_function(X))
    assert len(stages) == whole.n_iter_
    np.testing.assert_array_equal(stages[-1], whole.decision_function(X))
    for rounds in {1, 2, 3, 5, 8, whole.n_iter_} & set(range(1, whole.n_iter_ + 1)):
        short = fitted(
            LPBoostClassifier, X, y, weight, nu=0.2, learner=learner, n_estimators=rounds
        )
        scores = short.decision_function(X)
        np.testing.assert_allclose(stages[rounds - 1], scores, rtol=0, atol=COEFFICIENT)
