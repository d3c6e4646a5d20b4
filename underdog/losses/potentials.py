"""Potentials that change with time: those of BrownBoost and RobustBoost."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np
from sklearn.base import clone

from underdog.checks import as_float, check_positive, is_number
from underdog.core import Loss, Member, Rows, Shard, Target, not_defined
from underdog.kernels import criteria, potentials
from underdog.kernels.elementary import exp
from underdog.kernels.error_function import erfc
from underdog.kernels.sums import share_of_each
from underdog.losses.log_weights import LogWeightSignal, exp_of, one_label
from underdog.losses.pointwise import margins
from underdog.types import Codes, Floats, Integers
from underdog.workers.collective import ALONE, Collective

LARGEST_WIDTH = 27.0
"""erfc(27) underflows."""


class Place(NamedTuple):
    """Where the potential falls at some time: x = (margin - centre) / width, and derivatives."""

    centre: float
    width: float
    centre_speed: float
    width_speed: float


class TimedLoss(Loss):
    """A loss that changes with time. A subclass has a parameter `time` and defines `end`."""

    facts: ClassVar[tuple[str, ...]] = ("edge", "loss")
    time: float

    @property
    def end(self) -> float:
        """The last time, at which the loss of a mistake is at least 1."""
        raise not_defined(self, "end")

    def at(self, time: float) -> Self:
        """The same loss at another time."""
        found: Self = clone(self).set_params(time=float(time))
        return found

    def check(self) -> None:
        if not is_number(self.time) or not 0.0 <= self.time <= self.end:
            raise ValueError(f"time={self.time!r} must be between 0 and {self.end:g}")


class PotentialLoss(TimedLoss):
    """The mean of u_i erfc((y_i F(x_i) - m(t)) / s(t)), in which the time t never goes back.

    The weight of an example is u exp(-((y F - m) / s)**2), minus the derivative of its potential up
    to a factor. It is small where the margin is large, and where it is so far below m that the
    example is given up. Losses with `held` have a potential of at most u, and no weight below m.

    A subclass defines `place`.
    """

    chooses_by = "edge"
    held: ClassVar[bool] = False

    def place(self, time: float) -> Place:
        """Centre and width at a time."""
        raise not_defined(self, "place")

    def shifted(self, margin: Floats) -> Floats:
        """x: how far margins are above the centre, in widths."""
        place = self.place(self.time)
        result: Floats = (margin - place.centre) / place.width
        return result

    def each(self, margin: Floats) -> Floats:
        """The potentials of examples with these margins."""
        x = self.shifted(margin)
        result = np.empty(x.size)
        potentials.potential_each(x.ravel(), self.held, result)
        return result.reshape(x.shape)

    def log_weights(self, margin: Floats) -> Floats:
        """Logarithms of the weights of examples with these margins; -inf if there is none."""
        x = self.shifted(margin)
        logs: Floats = -(x * x)
        return np.where(x > 0.0, logs, -np.inf) if self.held else logs

    def make_signal(self, rows: Rows, costly: bool = False) -> TimedSignal:
        one_label(rows, self)
        return TimedSignal(self, rows, costly)

    def constant(self, sums: Integers, unit: Floats, smooth: float) -> Floats:
        """The scores of all rows being 0, the derivative of the potential is 0 there."""
        place = self.place(self.time)
        values = np.empty((1, sums.shape[2]))
        criteria.fill(criteria.REAL_Z, sums, unit, smooth, 1.0, values)
        if place.centre >= 0.0:
            return np.sign(values)
        return values * (place.width * place.width / (-2.0 * place.centre))

    def mean(
        self, scores: Floats, sign: Codes, weight: Floats, collective: Collective = ALONE
    ) -> float:
        own = np.broadcast_to(weight if weight.ndim == 2 else weight[:, np.newaxis], sign.shape)
        return float((own * self.each(margins(scores, sign))).sum() / own.sum())

    def example_weights(self, scores: Floats, target: Target) -> Floats:
        logs = self.log_weights(margins(scores, target.sign)) + target.log_prior[:, np.newaxis]
        if logs.max() == -np.inf:  # all are given up
            logs = np.zeros_like(logs) + target.log_prior[:, np.newaxis]
        return share_of_each(logs, target.repeats)

    def log_bound(self, rows: Rows, costly: bool = False) -> float:
        """Of the mean potential at the end, when that of a mistake is at least 1."""
        last = self.at(self.end)
        highest = rows.largest(lambda shard: shard.target.log_weight(costly))

        def weights(shard: Shard) -> Floats:
            return exp_of(shard.target.log_weight(costly) - highest)

        total = rows.exact_sum(
            lambda shard: weights(shard) * last.each(margins_of(shard)[:, np.newaxis])[:, 0]
        )
        share = total / rows.exact_sum(weights)
        return math.log(share) if share > 0.0 else -math.inf

    def gains(self, history: Mapping[str, Floats], members: Sequence[Member]) -> Floats:
        """How far the clock moved in each round."""
        result: Floats = np.diff(history["time"], prepend=0.0)
        return result


class BrownPotential(PotentialLoss):
    r"""The potential of BrownBoost: :math:`1 - \mathrm{erf}((y F + c - t) / \sqrt{c})`.

    At the start, without scores, its mean is :math:`1 - \mathrm{erf}(\sqrt{c})`, the target error.

    Parameters
    ----------
    total_time : float, default=1.3528
        c; the larger it is, the fewer examples are given up.
    time : float, default=0.0
        t, from 0 to c.

    References
    ----------
    Freund, "An adaptive version of the boost by majority algorithm", Machine Learning 43, 2001.

    Examples
    --------
    >>> from underdog.losses import BrownPotential
    >>> loss = BrownPotential.for_error(0.1)
    >>> round(loss.total_time, 4)
    1.3528
    """

    def __init__(self, total_time: float = 1.3528, time: float = 0.0) -> None:
        self.total_time: float = as_float(total_time)
        self.time: float = as_float(time)

    @classmethod
    def for_error(cls, target_error: float) -> BrownPotential:
        """The potential whose mean is this error at the start."""
        return cls(inverse_erfc(target_error) ** 2)

    def check(self) -> None:
        check_positive("total_time", self.total_time)
        super().check()

    @property
    def end(self) -> float:
        return self.total_time

    def place(self, time: float) -> Place:
        return Place(time - self.total_time, math.sqrt(self.total_time), 1.0, 0.0)


class RobustPotential(PotentialLoss):
    r"""The potential of RobustBoost: :math:`\min(1, 1 - \mathrm{erf}((y F - m(t)) / s(t)))`.

    With :math:`u = e^{t - 1}` and t from 0 to 1,

    .. math:: m = \theta - 2 \rho (1 - u), \quad s^2 = \sigma_f^2 + 1 - u^2,

    and rho such that the mean is the target error at the start. Scores are those of the paper times
    :math:`e^{t - 1}`: there all of them shrink with time, and here the potential becomes narrower.

    Parameters
    ----------
    target_error : float, default=0.1
        The share of the examples whose margin may be at most `target_margin`.
    target_margin : float, default=0.0
        theta, of scores that are not normalised.
    final_width : float, default=0.1
        sigma_f: how gradually the potential falls at the end.
    time : float, default=0.0
        t, from 0 to 1.

    References
    ----------
    Freund, "A more robust boosting algorithm", arXiv:0905.2138, 2009.

    Examples
    --------
    >>> from underdog.losses import RobustPotential
    >>> place = RobustPotential().at(1.0).place(1.0)
    >>> round(place.centre, 3), round(place.width, 3)
    (0.0, 0.1)
    """

    held: ClassVar[bool] = True

    def __init__(
        self,
        target_error: float = 0.1,
        target_margin: float = 0.0,
        final_width: float = 0.1,
        time: float = 0.0,
    ) -> None:
        self.target_error: float = as_float(target_error)
        self.target_margin: float = as_float(target_margin)
        self.final_width: float = as_float(final_width)
        self.time: float = as_float(time)

    def check(self) -> None:
        check_target_error(self.target_error)
        check_positive("target_margin", self.target_margin, zero=True)
        check_positive("final_width", self.final_width)
        super().check()

    @property
    def end(self) -> float:
        return 1.0

    @property
    def rho(self) -> float:
        """Half of the speed of the centre."""
        first = float(exp(-1.0))
        width = math.sqrt(self.final_width**2 + 1.0 - first * first)
        drop = width * inverse_erfc(self.target_error) + self.target_margin
        return drop / (2.0 * (1.0 - first))

    def place(self, time: float) -> Place:
        u, rho = float(exp(time - 1.0)), self.rho
        centre = self.target_margin - 2.0 * rho * (1.0 - u)
        width = math.sqrt(self.final_width**2 + 1.0 - u * u)
        return Place(centre, width, 2.0 * rho * u, -u * u / width)


class TimedSignal(LogWeightSignal):
    """The weights of a loss at the time that a combiner sets."""

    def __init__(self, loss: TimedLoss, rows: Rows, costly: bool) -> None:
        super().__init__(rows, costly)
        self.loss: Any = loss

    def log_weights(self, shard: Shard) -> Floats:
        logs: Floats = self.loss.log_weights(margins_of(shard)) + shard.target.log_weight(
            self.costly
        )
        return logs[:, np.newaxis]


def margins_of(shard: Shard) -> Floats:
    """(n,) margins of the only label."""
    return margins(shard.scores.relative[:, 0] + shard.scores.base[0], shard.target.sign[:, 0])


def check_target_error(value: float) -> None:
    """Refuse a target error that no potential has."""
    if not is_number(value) or not 1e-300 <= value < 1.0:
        raise ValueError(
            f"target_error={value!r} must be a share between 0 and 1: the training error that is "
            "accepted, about the share of wrong labels"
        )


@cache
def inverse_erfc(share: float) -> float:
    """x > 0 with erfc(x) = share, by bisection: the same bits on any machine."""
    check_target_error(share)
    low, high = 0.0, LARGEST_WIDTH
    while True:
        middle = 0.5 * (low + high)
        if middle in (low, high):
            return middle
        low, high = (middle, high) if float(erfc(middle)) > share else (low, middle)
