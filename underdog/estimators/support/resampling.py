"""Rows drawn in proportion to their weights, on which any learner finds its rule."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from underdog.core import (
    Criterion,
    History,
    Hypothesis,
    Learner,
    Loss,
    OfSignal,
    Proposal,
    Question,
    Rows,
    Run,
    Shard,
    Signal,
    State,
    Stop,
    every_row,
    weight_per_unit,
)
from underdog.data.draws import repeated_draws, seed_of
from underdog.data.hashing import STEP, content_keys
from underdog.estimators.support.other_learner import UsesLearner
from underdog.learners import ForeignLearner
from underdog.types import Codes, Floats, Indices, Integers

UNIT_BITS = 50
"""All draws together are less than 2**50 units."""


def resampled(learner: Learner) -> Learner:
    """A learner that finds the rules of another one on drawn rows."""
    if isinstance(learner, ForeignLearner):
        return ForeignLearner(learner.classifier, resample=True)
    if isinstance(learner, UsesLearner):
        raise ValueError(
            "resample=True is for boosters that ask their learner about all rows and labels at "
            "once: leave it out here, where labels take turns or classes are divided in two"
        )
    return Resampled(learner)


class DrawnSignal(OfSignal):
    """How often each row was drawn for each label, in a common unit.

    Parameters
    ----------
    rows : Rows
    signal : Signal
        By whose weights rows are drawn.
    """

    def __init__(self, rows: Rows, signal: Signal) -> None:
        super().__init__(rows, signal)
        self.mass = 1.0
        target, table = rows.only.target, rows.only.encoded.table
        labels = np.packbits(target.sign, axis=1)
        kinds = np.unique(labels, axis=0, return_inverse=True)[1].reshape(-1)
        # Equal rows are drawn as one, so that neither their order nor their repeats matter.
        _, self._first, self._copy_of = np.unique(
            content_keys(table, kinds), return_index=True, return_inverse=True
        )
        self._copies = np.bincount(self._copy_of, target.repeats).astype(np.int64)
        channels = signal.channel_of(rows.only)
        self._channels: Codes | None = None if channels is None else channels[self._first]
        n_drawn = self.n_channels if channels is None else 1
        self._amounts = np.zeros((n_drawn, *target.sign.shape), dtype=np.int64)

    def draw(self, seed: int) -> None:
        """Draw as many pairs of an example and a label as there are; whole rows for classes."""
        shard, n_labels = self.rows.only, self.rows.n_labels
        unit = weight_per_unit(self.signal, self.rows.totals(self.signal))
        shared = self.reads == "classes"  # one weight for all labels of a row
        weights = np.stack([self._weights(channel, unit) for channel in range(len(self._amounts))])
        weights = weights[:, :, :1] if shared else weights
        count = shard.encoded.n_examples * (1 if shared else n_labels)
        drawn = repeated_draws(weights.ravel(), count, seed)
        times = np.bincount(drawn, minlength=weights.size).reshape(weights.shape)
        # What is drawn of equal examples is shared among them, in small units.
        each = (times << (UNIT_BITS - count.bit_length())) // self._copies[:, np.newaxis]
        self._amounts[:] = each[:, self._copy_of] * shard.target.repeats[:, np.newaxis]
        self.restart()

    def _weights(self, channel: int, unit: Floats) -> Floats:
        """(different rows, K) the weights in a channel, or in the only one of each row."""
        shard = self.rows.only
        amounts = np.zeros(shard.target.sign.shape, dtype=np.int64)
        self.signal.amounts(shard, every_row(len(amounts)), 0, channel, amounts)
        sums = np.zeros((len(self._first), shard.n_labels), dtype=np.int64)
        np.add.at(sums, self._copy_of, amounts)
        of_row = unit[channel]
        if self._channels is not None:
            of_row = np.take_along_axis(unit, self._channels.astype(np.int64), axis=0)
        weights: Floats = sums * of_row
        return weights

    def amounts(
        self, shard: Shard, rows: Indices, first_label: int, channel: int, out: Integers
    ) -> None:
        place = channel if self._channels is None else 0
        out[:] = self._amounts[place, rows, first_label : first_label + out.shape[1]]

    def unit(self, totals: Integers, out: Floats) -> None:
        out[:] = 1.0 / max(int(totals.sum()), 1)


@dataclass
class Drawing:
    """The run that the learner sees, and its state."""

    run: Run
    inner: Run
    signal: DrawnSignal
    state: Any
    seed: int


class Resampled(UsesLearner):
    """Finds the rule of a round on rows drawn with replacement in proportion to their weights.

    The coefficient of the rule, where it votes, and the next weights follow from all rows. A row is
    drawn by a hash of the seed, the round and its contents: the order of the rows and the choice
    between repeated rows and whole weights change nothing.

    Parameters
    ----------
    learner : Learner
    """

    greedy = True
    takes_soft_labels = False

    def __init__(self, learner: Learner) -> None:
        self.learner = learner

    def criterion(self, loss: Loss) -> Criterion:
        if loss.reads == "newton" or "box" in loss.gives:
            what = "gradients and curvatures" if loss.reads == "newton" else "a master problem"
            raise ValueError(
                f"resample=True draws rows in proportion to their weights, but {loss!r} has {what}:"
                " leave it out, or use a booster such as AdaBoostClassifier"
            )
        return self.learner.criterion(loss)

    def start(self, run: Run) -> Drawing:
        signal = DrawnSignal(run.rows, run.state.signals[0])
        state = State(run.rows, (signal, *run.state.signals[1:]))
        state.members = run.state.members
        parts = replace(run.parts, learner=self.learner)
        inner = replace(run, parts=parts, state=state, history=History(), memory=None)
        memory = self.learner.start(inner)
        return Drawing(run, inner, signal, memory, seed_of(run.random_state))

    def fit(self, memory: Drawing, question: Question) -> Proposal | Stop:
        run, rows = memory.run, memory.run.rows
        memory.inner.state.members = run.state.members  # their number is that of the round
        memory.signal.draw((memory.seed + len(run.state.members) * STEP) % 2**63)
        signals = (memory.signal, *question.signals[1:])
        found = self.learner.fit(memory.state, question._replace(signals=signals))
        if isinstance(found, Stop):
            return found
        n_blocks = len(found.hypothesis.values)
        sums = tuple(rows.sums(each, found.partition, n_blocks) for each in question.signals)
        pairs = zip(question.signals, sums, strict=True)
        unit = tuple(weight_per_unit(each, own.sum(axis=0)) for each, own in pairs)
        return Proposal(found.hypothesis, found.partition, sums, unit)

    def accepted(self, memory: Drawing, hypothesis: Hypothesis) -> None:
        self.learner.accepted(memory.state, hypothesis)
