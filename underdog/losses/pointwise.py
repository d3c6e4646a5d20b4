"""Losses that are sums over examples and labels of a function of the margin y F."""

from __future__ import annotations

import math
from functools import partial
from typing import ClassVar

import numpy as np

from underdog.core import (
    MAX_SCORE,
    CountedAnew,
    Loss,
    Partition,
    Rows,
    Shard,
    Target,
    not_defined,
)
from underdog.kernels.sums import share_of_each
from underdog.losses.log_weights import exp_of
from underdog.types import Codes, Floats, Indices, Integers
from underdog.workers.collective import ALONE, Collective, exact_sum, signed_sum

UNIT_BITS = 59
"""All weights together are less than 2**59 units."""


class PointwiseLoss(Loss):
    """The mean of u_i phi(y_i F(x_i)) with decreasing phi and weights u_i |phi'(y_i F)| <= u_i.

    A subclass defines `phi`, `fall`, and `measure`, the loss after a step. All weights change in
    every round, so all rows are counted in every round. A row with a soft label counts as positive
    and as negative, with a share of its weight each.
    """

    takes_soft_labels: ClassVar[bool] = True
    takes_parts: ClassVar[bool] = True

    def phi(self, margin: Floats) -> Floats:
        """The loss of examples with these margins."""
        raise not_defined(self, "phi")

    def fall(self, margin: Floats) -> Floats:
        """Minus the derivative of phi, in [0, 1]."""
        raise not_defined(self, "fall")

    def make_signal(self, rows: Rows, costly: bool = False) -> PointwiseSignal:
        return PointwiseSignal(self, rows, costly)

    def freeze(self, rows: Rows, rounds: int) -> PointwiseSignal:
        return PointwiseSignal(self, rows, rounds=rounds)

    def mean(
        self, scores: Floats, sign: Codes, weight: Floats, collective: Collective = ALONE
    ) -> float:
        each = np.broadcast_to(weight if weight.ndim == 2 else weight[:, np.newaxis], sign.shape)
        total = exact_sum(collective, each.ravel())
        return signed_sum(collective, each * self.phi(margins(scores, sign))) / total

    def example_weights(self, scores: Floats, target: Target) -> Floats:
        with np.errstate(divide="ignore"):
            logs = np.log(self.fall(margins(scores, target.sign)))
        logs = logs + target.log_prior[:, np.newaxis]
        if target.log_label is not None:
            logs = logs + target.log_label[target.sign, np.arange(target.n_labels)]
        return share_of_each(logs, target.repeats)

    def log_bound(self, rows: Rows, costly: bool = False) -> float:
        """The bound follows because the loss of a mistake is at least phi(0)."""
        loss = self.training_loss(rows, costly=costly) / float(self.phi(np.zeros(1))[0])
        return math.log(loss) if loss > 0.0 else -math.inf

    def training_loss(
        self,
        rows: Rows,
        partition: tuple[Partition, ...] | None = None,
        steps: Floats | None = None,
        costly: bool = False,
    ) -> float:
        """Mean loss of the rows, now or after given steps; infinite if the steps are too large."""
        if steps is not None and not float(np.abs(steps).max()) < MAX_SCORE:
            return math.inf
        loss = start = 0.0
        highest = rows.largest(lambda shard: shard.target.log_weight(costly))
        for label in range(rows.n_labels):
            weight = partial(_start, label=label, costly=costly, highest=highest)
            start += rows.exact_sum(weight)
            loss += rows.exact_sum(
                lambda shard, label=label, weight=weight: (  # type: ignore[misc]
                    weight(shard) * self._of_row(shard, label, partition, steps)
                )
            )
        return loss / start

    def _of_row(
        self,
        shard: Shard,
        label: int,
        partition: tuple[Partition, ...] | None,
        steps: Floats | None,
    ) -> Floats:
        """(n,) the loss of each row for one label, after a step if one is given."""
        scores, target = _moved(shard, label, partition, steps), shard.target
        if target.soft is None:
            return self.phi(margins(scores, target.sign[:, label]))
        share = target.soft[:, label]
        result: Floats = share * self.phi(scores) + (1.0 - share) * self.phi(-scores)
        return result


class PointwiseSignal(CountedAnew):
    """Integer weights rint(2**k u |phi'(y F)|), which are at most 2**k, so that k is constant.

    Parameters
    ----------
    loss : PointwiseLoss
    rows : Rows
    costly : bool, default=False
        Whether the initial weights of examples are their costs instead of their prior weights.
    rounds : int, default=1
        Number of rounds after which the weights are updated.
    """

    row_by_row = True

    def __init__(
        self, loss: PointwiseLoss, rows: Rows, costly: bool = False, rounds: int = 1
    ) -> None:
        super().__init__(rows)
        self.loss, self.costly, self.rounds = loss, costly, rounds
        self._highest = rows.largest(lambda shard: shard.target.log_weight(costly))
        self._taken = 0
        self._frozen = [shard.scores.full() for shard in rows.shards] if rounds > 1 else []
        examples = rows.total(lambda shard: np.asarray(shard.target.repeats.sum()))
        self._bits = UNIT_BITS - int(examples).bit_length()
        at_zero = float(loss.fall(np.zeros(1))[0])
        start = partial(_start, costly=costly, highest=self._highest)
        starts = [rows.exact_sum(partial(start, label=k)) for k in range(rows.n_labels)]
        self._start = math.ldexp(at_zero * sum(starts), self._bits)

    def channel_of(self, shard: Shard) -> Codes | None:
        return None if shard.target.soft is not None else super().channel_of(shard)

    def amounts(
        self, shard: Shard, rows: Indices, first_label: int, channel: int, out: Integers
    ) -> None:
        scores = self._frozen[shard.number][rows] if self._frozen else shard.scores.of(rows)
        self.amounts_at(shard, rows, scores, first_label, channel, out)

    def amounts_at(
        self, shard: Shard, rows: Indices, scores: Floats, first: int, channel: int, out: Integers
    ) -> None:
        target, labels = shard.target, slice(first, first + out.shape[1])
        scores = scores[:, labels]
        if target.soft is None:
            share = self.loss.fall(margins(scores, target.sign[rows, labels]))
        elif channel == 1:
            share = self.loss.fall(scores) * target.soft[rows, labels]
        else:
            share = self.loss.fall(-scores) * (1.0 - target.soft[rows, labels])
        share *= exp_of(target.log_weight(self.costly)[rows] - self._highest)[:, np.newaxis]
        units = np.rint(np.ldexp(share, self._bits)).astype(np.int64)
        np.multiply(target.repeats[rows, np.newaxis], units, out=out)

    def after_step(self, partition: tuple[Partition, ...], steps: Floats, sums: Integers) -> None:
        self._taken += 1
        if self.rounds == 1:
            super().after_step(partition, steps, sums)
        elif self._taken % self.rounds == 0:
            self.restart()

    def restart(self) -> None:
        super().restart()
        if self._frozen:
            self._frozen = [shard.scores.full() for shard in self.rows.shards]

    def unit(self, totals: Integers, out: Floats) -> None:
        log_label = self.rows.shards[0].target.log_label
        out[:] = 1.0 if log_label is None else np.exp(log_label)
        everything = max(float((totals * out).sum()), 1.0)  # all may be below one unit
        self.mass = everything / self._start
        out /= everything


def margins(scores: Floats, sign: Codes) -> Floats:
    """y F."""
    return np.where(sign == 1, scores, -scores)


def _moved(
    shard: Shard, label: int, partition: tuple[Partition, ...] | None, steps: Floats | None
) -> Floats:
    """(n,) scores of one label, after a step if one is given."""
    scores = shard.scores
    if partition is not None and steps is not None:
        scores = shard.after(partition[shard.number], steps)
    own: Floats = scores.relative[:, label] + scores.base[label]
    return own


def _start(shard: Shard, label: int, costly: bool, highest: float) -> Floats:
    """(n,) initial weights of one label, relative to the heaviest example."""
    target = shard.target
    logs = target.log_weight(costly) - highest
    if target.log_label is not None:
        logs = logs + target.log_label[target.sign[:, label], label]
    return exp_of(logs)
