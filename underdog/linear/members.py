"""A linear model as members of an ensemble: a tree for each column, which tests nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from underdog.core import Member, Path, Rows, Test
from underdog.data import Layout
from underdog.hypotheses import Tree
from underdog.hypotheses.words import WordWeights
from underdog.learners.cuts import threshold_of
from underdog.learners.paths import Examples
from underdog.linear.features import LENGTH, Features, on_grid
from underdog.linear.fitting import LinearFit
from underdog.types import Floats, Integers


class Group(NamedTuple):
    """Bins of a column with the same steps; the last bin is that of missing values."""

    bins: tuple[int, ...]
    steps: tuple[float, ...]


def members_of(
    rows: Rows, features: Features, fit: LinearFit, factor: float
) -> tuple[Floats, list[Member]]:
    """What a linear model times a factor adds to all scores, (K,), and what its columns add.

    Parameters
    ----------
    rows : Rows
    features : Features
    fit : LinearFit
    factor : float
    """
    layout = rows.layout
    cells, below = features.cell_scores(layout, factor * fit.weights)
    start: Floats = on_grid(factor * fit.intercept)
    members, words = [], None
    if len(features.words):
        weights = LENGTH * cells[features.word_cells]
        squares, cells[features.word_cells] = features.word_values**2, 0.0
        words = WordWeights(features.words, weights, squares)
    counted = rows.tally(Examples(rows))
    n_examples = int(counted.totals[0, 0])
    for j in np.setdiff1d(np.flatnonzero(features.of_column >= 0), features.words).tolist():
        first, stored = int(layout.first_cell[j]), int(layout.stored[j])
        own = _by_bin(layout, j, cells[first : first + stored])
        if layout.implicit[j] >= 0:
            own[layout.implicit[j]] = below[j]
        if not own.any():
            continue
        counts = _by_bin(layout, j, counted.cells[0, first : first + stored, :1])[:, 0]
        if layout.implicit[j] >= 0:
            counts[layout.implicit[j]] = n_examples - counts.sum()
        members.append(_member(layout, j, own, counts.astype(np.int64)))
    return start, members if words is None else [*members, words.member]


def _by_bin(layout: Layout, j: int, cells: Any) -> Floats:
    """[bin, label] of stored cells; 0 for the bin that is not stored and for missing values."""
    bins, hidden = int(layout.bins[j]), int(layout.implicit[j])
    stored = np.delete(np.arange(bins), hidden) if hidden >= 0 else np.arange(bins)
    result = np.zeros((bins + 1, cells.shape[1]))
    result[stored] = cells[: len(stored)]
    if layout.missing[j]:
        result[bins] = cells[-1]
    return result


def _member(layout: Layout, j: int, steps: Floats, counts: Integers) -> Member:
    groups: list[Group] = []
    last = len(steps) - 1
    for b, own in enumerate(map(tuple, steps.tolist())):
        if groups and groups[-1].steps == own and b != last:
            groups[-1] = Group((*groups[-1].bins, b), own)
        else:
            groups.append(Group((b,), own))
    leaves = _leaves(layout, j, groups, ())
    values = np.array([group.steps for group, _ in leaves])
    examples = np.array([counts[list(group.bins)].sum() for group, _ in leaves], dtype=np.int64)
    tree = Tree(tuple(path for _, path in leaves), values, examples)
    return Member(tree, 1.0, values, float(np.abs(values).max()))


def _leaves(
    layout: Layout, j: int, groups: Sequence[Group], path: Path
) -> list[tuple[Group, Path]]:
    """The groups of a column, and the tests that halve them until one is left."""
    if len(groups) == 1:
        return [(groups[0], path)]
    middle = len(groups) // 2
    inside = np.zeros(int(layout.bins[j]) + 1, dtype=np.uint8)
    for group in groups[middle:]:
        inside[list(group.bins)] = 1
    if not layout.is_category[j] and len(groups) > 1:  # all bins above a cut, as tests have it
        above = [b for group in groups[middle:] for b in group.bins if b < layout.bins[j]]
        if above:
            inside[min(above) : int(layout.bins[j])] = 1
    test = Test(j, inside, threshold_of(layout, j, inside))
    no = _leaves(layout, j, groups[:middle], (*path, (test, 0)))
    return no + _leaves(layout, j, groups[middle:], (*path, (test, 1)))
