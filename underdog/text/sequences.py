"""N-grams as numbers, found by arithmetic on one array with the words of all documents.

The number of an n-gram is its index among all n-grams of the same shape, sorted by their words. Its
key is (number of the n-gram without its last word) x (number of words) + (last word).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import scipy.sparse as sp

from underdog.types import Integers

UNKNOWN = -1
"""A word that is in no n-gram, or an n-gram that is not in the tables."""
DROPPED = -2
"""A word that is removed, so that its neighbours become adjacent."""

Offsets = tuple[int, ...]
Tables = Mapping[Offsets, Integers]
"""By the offsets of the words, the sorted keys of all known n-grams."""


@dataclass
class Stream:
    """The words of all documents, one document after the other.

    A word is a number below `n_words`, or UNKNOWN for a word that is in no n-gram.
    """

    words: Integers
    lengths: Integers
    """Number of words of each document."""
    n_words: int
    tables: Tables | None = None
    """Known n-grams; None to learn all."""
    learned: dict[Offsets, Integers] = field(default_factory=dict)
    _numbers: dict[Offsets, Integers] = field(default_factory=dict)

    @cached_property
    def _room(self) -> Integers:
        """Number of words of the same document after each word."""
        return np.repeat(np.cumsum(self.lengths), self.lengths) - np.arange(len(self.words)) - 1

    @cached_property
    def _documents(self) -> Integers:
        return np.repeat(np.arange(len(self.lengths)), self.lengths)

    @classmethod
    def from_words(
        cls, words: Integers, lengths: Integers, n_words: int, tables: Tables | None = None
    ) -> Stream:
        """A stream without DROPPED words."""
        left = words != DROPPED
        ends = np.concatenate(([0], np.cumsum(lengths)))
        lengths = np.diff(np.concatenate(([0], np.cumsum(left)))[ends])
        return cls(words[left], lengths, n_words, tables)

    def numbers(self, offsets: Offsets) -> Integers:
        """The number of the n-gram that starts at each word; UNKNOWN if there is none."""
        if len(offsets) == 1:
            return self.words
        if offsets not in self._numbers:
            self._numbers[offsets] = self._number(offsets)
        return self._numbers[offsets]

    def entries(self, offsets: Offsets) -> tuple[Integers, Integers]:
        """Document and number of every n-gram, in the order of the documents."""
        numbers = self.numbers(offsets)
        known = numbers >= 0
        return self._documents[known], numbers[known]

    def size(self, offsets: Offsets) -> int:
        """Number of known n-grams of this shape."""
        if len(offsets) == 1:
            return self.n_words
        self.numbers(offsets)
        return len((self.learned if self.tables is None else self.tables)[offsets])

    def spell(self, offsets: Offsets, numbers: Integers) -> list[Integers]:
        """The first, second, ... words of the n-grams with these numbers."""
        if len(offsets) == 1:
            return [numbers]
        before, last = np.divmod(self.learned[offsets][numbers], self.n_words)
        return [*self.spell(offsets[:-1], before), last]

    def _number(self, offsets: Offsets) -> Integers:
        before = self.numbers(offsets[:-1])
        last = np.full_like(self.words, UNKNOWN)
        step = offsets[-1]
        last[:-step] = self.words[step:]
        known = (before >= 0) & (last >= 0) & (self._room >= step)
        keys = before[known] * self.n_words + last[known]
        distinct, inverse = np.unique(keys, return_inverse=True)
        if self.tables is None:
            self.learned[offsets] = distinct
            found = np.arange(len(distinct))
        else:
            found = look_up(self.tables[offsets], distinct)
        numbers = np.full_like(self.words, UNKNOWN)
        numbers[known] = found[inverse]
        return numbers


def look_up(table: Integers, keys: Integers) -> Integers:
    """The index of each key in a sorted table; UNKNOWN if it is not there."""
    places = np.searchsorted(table, keys)
    there = places < len(table)
    there[there] = table[places[there]] == keys[there]
    return np.where(there, places, UNKNOWN)


def count(rows: Integers, columns: Integers, shape: tuple[int, int]) -> sp.csc_matrix:
    """Counts of pairs of row and column; the rows of a column must be in order."""
    ones = np.ones(len(rows), dtype=np.int32)
    places = rows.astype(np.int32), columns.astype(np.int32)
    return sp.coo_matrix((ones, places), shape=shape).tocsc()
