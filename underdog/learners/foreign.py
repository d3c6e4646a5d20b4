"""Any scikit-learn classifier as a weak learner."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from sklearn.base import clone
from sklearn.utils.validation import has_fit_parameter

from underdog.checks import check_flag, notify
from underdog.core import (
    Criterion,
    Learner,
    Loss,
    Proposal,
    Question,
    Run,
    Signal,
    Stop,
    every_row,
    weight_per_unit,
)
from underdog.core.votes import votes_for
from underdog.data.conversion import take_rows
from underdog.data.draws import with_replacement
from underdog.hypotheses import Foreign, ForeignClass
from underdog.learners.criteria import ClassVote, Vote
from underdog.types import Floats, Integers

MAX_DRAWN = 1_000_000
"""Maximum number of rows to draw, unless the data has more rows. Large integer weights could
otherwise fill the memory."""


class ForeignLearner(Learner):
    """Fits a clone of a scikit-learn classifier for each label column in every round.

    Predictions are -1 or +1, and one coefficient is used for all label columns. Where the loss asks
    for a class, as in AdaBoost.M1, one clone is fitted to the classes. A classifier that
    does not support `sample_weight` is fitted to rows drawn with replacement in proportion to their
    weights, as many as there are examples. The draw depends on the contents of the rows: neither
    their order nor the choice between repeated rows and integer weights changes the rows drawn.

    Models are not guaranteed to be equal to the last bit. The classifier may depend on the format
    of the data, on threads, and, if it supports `sample_weight`, on the order of the rows.

    Parameters
    ----------
    classifier : scikit-learn classifier
        Cloned in every round.
    resample : bool, default=False
        Whether to draw rows also if the classifier supports `sample_weight`. The step and the next
        weights follow from all rows in any case.

    Examples
    --------
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from underdog.learners import ForeignLearner
    >>> ForeignLearner(DecisionTreeClassifier(max_depth=2))
    ForeignLearner(classifier=DecisionTreeClassifier(max_depth=2))
    """

    takes_soft_labels: ClassVar[bool] = False
    takes_disk: ClassVar[bool] = False

    def __init__(self, classifier: Any, resample: bool = False) -> None:
        self.classifier = classifier
        self.resample = resample

    def check(self) -> None:
        check_flag("resample", self.resample)

    def _draws(self) -> bool:
        """Whether the classifier is fitted to drawn rows."""
        return self.resample or not has_fit_parameter(self.classifier, "sample_weight")

    def criterion(self, loss: Loss) -> Criterion:
        return ClassVote() if loss.reads == "classes" else Vote(loss.beta)

    def start(self, run: Run) -> Run:
        if self._draws() and not self.resample:
            notify(
                f"{type(self.classifier).__name__} does not support sample_weight: it is fitted to "
                "rows drawn with replacement in proportion to their weights (set random_state for "
                "reproducible results)"
            )
        return run

    def fit(self, memory: Run, question: Question) -> Proposal | Stop:
        rows = memory.rows
        weights, unit = _weights(question.signals[0], memory)
        if memory.parts.loss.reads == "classes":
            foreign: Foreign = self._fit_classes(memory, weights[:, 0], unit[1])
        else:
            foreign = self._fit_labels(memory, weights, unit)
        partition, n_blocks = rows.place(foreign), len(foreign.values)
        sums = tuple(rows.sums(signal, partition, n_blocks) for signal in question.signals)
        pairs = zip(question.signals, sums, strict=True)
        units = tuple(weight_per_unit(signal, counted.sum(axis=0)) for signal, counted in pairs)
        return Proposal(foreign, partition, sums, units)

    def _fit_classes(self, run: Run, weights: Integers, unit: Floats) -> ForeignClass:
        """One classifier, which predicts the number of the class."""
        numbers, every = run.rows.only.target.sign.argmax(axis=1), np.arange(len(unit))
        return ForeignClass(
            (self._fit(run, weights, unit, numbers, every),), votes_for(every, len(unit))
        )

    def _fit_labels(self, run: Run, weights: Integers, unit: Floats) -> Foreign:
        """One classifier for each label column, which predicts -1 or 1."""
        signs, both = run.rows.only.target.sign.astype(np.int64), np.array([-1, 1])
        labels = range(signs.shape[1])
        fitted = [self._fit(run, weights[:, k], unit[:, k], signs[:, k], both) for k in labels]
        return Foreign(tuple(fitted), np.repeat([[-1.0], [1.0]], len(labels), axis=1))

    def _fit(
        self, run: Run, weights: Integers, unit: Floats, kinds: Integers, names: Integers
    ) -> Any:
        """A classifier of `kinds`, with a unit of weight and a name for each, or the only kind."""
        shard = run.rows.only
        table, y = shard.encoded.table, names[kinds]
        if kinds.min() == kinds.max():
            return int(kinds[0])
        classifier = clone(self.classifier)
        if "random_state" in classifier.get_params():
            classifier.set_params(random_state=run.random.randint(np.iinfo(np.int32).max))
        matrix = table.matrix()
        if not self._draws():
            real = weights * unit[kinds]
            return classifier.fit(matrix, y, sample_weight=real / real.sum() * len(y))
        seed = run.random.randint(np.iinfo(np.int32).max)
        count = min(shard.encoded.n_examples, max(MAX_DRAWN, len(y)))
        drawn = with_replacement(table, kinds, weights, unit, count, seed)
        if kinds[drawn].min() == kinds[drawn].max():
            return int(kinds[drawn[0]])
        return classifier.fit(take_rows(matrix, drawn), y[drawn])


def _weights(signal: Signal, run: Run) -> tuple[Integers, Floats]:
    """(n, K) integer weights, and the real weight of one unit by [sign, label]."""
    shard = run.rows.only
    amounts = np.empty(shard.target.sign.shape, dtype=np.int64)
    signal.amounts(shard, every_row(len(amounts)), 0, 0, amounts)
    return amounts, weight_per_unit(signal, run.rows.totals(signal))
