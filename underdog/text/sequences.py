"""Sequences of words as numbers: the words of all documents in one array, n-grams by arithmetic.

The number of a sequence is its place among all sequences of the same shape, in order of their
words. Its key is (number of all its words but the last) x (number of words) + (last word).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import scipy.sparse as sp

from underdog.types import Integers

UNKNOWN = -1
"""A word that is in no sequence, or a sequence that is not in the tables."""
DROPPED = -2
"""A word that leaves no place: its neighbours become neighbours."""

Offsets = tuple[int, ...]
Tables = Mapping[Offsets, Integers]
"""By the places of the words: the sorted keys of all sequences that are known."""


@dataclass
class Stream:
    """The words of all documents, one document after the other.

    A word is a number below `n_words`, or UNKNOWN: it takes its place, but is part of no sequence.
    """

    words: Integers
    lengths: Integers
    """Words of each document."""
    n_words: int
    tables: Tables | None = None
    """Known sequences; None if all are to be learned."""
    learned: dict[Offsets, Integers] = field(default_factory=dict)
    _numbers: dict[Offsets, Integers] = field(default_factory=dict)

    @cached_property
    def _room(self) -> Integers:
        """How many words of the same document follow each word."""
        return np.repeat(np.cumsum(self.lengths), self.lengths) - np.arange(len(self.words)) - 1

    @cached_property
    def _documents(self) -> Integers:
        return np.repeat(np.arange(len(self.lengths)), self.lengths)

    @classmethod
    def from_words(
        cls, words: Integers, lengths: Integers, n_words: int, tables: Tables | None = None
    ) -> Stream:
        """A stream without the words that are DROPPED."""
        left = words != DROPPED
        ends = np.concatenate(([0], np.cumsum(lengths)))
        lengths = np.diff(np.concatenate(([0], np.cumsum(left)))[ends])
        return cls(words[left], lengths, n_words, tables)

    def numbers(self, offsets: Offsets) -> Integers:
        """The number of the sequence that starts at each word; UNKNOWN where there is none."""
        if len(offsets) == 1:
            return self.words
        if offsets not in self._numbers:
            self._numbers[offsets] = self._number(offsets)
        return self._numbers[offsets]

    def entries(self, offsets: Offsets) -> tuple[Integers, Integers]:
        """Document and number of every sequence in the stream, in order of the documents."""
        numbers = self.numbers(offsets)
        known = numbers >= 0
        return self._documents[known], numbers[known]

    def size(self, offsets: Offsets) -> int:
        """How many sequences of this shape are known."""
        if len(offsets) == 1:
            return self.n_words
        self.numbers(offsets)
        return len((self.learned if self.tables is None else self.tables)[offsets])

    def spell(self, offsets: Offsets, numbers: Integers) -> list[Integers]:
        """The words of sequences, given by number: first words, second words, and so on."""
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
    """The place of each key in a sorted table; UNKNOWN where it is not in it."""
    places = np.searchsorted(table, keys)
    there = places < len(table)
    there[there] = table[places[there]] == keys[there]
    return np.where(there, places, UNKNOWN)


def count(rows: Integers, columns: Integers, shape: tuple[int, int]) -> sp.csc_matrix:
    """How often each pair of row and column occurs; the rows of a column must come in order."""
    ones = np.ones(len(rows), dtype=np.int32)
    places = rows.astype(np.int32), columns.astype(np.int32)
    return sp.coo_matrix((ones, places), shape=shape).tocsc()
