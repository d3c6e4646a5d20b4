"""Trees blended with a linear model: what is chosen, on the scores of left-out rows.

Every row is left out once. The boosters without a fold run side by side, and linear models with
several penalties are fitted on the same rows. The number of rounds, the penalty and the weight of
the linear model are those with the least loss of all left-out rows together.
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple, cast

import numpy as np

from underdog.checks import UnderdogWarning
from underdog.codes.real_values import RealLabels
from underdog.core import Member, Rows, Run, Shard
from underdog.core.state import with_coefficients
from underdog.data import EncodedRows
from underdog.data.draws import NEVER
from underdog.engine import ProgressBar
from underdog.estimators.support.early_stopping import Fold
from underdog.estimators.support.lines import PlattLine, fit_line
from underdog.estimators.support.task import FitTask, Folds, LabelledRows
from underdog.kernels.elementary import GRID
from underdog.kernels.sums import exact_sum
from underdog.linear import Features, LinearFit, Scorer, fit_path, members_of
from underdog.losses import ModifiedHuber, SquaredError
from underdog.types import Codes, Floats, Integers

if TYPE_CHECKING:
    from underdog.estimators.support.base import Booster

STRENGTHS = (0.003, 0.03, 0.3, 3.0)
"""C of the linear models."""
OF_WORDS = 0.5
"""C of the linear model if there are words."""
WEIGHTS = tuple(step / 10 for step in range(11))
"""Of the linear model."""
CHECKED = (10, 20, 30, 40, 50, 60, 80, 100, 120, 150, 180, 210, 250, 300, 350, 400, 500, 600, 700)
"""Numbers of rounds that are compared, and every 100 after them."""
PATIENCE, OF_ONE_PART = 4, 2
"""Numbers of rounds without a lower loss of the trees before the search ends.

It is the greater one if every row is left out once. A single part that is left out is large: in 28
searches on 8 tables of the experiment about defaults, both chose the same.
"""
OF_BLEND = 8
"""The same for the blend: while there are few trees, it may be the linear model alone."""
MIN_IMPROVEMENT = 1e-9
NO_LOSS = 1e-5
"""The loss, as a share of that of a constant, from which on more rounds are of no use."""


class Blend(NamedTuple):
    """What was chosen.

    Attributes
    ----------
    rounds : int
    weight : of the linear model, from 0 to 1
    strength : C of the linear model
    line : from the margins of words to log-odds; None if there are no words
    losses : mean loss of the left-out rows of the blend, of trees alone, of the linear model alone
    left_out : (n, K) scores of the blend; NaN for rows that were never left out
    rounds_tried : the most rounds that were compared
    trees : the place of the booster whose trees were chosen
    of_boosters : the least loss with the trees of each booster
    """

    rounds: int
    weight: float
    strength: float
    line: PlattLine | None
    losses: tuple[float, float, float]
    left_out: Floats
    rounds_tried: int
    trees: int
    of_boosters: tuple[float, ...]


def checked_rounds(most: int) -> list[int]:
    """The numbers of rounds that are compared."""
    more = range(CHECKED[-1] + 100, most + 1, 100)
    return [*(number for number in (*CHECKED, *more) if number < most), most]


@dataclass
class LeftOutLoss:
    """The loss of left-out rows, given their scores; sums do not depend on the order of rows."""

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
        loss = exact_sum(each * self.weight) / self.total
        return self.loss.in_unit(loss, self.unit) if self.unit != 1.0 else loss


def find_blend(
    boosters: Sequence[Booster], task: FitTask, linear: bool, time_budget: float | None = None
) -> Blend:
    """The blend with the least loss of left-out rows.

    Parameters
    ----------
    boosters : sequence of Booster
        They differ in their trees, and the best is chosen; the first one is that of the task.
    task : FitTask
        With folds as `held_out`.
    linear : bool
        Whether to try linear models.
    time_budget : float, optional
        Seconds for the whole fit: rounds are tried for three quarters of it.
    """
    end = np.inf if time_budget is None else time.perf_counter() + 0.75 * time_budget
    examples, fold_of = task.examples, cast(Folds, task.held_out).of_row
    parts = [np.flatnonzero(fold_of == fold) for fold in np.unique(fold_of[fold_of != NEVER])]
    together = np.concatenate(parts)
    compare = LeftOutLoss(boosters[0], task, examples.take(together))
    chosen: LinearChoice | None = None
    found: list[Mix] = []
    for place, booster in enumerate(boosters):
        folds = _make_folds(booster, task_of(booster, task, place), parts)
        if linear and chosen is None:
            chosen = _choose_linear(folds, parts, task, compare)
        now = time.perf_counter()
        found.append(
            _search(booster, folds, compare, chosen, now + (end - now) / (len(boosters) - place))
        )
    losses = [mix.loss for mix in found]
    best = losses.index(min(losses))
    mix = found[best]
    left_out = np.full((len(examples.y), mix.scores.shape[1]), np.nan)
    left_out[together] = mix.scores
    if chosen is None:
        chosen = LinearChoice(mix.scores, np.inf, STRENGTHS[0], None)
    return Blend(
        mix.rounds,
        mix.weight,
        chosen.strength,
        chosen.line,
        (mix.loss, mix.of_trees, chosen.loss),
        left_out,
        mix.rounds_tried,
        best,
        tuple(losses),
    )


def task_of(booster: Booster, task: FitTask, place: int) -> FitTask:
    """The task with the trees of this booster; the first one has those of the task."""
    if place == 0:
        return task
    return replace(task, parts=replace(booster._make_parts(), code=task.parts.code))


def _make_folds(booster: Booster, task: FitTask, parts: Sequence[Integers]) -> list[Fold]:
    """A run for each part of the rows, without this part."""
    examples, every = task.examples, np.arange(len(task.examples.y))
    folds = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UnderdogWarning)  # the fit on all rows repeats them
        for rows in parts:
            others = np.delete(every, rows)
            without = replace(task, examples=examples.take(others))
            fold = Fold(booster, without, examples.take(rows))
            fold.run.records_loss = bool(booster.verbose)  # only a progress bar shows it
            folds.append(fold)
    return folds


class LinearChoice(NamedTuple):
    """The linear model with the least loss: left-out scores, loss, C and the line to log-odds."""

    scores: Floats
    loss: float
    strength: float
    line: PlattLine | None


def _choose_linear(
    folds: Sequence[Fold], parts: Sequence[Integers], task: FitTask, compare: LeftOutLoss
) -> LinearChoice:
    """The linear model with the least loss of left-out rows."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UnderdogWarning)  # the fit on all rows repeats them
        found = [
            linear_scores(fold.run, task.examples.take(rows), task)
            for fold, rows in zip(folds, parts, strict=True)
        ]
    every = [np.concatenate(own) for own in zip(*found, strict=True)]
    if len(every) == 1:
        line = fit_line(compare.loss, every[0], cast(Codes, compare.y), compare.weight)
        scores = line(every[0])
        return LinearChoice(scores, compare(scores), OF_WORDS, line)
    losses = [compare(scores) for scores in every]
    place = int(np.argmin(losses))
    return LinearChoice(every[place], losses[place], STRENGTHS[place], None)


class Mix(NamedTuple):
    """The best mean of trees and linear model: its loss, rounds, weight and left-out scores.

    `of_trees` is the least loss of the trees alone.
    """

    loss: float
    rounds: int
    weight: float
    scores: Floats
    of_trees: float
    rounds_tried: int


def _search(
    booster: Booster,
    folds: Sequence[Fold],
    compare: LeftOutLoss,
    linear: LinearChoice | None,
    deadline: float,
) -> Mix:
    """Try more and more rounds, until there is no lower loss for long, or next to none is left."""
    bar = ProgressBar(booster.n_estimators, "out of fold: ") if booster.verbose else None
    best = Mix(np.inf, 0, 0.0, np.empty((0, 0)), np.inf, 0)
    trees_since = blend_since = 0
    patience = OF_ONE_PART if len(folds) == 1 else PATIENCE
    enough = NO_LOSS * compare(np.concatenate([fold.next_rounds(0) for fold in folds]))
    try:
        for number in checked_rounds(booster.n_estimators):
            more = number - best.rounds_tried
            scores = np.concatenate([fold.next_rounds(more) for fold in folds])
            if bar is not None:
                bar(folds[0].run.state, folds[0].run.history)
            before = best
            for weight in WEIGHTS if linear is not None else (0.0,):
                mixed = scores
                if linear is not None and weight > 0.0:
                    mixed = (1.0 - weight) * scores + weight * linear.scores
                loss = compare(mixed)
                if weight == 0.0:
                    best = best._replace(of_trees=min(best.of_trees, loss))
                if loss < best.loss - MIN_IMPROVEMENT:
                    best = best._replace(loss=loss, rounds=number, weight=weight, scores=mixed)
            best = best._replace(rounds_tried=number)
            lower = before.of_trees - MIN_IMPROVEMENT
            trees_since = 0 if best.of_trees < lower else trees_since + 1
            blend_since = 0 if best.loss < before.loss else blend_since + 1
            done = trees_since >= patience or blend_since >= OF_BLEND or best.loss <= enough
            if done or time.perf_counter() > deadline or all(fold.ended for fold in folds):
                break
    finally:
        if bar is not None:
            bar.erase()
    return best


def linear_scores(run: Run, held_out: LabelledRows, task: FitTask) -> list[Floats]:
    """(n, K) scores of held-out rows by linear models that are fitted on a run's rows.

    Log-odds for all strengths, or the margins of one model if there are words.
    """
    rows = _copy(run.rows)
    features = Features.learn(rows)
    layout = rows.layout
    encoded = EncodedRows(held_out.table, layout.schema, None, task.workers, layout.missing)
    fits = _linear_fits(run, rows, features, STRENGTHS)
    scores = Scorer(layout, features, encoded, task.workers)
    return [scores(fit) for fit in fits]


def _linear_fits(
    run: Run, rows: Rows, features: Features, strengths: Sequence[float]
) -> list[LinearFit]:
    """Linear models of all strengths; with words one by the loss of support vector machines."""
    if len(features.words) and not isinstance(run.parts.loss, SquaredError):
        return fit_path(ModifiedHuber(), rows, features, [OF_WORDS])
    return fit_path(run.parts.loss, rows, features, strengths)


def blend_members(run: Run, blend: Blend) -> tuple[Floats, list[Member]]:
    """Start and members of the blended model, given the run of all rows, whose scores follow."""
    share = 1.0 - blend.weight
    start, members = run.rows.start * share, list(run.state.members)
    if share < 1.0:
        rules = [member.hypothesis for member in members]
        members = with_coefficients(rules, np.array([each.coefficient for each in members]) * share)
    if blend.weight > 0.0:
        rows = _copy(run.rows)
        features = Features.learn(rows)
        (fit,) = _linear_fits(run, rows, features, [blend.strength])
        if blend.line is not None:
            slope, shift = blend.line
            fit = LinearFit(slope * fit.intercept + shift, slope * fit.weights)
        more, lines = members_of(rows, features, fit, blend.weight)
        start, members = start + more, members + lines
    return np.rint(start * GRID) / GRID, members


def _copy(rows: Rows) -> Rows:
    """The same rows with scores of their own."""
    copied = Rows([Shard(own.encoded, own.target, own.workers) for own in rows.shards])
    copied.start_from(rows.start)
    return copied
