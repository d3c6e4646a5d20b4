"""LPReg and QPReg: soft margins for the rules that AdaBoost has found."""

import numpy as np
import pytest
from scipy.optimize import linprog, minimize

from underdog import AdaBoostClassifier, LPBoostClassifier
from underdog.games import (
    margins,
    voting_margins,
    with_greatest_margin,
    with_quadratic_penalty,
)


def flipped(seed=0, n=60):
    random = np.random.default_rng(seed)
    X = random.integers(0, 5, (n, 4)).astype(float)
    y = (X.sum(axis=1) > 8).astype(int)
    return X, np.where(random.random(n) < 0.15, 1 - y, y)


def signed_rules(model, X, y):
    """y h(x) of each distinct member, scaled to a largest value of 1."""
    staged = np.array([np.zeros(len(X)), *model.staged_decision_function(X)])
    columns = np.diff(staged, axis=0).T
    columns = np.round(columns / np.abs(columns).max(axis=0), 9)
    return np.unique(np.where(y == 1, 1.0, -1.0)[:, None] * columns, axis=1)


@pytest.fixture(scope="module")
def fitted():
    X, y = flipped()
    return AdaBoostClassifier(learner="discrete", n_estimators=15).fit(X, y), X, y


@pytest.mark.parametrize("nu", [0.1, 0.3, 0.7, 1.0])
def test_lpreg_has_the_soft_margin_of_its_dual(fitted, nu):
    model, X, y = fitted
    U = signed_rules(model, X, y)
    m, k = U.shape
    # minimise the greatest edge B over weights u: sum u = 1, 0 <= u <= 1 / (nu m)
    dual = linprog(
        np.r_[np.zeros(m), 1.0],
        A_ub=np.c_[U.T, -np.ones(k)],
        b_ub=np.zeros(k),
        A_eq=np.r_[np.ones(m), 0.0][None],
        b_eq=[1.0],
        bounds=[(0.0, 1.0 / (nu * m))] * m + [(None, None)],
    )
    soft = with_greatest_margin(model, X, y, nu=nu)
    assert soft.certificate_["soft_margin"] == pytest.approx(dual.fun, abs=1e-9)
    assert soft.certificate_["gap"] < 1e-8
    own = np.sort(voting_margins(soft, X, y))
    # the same value from the margins of the copy: the mean of the least nu m of them
    share, rest = divmod(nu * m, 1)
    lowest = own[: int(share)].sum() + (rest * own[int(share)] if rest > 1e-9 else 0.0)
    assert lowest / (nu * m) == pytest.approx(dual.fun, abs=1e-8)


def test_a_small_nu_is_the_hard_margin(fitted):
    model, X, y = fitted
    soft = with_greatest_margin(model, X, y, nu=1.0 / len(X))
    assert soft.certificate_["soft_margin"] == pytest.approx(margins(model, X, y).best, abs=1e-8)


def test_lpreg_on_all_rules_of_lpboost_is_lpboost():
    X, y = flipped(3)
    model = LPBoostClassifier(nu=0.5, n_estimators=200, tol=1e-9).fit(X, y)
    soft = with_greatest_margin(model, X, y, nu=0.5)
    assert soft.certificate_["soft_margin"] == pytest.approx(
        model.certificate_["soft_margin"], abs=1e-6
    )


@pytest.mark.parametrize("C", [0.01, 0.1, 1.0])
def test_qpreg_is_the_quadratic_programme(fitted, C):
    model, X, y = fitted
    U = signed_rules(model, X, y)
    m, k = U.shape
    slack = np.c_[U, np.eye(m)]
    textbook = minimize(
        lambda z: z[:k] @ z[:k] / 2.0 + C * z[k:].sum(),
        np.r_[np.zeros(k), np.ones(m)],
        jac=lambda z: np.r_[z[:k], np.full(m, C)],
        method="SLSQP",
        bounds=[(0.0, None)] * (k + m),
        constraints={"type": "ineq", "fun": lambda z: slack @ z - 1.0, "jac": lambda _: slack},
        options={"maxiter": 1000, "ftol": 1e-13},
    )
    forgiving = with_quadratic_penalty(model, X, y, C=C)
    assert forgiving.certificate_["objective"] == pytest.approx(textbook.fun, rel=1e-6)
    assert forgiving.certificate_["gap"] < 1e-6 * forgiving.certificate_["objective"]
    assert np.allclose(
        forgiving.decision_function(X),
        np.where(y == 1, 1.0, -1.0) * (U @ textbook.x[:k]),
        atol=1e-3,
    )
    assert not hasattr(forgiving, "predict_proba")


@pytest.mark.parametrize("refit", [with_greatest_margin, with_quadratic_penalty])
def test_the_order_of_rows_and_repeats_do_not_matter(fitted, refit):
    model, X, y = fitted
    size = {"nu": 0.3} if refit is with_greatest_margin else {"C": 0.1}
    key = "soft_margin" if refit is with_greatest_margin else "objective"
    one = refit(model, X, y, **size).certificate_[key]
    order = np.random.default_rng(0).permutation(len(X))
    assert refit(model, X[order], y[order], **size).certificate_[key] == one
    twice = refit(model, np.r_[X, X], np.r_[y, y], **size).certificate_[key]
    if refit is with_greatest_margin:
        assert twice == pytest.approx(one, abs=1e-9)
    else:
        half = refit(model, np.r_[X, X], np.r_[y, y], C=0.05).certificate_[key]
        assert half == pytest.approx(one, rel=1e-9)


@pytest.mark.parametrize("nu", [0.0, 1.5, np.nan, "a", True])
def test_shares_that_are_none(fitted, nu):
    with pytest.raises(ValueError, match="share of the examples"):
        with_greatest_margin(*fitted, nu=nu)


@pytest.mark.parametrize("C", [0.0, -1.0, np.inf, np.nan, "a"])
def test_prices_that_are_none(fitted, C):
    with pytest.raises(ValueError, match="must be a positive number"):
        with_quadratic_penalty(*fitted, C=C)
