"""The loop that runs every algorithm."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator

import numpy as np

from underdog.core import (
    MAX_SCORE,
    AskAgain,
    History,
    Member,
    Move,
    Proposal,
    Question,
    Refit,
    Run,
    State,
    Stop,
    weight_per_unit,
)
from underdog.hypotheses import Tree

ALL_DONE = "all rounds done"
INTERRUPTED = "interrupted"
TOO_FAR = (
    f"scores have reached {MAX_SCORE:.0f}, beyond which their sums are not exact: use a smaller "
    "learning_rate or fewer rounds"
)

Watch = Callable[[State, History], str | None]
"""Called after each round; a returned reason ends the run."""


def boost(run: Run, rounds: int, watches: tuple[Watch, ...] = ()) -> str:
    """Take up to `rounds` members in all; returns why it stopped."""
    for reason in steps(run, rounds):
        if reason is not None:
            return reason
        for watch in watches:
            verdict = watch(run.state, run.history)
            if verdict is not None:
                return verdict
    return ALL_DONE


def steps(run: Run, rounds: int) -> Iterator[str | None]:
    """Take one member after the other, up to `rounds` in all: None for each, or why it stopped.

    If not one round can be taken the model is a constant, with the reason.
    """
    state, learner, combiner = run.state, run.parts.learner, run.parts.combiner
    memory = learner.start(run)
    while len(state.members) < rounds:
        began = time.perf_counter()
        question = combiner.ask(run)
        proposal = learner.fit(memory, question)
        if isinstance(proposal, Stop):
            yield _end(run, question, proposal, began)
            return
        answer = combiner.step(run, question, proposal)
        if isinstance(answer, Stop):
            yield _end(run, question, answer, began)
            return
        if isinstance(answer, AskAgain):
            continue
        if isinstance(answer, Move) and state.score_bound + answer.size >= MAX_SCORE:
            yield _end(run, question, Stop(TOO_FAR), began)
            return
        _take(run, proposal, answer, began)
        yield None
        if answer.last is not None:
            yield answer.last
            return


def _take(run: Run, proposal: Proposal, answer: Move | Refit, began: float) -> None:
    """Take a step and write down what is known of it."""
    if isinstance(answer, Move):
        coefficient = answer.coefficient
        member = Member(proposal.hypothesis, coefficient, answer.steps, answer.size)
        run.state.apply(member, proposal.partition, proposal.sums)
    else:
        coefficient = float(answer.coefficients[-1])
        run.state.refit([answer.hypothesis], [proposal.partition], answer.coefficients)
    facts = {**answer.facts, "coefficient": coefficient, "seconds": time.perf_counter() - began}
    run.history.rows.append(facts)


def _end(run: Run, question: Question, stop: Stop, began: float) -> str:
    """The reason for stopping; a model without members becomes the loss's best constant."""
    if run.state.members:
        return stop.reason
    totals = [run.rows.totals(signal) for signal in question.signals]
    units = [weight_per_unit(*pair) for pair in zip(question.signals, totals, strict=True)]
    sums = [total[np.newaxis] for total in totals]
    smooth = run.smooth / question.signals[0].mass
    constant = Tree.constant(run.parts.loss.constant(sums[0], units[0], smooth))
    proposal = Proposal(constant, run.rows.place(constant), tuple(sums), tuple(units))
    _take(run, proposal, run.parts.combiner.make_move(run, question, proposal, 1.0), began)
    return f"{stop.reason}; the model is a constant"


class ProgressBar:
    """A watch that draws a progress bar on the standard error stream."""

    def __init__(self, rounds: int, title: str = "") -> None:
        self.rounds, self.title = rounds, title
        self._began = time.perf_counter()
        self._shown = 0.0
        self._terminal = sys.stderr.isatty()

    def __call__(self, state: State, history: History) -> None:
        now, done = time.perf_counter(), len(history)
        if now - self._shown < (0.1 if self._terminal else 5.0) and done < self.rounds:
            return
        self._shown = now
        filled = 24 * done // self.rounds
        left = (now - self._began) / done * (self.rounds - done)
        line = (
            f"{self.title}[{'#' * filled}{'.' * (24 - filled)}] {done}/{self.rounds} rounds, "
            f"loss {history.last('loss', 1.0):.4g}, {left:.0f} s left"
        )
        sys.stderr.write(f"\r\033[K{line}" if self._terminal else f"{line}\n")
        sys.stderr.flush()

    def close(self) -> None:
        """End the line on which the bar was drawn."""
        if self._terminal and self._shown:
            sys.stderr.write("\n")
            sys.stderr.flush()
