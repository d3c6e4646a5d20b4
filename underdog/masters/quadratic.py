"""The programme of a support vector machine whose coefficients are not negative.

With U = y h(x) for examples and hypotheses and a price p for each example, the problems

    minimise    |a|^2 / 2 + sum_i p_i xi_i      subject to  U a + xi >= 1,  a >= 0,  xi >= 0,
    maximise    sum_i w_i - |max(U' w, 0)|^2 / 2   subject to  0 <= w <= p

are dual to each other, with a = max(U' w, 0) at the optimum. The a of the optimum is unique.
"""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

import numpy as np
from scipy.linalg import cho_factor, cho_solve

from underdog.masters.mehrotra import Inside, solve
from underdog.types import Floats

ENOUGH = 1e-13
"""The gap between both values, as a share of them, at which the programme is solved."""


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
    return solve(
        _begin(game, prices),
        partial(_System.from_point, game),
        partial(_solution, game, prices),
        lambda found: found.gap <= ENOUGH * found.objective,
    )


def _solution(game: Floats, prices: Floats, at: Inside) -> QuadraticSolution:
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


def _begin(game: Floats, prices: Floats) -> Inside:
    """Half of all prices as weights: s = U a + xi - 1 and v = p - w hold here."""
    w = 0.5 * prices
    edges = w @ game
    typical = float(np.abs(edges).mean()) or float(prices.mean())
    a = np.maximum(edges, typical)
    lacks = 1.0 - game @ a
    xi = np.maximum(lacks, 0.0) + 1.0
    return Inside(a, xi, xi - lacks, w, prices - w, a - edges + typical)


class _System(NamedTuple):
    """The equations of a Newton step, reduced to the coefficients."""

    game: Floats
    factor: tuple[Floats, bool]
    scale: Floats
    off: Floats

    @classmethod
    def from_point(cls, game: Floats, at: Inside) -> _System:
        scale = 1.0 / (at.s / at.w + at.xi / at.v)
        root = np.sqrt(scale)[:, np.newaxis] * game
        matrix = root.T @ root
        matrix[np.diag_indices_from(matrix)] += 1.0 + at.z / at.a
        return cls(game, cho_factor(matrix), scale, at.a - at.w @ game - at.z)

    def direction(
        self, at: Inside, w_s: float | Floats, v_xi: float | Floats, a_z: float | Floats
    ) -> Inside:
        """Towards products that differ from 0 by these amounts."""
        for_s, for_xi, for_a = w_s - at.w * at.s, v_xi - at.v * at.xi, a_z - at.a * at.z
        lacking = for_s / at.w - for_xi / at.v
        right = (self.scale * lacking) @ self.game - self.off + for_a / at.a
        a = cho_solve(self.factor, right)
        w = self.scale * (lacking - self.game @ a)
        xi = (for_xi + at.xi * w) / at.v
        return Inside(a, xi, self.game @ a + xi, w, -w, (for_a - at.z * a) / at.a)
