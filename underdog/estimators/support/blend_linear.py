"""The linear model of a blend: the penalty with the least loss of left-out rows."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, cast

import numpy as np

from underdog.checks import UnderdogWarning
from underdog.codes.real_values import RealLabels
from underdog.core import Loss, Rows, Run, Shard
from underdog.data import EncodedRows
from underdog.estimators.support.early_stopping import Fold
from underdog.estimators.support.lines import PlattLine, fit_line
from underdog.estimators.support.task import FitTask, LabelledRows
from underdog.kernels.sums import exact_sum
from underdog.linear import Features, LinearFit, OutOfTimeError, Scorer, fit_path
from underdog.losses import ModifiedHuber, SquaredError
from underdog.types import Codes, Floats, Integers
from underdog.workers import Workers

if TYPE_CHECKING:
    from underdog.estimators.support.base import Booster

STRENGTHS = (0.003, 0.03, 0.3, 3.0)
"""C of the linear models."""
OF_WORDS = 0.5
"""C of the linear model if there are words."""


@dataclass
class LeftOutLoss:
    """The loss of left-out rows, given their scores; sums do not depend on the order of rows.

    Targets are in their unit, so that losses are of about the same size whatever the targets are.
    """

    booster: Booster
    task: FitTask
    rows: LabelledRows

    def __post_init__(self) -> None:
        labels, y = self.task.labels, self.rows.y
        self.loss: Any = self.booster._loss_for(labels, self.task.parts.loss)
        self.weight = self.rows.counted.weights()
        self.total = exact_sum(self.weight)
        self.unit = labels.unit if isinstance(labels, RealLabels) else 1.0
        self.y = labels.value(y) if isinstance(labels, RealLabels) else labels.sign(y)

    def __call__(self, scores: Floats) -> float:
        each = self.loss.each(scores, self.y).sum(axis=1)
        return exact_sum(each * self.weight) / self.total

    def in_unit(self, loss: float) -> float:
        """The loss of targets as they were given."""
        if self.unit == 1.0 or np.isinf(loss):
            return loss
        return float(self.loss.in_unit(loss, self.unit))


class LinearChoice(NamedTuple):
    """The linear model with the least loss.

    Left-out scores, loss, C, whether columns may be words, and the line to log-odds.
    """

    scores: Floats
    loss: float
    strength: float
    with_words: bool
    line: PlattLine | None


def choose_linear(
    folds: Sequence[Fold],
    parts: Sequence[Integers],
    task: FitTask,
    compare: LeftOutLoss,
    is_over: Callable[[], bool] | None,
) -> LinearChoice | None:
    """The linear model with the least loss of left-out rows; None if there is no time for it.

    Whether there are words is decided once, by the rows outside the first part.
    """
    found: list[list[Floats]] = []
    with_words: bool | None = None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UnderdogWarning)  # the fit on all rows repeats them
        for fold, rows in zip(folds, parts, strict=True):
            models = linear_models(fold.run, with_words)
            with_words = models.with_words
            try:
                fits = models.solve(STRENGTHS, is_over)
            except OutOfTimeError:
                return None
            found.append(linear_scores(models, fits, task.examples.take(rows), task.workers))
    every = [np.concatenate(own) for own in zip(*found, strict=True)]
    if models.by_margin:
        line = fit_line(compare.loss, every[0], cast(Codes, compare.y), compare.weight)
        scores = line(every[0])
        return LinearChoice(scores, compare(scores), OF_WORDS, True, line)
    losses = [compare(scores) for scores in every]
    place = int(np.argmin(losses))
    return LinearChoice(every[place], losses[place], STRENGTHS[place], models.with_words, None)


class LinearModels(NamedTuple):
    """Linear models of the rows of a run, which are copied.

    Attributes
    ----------
    rows : Rows
    features : Features
    with_words : whether columns may be words
    loss : Loss
        With words that of support vector machines, for classes.
    by_margin : whether scores are margins, and not yet log-odds
    """

    rows: Rows
    features: Features
    with_words: bool
    loss: Loss
    by_margin: bool

    def solve(
        self, strengths: Sequence[float], is_over: Callable[[], bool] | None = None
    ) -> list[LinearFit]:
        """The models of all strengths; there is only one strength if scores are margins."""
        own = [OF_WORDS] if self.by_margin else strengths
        return fit_path(self.loss, self.rows, self.features, own, is_over)


def linear_models(run: Run, with_words: bool | None) -> LinearModels:
    """The linear models of a run; if it is not known whether there are words, that is found out."""
    rows, loss = _copy(run.rows), run.parts.loss
    features = Features.learn(rows, with_words)
    if with_words is None:
        with_words = bool(len(features.words))
    by_margin = with_words and not isinstance(loss, SquaredError)
    return LinearModels(
        rows, features, with_words, ModifiedHuber() if by_margin else loss, by_margin
    )


def linear_scores(
    models: LinearModels, fits: Sequence[LinearFit], held_out: LabelledRows, workers: Workers
) -> list[Floats]:
    """(n, K) scores of held-out rows by linear models."""
    layout = models.rows.layout
    encoded = EncodedRows(held_out.table, layout.schema, None, workers, layout.missing)
    scores = Scorer(layout, models.features, encoded, workers)
    return [scores(fit) for fit in fits]


def _copy(rows: Rows) -> Rows:
    """The same rows with scores of their own."""
    copied = Rows([Shard(own.encoded, own.target, own.workers) for own in rows.shards])
    copied.start_from(rows.start)
    return copied
