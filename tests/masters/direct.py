"""The programmes of the masters with one variable per example, given to general solvers."""

import numpy as np
import pytest
from scipy.optimize import linprog, minimize

GAP = 1e-8


def best_weights(margins, lower, upper, options=None):
    """The least greatest edge, over weights of examples: variables u and B.

    margins are y h, of shape (hypotheses, examples); options are those of linprog.
    """
    rules, rows = margins.shape
    found = linprog(
        np.append(np.zeros(rows), 1.0),
        A_ub=np.column_stack([margins, -np.ones(rules)]),
        b_ub=np.zeros(rules),
        A_eq=[np.append(np.ones(rows), 0.0)],
        b_eq=[1.0],
        bounds=[*zip(lower, upper, strict=True), (None, None)],
        options=options,
    )
    assert found.status == 0
    return found.fun


def best_coefficients(margins, lower, upper):
    """The greatest soft margin, over coefficients: variables a, rho, and p, q >= 0 of each row.

    Maximises rho + sum lower p - sum upper q with sum_j a_j y h_j(x) = rho + p - q.
    """
    rules, rows = margins.shape
    found = linprog(
        np.concatenate([np.zeros(rules), [-1.0], -lower, upper]),
        A_eq=np.block(
            [
                [margins.T, -np.ones((rows, 1)), -np.eye(rows), np.eye(rows)],
                [np.ones((1, rules)), np.zeros((1, 1 + 2 * rows))],
            ]
        ),
        b_eq=np.append(np.zeros(rows), 1.0),
        bounds=[*[(0, None)] * rules, (None, None), *[(0, None)] * (2 * rows)],
    )
    assert found.status == 0
    return -found.fun


def regularised_by_slsqp(margins, start, upper, eta):
    """The least value of the greatest edge plus KL / eta, and its weights.

    margins are y h, of shape (examples, hypotheses).
    """
    found = minimize(
        lambda x: x[-1] + x[:-1] @ np.log(x[:-1] / start) / eta,
        np.append(start, (start @ margins).max()),
        jac=lambda x: np.append((np.log(x[:-1] / start) + 1.0) / eta, 1.0),
        bounds=[(1e-12, cap) for cap in upper] + [(None, None)],
        constraints=[
            {"type": "eq", "fun": lambda x: x[:-1].sum() - 1.0},
            {"type": "ineq", "fun": lambda x: x[-1] - x[:-1] @ margins},
        ],
        method="SLSQP",
        options={"ftol": 1e-14, "maxiter": 1000},
    )
    return found.fun, found.x[:-1]


def projected_by_slsqp(margins, start, upper, limit):
    """The least KL of weights whose edges keep the limit, and these weights."""
    found = minimize(
        lambda d: d @ np.log(d / start),
        start,
        jac=lambda d: np.log(d / start) + 1.0,
        bounds=[(1e-12, cap) for cap in upper],
        constraints=[
            {"type": "eq", "fun": lambda d: d.sum() - 1.0},
            {"type": "ineq", "fun": lambda d: limit - d @ margins},
        ],
        method="SLSQP",
        options={"ftol": 1e-14, "maxiter": 1000},
    )
    return found.fun, found.x


def assert_optimal(groups, found):
    """Feasible on both sides, and no gap between them."""
    assert (found.coefficients >= 0.0).all()
    assert found.coefficients.sum() == pytest.approx(1.0, abs=1e-12)
    assert found.weights.sum() == pytest.approx(1.0, abs=1e-12)
    assert (found.weights >= groups.lower - 1e-9).all()
    assert (found.weights <= groups.upper + 1e-9).all()
    assert groups.edges(found.weights).max() == pytest.approx(found.edge, abs=1e-12)
    assert groups.soft_margin(found.coefficients) == pytest.approx(found.margin, abs=1e-12)
    assert abs(found.edge - found.margin) <= GAP
