"""The concave dual that the master problems with relative entropy share: see `entropy`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from underdog.types import Flags, Floats

RIDGE = 1e-10
"""What decides between coefficients that are equally good, in units of an edge."""
_HALF = 2.0**26
"""Half of the bits of a float: products of two such halves are exact."""


class Point(NamedTuple):
    """The dual at some multipliers b."""

    multipliers: Floats
    scores: Floats
    """M b."""
    weights: Floats
    free: Flags
    """Groups below their caps."""
    gradient: Floats
    """Edges, less the limit or (where the total is given) less one of them, less the ridge."""
    entropy: float


@dataclass(frozen=True)
class Dual:
    """D(b) less the ridge: with a given sum of b, or less limit * sum b."""

    margins: Floats
    coarse: Floats
    fine: Floats | None
    """margins = coarse + fine, the coarse part with half of the bits."""
    start: Floats
    """Logarithms of d0."""
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
        """Both problems: exactly one of total and limit matters."""
        logs, caps = np.log(start), np.minimum(upper, 1.5)
        scaled = margins * _HALF
        coarse = np.rint(scaled)
        # Margins of -1, 0 and 1 are the usual case, and need no second part.
        if np.array_equal(coarse, scaled):
            return cls(margins, margins, None, logs, caps, total, limit)
        coarse /= _HALF
        return cls(margins, coarse, margins - coarse, logs, caps, total, limit)

    def at(self, multipliers: Floats) -> Point:
        """Weights, edges and value at these multipliers."""
        scores = self.margins @ multipliers
        logs = self.start - scores
        weights, free = fill(logs, self.upper)
        some = weights > 0.0
        entropy = float(weights[some] @ (np.log(weights[some]) - self.start[some]))
        shares = multipliers / self.scale(multipliers)
        gradient = self._slack(weights, free) - RIDGE * (shares - 0.5 * (shares @ shares))
        return Point(multipliers, scores, weights, free, gradient, entropy)

    def scale(self, multipliers: Floats) -> float:
        """What the ridge is divided by."""
        return self.total if self.total is not None else 1.0 + float(multipliers.sum())

    def _slack(self, weights: Floats, free: Flags) -> Floats:
        """Edges less what they are compared with, each to about 20 digits after the point.

        Between dependent hypotheses only the ridge decides, and rounding of 1e-16 in an edge would
        be 1e-6 in a coefficient. So weights and margins are split in halves: the products of the
        high ones, and their sums in any order, are exact. What cancels is subtracted first.
        """
        high = np.rint(weights * _HALF) / _HALF
        low = weights - high
        loose = np.where(free, weights, 0.0)
        edges, rest, means = np.stack([high, low, loose]) @ self.coarse
        if self.fine is not None:
            rest += weights @ self.fine
        # The sum of the weights is 1 only up to rounding: the free ones take up the rest.
        missing = (1.0 - high.sum()) - low.sum()
        rest += means * (missing / max(loose.sum(), 1e-300))
        if self.total is None:
            return np.asarray((edges - self.limit) + rest)
        best = int(edges.argmax())
        return np.asarray((edges - edges[best]) + (rest - rest[best]))

    def curvature(self, point: Point) -> Floats:
        """Minus the second derivative."""
        result = covariance(self.margins, np.where(point.free, point.weights, 0.0))
        return self.add_ridge(result, point.multipliers)

    def add_ridge(self, matrix: Floats, multipliers: Floats) -> Floats:
        """The matrix, with the second derivative of the ridge added to it."""
        scale = self.scale(multipliers)
        matrix[np.diag_indices_from(matrix)] += RIDGE / scale
        if self.total is None:
            shares = multipliers / scale
            matrix += (shares @ shares - shares[:, None] - shares) * (RIDGE / scale)
        else:
            # Steps keep the sum, so this changes none of them; it only makes the matrix regular
            # where a change of the sum changes no weight.
            matrix += np.trace(matrix) / matrix.shape[0]
        return matrix

    def refutes(self, multipliers: Floats) -> bool:
        """Whether these multipliers prove that no distribution keeps the limit."""
        total = multipliers.sum()
        if self.total is not None or total <= 0.0:
            return False
        scores = self.margins @ (multipliers / total)
        order = np.argsort(scores)
        taken = np.minimum(np.cumsum(self.upper[order]), 1.0)
        least = np.diff(taken, prepend=0.0) @ scores[order]
        return bool(least > self.limit + 1e-13)


def fill(logs: Floats, upper: Floats) -> tuple[Floats, Flags]:
    """min(upper, exp(logs) / Z) with sum 1, and which groups stay below their caps."""
    top = logs.max()
    weights = np.exp(logs - top)
    weights /= weights.sum()
    if (weights <= upper).all():
        return weights, np.ones(logs.size, dtype=np.bool_)
    # Caps bind in the order of exp(logs) / upper. With the first k at their caps the others share
    # the room that is left: the first k for which none of them is above its cap is the right one.
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
    """Sum of weights times squares of the centred columns: rows without weight cost nothing."""
    total = weights.sum()
    rows = np.flatnonzero(weights > 1e-20 * total)
    some = margins if rows.size == weights.size else margins[rows]
    shares = weights[rows]
    centred = some - (shares @ some) / max(total, 1e-300)
    centred *= np.sqrt(shares)[:, None]
    return np.asarray(centred.T @ centred)
