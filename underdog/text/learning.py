"""Learning a vocabulary from documents."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from numbers import Integral

import numpy as np
import scipy.sparse as sp

from underdog.text.analysis import Analysis, TokenizedDocuments
from underdog.text.sequences import DROPPED, Stream, count
from underdog.text.shapes import NGramPattern
from underdog.types import Integers


@dataclass(frozen=True)
class TermLimits:
    """Limits on the frequency and the number of terms."""

    min_df: float
    max_df: float
    max_features: int | None
    binary: bool

    def choose(self, counts: sp.csc_matrix) -> Integers:
        """The columns within the limits."""
        n_documents = counts.shape[0]
        least, most = (
            limit if isinstance(limit, Integral) else limit * n_documents
            for limit in (self.min_df, self.max_df)
        )
        if most < least:
            raise ValueError(
                f"max_df={self.max_df!r} is fewer documents than min_df={self.min_df!r} (there are "
                f"{n_documents} documents): increase max_df or decrease min_df"
            )
        documents = np.diff(counts.indptr)
        chosen = np.flatnonzero((documents >= least) & (documents <= most))
        if not len(chosen):
            raise ValueError(
                f"none of {counts.shape[1]} terms is in at least min_df={self.min_df!r} and at "
                f"most max_df={self.max_df!r} of {n_documents} documents: decrease min_df or "
                "increase max_df"
            )
        return chosen

    def most_frequent(self, counts: sp.csc_matrix, columns: Integers) -> Integers:
        """Indices of the most frequent of these columns; of equally frequent ones, the first."""
        if self.max_features is None:
            return np.arange(len(columns))
        totals = np.diff(counts.indptr) if self.binary else np.asarray(counts.sum(axis=0)).ravel()
        return np.sort(np.argsort(-totals[columns], kind="stable")[: self.max_features])


@dataclass(frozen=True)
class Learned:
    """A vocabulary, the counts of its terms, and the forms of its words."""

    vocabulary: dict[str, int]
    counts: sp.csr_matrix
    forms: dict[str, list[str]]
    """For each word, its forms in the documents, most frequent first."""


def learn(
    split: TokenizedDocuments,
    analysis: Analysis,
    shapes: Sequence[NGramPattern],
    limits: TermLimits,
) -> Learned:
    """The vocabulary of documents, in sorted order, and the counts of its terms."""
    treated = [analysis.treat(word) for word in split.words]
    # Words are numbered in sorted order, so that n-grams are sorted as well.
    words = sorted(set(treated) - {""})
    number = {word: place for place, word in enumerate(words)}
    numbers = np.array([number.get(word, DROPPED) for word in treated], dtype=np.int64)
    stream = Stream.from_words(numbers[split.numbers], split.lengths, len(words))
    counts = _count_all(stream, shapes)
    if not counts.nnz:
        _refuse_nothing(len(split.lengths), len(words), shapes)
    chosen = limits.choose(counts)
    terms = _write_all(stream, words, shapes, chosen)
    order = np.array(sorted(range(len(terms)), key=terms.__getitem__))
    order = order[limits.most_frequent(counts, chosen[order])]
    vocabulary = {terms[place]: column for column, place in enumerate(order.tolist())}
    matrix = counts[:, chosen[order]].tocsr()
    return Learned(vocabulary, matrix, _forms(split, analysis, treated, vocabulary))


def _count_all(stream: Stream, shapes: Sequence[NGramPattern]) -> sp.csc_matrix:
    """Counts of the n-grams of all shapes, one shape after the other."""
    rows, columns, size = [], [], 0
    for shape in shapes:
        documents, numbers = stream.entries(shape.offsets)
        rows.append(documents)
        columns.append(numbers + size)
        size += stream.size(shape.offsets)
    return count(np.concatenate(rows), np.concatenate(columns), (len(stream.lengths), size))


def _write_all(
    stream: Stream, words: list[str], shapes: Sequence[NGramPattern], chosen: Integers
) -> list[str]:
    """The terms of the chosen columns of all shapes."""
    terms: list[str] = []
    first = 0
    for shape in shapes:
        after = first + stream.size(shape.offsets)
        own = chosen[slice(*np.searchsorted(chosen, (first, after)))] - first
        spelled = [[words[w] for w in part.tolist()] for part in stream.spell(shape.offsets, own)]
        terms += map(shape.separator.join, zip(*spelled, strict=True))
        first = after
    return terms


def _forms(
    split: TokenizedDocuments, analysis: Analysis, treated: list[str], vocabulary: dict[str, int]
) -> dict[str, list[str]]:
    """The forms of the words of the vocabulary; empty without stemming."""
    if not analysis.stems:
        return {}
    used = {word for term in vocabulary for word in term.split(" ")}
    times = np.bincount(split.numbers, minlength=len(split.words)).tolist()
    totals: defaultdict[tuple[str, str], int] = defaultdict(int)
    for word, stem, occurrences in zip(split.words, treated, times, strict=True):
        if stem in used:
            totals[stem, analysis.form(word)] += occurrences
    forms: dict[str, list[str]] = {}
    ranked = sorted((-total, form, stem) for (stem, form), total in totals.items())
    for _, form, stem in ranked:
        forms.setdefault(stem, []).append(form)
    return forms


def _refuse_nothing(n_documents: int, n_words: int, shapes: Sequence[NGramPattern]) -> None:
    if not n_documents:
        raise ValueError("there are no documents: give at least one")
    if not n_words:
        raise ValueError(
            f"{n_documents} documents have no words: they are empty, or all their words are "
            "removed. Give other documents, or change stop_words, digits or punctuation"
        )
    raise ValueError(
        f"no document has {min(shape.n_words for shape in shapes)} words, the minimum of a term: "
        "decrease the first number of ngram_range"
    )
