"""The exponential loss and its integer weights."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import cache, partial
from typing import ClassVar

import numpy as np

from underdog.checks import as_float, check_positive
from underdog.core import (
    Blocks,
    Change,
    ConvergesTo,
    Loss,
    Measured,
    Member,
    Partition,
    Proposal,
    Reads,
    Rows,
    Run,
    Shard,
    Target,
)
from underdog.kernels import criteria, weights
from underdog.kernels.elementary import GRID, log
from underdog.kernels.sums import bounded_exp, log_sum_exp, share_of_each
from underdog.types import Codes, Floats, Indices, Integers
from underdog.workers.collective import ALONE, Collective
from underdog.workers.collective import log_sum_exp as log_sums

MIN_TOTAL, MAX_TOTAL, FRESH_BITS = 2.0**50, 2.0**62, 59
"""If the total units of a label and sign leave this range, they are rescaled to below 2**59."""


class Exponential(Loss):
    """Exponential loss, optionally uneven between positive and negative examples.

    The sum of w_i exp(-b_i y_i F(x_i)), with b_i = 1/beta for positives and 1 for negatives. The
    initial weight of a positive is beta times that of a negative. beta = 1 is the loss of AdaBoost.

    Parameters
    ----------
    beta : float, default=1.0
        Number of negatives that one positive counts for.

    References
    ----------
    Leskovec and Shawe-Taylor, "Linear Programming Boosting for Uneven Datasets", ICML 2003,
    eq. (10).

    Examples
    --------
    >>> from underdog.losses import Exponential
    >>> Exponential().probability_scale
    2.0
    >>> Exponential(beta=4.0).probability_scale
    1.25
    """

    takes_parts: ClassVar[bool] = True

    facts: ClassVar[tuple[str, ...]] = ("edge", "z", "loss", "log_loss")
    takes_masks: ClassVar[bool] = True

    def __init__(self, beta: float = 1.0) -> None:
        self.beta: float = as_float(beta)

    def check(self) -> None:
        check_positive("beta", self.beta)

    def log_odds_shift(self, converges_to: ConvergesTo) -> float | None:
        if self.beta == 1.0 or converges_to == "minimum":
            return 0.0
        # At the minimum of the uneven loss positives weigh beta times as much as negatives.
        return math.log(self.beta) / self.probability_scale if converges_to == "balance" else None

    def make_signal(self, rows: Rows, costly: bool = False) -> ExponentialSignal:
        return ExponentialSignal(rows, self.beta, costly)

    def constant(self, sums: Integers, unit: Floats, smooth: float) -> Floats:
        values = np.empty((1, sums.shape[2]))
        rule = criteria.REAL_Z if self.beta == 1.0 else criteria.UNEVEN_Z
        criteria.fill(rule, sums, unit, smooth, self.beta, values)
        return values

    def best_coefficient(self, proposal: Proposal, smooth: float, signal: int = 0) -> float:
        return least_z_coefficient(proposal, smooth, signal, self.beta)

    def measure(self, run: Run, proposal: Proposal, coefficient: float) -> Measured:
        values = proposal.hypothesis.values
        steps = np.empty_like(values)
        size, z, log_z, edge = criteria.measure(
            values, coefficient, proposal.sums[0], proposal.unit[0], rate_of(self.beta), steps
        )
        log_loss = run.history.last("log_loss", self.log_start(run)) + log_z
        facts = {"edge": edge, "z": z, "loss": bounded_exp(log_loss), "log_loss": log_loss}
        return Measured(steps, size, facts)

    def log_start(self, run: Run) -> float:
        """Logarithm of the loss before the first round, which this is; otherwise it is not used."""
        return self.log_bound(run.rows) if not run.history.rows and run.rows.start.any() else 0.0

    def ratio(self, proposal: Proposal, steps: Floats, signal: int = 0) -> float:
        sums, unit = proposal.sums[signal], proposal.unit[signal]
        return float(criteria.normaliser(steps, sums, unit, rate_of(self.beta)))

    def example_weights(self, scores: Floats, target: Target) -> Floats:
        labels = range(target.n_labels)
        logs = np.stack([_logarithms(target, k, self.beta, scores[:, k]) for k in labels], axis=1)
        return share_of_each(logs, target.repeats)

    def gains(self, history: Mapping[str, Floats], members: Sequence[Member]) -> Floats:
        """The drop of ln Z."""
        result: Floats = -np.log(history["z"])
        return result

    def log_bound(self, rows: Rows, costly: bool = False) -> float:
        own, all_ = np.empty(rows.n_labels), np.empty(rows.n_labels)
        for label in range(rows.n_labels):
            logs = partial(_log_weights, label=label, beta=self.beta, costly=costly)
            own[label] = rows.log_sum_exp(logs)
            all_[label] = rows.log_sum_exp(partial(logs, at_start=True))
        return float(log_sum_exp(own) - log_sum_exp(all_))

    def mean(
        self, scores: Floats, sign: Codes, weight: Floats, collective: Collective = ALONE
    ) -> float:
        rate = np.where(sign == 1, 1.0 / self.beta, 1.0)
        fall = np.where(sign == 1, 1.0, -1.0) * rate * scores
        start = np.where(sign == 1, self.beta, 1.0)
        each = weight if weight.ndim == 2 else weight[:, np.newaxis]
        with np.errstate(divide="ignore"):
            logs = np.log(each * start).ravel()
        highest = np.log(np.finfo(float).max)
        now, before = (log_sums(collective, each) for each in (logs - fall.ravel(), logs))
        return float(np.exp(min(now - before, highest)))

    @property
    def probability_scale(self) -> float:
        """s in P(y = +1 | x) = 1 / (1 + exp(-s F)), where F minimises the loss."""
        return 1.0 + 1.0 / self.beta


@cache
def rate_of(beta: float) -> Floats:
    """(2,): by sign, the rate at which a weight decreases with the margin."""
    return np.array([1.0, 1.0 / beta])


def least_z_coefficient(
    proposal: Proposal, smooth: float, signal: int = 0, beta: float = 1.0
) -> float:
    """The a that minimises Z(a) = sum D exp(-a b y h), b being 1/beta for positives, else 1.

    For votes and beta = 1 it is 1/2 ln((1 + r)/(1 - r)) with r = sum D y h, otherwise the root of
    Z'(a). In both, the correct and the wrong weight are at least e / 2 (1 + r and 1 - r are at
    least e), so that the coefficient of a perfect hypothesis stays finite.
    """
    values = proposal.hypothesis.values
    if beta == 1.0 and bool((np.abs(values) == 1.0).all()):
        edge = proposal.edge(signal)
        # Without smoothing, twice the smallest weight that integers resolve.
        floor = max(smooth, 2.0 * criteria.MIN_WEIGHT)
        return 0.5 * float(log(max(1.0 + edge, floor)) - log(max(1.0 - edge, floor)))
    slopes = np.array([-1.0, 1.0 / beta])[:, np.newaxis] * values[:, np.newaxis, :]
    room = np.zeros(2)  # for what is missing up to e / 2 on either side
    mass, slope = (
        np.concatenate([each.ravel(), room]) for each in (proposal.masses(signal), slopes)
    )
    return float(criteria.floored_minimiser(mass, slope, smooth))


def _log_weights(
    shard: Shard, label: int, beta: float, costly: bool, at_start: bool = False
) -> Floats:
    """(n,) logarithm of the current or initial weight of each row for one label."""
    score = None
    if not at_start:
        score = shard.scores.relative[:, label] + shard.scores.base[label]
    return _logarithms(shard.target, label, beta, score, costly)


def _logarithms(
    target: Target, label: int, beta: float, score: Floats | None, costly: bool = False
) -> Floats:
    positive = target.sign[:, label] == 1
    start = target.log_weight(costly)
    if beta != 1.0:
        start = start + np.where(positive, float(log(beta)), 0.0)
    if target.log_label is not None:
        start = start + target.log_label[target.sign[:, label], label]
    if target.mask is not None:
        start = np.where(target.mask[:, label], start, -np.inf)
    if score is None:
        return start
    fall = score / beta
    np.negative(score, out=fall, where=~positive)
    return np.subtract(start, fall, out=fall)


def _sides(target: Target) -> Codes:
    """(n, K) the signs, and 2 where a row does not count."""
    if target.mask is None:
        return target.sign
    return np.where(target.mask, target.sign, np.uint8(2))


class ExponentialSignal:
    """Integer weights V = rint(2**exponent exp(log_weight - y rate (F - B))), B = base + offset.

    V depends only on the score. If `base` changes, B changes with it, so rows that are not listed
    keep their V, and rounding errors do not accumulate. B and the exponent of a label and sign
    change only when the total would leave [2**50, 2**62]. The weight of one unit, as a logarithm,
    carries the weight of a label and sign relative to the others; V does not depend on it.

    Parameters
    ----------
    rows : Rows
    beta : float
    costly : bool
        Whether the initial weights of examples are their costs instead of their prior weights.
    """

    reads: Reads = "sides"
    n_channels = 2
    mass = 1.0

    def __init__(self, rows: Rows, beta: float, costly: bool) -> None:
        n_labels = rows.n_labels
        self.rows, self.costly = rows, costly
        self.rate = rate_of(beta)
        self.log_start = np.array([0.0, float(log(beta))])
        self.log_label = rows.shards[0].target.log_label
        self.offset = np.zeros((2, n_labels))
        self.exponent = np.zeros((2, n_labels), dtype=np.int64)
        self.version = 0
        self.change: Change | None = None
        examples = rows.total(lambda shard: np.asarray(shard.target.repeats.sum()))
        self._room = FRESH_BITS - int(examples).bit_length()
        self._rescale(np.ones((2, n_labels), dtype=np.uint8))

    def channel_of(self, shard: Shard) -> Codes:
        return shard.target.sign

    def amounts(
        self, shard: Shard, rows: Indices, first_label: int, channel: int, out: Integers
    ) -> None:
        target = shard.target
        weights.units(
            shard.scores.relative, target.sign, target.log_weight(self.costly), target.repeats,
            self.rate, self.offset, self.exponent, rows, first_label, out,
        )  # fmt: skip
        if target.mask is not None:
            out *= target.mask[rows, first_label : first_label + out.shape[1]]

    def all_amounts(self, shard: Shard) -> Integers:
        """[channel, row, label]: the amounts of all rows at once, which is faster."""
        target = shard.target
        out = np.empty((2, *target.sign.shape), dtype=np.int64)
        weights.all_units(
            shard.scores.relative, target.sign, target.log_weight(self.costly), target.repeats,
            self.rate, self.offset, self.exponent, out,
        )  # fmt: skip
        if target.mask is not None:
            out *= target.mask
        return out

    def deltas(
        self,
        shard: Shard,
        rows: Indices,
        step: Floats,
        channel: int,
        out: Integers,
        totals: Integers,
    ) -> None:
        if self.change is None:
            raise ValueError("the last change is not known: count all rows")
        target = shard.target
        own = totals if target.mask is None else np.zeros_like(totals)
        weights.deltas(
            shard.scores.relative, target.sign, target.log_weight(self.costly), target.repeats,
            self.rate, self.offset, self.exponent, self.change.fresh, step, rows, out, own,
        )  # fmt: skip
        if target.mask is not None:
            out *= target.mask[rows]
            weights.block_sums(out, target.sign, rows, totals)

    def unit(self, totals: Integers, out: Floats) -> None:
        scales = self.log_start, self.exponent, self.rate, self.rows.base, self.offset
        if self.log_label is None:
            weights.unit_weights(*scales, totals, out)
        else:
            weights.log_units(*scales, out)
            out += self.log_label
            criteria.normalise(totals, out, out)

    def after_step(self, partition: tuple[Partition, ...], steps: Floats, sums: Integers) -> None:
        if not isinstance(partition[0], Blocks):
            self.restart()  # the labels have different blocks
            return
        blocks: tuple[Blocks, ...] = partition  # type: ignore[assignment] # cast() takes time
        fresh = np.zeros(self.offset.shape, dtype=np.uint8)
        rounding = 0.5 * self.rows.n_listed(blocks)
        leaving = weights.project(
            sums, blocks[0].rest, steps, self.rate, rounding, MIN_TOTAL, MAX_TOTAL, fresh
        )
        if leaving:
            self._rescale(fresh)
        self.change = Change(self.version, blocks, steps, fresh, leaving > 0)
        self.version += 1

    def restart(self) -> None:
        self._rescale(np.ones(self.offset.shape, dtype=np.uint8))
        self.change = None
        self.version += 1

    def _rescale(self, fresh: Codes) -> None:
        """Choose B and the exponent such that the total is in [2**58, 2**59)."""
        for s, label in np.argwhere(fresh).tolist():
            highest = self.rows.largest(partial(self._peak, s=s, label=label))
            if highest == -np.inf:  # no example of this sign
                continue
            offset = -(2 * s - 1) * highest / self.rate[s]
            self.offset[s, label] = np.rint(offset * GRID) / GRID
            self.exponent[s, label] = self._room
            counted = self.rows.total(partial(self._total, s=s, label=label))
            self.exponent[s, label] += FRESH_BITS - int(counted).bit_length()

    def _peak(self, shard: Shard, s: int, label: int) -> Floats:
        """The largest log-weight of one sign."""
        target = shard.target
        logs = target.log_weight(self.costly)
        return np.array(
            weights.peak(shard.scores.relative, _sides(target), logs, self.rate, s, label)
        )

    def _total(self, shard: Shard, s: int, label: int) -> Integers:
        """The total integer weight of one sign."""
        target = shard.target
        counted = weights.total(
            shard.scores.relative, _sides(target), target.log_weight(self.costly), target.repeats,
            self.rate, self.offset, self.exponent, s, label,
        )  # fmt: skip
        return np.array(counted)
