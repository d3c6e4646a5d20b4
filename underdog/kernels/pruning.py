"""C4.5's estimate of how many errors a leaf will make on new examples."""

import math

import numpy as np

from underdog.kernels.elementary import exp, log
from underdog.kernels.jit import kernel


@kernel
def pessimistic_errors(size, errors, confidence, deviations):
    """`size` times the upper confidence limit of the share of errors, as C4.5 computes it.

    By the binomial distribution without errors, by a normal approximation with one or more, and
    linearly in between. `deviations` are the standard deviations that belong to `confidence`.
    """
    if size <= 0.0:
        return 0.0
    none = size * (1.0 - exp(log(confidence) / size))
    if errors < 1e-6:
        return errors + none
    if errors < 0.9999:
        return errors + none + errors * (with_errors(size, 1.0, deviations) - none)
    return errors + with_errors(size, errors, deviations)


@kernel
def with_errors(size, errors, deviations):
    """What is added to one or more errors."""
    if errors + 0.5 >= size:
        return 0.67 * (size - errors)
    square, half = deviations * deviations, errors + 0.5
    spread = math.sqrt(square * (half * (1.0 - half / size) + square / 4.0))
    return size * (half + square / 2.0 + spread) / (size + square) - errors


@kernel
def expected_errors(masses, by_class, examples, confidence, deviations):
    """Expected errors of a node with these [channel, label] masses, as a leaf."""
    size = errors = heaviest = 0.0
    for k in range(masses.shape[1]):
        minus, plus = masses[0, k], masses[1, k]
        size += plus if by_class else minus + plus
        errors += plus if by_class else min(minus, plus)
        heaviest = max(heaviest, plus)
    if by_class:
        errors = size - heaviest
    return pessimistic_errors(size * examples, errors * examples, confidence, deviations)


@kernel
def prune_leaves(
    depths, answers, masses, by_class, examples, confidence, deviations, slack, kept, lengths
):
    """Replace subtrees by leaves, from the leaves to the root, which keeps its test.

    answers[leaf, depth] are those on the path to each leaf, the false side of every test first.
    kept[i] is the first old leaf of each leaf that is left, and lengths[i] how much of its path.
    Returns how many are left.
    """
    deepest = answers.shape[1] + 1
    sums = np.empty((deepest, masses.shape[1], masses.shape[2]))
    errors, where = np.empty(deepest), np.empty((deepest, 3), np.int64)
    size = top = 0
    for leaf in range(depths.shape[0]):
        for s in range(masses.shape[1]):
            for k in range(masses.shape[2]):
                sums[top, s, k] = masses[leaf, s, k]
        errors[top] = expected_errors(sums[top], by_class, examples, confidence, deviations)
        where[top, 0], where[top, 1], where[top, 2] = leaf, depths[leaf], size
        kept[size], lengths[size] = leaf, depths[leaf]
        size += 1
        while where[top, 1] > 1 and answers[where[top, 0], where[top, 1] - 1] == 1:
            depth, top = where[top, 1] - 1, top - 1
            for s in range(masses.shape[1]):
                for k in range(masses.shape[2]):
                    sums[top, s, k] += sums[top + 1, s, k]
            errors[top] += errors[top + 1]
            alone = expected_errors(sums[top], by_class, examples, confidence, deviations)
            if alone <= errors[top] + slack:
                errors[top] = alone
                size = where[top, 2] + 1
                lengths[size - 1] = depth
            where[top, 1] = depth
        top += 1
    return size
