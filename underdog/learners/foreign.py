"""Any scikit-learn classifier as a weak learner."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.utils.validation import has_fit_parameter

from underdog.checks import notify
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
from underdog.data.conversion import take_rows
from underdog.data.draws import with_replacement
from underdog.hypotheses import Foreign
from underdog.learners.criteria import Vote
from underdog.types import Floats, Integers

MAX_DRAWN = 1_000_000
"""Maximum number of rows to draw, unless the data has more rows. Large integer weights could
otherwise fill the memory."""


class ForeignLearner(Learner):
    """Fits a clone of a scikit-learn classifier for each label column in every round.

    Predictions are -1 or +1, and one coefficient is used for all label columns. A classifier that
    does not support `sample_weight` is fitted to rows drawn with replacement in proportion to their
    weights, as many as there are examples. The draw depends on the contents of the rows: neither
    their order nor the choice between repeated rows and integer weights changes the rows drawn.

    Models are not guaranteed to be equal to the last bit. The classifier may depend on the format
    of the data, on threads, and, if it supports `sample_weight`, on the order of the rows.

    Parameters
    ----------
    classifier : scikit-learn classifier
        Cloned for every label column in every round.

    Examples
    --------
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from underdog.learners import ForeignLearner
    >>> ForeignLearner(DecisionTreeClassifier(max_depth=2))
    ForeignLearner(classifier=DecisionTreeClassifier(max_depth=2))
    """

    def __init__(self, classifier: Any) -> None:
        self.classifier = classifier

    def criterion(self, loss: Loss) -> Criterion:
        return Vote(loss.beta)

    def start(self, run: Run) -> Run:
        if not has_fit_parameter(self.classifier, "sample_weight"):
            notify(
                f"{type(self.classifier).__name__} does not support sample_weight: it is fitted to "
                "rows drawn with replacement in proportion to their weights (set random_state for "
                "reproducible results)"
            )
        return run

    def fit(self, memory: Run, question: Question) -> Proposal | Stop:
        rows = memory.rows
        weights, unit = _weights(question.signals[0], memory)
        n_labels = weights.shape[1]
        classifiers = tuple(
            self._fit_label(memory, weights[:, label], unit[:, label], label)
            for label in range(n_labels)
        )
        values = np.concatenate([-np.ones((1, n_labels)), np.ones((1, n_labels))])
        foreign = Foreign(classifiers, values)
        partition = rows.place(foreign)
        sums = tuple(rows.sums(signal, partition, 2) for signal in question.signals)
        pairs = zip(question.signals, sums, strict=True)
        units = tuple(weight_per_unit(signal, counted.sum(axis=0)) for signal, counted in pairs)
        return Proposal(foreign, partition, sums, units)

    def _fit_label(self, run: Run, weights: Integers, unit: Floats, label: int) -> Any:
        shard = run.rows.only
        signs, table = shard.target.sign[:, label], shard.encoded.table
        if signs.min() == signs.max():
            return int(signs[0])
        y = signs.astype(np.int64) * 2 - 1
        classifier = clone(self.classifier)
        if "random_state" in classifier.get_params():
            classifier.set_params(random_state=run.random.randint(np.iinfo(np.int32).max))
        matrix = table.matrix()
        if has_fit_parameter(classifier, "sample_weight"):
            real = weights * unit[signs]
            return classifier.fit(matrix, y, sample_weight=real / real.sum() * len(y))
        seed = run.random.randint(np.iinfo(np.int32).max)
        count = min(shard.encoded.n_examples, max(MAX_DRAWN, len(y)))
        drawn = with_replacement(table, signs.astype(np.int64), weights, unit, count, seed)
        if y[drawn].min() == y[drawn].max():
            return int(y[drawn[0]] > 0)
        return classifier.fit(take_rows(matrix, drawn), y[drawn])


def _weights(signal: Signal, run: Run) -> tuple[Integers, Floats]:
    """(n, K) integer weights, and the real weight of one unit by [sign, label]."""
    shard = run.rows.only
    amounts = np.empty(shard.target.sign.shape, dtype=np.int64)
    signal.amounts(shard, every_row(len(amounts)), 0, 0, amounts)
    return amounts, weight_per_unit(signal, run.rows.totals(signal))
