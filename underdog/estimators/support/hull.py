"""What boosters in a convex hull share: the radius and the certificate."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any, ClassVar, cast

import numpy as np

from underdog.checks import check_positive
from underdog.combiners import Hull
from underdog.combiners.hull import MINIMUM, SMALLEST_GAP
from underdog.core import Combiner, Parts, Run
from underdog.data.draws import NEVER, Draw, seed_of
from underdog.estimators.support.base import Booster
from underdog.estimators.support.early_stopping import find_rounds
from underdog.estimators.support.task import FitTask, Folds, LabelledRows
from underdog.estimators.support.validation import comparable
from underdog.estimators.support.weights import Weighting
from underdog.losses.descent import Descent

RADII = (1.0, 2.0, 4.0, 8.0, 16.0)
"""Those that folds choose from."""
FOLDS = 3
MIDDLE = 4.0
"""The radius where no row can be left out."""


@dataclass(kw_only=True, eq=False, repr=False)
class HullBooster(Booster):
    """A booster whose scores stay in the convex hull of its rules times a radius."""

    learner: Any = "discrete"
    radius: float | None = None

    _learns: ClassVar[dict[str, Any]] = {"radius_": float}
    _hull: ClassVar[tuple[str, ...]] = ("training_loss", "lower_bound", "gap", "rate")

    def _check_parameters(self) -> None:
        super()._check_parameters()
        if self.radius is not None:
            check_positive("radius", self.radius)

    def _make_combiner(self) -> Combiner:
        return Hull(learning_rate=self.learning_rate)

    def _adapt(self, parts: Parts, examples: LabelledRows, labels: Any, own: Weighting) -> Parts:
        parts = super()._adapt(parts, examples, labels, own)
        return replace(parts, combiner=Hull(self.radius_, self.learning_rate))

    def _learn(self, task: FitTask) -> None:
        if self.radius is not None:
            self.radius_ = float(self.radius)
        elif not task.resumed:
            self.radius_ = self._find_radius(task)
        super()._learn(task)

    def _find_radius(self, task: FitTask) -> float:
        """The radius with the best score of left-out rows, at its best number of rounds."""
        examples = task.examples
        found = self._classes_of_rows(examples.y)
        kinds = np.zeros(len(examples.y), dtype=np.int64) if found is None else found[1]
        draw = Draw(examples.table, kinds, examples.counted.repeats, seed_of(self.random_state))
        of_row = draw.folds(FOLDS)
        if len(np.unique(of_row[of_row != NEVER])) < 2:
            return MIDDLE
        folds = replace(task, held_out=Folds(of_row, "", False))
        scores = []
        for radius in RADII:
            self.radius_ = radius
            tried = find_rounds(self, folds).scores
            scores.append(max(map(comparable, tried), default=-math.inf))
        return RADII[int(np.argmax(scores))]

    def _certify(self, run: Run) -> dict[str, Any]:
        loss, last = cast(Descent, run.parts.loss), run.history.rows[: self.n_iter_]
        exact = run.parts.criterion.maximises_edge and not run.parts.learner.greedy
        lower = max(row["lower_bound"] for row in last) if exact else -math.inf
        reached = loss.training_loss(run.rows)
        if exact and self.stop_reason_ == MINIMUM:
            lower = reached * (1.0 - SMALLEST_GAP)
        curvature = loss.in_unit(4.0 * loss.most_curved * run.memory.radius**2, run.rows)
        return {
            **super()._certify(run),
            "training_loss": reached,
            "lower_bound": lower,
            "gap": max(reached - lower, 0.0),
            "rate": 2.0 / (len(last) + 3) * curvature if self.learning_rate == 1.0 else math.nan,
        }
