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

from dataclasses import dataclass
from typing import NamedTuple

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
"""Newton steps below this share of all multipliers are the last ones."""
STILL = 1e-12
"""Newton steps below this share are rounding."""
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
        The values of the two problems at these weights and coefficients. The optimum lies between
        them, so that primal - dual shows what is missing.
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
        ln(groups) / eta at most if `start` is uniform and there are no caps.
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
    Warmuth, Glocer, Vishwanathan: Entropy regularized LPBoost (ALT 2008), eq. 4 and 5.
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
    is False, the coefficients are a multiple of this a, and primal and dual are infinite. Between
    limits that differ by less than 1e-7 from the least one possible it is not told apart.

    Parameters
    ----------
    margins, start, upper : arrays
        As for `regularised`.
    limit : float
        The greatest edge allowed. Kept up to `RIDGE`.
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
    (ICML 2006), eq. 6. Warmuth, Glocer, Raetsch: Boosting algorithms for maximizing the soft
    margin (NIPS 2007), eq. 4.
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
        be 1e-6 in a coefficient. So weights and margins are split in halves, whose products and
        sums are exact, and what cancels is subtracted first.
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
        point, done = _newton(problem, guess, rounds=25, far=2.0)
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
    """The step p that maximises gradient . p - p . curvature p / 2 and leaves no multiplier below 0.

    A primal active set method: `passive` multipliers may change, the others are 0. If `balanced`,
    the step sums to 0.
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
    while True:
        try:
            factor = cho_factor(matrix, check_finite=False)
        except LinAlgError:
            jitter *= 10.0
            matrix = matrix + jitter * np.eye(matrix.shape[0])
        else:
            return np.asarray(cho_solve(factor, right, check_finite=False))


def _interior(problem: _Dual, most: float) -> Floats:
    """Multipliers near the optimum, by an interior point method.

    Mehrotra's predictor and corrector for KL(d) + most * t subject to d . M_j + w_j = t,
    d + v = upper, sum d = 1 and, if there is a limit, t >= limit. The multipliers are b of the
    edges (sum b <= most), beta of the caps, alpha of d >= 0 and kappa of the limit, so that four
    products, b w, beta v, alpha d and kappa (t - limit), fall to 0 together. All that is not b is
    eliminated. There is always a point inside, whether or not the limit can be kept.
    """
    margins, start, limit = problem.margins, problem.start, problem.limit
    groups, hypotheses = margins.shape
    fixed = problem.total is not None
    # Newton's method ends what begins here, so caps of next to nothing may be a little more.
    upper = np.maximum(problem.upper, 1e-12 / groups)
    d = 0.9 * _fill(start, upper)[0] + 0.1 * upper / upper.sum()
    v = upper - d
    b = np.full(hypotheses, (1.0 if fixed else 0.5) * most / hypotheses)
    if v.min() <= 0.0:
        return b
    edges = d @ margins
    t = float(edges.max() if fixed else max(edges.max(), limit)) + 0.1
    w = t - edges
    level = (w @ b) / hypotheses
    alpha, beta, kappa = 0.1 * level / d, 0.1 * level / v, 0.0 if fixed else 0.5 * most
    near = NEAR * min(most, 1.0)
    lam = float(d @ (np.log(d) - start + 1.0 + margins @ b + beta - alpha))
    for _ in range(80):
        shares = b / problem.scale(b)
        drift = np.log(d) - start + 1.0 + margins @ b - lam
        over = d @ margins + w - t - RIDGE * (shares - 0.5 * (shares @ shares))
        missing = 1.0 - d.sum()
        room = 1.0 if fixed else t - limit
        left = w @ b + v @ beta + d @ alpha + room * kappa
        if max(left, d @ np.abs(drift + beta - alpha), np.abs(over).max() * b.sum()) <= near:
            break
        if problem.refutes(b):
            return b
        loose = 1.0 / ((1.0 + alpha) / d + beta / v)
        all_loose = loose.sum()
        mean = loose @ margins / all_loose
        matrix = problem.add_ridge(_covariance(margins, loose), b)
        matrix[np.diag_indices_from(matrix)] += w / b
        try:
            factor = cho_factor(matrix, check_finite=False)
        except LinAlgError:
            break
        ones = cho_solve(factor, np.ones(hypotheses), check_finite=False)

        def direction(
            at_w: Floats | float, at_v: Floats | float, at_d: Floats | float, at_t: float
        ) -> _Direction:
            """The changes that make the four products what is asked."""
            pull = at_d / d - at_v / v - drift
            right = (loose * pull) @ margins + at_w / b - w + over
            right += mean * (missing - loose @ pull)
            db = cho_solve(factor, right, check_finite=False)
            dt = (db.sum() + b.sum() - most + at_t / room) / (ones.sum() + kappa / room)
            db = db - dt * ones
            change = margins @ db
            dlam = (missing - loose @ (pull - change)) / all_loose
            dd = loose * (pull - change + dlam)
            return _Direction(
                b=db,
                t=dt,
                lam=dlam,
                d=dd,
                w=(at_w - w * db) / b - w,
                alpha=(at_d - alpha * dd) / d - alpha,
                beta=(at_v + beta * dd) / v - beta,
                kappa=(at_t - kappa * dt) / room - kappa,
            )

        def longest(by: _Direction) -> float:
            """The longest share of a direction, up to 1, that leaves nothing below 0."""
            fall = max(
                float((-change / value).max())
                for value, change in (
                    (b, by.b), (w, by.w), (d, by.d), (v, -by.d), (alpha, by.alpha), (beta, by.beta)
                )
            )  # fmt: skip
            if not fixed:
                fall = max(fall, -by.t / room, -by.kappa / kappa)
            return 1.0 / max(fall, 1.0)

        by = direction(0.0, 0.0, 0.0, 0.0)
        share = longest(by)
        ahead = (
            (w + share * by.w) @ (b + share * by.b)
            + (v - share * by.d) @ (beta + share * by.beta)
            + (d + share * by.d) @ (alpha + share * by.alpha)
            + (room + share * by.t) * (kappa + share * by.kappa)
        )
        aim = (ahead / left) ** 3 * left / (hypotheses + 2 * groups + 1)
        by = direction(
            aim - by.w * by.b,
            aim + by.d * by.beta,
            aim - by.d * by.alpha,
            0.0 if fixed else aim - by.t * by.kappa,
        )
        share = 0.99 * longest(by)
        b, t, lam = b + share * by.b, t + share * by.t, lam + share * by.lam
        d, w, kappa = d + share * by.d, w + share * by.w, kappa + share * by.kappa
        alpha, beta, v = alpha + share * by.alpha, beta + share * by.beta, v - share * by.d
    # Of a multiplier and its slack one is near 0: the smaller one is taken as 0.
    large = b / problem.scale(b) > w
    if large.any():
        b = np.where(large, b, 0.0)
    return b * (most / b.sum()) if fixed else b


class _Direction(NamedTuple):
    """Changes of what the interior point method moves."""

    b: Floats
    t: float
    lam: float
    d: Floats
    w: Floats
    alpha: Floats
    beta: Floats
    kappa: float
