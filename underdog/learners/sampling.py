"""Rows, columns, cuts and weights that are drawn for each tree, by their contents."""

from __future__ import annotations

import math
from collections.abc import Sequence
from numbers import Integral
from typing import Any, Final, NamedTuple

import numpy as np

from underdog.checks import is_number
from underdog.core import OfSignal, Rows, Run, Shard, Signal
from underdog.data.draws import seed_of
from underdog.data.hashing import STEP, Keys, mix
from underdog.data.keys import row_and_column_keys
from underdog.kernels import draws
from underdog.learners.candidates import Candidates
from underdog.types import Flags, Floats, Indices, Integers


class Sample(NamedTuple):
    """What a tree is grown on.

    Attributes
    ----------
    rows : (n,) flags for each shard, or None for all rows
    columns : rising numbers of columns, or None for all
    cuts : keys of all columns by which one cut of each is drawn in every node, or None for all cuts
    start : what the hash of the root's draws begins with
    weights : (n,) for each shard, by which tests are chosen, at most `MAX_WEIGHT`, or None
    """

    rows: tuple[Flags, ...] | None = None
    columns: Integers | None = None
    cuts: Keys | None = None
    start: np.uint64 = np.uint64(0)
    weights: tuple[Floats, ...] | None = None


EVERYTHING: Final = Sample()
CUTS, WEIGHTS = 0x632BE59BD9B4E019, 0xD6E8FEB86659FD93
"""What is added so that rows, cuts and weights are drawn independently."""
MAX_WEIGHT: Final = 64.0
"""More than -ln of the least number that is drawn."""


def draw_of_path(start: np.uint64, answers: Sequence[int]) -> np.uint64:
    """What the hashes of the draws of a node begin with, given the answers on the way to it."""
    draw = start
    with np.errstate(over="ignore"):
        for answer in answers:
            draw = mix(np.array([~draw if answer else draw]))[0]
    return draw


def drawn_cut(key: np.uint64, draw: np.uint64, n_cuts: int) -> int:
    """The number of the cut of a column with this key that a node draws."""
    with np.errstate(over="ignore"):
        return int(mix(np.array([key + draw]))[0]) % n_cuts


class Sampler:
    """Draws rows and columns for one tree after the other.

    A row is drawn if a hash of the seed, the number of the tree and the bins of the row, but not of
    its labels, is below the share. The columns with the least hashes of the same kind are drawn. So
    a draw depends neither on the order and the storage of rows and columns nor on the draws before
    it.

    Parameters
    ----------
    run : Run
    subsample, max_features, cuts, bootstrap : see `TreeLearner`
    """

    def __init__(
        self,
        run: Run,
        subsample: float = 1.0,
        max_features: Any = None,
        cuts: str = "all",
        bootstrap: bool = False,
    ) -> None:
        self._rows, self._share = run.rows, float(subsample)
        self._random_cuts, self._bootstrap = cuts == "random", bootstrap
        first = Candidates(run.rows.layout).first
        self._columns: Integers = np.flatnonzero(np.diff(first) > 0)
        self._count = n_columns(max_features, len(self._columns))
        self._all_columns = self._count == len(self._columns)
        self._nothing = self._share == 1.0 and self._all_columns
        self._nothing &= not (self._random_cuts or bootstrap)
        if not self._nothing:
            self._seed = seed_of(run.random_state)
            first_class = getattr(run.labels, "positive", 1) == 0  # draws are the same for both
            shards = [
                (
                    shard.encoded,
                    1 - shard.target.sign if first_class else shard.target.sign,
                    shard.target.repeats,
                )
                for shard in run.rows.shards
            ]
            self._row_keys, self._column_keys = row_and_column_keys(shards, run.rows.collective)

    def draw(self, number: int) -> Sample:
        """What the tree with this number is grown on."""
        if self._nothing:
            return EVERYTHING
        first = self._seed + number * STEP
        start, root, weights = (np.uint64((first + part) % 2**64) for part in (0, CUTS, WEIGHTS))
        return Sample(
            None if self._share == 1.0 else self._draw_rows(start),
            None if self._all_columns else self._draw_columns(start),
            self._column_keys if self._random_cuts else None,
            root,
            self._draw_weights(weights) if self._bootstrap else None,
        )

    def _draw_rows(self, start: np.uint64) -> tuple[Flags, ...]:
        limit = np.uint64(int(self._share * 2.0**64))
        drawn = []
        for shard, keys in zip(self._rows.shards, self._row_keys, strict=True):
            drawn.append(_below(shard, keys, start, limit))
        return tuple(drawn)

    def _draw_weights(self, start: np.uint64) -> tuple[Floats, ...]:
        """-ln of numbers that are uniform between 0 and 1: their mean is 1."""
        drawn = []
        for shard, keys in zip(self._rows.shards, self._row_keys, strict=True):
            drawn.append(_exponential(shard, keys, start))
        return tuple(drawn)

    def _draw_columns(self, start: np.uint64) -> Integers:
        keys = mix(self._column_keys[self._columns] + start)
        result: Integers = np.sort(self._columns[np.argsort(keys, kind="stable")[: self._count]])
        return result


def weigh(fine: Integers, repeats: Integers, weights: Floats) -> Integers:
    """Amounts [channel, row, label] times the weights of their rows / `MAX_WEIGHT`, rounded.

    An example is rounded before it is repeated, so that weight 3 is three rows.
    """
    out = np.empty_like(fine)
    draws.weigh(fine, repeats, weights, 1.0 / MAX_WEIGHT, out)
    return out


class Weighted(OfSignal):
    """A signal of weighted rows.

    Parameters
    ----------
    rows : Rows
    signal : Signal
    weights : (n,) for each shard
    """

    def __init__(self, rows: Rows, signal: Signal, weights: tuple[Floats, ...]) -> None:
        super().__init__(rows, signal)
        self.weights = weights

    def amounts(
        self, shard: Shard, rows: Indices, first_label: int, channel: int, out: Integers
    ) -> None:
        self.signal.amounts(shard, rows, first_label, channel, out)
        own = self.weights[shard.number][rows]
        out[:] = weigh(out[np.newaxis], shard.target.repeats[rows], own)[0]


def _exponential(shard: Shard, keys: Keys, start: np.uint64) -> Floats:
    out = np.empty(len(keys))

    def task(first: int, last: int) -> None:
        with draws.wrapping():
            draws.exponential(keys, start, first, last, out)

    shard.workers.run(task, len(keys), 16 * len(keys))
    return out


def _below(shard: Shard, keys: Keys, start: np.uint64, limit: np.uint64) -> Flags:
    out = np.empty(len(keys), dtype=np.bool_)

    def task(first: int, last: int) -> None:
        with draws.wrapping():
            draws.draw(keys, start, limit, first, last, out)

    shard.workers.run(task, len(keys), 2 * len(keys))
    return out


class Drawn(OfSignal):
    """A signal of the drawn rows: all others have the amount 0.

    Parameters
    ----------
    rows : Rows
    signal : Signal
    drawn : flags for each shard
    """

    def __init__(self, rows: Rows, signal: Signal, drawn: tuple[Flags, ...]) -> None:
        super().__init__(rows, signal)
        self.drawn = drawn

    def amounts(
        self, shard: Shard, rows: Indices, first_label: int, channel: int, out: Integers
    ) -> None:
        self.signal.amounts(shard, rows, first_label, channel, out)
        out[~self.drawn[shard.number][rows]] = 0


def check_sampling(subsample: Any, max_features: Any) -> None:
    """Refuse shares and numbers that are none."""
    if not is_number(subsample) or not 0.0 < subsample <= 1.0:
        raise ValueError(f"subsample={subsample!r} must be a number above 0 and at most 1")
    if max_features is None or (type(max_features) is str and max_features in ("sqrt", "log2")):
        return
    if is_number(max_features):
        whole = isinstance(max_features, Integral)
        if max_features >= 1 if whole else 0.0 < max_features <= 1.0:
            return
    raise ValueError(
        f"max_features={max_features!r} must be a whole number of at least 1, a share above 0.0 "
        "and at most 1.0, 'sqrt', 'log2' or None"
    )


def n_columns(max_features: Any, available: int) -> int:
    """How many of the available columns are drawn."""
    if max_features is None or not available:
        return available
    if isinstance(max_features, Integral):
        return min(int(max_features), available)
    if max_features == "sqrt":
        return math.isqrt(available)
    if max_features == "log2":
        return max(1, available.bit_length() - 1)
    return max(1, int(max_features * available))
