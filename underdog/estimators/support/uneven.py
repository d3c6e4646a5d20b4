"""The mixin of boosters in which a positive counts as beta negatives."""

from __future__ import annotations

from typing import TYPE_CHECKING

from underdog.checks import as_float
from underdog.costs import Costs
from underdog.estimators.support.weights import FitArguments

if TYPE_CHECKING:
    from underdog.estimators.support.classifier import Classifier as Mixed
else:
    Mixed = object  # the defaults of a dataclass would precede those of the other base class


class Uneven(Mixed):
    """A booster with beta, or with costs that determine beta."""

    beta: float

    def _unevenness(self) -> float:
        """Number of negatives that a positive counts for: beta, or (fn - tp) / (fp - tn)."""
        beta: float = as_float(self.beta)
        return beta if self.costs is None else self.costs.ratio()

    def _given_costs(self, given: FitArguments) -> Costs | None:
        """None: the costs are already in beta."""
        if given.costs is not None:
            raise ValueError(
                f"{type(self).__name__} has one beta for all examples and does not support costs "
                "in fit: give Costs(fn, fp) to the constructor, or use AdaBoostAClassifier for "
                "costs per example"
            )
        return None
