"""The two master problems with relative entropy: ERLPBoost's, and TotalBoost's and SoftBoost's.

Examples that no hypothesis tells apart form a group. M is the matrix of margins y_g h_j(x_g), d a
distribution over the groups, d0 the one to stay close to, KL(d) = sum d ln(d / d0), and
C = {sum d = 1, 0 <= d <= upper}. Both problems have one concave dual in the multipliers b >= 0 of
the edges d . M_j,

    D(b) = min over d in C of  d . (M b) + KL(d),

whose minimiser is d_g = min(upper_g, d0_g exp(-(M b)_g) / Z), whose gradient is the edges, and
whose second derivative is minus the covariance of the columns over the groups below their caps.

An interior point method comes close to the maximum from anywhere, and Newton's method with an
active set ends there: to the last bits, since the edges are summed in twice the precision. A good
guess lets Newton's method begin.

Where hypotheses depend on each other many b have the same d. Then the one of least square norm is
meant: `RIDGE` |b|^2 / (2 scale) is subtracted from D, scale being sum b (and 1 more for the
projection). No edge moves by more than `RIDGE` by it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from scipy.linalg import LinAlgError, cho_factor, cho_solve

from underdog.types import Flags, Floats

RIDGE = 1e-10
"""What decides between coefficients that are equally good, in units of an edge."""
NEAR = 1e-6
"""A gap, in units of KL (or of an edge, if less), from which Newton's method needs few steps."""
SLACK = 1e-7
"""Edges that stay above the limit by more than this mean that the limit cannot be kept."""
SETTLED = 1e-10
"""Newton steps below this share of all multipliers need not become smaller."""
STILL = 1e-12
"""A Newton step below this share is the last one."""
_HALF = 2.0**26
"""Half of the bits of a float: products of two such halves are exact."""


class EntropyOptimum(NamedTuple):
    """A solution, and how good it is.

    Parameters
    ----------
    coefficients : array of shape (hypotheses,)
        Not negative. They sum to 1 for `regularised`; for `projected` they are the multipliers.
    weights : array of shape (groups,)
        The distribution d that belongs to these coefficients.
    primal, dual : float
        The values of the two problems at these weights and coefficients. Their difference shows
        what is missing to the optimum.
    feasible : bool
        Whether there is a distribution that keeps the limit.
    """

    coefficients: Floats
    weights: Floats
    primal: float
    dual: float
    feasible: bool


def regularised(
    margins: Floats, start: Floats, upper: Floats, eta: float, guess: Floats | None = None
) -> EntropyOptimum:
    """ERLPBoost's master: the least greatest edge, with relative entropy as a price.

    Minimises max_j d . M_j + KL(d) / eta over d in C. Its dual maximises, over coefficients a that
    are not negative and sum to 1, the minimum over d in C of d . (M a) + KL(d) / eta.

    Parameters
    ----------
    margins : array of shape (groups, hypotheses)
        M, between -1 and 1.
    start : array of shape (groups,)
        d0: positive, sums to 1. It may be above the caps.
    upper : array of shape (groups,)
        The caps: positive, sum at least 1. A cap of 1 or more, or infinity, is none.
    eta : float
        Price of an edge in units of KL. The optimum is above that of the linear programme by
        ln(1 / min start) / eta at most.
    guess : array of shape (hypotheses,), optional
        Coefficients of the round before, 0 for the new hypothesis. Decides only the time.

    Returns
    -------
    EntropyOptimum

    Examples
    --------
    >>> import numpy as np
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
    problem = _Dual.of(margins, start, upper, total=float(eta))
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
    """TotalBoost's and SoftBoost's master: the nearest distribution whose edges keep a limit.

    Minimises KL(d) over d in C with d . M_j <= limit for all j. Its dual maximises, over b >= 0,
    the minimum over d in C of d . (M b) + KL(d), less limit * sum b.

    No such d exists if some a >= 0 with sum 1 has d . (M a) > limit for all d in C. Then `feasible`
    is False, the coefficients are a multiple of this a, and primal and dual are infinite. A limit
    that is below the least possible one by no more than `SLACK` may pass as feasible.

    Parameters
    ----------
    margins, start, upper : arrays
        As for `regularised`.
    limit : float
        The greatest edge allowed. Kept up to `RIDGE`, so that primal - dual may be negative, by
        `RIDGE` * sum b at most.
    guess : array of shape (hypotheses,), optional
        Multipliers of the round before, 0 for the new hypothesis. Decides only the time.

    Returns
    -------
    EntropyOptimum

    Examples
    --------
    >>> import numpy as np
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
    problem = _Dual.of(margins, start, upper, limit=float(limit))
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


class _Point(NamedTuple):
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
class _Dual:
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
    def of(
        cls,
        margins: Floats,
        start: Floats,
        upper: Floats,
        total: float | None = None,
        limit: float = 0.0,
    ) -> _Dual:
        """Both problems: exactly one of total and limit matters."""
        logs, caps = np.log(start), np.minimum(upper, 1.5)
        scaled = margins * _HALF
        coarse = np.rint(scaled)
        # Margins of -1, 0 and 1 are the usual case, and need no second part.
        if np.array_equal(coarse, scaled):
            return cls(margins, margins, None, logs, caps, total, limit)
        coarse /= _HALF
        return cls(margins, coarse, margins - coarse, logs, caps, total, limit)

    def at(self, multipliers: Floats) -> _Point:
        """Weights, edges and value at these multipliers."""
        scores = self.margins @ multipliers
        logs = self.start - scores
        weights, free = _fill(logs, self.upper)
        some = weights > 0.0
        entropy = float(weights[some] @ (np.log(weights[some]) - self.start[some]))
        shares = multipliers / self.scale(multipliers)
        gradient = self._slack(weights, free) - RIDGE * (shares - 0.5 * (shares @ shares))
        return _Point(multipliers, scores, weights, free, gradient, entropy)

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

    def curvature(self, point: _Point) -> Floats:
        """Minus the second derivative."""
        result = _covariance(self.margins, np.where(point.free, point.weights, 0.0))
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


def _fill(logs: Floats, upper: Floats) -> tuple[Floats, Flags]:
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


def _covariance(margins: Floats, weights: Floats) -> Floats:
    """Sum of weights times squares of the centred columns: rows without weight cost nothing."""
    total = weights.sum()
    rows = np.flatnonzero(weights > 1e-20 * total)
    some = margins if rows.size == weights.size else margins[rows]
    shares = weights[rows]
    centred = some - (shares @ some) / max(total, 1e-300)
    centred *= np.sqrt(shares)[:, None]
    return np.asarray(centred.T @ centred)


def _solve(problem: _Dual, guess: Floats | None) -> tuple[_Point, bool]:
    """The maximum of the dual, and False if the dual is proved to have none."""
    if guess is not None:
        point, done = _newton(problem, guess, rounds=25, far=1.0)
        if done:
            return point, True
        if problem.refutes(point.multipliers):
            return point, False
    for most in (1e3, 1e6, 1e9) if problem.total is None else (problem.total,):
        multipliers = _interior(problem, most)
        if problem.refutes(multipliers):
            return problem.at(multipliers), False
        if multipliers.sum() <= 0.9 * most:
            break
    point, _ = _newton(problem, multipliers, rounds=60, far=1e8)
    return point, not problem.refutes(point.multipliers)


def _newton(problem: _Dual, multipliers: Floats, rounds: int, far: float) -> tuple[_Point, bool]:
    """Newton's method with an active set, and whether it came to its end.

    It gives up where the predicted gain of a step, in units of KL, is more than `far`: there it
    would make many short steps.
    """
    point = problem.at(multipliers)
    least = np.inf
    for _ in range(rounds):
        gradient = point.gradient
        curvature = problem.curvature(point)
        step = _ascend(curvature, gradient, point.multipliers, balanced=problem.total is not None)
        slope = float(step @ gradient)
        size = np.abs(step).max() / problem.scale(point.multipliers)
        if slope <= 0.0 or slope > far or (size <= SETTLED and size > 0.5 * least):
            return point, bool(size <= SETTLED)
        point = _search(problem, point, step, slope)
        if size <= STILL:
            return point, True
        least = min(least, size)
    return point, False


def _search(problem: _Dual, point: _Point, step: Floats, slope: float) -> _Point:
    """Where a step leads, or the part of it at which most of the slope is gone."""
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
        # Newton's method for the root of the slope. At a kink, where a cap begins or ends to bind,
        # it lands on the flat side, but near: so the other side is tried near there too.
        weights = np.where(there.free, there.weights, 0.0)
        mass = max(weights.sum(), 1e-300)
        steepness = weights @ change**2 - (weights @ change) ** 2 / mass
        share += now / max(steepness, 1e-300)
        if not low < share < high or tries % 4 == 3:
            share = low + (0.5 if tries % 4 == 3 else 0.1) * (high - low)
    return there


def _ascend(curvature: Floats, gradient: Floats, multipliers: Floats, balanced: bool) -> Floats:
    """The step p that maximises gradient . p - p . curvature p / 2 with no multiplier below 0.

    A primal active set method: `passive` multipliers may change, the others are or become 0. If
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
    """The solution of a positive definite system, regularised as little as rounding asks for."""
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


def _interior(problem: _Dual, most: float) -> Floats:
    """Multipliers near the optimum, by an interior point method.

    Mehrotra's predictor and corrector for KL(d) + most * t subject to d . M_j + w_j = t,
    d + v = upper, sum d = 1 and, if there is a limit, t - room = limit. The multipliers are b of
    the edges (sum b <= most), beta of the caps, alpha of d >= 0 and kappa of the limit, so that
    four products, b w, beta v, alpha d and kappa room, fall to 0 together. There is always a point
    inside, whether or not the limit can be kept.
    """
    groups, hypotheses = problem.margins.shape
    # Newton's method ends what begins here, so caps of next to nothing may be a little more.
    upper = np.maximum(problem.upper, 1e-12 / groups)
    d = 0.9 * _fill(problem.start, upper)[0] + 0.1 * upper / upper.sum()
    if (d >= upper).any():
        return np.full(hypotheses, most / hypotheses)
    inside = _Inside.begin(problem, most, d, upper)
    count = hypotheses + 2 * groups + 1
    for _ in range(80):
        try:
            system = _System.of(problem, most, inside)
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
    # Of a multiplier and its slack one is near 0: the smaller one is taken as 0.
    b = inside.b
    large = b / problem.scale(b) > inside.w
    if large.any() and not problem.refutes(b):
        b = np.where(large, b, 0.0)
    return b if problem.total is None else b * (problem.total / b.sum())


class _Inside(NamedTuple):
    """A point of the interior point method, or a direction to move it in.

    Letters are those of `_interior`; lam is the multiplier of sum d = 1. Without a limit kappa is
    0 and room does not matter.
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
    def begin(cls, problem: _Dual, most: float, d: Floats, upper: Floats) -> _Inside:
        """A first point at these weights, which are positive and below their caps."""
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
        """What must fall to 0."""
        sums = self.w @ self.b + self.v @ self.beta + self.d @ self.alpha
        return float(sums) + self.room * self.kappa

    def moved(self, by: _Inside, share: float) -> _Inside:
        """The point after a share of a direction."""
        pairs: Iterable[tuple[Any, Any]] = zip(self, by, strict=True)
        return _Inside._make(old + share * change for old, change in pairs)

    def longest(self, by: _Inside) -> float:
        """The longest share of a direction, up to 1, that leaves nothing below 0."""
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
    """What the derivative by d lacks, without alpha and beta."""
    over: Floats
    """What d . M_j + w_j is above t."""
    missing: float
    """What sum d lacks."""
    lacking: float
    """What sum b lacks, if kappa is 0."""
    loose: Floats
    """Change of d by a pull on it."""
    mean: Floats
    factor: tuple[Floats, bool]
    ones: Floats
    error: float
    """The greatest of what is not yet 0, in units of KL."""

    @classmethod
    def of(cls, problem: _Dual, most: float, at: _Inside) -> _System:
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
        matrix = problem.add_ridge(_covariance(margins, loose), at.b)
        matrix[np.diag_indices_from(matrix)] += at.w / at.b
        factor = cho_factor(matrix, check_finite=False)
        ones = cho_solve(factor, np.ones(at.b.size), check_finite=False)
        missing, lacking = 1.0 - float(at.d.sum()), most - float(at.b.sum())
        mean = loose @ margins / loose.sum()
        return cls(margins, drift, over, missing, lacking, loose, mean, factor, ones, error)

    def direction(
        self,
        at: _Inside,
        b_w: Floats | float,
        beta_v: Floats | float,
        alpha_d: Floats | float,
        kappa_room: float,
    ) -> _Inside:
        """The direction that would make the four products what is asked."""
        loose = self.loose
        pull = alpha_d / at.d - beta_v / at.v - self.drift
        right = (loose * pull) @ self.margins + b_w / at.b - at.w + self.over
        right += self.mean * (self.missing - loose @ pull)
        b = cho_solve(self.factor, right, check_finite=False)
        t = b.sum() - self.lacking + kappa_room / at.room
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
