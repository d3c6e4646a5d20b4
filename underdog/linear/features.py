"""What a linear model sees of encoded rows: one number for each cell.

- An ordered column is a number: the middle of the distinct training values of its bin, standardised
  and at most `LIMIT` standard deviations from the mean. So values beyond the training data, however
  large, count as those of the outermost bin.
- A category has an indicator for each level, and a column with missing values has one for those.
- If there are many columns that are zero in most rows and have one other value, they are the words
  of documents. A word that is present has its inverse document frequency, divided by the length of
  the document: the root of the sum of the squares of its words.

All of this depends on counts and on distinct values, not on the order or the storage of the rows.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from underdog.core import Rows
from underdog.data import Layout, Table
from underdog.data.columns import CategoryColumns, NumberColumns
from underdog.kernels import binning
from underdog.kernels.elementary import GRID
from underdog.learners.paths import Examples
from underdog.types import Floats, Integers

LIMIT = 4.0
STEPS = 62
"""Between -LIMIT and LIMIT: a column has at most 63 different values, so that its tree is small."""
MAX_LEVELS = 255
"""Of a category that is a feature."""
MIN_WORDS, MAX_SHARE = 50, 0.25
"""Fewest words of documents, and the largest share of the rows that have a word."""
LENGTH = 3.0
"""Of all documents: words need larger numbers than standardised columns for the same penalty."""
NO_FEATURE = -1


@dataclass(frozen=True)
class Features:
    """The features of a linear model.

    Attributes
    ----------
    feature : (n_cells,)
        The feature that each cell is of; `NO_FEATURE` if it is of none.
    value : (n_cells,)
        Its value there; of words before it is divided by the length of the document.
    implicit : (n_columns,)
        The value of each column's feature in the bin that is not stored; 0 if all are.
    of_column : (n_columns,)
        The feature of each column, of its first level if it is a category; `NO_FEATURE` if none.
    words, word_cells : (W,)
        The columns that are words, and the cells where they are present.
    count : int
        How many features there are.
    """

    feature: Integers
    value: Floats
    implicit: Floats
    of_column: Integers
    words: Integers
    word_cells: Integers
    count: int

    @classmethod
    def learn(cls, rows: Rows, with_words: bool | None = None) -> Features:
        """The features of the rows of a fit, which are in one place.

        Parameters
        ----------
        rows : Rows
        with_words : bool, optional
            Whether columns may be words; by default if there are at least `MIN_WORDS` of them.
        """
        layout, table = rows.layout, rows.only.encoded.table
        counted = rows.tally(Examples(rows))
        examples = float(counted.totals[0, 0])
        n_columns = len(layout.bins)
        feature = np.full(layout.n_cells, NO_FEATURE, dtype=np.int64)
        value, implicit = np.zeros(layout.n_cells), np.zeros(n_columns)
        of_column = np.full(n_columns, NO_FEATURE, dtype=np.int64)
        words, cells = word_columns(layout, counted.cells[0, :, 0], examples, with_words)
        value[cells] = np.log((1.0 + examples) / (1.0 + counted.cells[0, cells, 0])) + 1.0
        feature[cells] = of_column[words] = np.arange(len(words))
        count = len(words)
        for j in np.setdiff1d(np.arange(n_columns), words).tolist():
            first, stored = int(layout.first_cell[j]), int(layout.stored[j])
            own = counted.cells[0, first : first + stored, 0]
            if layout.is_category[j]:
                if stored <= MAX_LEVELS:
                    feature[first : first + stored] = count + np.arange(stored)
                    value[first : first + stored] = 1.0
                    of_column[j], count = count, count + stored
                continue
            in_bins, hidden = _in_bins(layout, j), int(layout.implicit[j])
            n_in = np.zeros(int(layout.bins[j]))
            n_in[in_bins] = own[: len(in_bins)]
            if hidden >= 0:
                n_in[hidden] = examples - own.sum()
            values = _coarse(_standardised(_middles(layout, table, j), n_in), n_in)
            if values.any():
                inside = slice(first, first + len(in_bins))
                feature[inside], value[inside] = count, values[in_bins]
                implicit[j] = values[hidden] if hidden >= 0 else 0.0
                of_column[j], count = count, count + 1
            if layout.missing[j] and own[-1]:
                feature[first + stored - 1], value[first + stored - 1] = count, 1.0
                count += 1
        return cls(feature, value, implicit, of_column, words, cells, count)

    @property
    def word_values(self) -> Floats:
        """(W,) inverse document frequencies."""
        result: Floats = self.value[self.word_cells]
        return result

    @property
    def others(self) -> bool:
        """Whether there are other features than words."""
        return self.count > len(self.words)

    def cell_scores(self, layout: Layout, weights: Floats) -> tuple[Floats, Floats]:
        """What each cell adds to the scores, and what bins that are not stored add.

        (n_cells, K) and (n_columns, K), both on the score grid.

        Parameters
        ----------
        layout : Layout
        weights : (count, K)
        """
        known, feature, value = self._known
        cells = np.zeros((len(self.feature), weights.shape[1]))
        cells[known] = value * weights[feature]
        hidden = np.flatnonzero((layout.implicit >= 0) & (self.of_column >= 0))
        below = np.zeros((len(layout.stored), weights.shape[1]))
        below[hidden] = self.implicit[hidden, np.newaxis] * weights[self.of_column[hidden]]
        return on_grid(cells), on_grid(below)

    @cached_property
    def _known(self) -> tuple[Integers, Integers, Floats]:
        """The cells of features, their features, and (cells, 1) their values."""
        known = np.flatnonzero(self.feature >= 0)
        return known, self.feature[known], self.value[known, np.newaxis]


class Slopes:
    """Sums of the values of features times amounts, given the sums of amounts in cells.

    Parameters
    ----------
    layout : Layout
    features : Features
    """

    def __init__(self, layout: Layout, features: Features) -> None:
        self._count, n_cells = features.count, len(features.feature)
        hidden = np.flatnonzero(features.implicit)
        firsts = layout.first_cell[hidden]
        self._ranges = list(zip(firsts, layout.first_cell[hidden + 1], strict=True))
        # Bins are added in their order, whether they are stored or not.
        place = np.insert(np.arange(n_cells), firsts + layout.implicit[hidden], -1)
        place[place < 0] = n_cells + np.arange(len(hidden))
        feature = np.concatenate([features.feature, features.of_column[hidden]])[place]
        value = np.concatenate([features.value, features.implicit[hidden]])[place]
        known = feature >= 0
        self._place, self._feature, self._value = place[known], feature[known], value[known]

    def with_hidden(self, cells: Integers, totals: Integers) -> Integers:
        """(n_cells, K) sums of amounts, and below them those of the bins that are not stored.

        They are what the cells of the column leave of the totals (K,), exactly.
        """
        if not self._ranges:
            return cells
        hidden = [totals - cells[first:last].sum(axis=0) for first, last in self._ranges]
        return np.concatenate([cells, hidden])

    def __call__(self, sums: Floats) -> Floats:
        """(count, K), given the sums of amounts that `with_hidden` returns."""
        n_labels = sums.shape[1]
        result = np.empty((self._count, n_labels))
        for label in range(n_labels):
            amounts = self._value * sums[self._place, label]
            result[:, label] = np.bincount(self._feature, amounts, self._count)
        return result


def on_grid(scores: Floats) -> Floats:
    """The closest scores on the grid."""
    result: Floats = np.rint(scores * GRID) / GRID
    return result


def word_columns(
    layout: Layout, counts: Integers, examples: float, with_words: bool | None = None
) -> tuple[Integers, Integers]:
    """The columns that are words, and the cells where they are present.

    Parameters
    ----------
    layout : Layout
    counts : (n_cells,)
    examples : float
    with_words : bool, optional
        See `Features.learn`.
    """
    schema = layout.schema
    zero = np.empty(len(layout.bins), dtype=np.int64)
    binning.bins_of(0.0, schema.cuts, schema.cut_pointers, zero)
    numbers = ~(layout.is_category | layout.missing | schema.missing)
    columns: Integers = np.flatnonzero(numbers & (layout.bins == 2) & (zero < 2))
    cells = layout.first_cell[columns]
    cells = np.where(layout.implicit[columns] >= 0, cells, cells + 1 - zero[columns])
    rare = counts[cells] <= MAX_SHARE * examples
    columns, cells = columns[rare], cells[rare]
    if with_words is None:
        with_words = len(columns) >= MIN_WORDS
    return (columns, cells) if with_words else (columns[:0], cells[:0])


def _in_bins(layout: Layout, j: int) -> Integers:
    """The bins of an ordered column that its cells are, without that of missing values."""
    bins, hidden = int(layout.bins[j]), int(layout.implicit[j])
    return np.delete(np.arange(bins), hidden) if hidden >= 0 else np.arange(bins)


def _standardised(values: Floats, counts: Floats) -> Floats:
    """Values with mean 0 and variance 1 over the examples; zeros if they are constant."""
    total = counts.sum()
    if not total:
        return np.zeros_like(values)
    values = np.clip(values, -1e150, 1e150)
    values = values - values[int(counts.argmax())]  # so that far from 0 nothing is rounded away
    largest = np.abs(values).max(initial=0.0)
    values = values / largest if largest > 0.0 else values
    values = values - (counts * values).sum() / total
    spread = np.sqrt((counts * values**2).sum() / total)
    if not spread > 0.0:
        return np.zeros_like(values)
    result: Floats = np.clip(values / spread, -LIMIT, LIMIT)
    return result


def _coarse(values: Floats, counts: Floats) -> Floats:
    """Rising values, those that are close to each other replaced by their mean."""
    group = np.floor((values + LIMIT) * (STEPS / (2.0 * LIMIT))).astype(np.int64)
    counts = np.maximum(counts, 1e-9)  # bins without examples
    total = np.bincount(group, counts, STEPS + 1)
    mean = np.bincount(group, counts * values, STEPS + 1) / np.where(total > 0.0, total, 1.0)
    result: Floats = mean[group]
    return result


def _middles(layout: Layout, table: Table, j: int) -> Floats:
    """(bins,) the lower median of the distinct values in each bin of an ordered column."""
    cuts = layout.schema.cuts_of(j)
    distinct = _distinct(table, j)
    ends = np.searchsorted(distinct, cuts, side="right")
    first, last = np.append(0, ends), np.append(ends, len(distinct))
    middles = distinct[np.minimum((first + last - 1) // 2, len(distinct) - 1)]
    empty = last <= first
    return np.where(empty, 0.0, middles) if empty.any() else middles


def _distinct(table: Table, j: int) -> Floats:
    for values in _values(table, j):
        found = np.unique(values[~np.isnan(values)])
        return found if len(found) else np.zeros(1)
    return np.zeros(1)


def _values(table: Table, j: int) -> Iterator[Floats]:
    """The values of a column of numbers, with zero if some are not stored."""
    for group in table.groups:
        place = np.flatnonzero(group.positions == j)
        if not len(place) or isinstance(group, CategoryColumns):
            continue
        if isinstance(group, NumberColumns):
            yield np.asarray(group.matrix[:, place[0]], dtype=np.float64)
        else:
            matrix = group.matrix
            own = matrix.data[matrix.indices == place[0]].astype(np.float64)
            yield own if len(own) == len(table) else np.append(own, 0.0)
