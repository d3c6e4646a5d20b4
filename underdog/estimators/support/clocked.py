"""The base class of boosters with a clock."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, ClassVar, cast

from underdog.codes import Labels
from underdog.combiners import Clocked
from underdog.core import Combiner, Parts, Run, not_defined
from underdog.estimators.support.binary import BinaryBooster
from underdog.estimators.support.task import LabelledRows
from underdog.estimators.support.validation import ValidationScore
from underdog.estimators.support.weights import Weighting
from underdog.losses.potentials import PotentialLoss


@dataclass(kw_only=True, eq=False, repr=False)
class ClockedBooster(BinaryBooster):
    """A binary booster whose potential changes with time."""

    learner: Any = "discrete"
    target_error: float = 0.1

    _certified: ClassVar[tuple[str, ...]] = ("bound", "training_error", "time_left", "potential")

    def _make_loss(self) -> PotentialLoss:
        raise not_defined(self, "_make_loss")

    def _make_combiner(self) -> Combiner:
        return Clocked(self.learning_rate)

    def _make_score(
        self,
        parts: Parts,
        held_out: LabelledRows,
        labels: Labels,
        weighting: Weighting,
        scoring: Any,
    ) -> ValidationScore:
        """By the potential at the end of the clock: at the same time for all rounds."""
        loss = cast(PotentialLoss, parts.loss)
        parts = replace(parts, loss=loss.at(loss.end))
        return super()._make_score(parts, held_out, labels, weighting, scoring)

    def _certify(self, run: Run) -> dict[str, Any]:
        last = run.history.rows[self.n_iter_ - 1]
        end = cast(PotentialLoss, run.parts.loss).end
        return {
            **super()._certify(run),
            "time_left": (end - last["time"]) / end,
            "potential": last["potential"],
        }
