"""Error-based pruning: a subtree becomes a leaf if this is not expected to make more errors."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from underdog.core import Path
from underdog.hypotheses.splits import SplitPaths, splits_of
from underdog.kernels.pruning import prune_splits
from underdog.types import Floats

CONFIDENCES = (0.0, 0.001, 0.005, 0.01, 0.05, 0.10, 0.20, 0.40, 1.00)
DEVIATIONS = (4.0, 3.09, 2.58, 2.33, 1.65, 1.28, 0.84, 0.25, 0.00)
"""C4.5's table of one-sided limits of the normal distribution, between which it interpolates."""
SLACK = 0.1
"""Errors that a leaf may make more than the subtree it replaces, as in C4.5."""


def prune(
    leaves: Sequence[Path],
    masses: Floats,
    examples: float,
    confidence: float,
    by_class: bool = False,
) -> tuple[SplitPaths, list[int]]:
    """The leaves that are left, and the number of the first old leaf of each.

    A node votes for each label as most of its weight does, and the rest of its weight is errors.
    Whether a subtree is replaced is decided after its own subtrees. The root keeps its test.

    Parameters
    ----------
    leaves : paths, the false side of every test first
        So the leaves of a subtree are neighbours.
    masses : [leaf, channel, label]
        Weights of negatives and positives; all together are 1.
    examples : float
        How many examples all weights stand for.
    confidence : float
        Of the upper limit of the share of errors; the smaller, the more is pruned.
    by_class : bool, default=False
        A node votes for one class, its heaviest, and the positives of other labels are errors.
    """
    deviations = float(np.interp(confidence, CONFIDENCES, DEVIATIONS))
    found = splits_of(leaves)
    if found is None:
        raise ValueError("the leaves to prune are not those of a binary tree")
    splits, sums = found[0], np.array(masses, dtype=np.float64, order="C")
    errors, pruned = np.empty(len(sums)), np.empty(len(splits.columns), dtype=np.uint8)
    prune_splits(
        splits.spans, sums, by_class, examples, confidence, deviations, SLACK, errors, pruned
    )
    left, first = splits.without(pruned.astype(bool))
    return SplitPaths(left), first.tolist()
