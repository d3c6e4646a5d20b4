"""The loop of boosting rounds that all algorithms share."""

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
CONSTANT = "the model is a constant"
TOO_FAR = (
    f"scores have reached {MAX_SCORE:.0f}, beyond which their sums are not exact: use a smaller "
    "learning_rate or fewer rounds"
)

Watch = Callable[[State, History], str | None]
"""Called after each round; if it returns a reason, the run stops."""


def boost(run: Run, rounds: int, watches: tuple[Watch, ...] = ()) -> str:
    """Run until there are `rounds` members in total; returns the reason for stopping."""
    for reason in steps(run, rounds):
        if reason is not None:
            return reason
        for watch in watches:
            reason = watch(run.state, run.history)
            if reason is not None:
                return reason
    return ALL_DONE


def steps(run: Run, rounds: int) -> Iterator[str | None]:
    """Add members one by one, up to `rounds` in total.

    Yields None after each of them, and the reason if the run stops early. If no round is possible,
    the model is a constant.
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
        learner.accepted(memory, state.members[-1].hypothesis)
        yield None
        if answer.last is not None:
            yield answer.last
            return


def _take(run: Run, proposal: Proposal, answer: Move | Refit, began: float) -> None:
    """Take a step and record it in the history."""
    if isinstance(answer, Move):
        coefficient = answer.coefficient
        member = Member(proposal.hypothesis, coefficient, answer.steps, answer.size)
        run.state.apply(member, proposal.partition, proposal.sums, answer.keep)
    else:
        coefficient = float(answer.coefficients[-1])
        run.state.refit([answer.hypothesis], [proposal.partition], answer.coefficients)
    facts = {**answer.facts, "coefficient": coefficient, "seconds": time.perf_counter() - began}
    run.history.rows.append(facts)


def _end(run: Run, question: Question, stop: Stop, began: float) -> str:
    """The reason for stopping; if there is no member, add the constant with the least loss."""
    if run.state.members:
        return stop.reason
    totals = [run.rows.totals(signal) for signal in question.signals]
    units = [weight_per_unit(*pair) for pair in zip(question.signals, totals, strict=True)]
    sums = [total[np.newaxis] for total in totals]
    smooth = run.smooth / question.signals[0].mass
    constant = Tree.constant(run.parts.loss.constant(sums[0], units[0], smooth))
    proposal = Proposal(constant, run.rows.place(constant), tuple(sums), tuple(units))
    _take(run, proposal, run.parts.combiner.make_move(run, question, proposal, 1.0), began)
    return f"{stop.reason}; {CONSTANT}"


class ProgressBar:
    """A watch that draws a progress bar on standard error."""

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

    def erase(self) -> None:
        """Remove the bar, for another one that follows."""
        if self._terminal and self._shown:
            sys.stderr.write("\r\033[K")
            sys.stderr.flush()

    def close(self) -> None:
        """End the line of the bar."""
        if self._terminal and self._shown:
            sys.stderr.write("\n")
            sys.stderr.flush()
