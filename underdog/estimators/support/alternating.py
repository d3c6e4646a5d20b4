"""The parameters of boosters of alternating decision trees."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from underdog.core import Learner
from underdog.estimators.support.base import Booster
from underdog.estimators.support.inputs import refuse_unused
from underdog.learners import AlternatingLearner


@dataclass(kw_only=True, eq=False, repr=False)
class AlternatingParameters(Booster):
    """A booster whose rules are tests under prediction nodes."""

    learner: Any = "alternating"
    n_estimators: int = 20
    grow: str = "all"
    missing: str = "side"

    def _make_learner(self) -> Learner:
        if isinstance(self.learner, str) and self.learner == "alternating":
            return AlternatingLearner(self.grow, self.missing)
        refuse_unused(self, "learner", "alternating", "grow", "missing")
        return super()._make_learner()
