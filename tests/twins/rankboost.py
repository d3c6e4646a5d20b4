"""RankBoost and RankBoost+ on threshold stumps, with a list of all pairs.

A pair is (below, above): two rows of one query, of which `above` has the higher grade. D is the
weight of each pair. A stump splits the rows in two blocks, and only the difference of the scores of
the blocks matters: h is -1/2 in the first block and +1/2 in the second.
"""

from itertools import combinations

import numpy as np

from tests.twins.stumps import TIE, first_least, stumps


def all_pairs(grade, query):
    """(P, 2) rows of all pairs, the lower one first."""
    found = []
    for i, j in combinations(range(len(grade)), 2):
        if query[i] == query[j] and grade[i] != grade[j]:
            found.append((i, j) if grade[i] < grade[j] else (j, i))
    return np.array(found, dtype=int).reshape(-1, 2)


def answered(X):
    """(T, n) the answers of all stumps."""
    return np.array([stump.truth(X) for stump in stumps(X)]).reshape(-1, len(X)).astype(bool)


def pair_loss(f, pairs):
    """Share of the pairs in the wrong order, or tied."""
    return float((f[pairs[:, 1]] <= f[pairs[:, 0]]).mean())


def rankboost(X, pairs, weight=None, learner="real", rounds=10, rate=1.0, smooth=0.0, bound=False):
    """Scores after each round, and the measured Z of each round.

    "real" takes the stump with the least sum_b sqrt(P_b Q_b), "discrete" that with the greatest
    |r|; P_b and Q_b are the weights of pairs whose upper and whose lower row is in block b. The
    step is that of least Z, or with `bound` that of the least bound on Z.
    """
    below, above = pairs.T
    weight = np.ones(len(pairs)) if weight is None else weight
    truth = answered(X)
    f, scores, factors = np.zeros(len(X)), [], []
    for _ in range(rounds):
        D = weight * np.exp(f[below] - f[above])
        D = D / D.sum()
        P, Q = truth[:, above] @ D, truth[:, below] @ D
        if learner == "real":
            badness = np.sqrt(P * Q) + np.sqrt(np.maximum((1 - P) * (1 - Q), 0.0))
        else:
            badness = -np.abs(P - Q)
        best = first_least(badness)
        h = truth[best] - 0.5
        raised = h[above] - h[below]
        right, wrong = D[raised > 0].sum() + smooth, D[raised < 0].sum() + smooth
        if bound and learner == "real":
            up = np.array([1 - P[best], P[best]]) / 2 + smooth
            down = np.array([1 - Q[best], Q[best]]) / 2 + smooth
            right, wrong = np.sqrt([up[1] * down[0], up[0] * down[1]])
        elif bound:
            r = (D * raised).sum()
            right, wrong = (1 + r) / 2, (1 - r) / 2
        a = rate * 0.5 * np.log(right / wrong)
        if abs(a) < 100 * TIE:
            break
        f = f + a * h
        scores.append(f)
        factors.append((D * np.exp(-a * raised)).sum())
    return scores, factors


def rankboost_plus(X, pairs, rounds):
    """Scores after each round, and the objective: ties of a ranker cost cosh(eta)."""
    below, above = pairs.T
    truth = answered(X)
    raised = truth[:, above].astype(int) - truth[:, below]
    eta, scores, objective = np.zeros(len(truth)), [], []
    for _ in range(rounds):
        each = np.where(raised == 0, np.cosh(eta)[:, None], np.exp(-eta[:, None] * raised))
        D = each.prod(axis=0)
        D = D / D.sum()
        right, wrong, tied = ((raised == sign) @ D for sign in (1, -1, 0))
        steep = right - wrong - tied * np.tanh(eta)
        best = first_least(-np.abs(steep))
        share = tied[best] / (2 * np.cosh(eta[best]))
        upper = right[best] + share * np.exp(-eta[best])
        lower = wrong[best] + share * np.exp(eta[best])
        step = 0.5 * np.log(upper / lower)
        if abs(step) < 100 * TIE:
            break
        eta[best] += step
        each = np.where(raised == 0, np.cosh(eta)[:, None], np.exp(-eta[:, None] * raised))
        objective.append(each.prod(axis=0).mean())
        scores.append(eta @ (truth - 0.5))
    return scores, objective
