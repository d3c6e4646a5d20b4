"""Rounds in which a rule is fitted to the target itself, with weights that change."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np

from underdog.checks import as_float, check_choice, check_positive
from underdog.core import (
    Combiner,
    Hypothesis,
    Loss,
    Member,
    Move,
    Proposal,
    Question,
    Rows,
    Run,
    RunRecord,
    Stop,
    not_defined,
)
from underdog.data.draws import repeated_draws, seed_of
from underdog.data.hashing import STEP, content_keys
from underdog.kernels.elementary import exp_each
from underdog.losses import RegressionLoss, SquaredError
from underdog.losses.regression import ResidualSignal
from underdog.model.median import member_of, predictions_of
from underdog.types import Floats, Integers

TOO_WEAK = "the average loss of the next rule is at least 1/2, so that it would not help"
ONLY_ONE = "the average loss of the first rule is at least 1/2: it is the only rule"
PERFECT = "one rule makes no mistake on the training data"


class RuleError(SquaredError):
    """The squared error of single rules, each under its own weights.

    Rules are not added, so scores stay where they start, at the mean of the target. In the history
    `loss` is the average loss of the rule of a round, which the combiner defines.
    """

    facts: ClassVar[tuple[str, ...]] = ("loss",)

    def make_signal(self, rows: Rows, costly: bool = False) -> WeightedTargets:
        return WeightedTargets(self, rows, costly)

    def gains(self, history: Mapping[str, Floats], members: Sequence[Member]) -> Floats:
        """The weight of each rule in the median."""
        return history["coefficient"][: len(members)]


class WeightedTargets(ResidualSignal):
    """Targets minus their mean, under weights that `reweigh` sets.

    Attributes
    ----------
    logs : (n,) for each shard
        Logarithms of the weights; that of the heaviest example is 0.
    drawn : (n,), optional
        Rows drawn with replacement in proportion to the weights, if rules are fitted to these.
    """

    def __init__(self, loss: RegressionLoss, rows: Rows, costly: bool = False) -> None:
        super().__init__(loss, rows, costly)
        self.drawn: Integers | None = None
        self._groups: tuple[Integers, Integers, Integers] | None = None
        self.reweigh([shard.target.log_weight() for shard in rows.shards])

    def reweigh(self, logs: Sequence[Floats]) -> None:
        """Set the weights, up to a factor."""
        highest = self.rows.largest(lambda shard: logs[shard.number])
        self.logs = [own - highest for own in logs]
        self.current = [np.empty(len(own)) for own in logs]
        for own, out in zip(self.logs, self.current, strict=True):
            exp_each(own, out)
        self._ask_with([own[:, np.newaxis] for own in self.current])

    def _ask_with(self, weights: list[Floats]) -> None:
        """Weights that the learner sees."""
        self._use_weights(weights)
        self._total = self.rows.exact_sum(lambda shard: weights[shard.number][:, 0])
        self.restart()

    def mean(self, measured: Sequence[Floats]) -> float:
        """The mean of a non-negative number of each row, under the weights."""
        weights = self.current
        total = self.rows.exact_sum(lambda shard: weights[shard.number])
        own = self.rows.exact_sum(lambda shard: weights[shard.number] * measured[shard.number])
        return own / total

    def draw(self, seed: int) -> None:
        """Let the learner see rows that are drawn with replacement, as many as there are examples.

        Equal rows with equal targets are drawn as one, and share the number of draws.
        """
        shard = self.rows.only
        repeats = shard.target.repeats
        if self._groups is None:
            kinds = np.unique(shard.target.observed[:, 0], return_inverse=True)[1]
            keys = content_keys(shard.encoded.table, kinds)
            _, first, copy_of = np.unique(keys, return_index=True, return_inverse=True)
            examples = np.zeros(len(first), dtype=np.int64)
            np.add.at(examples, copy_of, repeats)
            self._groups = first, copy_of, examples
        first, copy_of, examples = self._groups
        units = repeats * np.rint(np.ldexp(self.current[0], self.room)).astype(np.int64)
        weights = np.zeros(len(first), dtype=np.int64)
        np.add.at(weights, copy_of, units)
        groups = repeated_draws(weights.astype(np.float64), int(examples.sum()), seed)
        times = np.bincount(groups, minlength=len(first)) / examples
        self.drawn = first[groups]
        self._ask_with([(times / times.max())[copy_of, np.newaxis]])


class Judged(NamedTuple):
    """The weight of a rule in the median, its entries in the history, and a reason to stop."""

    coefficient: float
    """0 for a rule that is rejected."""
    facts: dict[str, float]
    stop: str | None = None


@dataclass
class ReweightingMemory:
    """The state of a run in addition to its members and weights."""

    next_logs: Sequence[Floats] | None = None
    """Logarithms of the weights of the next round."""


class Reweighting(Combiner):
    """Fits every rule to the target under the weights of the examples, then changes these.

    Rules are not added: steps are 0. The coefficient of a rule is its weight in the median.

    Parameters
    ----------
    learning_rate : float, default=1.0
        Factor of the coefficients.
    resample : bool, default=False
        Whether rules are fitted to rows drawn with replacement in proportion to their weights.
    """

    needs: ClassVar[tuple[str, ...]] = ("make_signal", "constant")
    such_as: ClassVar[str] = "RuleError()"

    def __init__(self, learning_rate: float = 1.0, resample: bool = False) -> None:
        self.learning_rate: float = as_float(learning_rate)
        self.resample = resample

    def check(self) -> None:
        check_positive("learning_rate", self.learning_rate)
        check_choice("resample", self.resample, True, False)

    def judge(self, run: Run, predicted: Sequence[Floats]) -> Judged:
        """The coefficient of a rule with these predictions, for each shard."""
        raise not_defined(self, "judge")

    def reweighed(
        self, run: Run, predicted: Sequence[Floats], coefficient: float
    ) -> Sequence[Floats]:
        """Logarithms of the weights after a rule with this coefficient."""
        raise not_defined(self, "reweighed")

    def start(self, run: Run) -> ReweightingMemory:
        return ReweightingMemory()

    def ask(self, run: Run) -> Question:
        signal = weighted_targets(run)
        if run.memory.next_logs is not None:
            signal.reweigh(run.memory.next_logs)
            run.memory.next_logs = None
        if self.resample:
            number = len(run.state.members)
            signal.draw((seed_of(run.random_state) + number * STEP) % 2**63)
        return super().ask(run)

    def step(self, run: Run, question: Question, proposal: Proposal) -> Move | Stop:
        predicted = run_predictions(run, proposal.hypothesis)
        judged = self.judge(run, predicted)
        if judged.coefficient == 0.0:
            return Stop(judged.stop or TOO_WEAK)
        if judged.stop is None:
            run.memory.next_logs = self.reweighed(run, predicted, judged.coefficient)
        return _move(proposal, judged.coefficient, judged)

    def check_run(self, loss: Loss, record: RunRecord) -> None:
        super().check_run(loss, record)
        record.check_coefficients()

    def make_move(
        self, run: Run, question: Question, proposal: Proposal, coefficient: float
    ) -> Move:
        judged = self.judge(run, run_predictions(run, proposal.hypothesis))
        return _move(proposal, coefficient, judged)

    def resume(self, run: Run, members: Sequence[Member], path: Sequence[Floats]) -> None:
        super().resume(run, members, path)
        for member in members:
            predicted = run_predictions(run, member.hypothesis)
            logs = self.reweighed(run, predicted, member.coefficient)
            weighted_targets(run).reweigh(logs)


def _move(proposal: Proposal, coefficient: float, judged: Judged) -> Move:
    steps = np.zeros_like(proposal.hypothesis.values)
    return Move(coefficient, steps, 0.0, judged.facts, judged.stop)


def weighted_targets(run: Run) -> WeightedTargets:
    """The signal of a run that `Reweighting` combines."""
    signal = run.state.signals[0]
    if not isinstance(signal, WeightedTargets):
        raise TypeError(f"a {type(signal).__name__} has no weights that can be set")
    return signal


def run_predictions(run: Run, rule: Hypothesis) -> list[Floats]:
    """(n,) what a rule predicts on each shard, in the unit of the run."""
    start, member = float(run.rows.start[0]), member_of(rule)
    return [predictions_of(member, shard.encoded, start) for shard in run.rows.shards]
