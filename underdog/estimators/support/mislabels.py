"""The base class of boosters that ask a binary learner about random colourings of the classes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from underdog.checks import check_integer
from underdog.codes import Code, Labels
from underdog.codes.one_of_k import OneOfKLabels
from underdog.core import Learner, Loss, Run
from underdog.estimators.support import inputs
from underdog.estimators.support.certificates import bound_of, misclassified
from underdog.estimators.support.classifier import Classifier
from underdog.estimators.support.colouring import ROOM, TRIES, Colouring, Mislabels
from underdog.estimators.support.task import LabelledRows


@dataclass(kw_only=True, eq=False, repr=False)
class ColouringBooster(Classifier):
    """A booster that divides the classes in two in every round."""

    n_colourings: int = 1

    _of_separated: ClassVar[bool] = False
    _certified: ClassVar[tuple[str, ...]] = ("bound", "training_error", "loss", "ranking_loss")

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

    def _certify(self, run: Run) -> dict[str, Any]:
        labels, loss, ranking = self._labels, bound_of(run), run.training_error()
        if not isinstance(labels, OneOfKLabels):
            return {"bound": loss, "training_error": ranking, "loss": loss, "ranking_loss": ranking}
        return {
            "bound": (len(labels.classes) - 1) * loss,
            "training_error": misclassified(run, labels),
            "loss": loss,
            "ranking_loss": ranking,
        }
