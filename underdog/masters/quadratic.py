"""The programme of a support vector machine whose coefficients are not negative.

With U = y h(x) for examples and hypotheses and a price p for each example, the problems

    minimise    |a|^2 / 2 + sum_i p_i xi_i      subject to  U a + xi >= 1,  a >= 0,  xi >= 0,
    maximise    sum_i w_i - |max(U' w, 0)|^2 / 2   subject to  0 <= w <= p

are dual to each other, with a = max(U' w, 0) at the optimum. The a of the optimum is unique.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.linalg import LinAlgError, cho_factor, cho_solve

from underdog.types import Floats

ENOUGH = 1e-13
"""The gap between both values, as a share of them, at which the programme is solved."""
MOST_STEPS = 100
LEAST = 1e-300
"""Products of multipliers and slacks are kept above it."""


class QuadraticSolution(NamedTuple):
    """Coefficients, the value of the programme, and how far it may be from the least one."""

    coefficients: Floats
    objective: float
    gap: float


def least_quadratic(game: Floats, prices: Floats) -> QuadraticSolution:
    """The least of both, by Mehrotra's predictor-corrector method.

    Parameters
    ----------
    game : (G, J)
        y h of each example and hypothesis.
    prices : (G,), positive
        What an example costs for each unit that it lacks to a score of 1.

    Examples
    --------
    Two examples that are both right, and one that is wrong:

    >>> import numpy as np
    >>> from underdog.masters.quadratic import least_quadratic
    >>> game, prices = np.array([[1.0], [-1.0]]), np.array([1.0, 0.25])
    >>> least_quadratic(game, prices).coefficients.round(6).tolist()
    [0.75]
    """
    inside = _Inside.begin(game, prices)
    best = _solution(game, prices, inside)
    for _ in range(MOST_STEPS):
        if best.gap <= ENOUGH * best.objective:
            break
        try:
            system = _System.from_point(game, inside)
        except (LinAlgError, ValueError):  # no longer positive, or not finite
            break
        by = system.direction(inside, 0.0, 0.0, 0.0)
        left = inside.product()
        ahead = inside.moved(by, inside.longest(by)).product()
        aim = (ahead / left) ** 2 * ahead / inside.size
        by = system.direction(inside, aim - by.w * by.s, aim - by.v * by.xi, aim - by.a * by.z)
        inside = inside.moved(by, 0.995 * inside.longest(by))
        best = min(best, _solution(game, prices, inside), key=lambda each: each.gap)
    return best


def _solution(game: Floats, prices: Floats, at: _Inside) -> QuadraticSolution:
    """The best coefficients that a point suggests, and the gap to the value of its weights."""
    weights = np.clip(at.w, 0.0, prices)
    edges = np.maximum(weights @ game, 0.0)
    dual = float(weights.sum()) - float(edges @ edges) / 2.0
    own = np.where(at.a > at.z, at.a, 0.0)  # of both one is near 0
    least = float((game @ own).min())
    candidates = [edges, own, *([own / least] if least > 0.0 else [])]  # the last lacks nothing
    values = [_value(game, prices, each) for each in candidates]
    best = int(np.argmin(values))
    return QuadraticSolution(candidates[best], values[best], max(values[best] - dual, 0.0))


def _value(game: Floats, prices: Floats, coefficients: Floats) -> float:
    half = float(coefficients @ coefficients) / 2.0
    return half + float(prices @ np.maximum(1.0 - game @ coefficients, 0.0))


class _Inside(NamedTuple):
    """A point of the interior, or a direction.

    s = U a + xi - 1 has the multiplier w, xi the multiplier v = p - w, and a the multiplier z.
    """

    a: Floats
    xi: Floats
    s: Floats
    w: Floats
    v: Floats
    z: Floats

    @classmethod
    def begin(cls, game: Floats, prices: Floats) -> _Inside:
        w = 0.5 * prices
        edges = w @ game
        typical = float(np.abs(edges).mean()) or float(prices.mean())
        a = np.maximum(edges, typical)
        lacks = 1.0 - game @ a
        xi = np.maximum(lacks, 0.0) + 1.0
        return cls(a, xi, xi - lacks, w, prices - w, a - edges + typical)

    @property
    def size(self) -> int:
        return 2 * len(self.w) + len(self.a)

    def product(self) -> float:
        """The sum of all multipliers times their slacks."""
        return max(float(self.w @ self.s + self.v @ self.xi + self.a @ self.z), LEAST)

    def moved(self, by: _Inside, step: float) -> _Inside:
        return _Inside(*(own + step * more for own, more in zip(self, by, strict=True)))

    def longest(self, by: _Inside) -> float:
        """The longest step up to 1 that leaves nothing below 0."""
        step = 1.0
        for own, more in zip(self, by, strict=True):
            falls = more < 0.0
            step = min(step, float((-own[falls] / more[falls]).min(initial=np.inf)))
        return step


class _System(NamedTuple):
    """The equations of a Newton step, reduced to the coefficients."""

    game: Floats
    factor: tuple[Floats, bool]
    scale: Floats
    off: Floats

    @classmethod
    def from_point(cls, game: Floats, at: _Inside) -> _System:
        scale = 1.0 / (at.s / at.w + at.xi / at.v)
        root = np.sqrt(scale)[:, np.newaxis] * game
        matrix = root.T @ root
        matrix[np.diag_indices_from(matrix)] += 1.0 + at.z / at.a
        return cls(game, cho_factor(matrix), scale, at.a - at.w @ game - at.z)

    def direction(
        self, at: _Inside, w_s: float | Floats, v_xi: float | Floats, a_z: float | Floats
    ) -> _Inside:
        """Towards products that differ from 0 by these amounts."""
        for_s, for_xi, for_a = w_s - at.w * at.s, v_xi - at.v * at.xi, a_z - at.a * at.z
        lacking = for_s / at.w - for_xi / at.v
        right = (self.scale * lacking) @ self.game - self.off + for_a / at.a
        a = cho_solve(self.factor, right)
        w = self.scale * (lacking - self.game @ a)
        xi = (for_xi + at.xi * w) / at.v
        return _Inside(a, xi, self.game @ a + xi, w, -w, (for_a - at.z * a) / at.a)
