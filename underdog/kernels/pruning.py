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
