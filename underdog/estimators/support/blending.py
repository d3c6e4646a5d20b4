"""Trees blended with a linear model: what is chosen, on the scores of left-out rows.

Every row is left out once. The boosters without a fold run side by side, and linear models with
several penalties are fitted on the same rows. The number of rounds, the penalty and the weight of
the linear model are those with the least loss of all left-out rows together. Without rounds there
is the start, which is a constant: a linear model may be shrunk towards it, or nothing is better.
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple, cast

import numpy as np

from underdog.checks import UnderdogWarning
from underdog.core import Member, Run
from underdog.core.state import with_coefficients
from underdog.data.draws import NEVER
from underdog.engine import ProgressBar
from underdog.estimators.support.blend_linear import (
    STRENGTHS,
    LeftOutLoss,
    LinearChoice,
    choose_linear,
    linear_models,
)
from underdog.estimators.support.early_stopping import Fold
from underdog.estimators.support.lines import PlattLine
from underdog.estimators.support.task import FitTask, Folds
from underdog.hypotheses.tree import Tree
from underdog.hypotheses.words import WordWeights
from underdog.kernels.elementary import GRID
from underdog.linear import LinearFit, members_of
from underdog.types import Floats, Integers

if TYPE_CHECKING:
    from underdog.estimators.support.base import Booster

WEIGHTS = tuple(step / 10 for step in range(11))
"""Of the linear model."""
CHECKED = (
    0, 10, 20, 30, 40, 50, 60, 80, 100, 120, 150, 180, 210, 250, 300, 350, 400, 500, 600, 700,
)  # fmt: skip
"""Numbers of rounds that are compared, and every 100 after them."""
FEW = CHECKED[1]
"""Rounds if no row can be left out."""
PATIENCE, OF_ONE_PART = 4, 2
"""Numbers of rounds without a lower loss of the trees before the search ends.

It is the greater one if every row is left out once. A single part that is left out is large: in 28
searches on 8 tables of the experiment about defaults, both chose the same.
"""
OF_BLEND = 9
"""The same for the blend: while there are few trees, it may be the linear model alone."""
MIN_IMPROVEMENT = 1e-9
"""The least fall of a loss that counts, as a share of that of a constant."""
FOR_LINEAR, FOR_SEARCH = 0.35, 0.75
"""Shares of a time budget after which linear models, and all rounds, are no longer tried."""
NO_LOSS = 1e-5
"""The loss, as a share of that of a constant, from which on more rounds are of no use."""


class Blend(NamedTuple):
    """What was chosen.

    Attributes
    ----------
    rounds : int
    weight : of the linear model, from 0 to 1
    strength : C of the linear model
    with_words : whether its columns may be words
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
    with_words: bool
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
        Seconds for the whole fit: see `FOR_LINEAR` and `FOR_SEARCH`.
    """
    end, is_over = np.inf, None
    if time_budget is not None:
        began = time.perf_counter()
        end, of_linear = (began + share * time_budget for share in (FOR_SEARCH, FOR_LINEAR))

        def is_over() -> bool:
            return time.perf_counter() > of_linear

    examples, fold_of = task.examples, cast(Folds, task.held_out).of_row
    parts = [np.flatnonzero(fold_of == fold) for fold in np.unique(fold_of[fold_of != NEVER])]
    together = np.concatenate(parts)
    compare = LeftOutLoss(boosters[0], task, examples.take(together))
    chosen: LinearChoice | None = None
    found: list[Mix] = []
    for place, booster in enumerate(boosters):
        folds = _make_folds(booster, task_of(booster, task, place), parts)
        if linear and place == 0:
            chosen = choose_linear(folds, parts, task, compare, is_over)
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
        chosen = LinearChoice(mix.scores, np.inf, STRENGTHS[0], False, None)
    return Blend(
        mix.rounds,
        mix.weight,
        chosen.strength,
        chosen.with_words,
        chosen.line,
        (
            compare.in_unit(mix.loss),
            compare.in_unit(mix.of_trees),
            compare.in_unit(chosen.loss),
        ),
        left_out,
        mix.rounds_tried,
        best,
        tuple(map(compare.in_unit, losses)),
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
    of_start = 0.0
    try:
        for number in checked_rounds(booster.n_estimators):
            number, late = _advance(folds, best.rounds_tried, number, deadline)
            scores = np.concatenate([fold.next_scores() for fold in folds])
            if bar is not None and number:
                bar(folds[0].run.state, folds[0].run.history)
            before = best
            for weight in WEIGHTS if linear is not None else (0.0,):
                mixed = scores
                if linear is not None and weight > 0.0:
                    mixed = (1.0 - weight) * scores + weight * linear.scores
                loss = compare(mixed)
                if weight == 0.0:
                    best = best._replace(of_trees=min(best.of_trees, loss))
                if number == 0 and weight == 0.0:
                    of_start = loss
                if loss < best.loss - MIN_IMPROVEMENT * of_start:
                    best = best._replace(loss=loss, rounds=number, weight=weight, scores=mixed)
            best = best._replace(rounds_tried=number)
            lower = before.of_trees - MIN_IMPROVEMENT * of_start
            trees_since = 0 if best.of_trees < lower else trees_since + 1
            blend_since = 0 if best.loss < before.loss else blend_since + 1
            done = trees_since >= patience or blend_since >= OF_BLEND
            done = done or best.loss <= NO_LOSS * of_start
            if done or late or all(fold.ended for fold in folds):
                break
    finally:
        if bar is not None:
            bar.erase()
    return best


def _advance(folds: Sequence[Fold], done: int, goal: int, deadline: float) -> tuple[int, bool]:
    """Run all folds up to a number of rounds; returns how many they have, and whether time is over.

    With a deadline they take turns, so that they have equally many rounds when time is over. Then
    there is at least one.
    """
    if deadline == np.inf:
        for fold in folds:
            fold.take_rounds(goal - done)
        return goal, False
    late = False
    while done < goal and not late:
        for fold in folds:
            fold.take_rounds(1)
        done += 1
        late = time.perf_counter() > deadline
    return done, late


def blend_members(run: Run, blend: Blend) -> tuple[Floats, list[Member]]:
    """Start and members of the blended model, given the run of all rows, whose scores follow."""
    share = 1.0 - blend.weight
    start, members = run.rows.start * share, list(run.state.members)
    if share < 1.0:
        rules = [member.hypothesis for member in members]
        members = with_coefficients(rules, np.array([each.coefficient for each in members]) * share)
    if blend.weight > 0.0:
        models = linear_models(run, blend.with_words)
        (fit,) = models.solve([blend.strength])
        if blend.line is not None:
            slope, shift = blend.line
            fit = LinearFit(slope * fit.intercept + shift, slope * fit.weights)
        more, lines = members_of(models.rows, models.features, fit, blend.weight)
        start, members = start + more, members + lines
    if not members or isinstance(members[0].hypothesis, WordWeights):
        # A model has a rule: here one that adds nothing.
        nothing = Tree(((),), np.zeros((1, run.rows.n_labels)))
        members = [*with_coefficients([nothing], np.ones(1)), *members]
    return np.rint(start * GRID) / GRID, members
