"""Colourings: in every round the classes are divided in two, and a binary learner is asked."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, cast

import numpy as np

from underdog.core import (
    CountedAnew,
    History,
    Hypothesis,
    Learner,
    Proposal,
    Question,
    Rows,
    Run,
    Shard,
    State,
    Stop,
    Target,
    chunks,
    weight_per_unit,
)
from underdog.data.draws import seed_of
from underdog.data.hashing import STEP, Keys, mix
from underdog.estimators.support.other_learner import UsesLearner
from underdog.hypotheses import Foreign, Tree
from underdog.losses import LabelRanking
from underdog.losses.label_ranking import LabelRankingSignal
from underdog.types import Floats, Indices, Integers

TRIES = 10
"""Colourings that are tried in one round, if the learner has no edge with those before."""
ROOM = 1 << 20
"""Draws that are set apart for each round."""
NO_COLOURING = f"the learner has no edge left with any of {TRIES} colourings of the classes"


def colouring(seed: int, number: int, n_classes: int) -> Integers:
    """(K,) -1 for half of the classes, drawn by a hash, and +1 for the others.

    Examples
    --------
    >>> from underdog.estimators.support.colouring import colouring
    >>> colouring(0, 0, 5).tolist(), colouring(0, 1, 5).tolist()
    ([1, -1, 1, 1, -1], [-1, 1, 1, -1, 1])
    """
    start = mix(np.array([(seed + number * STEP) % 2**64], dtype=np.uint64))
    places: Keys = np.arange(n_classes, dtype=np.uint64)
    order = np.argsort(mix(start + places))
    colours = np.ones(n_classes, dtype=np.int64)
    colours[order[: n_classes // 2]] = -1
    return colours


class Mislabels(LabelRanking):
    """`LabelRanking` of one label per row, with weights that can be added over the wrong labels."""

    def make_signal(self, rows: Rows, costly: bool = False) -> LabelRankingSignal:
        if rows.n_labels == 1:
            return super().make_signal(rows, costly)
        return LabelRankingSignal(rows, costly, one_unit=True)


class ColouredSignal(CountedAnew):
    """Integer weights of a binary problem: those of the wrong labels with another colour.

    Parameters
    ----------
    rows : Rows
        With one column, whose signs `paint` sets.
    mislabels : LabelRankingSignal
        The weights of labels, in one unit.
    """

    def __init__(self, rows: Rows, mislabels: LabelRankingSignal) -> None:
        super().__init__(rows)
        self._mislabels = mislabels
        self._classes = [shard.target.sign.argmax(axis=1) for shard in mislabels.rows.shards]
        self._amounts = [np.zeros(len(own), dtype=np.int64) for own in self._classes]
        self.share = 1.0
        """U, the share of the weight of all wrong labels that have another colour."""

    def by_class(self) -> Integers:
        """(K, K): the weight of each label in the rows of each class; 0 for the class itself."""
        n_labels = self._mislabels.rows.n_labels

        def count(shard: Shard) -> Integers:
            own = self._classes[shard.number]
            result = np.zeros((n_labels, n_labels), dtype=np.int64)
            for rows, each in self._each(shard, np.argsort(own, kind="stable")):
                first = np.flatnonzero(np.diff(own[rows], prepend=-1))
                result[own[rows[first]]] += np.add.reduceat(each, first, axis=0)
            return result

        found = self._mislabels.rows.total(count)
        np.fill_diagonal(found, 0)
        return found

    def paint(self, colours: Integers) -> None:
        """Set signs and weights for a colouring of the classes."""
        separated = everything = 0
        sides = np.stack([colours < 0, colours > 0], axis=1).astype(np.int64)
        for shard, own in zip(self._mislabels.rows.shards, self.rows.shards, strict=True):
            classes, amounts = self._classes[own.number], self._amounts[own.number]
            colour = (colours[classes] > 0).astype(np.int64)
            for rows, each in self._each(shard, np.arange(len(classes))):
                sums = each @ sides  # of the labels of either colour
                place = np.arange(len(rows))
                amounts[rows] = sums[place, 1 - colour[rows]]
                everything += int(sums.sum() - each[place, classes[rows]].sum())
            separated += int(amounts.sum())
            own.target.sign[:, 0] = colour
        self.share = separated / everything
        self.restart()

    def _each(self, shard: Shard, order: Any) -> Iterator[tuple[Indices, Integers]]:
        """Rows in chunks, with the (n, K) weights of their labels."""
        n_labels = shard.n_labels
        for rows in chunks(order.astype(np.int32), n_labels):
            each = np.empty((len(rows), n_labels), dtype=np.int64)
            self._mislabels.amounts(shard, rows, 0, 0, each)
            yield rows, each

    def amounts(
        self, shard: Shard, rows: Indices, first_label: int, channel: int, out: Integers
    ) -> None:
        out[:, 0] = self._amounts[shard.number][rows]

    def unit(self, totals: Integers, out: Floats) -> None:
        out[:] = 1.0 / max(float(totals.sum()), 1.0)


@dataclass
class ColouringMemory:
    """The binary problem of a run, and the state of its learner."""

    run: Run
    binary: Run
    state: Any
    seed: int

    @property
    def signal(self) -> ColouredSignal:
        return cast(ColouredSignal, self.binary.state.signals[0])


class Colouring(UsesLearner):
    """Divides the classes in two at random, and asks a binary learner which part a row is in.

    A row weighs as much as its wrong labels in the other part. What the rule of the binary learner
    says is said of all labels, with the sign of their part.

    Parameters
    ----------
    learner : Learner
    n_colourings : int, default=1
        Of so many random colourings the one is used that separates the greatest weight.
    of_separated : bool, default=False
        Whether the weights of a proposal sum to one over the wrong labels that the colouring
        separates from the right ones, as in AdaBoost.ECC, or over all of them, as in AdaBoost.OC.
    """

    def __init__(self, learner: Learner, n_colourings: int = 1, of_separated: bool = False) -> None:
        self.learner = learner
        self.n_colourings = n_colourings
        self.of_separated = of_separated

    def start(self, run: Run) -> ColouringMemory:
        if run.rows.n_labels == 1:
            return ColouringMemory(run, run, self.learner.start(run), 0)
        mislabels = cast(LabelRankingSignal, run.state.signals[0])
        rows = Rows([_one_column(shard) for shard in run.rows.shards])
        state = State(rows, (ColouredSignal(rows, mislabels),))
        state.members = run.state.members  # their number is that of the round
        parts = replace(run.parts, learner=self.learner)
        binary = replace(run, parts=parts, rows=rows, state=state, history=History(), memory=None)
        return ColouringMemory(run, binary, self.learner.start(binary), seed_of(run.random_state))

    def fit(self, memory: ColouringMemory, question: Question) -> Proposal | Stop:
        if memory.run is memory.binary:
            return self.learner.fit(memory.state, question)
        for number in range(TRIES):
            colours = self._colours(memory, number)
            memory.signal.paint(colours)
            found = self.learner.fit(memory.state, Question(memory.binary.state.signals))
            if isinstance(found, Stop):
                return found
            if abs(found.edge()) > memory.run.parts.loss.min_step:
                return self._coloured(memory, found, colours)
        return Stop(NO_COLOURING)

    def accepted(self, memory: ColouringMemory, hypothesis: Hypothesis) -> None:
        self.learner.accepted(memory.state, hypothesis)

    def _colours(self, memory: ColouringMemory, number: int) -> Integers:
        """The colouring of the round, after `number` others had no edge."""
        first = len(memory.run.state.members) * ROOM + number * self.n_colourings
        n_classes = memory.run.rows.n_labels
        drawn = [
            colouring(memory.seed, first + place, n_classes) for place in range(self.n_colourings)
        ]
        if len(drawn) == 1:
            return drawn[0]
        weights = memory.signal.by_class()
        separated = [int(weights[np.not_equal.outer(own, own)].sum()) for own in drawn]
        return drawn[int(np.argmax(separated))]

    def _coloured(self, memory: ColouringMemory, found: Proposal, colours: Integers) -> Proposal:
        """The rule of the binary learner as a rule of all labels."""
        rule = _with_colours(found.hypothesis, colours)
        signal, rows = memory.run.state.signals[0], memory.run.rows
        partition = found.partition if isinstance(rule, Tree) else rows.place(rule)
        sums = rows.sums(signal, partition, len(rule.values))
        unit = weight_per_unit(signal, sums.sum(axis=0))
        if self.of_separated:
            unit /= memory.signal.share
        return Proposal(rule, partition, (sums,), (unit,))


def _one_column(shard: Shard) -> Shard:
    """The rows of a shard for a binary problem, whose signs are set later."""
    target = shard.target
    sign = np.zeros((len(target.sign), 1), dtype=np.uint8)
    own = Target(sign, target.repeats, target.log_prior)
    return Shard(shard.encoded, own, shard.workers, shard.number)


def _with_colours(rule: Hypothesis, colours: Integers) -> Hypothesis:
    values = rule.values * colours
    if isinstance(rule, Tree):
        return Tree(rule.leaves, values, rule.examples)
    return Foreign(cast(Foreign, rule).classifiers * len(colours), values)
