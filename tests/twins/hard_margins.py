"""arc-gv and AdaBoost* on threshold stumps, as the textbook says."""

import numpy as np

from tests.twins.boosters import table
from tests.twins.learners import answers
from tests.twins.stumps import block_sums, first_least


def hard_margin(X, y, rounds, nu=None):
    """Scores, edges and least margins of each round; without nu this is arc-gv."""
    _, truth = table(X)
    D, F, total = np.full(len(y), 1.0 / len(y)), np.zeros(len(y)), 0.0
    scores, edges, least = [], [], []
    for _ in range(rounds):
        values, badness = answers("discrete", block_sums(truth, D[:, None], y[:, None]), 0.0)
        best = first_least(badness)
        h = values[best][truth[best].astype(int)][:, 0]
        r = (D * y * h).sum()
        rho = max(0.0, least[-1] if least else 0.0) if nu is None else min([*edges, r]) - nu
        a = np.arctanh(r) - np.arctanh(rho)
        F, total = F + a * h, total + a
        scores.append(F)
        edges.append(r)
        least.append((y * F).min() / total)
        D = D * np.exp(-a * y * h)
        D /= D.sum()
    return np.array(scores), np.array(edges), np.array(least)
