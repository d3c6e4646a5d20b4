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
    """A booster whose rules are tests under prediction nodes.

    Small nodes have large values, so a few held-out rows are wrong with a large score. They
    dominate any loss of held-out rows, which rises after one or two tests, while the order of the
    rows goes on to improve: therefore rounds are chosen by the order.
    """

    learner: Any = "alternating"
    n_estimators: int = 20
    cv: int | None = 5
    scoring: Any = "ranking"
    n_iter_no_change: int = 20
    grow: str = "all"
    missing: str = "side"

    def _make_learner(self) -> Learner:
        if isinstance(self.learner, str) and self.learner == "alternating":
            return AlternatingLearner(self.grow, self.missing)
        refuse_unused(self, "learner", "alternating", "grow", "missing")
        return super()._make_learner()
