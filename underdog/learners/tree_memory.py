"""What a tree learner keeps during a run, and why it stops."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from underdog.core import Criterion, Run, Signal, Stop
from underdog.learners.candidates import Candidates
from underdog.learners.grower import Grower
from underdog.learners.limits import Limits
from underdog.learners.paths import PathGrower
from underdog.learners.sampling import EVERYTHING, Sample, Sampler
from underdog.learners.stump import NO_TEST
from underdog.types import Floats, Integers

NO_SPLIT = "no test makes a tree better than a constant any more"
NO_LARGE_SPLIT = (
    "no test makes a tree better than a constant and leaves min_weight_fraction_leaf of the weight "
    "on both sides"
)
MIN_CURVATURE = 1e-3
"""Of a leaf of Newton's steps, in examples of mean weight and curvature 1."""
ANY_MASS = 1e-300
"""The least mass of a leaf where any will do but 0."""


NO_CURVED_SPLIT = (
    "every test that makes a tree better than a constant leaves a side with less than the least "
    f"curvature of a leaf ({MIN_CURVATURE:g})"
)
NO_FREQUENT_SPLIT = (
    "every test that makes a tree better than a constant leaves a side where less is expected than "
    f"in a leaf ({MIN_CURVATURE:g} of a count, or of the mean count if that is below 1)"
)


@dataclass
class Memory:
    """What a tree learner keeps during a run."""

    run: Run
    grower: Grower | PathGrower
    growth: Criterion
    limits: Limits
    growth_signal: Signal | None
    """What tests are chosen by, if not by the first signal of a question."""
    sampler: Sampler
    no_large_split: str = NO_LARGE_SPLIT

    def is_answer(self, leaves: int) -> bool:
        """Whether a tree with so many leaves is a rule.

        To a margin a constant is a rule like any other. After its first rules a master problem may
        give all weight to one class, and there a constant is the best one. It is no rule where no
        test is possible at all.
        """
        if leaves > 1 or self.run.parts.loss.chooses_by not in ("edge", "votes"):
            return leaves > 1
        return len(Candidates(self.run.rows.layout)) > 0 and self.limits.min_share <= 0.5

    def limits_for(self, totals: Integers, unit: Floats) -> Limits:
        """The limits of a tree on [channel, label] sums: weights sum to 1, curvatures do not."""
        limits, of_rates = self.limits, self.of_rates
        if limits.min_share == 0.0 and not of_rates:
            return limits
        newton = self.growth.reads == "newton"
        mass = float((totals[1] * unit[1]).sum()) if newton else 1.0
        if of_rates:
            limits = limits._replace(min_mass=max(limits.min_mass * min(mass, 1.0), ANY_MASS))
        return limits.relative_to(mass)

    @property
    def pays(self) -> bool:
        """Whether mistakes cost something else than what tests are chosen by."""
        return len(self.run.state.signals) > 1

    @property
    def of_rates(self) -> bool:
        """Whether curvatures are rates, in the unit of the target."""
        return bool(getattr(self.run.parts.loss, "log_link", False))

    def stop(self, sample: Sample, limits: Limits, leaves: Callable[[Limits], int]) -> Stop:
        """Why there is no tree, given how many leaves there would be with other limits."""
        if not len(Candidates(self.run.rows.layout)):
            return Stop(NO_TEST)
        if self.limits.min_share > 0.0:
            return Stop(self.no_large_split)
        floored = self.growth.reads == "newton" and limits.min_mass > ANY_MASS
        if sample is not EVERYTHING or not floored or limits.counted:
            return Stop(NO_SPLIT)
        if leaves(limits._replace(min_mass=ANY_MASS)) == 1:
            return Stop(NO_SPLIT)
        return Stop(NO_FREQUENT_SPLIT if self.of_rates else NO_CURVED_SPLIT)
