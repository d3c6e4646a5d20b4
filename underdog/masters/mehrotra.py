"""Interior points of programmes with soft margins, and Mehrotra's predictor-corrector method.

Such a programme has coefficients a >= 0, slacks xi >= 0 of examples, and s >= 0, by which an
example is above its limit. The multipliers of s, xi and a are w, v and z. At the optimum each
product of a number and its multiplier is 0; the method makes all of them smaller together.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, Protocol, TypeVar

import numpy as np

from underdog.types import Floats

MOST_STEPS = 100
LEAST = 1e-300
"""The sum of all products is kept above it."""
SHARE = 0.995
"""Of the longest step, so that all numbers stay positive."""


class Inside(NamedTuple):
    """A point of the interior, or a direction."""

    a: Floats
    xi: Floats
    s: Floats
    w: Floats
    v: Floats
    z: Floats

    @property
    def size(self) -> int:
        """The number of products."""
        return 2 * len(self.w) + len(self.a)

    def product(self) -> float:
        """The sum of all multipliers times their numbers."""
        return max(float(self.w @ self.s + self.v @ self.xi + self.a @ self.z), LEAST)

    def moved(self, by: Inside, step: float) -> Inside:
        """The point after a step in a direction."""
        return Inside(*(own + step * more for own, more in zip(self, by, strict=True)))

    def longest(self, by: Inside) -> float:
        """The longest step up to 1 that leaves nothing below 0."""
        step = 1.0
        for own, more in zip(self, by, strict=True):
            falls = more < 0.0
            step = min(step, float((-own[falls] / more[falls]).min(initial=np.inf)))
        return step


class NewtonSystem(Protocol):
    """The equations of a Newton step at a point."""

    def direction(
        self, at: Inside, w_s: float | Floats, v_xi: float | Floats, a_z: float | Floats
    ) -> Inside:
        """Towards products that differ from 0 by these amounts."""


class Gap(Protocol):
    """A solution that says how far it may be from the optimum."""

    @property
    def gap(self) -> float:
        """At least 0."""


Solution = TypeVar("Solution", bound=Gap)


def solve(
    inside: Inside,
    system_at: Callable[[Inside], NewtonSystem],
    solution_at: Callable[[Inside], Solution],
    enough: Callable[[Solution], bool],
) -> Solution:
    """The solution with the smallest gap on the way from a point to the optimum.

    Parameters
    ----------
    inside : the first point
    system_at : the equations at a point
    solution_at : what a point suggests
    enough : whether a solution is good enough
    """
    best = solution_at(inside)
    for _ in range(MOST_STEPS):
        if enough(best):
            break
        try:
            system = system_at(inside)
            by = system.direction(inside, 0.0, 0.0, 0.0)
            ahead = inside.moved(by, inside.longest(by)).product()
            aim = (ahead / inside.product()) ** 2 * ahead / inside.size
            by = system.direction(inside, aim - by.w * by.s, aim - by.v * by.xi, aim - by.a * by.z)
        except (
            np.linalg.LinAlgError,
            ValueError,
        ):  # singular, or not finite: rounding is in the way
            break
        inside = inside.moved(by, SHARE * inside.longest(by))
        found = solution_at(inside)
        if not np.isfinite(found.gap):
            break
        best = min(best, found, key=lambda each: each.gap)
    return best
