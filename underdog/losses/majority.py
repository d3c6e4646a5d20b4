"""The potential of boosting by majority."""

from __future__ import annotations

import math
from functools import cache

import numpy as np

from underdog.checks import as_float, check_integer, is_number
from underdog.core import Rows, Shard, Target
from underdog.kernels.elementary import log, log_each
from underdog.kernels.sums import share_of_each
from underdog.losses.log_weights import LogWeightSignal, exp_of, one_label
from underdog.losses.pointwise import margins
from underdog.losses.potentials import (
    TimedLoss,
    TimedSignal,
    check_target_error,
    margins_of,
)
from underdog.types import Codes, Floats, Integers
from underdog.workers.collective import ALONE, Collective

MOST_ROUNDS = 1_000_000


class MajorityVotes(TimedLoss):
    r"""The chance that an example is wrong at the end, if all later rules are right by chance.

    There are T rounds, and every rule is right on an example with the chance :math:`1/2 + \gamma`.
    After t of them an example with s more right than wrong votes has the potential
    :math:`P[s + \mathrm{votes} \le 0]`, with n = T - t votes. Its weight in the next round is half
    of the difference that the vote makes,

    .. math:: w = \frac12 \binom{n}{k} (\tfrac12 + \gamma)^k (\tfrac12 - \gamma)^{n - k},

    now with n = T - t - 1 and :math:`k = \lfloor (n - s + 1) / 2 \rfloor`, and 0 unless k is from 0
    to n: then the example is decided.

    Parameters
    ----------
    gamma : float, default=0.05
        Edge of the rules divided by 2, between 0 and 1/2.
    rounds : int, default=163
        T.
    time : float, default=0.0
        t.

    References
    ----------
    Freund, "Boosting a weak learning algorithm by majority", Information and Computation 121, 1995.

    Examples
    --------
    >>> from underdog.losses import MajorityVotes
    >>> round(MajorityVotes(gamma=0.1, rounds=21).chance(0), 4)
    0.1744
    """

    chooses_by = "votes"

    def __init__(self, gamma: float = 0.05, rounds: int = 163, time: float = 0.0) -> None:
        self.gamma: float = as_float(gamma)
        self.rounds = rounds
        self.time: float = as_float(time)

    def check(self) -> None:
        check_gamma(self.gamma)
        check_integer("rounds", self.rounds, 1)
        super().check()

    @property
    def end(self) -> float:
        return float(self.rounds)

    def log_chances(self, left: int) -> Floats:
        """(left + 1,) logarithms of the chances of k right votes among those that are left."""
        return log_binomial(left, self.gamma)

    def chance(self, lead: int) -> float:
        """The potential of an example that is `lead` right votes ahead."""
        return float(self._chances(np.array([float(lead)]))[0])

    def _chances(self, margin: Floats) -> Floats:
        left = self.rounds - int(self.time)
        below = np.concatenate([[0.0], np.cumsum(exp_of(self.log_chances(left)))])
        votes = np.floor((left - np.rint(margin)) / 2.0)  # with at most so many it is wrong
        result: Floats = below[np.clip(votes + 1.0, 0.0, left + 1.0).astype(np.int64)]
        return np.minimum(result, 1.0)

    def log_weights(self, margin: Floats) -> Floats:
        """Logarithms of the weights in the next round; -inf for examples that are decided."""
        left = self.rounds - int(self.time) - 1
        if left < 0:
            return np.full(margin.shape, -np.inf)
        logs = np.concatenate([[-np.inf], self.log_chances(left), [-np.inf]])
        right = np.floor((left - np.rint(margin) + 1.0) / 2.0)
        result: Floats = logs[np.clip(right + 1.0, 0.0, left + 2.0).astype(np.int64)]
        return result

    def make_signal(self, rows: Rows, costly: bool = False) -> LogWeightSignal:
        one_label(rows, self)
        return TimedSignal(self, rows, costly)

    def constant(self, sums: Integers, unit: Floats, smooth: float) -> Floats:
        masses = (sums * unit).sum(axis=0)[:, 0]
        return np.full((1, 1), 1.0 if masses[1] > masses[0] else -1.0)

    def mean(
        self, scores: Floats, sign: Codes, weight: Floats, collective: Collective = ALONE
    ) -> float:
        own = np.broadcast_to(weight if weight.ndim == 2 else weight[:, np.newaxis], sign.shape)
        return float((own * self._chances(margins(scores, sign))).sum() / own.sum())

    def example_weights(self, scores: Floats, target: Target) -> Floats:
        prior = target.log_prior[:, np.newaxis]
        logs = self.log_weights(margins(scores, target.sign)) + prior
        if logs.max() == -np.inf:  # all are decided
            logs = np.zeros_like(logs) + prior
        return share_of_each(logs, target.repeats)

    def training_potential(self, rows: Rows) -> float:
        """The mean potential of the rows."""
        highest = rows.largest(lambda shard: shard.target.log_prior)

        def weights(shard: Shard) -> Floats:
            return exp_of(shard.target.log_prior - highest)

        total = rows.exact_sum(lambda shard: weights(shard) * self._chances(margins_of(shard)))
        return total / rows.exact_sum(weights)


def check_gamma(value: float) -> None:
    """Refuse an advantage that rules cannot have."""
    if not is_number(value) or not 0.0 < value < 0.5:
        raise ValueError(
            f"gamma={value!r} must be between 0 and 1/2: by how much rules are right more often "
            "than half of the time"
        )


@cache
def majority_rounds(target_error: float, gamma: float) -> int:
    """The smallest odd number of votes whose majority is wrong with at most this chance.

    Each vote is right with the chance 1/2 + gamma.

    Examples
    --------
    >>> from underdog.games import majority_rounds
    >>> majority_rounds(0.1, gamma=0.05)
    163
    """
    check_target_error(target_error)
    check_gamma(gamma)
    enough = -math.log(target_error) / (2.0 * gamma * gamma)  # Hoeffding's inequality
    if enough > MOST_ROUNDS:
        raise ValueError(
            f"gamma={gamma!r} and target_error={target_error!r} take {enough:.3g} votes or fewer, "
            f"but at most {MOST_ROUNDS:,} are possible: use a larger gamma or target_error"
        )
    low, high = 0, int(enough / 2.0) + 1  # T = 2 k + 1
    while low < high:
        middle = (low + high) // 2
        error = MajorityVotes(gamma, 2 * middle + 1).chance(0)
        low, high = (low, middle) if error <= target_error else (middle + 1, high)
    return 2 * low + 1


@cache
def log_binomial(n: int, gamma: float) -> Floats:
    """(n + 1,) logarithms of the chances of k right votes among n."""
    k = np.arange(n + 1)
    logs = np.empty(n)
    log_each(np.arange(1.0, n + 1.0), logs)
    factorials = np.concatenate([[0.0], np.cumsum(logs)])
    ways = factorials[n] - factorials - factorials[::-1]
    result: Floats = ways + k * float(log(0.5 + gamma)) + (n - k) * float(log(0.5 - gamma))
    return result
