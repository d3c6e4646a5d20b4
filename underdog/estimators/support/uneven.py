"""What boosters share in which a positive counts beta negatives."""

from __future__ import annotations

from typing import TYPE_CHECKING

from underdog.checks import as_float
from underdog.costs import Costs
from underdog.estimators.support.weights import FitArguments

if TYPE_CHECKING:
    from underdog.estimators.support.base import Booster as Mixed
else:
    Mixed = object  # a dataclass would bring its defaults before those of the class it is mixed in


class Uneven(Mixed):
    """A booster with beta, or with costs from which beta follows."""

    beta: float

    def _unevenness(self) -> float:
        """How many negatives a positive counts: beta, or (fn - tp) / (fp - tn)."""
        beta: float = as_float(self.beta)
        return beta if self.costs is None else self.costs.ratio()

    def _given_costs(self, given: FitArguments) -> Costs | None:
        """None: beta has taken them."""
        if given.costs is not None:
            raise ValueError(
                f"{type(self).__name__} has one beta for all examples: give costs of the two kinds "
                "of mistakes as a parameter; for costs of examples use AdaBoostAClassifier"
            )
        return None
