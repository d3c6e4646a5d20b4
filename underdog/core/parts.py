"""Loss, learner, combiner and code of one fit, and whether they go together."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from underdog.core.components import Combiner, Component, Criterion, Learner, Loss
from underdog.core.scores import Target
from underdog.core.signals import Reads

CHANNELS: dict[Reads, str] = {
    "sides": "weights of negative and positive examples",
    "newton": "gradients and curvatures",
    "classes": "weights of every class",
}


@dataclass(frozen=True)
class Parts:
    """Loss, learner, combiner and code of one fit."""

    loss: Loss
    learner: Learner
    combiner: Combiner
    code: Component | None = None
    """None until y is known."""

    @cached_property
    def criterion(self) -> Criterion:
        return self.learner.criterion(self.loss)

    @property
    def log_odds_shift(self) -> float | None:
        """How far scores converge above log-odds; None if they do not converge to log-odds."""
        return self.loss.log_odds_shift(self.criterion.converges_to)

    def check_target(self, target: Target) -> None:
        """Refuse zeros of a code, or soft labels, that the loss or the learner does not take."""
        if target.mask is not None and not self.loss.takes_masks:
            why = f"the code has zeros, which {self.loss!r} cannot leave out"
            raise ValueError(f"{why}: use another code or loss")
        if target.soft is not None:
            for part in (self.loss, self.learner):
                if not part.takes_soft_labels:
                    raise ValueError(
                        f"with prior knowledge a row counts for several classes, which {part!r} "
                        "does not take: use another one, or leave out prior_knowledge"
                    )

    def check_code(self) -> None:
        """Refuse a code that the loss is not for."""
        needed = self.loss.code
        if needed is not None and type(self.code).__name__ != needed:
            raise ValueError(
                f"{self.loss!r} is for the code {needed}(), but the code is {self.code!r}: use "
                f"code={needed}(), or another loss"
            )

    def check(self) -> None:
        """Refuse invalid parameters, and parts that are not compatible."""
        for component in (self.loss, self.learner, self.combiner):
            component.check()
        self.combiner.check_loss(self.loss)
        self.combiner.check_learner(self.learner)
        if self.criterion.reads != self.loss.reads:
            raise ValueError(
                f"{self.learner!r} needs {CHANNELS[self.criterion.reads]}, but {self.loss!r} has "
                f"{CHANNELS[self.loss.reads]}: use another learner or loss"
            )
        if not self.criterion.final and "measure" in self.combiner.needs:
            self.combiner._require(self.loss, ("best_coefficient",))
