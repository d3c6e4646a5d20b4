"""Integer weights of examples, given their logarithms."""

from __future__ import annotations

import math

import numpy as np

from underdog.core import CountedAnew, Rows, Shard, not_defined
from underdog.kernels.elementary import exp_each
from underdog.types import Floats, Indices, Integers

UNIT_BITS = 59
"""All weights together are less than 2**59 units."""


class LogWeightSignal(CountedAnew):
    """Integer weights rint(2**k exp(l - highest)), where l is the logarithm of a weight.

    The heaviest example always has 2**k units, so weights do not vanish however small all of them
    are. A subclass defines `log_weights`.

    Parameters
    ----------
    rows : Rows
    costly : bool, default=False
        Whether the initial weights of examples are their costs instead of their prior weights.
    """

    def __init__(self, rows: Rows, costly: bool = False) -> None:
        super().__init__(rows)
        self.costly = costly
        examples = rows.total(lambda shard: np.asarray(shard.target.repeats.sum()))
        self._bits = UNIT_BITS - int(examples).bit_length()
        self._units: list[Integers] = []

    def log_weights(self, shard: Shard) -> Floats:
        """(n, K) logarithms of the current weights; -inf for none."""
        raise not_defined(self, "log_weights")

    def units(self, shard: Shard) -> Integers:
        """(n, K) integer weights of one example of each row."""
        if not self._units:
            found = [self.log_weights(each) for each in self.rows.shards]
            highest = max(float(logs.max(initial=-math.inf)) for logs in found)
            self._units = [_rounded(logs - max(highest, -1e300), self._bits) for logs in found]
        return self._units[shard.number]

    def amounts(
        self, shard: Shard, rows: Indices, first_label: int, channel: int, out: Integers
    ) -> None:
        units = self.units(shard)[rows, first_label : first_label + out.shape[1]]
        np.multiply(shard.target.repeats[rows, np.newaxis], units, out=out)

    def restart(self) -> None:
        super().restart()
        self._units = []

    def unit(self, totals: Integers, out: Floats) -> None:
        out[:] = 1.0 / max(int(totals.sum()), 1)


def _rounded(logs: Floats, bits: int) -> Integers:
    result: Integers = np.rint(np.ldexp(exp_of(logs), bits)).astype(np.int64)
    return result


def exp_of(logs: Floats) -> Floats:
    """exp, with the same bits on every machine."""
    result = np.empty(logs.size)
    exp_each(logs.ravel(), result)
    return result.reshape(logs.shape)


def one_label(rows: Rows, loss: object) -> None:
    """Refuse several columns of labels."""
    if rows.n_labels > 1:
        raise ValueError(
            f"{loss!r} is for two classes, but there are {rows.n_labels} label columns"
        )
