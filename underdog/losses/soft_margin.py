"""The soft margin, and the weights that a master problem sets."""

from __future__ import annotations

import math
from decimal import ROUND_CEILING, ROUND_FLOOR, Context

import numpy as np

from underdog.checks import as_float, check_positive, is_number
from underdog.core import Blocks, Change, Loss, Partition, Reads, Rows, Shard, Target
from underdog.kernels.sums import exact_sum
from underdog.masters.groups import Box, Groups, soft_margin
from underdog.types import Codes, Floats, Indices, Integers
from underdog.workers.collective import ALONE, Collective

UNIT_BITS = 59
"""All weights together are less than 2**59 units."""
STEP_BITS = 34
"""Weights are multiples of 2**-34 of their range; smaller differences are errors of the solver."""
SHIFT_BITS = 8
"""If all weights are below 2**-8 (2**-16, ...) of their range, steps are finer by that factor."""
MAX_BITS = 1000
"""Finer steps would underflow."""
MIN_NU = 1e-250
"""A smaller nu makes no difference, because no example reaches its upper bound."""
FIRST_NU = 0.1
"""The first value of nu="auto" if no class is rare."""
MAX_NU = 0.75
"""The last value of nu="auto" if both classes have the same share."""


class SoftMargin(Loss):
    r"""Minus the soft margin, optionally uneven between positive and negative examples.

    The loss is the minimum of :math:`-\rho + \frac{1}{m \nu} (\beta \sum_+ \xi_i + \sum_- \xi_i)`
    subject to :math:`y_i f(x_i) \ge \rho - \xi_i`, where f is a convex combination of hypotheses in
    [-1, 1]. In the dual problem the examples have weights u that sum to one, at most :math:`\beta /
    (m \nu)` for a positive and :math:`1 / (m \nu)` for a negative; the loss is minus the minimum of
    :math:`\sum u_i y_i f(x_i)` over them. With sample weights w that sum to m, the bounds are
    multiplied by :math:`w_i`.

    Parameters
    ----------
    nu : float, default=0.1
        In (0, 1): approximately the share of the examples that may lie below the margin. 1/m or
        less is the hard margin.
    beta : float, default=1.0
        Number of negatives that one positive counts for.
    lower_bound_ratio : float, default=0.0
        Every weight is at least its upper bound divided by this number; 0 means no lower bound.

    References
    ----------
    Demiriz, Bennett and Shawe-Taylor, "Linear programming boosting via column generation", Machine
    Learning 46, 2002, eqs. (4) and (5). Leskovec and Shawe-Taylor, "Linear Programming Boosting for
    Uneven Datasets", ICML 2003, eqs. (2) to (4).

    Examples
    --------
    >>> from underdog.losses import SoftMargin
    >>> SoftMargin(nu=0.2, beta=4.0)
    SoftMargin(beta=4.0, nu=0.2)
    """

    chooses_by = "edge"

    def __init__(self, nu: float = 0.1, beta: float = 1.0, lower_bound_ratio: float = 0.0) -> None:
        self.nu: float = as_float(nu)
        self.beta: float = as_float(beta)
        self.lower_bound_ratio: float = as_float(lower_bound_ratio)

    def check(self) -> None:
        if not is_number(self.nu) or not 0.0 < self.nu < 1.0:
            raise ValueError(
                f"nu={self.nu!r} must be between 0 and 1: it is approximately the share of the "
                "examples that may lie below the margin"
            )
        check_positive("beta", self.beta)
        check_positive("lower_bound_ratio", self.lower_bound_ratio, zero=True)
        if 0.0 < self.lower_bound_ratio < 1.0:
            raise ValueError(
                f"lower_bound_ratio={self.lower_bound_ratio!r} would put lower bounds above upper "
                "bounds: use at least 1, or 0 for no lower bound"
            )

    @property
    def box(self) -> Box:
        """Bounds on a weight by sign, as multiples of the share of an example."""
        upper = np.array([1.0, self.beta]) / max(self.nu, MIN_NU)
        lower = upper / self.lower_bound_ratio if self.lower_bound_ratio else np.zeros(2)
        return Box(lower, upper)

    def check_feasible(self, positives: float) -> None:
        """Refuse bounds that no weights with sum 1 satisfy; `positives` is their share."""
        if self._is_feasible(positives):
            return
        ratio, nu = self.lower_bound_ratio, self.nu
        reach = nu * self._sum_of_upper(positives)
        if reach < nu:
            what = f"upper bounds of the weights sum to {reach / nu:.4g}, less than 1"
            options = [
                ("nu", "most", rounded_down(reach)),
                ("beta", "least", rounded_up((nu - (1.0 - positives)) / positives)),
            ]
        else:
            what = f"lower bounds of the weights sum to {reach / nu / ratio:.4g}, more than 1"
            options = [
                ("lower_bound_ratio", "least", rounded_up(reach / nu)),
                ("nu", "least", rounded_up(reach / ratio)),
                ("beta", "most", rounded_down((ratio * nu - (1.0 - positives)) / positives)),
            ]
        advice = [
            f"{name} of at {limit} {value}"
            for name, limit, value in options
            if self._is_feasible_with(name, float(value), positives)
        ]
        if ratio:
            advice.append("lower_bound_ratio=0 (no lower bound)")
        raise ValueError(
            f"nu={nu:g}, beta={self.beta:g} and lower_bound_ratio={ratio:g} are infeasible: the "
            f"{what}; use {', or '.join(advice)}"
        )

    def _sum_of_upper(self, positives: float) -> float:
        return ((1.0 - positives) + self.beta * positives) / self.nu

    def _is_feasible(self, positives: float) -> bool:
        upper = self._sum_of_upper(positives)
        return upper >= 1.0 and not 0.0 < self.lower_bound_ratio < upper

    def _is_feasible_with(self, name: str, value: float, positives: float) -> bool:
        """Whether the bounds are feasible with another value of one parameter."""
        other = SoftMargin(**{**self.get_params(), name: value})
        try:
            other.check()
        except ValueError:
            return False
        return other._is_feasible(positives)

    def nu_range(self, positives: float, examples: int) -> tuple[float, float]:
        """The first and the largest value of nu="auto".

        The first value is half of the sum of the bounds of the lighter class at nu = 1, so that
        half of this class can have all the weight, but at most 0.1. It is at least 1/m, which
        already is the hard margin, because less would give weight to a class with almost none. It
        is larger if the lower bounds would use more than half of the weight. The largest value is
        below four times that half, from which on a constant has a positive margin.
        """
        by_sign = np.array([1.0 - positives, self.beta * positives])
        lighter = float(by_sign.min())
        first = max(0.5 * lighter, 1.0 / examples)
        if self.lower_bound_ratio:
            first = max(first, 2.0 * float(by_sign.sum()) / self.lower_bound_ratio)
        first = min(first, FIRST_NU)
        return first, max(first, min(1.5 * lighter, MAX_NU))

    def constant_margin(self, positives: float) -> float:
        """The larger soft margin of the constants +1 and -1."""
        shares = np.array([1.0 - positives, positives])
        box = self.box
        return max(
            soft_margin(y * np.array([-1.0, 1.0]), box.lower * shares, box.upper * shares)
            for y in (-1.0, 1.0)
        )

    def make_signal(self, rows: Rows, costly: bool = False) -> Distribution:
        target = rows.only.target
        if target.n_labels > 1:
            raise ValueError(
                f"{self!r} is for two classes, but there are {target.n_labels} label columns"
            )
        return Distribution(target, target.log_weight(costly), self.box)

    def constant(self, sums: Integers, unit: Floats, smooth: float) -> Floats:
        masses = (sums * unit).sum(axis=0)[:, 0]
        return np.full((1, 1), 1.0 if masses[1] > masses[0] else -1.0)

    def mean(
        self, scores: Floats, sign: Codes, weight: Floats, collective: Collective = ALONE
    ) -> float:
        share = weight / weight.sum()
        box = self.box
        own = sign[:, 0]
        y = 2.0 * own - 1.0
        return -soft_margin(y * scores[:, 0], box.lower[own] * share, box.upper[own] * share)


class Distribution:
    """Integer weights of examples, which a master problem sets for each group.

    The weight of an example is its share times lower + fraction (upper - lower), with the fraction
    of its group in steps of 2**-34, or finer if all fractions are small.

    Attributes
    ----------
    groups : Groups
    start : float
        The initial fraction of all groups, for weights proportional to their upper bounds.
    """

    reads: Reads = "sides"
    n_channels = 2
    mass = 1.0

    def __init__(self, target: Target, log_prior: Floats, box: Box) -> None:
        self.sign: Codes = target.sign
        self.version = 0
        self.change: Change | None = None
        self._relative = np.exp(log_prior - log_prior.max())
        share = target.repeats * self._relative / exact_sum(self._relative, target.repeats)
        self.groups = Groups(target.sign[:, 0], share, box)
        self._times, self._highest = target.repeats, float(box.upper.max())
        self._room = UNIT_BITS - int(target.repeats.sum()).bit_length()
        lower, upper = float(self.groups.lower.sum()), float(self.groups.upper.sum())
        self.start = (1.0 - lower) / (upper - lower) if upper > lower else 0.0
        self._fractions = np.full(2, self.start)
        self._units = self._compute_weights()
        self._delta: Integers = np.zeros_like(self._units)

    def _compute_weights(self) -> Integers:
        """(n,) integer weights."""
        box, groups = self.groups.box, self.groups
        lower, upper = box.lower[groups.sign], box.upper[groups.sign]

        def weights(fraction: Floats) -> Floats:
            weight = (lower + fraction * (upper - lower)) / self._highest
            result: Floats = weight[groups.of_row] * self._relative
            return result

        # If nu is small, all weights are far below their upper bounds and might be rounded to 0.
        heaviest = float(weights(self._fractions).max())
        shift = max(int(-math.log2(heaviest)) // SHIFT_BITS * SHIFT_BITS, 0)
        bits = min(STEP_BITS + shift, MAX_BITS)
        fraction = np.ldexp(np.rint(np.ldexp(self._fractions, bits)), -bits)
        own = np.rint(np.ldexp(weights(fraction), self._room + shift))
        result: Integers = self._times * own.astype(np.int64)
        return result

    def set(self, weights: Floats) -> None:
        """Set the weights of the groups."""
        lower, upper = self.groups.lower, self.groups.upper
        room = upper - lower
        self._fractions = np.divide(
            weights - lower, room, out=np.zeros_like(room), where=room > 0.0
        ).clip(0.0, 1.0)
        units = self._compute_weights()
        self._delta = units - self._units
        self._units = units
        rows = np.flatnonzero(self._delta).astype(np.int32)
        fresh = np.zeros((2, 1), dtype=np.uint8)
        moved = (Blocks.of_two(rows, 1),)
        self.change = Change(self.version, moved, np.zeros((2, 1)), fresh, False)
        self.version += 1

    def channel_of(self, shard: Shard) -> Codes:
        return self.sign

    def amounts(
        self, shard: Shard, rows: Indices, first_label: int, channel: int, out: Integers
    ) -> None:
        out[:, 0] = self._units[rows]

    def deltas(
        self,
        shard: Shard,
        rows: Indices,
        step: Floats,
        channel: int,
        out: Integers,
        totals: Integers,
    ) -> None:
        delta = self._delta[rows]
        out[:, 0] = delta
        positive = self.sign[rows, 0] == 1
        totals[1, 0] += delta[positive].sum()
        totals[0, 0] += delta[~positive].sum()

    def unit(self, totals: Integers, out: Floats) -> None:
        out[:] = 1.0 / int(totals.sum())

    def after_step(self, partition: tuple[Partition, ...], steps: Floats, sums: Integers) -> None:
        """Do nothing: a master problem sets the weights."""

    def restart(self) -> None:
        """Do nothing: a master problem sets the weights."""


def rounded_down(value: float, digits: int = 4) -> str:
    """The value as text, rounded down to so many digits."""
    return f"{Context(prec=digits, rounding=ROUND_FLOOR).create_decimal(value):g}"


def rounded_up(value: float, digits: int = 4) -> str:
    """The value as text, rounded up to so many digits."""
    return f"{Context(prec=digits, rounding=ROUND_CEILING).create_decimal(value):g}"
