"""A run without an estimator: parts, rows and what is needed beside them."""

import numpy as np

from underdog.core import History, Proposal, Run, State, weight_per_unit
from underdog.workers import Workers


def run_of(parts, rows, smooth=1e-3, least_block=0.0):
    """A run before its first round."""
    state = State(rows, parts.combiner.make_signals(parts.loss, rows))
    run = Run(
        parts, rows, state, History(), smooth, least_block, 0, Workers(1),
        np.random.RandomState(0),
    )  # fmt: skip
    run.memory = parts.combiner.start(run)
    return run


def proposal_of(rows, hypothesis, signals):
    """A hypothesis with its sums under each signal, counted from scratch."""
    placed = rows.place(hypothesis)
    sums = tuple(rows.sums(signal, placed, len(hypothesis.values)) for signal in signals)
    units = tuple(
        weight_per_unit(signal, own.sum(axis=0)) for signal, own in zip(signals, sums, strict=True)
    )
    return Proposal(hypothesis, placed, sums, units)
