"""The loop that runs every algorithm."""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from underdog.core import (
    MOST_SCORE,
    Combiner,
    Learner,
    Member,
    Move,
    Proposal,
    Question,
    Run,
    Stop,
    every_row,
    steps_of,
    sum_units,
    unit_weight,
)
from underdog.hypotheses import Constant
from underdog.kernels import rules
from underdog.kernels.elementary import log
from underdog.types import Floats

ALL_DONE = "all rounds done"
INTERRUPTED = "interrupted"

Watch = Callable[[Member, "History"], str | None]
"""Called after each round with the new member; a returned reason ends the run."""


@dataclass
class History:
    """What was measured in each round; columns have one entry per round."""

    columns: dict[str, list[float]] = field(default_factory=dict)

    def add(self, **facts: float) -> None:
        columns = self.columns
        for name, value in facts.items():
            if name not in columns:
                columns[name] = []
            columns[name].append(value)

    def last(self, name: str, default: float) -> float:
        values = self.columns.get(name)
        return values[-1] if values else default

    def arrays(self) -> dict[str, Floats]:
        return {name: np.array(values) for name, values in self.columns.items()}


def boost(
    run: Run,
    learner: Learner,
    combiner: Combiner,
    rounds: int,
    history: History,
    watches: tuple[Watch, ...] = (),
) -> str:
    """Take up to `rounds` members in all; returns why it stopped.

    If not one round can be taken the model is a constant, with the reason.
    """
    state = run.state
    memory = learner.start(run)
    while len(state.members) < rounds:
        began = time.perf_counter()
        question = combiner.ask(state)
        proposal = learner.fit(memory, question)
        answer = proposal if isinstance(proposal, Stop) else combiner.step(run, question, proposal)
        if isinstance(proposal, Stop) or isinstance(answer, Stop):
            reason = answer.reason if isinstance(answer, Stop) else ""
            if state.members:
                return reason
            _take_constant(run, question, history, began)
            return f"{reason}; the model is a constant"
        if state.reach + answer.size >= MOST_SCORE:
            return (
                f"scores have reached {MOST_SCORE:.0f}, beyond which their sums are not exact: use "
                "a smaller learning_rate or fewer rounds"
            )
        _take(run, question, proposal, answer, history, began)
        for watch in watches:
            verdict = watch(state.members[-1], history)
            if verdict is not None:
                return verdict
        if answer.last is not None:
            return answer.last
    return ALL_DONE


def _take(
    run: Run,
    question: Question,
    proposal: Proposal,
    move: Move,
    history: History,
    began: float,
) -> None:
    signal = question.signals[0]
    z = float(rules.normaliser(move.steps, proposal.sums[0], proposal.unit[0], signal.rate))
    member = Member(proposal.hypothesis, move.coefficient, move.steps, move.size)
    edge = proposal.edge()
    run.state.apply(member, proposal.partition, proposal.sums)
    log_loss = history.last("log_loss", 0.0) + float(log(z))
    history.add(
        edge=edge,
        z=z,
        coefficient=move.coefficient,
        loss=math.exp(log_loss),
        log_loss=log_loss,
        **move.facts,
    )
    if "ratio" in move.facts:
        history.add(bound=history.last("bound", 1.0) * move.facts["ratio"])
    history.add(seconds=time.perf_counter() - began)


def _take_constant(run: Run, question: Question, history: History, began: float) -> None:
    """A model that says the same of every row: the loss's best constant, smoothed."""
    signals = question.signals
    totals = [sum_units(signal, every_row(run.part.n_rows)) for signal in signals]
    everything = [np.stack([total, np.zeros_like(total)]) for total in totals]
    units = [unit_weight(*pair) for pair in zip(signals, totals, strict=True)]
    values = np.empty((2, signals[0].sign.shape[1]))
    beta = getattr(run.loss, "beta", 1.0)
    rule = rules.REAL_Z if beta == 1.0 else rules.UNEVEN_Z
    rules.fill(rule, everything[0], units[0], run.smooth, beta, values)
    values[1] = values[0]
    hypothesis = Constant(values)
    proposal = Proposal(
        hypothesis, hypothesis.partition(run.part), tuple(everything), tuple(units)
    )
    facts = {} if run.target.log_cost is None else {"wrong_share": np.nan, "ratio": 1.0}
    _take(run, question, proposal, Move(1.0, *steps_of(values, 1.0), facts), history, began)


def progress(rounds: int) -> Watch:
    """A watch that draws a progress bar on the standard error stream."""
    began = time.perf_counter()
    shown = [0.0]
    terminal = sys.stderr.isatty()

    def show(_: Member, history: History) -> None:
        done = len(history.columns["z"])
        now = time.perf_counter()
        if now - shown[0] < (0.1 if terminal else 5.0) and done < rounds:
            return
        shown[0] = now
        filled = 24 * done // rounds
        left = (now - began) / done * (rounds - done)
        line = (
            f"[{'#' * filled}{'.' * (24 - filled)}] {done}/{rounds} rounds, "
            f"loss {history.last('loss', 1.0):.4g}, {left:.0f} s left"
        )
        end = "\n" if done == rounds or not terminal else ""
        sys.stderr.write(("\r\033[K" if terminal else "") + line + end)
        sys.stderr.flush()

    return show
