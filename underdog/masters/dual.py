"""The concave dual of the master problems with relative entropy; see `entropy`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from underdog.types import Flags, Floats

RIDGE = 1e-10
"""A quadratic penalty, in units of an edge, that makes the optimal coefficients unique."""
_HALF = 2.0**26
"""Numbers with half of the bits of a float are multiples of 1 / _HALF; their products are exact."""


class Point(NamedTuple):
    """The dual at some multipliers b."""

    multipliers: Floats
    scores: Floats
    """M b."""
    weights: Floats
    free: Flags
    """Groups below their caps."""
    gradient: Floats
    """Edges minus the limit, or (if the total is given) minus one of them, minus the ridge."""
    entropy: float


@dataclass(frozen=True)
class Dual:
    """D(b) minus the ridge, either with a given sum of b, or minus limit * sum b."""

    margins: Floats
    coarse: Floats
    fine: Floats | None
    """margins = coarse + fine, where coarse has half of the bits."""
    start: Floats
    """ln d0."""
    upper: Floats
    total: float | None
    limit: float

    @classmethod
    def from_margins(
        cls,
        margins: Floats,
        start: Floats,
        upper: Floats,
        total: float | None = None,
        limit: float = 0.0,
    ) -> Dual:
        """The dual of either problem: give total or limit."""
        logs, caps = np.log(start), np.minimum(upper, 1.5)
        scaled = margins * _HALF
        coarse = np.rint(scaled)
        # Margins of -1, 0 and 1, the usual case, need no second part.
        if np.array_equal(coarse, scaled):
            return cls(margins, margins, None, logs, caps, total, limit)
        coarse /= _HALF
        return cls(margins, coarse, margins - coarse, logs, caps, total, limit)

    def at(self, multipliers: Floats) -> Point:
        """Weights, gradient and entropy at these multipliers."""
        scores = self.margins @ multipliers
        logs = self.start - scores
        weights, free = fill(logs, self.upper)
        positive = weights > 0.0
        entropy = float(weights[positive] @ (np.log(weights[positive]) - self.start[positive]))
        shares = multipliers / self.scale(multipliers)
        gradient = self._slack(weights, free) - RIDGE * (shares - 0.5 * (shares @ shares))
        return Point(multipliers, scores, weights, free, gradient, entropy)

    def scale(self, multipliers: Floats) -> float:
        """The number by which the ridge is divided."""
        return self.total if self.total is not None else 1.0 + float(multipliers.sum())

    def _slack(self, weights: Floats, free: Flags) -> Floats:
        """Edges minus the limit or the largest edge, with about 20 digits after the point.

        For dependent hypotheses only the ridge determines the coefficients, and a rounding error of
        1e-16 in an edge would be 1e-6 in a coefficient. Weights and margins are therefore split
        into high and low parts: products of high parts, and their sums in any order, are exact.
        """
        high = np.rint(weights * _HALF) / _HALF
        low = weights - high
        loose = np.where(free, weights, 0.0)
        edges, rest, means = np.stack([high, low, loose]) @ self.coarse
        if self.fine is not None:
            rest += weights @ self.fine
        # The sum of the weights is 1 only up to rounding; the free ones absorb the difference.
        missing = (1.0 - high.sum()) - low.sum()
        rest += means * (missing / max(loose.sum(), 1e-300))
        if self.total is None:
            return np.asarray((edges - self.limit) + rest)
        best = int(edges.argmax())
        return np.asarray((edges - edges[best]) + (rest - rest[best]))

    def curvature(self, point: Point) -> Floats:
        """Minus the second derivative of the dual."""
        result = covariance(self.margins, np.where(point.free, point.weights, 0.0))
        return self.add_ridge(result, point.multipliers)

    def add_ridge(self, matrix: Floats, multipliers: Floats) -> Floats:
        """The matrix plus the second derivative of the ridge."""
        scale = self.scale(multipliers)
        matrix[np.diag_indices_from(matrix)] += RIDGE / scale
        if self.total is None:
            shares = multipliers / scale
            matrix += (shares @ shares - shares[:, None] - shares) * (RIDGE / scale)
        else:
            # Steps do not change the sum, so this does not affect them; it only makes the matrix
            # regular if the weights do not depend on the sum.
            matrix += np.trace(matrix) / matrix.shape[0]
        return matrix

    def refutes(self, multipliers: Floats) -> bool:
        """Whether these multipliers prove that no distribution satisfies the limit."""
        total = multipliers.sum()
        if self.total is not None or total <= 0.0:
            return False
        scores = self.margins @ (multipliers / total)
        order = np.argsort(scores)
        taken = np.minimum(np.cumsum(self.upper[order]), 1.0)
        least = np.diff(taken, prepend=0.0) @ scores[order]
        return bool(least > self.limit + 1e-13)


def fill(logs: Floats, upper: Floats) -> tuple[Floats, Flags]:
    """min(upper, exp(logs) / Z) with sum 1, and which groups are below their caps."""
    top = logs.max()
    weights = np.exp(logs - top)
    weights /= weights.sum()
    if (weights <= upper).all():
        return weights, np.ones(logs.size, dtype=np.bool_)
    # Caps become active in the order of exp(logs) / upper. With the first k at their caps, the
    # others share the remaining weight; the smallest k for which none exceeds its cap is correct.
    caps = np.log(upper)
    order = np.argsort(caps - logs)
    sorted_logs = logs[order]
    tail = np.logaddexp.accumulate(sorted_logs[::-1])[::-1]
    room = 1.0 - np.cumsum(upper[order]) + upper[order]
    fits = room <= 0.0
    fits[~fits] = sorted_logs[~fits] + np.log(room[~fits]) <= (tail + caps[order])[~fits]
    capped = int(fits.argmax()) if fits.any() else logs.size
    rest = order[capped:]
    weights = upper.copy()
    free = np.zeros(logs.size, dtype=np.bool_)
    if rest.size:
        free[rest] = True
        shares = np.exp(logs[rest] - logs[rest].max())
        left = max(1.0 - upper[order[:capped]].sum(), 0.0)
        weights[rest] = np.minimum(shares * (left / shares.sum()), upper[rest])
    return weights, free


def covariance(margins: Floats, weights: Floats) -> Floats:
    """Weighted sum of products of the centred columns; rows without weight are skipped."""
    total = weights.sum()
    rows = np.flatnonzero(weights > 1e-20 * total)
    weighted = margins if rows.size == weights.size else margins[rows]
    shares = weights[rows]
    centred = weighted - (shares @ weighted) / max(total, 1e-300)
    centred *= np.sqrt(shares)[:, None]
    return np.asarray(centred.T @ centred)
