"""Coefficients of the greatest margin, hard or soft, for the rules that a booster has found."""

from __future__ import annotations

from copy import copy
from typing import Any

import numpy as np
from scipy.optimize import linprog, minimize

from underdog.checks import is_number
from underdog.core import with_coefficients
from underdog.games.margin_report import game_of_members, margins
from underdog.losses import VotingMargins
from underdog.model import Ensemble
from underdog.types import Floats


def with_greatest_margin(booster: Any, X: Any, y: Any, *, nu: float | None = None) -> Any:
    r"""A copy of a fitted booster whose rules have the coefficients of the greatest margin.

    Without nu it solves the linear programme of Grove and Schuurmans over the rules of the booster:
    their non-negative coefficients with sum 1 that maximise the least margin of the given rows.
    With nu it is LPReg, the soft margin of LPBoost: :math:`\rho - \frac{1}{\nu m} \sum_i \xi_i` is
    maximised, where :math:`\xi_i` is what example i lacks to the margin :math:`\rho`. Scores of the
    copy are margins, so it has no probabilities, and it cannot be saved or fitted further.

    Parameters
    ----------
    booster : a fitted booster of this library, such as AdaBoostClassifier
    X, y
        The rows that it was fitted on.
    nu : float in (0, 1], optional
        At most this share of the examples has a margin below rho.

    Returns
    -------
    booster : of the same class
        Its `certificate_` has the margin, or the soft margin, and the gap to the best one.

    References
    ----------
    Grove and Schuurmans, "Boosting in the limit: maximizing the margin of learned ensembles", AAAI
    1998. Rätsch, Onoda and Müller, "Soft margins for AdaBoost", Machine Learning 42, 2001 (LPReg).

    Differs from the paper: LPReg is written with nu = 1 / (m C), as LPBoost is.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from underdog import AdaBoostClassifier
    >>> from underdog.games import voting_margins, with_greatest_margin
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> model = AdaBoostClassifier(learner="discrete", n_estimators=100).fit(X, y)
    >>> wide = with_greatest_margin(model, X, y)
    >>> [round(float(voting_margins(each, X, y).min()), 3) for each in (model, wide)]
    [0.095, 0.136]
    """
    if nu is None:
        report = margins(booster, X, y)
        return _voting(booster, report.coefficients, minimum_margin=report.best, gap=report.gap)
    if not (is_number(nu) and 0.0 < nu <= 1.0):
        raise ValueError(
            f"nu={nu!r} must be a number above 0 and at most 1: it is the share of the examples "
            "that may have a margin below rho; None is for the hard margin"
        )
    game, first = game_of_members(booster, X, y)
    distinct, counts = np.unique(game, axis=0, return_counts=True)
    n, k = distinct.shape
    most = counts / (float(nu) * counts.sum())  # the largest weight of an example, times repeats
    # over (a, xi, rho): rho - a game - xi <= 0, and the coefficients sum to 1
    solution = linprog(
        np.concatenate([np.zeros(k), most, [-1.0]]),
        A_ub=np.hstack([-distinct, -np.eye(n), np.ones((n, 1))]),
        b_ub=np.zeros(n),
        A_eq=np.concatenate([np.ones(k), np.zeros(n + 1)])[None],
        b_eq=[1.0],
        bounds=[(0.0, None)] * (k + n) + [(None, None)],
        method="highs",
    )
    weights = np.clip(-solution.ineqlin.marginals, 0.0, most)
    soft = -float(solution.fun)
    gap = float((weights @ distinct).max() / weights.sum()) - soft
    return _voting(
        booster, _of_members(booster, first, solution.x[:k]), soft_margin=soft, gap=max(gap, 0.0)
    )


def with_quadratic_penalty(booster: Any, X: Any, y: Any, *, C: float = 1.0) -> Any:
    r"""A copy of a fitted booster whose rules have the coefficients of a support vector machine.

    This is QPReg: the coefficients :math:`a \ge 0` of the distinct rules minimise
    :math:`\frac12 |a|^2 + C \sum_i \max(0, 1 - y_i f(x_i))`. The dual problem, in a box, is solved
    by L-BFGS-B. Scores of the copy are no log-odds, so it has no probabilities, and it cannot be
    saved or fitted further.

    Parameters
    ----------
    booster : a fitted booster of this library, such as AdaBoostClassifier
    X, y
        The rows that it was fitted on.
    C : float, default=1.0
        What an example costs for each unit that it lacks to a score of 1. Smaller values forgive
        more examples.

    Returns
    -------
    booster : of the same class
        Its `certificate_` has the objective and the gap to the least possible one.

    References
    ----------
    Rätsch, Onoda and Müller, "Soft margins for AdaBoost", Machine Learning 42, 2001.

    Differs from the paper: a rule that the booster has found several times is one column, so its
    coefficient is penalised as a whole.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from underdog import AdaBoostClassifier
    >>> from underdog.games import with_quadratic_penalty
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> model = AdaBoostClassifier(learner="discrete", n_estimators=30).fit(X, y)
    >>> forgiving = with_quadratic_penalty(model, X, y, C=0.1)
    >>> bool(forgiving.certificate_["gap"] < 1e-3 * forgiving.certificate_["objective"])
    True
    """
    if not (is_number(C) and 0.0 < C < np.inf):
        raise ValueError(f"C={C!r} must be a positive number: what an example costs per unit")
    game, first = game_of_members(booster, X, y)
    distinct, counts = np.unique(game, axis=0, return_counts=True)
    prices = float(C) * counts

    def dual(weights: Floats) -> tuple[float, Floats]:
        edges = np.maximum(weights @ distinct, 0.0)
        return float(edges @ edges) / 2.0 - float(weights.sum()), distinct @ edges - 1.0

    solution = minimize(
        dual, np.zeros(len(prices)), jac=True, method="L-BFGS-B",
        bounds=list(zip(np.zeros(len(prices)), prices, strict=True)),
        options={"maxiter": 20_000, "maxfun": 40_000, "ftol": 1e-15, "gtol": 1e-9},
    )  # fmt: skip
    own = np.maximum(solution.x @ distinct, 0.0)
    objective = float(own @ own) / 2.0 + float(prices @ np.maximum(1.0 - distinct @ own, 0.0))
    gap = max(objective + float(solution.fun), 0.0)
    return _voting(booster, _of_members(booster, first, own), objective=objective, gap=gap)


def _of_members(booster: Any, first: list[int], own: Floats) -> Floats:
    """A coefficient for each member; members that repeat an earlier one have 0."""
    result = np.zeros(len(booster.model_.members))
    result[first] = own
    return result


def _voting(booster: Any, coefficients: Floats, **certificate: float) -> Any:
    """A copy of a booster with these coefficients of its scaled members."""
    model = booster.model_
    members = [
        with_coefficients([member.hypothesis], np.array([_scale(member) * own]))[0]
        for member, own in zip(model.members, coefficients.tolist(), strict=True)
    ]
    result = copy(booster)
    result.model_ = Ensemble(members, model.schema, model.n_labels, start=np.zeros(model.n_labels))
    result._link = VotingMargins()  # scores are no log-odds
    result.certificate_ = certificate
    return result


def _scale(member: Any) -> float:
    """1 / the largest absolute value of a rule, with the sign that it has in the model."""
    largest = float(np.abs(member.hypothesis.values).max()) or 1.0
    return (-1.0 if member.coefficient < 0.0 else 1.0) / largest
