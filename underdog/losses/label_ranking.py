"""The ranking loss of labels: labels that a row has above those that it has not."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import ClassVar, cast

import numpy as np

from underdog.core import (
    Blocks,
    CountedAnew,
    Loss,
    Measured,
    Member,
    Partition,
    Proposal,
    Rows,
    Run,
    Scores,
    Shard,
    Target,
)
from underdog.kernels import criteria, label_pairs
from underdog.kernels.sums import bounded_exp, log_sum_exp, share_of_each
from underdog.losses.exponential import FRESH_BITS, Exponential, least_z_coefficient
from underdog.types import Codes, Floats, Indices, Integers
from underdog.workers.collective import ALONE, Collective

ONE_LABEL = Exponential()
"""The loss of a single column: a pair of the two classes, whose scores are F and -F."""
NO_PAIR = (
    "no row has a label and lacks another, so there is nothing to rank: give rows with some of the "
    "labels, but not all"
)


class LabelRanking(Loss):
    r"""The exponential loss of pairs of labels that are in the wrong order.

    The sum over the rows i, and over the pairs of a label l1 that the row has and a label l0 that
    it has not, of :math:`w_i \exp(\frac12 (F_{l0} - F_{l1})) / (|Y_i| |\bar Y_i|)`. So all rows
    count the same, however many pairs they have; a row with all labels or none has no pair and
    counts nothing. With weights w(i, l) that differ between labels, a pair has the weight
    :math:`\sqrt{w(i, l0) w(i, l1)}`.

    The learner sees d(i, l), half the weight of the pairs that a label is in: minus the derivative
    of the loss. As the loss is convex, a step multiplies it by at most :math:`\sum d \exp(-y h)`.
    This bound is made least, so that the weak rules are those of AdaBoost.MH under other weights. Z
    in the history is measured. The loss bounds the share of pairs in the wrong order.

    A single column is one pair, of its two classes: then it is `Exponential`.

    References
    ----------
    Schapire and Singer, "Improved boosting algorithms using confidence-rated predictions", Machine
    Learning 37, 1999, section 8 and figure 6.

    Examples
    --------
    >>> import numpy as np
    >>> from underdog.losses import LabelRanking
    >>> scores, sign = np.array([[2.0, 0.0, 1.0]]), np.array([[1, 0, 0]])
    >>> round(LabelRanking().mean(scores, sign, np.ones(1)), 4)  # (exp(-1) + exp(-1/2)) / 2
    0.4872
    """

    facts: ClassVar[tuple[str, ...]] = ("edge", "z", "loss", "log_loss")

    def make_signal(self, rows: Rows, costly: bool = False) -> LabelRankingSignal:
        if rows.n_labels == 1:
            return ONE_LABEL.make_signal(rows, costly)  # type: ignore[return-value]
        return LabelRankingSignal(rows, costly)

    def constant(self, sums: Integers, unit: Floats, smooth: float) -> Floats:
        return ONE_LABEL.constant(sums, unit, smooth)

    def best_coefficient(self, proposal: Proposal, smooth: float, signal: int = 0) -> float:
        return least_z_coefficient(proposal, smooth, signal)

    def measure(self, run: Run, proposal: Proposal, coefficient: float) -> Measured:
        if run.rows.n_labels == 1:
            return ONE_LABEL.measure(run, proposal, coefficient)
        values = proposal.hypothesis.values
        steps = np.empty_like(values)
        size = float(criteria.on_grid(values, coefficient, steps))
        signal = cast(LabelRankingSignal, run.state.signals[0])
        log_z = signal.after(proposal.partition, steps) - signal.log_total
        log_loss = run.history.last("log_loss", 0.0) + log_z
        z, loss = max(bounded_exp(log_z), criteria.MIN_Z), bounded_exp(log_loss)
        facts = {"edge": proposal.edge(), "z": z, "loss": loss, "log_loss": log_loss}
        return Measured(steps, size, facts)

    def mean(
        self, scores: Floats, sign: Codes, weight: Floats, collective: Collective = ALONE
    ) -> float:
        if sign.shape[1] == 1:
            return ONE_LABEL.mean(scores, sign, weight, collective)
        with np.errstate(divide="ignore"):
            half = 0.5 * np.log(weight if weight.ndim == 2 else weight[:, np.newaxis])
        now, start = (
            log_sum_exp(pairs_of(each, sign, half)[:, 2]) for each in (scores, 0.0 * scores)
        )
        return bounded_exp(now - start) if math.isfinite(start) else math.nan

    def example_weights(self, scores: Floats, target: Target) -> Floats:
        if target.n_labels == 1:
            return ONE_LABEL.example_weights(scores, target)
        half = half_logs(target, costly=False)
        pairs = pairs_of(scores, target.sign, half)
        own = np.take_along_axis(pairs, target.sign.astype(np.intp), axis=1)
        fall = np.where(target.sign == 1, -0.5, 0.5) * scores
        return share_of_each(own + half + fall, target.repeats)

    def gains(self, history: Mapping[str, Floats], members: Sequence[Member]) -> Floats:
        """The drop of ln Z."""
        return ONE_LABEL.gains(history, members)

    def log_bound(self, rows: Rows, costly: bool = False) -> float:
        """The logarithm of the loss, which bounds the share of pairs in the wrong order."""
        if rows.n_labels == 1:
            return ONE_LABEL.log_bound(rows, costly)
        signal = LabelRankingSignal(rows, costly)
        return signal.log_total - signal.log_start

    def training_error(self, rows: Rows) -> float:
        """Share of the cost on pairs in the wrong order; a tie is wrong."""
        if rows.n_labels == 1:
            return ONE_LABEL.training_error(rows)
        highest = rows.largest(lambda shard: half_logs(shard.target, costly=True))
        wrong, everything = (
            rows.exact_sum(lambda shard, only=only: _misordered(shard, highest, only))  # type: ignore[misc]
            for only in (True, False)
        )
        return wrong / everything


class LabelRankingSignal(CountedAnew):
    """Integer weights d(i, l) = rint(2**k exp(ln d - peak)), functions of the scores of a row.

    Each label and sign has a unit of its own, that of its heaviest row. A step changes all sums
    over the labels of a row, so all rows are counted again in every round.

    Parameters
    ----------
    rows : Rows
    costly : bool, default=False
        Whether the initial weights of examples are their costs instead of their prior weights.
    one_unit : bool, default=False
        Whether all labels and signs share one unit, so that their integers can be added up.

    Attributes
    ----------
    log_total : float
        ln of the weight of all pairs.
    log_start : float
        The same if all scores are 0.
    """

    def __init__(self, rows: Rows, costly: bool = False, one_unit: bool = False) -> None:
        super().__init__(rows)
        self.one_unit = one_unit
        self._half = [half_logs(shard.target, costly) for shard in rows.shards]
        examples = rows.total(lambda shard: np.asarray(shard.target.repeats.sum()))
        self._bits = FRESH_BITS - int(examples).bit_length()
        self._next: tuple[Floats, list[Floats], float] | None = None
        nothing = [Scores.zero(*shard.target.sign.shape) for shard in rows.shards]
        self.log_start = self._sum(self._pairs(nothing))[1]
        if self.log_start == -math.inf:
            raise ValueError(NO_PAIR)
        self._follow(*self._sum(self._pairs([shard.scores for shard in rows.shards])))

    def after(self, partition: tuple[Partition, ...], steps: Floats) -> float:
        """What `log_total` will be after these steps."""
        self._next = steps, *self._sum(self._moved(partition, steps))
        return self._next[2]

    def amounts(
        self, shard: Shard, rows: Indices, first_label: int, channel: int, out: Integers
    ) -> None:
        scores, target = shard.scores, shard.target

        def fill(first: int, last: int) -> None:
            label_pairs.pair_units(
                scores.relative, scores.base, target.sign, self._half[shard.number],
                self._logs[shard.number], target.repeats, self._peaks, self._bits,
                rows[first:last], first_label, out[first:last],
            )  # fmt: skip

        shard.workers.run(fill, len(rows), 8 * out.size)

    def unit(self, totals: Integers, out: Floats) -> None:
        criteria.normalise(totals, self._peaks, out)

    def after_step(self, partition: tuple[Partition, ...], steps: Floats, sums: Integers) -> None:
        if self._next is None or self._next[0] is not steps:
            self.restart()
            return
        self._follow(*self._next[1:])
        self.version += 1

    def restart(self) -> None:
        self._follow(*self._sum(self._pairs([shard.scores for shard in self.rows.shards])))
        super().restart()

    def _pairs(self, scores: Sequence[Scores]) -> list[Floats]:
        """(n, 3) sums over the pairs of each row, for each shard; see `sum_pairs`."""
        found = zip(self.rows.shards, scores, self._half, strict=True)
        return [_sum_pairs(own, shard.target.sign, half, shard) for shard, own, half in found]

    def _moved(self, partition: tuple[Partition, ...], steps: Floats) -> list[Floats]:
        """The same after a step."""
        found = []
        for shard, own, half in zip(self.rows.shards, partition, self._half, strict=True):
            scores, block = shard.scores, None
            if isinstance(own, Blocks):
                block = own.of_row(len(half))
            else:
                scores = shard.after(own, steps)
            found.append(_sum_pairs(scores, shard.target.sign, half, shard, block, steps))
        return found

    def _sum(self, logs: list[Floats]) -> tuple[list[Floats], float]:
        """The sums over the pairs of each row, and ln of their total."""
        return logs, self.rows.log_sum_exp(lambda shard: logs[shard.number][:, 2])

    def _follow(self, logs: list[Floats], log_total: float) -> None:
        """Take over the sums over pairs at the current scores, and choose the units."""
        self._logs, self.log_total, self._next = logs, log_total, None
        self._peaks = np.full((2, self.rows.n_labels), -np.inf)
        for shard, half, own in zip(self.rows.shards, self._half, logs, strict=True):
            scores = shard.scores
            label_pairs.raise_peaks(
                scores.relative, scores.base, shard.target.sign, half, own, self._peaks
            )
        self._peaks[self._peaks == -np.inf] = 0.0  # nothing has this label and sign
        if self.one_unit:
            self._peaks[:] = self._peaks.max()


def half_logs(target: Target, costly: bool) -> Floats:
    """(n, 1) or (n, K) half the logarithm of the initial weight of each row, or each label."""
    own = target.log_weight(costly)[:, np.newaxis]
    if target.log_label is not None:
        own = own + np.take_along_axis(target.log_label, target.sign.astype(np.intp), axis=0)
    result: Floats = 0.5 * own
    return result


def pairs_of(scores: Floats, sign: Codes, half: Floats) -> Floats:
    """(n, 3) sums over the pairs of each row with these scores; see `sum_pairs`."""
    own = Scores(np.zeros(scores.shape[1]), np.ascontiguousarray(scores, dtype=np.float64))
    return _sum_pairs(own, np.ascontiguousarray(sign, dtype=np.uint8), half)


def _sum_pairs(
    scores: Scores,
    sign: Codes,
    half: Floats,
    shard: Shard | None = None,
    block: Integers | None = None,
    steps: Floats | None = None,
) -> Floats:
    out = np.empty((len(sign), 3))
    if block is None or steps is None:
        block, steps = np.zeros(len(sign), dtype=np.int64), np.zeros((1, sign.shape[1]))

    def fill(first: int, last: int) -> None:
        label_pairs.sum_pairs(
            scores.relative, scores.base, sign, half, block, steps, first, last, out
        )

    if shard is None:
        fill(0, len(sign))
    else:
        shard.workers.run(fill, len(sign), 12 * sign.size)
    return out


def _misordered(shard: Shard, highest: float, only: bool) -> Floats:
    """(n,) the cost of the pairs of each row, or of those in the wrong order."""
    target, scores = shard.target, shard.scores.full()
    half = np.exp(half_logs(target, costly=True) - highest)
    half = np.broadcast_to(half, target.sign.shape)
    has = target.sign == 1
    own = np.zeros(len(half))
    for label in range(target.n_labels):
        rows = np.flatnonzero(has[:, label])
        others = ~has[rows]
        if only:
            others &= scores[rows] >= scores[rows, label, np.newaxis]
        own[rows] += half[rows, label] * np.where(others, half[rows], 0.0).sum(axis=1)
    counts = has.sum(axis=1) * (~has).sum(axis=1)
    return np.where(counts > 0, own / np.maximum(counts, 1), 0.0)
