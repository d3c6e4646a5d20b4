"""A weight for each word, for documents of unit length."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from underdog.core import Member
from underdog.core.scores import Scores
from underdog.data import EncodedRows, Schema
from underdog.data.storage import SparseBlock
from underdog.kernels import binning, words
from underdog.kernels.elementary import GRID
from underdog.types import Floats, Integers

SHOWN = 10
"""Words that are named."""


class Documents(NamedTuple):
    """The words of each row, by their places in a list of columns; row by row."""

    pointers: Integers
    words: Integers

    @classmethod
    def read(cls, encoded: EncodedRows, columns: Integers) -> Documents:
        """Which of these columns, each with two bins, are not zero in each row."""
        schema, n_rows = encoded.schema, encoded.n_rows
        if not len(columns):
            return cls(np.zeros(n_rows + 1, dtype=np.int64), np.empty(0, dtype=np.int64))
        zero = np.empty(schema.n_columns, dtype=np.int64)
        binning.bins_of(0.0, schema.cuts, schema.cut_pointers, zero)
        rows, found = [], []
        word_of_cell = np.full(encoded.n_cells, -1, dtype=np.int64)
        dense = []
        for word, j in enumerate(columns.tolist()):
            if encoded.implicit[j] >= 0:
                word_of_cell[encoded.first_cell[j]] = word
            else:
                dense.append((word, j))
        for block in encoded.blocks:
            if isinstance(block, SparseBlock):
                own = word_of_cell[block.cell_of_entry]
                of_row = np.repeat(np.arange(n_rows), np.diff(block.pointers))
                rows.append(of_row[own >= 0])
                found.append(own[own >= 0])
        for word, j in dense:
            bins = encoded.bins_of_rows(j)
            present = np.flatnonzero((bins != zero[j]) & (bins < encoded.bins[j]))
            rows.append(present)
            found.append(np.full(len(present), word, dtype=np.int64))
        row, word_of = np.concatenate(rows), np.concatenate(found)
        order = np.lexsort((word_of, row))  # so that sums do not depend on the storage
        counts = np.bincount(row, minlength=n_rows)
        pointers = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
        return cls(pointers, word_of[order].astype(np.int64))

    def factors(self, squares: Floats) -> Floats:
        """(n,) one divided by the length of each row; 0 for rows without words."""
        total = np.zeros(len(self.pointers) - 1)
        words.add_squares(self.pointers, self.words, squares, total)
        length = np.sqrt(total)
        return np.divide(1.0, length, out=np.zeros_like(length), where=length > 0.0)

    def sums(self, factors: Floats, weights: Floats, unit: float = 1.0) -> Floats:
        """(n, K) the weights of the words of each row times its factor, on the score grid."""
        out = np.zeros((len(factors), weights.shape[1]))
        words.add_words(self.pointers, self.words, factors, weights, GRID / unit, out)
        return out


class RowSteps(NamedTuple):
    """Steps of single rows, (n, K)."""

    values: Floats

    def move(self, scores: Scores, steps: Floats) -> None:
        """Add the steps times steps[0, label] to the scores."""
        scores.relative += self.values * steps


@dataclass(frozen=True, eq=False)
class WordWeights:
    """The sum of the weights of the words of a document, divided by its length.

    The length is the root of the sum of the squares of its words' inverse document frequencies.
    What a word adds to a score is on the score grid.

    Attributes
    ----------
    columns : (W,) of the words, which have two bins each
    weights : (W, K)
    squares : (W,) of the inverse document frequencies
    unit : float
        What a score of 1 is worth, a power of two.
    """

    columns: Integers
    weights: Floats
    squares: Floats
    unit: float = 1.0

    @property
    def values(self) -> Floats:
        """(1, K) ones: a member takes the weights as they are."""
        return np.ones((1, self.weights.shape[1]))

    def times(self, factor: float) -> WordWeights:
        """In another unit; the factor is a power of two."""
        return WordWeights(self.columns, self.weights * factor, self.squares, self.unit * factor)

    @property
    def member(self) -> Member:
        """The rule as a member of a model."""
        longest = np.abs(self.weights / np.sqrt(self.squares)[:, np.newaxis]).max(initial=0.0)
        size = float(longest) * float(np.sqrt(len(self.columns)))
        return Member(self, 1.0, self.values, size)

    def partition(self, encoded: EncodedRows, rest: int | None = None) -> RowSteps:
        documents = Documents.read(encoded, self.columns)
        return RowSteps(documents.sums(documents.factors(self.squares), self.weights, self.unit))

    def credits(self, encoded: EncodedRows) -> tuple[Documents, Floats]:
        """The words of each row, and (entries, K) what each of them adds to the scores."""
        documents = Documents.read(encoded, self.columns)
        factors = np.repeat(documents.factors(self.squares), np.diff(documents.pointers))
        grid = GRID / self.unit
        own = (factors * grid)[:, np.newaxis] * self.weights[documents.words]
        return documents, np.rint(own) / grid

    def words(self, names: Schema) -> str:
        strongest = np.argsort(-np.abs(self.weights).max(axis=1), kind="stable")[:SHOWN]
        told = ", ".join(names.name(int(self.columns[word])) for word in strongest)
        return f"weights of {len(self.columns):,} words, the largest of {told}"
