"""The two master problems with relative entropy: that of ERLPBoost, and that of TotalBoost and
SoftBoost.

Examples that no hypothesis separates form a group. M is the matrix of margins y_g h_j(x_g), d a
distribution over the groups, d0 a reference distribution, KL(d) = sum d ln(d / d0), and
C = {sum d = 1, 0 <= d <= upper}. Both problems have the same concave dual in the multipliers b >= 0
of the edges d . M_j,

    D(b) = min over d in C of  d . (M b) + KL(d),

whose minimiser is d_g = min(upper_g, d0_g exp(-(M b)_g) / Z), whose gradient is the edges, and
whose second derivative is minus the covariance of the columns over the groups below their caps.

An interior point method finds a point near the maximum from any start, and Newton's method with an
active set then converges to the last bits, because the edges are summed in double-double precision.
With a good guess Newton's method starts immediately.

If hypotheses are linearly dependent, many b have the same d. The one with the least squared norm is
chosen: `RIDGE` |b|^2 / (2 scale) is subtracted from D, where scale is sum b (plus 1 for the
projection). This changes no edge by more than `RIDGE`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.linalg import LinAlgError, cho_factor, cho_solve

from underdog.masters.dual import Dual, Point
from underdog.masters.interior import interior
from underdog.types import Floats

SLACK = 1e-7
"""If edges remain above the limit by more than this, the limit is infeasible."""
SMALL_STEP = 1e-10
"""A Newton step below this share of all multipliers need not become smaller."""
LAST_STEP = 1e-12
"""A Newton step below this share is the last one."""


class EntropyOptimum(NamedTuple):
    """A solution with its primal and dual value.

    Attributes
    ----------
    coefficients : array of shape (hypotheses,)
        Non-negative. They sum to 1 for `regularised`; for `projected` they are the multipliers.
    weights : array of shape (groups,)
        The distribution d at these coefficients.
    primal, dual : float
        The values of both problems. Their difference bounds the distance to the optimum.
    feasible : bool
        Whether a distribution satisfies the limit.
    """

    coefficients: Floats
    weights: Floats
    primal: float
    dual: float
    feasible: bool


def regularised(
    margins: Floats, start: Floats, upper: Floats, eta: float, guess: Floats | None = None
) -> EntropyOptimum:
    """The master problem of ERLPBoost: minimise the greatest edge plus relative entropy.

    Minimises max_j d . M_j + KL(d) / eta over d in C. The dual maximises, over non-negative
    coefficients a with sum 1, the minimum over d in C of d . (M a) + KL(d) / eta.

    Parameters
    ----------
    margins : array of shape (groups, hypotheses)
        M, between -1 and 1.
    start : array of shape (groups,)
        d0: positive, with sum 1. It may exceed the caps.
    upper : array of shape (groups,)
        The caps: positive, with a sum of at least 1. A cap of 1 or more has no effect.
    eta : float
        Weight of an edge relative to KL. The optimum exceeds that of the linear programme by at
        most ln(1 / min start) / eta.
    guess : array of shape (hypotheses,), optional
        Coefficients of the previous round, 0 for the new hypothesis. Affects only the time.

    Returns
    -------
    EntropyOptimum

    Examples
    --------
    >>> import numpy as np
    >>> from underdog.masters.entropy import regularised
    >>> margins = np.array([[1.0, -1.0], [-1.0, 1.0], [1.0, 1.0]])
    >>> even = np.full(3, 1 / 3)
    >>> found = regularised(margins, even, np.ones(3), eta=10.0)
    >>> found.coefficients.round(6).tolist(), found.weights.round(6).tolist()
    ([0.5, 0.5], [0.499989, 0.499989, 2.3e-05])
    >>> bool(found.primal - found.dual <= 1e-10)
    True

    References
    ----------
    Warmuth, Glocer, Vishwanathan: Entropy regularized LPBoost (ALT 2008).
    """
    problem = Dual.from_margins(margins, start, upper, total=float(eta))
    begin = None
    if guess is not None and guess.sum() > 0.0:
        begin = guess * (eta / guess.sum())
    point, _ = _solve(problem, begin)
    value = (point.weights @ point.scores + point.entropy) / eta
    edge = float((point.weights @ problem.margins).max())
    return EntropyOptimum(
        point.multipliers / point.multipliers.sum(),
        point.weights,
        edge + point.entropy / eta,
        float(value),
        True,
    )


def projected(
    margins: Floats, start: Floats, upper: Floats, limit: float, guess: Floats | None = None
) -> EntropyOptimum:
    """The master problem of TotalBoost and SoftBoost: entropy projection onto bounded edges.

    Minimises KL(d) over d in C with d . M_j <= limit for all j. The dual maximises, over b >= 0,
    the minimum over d in C of d . (M b) + KL(d), minus limit * sum b.

    No such d exists if some a >= 0 with sum 1 has d . (M a) > limit for all d in C. Then `feasible`
    is False, the coefficients are a multiple of this a, and primal and dual are infinite. A limit
    that is infeasible by at most `SLACK` may be accepted as feasible.

    Parameters
    ----------
    margins, start, upper : arrays
        As for `regularised`.
    limit : float
        The greatest edge allowed. It is satisfied up to `RIDGE`, so that primal - dual may be
        negative, but not below -`RIDGE` * sum b.
    guess : array of shape (hypotheses,), optional
        Multipliers of the previous round, 0 for the new hypothesis. Affects only the time.

    Returns
    -------
    EntropyOptimum

    Examples
    --------
    >>> import numpy as np
    >>> from underdog.masters.entropy import projected
    >>> margins = np.array([[1.0], [-1.0]])
    >>> found = projected(margins, np.array([0.8, 0.2]), np.ones(2), limit=0.0)
    >>> found.coefficients.round(6).tolist(), found.weights.round(6).tolist()
    ([0.693147], [0.5, 0.5])
    >>> projected(margins, np.array([0.8, 0.2]), np.array([0.9, 0.3]), limit=0.0).feasible
    False

    References
    ----------
    Warmuth, Liao, Raetsch: Totally corrective boosting algorithms that maximize the margin
    (ICML 2006). Warmuth, Glocer, Raetsch: Boosting algorithms for maximizing the soft margin
    (NIPS 2007).
    """
    problem = Dual.from_margins(margins, start, upper, limit=float(limit))
    point = problem.at(np.zeros(margins.shape[1]))
    feasible = True
    if point.gradient.max() > 0.0:
        point, feasible = _solve(problem, guess)
        feasible = feasible and bool((point.weights @ problem.margins).max() <= limit + SLACK)
    if not feasible:
        return EntropyOptimum(point.multipliers, point.weights, np.inf, np.inf, False)
    total = point.multipliers.sum()
    value = point.weights @ point.scores + point.entropy - limit * total
    return EntropyOptimum(point.multipliers, point.weights, point.entropy, float(value), True)


def _solve(problem: Dual, guess: Floats | None) -> tuple[Point, bool]:
    """The maximum of the dual, and False if it is proved to be unbounded."""
    if guess is not None:
        point, done = _newton(problem, guess, rounds=25, far=1.0)
        if done:
            return point, True
        if problem.refutes(point.multipliers):
            return point, False
    for most in (1e3, 1e6, 1e9) if problem.total is None else (problem.total,):
        multipliers = interior(problem, most)
        if problem.refutes(multipliers):
            return problem.at(multipliers), False
        if multipliers.sum() <= 0.9 * most:
            break
    point, _ = _newton(problem, multipliers, rounds=60, far=1e8)
    return point, not problem.refutes(point.multipliers)


def _newton(problem: Dual, multipliers: Floats, rounds: int, far: float) -> tuple[Point, bool]:
    """Newton's method with an active set, and whether it converged.

    It stops if the predicted gain of a step, in units of KL, exceeds `far`, because it would need
    many short steps.
    """
    point = problem.at(multipliers)
    least = np.inf
    for _ in range(rounds):
        gradient = point.gradient
        curvature = problem.curvature(point)
        step = _ascend(curvature, gradient, point.multipliers, balanced=problem.total is not None)
        slope = float(step @ gradient)
        size = np.abs(step).max() / problem.scale(point.multipliers)
        if slope <= 0.0 or slope > far or (size <= SMALL_STEP and size > 0.5 * least):
            return point, bool(size <= SMALL_STEP)
        point = _search(problem, point, step, slope)
        if size <= LAST_STEP:
            return point, True
        least = min(least, size)
    return point, False


def _search(problem: Dual, point: Point, step: Floats, slope: float) -> Point:
    """The point after a step, or after the part of it at which the slope is mostly gone."""
    change = problem.margins @ step
    low, high, share = 0.0, 1.0, 1.0
    for tries in range(60):
        moved = np.maximum(point.multipliers + share * step, 0.0)
        if problem.total is not None:
            moved *= problem.total / moved.sum()
        there = problem.at(moved)
        now = float(step @ there.gradient)
        if now >= -0.5 * slope and (now <= 0.5 * slope or share == 1.0):
            break
        if now < 0.0:
            high = share
        else:
            low = share
        # Newton's method for the root of the slope. At a kink, where a cap becomes active or
        # inactive, it ends nearby on the flat side, so the other side is tried nearby as well.
        weights = np.where(there.free, there.weights, 0.0)
        mass = max(weights.sum(), 1e-300)
        steepness = weights @ change**2 - (weights @ change) ** 2 / mass
        share += now / max(steepness, 1e-300)
        if not low < share < high or tries % 4 == 3:
            share = low + (0.5 if tries % 4 == 3 else 0.1) * (high - low)
    return there


def _ascend(curvature: Floats, gradient: Floats, multipliers: Floats, balanced: bool) -> Floats:
    """The step p that maximises gradient . p - p . curvature p / 2 with no multiplier below 0.

    A primal active set method: `passive` multipliers may change, the others are set to 0. If
    `balanced`, the step sums to 0.
    """
    step = np.zeros(gradient.size)
    passive = multipliers > 0.0
    if not passive.any():
        passive[gradient.argmax()] = True
    for _ in range(10 + 4 * gradient.size):
        moving = np.flatnonzero(passive)
        still = np.flatnonzero(~passive)
        pull = gradient[moving] - curvature[np.ix_(moving, still)] @ step[still]
        solved = _solve_positive(
            curvature[np.ix_(moving, moving)], np.column_stack([pull, np.ones(moving.size)])
        )
        price = 0.0
        if balanced:
            price = (solved[:, 0].sum() + step[still].sum()) / solved[:, 1].sum()
        aim = solved[:, 0] - price * solved[:, 1]
        below = multipliers[moving] + aim < 0.0
        if below.any():
            room = multipliers[moving] + step[moving]
            shares = room[below] / (step[moving] - aim)[below]
            share = shares.min()
            step[moving] += share * (aim - step[moving])
            leaving = moving[below][shares <= share]
            step[leaving] = -multipliers[leaving]
            passive[leaving] = False
            if not passive.any():
                break
            continue
        step[moving] = aim
        change = curvature @ step
        gain = np.where(passive, -np.inf, gradient - change - price)
        entering = int(gain.argmax())
        if gain[entering] <= 1e-15 * np.abs(change).max():
            break
        passive[entering] = True
    return step


def _solve_positive(matrix: Floats, right: Floats) -> Floats:
    """The solution of a positive definite system, regularised as little as rounding requires."""
    jitter = 1e-17 * float(np.trace(matrix)) + 1e-300
    while np.isfinite(jitter):
        try:
            factor = cho_factor(matrix, check_finite=False)
        except LinAlgError:
            jitter *= 10.0
            matrix = matrix + jitter * np.eye(matrix.shape[0])
        else:
            return np.asarray(cho_solve(factor, right, check_finite=False))
    return np.zeros_like(right)
