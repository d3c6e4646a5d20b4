"""The linear programme of all stumps at once, for tests of what column generation comes to.

Nothing here is the library's own: rules are enumerated by the twins, scipy solves.
"""

import numpy as np
from scipy.optimize import linprog

from tests.masters.direct import best_weights
from tests.twins.stumps import stumps

SIGNS = [(-1.0, 1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, -1.0)]
"""What a stump says where its test is false and true; the last two are the constants."""
TIGHT = {"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10}
KINDS = ["numbers", "words", "ties", "missing", "weights"]


def problem(kind, seed=0):
    """X, y of 0 and 1, and sample weights or None."""
    rng = np.random.default_rng(seed)
    rows = 50
    if kind == "words":
        X = (rng.random((rows, 5)) < 0.4).astype(float)
    elif kind == "ties":
        X = rng.integers(0, 4, (rows, 3)).astype(float)
        X = np.column_stack([X, X[:, 0], X[:, 2]])
    else:
        X = rng.normal(size=(rows, 4)).round(1)
    score = X @ rng.normal(size=X.shape[1]) + 0.4 * rng.normal(size=rows)
    y = (score > np.quantile(score, 0.6)).astype(int)
    weight = None
    if kind == "missing":
        X[rng.random(X.shape) < 0.15] = np.nan
    if kind == "weights":
        weight = rng.random(rows) + 0.2
    return X, y, weight


def separable(rows=40, seed=0):
    """Every row can be told from every other: the hard margin is positive."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(rows, 3))
    return X, (X @ [1.0, 1.0, 0.5] > 0.2).astype(int)


def every_criterion(X):
    """(rules, rows): what every discrete stump says, with all four pairs of signs."""
    truths = [stump.truth(X) for stump in stumps(X)]
    return np.array([np.where(truth, yes, no) for truth in truths for no, yes in SIGNS])


def sides(y):
    return np.where(y == 1, 1.0, -1.0)


def bounds_of(y, weight, nu, beta=1.0, ratio=0.0):
    """Lower and upper bounds of the weights of the examples."""
    share = np.ones(len(y)) if weight is None else np.asarray(weight, dtype=float)
    upper = share / share.sum() * np.where(y == 1, beta, 1.0) / nu
    return (upper / ratio if ratio else np.zeros(len(y))), upper


def full_programme(X, y, lower, upper):
    """The least greatest edge of all stumps: what column generation must come to."""
    return best_weights(every_criterion(X) * sides(y), lower, upper, TIGHT)


def least_mean(margins, lower, upper):
    """The soft margin of scores: the least mean of margins under weights in these bounds."""
    found = linprog(
        margins,
        A_eq=[np.ones(len(margins))],
        b_eq=[1.0],
        bounds=list(zip(lower, upper, strict=True)),
        options=TIGHT,
    )
    assert found.status == 0
    return found.fun
