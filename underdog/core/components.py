"""The base classes of loss, learner, combiner and code."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Literal, NamedTuple

import numpy as np
from sklearn.base import BaseEstimator

from underdog.core.blocks import Partition
from underdog.core.messages import (
    AskAgain,
    Hypothesis,
    Member,
    Move,
    Proposal,
    Question,
    Refit,
    RunRecord,
    Stop,
)
from underdog.core.mistakes import share_of_mistakes
from underdog.core.rows import Rows
from underdog.core.scores import Target
from underdog.core.signals import Reads, Signal
from underdog.files import Fields, Parameters
from underdog.types import Codes, Flags, Floats, Integers
from underdog.workers.collective import ALONE, Collective

if TYPE_CHECKING:
    from underdog.core.run import Run
    from underdog.data import Schema, Table

ConvergesTo = Literal["minimum", "balance", "unknown"]
ChoosesBy = Literal["z", "edge", "newton", "votes"]


class Component(BaseEstimator):  # type: ignore[misc]
    """A part of a booster with parameters: loss, learner, combiner or code."""

    takes_parts: ClassVar[bool] = False
    """Whether the rows may be in several processes."""
    takes_disk: ClassVar[bool] = True
    """Whether the rows may be on disk: all that grows with them is in arrays of NumPy."""

    def check(self) -> None:
        """Refuse invalid parameters; called before every fit."""

    def _to_file(self) -> dict[str, Any]:
        return {"parameters": Parameters.from_estimator(self)}

    @classmethod
    def _from_file(cls, fields: Fields) -> Any:
        made = cls(**fields.parameters(cls))
        made.check()
        return made


def not_defined(component: object, method: str) -> TypeError:
    """The error for a method that a subclass must define."""
    return TypeError(f"{type(component).__name__} does not define {method}()")


@dataclass(frozen=True)
class Criterion:
    """The score and the value of ONE block of a test, given masses[..., channel, label].

    Masses are real weights that sum to one over all blocks. The score of a test is the sum over its
    blocks and labels; lower is better.

    Parameters
    ----------
    beta : float, default=1.0
        Number of negatives that one positive counts for in the loss.
    """

    beta: float = 1.0
    number: ClassVar[int]
    """The number of its formulas in `kernels.criteria`."""
    reads: ClassVar[Reads] = "sides"
    """The channels of a signal that it needs."""
    final: ClassVar[bool] = True
    """Whether the values minimise the loss, so that the coefficient is 1."""
    converges_to: ClassVar[ConvergesTo] = "balance"
    """Where boosting with these rules ends: at the minimum of the loss, where positives and
    negatives have the same weight, or at an unknown point."""
    maximises_edge: ClassVar[bool] = False
    """Whether the test with the best score has the greatest edge."""

    def score(self, masses: Floats, smooth: float) -> Floats:
        """(...): the scores, summed over the labels."""
        raise not_defined(self, "score")

    def score_at(self, masses: Floats, value: Floats, smooth: float) -> Floats:
        """(...): the scores of blocks that say `value` (..., label) and not what is best."""
        raise not_defined(self, "score_at")

    def value(self, masses: Floats, smooth: float) -> Floats:
        """(..., label): the values of the block; 0 for a tied vote."""
        raise not_defined(self, "value")


class Measured(NamedTuple):
    """A step on the score grid, its largest absolute value, and its entries in the history."""

    steps: Floats
    size: float
    facts: dict[str, float]


class Loss(Component):
    """A function of the scores that is minimised.

    A loss defines some of the methods below; `gives` lists them. There are no default formulas: a
    combiner that needs a method which the loss does not define is refused before the first round.
    """

    chooses_by: ClassVar[ChoosesBy] = "z"
    """How "real" and "discrete" learners choose: by least Z, greatest edge, or Newton step; with
    "votes" all named learners choose by greatest edge, and their rules say -1 or 1."""
    reads: ClassVar[Reads] = "sides"
    """The channels of its signal."""
    facts: ClassVar[tuple[str, ...]] = ()
    """The entries of the history that it measures."""
    beta: float = 1.0
    """Number of negatives that one positive counts for."""
    code: ClassVar[str | None] = None
    """The only code that it is for, if there is one."""
    centred: ClassVar[bool] = False
    """Whether what is said of all labels sums to 0."""
    min_step: ClassVar[float] = 1e-9
    """A smaller step is a rounding error of the step before, and counts as 0."""
    takes_masks: ClassVar[bool] = False
    """Whether rows may count for some labels only."""
    takes_soft_labels: ClassVar[bool] = False
    """Whether a row may count as positive and as negative (`Target.soft`)."""
    refits_leaves: ClassVar[bool] = False
    """Whether blocks say something else than what their criterion has them say (`leaf_values`)."""

    @property
    def probability_scale(self) -> float | None:
        """s in P(y = +1 | x) = 1 / (1 + exp(-s F)); None if scores are not log-odds."""
        return None

    def log_odds_shift(self, converges_to: ConvergesTo) -> float | None:
        """How far scores converge above those at the minimum of the loss; None if not known.

        `converges_to` is where boosting with the learner's rules ends.
        """
        return 0.0

    def perfect_steps(self, smooth: float) -> float:
        """How often to repeat a first rule that makes no mistake, in whole steps.

        Further rounds would repeat it without end. Infinite if the steps become smaller anyway.
        """
        return 1.0

    @property
    def gives(self) -> frozenset[str]:
        """Names of the methods that this loss defines."""
        return frozenset(
            name for name in MEANINGS if getattr(type(self), name, None) is not vars(Loss).get(name)
        )

    def start(self, rows: Rows) -> Floats:
        """(K,) scores of all rows before the first round, on the score grid."""
        return np.zeros(rows.n_labels)

    def make_signal(self, rows: Rows, costly: bool = False) -> Signal:
        """The weights of the examples; initially the prior weights, or (`costly`) the costs."""
        raise not_defined(self, "make_signal")

    def least_squares_signal(self, rows: Rows) -> Signal:
        """Gradients and weights, by which a tree is fitted to the gradients by least squares."""
        raise not_defined(self, "least_squares_signal")

    def best_coefficient(self, proposal: Proposal, smooth: float, signal: int = 0) -> float:
        """The coefficient of a voting hypothesis that minimises the loss."""
        raise not_defined(self, "best_coefficient")

    def pair_coefficient(self, signal: Any, proposal: Proposal, smooth: float) -> float:
        """The coefficient of any hypothesis that minimises the loss of all pairs of rows."""
        raise not_defined(self, "pair_coefficient")

    def measure(self, run: Run, proposal: Proposal, coefficient: float) -> Measured:
        """The step with this coefficient, and its effect on the loss."""
        raise not_defined(self, "measure")

    def ratio(self, proposal: Proposal, steps: Floats, signal: int = 0) -> float:
        """Z: the factor by which steps change the total weight of one of the signals."""
        raise not_defined(self, "ratio")

    def guarantee(self, run: Run, proposal: Proposal, steps: Floats) -> float:
        """A lower bound on the decrease of the mean loss by these steps."""
        raise not_defined(self, "guarantee")

    def freeze(self, rows: Rows, rounds: int) -> Signal:
        """As `make_signal`, but the weights are updated only every `rounds` rounds."""
        raise not_defined(self, "freeze")

    def constant(self, sums: Integers, unit: Floats, smooth: float) -> Floats:
        """(1, K): the best constant scores, given sums[block, channel, label] of one block."""
        raise not_defined(self, "constant")

    def leaf_values(
        self,
        signal: Any,
        partition: tuple[Partition, ...],
        drawn: tuple[Flags, ...] | None,
        masses: Floats,
        values: Floats,
    ) -> Floats:
        """(B, K) what the blocks of a rule say, given what its criterion has them say.

        `drawn` has the rows that it was fitted on, for each shard; None for all rows. `masses` are
        the weights of these rows by [block, channel, label].
        """
        return values

    def log_bound(self, rows: Rows, costly: bool = False) -> float:
        """Logarithm of an upper bound on the share of the prior weight, or cost, on mistakes.

        It follows from the loss of the exact scores of the training rows. NaN if there is none.
        """
        return math.nan

    def training_error(self, rows: Rows) -> float:
        """Share of the cost (by default the prior weight) on mistakes, which `log_bound` bounds."""
        return share_of_mistakes(rows, self.beta)

    def mean(
        self, scores: Floats, sign: Codes, weight: Floats, collective: Collective = ALONE
    ) -> float:
        """The mean loss of rows with these (n, K) scores; weights are (n,), or (n, K) by label."""
        raise not_defined(self, "mean")

    def example_weights(self, scores: Floats, target: Target) -> Floats:
        """(n, K) real weights of the examples at these scores, with sum 1."""
        raise not_defined(self, "example_weights")

    def gains(self, history: Mapping[str, Floats], members: Sequence[Member]) -> Floats:
        """The improvement by each member; by default its coefficient."""
        return np.array([member.coefficient for member in members])


MEANINGS = {
    "make_signal": "weights of the examples",
    "least_squares_signal": "gradients of the examples",
    "best_coefficient": "the best coefficient of a voting rule",
    "pair_coefficient": "the best coefficient for pairs of rows",
    "measure": "the effect of a step on the loss",
    "ratio": "the effect of a step on the weights",
    "guarantee": "a lower bound on the decrease of the loss",
    "freeze": "weights that are constant for some rounds",
    "constant": "the best constant",
    "mean": "the loss of given scores",
    "example_weights": "the weights of examples with given scores",
    "box": "bounds on the weights",
    "place": "a potential that changes with time",
    "log_chances": "the chances of votes",
    "forgiven": "what examples are forgiven",
    "segment": "the loss between two models",
    "ray": "the loss along a rule",
}
"""The methods that a loss may define, for messages."""


class Learner(Component):
    """Answers a question with a proposal, or with a reason to stop."""

    knows_columns: ClassVar[bool] = False
    """Whether it can find the best test on a given column."""
    takes_soft_labels: ClassVar[bool] = True
    """Whether a row may count as positive and as negative."""
    greedy: ClassVar[bool] = False
    """Whether a better hypothesis may be there than the one it finds."""
    keeps_constraints: ClassVar[bool] = False
    """Whether its hypotheses keep the constraints of the run."""

    def criterion(self, loss: Loss) -> Criterion:
        """The criterion for this loss: how tests are scored, and their values."""
        raise not_defined(self, "criterion")

    def widen(self, schema: Schema, table: Table) -> Schema:
        """The schema of a table with all cuts that the learner's rules ask about."""
        return schema

    def start(self, run: Run) -> Any:
        """The learner's state for one run; it is kept by the run, not by the learner."""
        raise not_defined(self, "start")

    def fit(self, memory: Any, question: Question) -> Proposal | Stop:
        raise not_defined(self, "fit")

    def accepted(self, memory: Any, hypothesis: Hypothesis) -> None:
        """Called after a step with a hypothesis, for learners whose next rules depend on it."""


class Combiner(Component):
    """Chooses the coefficients of the hypotheses."""

    needs: ClassVar[tuple[str, ...]] = ("make_signal", "constant")
    """The methods that a loss must define."""
    such_as: ClassVar[str] = ""
    """A loss that defines them, for messages."""
    facts: ClassVar[tuple[str, ...]] = ()
    """Its entries in the history, in addition to those of the loss, coefficient and seconds."""
    not_always_finite: ClassVar[tuple[str, ...]] = ()
    """The entries that may be NaN or infinite."""

    def check_loss(self, loss: Loss) -> None:
        """Refuse a loss without the methods that this combiner needs."""
        self._require(loss, self.needs)

    def check_learner(self, learner: Learner) -> None:
        """Refuse a learner that cannot answer the questions of this combiner."""

    def _require(self, loss: Loss, needs: Sequence[str]) -> None:
        missing = [f"{MEANINGS[name]} ({name})" for name in needs if name not in loss.gives]
        if missing:
            instead = f": use a loss such as {self.such_as}" if self.such_as else ""
            raise ValueError(
                f"{self!r} needs {' and '.join(missing)}, which {loss!r} does not define{instead}"
            )

    def make_signals(self, loss: Loss, rows: Rows) -> tuple[Signal, ...]:
        """The signals that the state keeps for this combiner."""
        return (loss.make_signal(rows),)

    def start(self, run: Run) -> Any:
        """The combiner's state for one run, which is kept in `run.memory`."""
        return None

    def ask(self, run: Run) -> Question:
        return Question(run.state.signals)

    def step(
        self, run: Run, question: Question, proposal: Proposal
    ) -> Move | Refit | AskAgain | Stop:
        """How far to go with a proposal, or why to stop."""
        raise not_defined(self, "step")

    def make_move(
        self, run: Run, question: Question, proposal: Proposal, coefficient: float
    ) -> Move | Refit:
        """The move with this coefficient, with its entries in the history."""
        raise not_defined(self, "make_move")

    def resume(self, run: Run, members: Sequence[Member], path: Sequence[Floats]) -> None:
        """Restore the state of an earlier run from its members."""
        run.state.replay(members)

    def final_loss(self, run: Run, rounds: int) -> Loss:
        """The loss after some rounds, if it depends on more than the scores."""
        return run.parts.loss

    def after_last_round(self, run: Run) -> None:
        """Called once after the last round."""

    def check_run(self, loss: Loss, record: RunRecord) -> None:
        """Refuse a record that no run of this combiner could have left.

        This protects `resume` from damaged or manipulated files.
        """
        expected = {*loss.facts, *self.facts, "coefficient", "seconds"}
        found = set(record.history) - {"validation_score"}
        if found != expected:
            raise ValueError(
                f"the history has {sorted(found)}, but that of {type(self).__name__} has "
                f"{sorted(expected)}"
            )
        for name in sorted(expected - set(self.not_always_finite)):
            if not bool(np.isfinite(record.history[name]).all()):
                raise ValueError(f"the history has a number that is not finite in {name!r}")
