"""Data whose probabilities are known, so that the least possible expected cost is.

Columns have five values each, and log-odds are sums over columns: both stumps and linear models can
learn them, so that what is left is the decision.
"""

import numpy as np


def two_classes(rows, seed, base=0.0):
    """X, y and P(class | x): log-odds that are a sum of three columns, one more is noise."""
    rng = np.random.default_rng(seed)
    X = rng.integers(-2, 3, size=(rows, 4)) / np.sqrt(2.0)
    odds = np.exp(base + 1.5 * X[:, 0] - X[:, 1] + 0.5 * X[:, 2])
    p = odds / (1.0 + odds)
    return X, (rng.random(rows) < p).astype(int), np.column_stack([1.0 - p, p])


def rare(rows, seed):
    """The same with one positive for about twenty negatives."""
    return two_classes(rows, seed, base=-4.35)


def three_classes(rows, seed):
    """X, y and P(class | x): three scores that are linear in two columns."""
    rng = np.random.default_rng(seed)
    X = rng.integers(-2, 3, size=(rows, 2)) / np.sqrt(2.0)
    scores = np.column_stack([np.zeros(rows), 1.5 * X[:, 0], 1.5 * X[:, 1] - 1.0])
    p = np.exp(scores) / np.exp(scores).sum(axis=1, keepdims=True)
    return X, (rng.random((rows, 1)) > p.cumsum(axis=1)[:, :2]).sum(axis=1), p
