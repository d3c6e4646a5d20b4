"""The base classes of the parts, and all of them together."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Literal, NamedTuple

import numpy as np
from sklearn.base import BaseEstimator

from underdog.core.messages import (
    AskAgain,
    Member,
    Move,
    Proposal,
    Question,
    Refit,
    RunRecord,
    Stop,
)
from underdog.core.rows import Rows
from underdog.core.scores import Target
from underdog.core.signals import Reads, Signal
from underdog.files import Fields, Parameters
from underdog.types import Codes, Floats, Integers

if TYPE_CHECKING:
    from underdog.core.run import Run

Silence = Literal["minimum", "balance", "nowhere"]
ChoosesBy = Literal["z", "edge", "newton"]


class Component(BaseEstimator):  # type: ignore[misc]
    """A part with parameters: loss, learner, combiner or code."""

    def check(self) -> None:
        """Refuse parameters that make no sense; called before every fit."""

    def _to_file(self) -> dict[str, Any]:
        return {"parameters": Parameters.from_estimator(self)}

    @classmethod
    def _from_file(cls, fields: Fields) -> Any:
        made = cls(**fields.parameters(cls))
        made.check()
        return made


def not_defined(component: object, method: str) -> TypeError:
    """The error of a method that a part must define and does not."""
    return TypeError(f"{type(component).__name__} does not define {method}()")


@dataclass(frozen=True)
class Criterion:
    """How ONE block of a test is scored, and what is said in it, from masses[..., channel, label].

    Masses are real weights that sum to one over all blocks. The score of a test is the sum over its
    blocks and labels; lower is better.

    Parameters
    ----------
    beta : float, default=1.0
        How many negatives one positive counts in the loss.
    """

    beta: float = 1.0
    number: ClassVar[int]
    """Of its formulas in `kernels.criteria`."""
    reads: ClassVar[Reads] = "sides"
    """The channels that it needs of a signal."""
    final: ClassVar[bool] = True
    """Whether the values are final, or wait for a coefficient."""
    silent_at: ClassVar[Silence] = "balance"
    """Where no rule says anything any more: at the least loss, where positives weigh as much as
    negatives, or nowhere in particular."""
    maximises_edge: ClassVar[bool] = False
    """Whether the test with the best score has the greatest edge that there is."""

    def score(self, masses: Floats, smooth: float) -> Floats:
        """(...): the sum over the labels."""
        raise not_defined(self, "score")

    def value(self, masses: Floats, smooth: float) -> Floats:
        """(..., label): what is said in the block; 0 for a vote that is tied."""
        raise not_defined(self, "value")


class Measured(NamedTuple):
    """What a step is: on the score grid, the largest of it, and what is written down about it."""

    steps: Floats
    size: float
    facts: dict[str, float]


class Loss(Component):
    """A function of the scores to be made small.

    What a loss gives is what it defines of the methods below `gives`. There are no default
    formulas: a combiner that needs what a loss does not give is refused before the first round.
    """

    chooses_by: ClassVar[ChoosesBy] = "z"
    """What "real" and "discrete" learners choose by: least Z, greatest edge, or Newton's step."""
    reads: ClassVar[Reads] = "sides"
    """The channels of its signal."""
    facts: ClassVar[tuple[str, ...]] = ()
    """What it measures of a round."""
    beta: float = 1.0
    """How many negatives one positive counts."""

    @property
    def probability_scale(self) -> float | None:
        """s in P(y = +1 | x) = 1 / (1 + exp(-s F)); None if scores are no log-odds."""
        return None

    def log_odds_shift(self, silent_at: Silence) -> float | None:
        """By how much scores end above those of the least loss; None if it is not known.

        `silent_at` is where the learner's rules end.
        """
        return 0.0

    def perfect_steps(self, smooth: float) -> float:
        """How many whole steps a first rule that makes no mistake is worth.

        More rounds would repeat it. Infinite where steps shrink by themselves.
        """
        return 1.0

    @property
    def gives(self) -> frozenset[str]:
        """Names of what this loss defines."""
        return frozenset(
            name for name in MEANINGS if getattr(type(self), name, None) is not vars(Loss).get(name)
        )

    def make_signal(self, rows: Rows, costly: bool = False) -> Signal:
        """The weights of the examples, which start with their prior, or with their cost."""
        raise not_defined(self, "make_signal")

    def best_coefficient(self, proposal: Proposal, smooth: float, signal: int = 0) -> float:
        """The coefficient with which a hypothesis that votes makes the loss least."""
        raise not_defined(self, "best_coefficient")

    def measure(self, run: Run, proposal: Proposal, coefficient: float) -> Measured:
        """The step with this coefficient, and what it makes of the loss."""
        raise not_defined(self, "measure")

    def ratio(self, proposal: Proposal, steps: Floats, signal: int = 0) -> float:
        """Z: what steps make of the weights of one of the proposal's signals."""
        raise not_defined(self, "ratio")

    def guarantee(self, run: Run, proposal: Proposal, steps: Floats) -> float:
        """By how much these steps lower the mean loss at least."""
        raise not_defined(self, "guarantee")

    def freeze(self, rows: Rows, rounds: int) -> Signal:
        """As `make_signal`, but weights follow the scores only after so many rounds each."""
        raise not_defined(self, "freeze")

    def constant(self, sums: Integers, unit: Floats, smooth: float) -> Floats:
        """(1, K): the best constant scores, given sums[block, channel, label] of one block."""
        raise not_defined(self, "constant")

    def log_bound(self, rows: Rows, costly: bool = False) -> float:
        """Logarithm of a bound on the share of the prior weight, or cost, on mistakes.

        It follows from the loss of the exact scores of the training rows. NaN: there is none.
        """
        return math.nan

    def mean(self, scores: Floats, sign: Codes, weight: Floats) -> float:
        """The loss of (n, K) scores of rows with these weights: (n,), or (n, K) by label."""
        raise not_defined(self, "mean")

    def example_weights(self, scores: Floats, target: Target) -> Floats:
        """(n, K) real weights of the examples at these scores; all together are one."""
        raise not_defined(self, "example_weights")

    def gains(self, history: Mapping[str, Floats], members: Sequence[Member]) -> Floats:
        """What each member gained; by default its coefficient, all rules being of one size."""
        return np.array([member.coefficient for member in members])


MEANINGS = {
    "make_signal": "weights of the examples",
    "best_coefficient": "the best coefficient of a rule that votes",
    "measure": "what a step makes of the loss",
    "ratio": "what a step makes of the weights",
    "guarantee": "by how much a step lowers the loss at least",
    "freeze": "weights that stay as they are for some rounds",
    "constant": "the best constant",
    "mean": "the loss of given scores",
    "example_weights": "the weights of examples with given scores",
    "box": "bounds on the weights",
}
"""What a loss may give, in words."""


class Learner(Component):
    """Asked with a question, answers with a proposal, or with a reason why there is none."""

    knows_columns: ClassVar[bool] = False
    """Whether it can be asked for the best test on one column."""

    def criterion(self, loss: Loss) -> Criterion:
        """How tests are scored and what they say, for this loss."""
        raise not_defined(self, "criterion")

    def start(self, run: Run) -> Any:
        """Memory for one run; it belongs to the run, not to the learner."""
        raise not_defined(self, "start")

    def fit(self, memory: Any, question: Question) -> Proposal | Stop:
        raise not_defined(self, "fit")


class Combiner(Component):
    """How a hypothesis joins the ones before it."""

    needs: ClassVar[tuple[str, ...]] = ("make_signal", "constant")
    """What a loss must give."""
    such_as: ClassVar[str] = ""
    """A loss that gives it."""
    facts: ClassVar[tuple[str, ...]] = ()
    """What is written down about a round, beside what the loss measures, its coefficient and the
    seconds that it took."""
    not_always_finite: ClassVar[tuple[str, ...]] = ()
    """Those of them that may be NaN or infinite."""

    def check_loss(self, loss: Loss) -> None:
        """Refuse a loss that does not give what this combiner needs."""
        self._refuse_lack(loss, self.needs)

    def check_learner(self, learner: Learner) -> None:
        """Refuse a learner that cannot answer what this combiner asks."""

    def _refuse_lack(self, loss: Loss, needs: Sequence[str]) -> None:
        lacking = [f"{MEANINGS[name]} ({name})" for name in needs if name not in loss.gives]
        if lacking:
            instead = f": use a loss such as {self.such_as}" if self.such_as else ""
            raise ValueError(
                f"{self!r} needs {' and '.join(lacking)}, which {loss!r} does not give{instead}"
            )

    def make_signals(self, loss: Loss, rows: Rows) -> tuple[Signal, ...]:
        """The weightings that this combiner needs the state to keep."""
        return (loss.make_signal(rows),)

    def start(self, run: Run) -> Any:
        """What the combiner remembers in `run.memory`; it belongs to the run."""
        return None

    def ask(self, run: Run) -> Question:
        return Question(run.state.signals)

    def step(
        self, run: Run, question: Question, proposal: Proposal
    ) -> Move | Refit | AskAgain | Stop:
        """How far to go, or why not to."""
        raise not_defined(self, "step")

    def make_move(
        self, run: Run, question: Question, proposal: Proposal, coefficient: float
    ) -> Move | Refit:
        """The move with this coefficient, and what is to be written down about it."""
        raise not_defined(self, "make_move")

    def resume(self, run: Run, members: Sequence[Member], path: Sequence[Floats]) -> None:
        """Go on from an earlier run: the state is a function of rows and members."""
        run.state.replay(members)

    def after_last_round(self, run: Run) -> None:
        """The rounds are over, for whatever reason."""

    def check_run(self, loss: Loss, record: RunRecord) -> None:
        """Refuse members and a history that no run of this combiner leaves behind.

        Without it a file could bring what `resume` cannot go on from.
        """
        expected = {*loss.facts, *self.facts, "coefficient", "seconds"}
        found = set(record.history) - {"validation_score"}
        if found != expected:
            raise ValueError(
                f"the history has {sorted(found)}, but rounds of {type(self).__name__} leave "
                f"{sorted(expected)}"
            )
        for name in sorted(expected - set(self.not_always_finite)):
            if not bool(np.isfinite(record.history[name]).all()):
                raise ValueError(f"the history has a number that is not finite in {name!r}")


@dataclass(frozen=True)
class Parts:
    """What a booster is made of, put together once for a fit."""

    loss: Loss
    learner: Learner
    combiner: Combiner
    code: Component | None = None
    """Known when y is."""

    @cached_property
    def criterion(self) -> Criterion:
        return self.learner.criterion(self.loss)

    @property
    def log_odds_shift(self) -> float | None:
        """By how much scores end above log-odds; None if they are none."""
        return self.loss.log_odds_shift(self.criterion.silent_at)

    def check(self) -> None:
        """Refuse parameters that make no sense, and parts that do not fit each other."""
        for component in (self.loss, self.learner, self.combiner):
            component.check()
        self.combiner.check_loss(self.loss)
        self.combiner.check_learner(self.learner)
        if not self.criterion.final and "measure" in self.combiner.needs:
            self.combiner._refuse_lack(self.loss, ("best_coefficient",))
        if self.criterion.reads != self.loss.reads:
            raise ValueError(
                f"{self.learner!r} counts {CHANNELS[self.criterion.reads]}, but {self.loss!r} has "
                f"{CHANNELS[self.loss.reads]}"
            )


CHANNELS: dict[Reads, str] = {
    "sides": "weights of negative and positive examples",
    "newton": "gradients and curvatures",
    "classes": "weights of every class",
}
