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
    counted : bool
        Whether `min_mass` makes sure of `min_samples`.
    """

    max_depth: int
    max_leaves: int
    min_samples: int
    min_share: float
    min_mass: float
    best_first: bool
    counted: bool = False

    def relative_to(self, mass: float) -> Limits:
        """The same for a tree whose examples have this weight, or curvature, together."""
        return self._replace(min_mass=max(self.min_mass, self.min_share * mass))

    def by_mass(self, mass: float) -> Limits:
        """The same if every example has this weight, or curvature: then a mass is a number of them.

        A leaf with enough examples has half an example more than is asked for here, so that
        rounding does not matter.
        """
        least = max(self.min_mass, (self.min_samples - 0.5) * mass)
        return self._replace(min_mass=least, counted=True)
