"""The base class of boosters that ask a binary learner about random colourings of the classes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from underdog.checks import check_integer
from underdog.codes import Code, Labels
from underdog.core import Learner, Loss
from underdog.estimators.support import inputs
from underdog.estimators.support.colouring import ROOM, TRIES, Colouring, Mislabels
from underdog.estimators.support.label_ranking import RankingBooster
from underdog.estimators.support.task import LabelledRows


@dataclass(kw_only=True, eq=False, repr=False)
class ColouringBooster(RankingBooster):
    """A booster that divides the classes in two in every round."""

    n_colourings: int = 1

    _of_separated: ClassVar[bool] = False

    def _check_parameters(self) -> None:
        super()._check_parameters()
        check_integer("n_colourings", self.n_colourings, 1, ROOM // TRIES)

    def _make_loss(self) -> Loss:
        return Mislabels()

    def _make_learner(self) -> Learner:
        return Colouring(super()._make_learner(), self.n_colourings, self._of_separated)

    def _make_code(self, y: Any) -> Code:
        inputs.check_one_label(self, y)
        return super()._make_code(y)

    def _smooth_for(self, examples: LabelledRows, labels: Labels) -> float:
        return self._smooth(examples.counted.examples, 1)
