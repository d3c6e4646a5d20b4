"""The choice by gain ratio, given the entropies of all tests of a node.

The plain form of `kernels.gain_ratio`.
"""

from __future__ import annotations

import numpy as np

from underdog.kernels.criteria import TIE
from underdog.types import Floats


def ratio_scores(
    scores: dict[int, list[Floats]], true: dict[int, list[Floats]], before: float, mass: float
) -> dict[int, list[Floats]]:
    """Minus the gain ratio of the tests among which to choose; infinite for all other tests.

    Every column offers the first of the tests with the greatest information gain, if it has at
    least the mean gain of all columns that gain anything.

    Parameters
    ----------
    scores : column -> entropies of its tests, times the weight of the node
        Of categories, for each order of the levels.
    true : column -> weights of the true sides of its tests
    before : float
        The entropy of the node, times its weight.
    mass : float
        The weight of the node.
    """
    lowest = {j: min(float(own.min(initial=np.inf)) for own in scores[j]) for j in scores}
    gains = {j: (before - least) / mass for j, least in lowest.items()} if mass > 0.0 else {}
    gains = {j: gain for j, gain in gains.items() if gain > TIE}
    average = sum(gains.values()) / max(1, len(gains))
    found = {j: [np.full_like(own, np.inf) for own in scores[j]] for j in scores}
    for j, gain in gains.items():
        if gain < average - TIE:
            continue
        for own, inside, out in zip(scores[j], true[j], found[j], strict=True):
            offered = np.flatnonzero(own <= lowest[j] + TIE * mass)
            if len(offered):
                share = float(inside[offered[0]]) / mass
                sizes = np.array([share, 1.0 - share])
                out[offered[0]] = gain / float(sizes @ np.log(sizes))
                break
    return found
