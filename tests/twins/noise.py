"""BrownBoost and RobustBoost on threshold stumps that vote, as the textbook says.

Both have a clock. A step moves the margins r by a z, z = y h, and the clock by dt such that the
mean potential stays what it was; the first a at which the edge under the new weights is 0 is taken,
or that at which the clock runs out. The path of a is walked in small steps, and only the last of
them is searched by bisection.
"""

import math

import numpy as np
from scipy.optimize import brentq
from scipy.special import erfc, erfinv, log_ndtr

from tests.twins.boosters import table
from tests.twins.learners import edge, votes
from tests.twins.stumps import block_sums, first_least


class Brown:
    """Weights exp(-(r + s)^2 / c), potential 1 - erf((r + s) / sqrt(c)), s = c - t."""

    looks = 2  # the potential grows with the time

    def __init__(self, target_error):
        self.end = float(erfinv(1.0 - target_error)) ** 2

    def shift(self, r, t):
        """(r - mu) / sigma."""
        return (r + self.end - t) / math.sqrt(self.end)

    def log_weights(self, r, t):
        return -(self.shift(r, t) ** 2)

    def log_potentials(self, r, t):
        return math.log(2.0) + log_ndtr(-math.sqrt(2.0) * self.shift(r, t))

    def moved(self, r, a, z, dt):
        return r + a * z


class Robust:
    """mu(t) and sigma(t); where r <= mu the weight is 0 and the potential 1; r shrinks with t."""

    end = 1.0
    looks = 200  # the potential may fall and rise again

    def __init__(self, target_error, target_margin=0.0, spread=0.1):
        e = math.e
        wide = math.sqrt(e**2 * (spread**2 + 1.0) - 1.0)
        self.rho = (wide * float(erfinv(1.0 - target_error)) + e * target_margin) / (2.0 * (e - 1))
        self.theta, self.spread = target_margin, spread

    def shift(self, r, t):
        mu = (self.theta - 2.0 * self.rho) * math.exp(1.0 - t) + 2.0 * self.rho
        sigma = math.sqrt((self.spread**2 + 1.0) * math.exp(2.0 * (1.0 - t)) - 1.0)
        return (r - mu) / sigma

    def log_weights(self, r, t):
        x = self.shift(r, t)
        return np.where(x > 0.0, -(x**2), -np.inf)

    def log_potentials(self, r, t):
        with np.errstate(divide="ignore"):
            return np.log(np.minimum(1.0, erfc(self.shift(r, t))))

    def moved(self, r, a, z, dt):
        return r * math.exp(-dt) + a * z


def log_mean(logs, u):
    """ln of the mean of exp(logs), with weights u of sum 1."""
    highest = logs.max()
    return highest + math.log((u * np.exp(logs - highest)).sum())


def weights(clock, r, t, u):
    logs = clock.log_weights(r, t)
    w = u * np.exp(logs - logs.max())
    return w / w.sum()


def step(clock, r, z, t, u, fine=50.0):
    """a and dt: the first root on the path, or the end of the clock."""
    start = log_mean(clock.log_potentials(r, t), u)

    def excess(a, dt):
        return log_mean(clock.log_potentials(clock.moved(r, a, z, dt), t + dt), u) - start

    def time(a):
        """The first dt at which the potential is back; None after the end of the clock."""
        if excess(a, 0.0) >= 0.0:
            return 0.0
        before = 0.0
        for dt in np.linspace(0.0, clock.end - t, clock.looks)[1:]:
            if excess(a, dt) > 0.0:
                return brentq(lambda dt: excess(a, dt), before, dt, xtol=1e-15, rtol=1e-14)
            before = dt
        return None

    def gain(a):
        dt = time(a)
        return -1.0 if dt is None else (weights(clock, clock.moved(r, a, z, dt), t + dt, u) @ z)

    size = math.sqrt(clock.end) / fine
    low, high = 0.0, size
    while gain(high) > 0.0:
        low, high = high, high + size
    for _ in range(80):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if gain(middle) > 0.0 else (low, middle)
    dt = time(high)
    return high, clock.end - t if dt is None else dt


def with_clock(clock, X, y, rounds=10, sample_weight=None):
    """Scores F[round, row] and one record a round: a, dt, the edge before, the potential after."""
    tests, truth = table(X)
    u = np.ones(len(y)) if sample_weight is None else np.asarray(sample_weight, float)
    u = u / u.sum()
    r, t, scores, records = np.zeros(len(y)), 0.0, [], []
    for _ in range(rounds):
        D = weights(clock, r, t, u)
        W = block_sums(truth, D[:, None], y[:, None])
        values = votes(W)
        best = first_least(-edge(W, values))
        z = y * values[best][truth[best].astype(int)][:, 0]
        if D @ z <= 1e-9:
            break
        a, dt = step(clock, r, z, t, u)
        r, t = clock.moved(r, a, z, dt), t + dt
        scores.append(y * r)
        potential = math.exp(log_mean(clock.log_potentials(r, t), u))
        records.append(
            {
                "a": a,
                "dt": dt,
                "time": t,
                "edge": D @ z,
                "potential": potential,
                "stump": tests[best],
            }
        )
        if t >= clock.end:
            break
    return np.array(scores), records


def adaboost_reg(X, y, C, rounds=10):
    """D ~ exp(-(y F + C M)), M_i = sum_t a_t D_t(i); a minimises sum D exp(-a (y h + C D))."""
    _, truth = table(X)
    F, M, scores, records = np.zeros(len(y)), np.zeros(len(y)), [], []
    for _ in range(rounds):
        D = np.exp(-(y * F + C * M))
        D = D / D.sum()
        W = block_sums(truth, D[:, None], y[:, None])
        values = votes(W)
        best = first_least(-edge(W, values))
        h = values[best][truth[best].astype(int)][:, 0]
        q = y * h + C * D
        a = brentq(lambda a, D=D, q=q: -(D * q * np.exp(-a * q)).sum(), 0.0, 50.0, xtol=1e-14)
        F, M = F + a * h, M + a * D
        scores.append(F)
        records.append({"a": a, "soft_loss": np.exp(-(y * F + C * M)).mean(), "influence": M})
    return np.array(scores), records


def majority_weight(s, n, gamma):
    """Of an example that is s right votes ahead, n rounds after this one: binomial."""
    k = (n - s + 1) // 2
    if not 0 <= k <= n:
        return 0.0
    return 0.5 * math.comb(n, k) * (0.5 + gamma) ** k * (0.5 - gamma) ** (n - k)


def boost_by_majority(X, y, gamma, rounds):
    """Unit votes; ends where the edge of the best stump is below 2 gamma."""
    _, truth = table(X)
    F, scores = np.zeros(len(y)), []
    for t in range(1, rounds + 1):
        D = np.array([majority_weight(int(s), rounds - t, gamma) for s in y * F])
        if D.sum() == 0.0:
            break
        D = D / D.sum()
        W = block_sums(truth, D[:, None], y[:, None])
        values = votes(W)
        best = first_least(-edge(W, values))
        if edge(W, values)[best] < 2.0 * gamma:
            break
        F = F + values[best][truth[best].astype(int)][:, 0]
        scores.append(F)
    return np.array(scores)
