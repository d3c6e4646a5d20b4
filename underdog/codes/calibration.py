"""Scores to probabilities by lines that were fitted to given rows (Platt's method)."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from underdog.codes.base import sigmoid
from underdog.files import Fields
from underdog.types import Codes, Floats

STEPS = 100
LEVEL = 1e-9
"""How close mean probabilities come to the shares of classes."""
SMALL = 1e-12
"""A smaller fall of the loss ends the search."""


class Calibration(NamedTuple):
    """P = sigmoid(slope score + intercept) for each column of the scores.

    Attributes
    ----------
    slopes, intercepts : (K,)
    rows : how many rows they were fitted to
    """

    slopes: Floats
    intercepts: Floats
    rows: int

    def apply(self, scores: Floats) -> Floats:
        """(n, K) log-odds."""
        result: Floats = self.slopes * scores + self.intercepts
        return result

    def to_dict(self) -> dict[str, Any]:
        """For a file."""
        return {"slopes": self.slopes, "intercepts": self.intercepts, "rows": self.rows}

    @classmethod
    def from_dict(cls, values: dict[str, Any], count: int) -> Calibration:
        """From a file."""
        fields = Fields("calibration", values)
        slopes, intercepts = (fields.floats(name, count) for name in ("slopes", "intercepts"))
        rows = fields.integer("rows", 1)
        fields.done()
        if bool((slopes < 0.0).any()) or float(np.abs([slopes, intercepts]).max()) > 1e6:
            raise fields.wrong("slopes", "must not be negative, and not too large")
        return cls(slopes, intercepts, rows)


def fit_calibration(scores: Floats, sign: Codes, weights: Floats) -> Calibration:
    """A line for each column of the scores.

    Parameters
    ----------
    scores : (n, K)
    sign : (n, K) whether a row is positive; each column has both
    weights : (n,)
    """
    lines = [fit_line(*pair, weights) for pair in zip(scores.T, sign.T == 1, strict=True)]
    slopes, intercepts = np.array(lines).T
    return Calibration(np.ascontiguousarray(slopes), np.ascontiguousarray(intercepts), len(scores))


def levelled(
    own: Calibration,
    scores: Floats,
    sign: Codes,
    weights: Floats,
    probabilities: Callable[[Floats], Floats],
) -> Calibration:
    """Intercepts with which the mean probability of each of K classes is its share.

    That they are normalised to sum to 1 moves the means, which the lines alone have right.
    """
    share, intercepts = weights @ sign / weights.sum(), own.intercepts.copy()
    for _ in range(STEPS):
        found = probabilities(own.slopes * scores + intercepts)
        mean = weights @ found / weights.sum()
        if float(np.abs(mean - share).max()) < LEVEL:
            break
        intercepts += np.log(share / mean)
    return own._replace(intercepts=intercepts)


def fit_line(scores: Floats, positive: Any, weights: Floats) -> tuple[float, float]:
    """Slope and intercept of the log-odds, with the least log loss.

    The targets are Platt's, (n + 1) / (n + 2) for positives and 1 / (n + 2) for negatives, so that
    the line is finite even if the scores separate them. The slope is not negative: if scores do not
    rank positives higher, it is 0, and the probability is the share of positives.

    References
    ----------
    Platt, "Probabilistic outputs for support vector machines", 1999. Lin, Lin and Weng, "A note on
    Platt's probabilistic outputs for support vector machines", Machine Learning 68, 2007.

    Examples
    --------
    >>> import numpy as np
    >>> from underdog.codes.calibration import fit_line
    >>> scores = np.array([-2.0, -1.0, 0.0, 1.0, 2.0])
    >>> slope, intercept = fit_line(scores, scores > -0.5, np.ones(5))
    >>> round(slope, 3), round(intercept, 3)
    (0.792, 0.419)
    """
    inside, outside = float(weights[positive].sum()), float(weights[~positive].sum())
    target = np.where(positive, (inside + 1.0) / (inside + 2.0), 1.0 / (outside + 2.0))
    share = float(weights @ target) / (inside + outside)
    level = math.log(share / (1.0 - share))
    middle, spread = float(weights @ scores) / (inside + outside), float(np.ptp(scores))
    if spread == 0.0:
        return 0.0, level
    x = (scores - middle) / spread
    slope, intercept = _newton(x, target, weights / weights.sum(), level)
    if slope <= 0.0:
        return 0.0, level
    return slope / spread, intercept - slope * middle / spread


def _newton(x: Floats, target: Floats, weights: Floats, level: float) -> tuple[float, float]:
    """Newton's method with halved steps; the loss is convex."""
    line = np.array([0.0, level])
    columns = np.column_stack([x, np.ones(len(x))])

    def loss(at: Floats) -> float:
        z = columns @ at
        return float(weights @ (np.logaddexp(0.0, z) - target * z))

    before = loss(line)
    for _ in range(STEPS):
        p = sigmoid(columns @ line)
        gradient = columns.T @ (weights * (p - target))
        curvature = (columns.T * (weights * p * (1.0 - p))) @ columns + 1e-12 * np.eye(2)
        step, size = np.linalg.solve(curvature, gradient), 1.0
        while size > 1e-10 and loss(line - size * step) > before:
            size /= 2.0
        line = line - size * step
        after = loss(line)
        if before - after <= SMALL * abs(before):
            break
        before = after
    return float(line[0]), float(line[1])
