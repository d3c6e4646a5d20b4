"""The base class of learners that let another learner find their rules."""

from __future__ import annotations

from underdog.core import Criterion, Learner, Loss


class UsesLearner(Learner):
    """A learner that asks `learner` another question than the one it gets."""

    learner: Learner

    def check(self) -> None:
        self.learner.check()

    def criterion(self, loss: Loss) -> Criterion:
        return self.learner.criterion(loss)

    @property
    def keeps_constraints(self) -> bool:  # type: ignore[override]
        return self.learner.keeps_constraints
