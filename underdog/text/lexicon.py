"""A vocabulary as tables of numbers, in which the sequences of a text are looked up."""

from __future__ import annotations

import numbers
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import scipy.sparse as sp

from underdog.text.sequences import UNKNOWN, Offsets, Stream, count
from underdog.text.shapes import Shape, read_term
from underdog.types import Integers


class Lexicon:
    """Words and sequences of a vocabulary, and the column of each."""

    def __init__(self, vocabulary: Mapping[str, int], shapes: Sequence[Shape]) -> None:
        self.n_columns = len(vocabulary)
        self.words: dict[str, int] = {}
        self.unreadable: list[str] = []
        """Terms that have none of the shapes, and so are in no text."""
        columns, read = [], []
        for term, column in vocabulary.items():
            parts = read_term(term, shapes)
            if parts is None:
                self.unreadable.append(term)
            else:
                columns.append(column)
                read.append(parts)
        # Every term is a document of its own, and its tables are learned as from documents.
        stream = self._stream(read)
        starts = np.cumsum(stream.lengths) - stream.lengths
        by_shape: dict[Shape, list[int]] = {shape: [] for shape in shapes}
        for number, (shape, _) in enumerate(read):
            by_shape[shape].append(number)
        given = np.array(columns, dtype=np.int64)
        self.columns: dict[Offsets, Integers] = {}
        """By shape: the column of each sequence; UNKNOWN for those that only begin a term."""
        for shape, own in by_shape.items():
            found = stream.numbers(shape.offsets)[starts[own]]
            self.columns[shape.offsets] = np.full(stream.size(shape.offsets), UNKNOWN)
            self.columns[shape.offsets][found] = given[own]
        self.tables = stream.learned

    def count(self, stream: Stream) -> sp.csr_matrix:
        """How often each term occurs in the documents of a stream."""
        entries = []
        for offsets, columns in self.columns.items():
            documents, found = stream.entries(offsets)
            own = columns[found]
            entries.append((documents[own >= 0], own[own >= 0]))
        documents, own = map(np.concatenate, zip(*entries, strict=True))
        return count(documents, own, (len(stream.lengths), self.n_columns)).tocsr()

    def _stream(self, read: Sequence[tuple[Shape, tuple[str, ...]]]) -> Stream:
        flat: list[int] = []
        for shape, words in read:
            begin = len(flat)
            flat += [UNKNOWN] * (shape.offsets[-1] + 1)
            for offset, word in zip(shape.offsets, words, strict=True):
                flat[begin + offset] = self.words.setdefault(word, len(self.words))
        lengths = [shape.offsets[-1] + 1 for shape, _ in read]
        return Stream(
            np.array(flat, dtype=np.int64), np.array(lengths, dtype=np.int64), len(self.words)
        )


def given_vocabulary(vocabulary: Any) -> dict[str, int]:
    """A vocabulary that a user gives: columns from 0 on, each with a term of its own."""
    if isinstance(vocabulary, str) or not isinstance(vocabulary, Iterable):
        raise ValueError(
            f"vocabulary={vocabulary!r} must be a list of terms, or a dict of their columns"
        )
    if isinstance(vocabulary, Mapping):
        terms, columns = list(vocabulary), list(vocabulary.values())
    else:
        # A set has no order of its own, and strings come out of it differently in each process.
        terms = list(vocabulary)
        _check_strings(terms)
        terms = sorted(terms) if isinstance(vocabulary, (set, frozenset)) else terms
        columns = list(range(len(terms)))
    _check_strings(terms)
    _check_terms(terms)
    _check_columns(terms, columns)
    return {term: int(column) for term, column in zip(terms, columns, strict=True)}


def _check_strings(terms: list[Any]) -> None:
    for term in terms:
        if not isinstance(term, str):
            raise ValueError(f"vocabulary has the term {term!r}, which is not a string")


def _check_terms(terms: list[str]) -> None:
    if not terms:
        raise ValueError("vocabulary is empty: give at least one term, or None to learn the terms")
    seen: set[str] = set()
    for term in terms:
        if term in seen:
            raise ValueError(f"vocabulary has the term {term!r} twice: leave out one of them")
        seen.add(term)


def _check_columns(terms: list[str], columns: list[Any]) -> None:
    owner: dict[int, str] = {}
    for term, column in zip(terms, columns, strict=True):
        if not isinstance(column, numbers.Integral) or isinstance(column, bool):
            raise ValueError(
                f"vocabulary has the column {column!r} for {term!r}, which is not a whole number"
            )
        if int(column) in owner:
            raise ValueError(
                f"vocabulary has the column {column} for both {owner[int(column)]!r} and {term!r}"
            )
        owner[int(column)] = term
    gaps = [column for column in range(len(terms)) if column not in owner]
    if gaps:
        raise ValueError(
            f"vocabulary has {len(terms)} terms, but none has column {gaps[0]}: "
            f"the columns must be 0 to {len(terms) - 1}"
        )
