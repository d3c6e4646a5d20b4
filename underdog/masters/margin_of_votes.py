"""The linear programme of LPBoost for hypotheses that are all known.

With U = y h(x), a price p = share / nu for each example and nu < 1, the problems

    maximise    rho - sum_i p_i xi_i   subject to  U a + xi >= rho,  sum a = 1,  a >= 0,  xi >= 0,
    minimise    B                      subject to  U' w <= B,  sum w = 1,  0 <= w <= p

are dual to each other. `masters/linear.py` solves them with a warm start when hypotheses come one
by one. Here an interior point method does, whose time grows with the number of examples only. Of
several optima it finds the one in the middle, which does not depend on any order.
"""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

import numpy as np

from underdog.masters.groups import soft_margin
from underdog.masters.mehrotra import Inside, solve
from underdog.masters.votes import Votes
from underdog.types import Floats

ENOUGH = 1e-11
"""The gap between both values at which the programme is solved."""
BEGIN = 0.1
"""Slacks at the start, in units of a margin."""


class MarginSolution(NamedTuple):
    """Coefficients with sum 1, their soft margin, and how far it may be from the greatest one."""

    coefficients: Floats
    margin: float
    gap: float


def greatest_soft_margin(votes: Votes, nu: float) -> MarginSolution:
    """The coefficients with the greatest soft margin, by Mehrotra's predictor-corrector method.

    Parameters
    ----------
    votes : Votes
        With different hypotheses.
    nu : float
        Between 0 and 1: approximately the share of the examples that may lie below the margin.

    Examples
    --------
    >>> import numpy as np
    >>> from underdog.masters.margin_of_votes import greatest_soft_margin
    >>> from underdog.masters.votes import Votes
    >>> answers = np.array([[1.0, 1.0, -1.0], [1.0, -1.0, 1.0], [-1.0, 1.0, 1.0]])
    >>> votes = Votes(np.ones(3, dtype=np.uint8), np.full(3, 1.0 / 3.0), answers)
    >>> round(greatest_soft_margin(votes, 0.1).margin, 6)
    0.333333
    """
    game, prices = votes.game, votes.share / nu
    return solve(
        _begin(game, votes.share, prices),
        partial(_System.from_point, game),
        partial(_solution, game, prices),
        lambda found: found.gap <= ENOUGH,
    )


def _solution(game: Floats, prices: Floats, at: Inside) -> MarginSolution:
    """The better of the coefficients of a point, with and without those that are near 0."""
    weights = np.clip(at.w, 0.0, prices)
    edge = float((weights @ game).max() / weights.sum())
    large = np.where(at.a > at.z, at.a, 0.0)  # of both one is near 0
    found = []
    for own in (large, at.a) if large.any() else (at.a,):
        scaled = own / own.sum()
        margin = soft_margin(game @ scaled, np.zeros_like(prices), prices)
        found.append(MarginSolution(scaled, margin, max(edge - margin, 0.0)))
    return min(found, key=lambda each: each.gap)


def _begin(game: Floats, share: Floats, prices: Floats) -> Inside:
    """All coefficients equal: s = U a + xi - rho, v = p - w and z = edge - U' w hold here."""
    a = np.full(game.shape[1], 1.0 / game.shape[1])
    over = game @ a
    over = over - float(share @ over)
    edges = share @ game
    return Inside(
        a, np.maximum(-over, 0.0) + BEGIN, np.maximum(over, 0.0) + BEGIN, share,
        prices - share, edges.max() - edges + BEGIN,
    )  # fmt: skip


class _System(NamedTuple):
    """The equations of a Newton step, reduced to the coefficients, rho and the edge.

    All equations that are linear hold at the start, and so at every point.
    """

    game: Floats
    matrix: Floats
    scale: Floats

    @classmethod
    def from_point(cls, game: Floats, at: Inside) -> _System:
        scale = 1.0 / (at.s / at.w + at.xi / at.v)
        count = game.shape[1]
        root = np.sqrt(scale)[:, np.newaxis] * game
        matrix = np.zeros((count + 2, count + 2))
        matrix[:count, :count] = root.T @ root + np.diag(at.z / at.a)
        matrix[:count, count] = matrix[count, :count] = -(scale @ game)
        matrix[count, count] = scale.sum()
        matrix[:count, count + 1] = matrix[count + 1, :count] = 1.0
        return cls(game, matrix, scale)

    def direction(
        self, at: Inside, w_s: float | Floats, v_xi: float | Floats, a_z: float | Floats
    ) -> Inside:
        """Towards products that differ from 0 by these amounts."""
        for_s, for_xi, for_a = w_s - at.w * at.s, v_xi - at.v * at.xi, a_z - at.a * at.z
        lacking = for_s / at.w - for_xi / at.v
        heavy = self.scale * lacking
        right = np.concatenate([heavy @ self.game + for_a / at.a, [-heavy.sum(), 0.0]])
        solved = np.linalg.solve(self.matrix, right)
        a, rho = solved[:-2], solved[-2]
        more = self.game @ a - rho
        w = self.scale * (lacking - more)
        xi = (for_xi + at.xi * w) / at.v
        return Inside(a, xi, more + xi, w, -w, (for_a - at.z * a) / at.a)
