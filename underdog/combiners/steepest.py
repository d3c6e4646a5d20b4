"""Steepest descent: any cost, any step along a rule."""

from __future__ import annotations

from typing import ClassVar, cast

import numpy as np

from underdog.checks import as_float, check_positive
from underdog.core import Combiner, Loss, Move, Proposal, Question, Run, RunRecord, Stop
from underdog.kernels import criteria
from underdog.losses.descent import Descent

LONGEST = 16.0
"""The longest step: a rule that is never wrong has no best one."""
SMALLEST_FALL = 1e-10
"""A smaller slope, relative to the loss, is a rounding error."""
NO_RULE = "no rule leads to a lower loss"


class SteepestDescent(Combiner):
    r"""AnyBoost: adds the rule along which the loss falls fastest, with the step of the least loss.

    With :math:`D_i \propto -C'(y_i f(x_i))` the learner finds the rule of the greatest edge. It is
    added with the coefficient that minimises the mean of :math:`C(y_i (f(x_i) + a h(x_i)))`. The
    run ends when no rule has an edge. Where C is not convex the step is halved until the loss
    falls, so it falls in every round.

    Parameters
    ----------
    learning_rate : float, default=1.0
        Factor by which each step is multiplied, at most 1.

    References
    ----------
    Mason, Baxter, Bartlett and Frean, "Boosting algorithms as gradient descent", NIPS 1999,
    algorithm 1.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from underdog import BoostingClassifier
    >>> from underdog.combiners import SteepestDescent
    >>> from underdog.losses import Descent, SigmoidCost
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> cost = Descent(SigmoidCost())
    >>> model = BoostingClassifier(loss=cost, combiner=SteepestDescent(), n_estimators=20)
    >>> bool((model.fit(X, y).history_["loss"][1:] < model.history_["loss"][:-1]).all())
    True
    """

    needs: ClassVar[tuple[str, ...]] = ("make_signal", "constant", "ray")
    such_as: ClassVar[str] = "Descent()"
    facts: ClassVar[tuple[str, ...]] = ()

    def __init__(self, learning_rate: float = 1.0) -> None:
        self.learning_rate: float = as_float(learning_rate)

    def check(self) -> None:
        check_positive("learning_rate", self.learning_rate)
        if self.learning_rate > 1.0:
            raise ValueError(
                f"learning_rate={self.learning_rate!r} must be at most 1: a longer step than the "
                "best one may raise the loss"
            )

    def step(self, run: Run, question: Question, proposal: Proposal) -> Move | Stop:
        loss = cast(Descent, run.parts.loss)
        now = run.history.rows[-1]["loss"] if run.history.rows else loss.training_loss(run.rows)
        ray = loss.ray(run, proposal)
        slope, bend = ray.slopes(0.0)
        if not -slope > SMALLEST_FALL * now:
            return Stop(NO_RULE)
        coefficient = self.learning_rate * ray.best(slope, bend, LONGEST)
        while coefficient > loss.min_step and ray.value(coefficient) > now:  # not convex
            coefficient *= 0.5
        move = self.make_move(run, question, proposal, coefficient)
        return Stop(NO_RULE) if move.size < loss.min_step or move.facts["loss"] > now else move

    def make_move(
        self, run: Run, question: Question, proposal: Proposal, coefficient: float
    ) -> Move:
        loss, values = cast(Descent, run.parts.loss), proposal.hypothesis.values
        steps = np.empty_like(values)
        size = float(criteria.on_grid(values, coefficient, steps))
        reached = loss.ray(run, proposal).value(coefficient)
        return Move(coefficient, steps, size, {"edge": proposal.edge(), "loss": reached})

    def check_run(self, loss: Loss, record: RunRecord) -> None:
        super().check_run(loss, record)
        record.check_unchanged(type(self).__name__)
