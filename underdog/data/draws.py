"""Random draws of rows by their contents, which do not depend on the order of the rows.

Validation rows, folds, subsamples, the parts for growing and pruning a rule, and rows drawn with
replacement are drawn here; the rows and columns of each tree in `learners.sampling`.

Each distinct row has a key: a hash of the seed, the number of the draw and the contents of the row.
Rows are taken in the order of their keys until a part has its share of the *examples* of each kind.
Equal rows are drawn together: three equal rows are one row of weight 3, and all are in the same
part, whatever their kinds are: else a model would be validated on rows that it has learned with
other labels. Rows that occur with several kinds are drawn with the rarest of these, because a share
of few examples is the hardest to meet.

To measure a model, equal rows are drawn `apart` instead: they are examples like any others, and
with few categories there may be hardly any different rows. Those with the same kind are numbered,
so their order does not matter either.

So a part is all rows of a kind with keys between two cuts. Cuts are found by counting examples, and
the counts of several shards can be added: the draw does not depend on how rows are distributed over
shards. Processes first tell each other which rows they have, and each counts only those that no
process before it has.
"""

from __future__ import annotations

import copy
from collections.abc import Sequence
from numbers import Integral
from typing import Any

import numpy as np
from sklearn.utils import check_random_state

from underdog.data.hashing import (
    STEP,
    Keys,
    content_keys,
    content_sums,
    group_keys,
    mix,
    numbered_keys,
    unit_interval,
    with_kinds,
)
from underdog.data.table import Table
from underdog.types import Flags, Floats, Integers
from underdog.workers.collective import ALONE, Collective, added, count

NEVER = -1
"""The part of a row that is the only distinct one of its kind, and is always in training."""
PART = 1 << 22
"""About how many distinct rows are exchanged at a time."""
DIGIT = 8
"""Number of bits of a key that are counted at a time."""


Cuts = tuple[Keys, ...]
"""(n_kinds,) each: for every kind the first key of each part after the first one."""


class Draw:
    """The distinct rows of each kind in a random order that depends on a seed.

    Rows for validation or pruning are a `share`; rows for growing are the rest.

    Parameters
    ----------
    table : Table
    kinds : (n,)
        The class of each row, from 0 on. Each class is drawn from separately. Equal rows of
        several kinds count as rows of the rarest one.
    repeats : (n,)
        Number of examples that each row stands for.
    seed : int
    number : int, default=0
        The number of the draw; draws with different numbers have different keys.
    groups : (n,), optional
        Names of groups. All rows of a group are drawn together, as one row with their contents
        and kinds. Groups are not stratified by kind.
    apart : bool, default=False
        Whether equal rows are drawn one by one. Rows that differ in anything else, such as a
        numeric target, must differ in the table.
    totals : (n_kinds,), optional
        Number of examples of each kind on all shards. By default those of the given rows.
    collective : Collective
        The processes with other rows. Their groups and rows that are `apart` are not supported.

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
        apart: bool = False,
        totals: Integers | None = None,
        collective: Collective = ALONE,
    ) -> None:
        if groups is not None:
            contents = group_keys(content_keys(table, kinds), repeats, groups)
            kinds = np.zeros_like(kinds)
        elif apart:
            contents = numbered_keys(content_keys(table, kinds))
        else:
            contents = content_sums(table)
        distinct, self._different = np.unique(contents, return_inverse=True)
        if totals is None:
            totals = np.bincount(kinds, repeats).astype(np.int64)
        self._collective = collective
        self.n_kinds = len(totals)
        self._examples: Integers
        pairs = _pairs(self._different, kinds, repeats)
        if collective is not ALONE:
            pairs, elsewhere = _with_others(distinct, pairs, collective)
        self._kinds, self._examples, self._alone = _strata(*pairs, totals, len(distinct))
        if collective is not ALONE:
            self._examples[elsewhere] = 0
        together = groups is None and not apart
        self._contents: Keys = with_kinds(distinct, self._kinds) if together else distinct
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
        """The fold of each row; NEVER if it is the only distinct row of a kind."""
        return self.parts(fold_cuts([self], count))

    # What a shard reports about its rows, and how it draws with the cuts of all shards.

    def parts(self, cuts: Cuts) -> Integers:
        """The part of each row: the number of cuts of its kind up to its key; or NEVER."""
        part = np.zeros(len(self._keys), dtype=np.int64)
        for start in cuts:
            part += self._keys >= start[self._kinds]
        part[self._alone] = NEVER
        result: Integers = part[self._different]
        return result

    def extent(self) -> tuple[Integers, Keys]:
        """Number of examples of each kind that can be drawn, and its largest key."""
        examples = np.zeros(self.n_kinds, dtype=np.int64)
        largest = np.zeros(self.n_kinds, dtype=np.uint64)
        np.add.at(examples, self._kinds, self._examples)
        np.maximum.at(largest, self._kinds[~self._alone], self._keys[~self._alone])
        return examples, largest

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


Pairs = tuple[Integers, Integers, Integers]
"""Pairs of a distinct row and a kind, sorted, with the number of examples of each."""


def _pairs(row_of: Integers, kinds: Integers, repeats: Integers) -> Pairs:
    """The kinds of each distinct row, from the rows that are its copies."""
    n_kinds = int(kinds.max(initial=0)) + 1
    pairs, pair_of = np.unique(row_of * n_kinds + kinds, return_inverse=True)
    examples = np.zeros(len(pairs), dtype=np.int64)
    np.add.at(examples, pair_of, repeats)
    return *np.divmod(pairs, n_kinds), examples


def _with_others(distinct: Keys, pairs: Pairs, collective: Collective) -> tuple[Pairs, Flags]:
    """The pairs of all processes, for the rows of this one; which of these another counts.

    A row is counted by the first process that has it. Rows are exchanged in parts, by their hashes.
    """
    rows, kinds, examples = pairs
    n_parts = count(collective, len(distinct)) // PART + 1
    part_of = (distinct >> np.uint64(32)).astype(np.int64) * n_parts >> 32
    elsewhere = np.zeros(len(distinct), dtype=bool)
    found = []
    for part in range(n_parts):
        own = part_of[rows] == part
        sent = distinct[rows[own]], kinds[own], examples[own]
        received = collective.exchange("gather", sent)
        places = [np.searchsorted(distinct, each[0]) for each in received]
        for number, (each, at) in enumerate(zip(received, places, strict=True)):
            here = at < len(distinct)
            here[here] = distinct[at[here]] == each[0][here]
            found.append((at[here], each[1][here], each[2][here]))
            if number < collective.number:
                elsewhere[at[here]] = True
    every = (np.concatenate([each[place] for each in found]) for place in range(3))
    return _pairs(*every), elsewhere


def _strata(
    rows: Integers, kind: Integers, examples: Integers, totals: Integers, n_rows: int
) -> tuple[Integers, Integers, Flags]:
    """How each distinct row is drawn, from its kinds and its examples of each.

    Returns the rarest of its kinds, its examples of that kind (0 if it cannot be drawn), and
    whether it cannot be drawn because a kind has no other row.
    """
    alone = np.zeros(n_rows, dtype=np.bool_)
    alone[rows[examples == totals[kind]]] = True
    rarest_first = np.lexsort((totals[kind], rows))
    chosen = rarest_first[np.searchsorted(rows, np.arange(n_rows))]
    return kind[chosen], np.where(alone, 0, examples[chosen]), alone


def share_cuts(shards: Sequence[Draw], fraction: float) -> Cuts:
    """Two parts, the first with about a share of the examples, but never all distinct rows."""
    examples, largest = _extent(shards)
    wanted: Floats = np.multiply(fraction, examples, dtype=np.float64)
    key, before, own = _reach(shards, wanted)
    drawn = (before + own / 2.0 < wanted) & (key < largest)
    return (key + drawn.astype(np.uint64),)


def fold_cuts(shards: Sequence[Draw], count: int) -> Cuts:
    """`count` parts with about the same number of examples."""
    examples, _ = _extent(shards)
    wanted = [-(-fold * examples // count) for fold in range(1, count)]  # rounded up
    return tuple(_reach(shards, each)[0] + np.uint64(1) for each in wanted)


def _extent(shards: Sequence[Draw]) -> tuple[Integers, Keys]:
    """Number of examples of each kind that can be drawn, and its largest key."""
    examples, largest = zip(*(shard.extent() for shard in shards), strict=True)
    collective = shards[0]._collective
    every = added(collective, np.sum(examples, axis=0))
    return every, collective.exchange("largest", np.max(largest, axis=0))


def _reach(shards: Sequence[Draw], wanted: Floats | Integers) -> tuple[Keys, Integers, Integers]:
    """The key at which the examples of each kind, sorted by key, reach a given number.

    Found digit by digit from counts, without exchanging keys between shards. Also returns the
    number of examples before that key, and of those with it.
    """
    key = np.zeros(len(wanted), dtype=np.uint64)
    before = own = np.zeros(len(wanted), dtype=np.int64)
    kinds = np.arange(len(wanted))
    for shift in range(64 - DIGIT, -1, -DIGIT):
        own_counts = np.sum([shard.counts(key, shift) for shard in shards], axis=0)
        counts = added(shards[0]._collective, own_counts)
        ends = before[:, np.newaxis] + np.cumsum(counts, axis=1)
        digit = np.count_nonzero(ends < wanted[:, np.newaxis], axis=1)
        own = counts[kinds, digit]
        before = ends[kinds, digit] - own
        key = key << np.uint64(DIGIT) | digit.astype(np.uint64)
    return key, before, own


def with_replacement(
    table: Table,
    kinds: Integers,
    integer_weights: Integers,
    weight_per_unit: Floats,
    count: int,
    seed: int,
) -> Integers:
    """Indices of rows drawn with replacement in proportion to their weights.

    Equal rows of the same kind are drawn as one row with their total weight. Neither the order of
    the rows nor their repeats change the contents and the order of the rows drawn.

    Parameters
    ----------
    table : Table
    kinds : (n,)
    integer_weights : (n,)
        Integers, so that the sums over equal rows are exact.
    weight_per_unit : (n_kinds,)
        The real weight of one unit, by kind.
    count : int
        How many rows to draw.
    seed : int
    """
    _, first, copy_of = np.unique(
        content_keys(table, kinds), return_index=True, return_inverse=True
    )
    sums = np.zeros(len(first), dtype=np.int64)
    np.add.at(sums, copy_of, integer_weights)
    result: Integers = first[repeated_draws(sums * weight_per_unit[kinds[first]], count, seed)]
    return result


def repeated_draws(weights: Floats, count: int, seed: int) -> Integers:
    """`count` indices, drawn with replacement in proportion to these weights."""
    ends = np.cumsum(weights)
    states = mix(np.full(count, seed % 2**63, dtype=np.uint64))
    states += np.arange(count, dtype=np.uint64)
    result: Integers = np.searchsorted(ends, unit_interval(states) * ends[-1], side="right")
    return result


def seed_of(random_state: Any) -> int:
    """The seed of draws; None is 0, so that fits are reproducible."""
    if random_state is None:
        return 0
    if isinstance(random_state, Integral):
        return int(random_state)
    return int(check_random_state(random_state).randint(np.iinfo(np.int32).max))
