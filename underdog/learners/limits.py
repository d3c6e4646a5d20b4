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
    min_share : float
        Share of the weight, or of the curvature, that each leaf must have.
    min_mass : float
        Weight, or curvature, that each leaf must have; the weight of all examples is 1.
    best_first : bool
        Whether the leaf that gains most is split next, or the oldest one.
    """

    max_depth: int
    max_leaves: int
    min_samples: int
    min_share: float
    min_mass: float
    best_first: bool

    def relative_to(self, mass: float) -> Limits:
        """The same for a tree whose examples have this weight, or curvature, together."""
        return self._replace(min_mass=max(self.min_mass, self.min_share * mass))
