"""AdaBoost, AdaBoost.MH, AdaBoost.A and AdaUBoost on threshold stumps, as the textbook says.

Each returns the scores F[round, row, label] and one record a round: the coefficient, z = the
measured normaliser of the step taken, edge = sum D y h, and the hypothesis itself. `learning_rate`
shrinks the step. A step of nothing ends the run, and so does a first stump without mistakes.
"""

from collections.abc import Iterable

import numpy as np

from tests.twins.learners import (
    answers,
    coefficient,
    edge,
    is_real,
    least_sum,
    uneven_coefficient,
)
from tests.twins.stumps import TIE, Stump, block_sums, first_least, stumps

NOTHING = 100 * TIE


def adaboost(X, y, **options):
    """One question: D(i) ~ s_i exp(-y_i F(x_i))."""
    return adaboost_mh(X, y[:, None], **options)


def adaboost_mh(
    X, Y, learner="real", rounds=20, learning_rate=1.0, sample_weight=None, smoothing=None
):
    """K questions, one stump a round for all of them: D(i, k) ~ s_i exp(-Y_ik F_k(x_i))."""
    D, e = start(sample_weight, Y, smoothing)
    tests, truth = table(X)
    F, scores, records = np.zeros(Y.shape), [], []
    for _ in range(rounds):
        values, badness = answers(learner, block_sums(truth, D, Y), e)
        best = first_least(badness)
        h = values[best][truth[best].astype(int)]
        r = (D * Y * h).sum()
        a = learning_rate * (1.0 if is_real(learner) else coefficient(r, e))
        if np.abs(a * h).max() < NOTHING:
            break
        F = F + a * h
        scores.append(F)
        D = D * np.exp(-a * Y * h)
        record = {"coefficient": a, "z": D.sum(), "edge": r}
        records.append(record | {"stump": tests[best], "values": values[best]})
        D = D / D.sum()
        if len(records) == 1 and (Y * h > 0).all():
            break
    return np.array(scores), records


def adaboost_a(
    X,
    y,
    w,
    p,
    learner="discrete",
    stall="skip",
    rounds=20,
    learning_rate=1.0,
    sample_weight=None,
    smoothing=None,
):
    """Learn under D ~ w exp(-y F), step under Q ~ p exp(-y F): a minimises R = sum Q exp(-a y h).

    For votes a = 1/2 ln((1-A)/A), A = wrong share of Q. stall="skip" asks for an edge under Q too,
    and where there is none learns under Q.
    """
    Y = y[:, None]
    s, e = start(sample_weight, Y, smoothing)
    D, Q = (s * v[:, None] / (s * v[:, None]).sum() for v in (w, p))
    tests, truth = table(X)
    F, scores, records = np.zeros(Y.shape), [], []
    for _ in range(rounds):
        paid = block_sums(truth, Q, Y)
        values, badness = answers(learner, block_sums(truth, D, Y), e)
        if stall == "skip" and not gain(paid, values).any():
            values, badness = answers(learner, paid, e)
            if not gain(paid, values).any():
                break
        gains = gain(paid, values)
        best = first_least(badness, gains | (stall == "stop"))
        h = values[best][truth[best].astype(int)]
        A = Q[Y * h < 0].sum()
        a = least_sum(Q.T, (Y * h).T, e)[0] if is_real(learner) else coefficient(1 - 2 * A, e)
        a = learning_rate * a
        if np.abs(a * h).max() < NOTHING:
            break
        F = F + a * h
        scores.append(F)
        record = {"coefficient": a, "edge": (D * Y * h).sum(), "wrong_share": A}
        D, Q = (weight * np.exp(-a * Y * h) for weight in (D, Q))
        record |= {"z": D.sum(), "ratio": Q.sum()}
        records.append(record | {"stump": tests[best], "values": values[best]})
        D, Q = D / D.sum(), Q / Q.sum()
        if len(records) == 1 and (Y * h > 0).all():
            break
    return np.array(scores), records


def gain(W, values):
    """Whether the first-order step, edge / mean square, is more than nothing for some block."""
    square = (W.sum(2) * values**2).sum((1, 2))
    return edge(W, values) * np.abs(values).max((1, 2)) > NOTHING * square


def adauboost(
    X, y, beta=2.0, learner="real", rounds=20, learning_rate=1.0, sample_weight=None, smoothing=None
):
    """A positive counts beta negatives: D ~ beta^[y=+] s exp(-b y F), b = 1/beta for it, else 1.

    Votes have the coefficient that minimises Z(a) = sum D exp(-a b y h), real values have 1.
    """
    Y = y[:, None]
    D, e = start(sample_weight, Y, smoothing)
    D = D * np.where(Y > 0, beta, 1.0)
    D, b = D / D.sum(), np.where(Y > 0, 1 / beta, 1.0)
    tests, truth = table(X)
    F, scores, records = np.zeros(Y.shape), [], []
    for _ in range(rounds):
        W = block_sums(truth, D, Y)
        values, badness = answers(learner, W, e, beta)
        at = [first_least(badness)]
        a = 1.0 if is_real(learner) else uneven_coefficient(W[at], values[at], beta, e)[0]
        a, best = learning_rate * a, at[0]
        h = values[best][truth[best].astype(int)]
        if np.abs(a * h).max() < NOTHING:
            break
        F = F + a * h
        scores.append(F)
        record = {"coefficient": a, "edge": (D * Y * h).sum()}
        D = D * np.exp(-a * b * Y * h)
        records.append(record | {"z": D.sum(), "stump": tests[best], "values": values[best]})
        D = D / D.sum()
        if len(records) == 1 and (Y * h > 0).all():
            break
    return np.array(scores), records


def replay(records: Iterable[dict], X: np.ndarray) -> np.ndarray:
    """The last scores on new rows: F = sum_t a_t h_t."""
    return sum(t["coefficient"] * t["values"][t["stump"].truth(X).astype(int)] for t in records)


def start(sample_weight, Y: np.ndarray, smoothing) -> tuple[np.ndarray, float]:
    """D_1 ~ sample weight, with sum 1 over all (i, k), and e = 1/(m K), m = sum of weights."""
    s = np.ones(len(Y)) if sample_weight is None else np.asarray(sample_weight, float)
    total = s.sum() * Y.shape[1]
    return s[:, None] * np.ones(Y.shape) / total, 1 / total if smoothing is None else smoothing


def table(X: np.ndarray) -> tuple[list[Stump], np.ndarray]:
    """All stumps and their truth values on X."""
    tests = list(stumps(X))
    return tests, np.array([test.truth(X) for test in tests])
