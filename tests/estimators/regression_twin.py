"""Gradient boosting for numbers, from Friedman (2001) alone: plain loops, no shared code."""

import numpy as np


def quantile(values, weights, share):
    """The smallest value at which the cumulated weight reaches the share of all."""
    order = np.argsort(values, kind="stable")
    reached = np.cumsum(weights[order])
    return values[order][np.searchsorted(reached, share * reached[-1] * (1.0 - 1e-12))]


class Squared:
    def start(self, y, w):
        return np.average(y, weights=w)

    def gradient(self, y, f, w):
        return y - f

    def leaf(self, y, f, w):
        return np.average(y - f, weights=w)

    def loss(self, y, f, w):
        return np.average((y - f) ** 2, weights=w)


class Quantile:
    def __init__(self, share, factor=1.0):
        self.share, self.factor = share, factor

    def start(self, y, w):
        return quantile(y, w, self.share)

    def gradient(self, y, f, w):
        return self.factor * np.where(y >= f, self.share, self.share - 1.0)

    def leaf(self, y, f, w):
        return quantile(y - f, w, self.share)

    def loss(self, y, f, w):
        r = y - f
        each = np.where(r >= 0, self.share * r, (self.share - 1.0) * r)
        return self.factor * np.average(each, weights=w)


class Huber:
    def __init__(self, alpha=0.9):
        self.alpha = alpha

    def start(self, y, w):
        return quantile(y, w, 0.5)

    def gradient(self, y, f, w):
        self.d = quantile(np.abs(y - f), w, self.alpha)
        return np.clip(y - f, -self.d, self.d)

    def leaf(self, y, f, w):
        middle = quantile(y - f, w, 0.5)
        around = y - f - middle
        step = np.sign(around) * np.minimum(self.d, np.abs(around))
        return middle + np.average(step, weights=w)

    def loss(self, y, f, w):
        r = np.abs(y - f)
        each = np.where(r <= self.d, r**2 / 2, self.d * (r - self.d / 2))
        return np.average(each, weights=w)


class Poisson:
    def start(self, y, w):
        return np.log(np.average(y, weights=w))

    def gradient(self, y, f, w):
        return y - np.exp(f)

    def curvature(self, f):
        return np.exp(f)

    def leaf(self, y, f, w):
        return np.log((w * y).sum() / (w * np.exp(f)).sum())

    def loss(self, y, f, w):
        logs = np.where(y > 0, np.log(np.where(y > 0, y, 1.0)), 0.0)
        return np.average(y * (logs - f) - y + np.exp(f), weights=w)


def best_split(X, g, h, inside):
    """The column and the cut with the greatest sum of G**2 / H of the two sides."""
    best, found = 0.0, None
    whole = g[inside].sum() ** 2 / h[inside].sum()
    for column in range(X.shape[1]):
        values = np.unique(X[inside, column])
        for cut in (values[1:] + values[:-1]) / 2.0:
            gain = -whole
            for side in (inside & (X[:, column] <= cut), inside & (X[:, column] > cut)):
                gain += g[side].sum() ** 2 / h[side].sum()
            if gain > best * (1.0 + 1e-9) + 1e-9 * whole:
                best, found = gain, (column, cut)
    return found


def leaves(X, g, h, inside, depth):
    """The rows of each leaf, as flags."""
    split = best_split(X, g, h, inside) if depth else None
    if split is None:
        return [inside]
    column, cut = split
    low, high = inside & (X[:, column] <= cut), inside & (X[:, column] > cut)
    return leaves(X, g, h, low, depth - 1) + leaves(X, g, h, high, depth - 1)


def boosted(X, y, loss, rounds, rate, depth, w=None):
    """(start, scores of the rows after the last round, loss after each round)."""
    w = np.ones(len(y)) if w is None else w
    start = loss.start(y, w)
    f = np.full(len(y), float(start))
    losses = []
    for _ in range(rounds):
        g = w * loss.gradient(y, f, w)
        h = w * loss.curvature(f) if hasattr(loss, "curvature") else w
        after = f.copy()
        for rows in leaves(X, g, h, np.ones(len(y), dtype=bool), depth):
            after[rows] += rate * loss.leaf(y[rows], f[rows], w[rows])
        f = after
        losses.append(loss.loss(y, f, w))
    return start, f, losses
