"""AdaBoost, AdaBoost.MH, AdaBoost.A and AdaUBoost on threshold stumps, as the textbook says.

Each returns the scores F[round, row, label] and one record a round: the coefficient, z = the measured normaliser of
the step taken, edge = sum D y h, and the hypothesis itself. `learning_rate` shrinks the step; a round that would add
nothing ends the run.
"""

from collections.abc import Iterable

import numpy as np

from tests.twins.learners import (
    answers,
    bisect,
    coefficient,
    edge,
    is_real,
    uneven_coefficient,
)
from tests.twins.stumps import TIE, block_sums, first_least, stumps

NOTHING = 100 * TIE
"""An edge below this is zero."""


def adaboost_mh(X, Y, learner="real", rounds=20, learning_rate=1.0, sample_weight=None, smoothing=None):
    """K binary questions at once, Y[row, label] = +-1: D(i, k) ~ s_i exp(-Y_ik F_k(x_i)), one stump for all labels."""
    D, e = start(sample_weight, Y, smoothing)
    tests, truth = table(X)
    F, scores, records = np.zeros(Y.shape), [], []
    for _ in range(rounds):
        values, badness = answers(learner, block_sums(truth, D, Y), e)
        best = first_least(badness)
        h = values[best][truth[best].astype(int)]
        r = (D * Y * h).sum()
        if r <= NOTHING:
            break
        a = learning_rate * (1.0 if is_real(learner) else coefficient(r, e))
        F = F + a * h
        D = D * np.exp(-a * Y * h)
        z = D.sum()
        D /= z
        scores.append(F)
        records.append({"coefficient": a, "z": z, "edge": r, "stump": tests[best], "values": values[best]})
    return np.array(scores), records


def adaboost(X, y, **options):
    """One question: D(i) ~ s_i exp(-y_i F(x_i))."""
    return adaboost_mh(X, y[:, None], **options)


def adaboost_a(
    X, y, w, p, learner="discrete", stall="skip", rounds=20, learning_rate=1.0, sample_weight=None, smoothing=None
):
    """Two weightings of one score: the learner sees D ~ w exp(-y F), the step minimises R = sum Q exp(-a y h), Q ~ p exp(-y F).

    For h = +-1: a = 1/2 ln((1-A)/A), A = wrong share of Q. With stall="skip" only stumps with a positive edge under Q
    are taken.
    """
    Y = y[:, None]
    D, e = start(sample_weight, Y, smoothing)
    Q = D * p[:, None] / (D * p[:, None]).sum()
    D = D * w[:, None] / (D * w[:, None]).sum()
    tests, truth = table(X)
    F, scores, records = np.zeros(Y.shape), [], []
    for _ in range(rounds):
        values, badness = answers(learner, block_sums(truth, D, Y), e)
        gain = edge(block_sums(truth, Q, Y), values)
        useful = gain > NOTHING if stall == "skip" else np.full(len(gain), True)
        best = first_least(badness, useful)
        if not useful[best] or abs(gain[best]) <= NOTHING:
            break
        h = values[best][truth[best].astype(int)]
        m = Y * h
        a = line_search(Q, m) if is_real(learner) else coefficient(1 - 2 * Q[m < 0].sum(), e)
        record = {"edge": (D * m).sum(), "wrong_share": Q[m < 0].sum(), "coefficient": learning_rate * a}
        F = F + learning_rate * a * h
        D, Q = D * np.exp(-learning_rate * a * m), Q * np.exp(-learning_rate * a * m)
        scores.append(F)
        records.append(record | {"z": D.sum(), "ratio": Q.sum(), "stump": tests[best], "values": values[best]})
        D, Q = D / D.sum(), Q / Q.sum()
    return np.array(scores), records


def adauboost(X, y, beta=2.0, learner="real", rounds=20, learning_rate=1.0, sample_weight=None, smoothing=None):
    """A positive counts beta negatives and forgets slowly: D(i) ~ beta_i s_i exp(-b_i y_i F(x_i)), b = 1/beta or 1."""
    Y = y[:, None]
    D, e = start(sample_weight, Y, smoothing)
    D = D * np.where(Y > 0, beta, 1.0)
    D /= D.sum()
    b = np.where(Y > 0, 1 / beta, 1.0)
    tests, truth = table(X)
    F, scores, records = np.zeros(Y.shape), [], []
    for _ in range(rounds):
        W = block_sums(truth, D, Y)
        values, badness = answers(learner, W, e, beta)
        best = first_least(badness)
        a = 1.0 if is_real(learner) else uneven_coefficient(W[[best]], values[[best]], beta, e)[0]
        h = values[best][truth[best].astype(int)]
        if np.abs(a * h).max() <= NOTHING:
            break
        a *= learning_rate
        r = (D * Y * h).sum()
        F = F + a * h
        D = D * np.exp(-a * b * Y * h)
        z = D.sum()
        D /= z
        scores.append(F)
        records.append({"coefficient": a, "z": z, "edge": r, "stump": tests[best], "values": values[best]})
    return np.array(scores), records


def replay(records: Iterable[dict], X: np.ndarray) -> np.ndarray:
    """The last scores on new rows: F = sum_t a_t h_t."""
    return sum(t["coefficient"] * t["values"][t["stump"].truth(X).astype(int)] for t in records)


def start(sample_weight, Y: np.ndarray, smoothing) -> tuple[np.ndarray, float]:
    """D_1 ~ sample weight, with sum 1 over all (i, k), and e = 1/(m K), m = sum of sample weights."""
    s = np.ones(len(Y)) if sample_weight is None else np.asarray(sample_weight, float)
    D = s[:, None] * np.ones(Y.shape) / (s.sum() * Y.shape[1])
    return D, 1 / (s.sum() * Y.shape[1]) if smoothing is None else smoothing


def table(X: np.ndarray) -> tuple[list, np.ndarray]:
    """All stumps and their truth values on X."""
    tests = list(stumps(X))
    return tests, np.array([test.truth(X) for test in tests])


def line_search(Q: np.ndarray, m: np.ndarray) -> float:
    """The minimiser of sum Q exp(-a m), m = y h."""
    return float(bisect(lambda a: -(Q * m * np.exp(-a * m)).sum(), 1)[0])
