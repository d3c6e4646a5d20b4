"""LPReg and QPReg: the programmes of the textbook, on the votes that a textbook AdaBoost finds."""

import numpy as np
from scipy.optimize import linprog, minimize

from tests.twins.noise import adaboost_reg


def distinct_votes(X, y, rounds):
    """(m, k) h of each different rule of AdaBoost, which is AdaBoost_Reg with C = 0."""
    scores, records = adaboost_reg(X, y, 0.0, rounds)
    steps = np.diff(np.vstack([np.zeros(len(y)), scores]), axis=0)
    h = np.rint(steps / np.array([record["a"] for record in records])[:, None]).T
    return np.unique(h, axis=1)


def lpreg(h, y, nu, weight=None):
    """The greatest rho - sum w xi / (nu sum w), y h a >= rho - xi, by its dual; sum a = 1."""
    U, w = y[:, None] * h, np.ones(len(y)) if weight is None else np.asarray(weight, dtype=float)
    m, k = U.shape
    dual = linprog(
        np.r_[np.zeros(m), 1.0],
        A_ub=np.c_[U.T, -np.ones(k)],
        b_ub=np.zeros(k),
        A_eq=np.r_[np.ones(m), 0.0][None],
        b_eq=[1.0],
        bounds=[(0.0, each / (nu * w.sum())) for each in w] + [(None, None)],
    )
    return dual.fun


def qpreg(h, y, C, weight=None):
    """The a >= 0 with the least |a|^2 / 2 + C sum w max(0, 1 - y h a), and this value."""
    U, w = y[:, None] * h, np.ones(len(y)) if weight is None else np.asarray(weight, dtype=float)
    m, k = U.shape
    slack = np.c_[U, np.eye(m)]
    found = minimize(
        lambda z: z[:k] @ z[:k] / 2.0 + C * w @ z[k:],
        np.r_[np.zeros(k), np.ones(m)],
        jac=lambda z: np.r_[z[:k], C * w],
        method="SLSQP",
        bounds=[(0.0, None)] * (k + m),
        constraints={"type": "ineq", "fun": lambda z: slack @ z - 1.0, "jac": lambda _: slack},
        options={"maxiter": 1000, "ftol": 1e-13},
    )
    return found.x[:k], found.fun
