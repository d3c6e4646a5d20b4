"""A vocabulary as lookup tables for the n-grams of a text."""

from __future__ import annotations

import numbers
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import Any

import numpy as np
import scipy.sparse as sp

from underdog.text.sequences import UNKNOWN, Offsets, Stream, Tables, count
from underdog.text.shapes import NGramPattern
from underdog.types import Integers


class Lexicon:
    """The words and n-grams of a vocabulary with their columns."""

    def __init__(self, vocabulary: Mapping[str, int], shapes: Sequence[NGramPattern]) -> None:
        self.n_columns = len(vocabulary)
        self.unreadable: list[str] = []
        """Terms with none of the shapes, which cannot occur in a text."""
        read: list[list[str]] = [[] for _ in shapes]
        columns: list[list[int]] = [[] for _ in shapes]
        for term, column in vocabulary.items():
            written = term.split(" ")
            for number, shape in enumerate(shapes):
                words = shape.read(written)
                if words is not None:
                    read[number] += words
                    columns[number].append(column)
                    break
            else:
                self.unreadable.append(term)
        self.words = {word: number for number, word in enumerate(dict.fromkeys(chain(*read)))}
        self.columns: dict[Offsets, Integers] = {}
        """By shape, the column of each n-gram; UNKNOWN if it is only the beginning of a term."""
        self.tables = self._learn(shapes, read, columns)

    def count(self, stream: Stream) -> sp.csr_matrix:
        """How often each term occurs in the documents of a stream."""
        entries = []
        for offsets, columns in self.columns.items():
            documents, found = stream.entries(offsets)
            own = columns[found]
            entries.append((documents[own >= 0], own[own >= 0]))
        documents, own = map(np.concatenate, zip(*entries, strict=True))
        return count(documents, own, (len(stream.lengths), self.n_columns)).tocsr()

    def _learn(
        self, shapes: Sequence[NGramPattern], read: list[list[str]], columns: list[list[int]]
    ) -> Tables:
        """Build the tables, with every term as a document."""
        blocks = [self._numbers(shape, words) for shape, words in zip(shapes, read, strict=True)]
        lengths = np.repeat([shape.span for shape in shapes], [len(block) for block in blocks])
        stream = Stream(np.concatenate([*map(np.ravel, blocks)]), lengths, len(self.words))
        begin = 0
        for shape, block, own in zip(shapes, blocks, columns, strict=True):
            found = stream.numbers(shape.offsets)[begin : begin + block.size : shape.span]
            places = np.full(stream.size(shape.offsets), UNKNOWN)
            places[found] = own
            self.columns[shape.offsets] = places
            begin += block.size
        return stream.learned

    def _numbers(self, shape: NGramPattern, words: list[str]) -> Integers:
        """A row per term with the numbers of its words, and UNKNOWN for gaps."""
        numbers = np.fromiter(map(self.words.__getitem__, words), np.int64, len(words))
        block = np.full((len(words) // shape.n_words, shape.span), UNKNOWN, dtype=np.int64)
        block[:, shape.offsets] = numbers.reshape(-1, shape.n_words)
        return block


def given_vocabulary(vocabulary: Any) -> dict[str, int]:
    """The columns of the terms of a given vocabulary, after checks."""
    if isinstance(vocabulary, str) or not isinstance(vocabulary, Iterable):
        raise ValueError(
            f"vocabulary={vocabulary!r} must be a list of terms, or a dict from terms to columns"
        )
    if isinstance(vocabulary, Mapping):
        terms, columns = list(vocabulary), list(vocabulary.values())
    else:
        # The order of strings in a set differs between processes.
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
            raise ValueError(f"vocabulary has the term {term!r} twice: remove one of them")
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
                f"vocabulary has the column {column} for both {owner[int(column)]!r} and {term!r}: "
                "give different columns"
            )
        owner[int(column)] = term
    gaps = [column for column in range(len(terms)) if column not in owner]
    if gaps:
        raise ValueError(
            f"vocabulary has {len(terms)} terms, but none has column {gaps[0]}: "
            f"the columns must be 0 to {len(terms) - 1}"
        )
