"""Columns of a code that are boosted by themselves, and take turns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, cast

import numpy as np

from underdog.combiners import Stagewise
from underdog.combiners.stagewise import PERFECT
from underdog.core import (
    Combiner,
    History,
    Hypothesis,
    Learner,
    Loss,
    Member,
    Move,
    Proposal,
    Question,
    Rows,
    Run,
    RunRecord,
    Shard,
    Signal,
    State,
    Stop,
)
from underdog.data import EncodedRows
from underdog.engine import ALL_DONE, steps
from underdog.estimators.support.other_learner import UsesLearner
from underdog.estimators.support.weights import count_weightless
from underdog.hypotheses import Foreign, Tree
from underdog.kernels.sums import bounded_exp, log_sum_exp
from underdog.types import Floats


@dataclass
class Turns:
    """The runs of all columns, which go on by one rule in turn."""

    runs: list[Run]
    log_shares: Floats
    """Logarithm of the weight of the rows of each column, relative to each other."""
    rounds: int
    """Maximum number of rules of each column."""
    turn: int = 0
    """The column whose turn it is."""
    last: int = 0
    """The column of the last rule."""
    ended: dict[int, str] = field(default_factory=dict)
    """Why columns have no more rules."""
    _steps: list[Iterator[str | None]] = field(default_factory=list)

    def next_rule(self) -> bool:
        """Let the next column that has not ended go on; returns whether there was one."""
        if not self._steps:
            self._steps = [steps(run, self.rounds) for run in self.runs]
        for _ in self.runs:
            column, run = self.turn, self.runs[self.turn]
            self.turn = (column + 1) % len(self.runs)
            if column in self.ended:
                continue
            before = len(run.state.members)
            reason = next(self._steps[column], ALL_DONE)
            if len(run.state.members) > before:
                self.last = column
                return True
            self.ended[column] = reason or ALL_DONE
        return False

    @property
    def reason(self) -> str:
        """Why no column has another rule."""
        if ALL_DONE in self.ended.values():
            return ALL_DONE
        return f"no column of the code has another rule ({self.ended[0]})"

    def log_loss(self) -> float:
        """Logarithm of the mean loss of all columns, each row of a column counting the same."""
        own = np.array([run.history.last("log_loss", 0.0) for run in self.runs])
        return log_sum_exp(own + self.log_shares) - log_sum_exp(self.log_shares)


class ColumnLearner(UsesLearner):
    """Finds a rule for one column after the other; the other columns get the value 0.

    Parameters
    ----------
    learner : Learner
        Finds the rules of every column.
    """

    def __init__(self, learner: Learner) -> None:
        self.learner = learner

    def start(self, run: Run) -> Run:
        return run

    def fit(self, memory: Run, question: Question) -> Proposal | Stop:
        turns: Turns = memory.memory
        if not turns.next_rule():
            return Stop(turns.reason)
        found = turns.runs[turns.last].state.members[-1].hypothesis
        wide = widened(found, turns.last, memory.rows.n_labels)
        return Proposal(wide, memory.rows.place(wide), (), ())


class ColumnByColumn(Combiner):
    """Takes the steps of the runs of single columns, each of which is a `Stagewise` run.

    A column is boosted on the rows that count for it, with its own weights, smoothing and scores.

    Parameters
    ----------
    learning_rate : float, default=1.0
        Factor by which each step is multiplied.
    rounds : int, default=100
        Maximum number of rules of each column.
    smooth : tuple of float, default=()
        The smoothing of each column.
    """

    needs: ClassVar[tuple[str, ...]] = Stagewise.needs
    such_as: ClassVar[str] = Stagewise.such_as
    facts: ClassVar[tuple[str, ...]] = ("column", "column_log_loss")

    def __init__(
        self, learning_rate: float = 1.0, rounds: int = 100, smooth: tuple[float, ...] = ()
    ) -> None:
        self.learning_rate = learning_rate
        self.rounds = rounds
        self.smooth = smooth

    def check(self) -> None:
        Stagewise(self.learning_rate).check()

    def make_signals(self, loss: Loss, rows: Rows) -> tuple[Signal, ...]:
        """None: every column has its own."""
        return ()

    def start(self, run: Run) -> Turns:
        runs = [self._make_run(run, column) for column in range(run.rows.n_labels)]
        shares = [each.rows.log_sum_exp(lambda shard: shard.target.log_weight()) for each in runs]
        return Turns(runs, np.array(shares), self.rounds)

    def _make_run(self, run: Run, column: int) -> Run:
        learner = cast(ColumnLearner, run.parts.learner).learner
        combiner = Stagewise(self.learning_rate)
        rows = Rows([_only_column(shard, column) for shard in run.rows.shards])
        state = State(rows, combiner.make_signals(run.parts.loss, rows))
        own = replace(
            run,
            parts=replace(run.parts, learner=learner, combiner=combiner),
            rows=rows,
            state=state,
            history=History(),
            smooth=self.smooth[column],
            weightless=count_weightless(rows, state.signals),
        )
        own.memory = combiner.start(own)
        return own

    def step(self, run: Run, question: Question, proposal: Proposal) -> Move:
        turns: Turns = run.memory
        column, own = turns.last, turns.runs[turns.last]
        member, row = own.state.members[-1], own.history.rows[-1]
        log_loss = turns.log_loss()
        facts = {
            "edge": row["edge"],
            "z": bounded_exp(log_loss - run.history.last("log_loss", 0.0)),
            "loss": bounded_exp(log_loss),
            "log_loss": log_loss,
            "column": float(column),
            "column_log_loss": row["log_loss"],
        }
        wide = in_column(member.steps, column, run.rows.n_labels)
        return Move(member.coefficient, wide, member.size, facts)

    def resume(self, run: Run, members: Sequence[Member], path: Sequence[Floats]) -> None:
        super().resume(run, members, path)
        turns: Turns = run.memory
        for column, own in enumerate(turns.runs):
            places = [
                place for place, row in enumerate(run.history.rows) if row["column"] == column
            ]
            rules = [narrowed(members[place], column) for place in places]
            if not rules:
                continue
            own.parts.combiner.resume(own, rules, ())
            own.history.rows = [
                {"log_loss": run.history.rows[place]["column_log_loss"]} for place in places
            ]
            whole = own.parts.loss.perfect_steps(own.smooth)
            if own.memory.perfect and len(rules) * self.learning_rate >= whole:
                turns.ended[column] = PERFECT
        turns.turn = (int(run.history.rows[-1]["column"]) + 1) % len(turns.runs)

    def check_run(self, loss: Loss, record: RunRecord) -> None:
        super().check_run(loss, record)
        if record.path:
            raise ValueError("there is a path of coefficients, but columns never change them")
        record.check_coefficients()
        n_labels = record.members[0].steps.shape[1]
        for column, member in zip(record.history["column"].tolist(), record.members, strict=False):
            if column not in range(n_labels):
                raise ValueError(f"the history has the column {column:g}, of {n_labels}")
            if np.delete(member.steps, int(column), axis=1).any():
                raise ValueError("a rule is about another column than the history has")


def _only_column(shard: Shard, column: int) -> Shard:
    """The rows of a shard that count for one column, with their signs in it."""
    encoded, target = shard.encoded, shard.target
    only = slice(column, column + 1)
    of_label = None if target.log_label is None else target.log_label[:, only].copy()
    sign = np.ascontiguousarray(target.sign[:, only])
    own = replace(target, sign=sign, log_label=of_label, mask=None)
    if target.mask is not None:
        rows = np.flatnonzero(target.mask[:, column])
        own = own.take(rows)
        table = encoded.table[rows]
        encoded = EncodedRows(table, encoded.layout.schema, own.repeats, shard.workers)
    return Shard(encoded, own, shard.workers, shard.number)


def in_column(values: Floats, column: int, n_labels: int) -> Floats:
    """(B, K) what a rule of one column, with values (B, 1), says of all columns."""
    wide = np.zeros((len(values), n_labels))
    wide[:, column] = values[:, 0]
    return wide


def widened(rule: Hypothesis, column: int, n_labels: int) -> Hypothesis:
    """A rule of one column as a rule of all columns, which is silent about the others."""
    values = in_column(rule.values, column, n_labels)
    if isinstance(rule, Tree):
        return Tree(rule.leaves, values, rule.examples)
    own = cast(Foreign, rule)
    classifiers: list[Any] = [0] * n_labels
    classifiers[column] = own.classifiers[0]
    return Foreign(tuple(classifiers), values)


def narrowed(member: Member, column: int) -> Member:
    """A member of the model as a member of the run of its column."""
    rule, only = member.hypothesis, slice(column, column + 1)
    values, steps_ = (np.ascontiguousarray(each[:, only]) for each in (rule.values, member.steps))
    own: Hypothesis
    if isinstance(rule, Tree):
        own = Tree(rule.leaves, values, rule.examples)
    else:
        own = Foreign((cast(Foreign, rule).classifiers[column],), values)
    return Member(own, member.coefficient, steps_, member.size)
