"""The base classes of the parts: loss, learner and combiner."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Literal

import numpy as np
from sklearn.base import BaseEstimator

from underdog.core.signals import Scores, Signal, Target
from underdog.core.talk import Again, Member, Move, Proposal, Question, Refit, Stop
from underdog.files import Fields, Parameters
from underdog.types import Codes, Floats, Integers

if TYPE_CHECKING:
    from underdog.core.run import Run

Confidence = Literal["leaf", "coefficient"]


class Component(BaseEstimator):  # type: ignore[misc]
    """A part with parameters: loss, learner, combiner or code."""

    def check(self) -> None:
        """Refuse parameters that make no sense; called before every fit."""

    def _to_file(self) -> dict[str, Any]:
        return {"parameters": Parameters.of(self)}

    @classmethod
    def _from_file(cls, fields: Fields) -> Any:
        made = cls(**fields.parameters(cls))
        made.check()
        return made


class Learner(Component):
    """Asked with a question, answers with a proposal, or with a reason why there is none."""

    def confidence(self, loss: Loss) -> Confidence:
        """Whether a hypothesis' values are final ("leaf") or wait for a "coefficient".

        Said once, so that nothing is counted twice.
        """
        raise TypeError(f"{type(self).__name__} does not define confidence()")

    def start(self, run: Run) -> Any:
        """Memory for one run; it belongs to the run, not to the learner."""
        raise TypeError(f"{type(self).__name__} does not define start()")

    def excess(self, loss: Loss) -> float | None:
        """By how much scores end above those of the least loss, for probabilities.

        None where they end nowhere in particular: a rule that votes for the heavier side gains
        nothing under an uneven loss long before that is least.
        """
        return 0.0 if loss.beta == 1.0 else None

    def maximises_edge(self, loss: Loss) -> bool:
        """Whether no other hypothesis has a larger edge than the one that is proposed."""
        return False

    def fit(self, memory: Any, question: Question) -> Proposal | Stop:
        raise TypeError(f"{type(self).__name__} does not define fit()")


class Loss(Component):
    """A function of the scores to be made small."""

    suits: Literal["z", "edge"] = "z"
    """What a learner of no particular kind should choose by: least Z, or greatest edge."""
    beta: float = 1.0
    """How many negatives one positive counts."""

    @property
    def probability_scale(self) -> float | None:
        """s in P(y = +1 | x) = 1 / (1 + exp(-s F)); None if scores are no log-odds."""
        return None

    def weigh(self, scores: Scores, target: Target, log_prior: Floats) -> Signal:
        """The signal of these scores, examples starting with the weights exp(log_prior)."""
        raise TypeError(f"{type(self).__name__} does not define weigh()")

    def constant(self, sums: Integers, unit: Floats, smooth: float) -> Floats:
        """(2, K): the best constant scores, twice, given sums[block, sign, label]."""
        raise TypeError(f"{type(self).__name__} does not define constant()")

    def log_mean(self, scores: Scores, target: Target, logs: Floats) -> float:
        """Logarithm of the mean loss of the training rows, which start with weights exp(logs).

        It bounds the share of that weight on mistakes. NaN where it does not.
        """
        return math.nan

    def mean(self, scores: Floats, sign: Codes, weight: Floats) -> float:
        """The loss of (n, K) scores of rows with these weights: (n,), or (n, K) by label."""
        raise TypeError(f"{type(self).__name__} does not define mean()")


class Combiner(Component):
    """How a hypothesis joins the ones before it."""

    facts: ClassVar[tuple[str, ...]] = ()
    """What is written down about a round, beside its coefficient and the seconds that it took."""
    not_always_finite: ClassVar[tuple[str, ...]] = ()
    """Those of them that may be NaN or infinite."""

    def signals(self, loss: Loss, scores: Scores, target: Target) -> tuple[Signal, ...]:
        """The weightings that this combiner needs the state to keep."""
        if loss.suits == "edge":
            raise ValueError(
                f"{loss!r} has no Z that {type(self).__name__} could step by: it needs a combiner "
                "that gives all hypotheses new coefficients, such as LinearProgramme()"
            )
        return (loss.weigh(scores, target, target.log_prior),)

    def start(self, run: Run) -> Any:
        """What the combiner remembers in `run.memory`; it belongs to the run."""
        return None

    def ask(self, run: Run) -> Question:
        return Question(run.state.signals)

    def step(self, run: Run, question: Question, proposal: Proposal) -> Move | Refit | Again | Stop:
        """How far to go, or why not to."""
        raise TypeError(f"{type(self).__name__} does not define step()")

    def take(
        self, run: Run, question: Question, proposal: Proposal, coefficient: float
    ) -> Move | Refit:
        """The move with this coefficient, and what is to be written down about it."""
        raise TypeError(f"{type(self).__name__} does not define take()")

    def resume(self, run: Run, members: Sequence[Member], path: Sequence[Floats]) -> None:
        """Go on from an earlier run: the state is a function of rows and members."""
        run.state.replay(members, run.part)

    def settle(self, run: Run) -> None:
        """The rounds are over, for whatever reason."""

    def check_run(
        self, members: Sequence[Member], path: Sequence[Floats], history: Mapping[str, Floats]
    ) -> None:
        """Refuse members and a history that no run of this combiner leaves behind.

        Without it a file could bring what `resume` cannot go on from.
        """
        expected = {*self.facts, "coefficient", "seconds"}
        found = set(history) - {"validation_score"}
        if found != expected:
            raise ValueError(
                f"the history has {sorted(found)}, but rounds of {type(self).__name__} leave "
                f"{sorted(expected)}"
            )
        for name in sorted(expected - set(self.not_always_finite)):
            if not bool(np.isfinite(history[name]).all()):
                raise ValueError(f"the history has a number that is not finite in {name!r}")
