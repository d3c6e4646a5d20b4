"""The exponential loss of rules that answer with a class."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np

from underdog.core import (
    CountedAnew,
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
from underdog.core.mistakes import share_not_first
from underdog.core.votes import heaviest_class
from underdog.kernels import criteria, weights
from underdog.kernels.elementary import log
from underdog.kernels.sums import bounded_exp, log_sum_exp, share_of_each
from underdog.losses.exponential import FRESH_BITS, rate_of
from underdog.types import Codes, Flags, Floats, Indices, Integers
from underdog.workers.collective import ALONE, Collective


class ClassVotes(Loss):
    r"""The exponential loss of the votes for and against the class of each row.

    Rules answer with a class: they say 1 for it and -1 for all others. The loss is the sum of
    :math:`w_i \exp(-F_{y_i}(x_i))`, where :math:`F_l = \sum_t a_t (2 [h_t = l] - 1)`. If another
    class has as many votes, at most half of all votes are for :math:`y_i` and the term is at least
    1, so the loss bounds the training error.

    A row has one weight, :math:`D(i) \propto w_i \exp(-F_{y_i}(x_i))`. The signal counts it in all
    label columns, as positive in that of its class and as negative in the others: so learners see
    the weight of each class, and that of all others. It is a function of the scores.

    For three or more classes; with two it would be `Exponential`.

    References
    ----------
    Freund and Schapire, "A decision-theoretic generalization of on-line learning and an application
    to boosting", JCSS 55, 1997, figure 3.

    Examples
    --------
    >>> import numpy as np
    >>> from underdog.losses import ClassVotes
    >>> scores, sign = np.array([[-1.0, 0.0, -1.0]]), np.array([[0, 1, 0]])
    >>> ClassVotes().mean(scores, sign, np.ones(1))
    1.0
    """

    reads: ClassVar[Reads] = "classes"
    facts: ClassVar[tuple[str, ...]] = ("edge", "z", "loss", "log_loss")
    code: ClassVar[str | None] = "OneOfK"
    refits_leaves: ClassVar[bool] = True

    def make_signal(self, rows: Rows, costly: bool = False) -> ClassSignal:
        return ClassSignal(rows, costly)

    def leaf_values(
        self,
        signal: Any,
        partition: tuple[Partition, ...],
        drawn: tuple[Flags, ...] | None,
        masses: Floats,
        values: Floats,
    ) -> Floats:
        """The heaviest class of each block, the first of several."""
        return heaviest_class(masses)

    def constant(self, sums: Integers, unit: Floats, smooth: float) -> Floats:
        return heaviest_class(sums * unit)

    def best_coefficient(self, proposal: Proposal, smooth: float, signal: int = 0) -> float:
        edge = self._edge(proposal, signal)
        floor = max(smooth, 2.0 * criteria.MIN_WEIGHT)
        return 0.5 * float(log(max(1.0 + edge, floor)) - log(max(1.0 - edge, floor)))

    def measure(self, run: Run, proposal: Proposal, coefficient: float) -> Measured:
        values = proposal.hypothesis.values
        steps = np.empty_like(values)
        size, z, log_z, edge = criteria.measure(
            values, coefficient, *_of_classes(proposal, 0), rate_of(1.0), steps
        )
        log_loss = run.history.last("log_loss", 0.0) + log_z
        facts = {"edge": edge, "z": z, "loss": bounded_exp(log_loss), "log_loss": log_loss}
        return Measured(steps, size, facts)

    @staticmethod
    def _edge(proposal: Proposal, signal: int) -> float:
        values = proposal.hypothesis.values
        return float(criteria.edge_of(values, *_of_classes(proposal, signal)))

    def mean(
        self, scores: Floats, sign: Codes, weight: Floats, collective: Collective = ALONE
    ) -> float:
        has = sign == 1
        own = weight[has] if weight.ndim == 2 else weight
        with np.errstate(divide="ignore"):
            logs = np.log(own)
        return bounded_exp(log_sum_exp(logs - scores[has]) - log_sum_exp(logs))

    def example_weights(self, scores: Floats, target: Target) -> Floats:
        logs = target.log_prior[:, np.newaxis] - scores
        return share_of_each(np.where(target.sign == 1, logs, -np.inf), target.repeats)

    def gains(self, history: Mapping[str, Floats], members: Sequence[Member]) -> Floats:
        """The drop of ln Z."""
        result: Floats = -np.log(history["z"])
        return result

    def log_bound(self, rows: Rows, costly: bool = False) -> float:
        now = rows.log_sum_exp(lambda shard: _log_weights(shard, _classes(shard), costly))
        return now - rows.log_sum_exp(lambda shard: shard.target.log_weight(costly))

    def training_error(self, rows: Rows) -> float:
        return share_not_first(rows)


def _of_classes(proposal: Proposal, signal: int) -> tuple[Integers, Floats]:
    """Sums of the classes of each block alone, and the unit with which they sum to one."""
    sums = proposal.sums[signal].copy()
    sums[:, 0] = 0
    return sums, np.full(sums.shape[1:], 1.0 / int(sums.sum()))


def _classes(shard: Shard) -> Integers:
    """(n,) the number of each row's class."""
    found: Integers = shard.target.sign.argmax(axis=1)
    return found


def _log_weights(shard: Shard, classes: Integers, costly: bool) -> Floats:
    scores, target = shard.scores, shard.target
    own = scores.relative[np.arange(len(classes)), classes] + scores.base[classes]
    result: Floats = target.log_weight(costly) - own
    return result


class ClassSignal(CountedAnew):
    """Integer weights rint(2**k exp(ln w - F_y - peak)), one for each row, in all label columns.

    The peak is that of the heaviest row. All classes share one unit, so that their weights can be
    compared and added up as integers.

    Parameters
    ----------
    rows : Rows
    costly : bool, default=False
        Whether the initial weights of examples are their costs instead of their prior weights.
    """

    reads: Reads = "classes"

    def __init__(self, rows: Rows, costly: bool = False) -> None:
        super().__init__(rows)
        self.costly = costly
        examples = rows.total(lambda shard: np.asarray(shard.target.repeats.sum()))
        self._bits = FRESH_BITS - (int(examples) * rows.n_labels).bit_length()
        self._classes = [_classes(shard) for shard in rows.shards]
        self._units = self._count()

    def amounts(
        self, shard: Shard, rows: Indices, first_label: int, channel: int, out: Integers
    ) -> None:
        out[:] = self._units[shard.number][rows]

    def all_amounts(self, shard: Shard) -> Integers:
        """[channel, row, label] of all rows."""
        sign, units = shard.target.sign, self._units[shard.number]
        out = np.empty((2, *sign.shape), dtype=np.int64)
        np.multiply(units, sign, out=out[1])
        np.subtract(units, out[1], out=out[0])
        return out

    def unit(self, totals: Integers, out: Floats) -> None:
        out[:] = 1.0 / int(totals.sum())

    def restart(self) -> None:
        super().restart()
        self._units = self._count()

    def _count(self) -> list[Integers]:
        """(n, 1) the integer weight of each row, for each shard."""
        shards = self.rows.shards
        logs = [_log_weights(shard, self._classes[shard.number], self.costly) for shard in shards]
        peak = self.rows.largest(lambda shard: logs[shard.number])
        return [
            units_of(own - peak, shard.target.repeats, self._bits)
            for own, shard in zip(logs, shards, strict=True)
        ]


def units_of(heights: Floats, repeats: Integers, bits: int) -> Integers:
    """(n, 1) integers repeats rint(2**bits exp(heights)), for heights up to 0."""
    n = len(heights)
    out = np.empty((n, 1), dtype=np.int64)
    weights.units(
        np.zeros((n, 1)), np.zeros((n, 1), dtype=np.uint8), heights, repeats, rate_of(1.0),
        np.zeros((2, 1)), np.full((2, 1), bits, dtype=np.int64), np.arange(n, dtype=np.int32), 0,
        out,
    )  # fmt: skip
    return out
