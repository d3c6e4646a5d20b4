"""The exponential loss of pairs of rows, for rankings."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import reduce
from typing import Any, ClassVar

import numpy as np

from underdog.checks import as_float, check_choice, check_positive
from underdog.core import (
    Blocks,
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
)
from underdog.kernels import criteria, pairs
from underdog.kernels.elementary import log
from underdog.kernels.sums import bounded_exp, log_sum_exp
from underdog.losses.compared import PAIR_BITS, Compared, compared_rows, exp_of
from underdog.losses.exponential import least_z_coefficient
from underdog.types import Flags, Floats, Indices, Integers

SWEEPS = 200
"""How often the values of all blocks are improved, one after the other."""


class PairwiseExponential(Loss):
    r"""The mean over all pairs of exp(F(below) - F(above)): the loss of RankBoost.

    A row has two weights: P, that of all pairs in which it is above, and Q, that of all pairs in
    which it is below. Learners choose as if it were a positive example with the weight P and a
    negative one with the weight Q. If all P, and all Q, sum to one, then by convexity

    .. math:: Z \le \sum_b \sqrt{P_b Q_b}

    where block b says 1/4 ln(P_b / Q_b), and "real" tests are chosen by this bound. With two grades
    in one query, the weights of pairs are products of P and Q, and the choice is that of the least
    Z. M[j, k] is the weight of all pairs with the lower row in block j and the upper one in k.

    Parameters
    ----------
    values : {"best", "log_odds", "bound"}, default="best"
        What blocks say that do not vote: the v that minimise the sum of (M[j, k] + e) exp(v[j] -
        v[k]) over j and k; 1/2 ln((P + e) / (Q + e)); or half of it, which minimises the bound.
        Their mean over the blocks is 0.
    smoothing : float, default=0.0
        e.

    References
    ----------
    Freund, Iyer, Schapire and Singer, "An efficient boosting algorithm for combining preferences",
    Journal of Machine Learning Research 4, 2003.

    Examples
    --------
    >>> from underdog.losses import PairwiseExponential
    >>> PairwiseExponential(values="bound")
    PairwiseExponential(values='bound')
    """

    code: ClassVar[str | None] = "Grades"
    facts: ClassVar[tuple[str, ...]] = ("edge", "z", "loss")
    refits_leaves: ClassVar[bool] = True

    def __init__(self, values: str = "best", smoothing: float = 0.0) -> None:
        self.values = values
        self.smoothing: float = as_float(smoothing)

    def check(self) -> None:
        check_choice("values", self.values, "best", "log_odds", "bound")
        check_positive("smoothing", self.smoothing, zero=True)

    @property
    def keeps_order(self) -> bool:
        """Whether blocks have the order of the log-odds of their weights."""
        return self.values != "best"

    def make_signal(self, rows: Rows, costly: bool = False) -> PairSignal:
        return PairSignal(rows)

    def constant(self, sums: Integers, unit: Floats, smooth: float) -> Floats:
        """0: a constant changes no order."""
        return np.zeros((1, sums.shape[2]))

    def leaf_values(
        self,
        signal: PairSignal,
        partition: tuple[Partition, ...],
        drawn: tuple[Flags, ...] | None,
        masses: Floats,
        values: Floats,
    ) -> Floats:
        """What blocks say, with mean 0; votes stay as they are."""
        if bool((np.abs(values) == 1.0).all()):
            return values
        found = np.ascontiguousarray(values[:, 0])
        if self.values == "best":
            between = signal.block_pairs(partition, len(values), drawn)
            pairs.balance(between, self.smoothing, SWEEPS, found)
        elif self.values == "bound":
            found = 0.5 * found
        result: Floats = (found - found.sum() / len(found))[:, np.newaxis]
        return result

    def best_coefficient(self, proposal: Proposal, smooth: float, signal: int = 0) -> float:
        """That of the least bound on Z: half of AdaBoost's, because pairs count differences."""
        return 0.5 * least_z_coefficient(proposal, smooth, signal)

    def pair_coefficient(self, signal: PairSignal, proposal: Proposal, smooth: float) -> float:
        """That of the least Z, M being smoothed by e in either direction."""
        values = proposal.hypothesis.values
        between = signal.block_pairs(proposal.partition, len(values))
        slope = (values.T - values).ravel()
        e, widest = max(smooth, criteria.MIN_WEIGHT), float(slope.max())
        mass = np.concatenate([between.ravel(), [e, e]])
        return float(criteria.minimiser(mass, np.concatenate([slope, [widest, -widest]])))

    def measure(self, run: Run, proposal: Proposal, coefficient: float) -> Measured:
        values = proposal.hypothesis.values
        steps = np.empty_like(values)
        size = criteria.on_grid(values, coefficient, steps)
        signal: Any = run.state.signals[0]
        between = signal.block_pairs(proposal.partition, len(values))
        after = float((between * exp_of(steps - steps.T)).sum())
        z = max(after / float(between.sum()), criteria.MIN_Z)
        loss = bounded_exp(signal.log_loss + float(log(z)))
        return Measured(steps, size, {"edge": proposal.edge(), "z": z, "loss": loss})

    def training_loss(self, rows: Rows) -> float:
        """The mean over all pairs at the scores of the rows."""
        return bounded_exp(self.make_signal(rows).log_loss)

    def gains(self, history: Mapping[str, Floats], members: Sequence[Member]) -> Floats:
        """The drop of ln Z."""
        result: Floats = -np.log(history["z"])
        return result


class PairSignal(CountedAnew):
    """Integer weights of all rows, Q as the lower one of a pair and P as the upper one.

    The largest of each channel is 2**k. The rows of a query are compared with each other only, so
    a signal serves several shards if no query is on two of them.

    Parameters
    ----------
    rows : Rows
    """

    reads: Reads = "sides"

    def __init__(self, rows: Rows) -> None:
        super().__init__(rows)
        self._compared = self._compare(rows)
        self._known = -1
        self._amounts: list[Integers] = []
        self._log_total = self._log_start = math.nan
        self._counted: tuple[Any, Floats] | None = None
        self._log_start = self._total_at([np.zeros(shard.encoded.n_rows) for shard in rows.shards])

    def _compare(self, rows: Rows) -> list[Compared]:
        """The pairs of each shard."""
        return compared_rows(rows)

    def _total_at(self, scores: Sequence[Floats]) -> float:
        """ln of the weight of all pairs at these scores."""
        for compared, own in zip(self._compared, scores, strict=True):
            compared.weigh(own)
        return log_sum_exp(np.concatenate([own.log_totals for own in self._compared]))

    def update(self) -> None:
        """Find the weights of this round."""
        if self._known == self.version:
            return
        self._log_total = self._total_at([s.scores.full()[:, 0] for s in self.rows.shards])
        peaks = reduce(np.maximum, [own.peaks() for own in self._compared])
        self._amounts = [own.amounts(peaks) for own in self._compared]
        self._known, self._counted = self.version, None

    @property
    def log_loss(self) -> float:
        """ln of the mean loss of all pairs."""
        self.update()
        return self._log_total - self._log_start

    def channel_of(self, shard: Shard) -> None:
        return None

    def amounts(
        self, shard: Shard, rows: Indices, first_label: int, channel: int, out: Integers
    ) -> None:
        self.update()
        np.take(self._amounts[shard.number][channel], rows, out=out[:, 0])

    def all_amounts(self, shard: Shard) -> Integers:
        """[channel, row, label] of all rows."""
        self.update()
        return self._amounts[shard.number][:, :, np.newaxis]

    def unit(self, totals: Integers, out: Floats) -> None:
        out[:] = 0.5 / np.maximum(totals, 1)

    def block_pairs(
        self,
        partition: tuple[Partition, ...],
        n_blocks: int,
        drawn: tuple[Flags, ...] | None = None,
    ) -> Floats:
        """[j, k]: the share of the pairs with the lower row in block j and the upper one in k.

        Only pairs of drawn rows, if they are given. The last answer for all rows is kept.
        """
        self.update()
        if drawn is None and self._counted is not None and self._counted[0] is partition:
            return self._counted[1]
        found = np.zeros((n_blocks, n_blocks), dtype=np.int64)
        for shard, own, compared in zip(self.rows.shards, partition, self._compared, strict=True):
            if not isinstance(own, Blocks):
                raise TypeError("pairs need blocks that are the same for all labels")
            blocks = own.of_row(shard.encoded.n_rows)
            if drawn is not None:
                blocks[~drawn[shard.number]] = -1
            found += compared.block_pairs(blocks, n_blocks, self._log_total)
        shares: Floats = found / 2.0**PAIR_BITS
        if drawn is None:
            self._counted = partition, shares
        return shares
