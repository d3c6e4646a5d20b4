"""What LPBoost and LPUBoost refuse, warn about and leave behind when they stop."""

import re
import warnings

import numpy as np
import pytest
from sklearn.calibration import CalibratedClassifierCV
from sklearn.tree import DecisionTreeClassifier

from tests.estimators.exact_lp import (
    EXACT,
    GAP,
    assert_equivalent,
    assert_optimal,
    fitted,
    messages,
    two_boosters,
)
from tests.estimators.full_lp import bounds_of, full_programme, problem, separable
from tests.estimators.small import coefficients, noisy
from underdog import LPBoostClassifier, LPUBoostClassifier, NotConverged, UnderdogWarning
from underdog.engine import INTERRUPTED
from underdog.learners import StumpLearner
from underdog.masters.groups import soft_margin
from underdog.masters.linear import LinearMaster, SolverError


@pytest.mark.parametrize("nu", [0.0, 1.0, -0.1, 1.5, float("nan"), "much", True])
@two_boosters
def test_nu_must_be_a_share(booster, nu):
    with pytest.raises(ValueError, match=re.escape(f"nu={nu!r} must be 'auto' or a number")):
        booster(nu=nu).fit(*separable())


@pytest.mark.parametrize(("name", "value"), [("beta", 0.0), ("lower_bound_ratio", -1.0)])
def test_bounds_must_be_positive(name, value):
    with pytest.raises(ValueError, match=re.escape(f"{name}={value!r} must be a finite number")):
        LPUBoostClassifier(**{name: value}).fit(*separable())


def test_lower_bounds_must_not_be_above_upper_bounds():
    with pytest.raises(ValueError, match="lower bounds above upper bounds: use at least 1, or 0"):
        LPUBoostClassifier(lower_bound_ratio=0.5).fit(*separable())


def test_tol_must_not_be_negative():
    with pytest.raises(ValueError, match=re.escape("tol=-1.0 must be a finite number")):
        LPBoostClassifier(tol=-1.0).fit(*separable())


def advice(parameters, X, y):
    """The message about bounds that cannot be kept, and the numbers that it suggests."""
    with pytest.raises(ValueError, match="infeasible") as caught:
        LPUBoostClassifier(**EXACT, pos_label=1, **parameters).fit(X, y)
    text = str(caught.value)
    found = re.findall(r"(nu|beta|lower_bound_ratio) of at (?:most|least) ([0-9.e+-]*[0-9])", text)
    return text, {name: float(value) for name, value in found}


@pytest.mark.parametrize("nu", [0.6, 0.77, 0.9, 0.98])
@pytest.mark.parametrize("seed", range(3))
def test_upper_bounds_that_are_too_low_are_refused_with_advice(nu, seed):
    X, _ = separable(seed=seed)
    y = (X[:, 0] > -0.5).astype(int)
    given = {"nu": nu, "beta": 0.05}
    text, found = advice(given, X, y)
    assert "the upper bounds of the weights sum to" in text
    assert set(found) == {"nu", "beta"}
    for name, value in found.items():
        fitted(LPUBoostClassifier, X, y, **{**given, name: value}, pos_label=1)


@pytest.mark.parametrize(
    ("nu", "beta", "ratio", "names"),
    [
        (0.3, 2.0, 1.2, {"lower_bound_ratio"}),
        (0.6, 2.0, 1.0, {"lower_bound_ratio"}),  # no beta of four digits would do
        (0.3, 2.0, 2.0, {"lower_bound_ratio", "nu", "beta"}),
        (0.3, 2.0, 4.0, {"lower_bound_ratio", "nu", "beta"}),
        (0.07, 7.0, 30.0, {"lower_bound_ratio", "nu", "beta"}),
        (0.9, 1.0, 1.05, {"lower_bound_ratio", "nu", "beta"}),
        (0.5, 3.0, 1.0, {"lower_bound_ratio"}),
    ],
)
def test_lower_bounds_that_are_too_high_are_refused_with_advice(nu, beta, ratio, names):
    X, y = separable()
    given = {"nu": nu, "beta": beta, "lower_bound_ratio": ratio}
    text, found = advice(given, X, y)
    assert "the lower bounds of the weights sum to" in text
    assert set(found) == names
    for name, value in [*found.items(), ("lower_bound_ratio", 0.0)]:
        fitted(LPUBoostClassifier, X, y, **{**given, name: value}, pos_label=1)


@pytest.mark.parametrize(("share", "nu"), [(0.1, 0.5), (0.2, 0.75), (0.9, 0.3), (0.35, 0.9)])
def test_a_constant_that_wins_is_pointed_out_with_a_better_nu(share, nu):
    X, _ = separable(rows=60)
    score = X[:, 0] + 0.1 * X[:, 1]
    y = (score > np.quantile(score, 1 - share)).astype(int)
    with pytest.warns(UnderdogWarning, match="so large that a constant prediction") as caught:
        LPBoostClassifier(**EXACT, nu=nu).fit(X, y)
    (text,) = [t for t in messages(caught) if "a constant" in t]
    better = float(re.search(r"use nu of at most ([0-9.e-]*[0-9])", text)[1])
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        LPBoostClassifier(**EXACT, nu=better).fit(X, y)
    assert not [t for t in messages(caught) if "a constant" in t]


def exclusive_or():
    X = np.array(list(np.ndindex(2, 2)), dtype=float)
    X = np.tile(X, (5, 1))
    return X, (X.sum(axis=1) == 1).astype(int)


def test_without_a_positive_soft_margin_it_says_so():
    with pytest.warns(UnderdogWarning, match="no positive soft margin") as caught:
        model = LPBoostClassifier(**EXACT, nu=0.2).fit(*exclusive_or())
    assert model.converged_
    assert model.stop_reason_.startswith("no positive soft margin: no combination of rules has one")
    assert any("Try a larger nu, or ERLPBoostClassifier" in text for text in messages(caught))
    assert model.certificate_["soft_margin"] == pytest.approx(0.0, abs=GAP)


def test_random_labels_have_no_positive_soft_margin():
    rng = np.random.default_rng(0)
    X, y = rng.integers(0, 2, (60, 3)).astype(float), rng.integers(0, 2, 60)
    lower, upper = bounds_of(y, None, 0.05)
    assert full_programme(X, y, lower, upper) == pytest.approx(0.0, abs=GAP)
    with pytest.warns(UnderdogWarning, match="no positive soft margin"):
        model = LPBoostClassifier(**EXACT, nu=0.05).fit(X, y)
    assert_optimal(model, X, y, lower, upper)


def test_a_learner_that_is_not_exact_claims_no_more_than_it_knows():
    rng = np.random.default_rng(0)
    X, y = rng.integers(0, 2, (60, 3)).astype(float), rng.integers(0, 2, 60)
    with pytest.warns(UnderdogWarning, match="the learner found no rule with an edge above"):
        model = LPBoostClassifier(learner="real.mh", nu=0.05).fit(X, y)
    assert np.isnan(model.certificate_["upper_bound"])
    assert "no combination" not in model.stop_reason_


def test_a_learner_that_says_nothing_is_pointed_out():
    """On exclusive or all log-odds are 0: the model is a constant, and must not be so silently."""
    with pytest.warns(UnderdogWarning):
        model = LPBoostClassifier(learner="real.mh", nu=0.2).fit(*exclusive_or())
    assert model.stop_reason_.startswith("the best rule says nothing")
    assert len(model.model_.members) == 1


@two_boosters
def test_too_few_rounds_are_pointed_out(booster):
    X, y = separable()
    with pytest.warns(NotConverged, match=r"reached n_estimators=3 before it converged to tol"):
        model = booster(**EXACT, nu=0.2, n_estimators=3, pos_label=1).fit(X, y)
    assert not model.converged_
    assert (model.n_iter_, model.stop_reason_) == (3, "all rounds done")


def test_a_converged_run_is_silent():
    X, y = separable()
    model = LPBoostClassifier(**EXACT, nu=0.2).fit(X, y)
    assert model.converged_
    assert model.stop_reason_.startswith("converged: the soft margin is")


def test_a_run_that_ends_on_the_plateau_says_so():
    """Soon after the start the margin is 0, and stays there for some rounds."""
    X, y, _ = problem("numbers")
    whole = fitted(LPBoostClassifier, X, y, nu=1 / len(y))
    flat = np.flatnonzero(whole.history_["primal_value"] <= GAP)
    assert whole.certificate_["soft_margin"] > GAP
    assert len(flat) > 0
    rounds = int(flat[-1]) + 1
    with pytest.warns(NotConverged, match="its soft margin is 0") as caught:
        model = LPBoostClassifier(**EXACT, nu=1 / len(y), n_estimators=rounds).fit(X, y)
    assert any("Try a larger nu, or ERLPBoostClassifier" in text for text in messages(caught))
    assert not model.converged_


def failing(after, error):
    """LinearMaster.solve that raises from this call on."""
    calls = []

    def solve(master, true=LinearMaster.solve):
        calls.append(master)
        if len(calls) > after:
            raise error
        return true(master)

    return solve


def test_a_solver_that_fails_leaves_the_model_of_the_round_before(monkeypatch):
    X, y = separable()
    before = fitted(LPBoostClassifier, X, y, nu=0.2, n_estimators=4)
    monkeypatch.setattr(LinearMaster, "solve", failing(4, SolverError("no luck")))
    with pytest.warns(NotConverged, match="the solver failed"):
        model = LPBoostClassifier(**EXACT, nu=0.2).fit(X, y)
    reason = "the solver failed (no luck): the model is that of the round before"
    assert (model.n_iter_, model.stop_reason_, model.converged_) == (4, reason, False)
    np.testing.assert_array_equal(coefficients(model), coefficients(before))
    np.testing.assert_array_equal(model.decision_function(X), before.decision_function(X))
    for name in set(model.certificate_.own) - {"stopped", "gap", "upper_bound"}:
        assert model.certificate_[name] == before.certificate_[name], name
    assert {len(values) for values in model.history_.values()} == {4}


def test_a_solver_that_fails_at_once_is_an_error_of_its_own(monkeypatch):
    monkeypatch.setattr(LinearMaster, "solve", failing(0, SolverError("no luck")))
    with pytest.raises(SolverError, match="no luck"):
        LPBoostClassifier(**EXACT).fit(*separable())


def test_an_interrupt_leaves_a_model(monkeypatch):
    X, y = separable()
    before = fitted(LPBoostClassifier, X, y, nu=0.2, n_estimators=3)
    calls = []

    def fit(learner, memory, question, true=StumpLearner.fit):
        calls.append(question)
        if len(calls) > 3:
            raise KeyboardInterrupt
        return true(learner, memory, question)

    monkeypatch.setattr(StumpLearner, "fit", fit)
    model = LPBoostClassifier(**EXACT, nu=0.2)
    with pytest.raises(KeyboardInterrupt):
        model.fit(X, y)
    assert (model.n_iter_, model.stop_reason_, model.converged_) == (3, INTERRUPTED, False)
    np.testing.assert_array_equal(model.decision_function(X), before.decision_function(X))
    monkeypatch.undo()
    model.set_params(warm_start=True).fit(X, y)
    assert_equivalent(model, fitted(LPBoostClassifier, X, y, nu=0.2), X, X)


def test_an_interrupt_inside_the_solver_leaves_a_model(monkeypatch):
    X, y = separable()
    before = fitted(LPBoostClassifier, X, y, nu=0.2, n_estimators=3)
    monkeypatch.setattr(LinearMaster, "solve", failing(3, KeyboardInterrupt()))
    model = LPBoostClassifier(**EXACT, nu=0.2)
    with pytest.raises(KeyboardInterrupt):
        model.fit(X, y)
    assert (model.n_iter_, model.stop_reason_) == (3, INTERRUPTED)
    np.testing.assert_array_equal(model.decision_function(X), before.decision_function(X))


@two_boosters
def test_probabilities_take_calibration(booster):
    X, y = noisy()
    model = fitted(booster, X, y, nu=0.5, tol=0.01, pos_label=1)
    for name in ("predict_proba", "predict_log_proba", "staged_predict_proba"):
        assert not hasattr(booster(), name)
        assert not hasattr(model, name)
    with pytest.raises(AttributeError, match=r"has no predict_proba: .*\.CalibratedClassifierCV"):
        model.predict_proba(X)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UnderdogWarning)
        calibrated = CalibratedClassifierCV(booster(nu=0.5, tol=0.01, pos_label=1), cv=3).fit(X, y)
    probability = calibrated.predict_proba(X)
    np.testing.assert_allclose(probability.sum(axis=1), 1.0)
    assert ((calibrated.predict(X) == y).mean()) > 0.7


@pytest.mark.parametrize("rate", [0.5, 2.0])
@two_boosters
def test_a_learning_rate_has_no_meaning(booster, rate):
    message = f"learning_rate={rate!r} is not supported"
    with pytest.raises(ValueError, match=re.escape(message)):
        booster(learning_rate=rate).fit(*separable())


def test_a_learner_of_another_library():
    X, y = noisy()
    tree = DecisionTreeClassifier(max_depth=2, random_state=0)
    model = fitted(LPBoostClassifier, X, y, nu=0.4, learner=tree, tol=1e-3, n_estimators=60)
    assert model.score(X, y) > 0.75
    assert np.isnan(model.certificate_["upper_bound"])
    stages = list(model.staged_decision_function(X))
    np.testing.assert_array_equal(stages[-1], model.decision_function(X))
    margins = np.where(y == 1, 1.0, -1.0) * stages[-1]
    expected = soft_margin(margins, *bounds_of(y, None, 0.4))
    assert model.certificate_["soft_margin"] == pytest.approx(expected, abs=1e-12)


@two_boosters
def test_early_stopping_keeps_the_best_round_and_its_certificate(booster):
    X, y = noisy(rows=300)
    model = fitted(
        booster,
        X[:240],
        y[:240],
        nu=0.3,
        early_stopping=True,
        validation_fraction=0.3,
        n_iter_no_change=5,
        random_state=0,
        pos_label=1,
    )
    scores = model.history_["validation_score"]
    assert 1 <= model.n_iter_ < len(scores)
    assert model.n_iter_ == int(scores.argmax()) + 1
    assert len(model.model_.members) == model.n_iter_
    facts, last = model.certificate_, model.n_iter_ - 1
    for name in ("primal_value", "dual_value"):
        assert facts[name] == model.history_[name][last]
    assert facts["soft_margin"] == pytest.approx(facts["primal_value"], abs=1e-9)
    assert facts["upper_bound"] == model.history_["best_edge"][last]
    assert facts["stopped"] == model.stop_reason_


def test_validation_data_of_ones_own():
    X, y = noisy(rows=200)
    model = LPBoostClassifier(**EXACT, nu=0.4, early_stopping=True, n_iter_no_change=4)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UnderdogWarning)
        model.fit(X[:120], y[:120], X_val=X[120:], y_val=y[120:])
    margins = np.where(y[120:] == 1, 1.0, -1.0) * model.decision_function(X[120:])
    expected = soft_margin(margins, *bounds_of(y[120:], None, 0.4))
    assert model.history_["validation_score"][model.n_iter_ - 1] == pytest.approx(expected)
