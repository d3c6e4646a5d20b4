"""An interior point method that finds a point near the maximum of the dual."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from scipy.linalg import LinAlgError, cho_factor, cho_solve

from underdog.masters.dual import RIDGE, Dual, covariance, fill
from underdog.types import Floats

NEAR = 1e-6
"""Below this gap, in units of KL (or of an edge, if smaller), Newton's method needs few steps."""


def interior(problem: Dual, most: float) -> Floats:
    """Multipliers near the optimum, by an interior point method.

    Mehrotra's predictor-corrector method for KL(d) + most * t subject to d . M_j + w_j = t,
    d + v = upper, sum d = 1 and, if there is a limit, t - room = limit. The multipliers are b of
    the edges (sum b <= most), beta of the caps, alpha of d >= 0 and kappa of the limit. The four
    products b w, beta v, alpha d and kappa room converge to 0 together. An interior point always
    exists, whether or not the limit is feasible.
    """
    groups, hypotheses = problem.margins.shape
    # Newton's method refines the result, so tiny caps may be enlarged here.
    upper = np.maximum(problem.upper, 1e-12 / groups)
    d = 0.9 * fill(problem.start, upper)[0] + 0.1 * upper / upper.sum()
    if (d >= upper).any():
        return np.full(hypotheses, most / hypotheses)
    inside = _Inside.begin(problem, most, d, upper)
    count = hypotheses + 2 * groups + 1
    for _ in range(80):
        try:
            system = _System.from_problem(problem, most, inside)
        except LinAlgError:
            break
        if system.error <= NEAR * min(most, 1.0) or problem.refutes(inside.b):
            break
        by = system.direction(inside, 0.0, 0.0, 0.0, 0.0)
        left = inside.products()
        ahead = inside.moved(by, inside.longest(by)).products()
        aim = (ahead / left) ** 3 * left / count
        by = system.direction(
            inside,
            aim - by.w * by.b,
            aim - by.v * by.beta,
            aim - by.d * by.alpha,
            aim - by.room * by.kappa if inside.kappa > 0.0 else 0.0,
        )
        inside = inside.moved(by, 0.99 * inside.longest(by))
    # Of a multiplier and its slack one is near 0; the smaller one is set to 0.
    b = inside.b
    large = b / problem.scale(b) > inside.w
    if large.any() and not problem.refutes(b):
        b = np.where(large, b, 0.0)
    return b if problem.total is None else b * (problem.total / b.sum())


class _Inside(NamedTuple):
    """A point of the interior point method, or a search direction.

    The names are those in `interior`; lam is the multiplier of sum d = 1. Without a limit kappa is
    0 and room is not used.
    """

    b: Floats
    w: Floats
    d: Floats
    v: Floats
    alpha: Floats
    beta: Floats
    room: float
    kappa: float
    t: float
    lam: float

    @classmethod
    def begin(cls, problem: Dual, most: float, d: Floats, upper: Floats) -> _Inside:
        """The first point, with these weights, which are positive and below their caps."""
        edges = d @ problem.margins
        t, part, room = float(edges.max()) + 0.1, 1.0, 1.0
        if problem.total is None:
            t = max(t, problem.limit + 0.1)
            part, room = 0.5, t - problem.limit
        b = np.full(edges.size, part * most / edges.size)
        w = t - edges
        level = 0.1 * float(w @ b) / edges.size
        alpha, beta = level / d, level / (upper - d)
        drift = np.log(d) - problem.start + 1.0 + problem.margins @ b
        lam = float(d @ (drift + beta - alpha))
        return cls(b, w, d, upper - d, alpha, beta, room, (1.0 - part) * most, t, lam)

    def products(self) -> float:
        """The sum of the products that must converge to 0."""
        sums = self.w @ self.b + self.v @ self.beta + self.d @ self.alpha
        return float(sums) + self.room * self.kappa

    def moved(self, by: _Inside, share: float) -> _Inside:
        """The point after a share of a search direction."""
        pairs: Iterable[tuple[Any, Any]] = zip(self, by, strict=True)
        return _Inside._make(old + share * change for old, change in pairs)

    def longest(self, by: _Inside) -> float:
        """The largest share of a search direction, up to 1, that keeps all variables positive."""
        pairs = zip(self[:6], by[:6], strict=True)
        fall = max(float((-change / old).max()) for old, change in pairs)
        if self.kappa > 0.0:
            fall = max(fall, -by.room / self.room, -by.kappa / self.kappa)
        return 1.0 / max(fall, 1.0)


@dataclass(frozen=True)
class _System:
    """The linear system at a point, reduced to the multipliers b of the edges."""

    margins: Floats
    drift: Floats
    """Residual of the derivative with respect to d, without alpha and beta."""
    over: Floats
    """Residual d . M_j + w_j - t."""
    missing: float
    """Residual 1 - sum d."""
    missing_b: float
    """Residual most - sum b, if kappa is 0."""
    loose: Floats
    """Derivative of d with respect to a force on it."""
    mean: Floats
    factor: tuple[Floats, bool]
    ones: Floats
    error: float
    """The greatest residual, in units of KL."""

    @classmethod
    def from_problem(cls, problem: Dual, most: float, at: _Inside) -> _System:
        """Build and factor it."""
        margins, scale = problem.margins, problem.scale(at.b)
        shares = at.b / scale
        drift = np.log(at.d) - problem.start + 1.0 + margins @ at.b - at.lam
        over = at.d @ margins + at.w - at.t - RIDGE * (shares - 0.5 * (shares @ shares))
        error = max(
            at.products(),
            float(at.d @ np.abs(drift + at.beta - at.alpha)),
            float(np.abs(over).max() * at.b.sum()),
        )
        loose = 1.0 / ((1.0 + at.alpha) / at.d + at.beta / at.v)
        matrix = problem.add_ridge(covariance(margins, loose), at.b)
        matrix[np.diag_indices_from(matrix)] += at.w / at.b
        factor = cho_factor(matrix, check_finite=False)
        ones = cho_solve(factor, np.ones(at.b.size), check_finite=False)
        missing, missing_b = 1.0 - float(at.d.sum()), most - float(at.b.sum())
        mean = loose @ margins / loose.sum()
        return cls(margins, drift, over, missing, missing_b, loose, mean, factor, ones, error)

    def direction(
        self,
        at: _Inside,
        b_w: Floats | float,
        beta_v: Floats | float,
        alpha_d: Floats | float,
        kappa_room: float,
    ) -> _Inside:
        """The search direction toward these values of the four products."""
        loose = self.loose
        pull = alpha_d / at.d - beta_v / at.v - self.drift
        right = (loose * pull) @ self.margins + b_w / at.b - at.w + self.over
        right += self.mean * (self.missing - loose @ pull)
        b = cho_solve(self.factor, right, check_finite=False)
        t = b.sum() - self.missing_b + kappa_room / at.room
        t /= self.ones.sum() + at.kappa / at.room
        b -= t * self.ones
        change = self.margins @ b
        lam = (self.missing - loose @ (pull - change)) / loose.sum()
        d = loose * (pull - change + lam)
        return _Inside(
            b=b,
            w=(b_w - at.w * b) / at.b - at.w,
            d=d,
            v=-d,
            alpha=(alpha_d - at.alpha * d) / at.d - at.alpha,
            beta=(beta_v + at.beta * d) / at.v - at.beta,
            room=t if at.kappa > 0.0 else 0.0,
            kappa=(kappa_room - at.kappa * t) / at.room - at.kappa,
            t=t,
            lam=lam,
        )
