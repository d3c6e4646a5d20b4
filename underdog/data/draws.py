"""Random draws of rows by their contents, which do not depend on the order of the rows.

Validation rows, folds, subsamples, the parts for growing and pruning a rule, and rows drawn with
replacement are drawn here; the rows and columns of each tree in `learners.sampling`.

Each distinct row has a key: a hash of the seed, the number of the draw and the contents of the row.
Rows are taken in the order of their keys until a part has its share of the *examples* of each kind.
Equal rows are drawn together: three equal rows are one row of weight 3, and all are in the same
part.

So a part is all rows of a kind with keys between two cuts. Cuts are found by counting examples, and
the counts of several shards can be added: the draw does not depend on how rows are distributed over
shards.
"""

from __future__ import annotations

import copy
from collections.abc import Sequence
from numbers import Integral
from typing import Any, NamedTuple

import numpy as np
from sklearn.utils import check_random_state

from underdog.data.hashing import STEP, Keys, content_keys, group_keys, mix, unit_interval
from underdog.data.table import Table
from underdog.types import Flags, Floats, Integers

NEVER = -1
"""The part of a row that is the only distinct one of its kind, and is always in training."""
DIGIT = 8
"""Number of bits of a key that are counted at a time."""


class Cuts(NamedTuple):
    """Where the parts of each kind begin.

    Attributes
    ----------
    starts : (n_kinds,) each
        The first key of each part after the first one.
    alone : (n_kinds,)
        Whether there is only one distinct row of the kind.
    """

    starts: tuple[Keys, ...]
    alone: Flags


class Draw:
    """The distinct rows of each kind in a random order that depends on a seed.

    Rows for validation or pruning are a `share`; rows for growing are the rest.

    Parameters
    ----------
    table : Table
    kinds : (n,)
        The class of each row, from 0 on. Each class is drawn from separately.
    repeats : (n,)
        Number of examples that each row stands for.
    seed : int
    number : int, default=0
        The number of the draw; draws with different numbers have different keys.
    groups : (n,), optional
        Names of groups. All rows of a group are drawn together, as one row with their contents.
        Groups are not stratified by kind.
    stratify : bool, default=True
        Whether to draw from each kind separately. If not, kinds may be any integers, and are only
        part of the contents of a row.
    n_kinds : int, optional
        By default one more than the largest kind. Must be the same for all shards, which may not
        have all kinds.

    Examples
    --------
    >>> import numpy as np
    >>> from underdog import Table
    >>> from underdog.data.draws import Draw
    >>> table = Table.from_data(np.array([[1.0], [2.0], [2.0], [3.0], [4.0]]))
    >>> draw = Draw(table, np.zeros(5, dtype=int), np.ones(5, dtype=int), seed=0)
    >>> draw.folds(2)
    array([0, 1, 1, 0, 0])
    >>> draw.numbered(3).share(0.4)
    array([False,  True,  True, False, False])
    """

    def __init__(
        self,
        table: Table,
        kinds: Integers,
        repeats: Integers,
        seed: int,
        *,
        number: int = 0,
        groups: Any = None,
        stratify: bool = True,
        n_kinds: int | None = None,
    ) -> None:
        contents = content_keys(table, kinds)
        if groups is not None:
            contents = group_keys(contents, repeats, groups)
        self._contents: Keys
        self._contents, self._first, self._different = np.unique(
            contents, return_index=True, return_inverse=True
        )
        self._examples = self._sum(repeats)
        if stratify and groups is None:
            self._kinds = kinds[self._first]
            self.n_kinds = int(kinds.max()) + 1 if n_kinds is None else n_kinds
        else:
            self._kinds, self.n_kinds = np.zeros(len(self._first), dtype=np.int64), 1
        self._seed = seed % 2**63
        self._number(number)

    def numbered(self, number: int) -> Draw:
        """Another draw of the same rows, without hashing them again."""
        other = copy.copy(self)
        other._number(number)
        return other

    def _number(self, number: int) -> None:
        self._start = (self._seed + number * STEP) % 2**64
        self._keys = mix(self._contents + np.uint64(self._start))

    @property
    def keys(self) -> Keys:
        """(n,) the key of each row."""
        return self._keys[self._different]

    def share(self, fraction: float) -> Flags:
        """Rows with about this share of the examples of each kind, but never all distinct rows."""
        result: Flags = self.parts(share_cuts([self], fraction)) == 0
        return result

    def subsample(self, fraction: float) -> Flags:
        """Rows with about this share of the examples of each kind, and at least one of each."""
        return ~self.share(1.0 - fraction)

    def folds(self, count: int) -> Integers:
        """The fold of each row; NEVER if it is the only distinct row of its kind."""
        return self.parts(fold_cuts([self], count))

    def with_replacement(
        self, integer_weights: Integers, weight_per_unit: Floats, count: int
    ) -> Integers:
        """Indices of rows drawn with replacement in proportion to their weights; not for groups.

        Equal rows are drawn as one row with their total weight. Neither the order of the rows nor
        their repeats change the contents and the order of the rows drawn.

        Parameters
        ----------
        integer_weights : (n,)
            Integers, so that the sums over equal rows are exact.
        weight_per_unit : (n_kinds,)
            The real weight of one unit, by kind.
        count : int
            How many rows to draw.
        """
        ends = np.cumsum(self._sum(integer_weights) * weight_per_unit[self._kinds])
        states = mix(np.full(count, self._start, dtype=np.uint64))
        states += np.arange(count, dtype=np.uint64)
        places = np.searchsorted(ends, unit_interval(states) * ends[-1], side="right")
        result: Integers = self._first[places]
        return result

    def _sum(self, numbers: Integers) -> Integers:
        """Sums over the copies of each distinct row."""
        sums = np.zeros(len(self._first), dtype=np.int64)
        np.add.at(sums, self._different, numbers)
        return sums

    # What a shard reports about its rows, and how it draws with the cuts of all shards.

    def parts(self, cuts: Cuts) -> Integers:
        """The part of each row: the number of cuts of its kind up to its key; or NEVER."""
        part = np.zeros(len(self._keys), dtype=np.int64)
        for start in cuts.starts:
            part += self._keys >= start[self._kinds]
        part[cuts.alone[self._kinds]] = NEVER
        result: Integers = part[self._different]
        return result

    def extent(self) -> tuple[Integers, Keys, Keys]:
        """Number of examples of each kind, and its smallest and largest key."""
        examples = np.zeros(self.n_kinds, dtype=np.int64)
        smallest = np.full(self.n_kinds, np.iinfo(np.uint64).max, dtype=np.uint64)
        largest = np.zeros(self.n_kinds, dtype=np.uint64)
        np.add.at(examples, self._kinds, self._examples)
        np.minimum.at(smallest, self._kinds, self._keys)
        np.maximum.at(largest, self._kinds, self._keys)
        return examples, smallest, largest

    def counts(self, prefix: Keys, shift: int) -> Integers:
        """(n_kinds, 2**DIGIT) number of examples by the digit of their keys above `shift` bits.

        Only examples whose keys begin with the prefix of their kind are counted.
        """
        begins = self._keys >> np.uint64(shift)
        chosen = begins >> np.uint64(DIGIT) == prefix[self._kinds]
        digits = begins[chosen].astype(np.int64) & (2**DIGIT - 1)
        cells = self._kinds[chosen] << DIGIT | digits
        counts = np.bincount(cells, self._examples[chosen], self.n_kinds << DIGIT)
        result: Integers = counts.astype(np.int64).reshape(self.n_kinds, 2**DIGIT)
        return result


def share_cuts(shards: Sequence[Draw], fraction: float) -> Cuts:
    """Two parts, the first with about a share of the examples, but never all distinct rows."""
    examples, alone, largest = _extent(shards)
    wanted: Floats = np.multiply(fraction, examples, dtype=np.float64)
    key, before, own = _reach(shards, wanted)
    drawn = (before + own / 2.0 < wanted) & (key < largest)
    return Cuts((key + drawn.astype(np.uint64),), alone)


def fold_cuts(shards: Sequence[Draw], count: int) -> Cuts:
    """`count` parts with about the same number of examples."""
    examples, alone, _ = _extent(shards)
    wanted = [-(-fold * examples // count) for fold in range(1, count)]  # rounded up
    return Cuts(tuple(_reach(shards, each)[0] + np.uint64(1) for each in wanted), alone)


def _extent(shards: Sequence[Draw]) -> tuple[Integers, Flags, Keys]:
    """Number of examples of each kind, whether it has one distinct row only, its largest key."""
    examples, smallest, largest = zip(*(shard.extent() for shard in shards), strict=True)
    last: Keys = np.max(largest, axis=0)
    alone: Flags = np.min(smallest, axis=0) == last
    return np.sum(examples, axis=0), alone, last


def _reach(shards: Sequence[Draw], wanted: Floats | Integers) -> tuple[Keys, Integers, Integers]:
    """The key at which the examples of each kind, sorted by key, reach a given number.

    Found digit by digit from counts, without exchanging keys between shards. Also returns the
    number of examples before that key, and of those with it.
    """
    key = np.zeros(len(wanted), dtype=np.uint64)
    before = own = np.zeros(len(wanted), dtype=np.int64)
    kinds = np.arange(len(wanted))
    for shift in range(64 - DIGIT, -1, -DIGIT):
        counts = np.sum([shard.counts(key, shift) for shard in shards], axis=0)
        ends = before[:, np.newaxis] + np.cumsum(counts, axis=1)
        digit = np.count_nonzero(ends < wanted[:, np.newaxis], axis=1)
        own = counts[kinds, digit]
        before = ends[kinds, digit] - own
        key = key << np.uint64(DIGIT) | digit.astype(np.uint64)
    return key, before, own


def seed_of(random_state: Any) -> int:
    """The seed of draws; None is 0, so that fits are reproducible."""
    if random_state is None:
        return 0
    if isinstance(random_state, Integral):
        return int(random_state)
    return int(check_random_state(random_state).randint(np.iinfo(np.int32).max))
