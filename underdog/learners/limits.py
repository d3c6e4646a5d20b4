"""How large a tree may become."""

from __future__ import annotations

from typing import NamedTuple


class Limits(NamedTuple):
    """Where growth ends.

    Attributes
    ----------
    max_depth, max_leaves : int
    min_samples : int
        Examples that each leaf must have.
    min_mass : float
        Weight, or curvature, that each leaf must have; all examples together have 1.
    best_first : bool
        Whether the leaf that gains most is split next, or the oldest one.
    """

    max_depth: int
    max_leaves: int
    min_samples: int
    min_mass: float
    best_first: bool
