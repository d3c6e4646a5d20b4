"""Error-based pruning: a subtree becomes a leaf if this is not expected to make more errors."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from underdog.core import Path
from underdog.kernels.pruning import pessimistic_errors
from underdog.types import Floats

CONFIDENCES = (0.0, 0.001, 0.005, 0.01, 0.05, 0.10, 0.20, 0.40, 1.00)
DEVIATIONS = (4.0, 3.09, 2.58, 2.33, 1.65, 1.28, 0.84, 0.25, 0.00)
"""C4.5's table of one-sided limits of the normal distribution, between which it interpolates."""
SLACK = 0.1
"""Errors that a leaf may make more than the subtree it replaces, as in C4.5."""


class _Subtree(NamedTuple):
    path: Path
    first: int
    """Its first leaf among those that are kept so far."""
    masses: Floats
    errors: float


def prune(
    leaves: tuple[Path, ...],
    masses: Floats,
    examples: float,
    confidence: float,
    by_class: bool = False,
) -> tuple[tuple[Path, ...], list[int]]:
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

    def estimate(own: Floats) -> float:
        if by_class:
            size, errors = own[1].sum() * examples, (own[1].sum() - own[1].max()) * examples
        else:
            size, errors = own.sum() * examples, own.min(axis=0).sum() * examples
        return float(pessimistic_errors(float(size), float(errors), confidence, deviations))

    kept: list[tuple[Path, int]] = []
    stack: list[_Subtree] = []
    for number, path in enumerate(leaves):
        kept.append((path, number))
        stack.append(_Subtree(path, len(kept) - 1, masses[number], estimate(masses[number])))
        while len(stack[-1].path) > 1 and stack[-1].path[-1][1] == 1:
            true, false = stack.pop(), stack.pop()
            own, errors = false.masses + true.masses, false.errors + true.errors
            alone = estimate(own)
            if alone <= errors + SLACK:
                errors = alone
                kept[false.first :] = [(true.path[:-1], kept[false.first][1])]
            stack.append(_Subtree(true.path[:-1], false.first, own, errors))
    return tuple(path for path, _ in kept), [number for _, number in kept]
