"""The base class of boosters that shorten the steps of AdaBoost for a greater minimum margin."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar

from underdog.combiners.hard_margin import least_edge
from underdog.core import Loss, Run
from underdog.estimators.support.binary import BinaryBooster
from underdog.losses import VotingMargins


@dataclass(kw_only=True, eq=False, repr=False)
class HardMarginBooster(BinaryBooster):
    """A binary booster of votes with a least margin and an upper bound on it."""

    learner: Any = "discrete"

    _certified: ClassVar[tuple[str, ...]] = (
        "bound", "training_error", "minimum_margin", "upper_bound",
    )  # fmt: skip

    def _make_loss(self) -> Loss:
        return VotingMargins()

    def _certify(self, run: Run) -> dict[str, Any]:
        exact = run.parts.criterion.maximises_edge and not run.parts.learner.greedy
        return {
            **super()._certify(run),
            "minimum_margin": run.history.rows[self.n_iter_ - 1]["margin"],
            "upper_bound": least_edge(run) if exact else math.inf,
        }
