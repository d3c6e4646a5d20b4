"""C4.5's estimate of how many errors a leaf will make on new examples."""

import math

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
def prune_splits(spans, sums, by_class, examples, confidence, deviations, slack, errors, pruned):
    """pruned[s] = 1 where a test becomes a leaf, from the leaves to the root, which keeps its own.

    spans[s] are the first leaf of the false side of test s, that of its true side and the end;
    tests are before those of their sides. sums[leaf] are masses, and errors has room for a number
    per leaf. Both have those of a whole subtree at its first leaf afterwards.
    """
    for leaf in range(sums.shape[0]):
        errors[leaf] = expected_errors(sums[leaf], by_class, examples, confidence, deviations)
    for s in range(spans.shape[0] - 1, -1, -1):
        false, true = spans[s, 0], spans[s, 1]
        for c in range(sums.shape[1]):
            for k in range(sums.shape[2]):
                sums[false, c, k] += sums[true, c, k]
        errors[false] += errors[true]
        pruned[s] = 0
        if s > 0:
            alone = expected_errors(sums[false], by_class, examples, confidence, deviations)
            if alone <= errors[false] + slack:
                errors[false], pruned[s] = alone, 1
